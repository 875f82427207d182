/*
 * Dense features: a vector of D numbers for every word, whose components are features with values.
 *
 * Component d of the word `o` places away is node feature (o + window) * D + d, for o = -window .. window: the first
 * features of the space, D for each place, so that their weights are one matrix [(2 window + 1) D][width] at its
 * beginning. Words outside the sentence count as zeros. Everything else about these features is as usual: they have
 * blocks of weights, variances and numbers like any other. Only scoring and differences do not list them: both are
 * products of matrices.
 *
 *     score[g] += sum over o, d of vector[g + o][d] * weight[(o + window) D + d]
 *     coefficient of feature (o + window) D + d += sum over g of vector[g + o][d] * coefficient[g]
 *
 * Sums go over the components in ascending order, in every lane by itself: all instruction sets give the same bits.
 * Time: words * features * width, sixteen lanes at a time.
 */
#ifndef VOUCH_CORE_DENSE_H
#define VOUCH_CORE_DENSE_H

#include "core/simd.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MAX_DIMENSIONS = 1024, MAX_VECTOR_WINDOW = 2 };

/* The shape of a model's vectors of words, and how they become features. */
struct vector_shape {
    uint32_t D;      /* dimensions; 0: there are no vectors */
    uint32_t window; /* neighbours on either side whose vectors are features of a word, too */
    float scale;     /* what vectors are multiplied by before they are features */
    uint64_t digest; /* of the table in which words were looked up; 0: vectors came word by word */
};

/* Returns the number of features. */
static inline uint32_t vector_features(const struct vector_shape *shape)
{
    return shape->D * (2 * shape->window + 1);
}

/* The vectors of a sentence. A view: the array is owned elsewhere. */
struct dense {
    uint32_t D, window;  /* D is 0 if there are none */
    const float *vector; /* [N][D], scaled */
};

static inline uint32_t dense_features(const struct dense *dense)
{
    return dense->D * (2 * dense->window + 1);
}

/*
 * Returns the vector of the word `place` - window places away from word g of N, whose first component is feature
 * place * D; NULL if it is outside the sentence.
 */
static inline const float *dense_vector(const struct dense *dense, uint32_t N, uint32_t g, uint32_t place)
{
    uint32_t at = g + place;
    return at < dense->window || at - dense->window >= N ? NULL
                                                         : dense->vector + (size_t)(at - dense->window) * dense->D;
}

/*
 * Adds the scores of the vectors of N words: score [N][width]; weight is that of feature 0, and may be read up to
 * fifteen floats behind the features' own.
 */
void dense_score(const struct dense *dense, uint32_t N, const float *weight, size_t width, float *score);

/* Makes coef [stride] of component d += vector[d] * coefficient [stride], for D components that lie `step` apart. */
struct dense_outer {
    float *coef; /* of the first component */
    size_t step, stride, D;
    const float *vector, *coefficient;
};
void dense_outer(const struct dense_outer *outer);

#endif
