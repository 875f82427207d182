/*
 * A random model and a random sentence, models that are drawn around it one by one, and the working memory to score and
 * decode lanes: for tests of noise.
 */
#ifndef VOUCH_TESTS_NOISE_PROBLEM_H
#define VOUCH_TESTS_NOISE_PROBLEM_H

#include "base/random.h"
#include "chain/chain.h"
#include "confidence/noise.h"
#include "tree/tree.h"

#include "must.h"
#include "simd_sets.h"
#include "test.h"

enum { FEATURES = 40, EDGE_FEATURES = 6 };

/* A random model and a random sentence. */
struct problem {
    struct space space;
    struct parts parts;
    uint32_t *start, *feature, *edge_start, *edge_feature;
    float *value, *edge_value;
    float *mean, *var, *drawn;
    bool exact;
};

static inline void *zeroed(size_t count, size_t size)
{
    void *array = calloc(count + 1, size);
    assert_non_null(array);
    return array;
}

static inline float random_mean(struct rng *rng, bool exact)
{
    return exact ? (float)((int)rng_below(rng, 65) - 32) / 64 : (float)(2 * rng_uniform(rng) - 1);
}

static inline float random_var(struct rng *rng, bool exact)
{
    return exact ? (float)ldexp(1, -2 * (int)rng_below(rng, 4)) : (float)rng_uniform(rng);
}

static inline float random_value(struct rng *rng, bool exact)
{
    return exact ? (float)((int)rng_below(rng, 9) - 4) / 2 : (float)(3 * rng_uniform(rng) - 1);
}

/* Makes rows of up to `most` features. */
static inline void make_rows(struct rows *rows, uint32_t count, uint32_t most, uint32_t features, uint32_t *start,
                      uint32_t *feature, float *value, struct rng *rng, bool exact)
{
    for (uint32_t g = 0; g < count; g++) {
        uint32_t n = rng_below(rng, most + 1);
        start[g + 1] = start[g] + n;
        for (uint32_t i = start[g]; i < start[g + 1]; i++) {
            feature[i] = rng_below(rng, features);
            if (value)
                value[i] = random_value(rng, exact);
        }
    }
    *rows = (struct rows){count, start, feature, value};
}

struct shape {
    uint32_t N, G, width, E, most;
    bool valued, exact;
    bool same; /* all features of a row: their noise does not even out */
};

static inline void make_problem(struct problem *p, const struct shape *s, struct rng *rng)
{
    *p = (struct problem){.space = {s->width, FEATURES, EDGE_FEATURES}, .exact = s->exact};
    size_t size = space_size(&p->space) + SLACK;
    p->mean = zeroed(size, sizeof *p->mean);
    p->var = zeroed(size, sizeof *p->var);
    p->drawn = zeroed(size, sizeof *p->drawn);
    for (size_t i = 0; i < size - SLACK; i++) {
        p->mean[i] = random_mean(rng, s->exact);
        p->var[i] = random_var(rng, s->exact);
    }
    for (uint32_t f = 0; f < FEATURES; f += 7) /* never learned */
        memset(p->mean + space_node(&p->space, f), 0, s->width * sizeof *p->mean);
    memset(p->mean + space_edge(&p->space, 3), 0, sizeof *p->mean * s->width * s->width);
    p->start = zeroed(s->G + 1, sizeof *p->start);
    p->feature = zeroed((size_t)s->G * s->most, sizeof *p->feature);
    p->value = s->valued ? zeroed((size_t)s->G * s->most, sizeof *p->value) : NULL;
    p->edge_start = zeroed(s->E + 1, sizeof *p->edge_start);
    p->edge_feature = zeroed(s->E * 3, sizeof *p->edge_feature);
    p->edge_value = s->valued ? zeroed(s->E * 3, sizeof *p->edge_value) : NULL;
    p->parts.N = s->N;
    make_rows(&p->parts.node, s->G, s->most, FEATURES, p->start, p->feature, p->value, rng, s->exact);
    for (uint32_t g = 0; s->same && g < s->G; g++)
        for (uint32_t i = p->start[g]; i < p->start[g + 1]; i++)
            p->feature[i] = 1 + g;
    make_rows(&p->parts.edge, s->E, 3, EDGE_FEATURES, p->edge_start, p->edge_feature, p->edge_value, rng, s->exact);
}

static inline void release(struct problem *p)
{
    free(p->start);
    free(p->feature);
    free(p->edge_start);
    free(p->edge_feature);
    free(p->value);
    free(p->edge_value);
    free(p->mean);
    free(p->var);
    free(p->drawn);
}

/* Makes the weights of draw k, by definition. */
static inline void draw_block(struct problem *p, const struct drawing *d, size_t at, size_t width, uint64_t feature,
                       uint32_t k)
{
    bool learned = false;
    for (size_t j = 0; j < width; j++)
        learned |= d->mean[at + j] != 0;
    for (size_t j = 0; j < width; j++) {
        double z = noise_at(d, feature, (uint32_t)j, k) / 128.0;
        double sd = sqrt(d->var ? d->s * (double)d->var[at + j] : d->s);
        p->drawn[at + j] = (float)(d->mean[at + j] + (learned ? sd * z : 0));
    }
}

static inline void draw_model(struct problem *p, const struct drawing *d, uint32_t k)
{
    for (uint32_t f = 0; f < FEATURES; f++)
        draw_block(p, d, space_node(&p->space, f), p->space.width, f, k);
    for (uint32_t f = 0; f < EDGE_FEATURES; f++)
        draw_block(p, d, space_edge(&p->space, f), (size_t)p->space.width * p->space.width, FEATURES + f, k);
}

struct machine {
    const struct structure *structure;
    struct scratch scratch;
    struct scores scores;
    struct lanes lanes[SIMD_SETS];
    struct noise_work *work[SIMD_SETS];
};

static inline void machine_init(struct machine *m, const struct structure *structure)
{
    *m = (struct machine){.structure = structure};
}

static inline void machine_release(struct machine *m)
{
    scratch_release(&m->scratch);
    scores_release(&m->scores);
    for (int set = 0; set < SIMD_SETS; set++) {
        lanes_release(&m->lanes[set]);
        noise_work_free(m->work[set]);
    }
}

static inline void same_lanes(const struct lanes *a, const struct lanes *b)
{
    size_t edges = (size_t)a->E * a->width * a->width;
    assert_memory_equal(a->node, b->node, sizeof(float) * a->G * a->width * a->stride);
    assert_int_equal(a->E, b->E);
    if (edges)
        assert_memory_equal(a->edge, b->edge, sizeof(float) * edges * a->stride);
}

/* Scores the sentence and all its draws; every instruction set must give the same bits. */
static inline void score(struct machine *m, struct problem *p, const struct drawing *d)
{
    struct drawing drawing = *d;
    drawing.space = &p->space;
    MUST(parts_score(&p->parts, &p->space, d->mean, &m->scores, &err));
    EACH_SIMD_SET
    {
        if (!m->work[simd_set])
            m->work[simd_set] = noise_work_new(&err);
        MUST(m->work[simd_set]);
        MUST(noise_score(&drawing, &p->parts, &m->scores, m->work[simd_set], &m->lanes[simd_set], &err));
        MUST(lanes_bring(&m->lanes[simd_set], 0, p->parts.node.count, &err));
        same_lanes(&m->lanes[0], &m->lanes[simd_set]);
    }
}

/* Finds the choices of all draws; every instruction set, and blocks of any number of words, must make the same ones. */
static inline uint32_t *decode(struct machine *m)
{
    static const uint32_t words[] = {0, 1, 2, 7, 16, 1000};
    struct lanes *lanes = &m->lanes[0];
    size_t size = (size_t)lanes->K * lanes->N;
    uint32_t *first = zeroed(size, sizeof *first), *choice = zeroed(size, sizeof *choice);
    EACH_SIMD_SET
    {
        uint32_t *to = simd_set == SIMD_PLAIN ? first : choice;
        memset(to, 0xFF, size * sizeof *to);
        if (m->scratch.bytes)
            memset(m->scratch.bytes, 0xFF, m->scratch.capacity);
        MUST(m->structure->draws(lanes, &m->scratch, to, &err));
        assert_memory_equal(first, to, size * sizeof *to);
    }
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        lanes->at_a_time = words[i];
        if (lanes->fill)
            lanes->from = lanes->to = 0;
        MUST(m->structure->draws(lanes, &m->scratch, choice, &err));
        assert_memory_equal(first, choice, size * sizeof *choice);
    }
    lanes->at_a_time = 0;
    free(choice);
    return first;
}

#endif
