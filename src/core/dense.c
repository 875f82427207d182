/*
 * The two products of matrices that dense features need: scores, and coefficients of difference vectors.
 *
 * Scores of four words are summed at once, TILE parts of each, so that a block of weights is read once for all four.
 * Where a block has fewer parts, the lanes beyond sum what lies behind it, and are not written.
 */
#include "core/dense.h"

#include <string.h>

enum { TILE = 16, WORDS = 4 };

/* Vectors of WORDS words, and the weights that they share. */
struct tile {
    const float *vector[WORDS]; /* each [D] */
    const float *weight;        /* of component 0, part 0 of the tile */
    size_t D, width, parts;     /* of the tile: up to TILE */
    float *sum;                 /* [WORDS][TILE] */
};

typedef float eight __attribute__((vector_size(32)));

/*
 * Makes sum += vector times weight, one component after the other. Vectors of eight lanes are written out: compilers
 * turn plain loops over so few into loops over components, with a shuffle for each. The weights of a tile of up to
 * eight parts are one vector, else two.
 */
SIMD_BODY void add_vectors(const struct tile *t, bool two)
{
    const float *v0 = t->vector[0], *v1 = t->vector[1], *v2 = t->vector[2], *v3 = t->vector[3], *w = t->weight;
    size_t D = t->D, width = t->width;
    eight low[WORDS], high[WORDS], w0, w1;
    for (size_t i = 0; i < WORDS; i++) {
        memcpy(&low[i], t->sum + i * TILE, sizeof low[i]);
        memcpy(&high[i], t->sum + i * TILE + TILE / 2, sizeof high[i]);
    }
    for (size_t d = 0; d < D; d++, w += width) {
        memcpy(&w0, w, sizeof w0);
        low[0] += w0 * v0[d];
        low[1] += w0 * v1[d];
        low[2] += w0 * v2[d];
        low[3] += w0 * v3[d];
        if (two) {
            memcpy(&w1, w + TILE / 2, sizeof w1);
            high[0] += w1 * v0[d];
            high[1] += w1 * v1[d];
            high[2] += w1 * v2[d];
            high[3] += w1 * v3[d];
        }
    }
    for (size_t i = 0; i < WORDS; i++) {
        memcpy(t->sum + i * TILE, &low[i], sizeof low[i]);
        memcpy(t->sum + i * TILE + TILE / 2, &high[i], sizeof high[i]);
    }
}

SIMD_BODY void add_tile(const struct tile *t)
{
    if (t->parts > TILE / 2)
        add_vectors(t, true);
    else
        add_vectors(t, false);
}

SIMD_KERNEL(add_tile, (const struct tile *t), (t))

/*
 * Sums parts `from` on of words g .. g + WORDS - 1. A word that is not there takes the vector of another, for a sum
 * that is not used. Places outside the sentence are left out word by word: there, words are taken one at a time.
 */
static void sum_words(const struct dense *dense, uint32_t N, uint32_t g, struct tile *t)
{
    enum simd set = simd_best();
    const float *weight = t->weight;
    uint32_t words = N - g < WORDS ? N - g : WORDS;
    memset(t->sum, 0, sizeof *t->sum * WORDS * TILE);
    for (uint32_t place = 0; place <= 2 * dense->window; place++, weight += t->D * t->width) {
        const float *vector[WORDS], *some = NULL;
        bool whole = true;
        for (uint32_t i = 0; i < words; i++) {
            vector[i] = dense_vector(dense, N, g + i, place);
            some = vector[i] ? vector[i] : some;
            whole = whole && vector[i];
        }
        if (!some)
            continue;
        float before[WORDS * TILE];
        if (!whole)
            memcpy(before, t->sum, sizeof before);
        for (uint32_t i = 0; i < WORDS; i++)
            t->vector[i] = i < words && vector[i] ? vector[i] : some;
        t->weight = weight;
        add_tile_for[set](t);
        for (uint32_t i = 0; !whole && i < words; i++)
            if (!vector[i])
                memcpy(t->sum + (size_t)i * TILE, before + (size_t)i * TILE, sizeof *before * TILE);
    }
}

void dense_score(const struct dense *dense, uint32_t N, const float *weight, size_t width, float *score)
{
    float sum[WORDS * TILE];
    for (uint32_t g = 0; g < N; g += WORDS)
        for (size_t from = 0; from < width; from += TILE) {
            size_t parts = width - from < TILE ? width - from : TILE;
            struct tile t = {.weight = weight + from, .D = dense->D, .width = width, .parts = parts, .sum = sum};
            sum_words(dense, N, g, &t);
            for (uint32_t i = 0; i < WORDS && g + i < N; i++)
                for (size_t j = 0; j < parts; j++)
                    score[(g + i) * width + from + j] += sum[i * TILE + j];
        }
}

SIMD_BODY void add_some(const struct dense_outer *o, size_t stride)
{
    const float *restrict by = o->coefficient;
    float *restrict to = o->coef;
    for (size_t d = 0; d < o->D; d++, to += o->step) {
        float x = o->vector[d];
        for (size_t j = 0; j < stride; j++)
            to[j] += x * by[j];
    }
}

/* Usual numbers of coefficients are constants, so that their loops are unrolled. */
SIMD_BODY void add_outer(const struct dense_outer *o)
{
    switch (o->stride) {
    case 4:
        add_some(o, 4);
        break;
    case 8:
        add_some(o, 8);
        break;
    case 12:
        add_some(o, 12);
        break;
    case 16:
        add_some(o, 16);
        break;
    default:
        add_some(o, o->stride);
    }
}

SIMD_KERNEL(add_outer, (const struct dense_outer *o), (o))

void dense_outer(const struct dense_outer *outer)
{
    add_outer_for[simd_best()](outer);
}
