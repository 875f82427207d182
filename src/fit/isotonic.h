/*
 * Isotonic regression finds the non-decreasing step function nearest to the
 * shares of right answers.
 */
#ifndef VOUCH_FIT_ISOTONIC_H
#define VOUCH_FIT_ISOTONIC_H

#include <stdbool.h>
#include <stddef.h>

/* A run of neighbouring values that are joined. */
struct pool {
    double x;     /* the sum of the values; divided by the count, their mean */
    double right; /* how many were right */
    double count; /* of how many; > 0 */
};

/*
 * Returns the share of right ones, drawn towards one half as if `prior` right
 * and `prior` wrong ones had been seen as well.
 */
double pool_share(const struct pool *pool, double prior);

/* Pools neighbours until the shares ascend strictly; returns how many pools are left, at the front. O(count). */
size_t isotonic_pool(struct pool *pools, size_t count, double prior);

/*
 * Joins every pool of fewer than `least` to a neighbour, then the two neighbours that differ least, until there are at
 * most `most`. The cost of joining is the loss of log likelihood. O(count + (count of large ones - most)^2).
 */
size_t isotonic_thin(struct pool *pools, size_t count, double least, size_t most);

#endif
