/*
 * Makes small worlds for the tests of confidence: a random sentence as parts,
 * random voices over it, and a list of all possible answers.
 *
 * Weights are multiples of 2^-16 (or of 1, where ties are needed) and values of
 * 1/2, so that all scores are exact in float and sums of them in double.
 */
#ifndef VOUCH_TESTS_WORLDS_H
#define VOUCH_TESTS_WORLDS_H

#include "base/random.h"
#include "chain/chain.h"
#include "confidence/committee.h"
#include "tree/tree.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    LONGEST = 5,
    MOST_GROUPS = LONGEST * (LONGEST + 1),
    SHARED = 5, /* features that any group may have, beside one of its own */
    NODES = MOST_GROUPS + SHARED,
    EDGES = LONGEST + 2,
    MOST_ANSWERS = 1024,
    WORLD_VOICES = 4
};

enum weights { PLAIN, TIED, VAST, WEIGHTS };

struct listed {
    uint32_t choice[LONGEST];
    double score[WORLD_VOICES];
};

struct shape {
    bool tree;
    uint32_t N, width;
    enum weights weights;
    uint32_t voices;
};

struct world {
    struct shape shape;
    struct space space;
    struct parts parts;
    uint32_t start[MOST_GROUPS + 1], feature[3 * MOST_GROUPS], edge_start[LONGEST + 1], edge_feature[2 * LONGEST];
    float value[3 * MOST_GROUPS], edge_value[2 * LONGEST];
    float *mean[WORLD_VOICES], *var[WORLD_VOICES];
    struct listed *all; /* [answers] */
    uint32_t answers;
    struct voice_set voice_set;
    struct workspace workspace;
};

static inline float world_weight(struct rng *rng, enum weights weights)
{
    double unit = 2 * rng_uniform(rng) - 1;
    if (weights == TIED)
        return (float)((int)rng_below(rng, 3) - 1);
    return weights == VAST ? (float)(unit * 1e30) : (float)ldexp(floor(ldexp(unit, 17)), -16);
}

static inline void world_row(struct world *w, struct rng *rng, uint32_t g)
{
    uint32_t at = w->start[g], shared = rng_below(rng, 3);
    w->feature[at] = g;
    w->value[at++] = 1;
    for (uint32_t i = 0; i < shared; i++) {
        w->feature[at] = MOST_GROUPS + rng_below(rng, SHARED);
        w->value[at++] = (float)(1 + rng_below(rng, 2)) / 2;
    }
    w->start[g + 1] = at;
}

static inline void world_edge_row(struct world *w, struct rng *rng, uint32_t e)
{
    uint32_t at = w->edge_start[e];
    w->edge_feature[at] = e;
    w->edge_value[at++] = 1;
    if (rng_below(rng, 2)) {
        w->edge_feature[at] = LONGEST + rng_below(rng, 2);
        w->edge_value[at++] = 0.5f;
    }
    w->edge_start[e + 1] = at;
}

/* Makes the parts. Edges of a chain are none, one block for all positions, or one for each pair of neighbours. */
static inline void world_parts(struct world *w, struct rng *rng)
{
    uint32_t N = w->shape.N, groups = w->shape.tree ? N * (N + 1) : N;
    uint32_t kind = w->shape.tree ? 0 : rng_below(rng, 4), edges = kind == 0 ? 0 : kind == 1 ? N - 1 : 1;
    for (uint32_t g = 0; g < groups; g++)
        world_row(w, rng, g);
    for (uint32_t e = 0; e < edges; e++)
        world_edge_row(w, rng, e);
    w->parts = (struct parts){.N = N,
                              .node = {groups, w->start, w->feature, w->value},
                              .edge = {edges, w->edge_start, w->edge_feature, w->edge_value}};
}

/* Answers. */

static inline double row_score(const struct rows *rows, uint32_t row, const float *weight, size_t base, size_t block)
{
    double sum = 0;
    for (uint32_t i = rows->start[row]; i < rows->start[row + 1]; i++)
        sum += (double)(rows->value[i] * weight[base + rows->feature[i] * block]);
    return sum;
}

/* Returns the score of an answer, by definition. */
static inline double world_score(const struct world *w, const float *weight, const uint32_t *choice)
{
    uint32_t N = w->shape.N, width = w->shape.width;
    double sum = 0;
    for (uint32_t n = 0; n < N; n++) {
        uint32_t group = w->shape.tree ? n * (N + 1) + choice[n] / width : n;
        sum += row_score(&w->parts.node, group, weight, choice[n] % width, width);
    }
    for (uint32_t n = 1; n < N && w->parts.edge.count; n++) {
        size_t base = space_edge(&w->space, 0) + choice[n - 1] * width + choice[n];
        sum += row_score(&w->parts.edge, w->parts.edge.count == 1 ? 0 : n - 1, weight, base, (size_t)width * width);
    }
    return sum;
}

static inline bool one_root(const struct world *w, const uint32_t *choice)
{
    uint32_t N = w->shape.N, roots = 0;
    for (uint32_t n = 0; n < N; n++) {
        uint32_t at = n + 1, steps = 0;
        while (at && steps++ <= N)
            at = choice[at - 1] / w->shape.width;
        if (at)
            return false;
        roots += choice[n] / w->shape.width == 0;
    }
    return roots == 1;
}

static inline void world_list(struct world *w)
{
    uint32_t N = w->shape.N, options = w->shape.tree ? (N + 1) * w->shape.width : w->shape.width, vectors = 1;
    for (uint32_t n = 0; n < N; n++)
        vectors *= options;
    for (uint32_t i = 0; i < vectors; i++) {
        struct listed *one = &w->all[w->answers];
        *one = (struct listed){0};
        for (uint32_t n = 0, rest = i; n < N; n++, rest /= options)
            one->choice[n] = rest % options;
        if (w->shape.tree && !one_root(w, one->choice))
            continue;
        for (uint32_t v = 0; v < w->shape.voices; v++)
            one->score[v] = world_score(w, w->mean[v], one->choice);
        if (++w->answers == MOST_ANSWERS)
            abort();
    }
}

/* Making and asking. */

static inline void world_voice(struct world *w, struct rng *rng, uint32_t v, const struct noise *noise)
{
    size_t size = space_size(&w->space);
    w->mean[v] = calloc(size + SLACK, sizeof(float));
    w->var[v] = calloc(size + SLACK, sizeof(float));
    for (size_t i = 0; i < size; i++) {
        w->mean[v][i] = world_weight(rng, w->shape.weights);
        w->var[v][i] = (float)rng_uniform(rng);
    }
    w->voice_set.voice[v] = (struct voice_view){.structure = w->shape.tree ? &tree_structure : &chain_structure,
                                                .space = &w->space,
                                                .mean = w->mean[v],
                                                .var = w->var[v],
                                                .noise = noise,
                                                .key = 100 + v,
                                                .params = {.best = 1 + rng_below(rng, 12),
                                                           .draws = 1 + rng_below(rng, 40),
                                                           .fix = 0.5,
                                                           .pc = 0.7,
                                                           .c = (const double[]){0.3, 1, 2}[rng_below(rng, 3)]}};
}

/* Makes a world; `noise` must outlive it, and it must stay where it is. */
static inline struct world *world_new(struct shape shape, struct rng *rng, const struct noise *noise)
{
    struct world *w = calloc(1, sizeof *w);
    w->shape = shape;
    w->space = (struct space){shape.width, NODES, shape.tree ? 0 : EDGES};
    w->all = calloc(MOST_ANSWERS, sizeof *w->all);
    world_parts(w, rng);
    for (uint32_t v = 0; v < shape.voices; v++)
        world_voice(w, rng, v, noise);
    w->voice_set.voices = shape.voices;
    world_list(w);
    return w;
}

static inline void world_free(struct world *w)
{
    for (uint32_t v = 0; v < w->shape.voices; v++) {
        free(w->mean[v]);
        free(w->var[v]);
    }
    workspace_release(&w->workspace);
    free(w->all);
    free(w);
}

/* Returns a shape that is small enough to list: at most 3^5 labellings, or 5^4 trees. */
static inline struct shape random_shape(struct rng *rng, enum weights weights)
{
    struct shape shape = {.tree = rng_below(rng, 2), .weights = weights, .voices = 2};
    shape.N = 1 + rng_below(rng, LONGEST);
    shape.width = 1 + rng_below(rng, 3);
    if (shape.tree)
        shape.width = 1;
    return shape;
}

static inline bool world_ask(struct world *w, unsigned needs, struct vouch_error *err)
{
    unsigned all[MAX_VOICE_VIEWS];
    for (uint32_t v = 0; v < MAX_VOICE_VIEWS; v++)
        all[v] = needs;
    return voice_set_open(&w->voice_set, &w->workspace, &w->parts, all, err) &&
           voice_set_gather(&w->workspace, &w->parts, all, err);
}

#endif
