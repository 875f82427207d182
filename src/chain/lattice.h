/*
 * Defines the chain's lattice in double, shared by the files of this folder:
 *
 *     best[0][y] = node[0][y]
 *     best[t][y] = max_l (best[t-1][l] + edge_t[l][y]) + node[t][y]
 *
 * There are no back-pointers: lattice_trace() finds each predecessor again as the lowest label whose sum, made the same
 * way, equals the one stored. The forward pass is then only additions and maxima over a row, which a compiler turns
 * into vector instructions by itself.
 *
 * For the same reason an edge block is widened to double and padded: its rows (left labels) to a multiple of three,
 * taken three at a time, its columns (right labels) to a `stride` that is not less, a multiple of four. Padding is -inf
 * here and zero where scores are multiplied (forward_backward.c).
 */
#ifndef VOUCH_CHAIN_LATTICE_H
#define VOUCH_CHAIN_LATTICE_H

#include <math.h>

#include "chain/chain.h"
#include "core/simd.h"

struct lattice {
    const struct scores *scores;
    size_t rows, stride;
    double *best;  /* [N][stride] score of the best labelling of words 0 .. t that ends in y */
    double *block; /* [rows][stride] the edge block that was loaded last */
    char *rest;    /* memory left to the caller, aligned for doubles */
};

static inline size_t lattice_rows(size_t Y)
{
    return (Y + 2) / 3 * 3;
}

static inline size_t lattice_stride(size_t Y)
{
    return (lattice_rows(Y) + 3) / 4 * 4;
}

/* Fails unless a chain of N > 0 words has labels to choose from. */
bool lattice_check(const struct scores *scores, struct vouch_error *err);

/* Runs the forward pass in `scratch`, with `more` bytes for the caller after it; N > 0. O(N Y^2). */
bool lattice_forward(struct lattice *lattice, const struct scores *scores, size_t more, struct scratch *scratch,
                     struct vouch_error *err);

/* Returns the lowest of the best labels of word `t`. */
uint32_t lattice_top(const struct lattice *lattice, uint32_t t);

/* Returns the label of word t - 1 in the best labelling of words 0 .. t that ends in `label`; t > 0. O(Y). */
uint32_t lattice_before(const struct lattice *lattice, uint32_t t, uint32_t label);

/* Writes choice[0 .. t]: the best labelling of these words that ends in `label`. O(t Y). */
void lattice_trace(const struct lattice *lattice, uint32_t t, uint32_t label, uint32_t *choice);

static inline double lattice_edge(const struct scores *scores, uint32_t right, uint32_t from, uint32_t to)
{
    return scores->E ? (double)scores_edge(scores, right)[(size_t)from * scores->width + to] : 0.0;
}

/* Returns the score of extending a prefix of `score` that ends in `from`: the sum that the forward pass makes. */
static inline double lattice_extend(const struct lattice *lattice, double score, uint32_t right, uint32_t from,
                                    uint32_t to)
{
    const struct scores *s = lattice->scores;
    return (score + lattice_edge(s, right, from, to)) + (double)s->node[(size_t)right * s->width + to];
}

/* Returns the largest of `count` scores, *bottom the smallest; four are kept, so that no step waits for another. */
float lattice_largest(const float *x, size_t count, float *bottom);

SIMD_BODY double larger(double a, double b)
{
    return a > b ? a : b;
}

/*
 * Calls a body whose last parameters are rows and stride with constants, where labels are few, so that loops over them
 * are unrolled.
 */
#define LATTICE_FLAT(body, Y, ...)                                                                                     \
    do {                                                                                                               \
        if ((Y) <= 3)                                                                                                  \
            body(__VA_ARGS__, 3, 4);                                                                                   \
        else if ((Y) <= 6)                                                                                             \
            body(__VA_ARGS__, 6, 8);                                                                                   \
        else if ((Y) <= 9)                                                                                             \
            body(__VA_ARGS__, 9, 12);                                                                                  \
        else                                                                                                           \
            body(__VA_ARGS__, lattice_rows(Y), lattice_stride(Y));                                                     \
    } while (0)

/* Makes to[r] = max_l (from[l] + block[l][r]). */
SIMD_BODY void max_plus(const double *restrict from, const double *restrict block, double *restrict to, size_t rows,
                        size_t stride)
{
    for (size_t r = 0; r < stride; r++)
        to[r] = larger(larger(from[0] + block[r], from[1] + block[stride + r]), from[2] + block[2 * stride + r]);
    for (size_t l = 3; l < rows; l += 3) {
        const double *row = block + l * stride;
        double a = from[l], b = from[l + 1], c = from[l + 2];
        for (size_t r = 0; r < stride; r++)
            to[r] = larger(to[r], larger(larger(a + row[r], b + row[stride + r]), c + row[2 * stride + r]));
    }
}

/* Makes turned[r][l] = block[l][r] for the labels; the padding is left as it is. */
static inline void turn_block(const double *restrict block, double *restrict turned, size_t Y, size_t stride)
{
    for (size_t r = 0; r < Y; r++)
        for (size_t l = 0; l < Y; l++)
            turned[r * stride + l] = block[l * stride + r];
}

/* Whether `choice` is legal and has exactly this score; for assertions. */
static inline bool lattice_verified(const struct scores *scores, const uint32_t *choice, double score)
{
    for (uint32_t t = 0; t < scores->N; t++)
        if (choice[t] >= scores->width)
            return false;
    return chain_structure.score(scores, choice) == score;
}

#endif
