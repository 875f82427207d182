/*
 * The best labelling of a chain under each of K draws: Viterbi in all lanes at once.
 *
 *     best[0][y][k] = node[0][y][k]
 *     best[t][y][k] = max_l (best[t-1][l][k] + edge_t[l][y][k]) + node[t][y][k]
 *
 * in float. There are no back-pointers, as in lattice.h: on the way back each
 * lane takes the lowest label whose sum, made the same way, equals the one
 * stored. This is done for a label of the word to the right in all lanes at
 * once, whichever of them are at it; as draws mostly agree, a word is left
 * after one or two labels. Ties are broken as by chain_viterbi(): the lowest
 * last label, then, going left, the lowest label from which the best score can
 * be had.
 *
 * LANE_STEP lanes go through the whole sentence before the next ones do, with
 * a copy of their edges in which the left labels of a right one lie together:
 * then all is read in order, and mostly from the nearest cache.
 *
 * Without edges every word takes its own best label, and nothing is kept.
 *
 * Cost: O(N Y^2 K) time, O(N Y + Y^2) memory; O(N Y K) time without edges.
 */
#include "chain/chain.h"

#include <math.h>
#include <string.h>

enum { ALIGNMENT = 64 };

/* LANE_STEP lanes. */
struct some {
    const struct lanes *lanes;
    size_t first;    /* lane */
    float *best;     /* [N][Y][LANE_STEP] */
    float *edge;     /* [Y][Y][LANE_STEP] the edges of one position, right label first */
    float *top;      /* [stride] */
    uint32_t *at;    /* [stride] the labels of one word */
    uint32_t *to;    /* [stride] and of the word before it */
    uint32_t *label; /* [Y] those of them that occur */
    uint32_t *seen;  /* [Y] 1 + the word at which a label was listed last */
};

static bool lay_out(struct some *some, const struct lanes *lanes, struct scratch *scratch, struct vouch_error *err)
{
    size_t Y = lanes->width, row = lanes->E ? Y * LANE_STEP : 0, best, bytes;
    size_t fixed = (Y * row + 3 * (size_t)lanes->stride + 2 * Y) * sizeof(float) + ALIGNMENT;
    if (__builtin_mul_overflow((size_t)lanes->N, row * sizeof(float), &best) ||
        __builtin_add_overflow(best, fixed, &bytes))
        return fail_memory(err);
    if (!scratch_reserve(scratch, bytes, err))
        return false;
    some->lanes = lanes;
    some->best = (float *)(((uintptr_t)scratch->bytes + ALIGNMENT - 1) & ~(uintptr_t)(ALIGNMENT - 1));
    some->edge = some->best + lanes->N * row;
    some->top = some->edge + Y * row;
    some->at = (uint32_t *)(some->top + lanes->stride);
    some->to = some->at + lanes->stride;
    some->label = some->to + lanes->stride;
    some->seen = some->label + Y;
    return true;
}

SIMD_BODY float larger(float a, float b)
{
    return a > b ? a : b;
}

/* to[r][l] = edge[l][r] */
SIMD_BODY void turn_edges(const float *restrict edge, size_t Y, size_t stride, float *restrict to)
{
    for (size_t r = 0; r < Y; r++)
        for (size_t l = 0; l < Y; l++)
            for (size_t k = 0; k < LANE_STEP; k++)
                to[(r * Y + l) * LANE_STEP + k] = edge[(l * Y + r) * stride + k];
}

/* Pairs are compared before they meet the best: they wait less for each other. */
SIMD_BODY void reach_from_four(const float *restrict left, const float *restrict edge, float *restrict best)
{
    const float *l1 = left + LANE_STEP, *l2 = l1 + LANE_STEP, *l3 = l2 + LANE_STEP;
    const float *e1 = edge + LANE_STEP, *e2 = e1 + LANE_STEP, *e3 = e2 + LANE_STEP;
    for (size_t k = 0; k < LANE_STEP; k++) {
        float a = larger(left[k] + edge[k], l1[k] + e1[k]), b = larger(l2[k] + e2[k], l3[k] + e3[k]);
        best[k] = larger(best[k], larger(a, b));
    }
}

/* to = max_l (left[l] + edge[l]) + node */
SIMD_BODY void reach(const float *restrict left, const float *restrict edge, size_t Y, const float *restrict node,
                     float *restrict to)
{
    float best[LANE_STEP];
    for (size_t k = 0; k < LANE_STEP; k++)
        best[k] = left[k] + edge[k];
    size_t rest = Y - 1;
    left += LANE_STEP;
    edge += LANE_STEP;
    for (; rest >= 4; rest -= 4) {
        reach_from_four(left, edge, best);
        left += 4 * LANE_STEP;
        edge += 4 * LANE_STEP;
    }
    for (; rest > 0; rest--) {
        for (size_t k = 0; k < LANE_STEP; k++)
            best[k] = larger(best[k], left[k] + edge[k]);
        left += LANE_STEP;
        edge += LANE_STEP;
    }
    for (size_t k = 0; k < LANE_STEP; k++)
        to[k] = best[k] + node[k];
}

/* Y is a constant where there are few labels: the loops over them are then laid out flat. */
SIMD_BODY void forward_among(const struct some *s, size_t Y)
{
    const struct lanes *lanes = s->lanes;
    size_t stride = lanes->stride, row = Y * LANE_STEP;
    const float *node = lanes->node + s->first, *edge = lanes->edge + s->first;
    float *best = s->best;
    for (size_t y = 0; y < Y; y++)
        memcpy(best + y * LANE_STEP, node + y * stride, LANE_STEP * sizeof *best);
    for (size_t t = 1; t < lanes->N; t++) {
        const float *left = best;
        node += Y * stride;
        best += row;
        if (t == 1 || lanes->edge_step != 0)
            turn_edges(edge + (t - 1) * lanes->edge_step * stride, Y, stride, s->edge);
        for (size_t y = 0; y < Y; y++)
            reach(left, s->edge + y * row, Y, node + y * stride, best + y * LANE_STEP);
    }
}

#define FLAT(Y)                                                                                                        \
    case Y:                                                                                                            \
        forward_among(s, Y);                                                                                           \
        break

SIMD_BODY void forward(const struct some *s)
{
    switch (s->lanes->width) {
        FLAT(2);
        FLAT(3);
        FLAT(4);
        FLAT(5);
        FLAT(6);
        FLAT(7);
        FLAT(8);
        FLAT(9);
        FLAT(11);
    default:
        forward_among(s, s->lanes->width);
    }
}

SIMD_KERNEL(forward, (const struct some *s), (s))

/*
 * Lanes that are at label y of word t go back to the lowest label from which its score can be had; the others stay
 * where they are in s->to.
 */
SIMD_BODY void go_back(const struct some *s, size_t t, uint32_t y)
{
    const struct lanes *lanes = s->lanes;
    size_t Y = lanes->width, stride = lanes->stride, row = Y * LANE_STEP;
    bool turned = lanes->edge_step == 0;
    size_t edge_step = turned ? LANE_STEP : Y * stride;
    const float *left = s->best + (t - 1) * row, *best = s->best + t * row + y * LANE_STEP;
    const float *edge = turned ? s->edge + y * row : lanes->edge + s->first + ((t - 1) * lanes->edge_step + y) * stride;
    const float *node = lanes->node + s->first + (t * Y + y) * stride;
    uint32_t from[LANE_STEP] = {0};
    for (uint32_t l = (uint32_t)Y; l-- > 0;)
        for (size_t k = 0; k < LANE_STEP; k++)
            from[k] = (left[l * LANE_STEP + k] + edge[l * edge_step + k]) + node[k] == best[k] ? l : from[k];
    for (size_t k = 0; k < LANE_STEP; k++)
        s->to[k] = s->at[k] == y ? from[k] : s->to[k];
}

SIMD_KERNEL(go_back, (const struct some *s, size_t t, uint32_t y), (s, t, y))

/* Every lane's best of the Y rows of one word. */
static void choose(enum simd set, const struct some *s, const float *rows, uint32_t stride)
{
    for (size_t k = 0; k < stride; k++) {
        s->top[k] = -INFINITY;
        s->at[k] = 0;
    }
    lanes_argmax(set, rows, 0, s->lanes->width, stride, s->top, s->at);
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

static void choose_each(enum simd set, const struct lanes *lanes, const struct some *s, uint32_t *choice)
{
    uint32_t N = lanes->N, K = lanes->K;
    size_t row = (size_t)lanes->width * lanes->stride;
    bool hopeless = false;
    for (uint32_t t = 0; t < N; t++) {
        choose(set, s, lanes->node + t * row, lanes->stride);
        for (size_t k = 0; k < K; k++) {
            choice[k * N + t] = s->at[k];
            hopeless |= !(s->top[k] > -INFINITY);
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

/* Writes the labels of word t, and lists those that occur. */
static uint32_t write_labels(const struct some *s, uint32_t t, uint32_t *choice)
{
    size_t N = s->lanes->N, left = s->lanes->K - s->first;
    uint32_t count = 0;
    for (size_t k = 0; k < left && k < LANE_STEP; k++) {
        uint32_t y = choice[(s->first + k) * N + t] = s->at[k];
        if (s->seen[y] != t + 1) {
            s->seen[y] = t + 1;
            s->label[count++] = y;
        }
    }
    return count;
}

static void choose_jointly(enum simd set, struct some *s, uint32_t *choice)
{
    uint32_t N = s->lanes->N, Y = s->lanes->width;
    forward_for[set](s);
    choose(set, s, s->best + (size_t)(N - 1) * Y * LANE_STEP, LANE_STEP);
    memset(s->seen, 0, Y * sizeof *s->seen);
    for (uint32_t t = N - 1; t > 0; t--) {
        uint32_t count = write_labels(s, t, choice), *at = s->at;
        for (uint32_t i = 0; i < count; i++)
            go_back_for[set](s, t, s->label[i]);
        s->at = s->to;
        s->to = at;
    }
    write_labels(s, 0, choice);
}

bool chain_draws_with(enum simd set, const struct lanes *lanes, struct scratch *scratch, uint32_t *choice,
                      struct vouch_error *err)
{
    struct some some = {0};
    if (lanes->N == 0)
        return true;
    if (lanes->width == 0)
        return fail(err, VOUCH_ERR_ARGUMENT, "a chain of %u words has no labels to choose from", (unsigned)lanes->N);
    if (!lay_out(&some, lanes, scratch, err))
        return false;
    for (; lanes->E && some.first < lanes->K; some.first += LANE_STEP)
        choose_jointly(set, &some, choice);
    if (!lanes->E)
        choose_each(set, lanes, &some, choice);
    return true;
}

bool chain_draws(const struct lanes *lanes, struct scratch *scratch, uint32_t *choice, struct vouch_error *err)
{
    return chain_draws_with(simd_best(), lanes, scratch, choice, err);
}
