/*
 * The best labelling of a chain under each of K draws: Viterbi in all lanes at once.
 *
 *     best[0][y][k] = node[0][y][k]
 *     best[t][y][k] = max_l (best[t-1][l][k] + edge_t[l][y][k]) + node[t][y][k]
 *
 * in float, with back-pointers: finding the predecessors again, as lattice.h
 * does, would cost a gather for each lane. Ties are broken as by
 * chain_viterbi(): the lowest last label, then, going left, the lowest label
 * from which the best score can be had; from a score of -inf that is label 0.
 *
 * Without edges every word takes its own best label, and nothing is kept.
 *
 * Cost: O(N Y^2 K) time, O((N + 1) Y K) memory; O(N Y K) time without edges.
 */
#include "chain/chain.h"

#include <math.h>

enum { ALIGNMENT = 64 };

/* One lane block of the scores of all that lead to one label. */
struct step {
    const float *left; /* [Y][stride] best[t-1] */
    const float *edge; /* [Y][..] of the right label; from one left label to the next: Y * stride */
    size_t stride, Y;
};

/* Left labels l .. l + count - 1, count a constant: the best so far is read and written once for all of them. */
SIMD_BODY void extend(const struct step *s, size_t l, size_t count, float *restrict top, int32_t *restrict from)
{
    const float *restrict left = s->left + l * s->stride, *restrict edge = s->edge + l * s->Y * s->stride;
    size_t stride = s->stride, row = s->Y * s->stride;
    for (size_t k = 0; k < LANE_STEP; k++) {
        float best = top[k];
        int32_t which = from[k];
        for (size_t i = 0; i < count; i++) {
            float score = left[i * stride + k] + edge[i * row + k];
            which = score > best ? (int32_t)(l + i) : which;
            best = score > best ? score : best;
        }
        top[k] = best;
        from[k] = which;
    }
}

/* best = top + node; the back-pointer is 0 from -inf. */
SIMD_BODY void settle(const float *restrict top, const int32_t *restrict from, const float *restrict node,
                      float *restrict best, uint16_t *restrict back)
{
    for (size_t k = 0; k < LANE_STEP; k++) {
        best[k] = top[k] + node[k];
        back[k] = (uint16_t)(best[k] > -INFINITY ? from[k] : 0);
    }
}

/* One word: all labels of all lanes. */
SIMD_BODY void advance(const float *left, const float *edge, const float *node, size_t Y, size_t stride, float *best,
                       uint16_t *back)
{
    for (size_t b = 0; b < stride; b += LANE_STEP)
        for (size_t y = 0; y < Y; y++) {
            struct step s = {left + b, edge + y * stride + b, stride, Y};
            float top[LANE_STEP];
            int32_t from[LANE_STEP];
            for (size_t k = 0; k < LANE_STEP; k++) {
                top[k] = s.left[k] + s.edge[k];
                from[k] = 0;
            }
            size_t l = 1;
            for (; l + 4 <= Y; l += 4)
                extend(&s, l, 4, top, from);
            if (l + 2 <= Y) {
                extend(&s, l, 2, top, from);
                l += 2;
            }
            if (l < Y)
                extend(&s, l, 1, top, from);
            settle(top, from, node + y * stride + b, best + y * stride + b, back + y * stride + b);
        }
}

SIMD_KERNEL(advance,
            (const float *left, const float *edge, const float *node, size_t Y, size_t stride, float *best,
             uint16_t *back),
            (left, edge, node, Y, stride, best, back))

/* Working memory, in the scratch. */
struct room {
    float *best;    /* [2][Y][stride] of this word and the one before */
    float *top;     /* [stride] */
    uint32_t *at;   /* [stride] */
    uint16_t *back; /* [N][Y][stride]; the first word has none */
};

static bool lay_out(struct room *room, const struct lanes *lanes, struct scratch *scratch, struct vouch_error *err)
{
    size_t stride = lanes->stride, row = lanes->E ? lanes->width * stride : 0, back, bytes;
    size_t fixed = (2 * row + 2 * stride) * sizeof(float) + ALIGNMENT;
    if (__builtin_mul_overflow((size_t)lanes->N, row * sizeof(uint16_t), &back) ||
        __builtin_add_overflow(back, fixed, &bytes))
        return fail_memory(err);
    if (!scratch_reserve(scratch, bytes, err))
        return false;
    room->best = (float *)(((uintptr_t)scratch->bytes + ALIGNMENT - 1) & ~(uintptr_t)(ALIGNMENT - 1));
    room->top = room->best + 2 * row;
    room->at = (uint32_t *)(room->top + stride);
    room->back = (uint16_t *)(room->at + stride);
    return true;
}

/* Every lane's best row of one word. */
static void choose(enum simd set, const struct lanes *lanes, const float *rows, const struct room *room)
{
    for (size_t k = 0; k < lanes->stride; k++) {
        room->top[k] = -INFINITY;
        room->at[k] = 0;
    }
    lanes_argmax(set, rows, 0, lanes->width, lanes->stride, room->top, room->at);
}

/*
 * Draw k, in which a word has no label of finite score: the words before it take label 0 as long as the label to
 * their right has a score of -inf, the words after it take label 0.
 */
static void choose_hopeless(const struct lanes *lanes, uint32_t k, uint32_t *choice)
{
    size_t Y = lanes->width, stride = lanes->stride;
    const float *node = lanes->node + k;
    uint32_t N = lanes->N, t = 0;
    while (node[(t * Y + choice[t]) * stride] > -INFINITY)
        t++;
    for (uint32_t after = t + 1; after < N; after++)
        choice[after] = 0;
    for (; t > 0 && !(node[(t * Y + choice[t]) * stride] > -INFINITY); t--)
        choice[t - 1] = 0;
}

static void choose_each(enum simd set, const struct lanes *lanes, const struct room *room, uint32_t *choice)
{
    uint32_t N = lanes->N, K = lanes->K;
    size_t row = (size_t)lanes->width * lanes->stride;
    bool hopeless = false;
    for (uint32_t t = 0; t < N; t++) {
        choose(set, lanes, lanes->node + t * row, room);
        for (size_t k = 0; k < K; k++) {
            choice[k * N + t] = room->at[k];
            hopeless |= !(room->top[k] > -INFINITY);
        }
    }
    for (uint32_t k = 0; hopeless && k < K; k++) {
        const float *node = lanes->node + k;
        uint32_t *chosen = choice + (size_t)k * N;
        bool this_one = false;
        for (uint32_t t = 0; t < N; t++)
            this_one |= !(node[t * row + (size_t)chosen[t] * lanes->stride] > -INFINITY);
        if (this_one)
            choose_hopeless(lanes, k, chosen);
    }
}

static void choose_jointly(enum simd set, const struct lanes *lanes, const struct room *room, uint32_t *choice)
{
    size_t N = lanes->N, K = lanes->K, stride = lanes->stride, row = lanes->width * stride;
    const float *left = lanes->node;
    for (size_t t = 1; t < N; t++) {
        const float *edge = lanes->edge + (t - 1) * lanes->edge_step * stride;
        float *best = room->best + t % 2 * row;
        advance_for[set](left, edge, lanes->node + t * row, lanes->width, stride, best, room->back + t * row);
        left = best;
    }
    choose(set, lanes, left, room);
    for (size_t k = 0; k < K; k++)
        choice[k * N + N - 1] = room->at[k];
    for (size_t t = N; t-- > 1;) {
        const uint16_t *back = room->back + t * row;
        for (size_t k = 0; k < K; k++)
            choice[k * N + t - 1] = room->at[k] = back[room->at[k] * stride + k];
    }
}

bool chain_draws_with(enum simd set, const struct lanes *lanes, struct scratch *scratch, uint32_t *choice,
                      struct vouch_error *err)
{
    struct room room = {0};
    if (lanes->N == 0)
        return true;
    if (lanes->width == 0)
        return fail(err, VOUCH_ERR_ARGUMENT, "a chain of %u words has no labels to choose from", (unsigned)lanes->N);
    if (!lay_out(&room, lanes, scratch, err))
        return false;
    if (lanes->E)
        choose_jointly(set, lanes, &room, choice);
    else
        choose_each(set, lanes, &room, choice);
    return true;
}

bool chain_draws(const struct lanes *lanes, struct scratch *scratch, uint32_t *choice, struct vouch_error *err)
{
    return chain_draws_with(simd_best(), lanes, scratch, choice, err);
}
