/*
 * The best one-root tree under each of K draws.
 *
 * For all draws at once every word takes its best head. In most draws these
 * heads form a tree with one root child: that is what contraction would find,
 * ties included, for it starts from the same heads and then has nothing to do.
 * The other draws are contracted one after the other (contraction.c). Their
 * scores are copied out of the lanes a few draws at a time, so that a row of
 * lanes is fetched once for all of these.
 *
 * Cost: O(N^2 R K) time; O(N K + N^2) memory.
 */
#include "tree/contraction.h"

#include <math.h>

enum { AT_ONCE = 16 };

struct drawn {
    const struct lanes *lanes;
    struct contraction c;
    struct scores one; /* [G][1] one draw's best relations, as contraction sees it */
    float *top;        /* [stride] */
    uint32_t *at;      /* [N][stride] best head and relation of every word */
    float *copied;     /* [AT_ONCE][G] best relations' scores */
    uint32_t waiting[AT_ONCE], count;
};

static bool lay_out(struct drawn *d, const struct lanes *lanes, struct scratch *scratch, struct vouch_error *err)
{
    size_t stride = lanes->stride, words, bytes;
    d->lanes = lanes;
    d->count = 0;
    d->one = (struct scores){.N = lanes->N, .G = lanes->G, .width = lanes->width ? 1 : 0};
    if (__builtin_mul_overflow((size_t)lanes->N + 1, stride, &words) ||
        __builtin_add_overflow(words, (size_t)lanes->G * AT_ONCE, &words) ||
        __builtin_mul_overflow(words, sizeof(float), &bytes))
        return fail_memory(err);
    if (!contraction_open(&d->c, &d->one, bytes, scratch, err))
        return false;
    d->top = (float *)d->c.rest;
    d->at = (uint32_t *)(d->top + stride);
    d->copied = (float *)(d->at + lanes->N * stride);
    return true;
}

/* Every word's best head and relation in every draw; UINT32_MAX where it has none, or one of infinite score. */
static void take_heads(enum simd set, struct drawn *d)
{
    const struct lanes *lanes = d->lanes;
    uint32_t N = lanes->N, R = lanes->width, stride = lanes->stride;
    for (uint32_t m = 0; m < N; m++) {
        const float *rows = lanes->node + tree_group(N, m, 0) * R * stride;
        uint32_t *at = d->at + (size_t)m * stride;
        for (uint32_t k = 0; k < stride; k++) {
            d->top[k] = -INFINITY;
            at[k] = UINT32_MAX;
        }
        lanes_argmax(set, rows, 0, (m + 1) * R, stride, d->top, at);
        lanes_argmax(set, rows, (m + 2) * R, (N + 1) * R, stride, d->top, at);
        for (uint32_t k = 0; k < stride; k++)
            at[k] = d->top[k] < INFINITY ? at[k] : UINT32_MAX;
    }
}

/* Whether every word's best head makes a tree in draw k; if so it is the answer. */
static bool take_tree(struct drawn *d, uint32_t k, uint32_t *choice)
{
    uint32_t N = d->lanes->N, R = d->lanes->width, stride = d->lanes->stride;
    for (uint32_t m = 0; m < N; m++) {
        choice[m] = d->at[(size_t)m * stride + k];
        if (choice[m] == UINT32_MAX)
            return false;
        d->c.heads[m + 1] = R == 1 ? choice[m] : choice[m] / R;
    }
    return heads_form_tree(d->c.heads, N, d->c.mark);
}

static float best_of(const float *group, uint32_t R, uint32_t stride)
{
    float top = -INFINITY;
    for (uint32_t r = 0; r < R; r++)
        top = group[(size_t)r * stride] > top ? group[(size_t)r * stride] : top;
    return top;
}

/* Copies the draws that wait out of the lanes. */
static void copy_waiting(struct drawn *d)
{
    const struct lanes *lanes = d->lanes;
    size_t G = lanes->G, R = lanes->width, stride = lanes->stride;
    for (size_t g = 0; g < G; g++) {
        const float *group = lanes->node + g * R * stride;
        for (uint32_t i = 0; i < d->count; i++)
            d->copied[i * G + g] = best_of(group + d->waiting[i], (uint32_t)R, (uint32_t)stride);
    }
}

/* The lowest of the best relations; 0 if none has a score. */
static uint32_t best_relation(const struct lanes *lanes, uint32_t k, uint32_t m, uint32_t head)
{
    uint32_t R = lanes->width, stride = lanes->stride;
    const float *group = lanes->node + tree_group(lanes->N, m, head) * R * stride + k;
    float top = best_of(group, R, stride);
    for (uint32_t r = 0; r < R; r++)
        if (group[(size_t)r * stride] == top)
            return r;
    return 0;
}

/* Contracts the draws that wait. */
static void contract_waiting(struct drawn *d, uint32_t *choice)
{
    uint32_t N = d->lanes->N, R = d->lanes->width;
    copy_waiting(d);
    for (uint32_t i = 0; i < d->count; i++) {
        d->one.node = d->copied + (size_t)i * d->lanes->G;
        contraction_fill(&d->c);
        contraction_solve(&d->c);
        uint32_t k = d->waiting[i], *chosen = choice + (size_t)k * N;
        for (uint32_t m = 0; m < N; m++) {
            uint32_t head = d->c.heads[m + 1];
            chosen[m] = head * R + (R > 1 ? best_relation(d->lanes, k, m, head) : 0);
        }
    }
    d->count = 0;
}

bool tree_draws_with(enum simd set, const struct lanes *lanes, struct scratch *scratch, uint32_t *choice,
                     struct vouch_error *err)
{
    struct drawn d = {0};
    if (lanes->N == 0)
        return true;
    if (!lay_out(&d, lanes, scratch, err))
        return false;
    take_heads(set, &d);
    for (uint32_t k = 0; k < lanes->K; k++) {
        if (!take_tree(&d, k, choice + (size_t)k * lanes->N))
            d.waiting[d.count++] = k;
        if (d.count == AT_ONCE)
            contract_waiting(&d, choice);
    }
    if (d.count > 0)
        contract_waiting(&d, choice);
    return true;
}

bool tree_draws(const struct lanes *lanes, struct scratch *scratch, uint32_t *choice, struct vouch_error *err)
{
    return tree_draws_with(simd_best(), lanes, scratch, choice, err);
}
