/*
 * Finds the best labelling of a chain (Viterbi 1967).
 *
 * The recurrence and its layout are in lattice.h. Rounding is monotone, so the answer is exact: no labelling has a
 * larger score when its parts are added from left to right in double. Ties go to the lowest last label, then, going
 * left, to the lowest label that gives the best score.
 *
 * Where every labelling is -inf the answer is the labelling of all zeros.
 *
 * Without edges every word takes its own best label, the lowest of equals.
 *
 * Cost: O(N Y^2) time, O(N Y + Y^2) memory; O(N Y) without edges.
 */
#include "chain/lattice.h"

#include <assert.h>
#include <math.h>

bool lattice_check(const struct scores *scores, struct vouch_error *err)
{
    if (scores->width == 0)
        return fail(err, VOUCH_ERR_ARGUMENT, "a chain of %u words has no labels to choose from", (unsigned)scores->N);
    return true;
}

float lattice_largest(const float *x, size_t count, float *bottom)
{
    float top[4] = {-INFINITY, -INFINITY, -INFINITY, -INFINITY}, low[4] = {INFINITY, INFINITY, INFINITY, INFINITY};
    size_t i = 0;
    for (; i + 4 <= count; i += 4)
        for (size_t j = 0; j < 4; j++) {
            top[j] = x[i + j] > top[j] ? x[i + j] : top[j];
            low[j] = x[i + j] < low[j] ? x[i + j] : low[j];
        }
    for (; i < count; i++) {
        top[0] = x[i] > top[0] ? x[i] : top[0];
        low[0] = x[i] < low[0] ? x[i] : low[0];
    }
    for (size_t j = 1; j < 4; j++) {
        top[0] = top[j] > top[0] ? top[j] : top[0];
        low[0] = low[j] < low[0] ? low[j] : low[0];
    }
    *bottom = low[0];
    return top[0];
}

static void widen(double *restrict block, const float *restrict edge, size_t Y, size_t stride)
{
    for (size_t l = 0; l < Y; l++)
        for (size_t r = 0; r < Y; r++)
            block[l * stride + r] = edge ? (double)edge[l * Y + r] : 0.0;
}

static void prepare_block(const struct lattice *lattice)
{
    const struct scores *s = lattice->scores;
    for (size_t i = 0; i < lattice->rows * lattice->stride; i++)
        lattice->block[i] = -INFINITY;
    if (s->edge_step == 0)
        widen(lattice->block, s->E ? s->edge : NULL, s->width, lattice->stride);
}

const double *lattice_block(const struct lattice *lattice, uint32_t right)
{
    const struct scores *s = lattice->scores;
    if (s->edge_step != 0)
        widen(lattice->block, scores_edge(s, right), s->width, lattice->stride);
    return lattice->block;
}

SIMD_BODY void forward_among(const struct lattice *lattice, size_t rows, size_t stride)
{
    const struct scores *scores = lattice->scores;
    size_t Y = scores->width;
    for (size_t t = 1; t < scores->N; t++) {
        const float *node = scores->node + t * Y;
        double *row = lattice->best + t * stride;
        max_plus(row - stride, lattice_block(lattice, (uint32_t)t), row, rows, stride);
        for (size_t y = 0; y < Y; y++)
            row[y] += (double)node[y];
    }
}

SIMD_BODY void forward(const struct lattice *lattice)
{
    LATTICE_FLAT(forward_among, lattice->scores->width, lattice);
}

SIMD_KERNEL(forward, (const struct lattice *lattice), (lattice))

bool lattice_forward(struct lattice *lattice, const struct scores *scores, size_t more, struct scratch *scratch,
                     struct vouch_error *err)
{
    size_t N = scores->N, Y = scores->width, rows = lattice_rows(Y), stride = lattice_stride(Y);
    size_t doubles = (N + rows) * stride;
    if (!lattice_check(scores, err) || !scratch_reserve(scratch, doubles * sizeof(double) + more, err))
        return false;
    double *best = (double *)scratch->bytes;
    *lattice = (struct lattice){scores, rows, stride, best, best + N * stride, (char *)(best + doubles)};
    prepare_block(lattice);

    for (size_t y = 0; y < stride; y++)
        best[y] = y < Y ? (double)scores->node[y] : -INFINITY;
    forward_for[simd_best()](lattice);
    return true;
}

uint32_t lattice_top(const struct lattice *lattice, uint32_t t)
{
    const double *row = lattice->best + t * lattice->stride;
    uint32_t top = 0;
    for (uint32_t y = 1; y < lattice->scores->width; y++)
        top = row[y] > row[top] ? y : top;
    return top;
}

uint32_t lattice_before(const struct lattice *lattice, uint32_t t, uint32_t label)
{
    const double *row = lattice->best + t * lattice->stride, *left = row - lattice->stride;
    uint32_t from = 0;
    while (from + 1 < lattice->scores->width && lattice_extend(lattice, left[from], t, from, label) != row[label])
        from++;
    return from;
}

void lattice_trace(const struct lattice *lattice, uint32_t t, uint32_t label, uint32_t *choice)
{
    choice[t] = label;
    for (; t > 0; t--)
        choice[t - 1] = label = lattice_before(lattice, t, label);
}

/* Finds the answer to a chain without edges, whose words are labelled one by one; false if a word has no label. */
static bool best_alone(const struct scores *scores, uint32_t *choice, double *score)
{
    size_t Y = scores->width;
    for (size_t t = 0; t < scores->N; t++) {
        const float *node = scores->node + t * Y;
        float bottom, top = lattice_largest(node, Y, &bottom);
        if (!(top > -INFINITY))
            return false;
        for (choice[t] = 0; choice[t] + 1 < Y && node[choice[t]] != top;)
            choice[t]++;
        *score += (double)top;
    }
    return true;
}

bool chain_viterbi(const struct scores *scores, struct scratch *scratch, uint32_t *choice, double *score,
                   struct vouch_error *err)
{
    *score = 0;
    if (scores->N == 0)
        return true;
    struct lattice lattice;
    if (scores->E == 0 && best_alone(scores, choice, score))
        return true;
    if (!lattice_forward(&lattice, scores, 0, scratch, err))
        return false;
    uint32_t last = scores->N - 1, label = lattice_top(&lattice, last);
    *score = lattice.best[last * lattice.stride + label];
    lattice_trace(&lattice, last, label, choice);
    assert(isnan(*score) || lattice_verified(scores, choice, *score));
    return true;
}
