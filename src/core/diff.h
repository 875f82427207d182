/*
 * A difference vector is a sum over parts of a coefficient times the part's
 * features.
 *
 * It is gold minus predicted for the large-margin learners, gold minus
 * marginals for log-likelihood: one piece of code makes them all, for every
 * structure. The vector is sparse by blocks. It has one or more lanes: K-best
 * learners get the K difference vectors of a sentence as lanes over one set of
 * blocks, so that their inner products are loops over short arrays.
 */
#ifndef VOUCH_CORE_DIFF_H
#define VOUCH_CORE_DIFF_H

#include "core/parts.h"

struct block {
    size_t at;      /* where its weights start */
    size_t from;    /* where its coefficients start: lane k at from + k * width */
    uint32_t width; /* weights in it */
    uint32_t key;   /* its slot's number */
};

struct diff {
    struct space space;
    uint32_t lanes;
    size_t count;        /* blocks */
    struct block *block; /* [count] */
    float *coef;         /* [...] all lanes of all blocks */
    size_t coefs;
    uint32_t *slot; /* [nodes + edges] 1 + block of each feature, 0 if it has none */
    size_t block_capacity, coef_capacity;
};

bool diff_init(struct diff *diff, const struct space *space, struct vouch_error *err);
void diff_release(struct diff *diff);

/* Empties the vector and gives it `lanes` lanes. */
void diff_clear(struct diff *diff, uint32_t lanes);

/* Adds `coefficient` (shaped like the scores of `parts`) to lane `lane`; rows of zeros cost nothing. */
bool diff_add(struct diff *diff, uint32_t lane, const struct parts *parts, const struct scores *coefficient,
              struct vouch_error *err);

/* Returns the coefficients of a block in one lane: [width]. */
static inline const float *diff_lane(const struct diff *diff, const struct block *block, uint32_t lane)
{
    return diff->coef + block->from + (size_t)lane * block->width;
}

/* Returns weight . lane. */
double diff_dot(const struct diff *diff, uint32_t lane, const float *weight);

/* Returns lane a . lane b. */
double diff_inner(const struct diff *diff, uint32_t a, uint32_t b);

/* Returns the sum of weight * lane^2. */
double diff_quadratic(const struct diff *diff, uint32_t lane, const float *weight);

#endif
