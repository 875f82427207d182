/*
 * Finds, for every word and label, the score of the best labelling that goes
 * through it:
 *
 *     back[N-1][y]  = 0
 *     back[t][y]    = max_r (edge_{t+1}[y][r] + (node[t+1][r] + back[t+1][r]))
 *     through[t][y] = best[t][y] + back[t][y]           (best: see lattice.h)
 *
 * The two sums meet in the middle of the chain and so round differently from
 * one taken left to right. Margins must not turn negative by that: no entry may
 * exceed the best score, and the entries of the best labelling are set to it.
 * An entry is -inf where no labelling of finite score goes through it.
 *
 * Cost: O(N Y^2) time, O(N Y + Y^2) memory; the second best of every word takes O(N Y) without edges.
 */
#include "chain/lattice.h"

SIMD_BODY void backward_among(const struct lattice *lattice, double *turned, double *back, double *through, size_t rows,
                              size_t stride)
{
    const struct scores *s = lattice->scores;
    size_t Y = s->width;
    double *onward = back + stride; /* [stride] node + back of the word to the right */
    for (size_t i = 0; i < rows * stride; i++)
        turned[i] = -INFINITY;
    for (size_t y = 0; y < stride; y++) {
        back[y] = 0;
        onward[y] = -INFINITY;
    }
    for (size_t t = s->N; t-- > 0;) {
        for (size_t y = 0; y < Y; y++)
            through[t * Y + y] = lattice->best[t * stride + y] + back[y];
        if (t == 0)
            break;
        for (size_t y = 0; y < Y; y++)
            onward[y] = (double)s->node[t * Y + y] + back[y];
        if (s->edge_step != 0 || t + 1 == s->N)
            turn_block(lattice_block(lattice, (uint32_t)t), turned, Y, stride);
        max_plus(onward, turned, back, rows, stride);
    }
}

SIMD_BODY void backward(const struct lattice *lattice, double *turned, double *back, double *through)
{
    LATTICE_FLAT(backward_among, lattice->scores->width, lattice, turned, back, through);
}

SIMD_KERNEL(backward, (const struct lattice *lattice, double *turned, double *back, double *through),
            (lattice, turned, back, through))

/* Returns the bytes that the pass needs after the lattice. */
static size_t working_bytes(const struct scores *scores)
{
    size_t rows = lattice_rows(scores->width), stride = lattice_stride(scores->width);
    return (rows + 2) * stride * sizeof(double) + scores->N * sizeof(uint32_t);
}

/* Fills `through`, with working_bytes() at `work`. */
static void fill(const struct lattice *lattice, char *work, double *through)
{
    size_t N = lattice->scores->N, Y = lattice->scores->width, stride = lattice->stride;
    double *turned = (double *)work, *back = turned + lattice->rows * stride;
    uint32_t *choice = (uint32_t *)(back + 2 * stride);
    backward_for[simd_best()](lattice, turned, back, through);

    uint32_t last = lattice->scores->N - 1, label = lattice_top(lattice, last);
    double top = lattice->best[last * stride + label];
    lattice_trace(lattice, last, label, choice);
    for (size_t i = 0; i < N * Y; i++)
        through[i] = through[i] < top ? through[i] : top;
    for (size_t t = 0; t < N; t++)
        through[t * Y + choice[t]] = top;
}

bool chain_max_marginals(const struct scores *scores, struct scratch *scratch, double *through, struct vouch_error *err)
{
    if (scores->N == 0)
        return true;
    struct lattice lattice;
    if (!lattice_forward(&lattice, scores, working_bytes(scores), scratch, err))
        return false;
    fill(&lattice, lattice.rest, through);
    return true;
}

/* Finds the scores of a chain without edges, where a word that changes its label changes nothing else. */
static bool without_alone(const struct scores *scores, const uint32_t *choice, double *score)
{
    size_t Y = scores->width;
    double best = 0;
    for (size_t t = 0; t < scores->N; t++) {
        const float *node = scores->node + t * Y;
        float bottom, left = lattice_largest(node, choice[t], &bottom);
        float right = lattice_largest(node + choice[t] + 1, Y - choice[t] - 1, &bottom);
        float other = left > right ? left : right, top = other > node[choice[t]] ? other : node[choice[t]];
        if (!(top > -INFINITY))
            return false;
        score[t] = (double)other - (double)top;
        best += (double)top;
    }
    for (size_t t = 0; t < scores->N; t++)
        score[t] += best;
    return true;
}

bool chain_without(const struct scores *scores, const uint32_t *choice, struct scratch *scratch, double *score,
                   struct vouch_error *err)
{
    if (scores->N == 0)
        return true;
    if (scores->E == 0 && scores->width > 0 && without_alone(scores, choice, score))
        return true;
    struct lattice lattice;
    size_t Y = scores->width, cells = scores->N * Y;
    if (!lattice_forward(&lattice, scores, cells * sizeof(double) + working_bytes(scores), scratch, err))
        return false;
    double *through = (double *)lattice.rest;
    fill(&lattice, (char *)(through + cells), through);
    for (uint32_t t = 0; t < scores->N; t++) {
        score[t] = -INFINITY;
        for (uint32_t y = 0; y < Y; y++)
            if (y != choice[t] && through[t * Y + y] > score[t])
                score[t] = through[t * Y + y];
    }
    return true;
}
