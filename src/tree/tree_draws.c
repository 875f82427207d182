/*
 * Finds the best one-root tree under each of K draws.
 *
 * For all draws at once every word takes its best head. In most draws these heads form a tree with one root child:
 * contraction would find the same, ties included, for it starts from the same heads and then has nothing to do. The
 * other draws are contracted one after the other (contraction.c). Their scores are copied out of the lanes a few draws
 * at a time, so that a row of lanes is fetched once for all of these.
 *
 * The lanes of a sentence of hundreds of words do not fit the memory that is allowed. All draws of such a sentence are
 * contracted, as in hardly any of them the best heads would form a tree; some draws at a time are copied while the
 * lanes are computed again, a block of words after the other.
 *
 * Arcs that are not drawn (see core/lanes.h) have the same score in every draw: only the best of a word's is compared
 * with those that are.
 *
 * Cost: O(N^2 K) time; O(N K + N^2) memory. With A arcs that are drawn, O(N^2 + A K), and O(N^2) for each draw
 * that is contracted.
 */
#include "core/scheme.h"
#include "tree/contraction.h"

#include <math.h>
#include <string.h>

enum {
    AT_ONCE = 16,           /* draws that are copied together, if all lanes are there */
    LANES_KEPT = 64 << 20,  /* bytes: larger ones are not there at once */
    LANE_BYTES = 8 << 20,   /* of the words that are then there at a time */
    COPY_BYTES = 208 << 20, /* of the draws that are then copied together: of 13 draws of 2,000 words */
};

struct drawn {
    struct lanes *lanes;
    uint32_t block; /* words that are there at a time */
    struct contraction c;
    struct scores one; /* [G] one draw's scores, as contraction sees it */
    float *top;        /* [stride] */
    uint32_t *at;      /* [N][stride] best head of every word */
    float *copied;     /* [at_once][G] */
    uint32_t waiting[MAX_DRAWS], count, at_once;
};

static bool lay_out(struct drawn *d, struct lanes *lanes, struct scratch *scratch, struct vouch_error *err)
{
    size_t stride = lanes->stride;
    d->lanes = lanes;
    d->block = lanes_at_a_time(lanes, lanes->N + 1, LANES_KEPT);
    d->at_once = AT_ONCE;
    if (d->block < lanes->N) {
        size_t fit = lanes->at_a_time ? lanes->at_a_time : COPY_BYTES / sizeof(float) / lanes->G;
        d->block = lanes_at_a_time(lanes, lanes->N + 1, LANE_BYTES);
        d->at_once = fit == 0 ? 1 : fit < lanes->K ? (uint32_t)fit : lanes->K;
    }
    d->count = 0;
    d->one = (struct scores){.N = lanes->N, .G = lanes->G, .width = 1};
    size_t words = size_plus(size_times((size_t)lanes->N + 1, stride), (size_t)lanes->G * d->at_once);
    if (!contraction_open(&d->c, &d->one, size_times(words, sizeof(float)), scratch, err))
        return false;
    d->top = (float *)d->c.rest;
    d->at = (uint32_t *)(d->top + stride);
    d->copied = (float *)(d->at + lanes->N * stride);
    return true;
}

/* Brings the arcs of words from .. to - 1, a block that starts at `from`; returns `to`, or 0 if that failed. */
static uint32_t bring(struct drawn *d, uint32_t from, struct vouch_error *err)
{
    uint32_t N = d->lanes->N, to = N - from < d->block ? N : from + d->block;
    return lanes_bring(d->lanes, from * (N + 1), to * (N + 1), err) ? to : 0;
}

static bool is_drawn(const struct lanes *lanes, size_t group)
{
    return !lanes->drawn || lanes->drawn[group];
}

/* Returns the best of a word's arcs that are not drawn, and its score; UINT32_MAX and -inf if there is none. */
static uint32_t best_undrawn(const struct lanes *lanes, uint32_t m, float *top)
{
    uint32_t best = UINT32_MAX;
    *top = -INFINITY;
    for (uint32_t h = 0; lanes->drawn && h <= lanes->N; h++) {
        size_t group = tree_group(lanes->N, m, h);
        if (h != m + 1 && !is_drawn(lanes, group) && lanes->at->node[group] > *top) {
            *top = lanes->at->node[group];
            best = h;
        }
    }
    return best;
}

/* Takes the best of the arcs from heads from .. to - 1 that are drawn, where it is better than what was taken. */
static void take_drawn(struct drawn *d, uint32_t m, struct extent heads, uint32_t *at)
{
    const struct lanes *lanes = d->lanes;
    size_t first = tree_group(lanes->N, m, 0);
    for (uint32_t h = heads.from, end; h < heads.to; h = end + 1) {
        for (end = h; end < heads.to && end != m + 1 && is_drawn(lanes, first + end); end++)
            ;
        lanes_argmax(&(struct lane_rows){lanes_node(lanes, first), h, end, lanes->stride}, d->top, at);
    }
}

/*
 * Finds every word's best head in every draw; UINT32_MAX where it has none, or one of infinite score.
 * Heads are tried in order: of equal ones the first is taken.
 */
static void take_heads(struct drawn *d)
{
    uint32_t N = d->lanes->N, stride = d->lanes->stride;
    for (uint32_t m = 0; m < N; m++) {
        uint32_t *at = d->at + (size_t)m * stride;
        float top;
        uint32_t undrawn = best_undrawn(d->lanes, m, &top), between = undrawn == UINT32_MAX ? 0 : undrawn;
        for (uint32_t k = 0; k < stride; k++) {
            d->top[k] = -INFINITY;
            at[k] = UINT32_MAX;
        }
        take_drawn(d, m, (struct extent){0, between}, at);
        for (uint32_t k = 0; k < stride; k++) {
            at[k] = top > d->top[k] ? undrawn : at[k];
            d->top[k] = top > d->top[k] ? top : d->top[k];
        }
        take_drawn(d, m, (struct extent){between, N + 1}, at);
        for (uint32_t k = 0; k < stride; k++)
            at[k] = d->top[k] < INFINITY ? at[k] : UINT32_MAX;
    }
}

/* Takes every word's best head as the answer in draw k if these make a tree; else returns false. */
static bool take_tree(struct drawn *d, uint32_t k, uint32_t *choice)
{
    uint32_t N = d->lanes->N, stride = d->lanes->stride;
    for (uint32_t m = 0; m < N; m++) {
        choice[m] = d->at[(size_t)m * stride + k];
        if (choice[m] == UINT32_MAX)
            return false;
    }
    return tree_is_legal(choice, N, d->c.mark);
}

/* Copies the arcs of words from .. to - 1 of the draws that wait out of the lanes; NaN counts as -inf. */
static void copy_words(struct drawn *d, uint32_t from, uint32_t to)
{
    const struct lanes *lanes = d->lanes;
    size_t G = lanes->G, row = (size_t)lanes->N + 1;
    for (size_t g = from * row; g < to * row; g++) {
        const float *drawn = is_drawn(lanes, g) ? lanes_node(lanes, g) : NULL;
        for (uint32_t i = 0; i < d->count; i++) {
            float score = drawn ? drawn[d->waiting[i]] : lanes->at->node[g];
            d->copied[i * G + g] = score > -INFINITY ? score : -INFINITY;
        }
    }
}

/* Contracts the draws that wait. */
static bool contract_waiting(struct drawn *d, uint32_t *choice, struct vouch_error *err)
{
    uint32_t N = d->lanes->N;
    for (uint32_t from = 0, to; from < N; from = to) {
        if (!(to = bring(d, from, err)))
            return false;
        copy_words(d, from, to);
    }
    for (uint32_t i = 0; i < d->count; i++) {
        d->one.node = d->copied + (size_t)i * d->lanes->G;
        contraction_fill(&d->c);
        contraction_solve(&d->c);
        memcpy(choice + (size_t)d->waiting[i] * N, d->c.heads + 1, N * sizeof *choice);
    }
    d->count = 0;
    return true;
}

bool tree_draws(struct lanes *lanes, struct scratch *scratch, uint32_t *choice, struct vouch_error *err)
{
    struct drawn d = {0};
    if (lanes->N == 0)
        return true;
    if (!lay_out(&d, lanes, scratch, err))
        return false;
    bool whole = d.block >= lanes->N;
    if (whole) {
        if (!bring(&d, 0, err))
            return false;
        take_heads(&d);
    }
    for (uint32_t k = 0; k < lanes->K; k++) {
        if (!whole || !take_tree(&d, k, choice + (size_t)k * lanes->N))
            d.waiting[d.count++] = k;
        if (d.count == d.at_once && !contract_waiting(&d, choice, err))
            return false;
    }
    return d.count == 0 || contract_waiting(&d, choice, err);
}
