/*
 * Finds the best labelling of a chain under each of K draws: Viterbi in all lanes at once.
 *
 *     best[0][y][k] = node[0][y][k]
 *     best[t][y][k] = max_l (best[t-1][l][k] + edge_t[l][y][k]) + node[t][y][k]
 *
 * in float, where every RESCALED words the largest of a lane's Y numbers is subtracted from all of them, so that they
 * stay as exact as one word's. Both rows are kept, before and after. There are no back-pointers, as in lattice.h: on
 * the way back each lane takes the lowest label whose sum, made the same way, equals the one stored. This is done for a
 * label of the word to the right in all lanes at once, whichever of them are at it; as draws mostly agree, a word is
 * left after one or two labels. Ties are broken as by chain_viterbi(): the lowest last label, then, going left, the
 * lowest label that gives the best score.
 *
 * LANE_STEP lanes go through a block of words before the next ones do, with a copy of their edges in which the left
 * labels of a right one lie together: then all is read in order, and mostly from the nearest cache. A sentence of
 * several blocks (see lanes_bring()) is processed twice, so that only the row before each block must be kept: first for
 * these rows, then from the last block to the first, for the rows of one block at a time and the way back.
 *
 * Without edges every word takes its own best label, and nothing is kept.
 *
 * Cost: O(N Y^2 K) time; O(B Y + N Y K / B + Y^2) memory for blocks of B words. O(N Y K) time without edges.
 */
#include "chain/chain.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { ALIGNMENT = 64, RESCALED = 16, LANE_BYTES = 16 << 20 /* of a block */ };

/* LANE_STEP lanes of a block of words. */
struct some {
    struct lanes *lanes;
    enum simd set;
    size_t length;     /* of the sentence: from one draw's choices to the next */
    size_t first;      /* lane */
    uint32_t block;    /* words of a block; the last may have fewer */
    uint32_t from, to; /* the words of this one */
    float *best;       /* [rows of a block][Y][LANE_STEP], after the row before it, if there is one; see row_of() */
    float *before;     /* [blocks - 1][stride / LANE_STEP][Y][LANE_STEP] the rows before all blocks but the first */
    float *edge;       /* [Y][Y][LANE_STEP] the edges of one position, right label first */
    float *top;        /* [stride] */
    uint32_t *at;      /* [stride] the labels of one word */
    uint32_t *to_left; /* [stride] and of the word before it */
    uint32_t *end;     /* [stride] the labels of the last word of the block; without edges, the first that has none */
    uint32_t *label;   /* [Y] those of them that occur */
    uint32_t *seen;    /* [Y] 1 + the word at which a label was listed last */
};

/* Returns the row of word t: the one to its left, rescaled or not, is the one before it. */
static inline size_t row_of(const struct some *s, size_t t)
{
    size_t inner = s->from > 0;
    return t - s->from + inner + t / RESCALED - (s->from - inner) / RESCALED;
}

static bool lay_out(struct some *some, struct lanes *lanes, struct scratch *scratch, struct vouch_error *err)
{
    size_t Y = lanes->width, stride = lanes->stride, row = lanes->E ? Y * LANE_STEP : 0;
    uint32_t block = lanes_at_a_time(lanes, 1, LANE_BYTES);
    size_t rows = (size_t)block + block / RESCALED + 3, blocks = (lanes->N - 1) / block;
    size_t before = lanes->E ? blocks * Y * stride : 0, fixed = Y * row + 4 * stride + 2 * Y;
    size_t bytes = size_times(size_plus(size_times(rows, row), before + fixed), sizeof(float));
    if (!scratch_reserve(scratch, size_plus(bytes, ALIGNMENT), err))
        return false;
    some->lanes = lanes;
    some->set = simd_best();
    some->block = block;
    some->best = (float *)(((uintptr_t)scratch->bytes + ALIGNMENT - 1) & ~(uintptr_t)(ALIGNMENT - 1));
    some->before = some->best + rows * row;
    some->edge = some->before + before;
    some->top = some->edge + Y * row;
    some->at = (uint32_t *)(some->top + stride);
    some->to_left = some->at + stride;
    some->end = some->to_left + stride;
    some->label = some->end + stride;
    some->seen = some->label + Y;
    return true;
}

/* Turns to block b. */
static bool turn_to(struct some *s, uint32_t b, struct vouch_error *err)
{
    s->from = b * s->block;
    s->to = s->lanes->N - s->from < s->block ? s->lanes->N : s->from + s->block;
    return lanes_bring(s->lanes, s->from, s->to, err);
}

SIMD_BODY float larger(float a, float b)
{
    return a > b ? a : b;
}

/* Makes to[r][l] = edge[l][r]. */
SIMD_BODY void turn_edges(const float *restrict edge, size_t Y, size_t stride, float *restrict to)
{
    for (size_t r = 0; r < Y; r++)
        for (size_t l = 0; l < Y; l++)
            for (size_t k = 0; k < LANE_STEP; k++)
                to[(r * Y + l) * LANE_STEP + k] = edge[(l * Y + r) * stride + k];
}

/* Takes the best of four left labels. Pairs are compared before they meet the best, which shortens the dependency. */
SIMD_BODY void reach_from_four(const float *restrict left, const float *restrict edge, float *restrict best)
{
    const float *l1 = left + LANE_STEP, *l2 = l1 + LANE_STEP, *l3 = l2 + LANE_STEP;
    const float *e1 = edge + LANE_STEP, *e2 = e1 + LANE_STEP, *e3 = e2 + LANE_STEP;
    for (size_t k = 0; k < LANE_STEP; k++) {
        float a = larger(left[k] + edge[k], l1[k] + e1[k]), b = larger(l2[k] + e2[k], l3[k] + e3[k]);
        best[k] = larger(best[k], larger(a, b));
    }
}

/* Makes to = max_l (left[l] + edge[l]) + node. */
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

/* Makes to = best, less the largest of each lane, if that is finite. */
SIMD_BODY void rescale(const float *restrict best, size_t Y, float *restrict to)
{
    float top[LANE_STEP];
    memcpy(top, best, sizeof top);
    for (size_t y = 1; y < Y; y++)
        for (size_t k = 0; k < LANE_STEP; k++)
            top[k] = larger(top[k], best[y * LANE_STEP + k]);
    for (size_t k = 0; k < LANE_STEP; k++)
        top[k] = top[k] >= -FLT_MAX && top[k] <= FLT_MAX ? top[k] : 0;
    for (size_t y = 0; y < Y; y++)
        for (size_t k = 0; k < LANE_STEP; k++)
            to[y * LANE_STEP + k] = best[y * LANE_STEP + k] - top[k];
}

/* Runs forward. Y is a constant where there are few labels, so that loops over them are unrolled. */
SIMD_BODY void forward_among(const struct some *s, size_t Y)
{
    const struct lanes *lanes = s->lanes;
    size_t stride = lanes->stride, row = Y * LANE_STEP, t = s->from;
    const float *node = lanes_node(lanes, t) + s->first;
    float *best = s->best;
    if (t == 0) {
        for (size_t y = 0; y < Y; y++)
            memcpy(best + y * LANE_STEP, node + y * stride, LANE_STEP * sizeof *best);
        node += Y * stride;
        t = 1;
    }
    for (bool turned = false; t < s->to; t++, node += Y * stride) {
        if (t % RESCALED == 0) {
            rescale(best, Y, best + row);
            best += row;
        }
        if (!turned || lanes->edge_step != 0)
            turn_edges(lanes_edge(lanes, t) + s->first, Y, stride, s->edge);
        turned = true;
        for (size_t y = 0; y < Y; y++)
            reach(best, s->edge + y * row, Y, node + y * stride, best + row + y * LANE_STEP);
        best += row;
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
 * Moves lanes that are at label y of word t back to the lowest label that gives its score; the others stay as they are
 * in s->to_left.
 */
SIMD_BODY void go_back(const struct some *s, size_t t, uint32_t y)
{
    const struct lanes *lanes = s->lanes;
    size_t Y = lanes->width, stride = lanes->stride, row = Y * LANE_STEP;
    bool turned = lanes->edge_step == 0;
    size_t edge_step = turned ? LANE_STEP : Y * stride;
    const float *here = s->best + row_of(s, t) * row, *left = here - row, *best = here + y * LANE_STEP;
    const float *edge = turned ? s->edge + y * row : lanes_edge(lanes, t) + s->first + y * stride;
    const float *node = lanes_node(lanes, t) + s->first + y * stride;
    uint32_t from[LANE_STEP] = {0};
    for (uint32_t l = (uint32_t)Y; l-- > 0;)
        for (size_t k = 0; k < LANE_STEP; k++)
            from[k] = (left[l * LANE_STEP + k] + edge[l * edge_step + k]) + node[k] == best[k] ? l : from[k];
    for (size_t k = 0; k < LANE_STEP; k++)
        s->to_left[k] = s->at[k] == y ? from[k] : s->to_left[k];
}

SIMD_KERNEL(go_back, (const struct some *s, size_t t, uint32_t y), (s, t, y))

/* Finds every lane's best of the Y rows of one word. */
static void choose(const struct some *s, const float *rows, uint32_t stride)
{
    for (size_t k = 0; k < stride; k++) {
        s->top[k] = -INFINITY;
        s->at[k] = 0;
    }
    lanes_argmax(&(struct lane_rows){rows, 0, s->lanes->width, stride}, s->top, s->at);
}

/* Without edges, whether draw k has no finite score for the label that it gives to word t. */
static bool is_lost(const struct some *s, uint32_t k, uint32_t t, const uint32_t *choice)
{
    return !(lanes_node(s->lanes, t)[choice[t] * (size_t)s->lanes->stride + k] > -INFINITY);
}

/*
 * Settles draws in which some word has no label of finite score: the words after the first such word take label 0, and
 * so do words before it as long as the label to their right has a score of -inf.
 */
static bool settle_lost(struct some *s, uint32_t *choice, struct vouch_error *err)
{
    uint32_t N = s->lanes->N, K = s->lanes->K;
    for (uint32_t k = 0; k < K; k++)
        s->end[k] = N;
    for (uint32_t b = 0; b <= (N - 1) / s->block; b++) {
        if (!turn_to(s, b, err))
            return false;
        for (uint32_t t = s->from; t < s->to; t++)
            for (uint32_t k = 0; k < K; k++)
                if (s->end[k] == N && is_lost(s, k, t, choice + k * s->length))
                    s->end[k] = t;
    }
    for (uint32_t k = 0; k < K; k++) {
        uint32_t *chosen = choice + k * s->length, t = s->end[k];
        for (uint32_t after = t; after < N; after++)
            chosen[after] = 0;
        for (; t > 0 && t < N; t--) {
            if (!turn_to(s, t / s->block, err))
                return false;
            if (!is_lost(s, k, t, chosen))
                break;
            chosen[t - 1] = 0;
        }
    }
    return true;
}

static bool choose_each(struct some *s, uint32_t *choice, struct vouch_error *err)
{
    struct lanes *lanes = s->lanes;
    uint32_t N = lanes->N, K = lanes->K;
    bool lost = false;
    for (uint32_t b = 0; b <= (N - 1) / s->block; b++) {
        if (!turn_to(s, b, err))
            return false;
        for (uint32_t t = s->from; t < s->to; t++) {
            choose(s, lanes_node(lanes, t), lanes->stride);
            for (size_t k = 0; k < K; k++) {
                choice[k * s->length + t] = s->at[k];
                lost |= !(s->top[k] > -INFINITY);
            }
        }
    }
    return !lost || settle_lost(s, choice, err);
}

/* Writes the labels of word t, and lists those that occur. */
static uint32_t write_labels(const struct some *s, uint32_t t, uint32_t *choice)
{
    size_t left = s->lanes->K - s->first;
    uint32_t count = 0;
    for (size_t k = 0; k < left && k < LANE_STEP; k++) {
        uint32_t y = choice[(s->first + k) * s->length + t] = s->at[k];
        if (s->seen[y] != t + 1) {
            s->seen[y] = t + 1;
            s->label[count++] = y;
        }
    }
    return count;
}

/* Computes the rows of the block, from the one before it. */
static void go_forward(const struct some *s)
{
    size_t row = (size_t)s->lanes->width * LANE_STEP, steps = s->lanes->stride / LANE_STEP;
    if (s->from > 0) {
        size_t before = (s->from / s->block - 1) * steps + s->first / LANE_STEP;
        memcpy(s->best, s->before + before * row, row * sizeof *s->best);
    }
    forward_for[s->set](s);
}

/* Keeps the last row, which is the one before the next block. */
static void keep_last_row(const struct some *s)
{
    size_t row = (size_t)s->lanes->width * LANE_STEP, steps = s->lanes->stride / LANE_STEP;
    size_t before = s->from / s->block * steps + s->first / LANE_STEP;
    memcpy(s->before + before * row, s->best + row_of(s, s->to - 1) * row, row * sizeof *s->best);
}

/*
 * Goes back through the block, whose last word has the labels s->end; leaves those of the word before the block there.
 */
static void trace(struct some *s, uint32_t *choice)
{
    memcpy(s->at, s->end + s->first, LANE_STEP * sizeof *s->at);
    memset(s->seen, 0, s->lanes->width * sizeof *s->seen);
    for (uint32_t t = s->to; t-- > s->from;) {
        uint32_t count = write_labels(s, t, choice), *at = s->at;
        for (uint32_t i = 0; t > 0 && i < count; i++)
            go_back_for[s->set](s, t, s->label[i]);
        s->at = s->to_left;
        s->to_left = at;
    }
    memcpy(s->end + s->first, s->at, LANE_STEP * sizeof *s->at);
}

static bool choose_jointly(struct some *s, uint32_t *choice, struct vouch_error *err)
{
    uint32_t last = (s->lanes->N - 1) / s->block;
    size_t K = s->lanes->K, row = (size_t)s->lanes->width * LANE_STEP;
    for (uint32_t b = 0; b < last; b++) {
        if (!turn_to(s, b, err))
            return false;
        for (s->first = 0; s->first < K; s->first += LANE_STEP) {
            go_forward(s);
            keep_last_row(s);
        }
    }
    for (uint32_t b = last + 1; b-- > 0;) {
        if (!turn_to(s, b, err))
            return false;
        for (s->first = 0; s->first < K; s->first += LANE_STEP) {
            go_forward(s);
            if (b == last) {
                choose(s, s->best + row_of(s, s->to - 1) * row, LANE_STEP);
                memcpy(s->end + s->first, s->at, LANE_STEP * sizeof *s->at);
            }
            trace(s, choice);
        }
    }
    return true;
}

/* Decides the words that are in the lanes, of a sentence of so many. */
static bool choose_words(struct lanes *lanes, uint32_t length, struct scratch *scratch, uint32_t *choice,
                         struct vouch_error *err)
{
    struct some some = {.length = length};
    return lay_out(&some, lanes, scratch, err) &&
           (lanes->E ? choose_jointly(&some, choice, err) : choose_each(&some, choice, err));
}

/* Decides the words that are drawn, each run of neighbours among them by itself. */
static bool choose_drawn(struct lanes *lanes, struct scratch *scratch, uint32_t *choice, struct vouch_error *err)
{
    uint32_t N = lanes->N;
    bool done = true;
    for (uint32_t k = 0; k < lanes->K; k++)
        memcpy(choice + (size_t)k * N, lanes->answer, N * sizeof *choice);
    for (uint32_t from = 0, to; done && from < N; from = to + 1) {
        for (to = from; to < N && lanes->drawn[to]; to++)
            ;
        if (to == from)
            continue;
        lanes_narrow(lanes, from, to);
        done = choose_words(lanes, N, scratch, choice + from, err);
    }
    lanes_narrow(lanes, 0, N);
    return done;
}

bool chain_draws(struct lanes *lanes, struct scratch *scratch, uint32_t *choice, struct vouch_error *err)
{
    if (lanes->N == 0)
        return true;
    if (lanes->width == 0)
        return fail(err, VOUCH_ERR_ARGUMENT, "a chain of %u words has no labels to choose from", (unsigned)lanes->N);
    return lanes->drawn ? choose_drawn(lanes, scratch, choice, err)
                        : choose_words(lanes, lanes->N, scratch, choice, err);
}
