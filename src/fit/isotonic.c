/*
 * Fits isotonic regressions by pooling adjacent violators (Ayer, Brunk, Ewing, Reid
 * and Silverman 1955): pools are stacked from left to right, and as long as the
 * one on top is not above the one below it, the two become one. The shares
 *
 *     g_i = max over j <= i of min over k >= i of right(j..k) / count(j..k)
 *
 * that are left are the least squares and the maximum likelihood solution.
 * Linear: every step of the inner loop removes a pool.
 *
 * With a prior, the share of a pool is no longer the weighted mean of the
 * shares of its halves, and the result is non-decreasing but no optimum.
 */
#include "fit/isotonic.h"

#include "base/best.h"

#include <math.h>

double pool_share(const struct pool *pool, double prior)
{
    return (pool->right + prior) / (pool->count + 2 * prior);
}

static struct pool joined(const struct pool *a, const struct pool *b)
{
    return (struct pool){a->x + b->x, a->right + b->right, a->count + b->count};
}

/* Compares shares by cross products, exact for counts up to 2^26. */
static bool ascends(const struct pool *low, const struct pool *high, double prior)
{
    return (low->right + prior) * (high->count + 2 * prior) < (high->right + prior) * (low->count + 2 * prior);
}

size_t isotonic_pool(struct pool *pools, size_t count, double prior)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        struct pool top = pools[i];
        while (kept > 0 && !ascends(&pools[kept - 1], &top, prior))
            top = joined(&pools[--kept], &top);
        pools[kept++] = top;
    }
    return kept;
}

/* Returns the log likelihood of a pool under its own share. */
static double likelihood(const struct pool *pool)
{
    double wrong = pool->count - pool->right, sum = 0;
    if (pool->right > 0)
        sum += pool->right * log(pool->right / pool->count);
    if (wrong > 0)
        sum += wrong * log(wrong / pool->count);
    return sum;
}

static double cost_of_joining(const struct pool *a, const struct pool *b)
{
    struct pool both = joined(a, b);
    return likelihood(a) + likelihood(b) - likelihood(&both);
}

/* Joins every pool that is too small to the neighbour that costs less. */
static size_t join_small(struct pool *pools, size_t count, double least)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        bool small = pools[i].count < least, last = i + 1 == count;
        double below = kept > 0 ? cost_of_joining(&pools[kept - 1], &pools[i]) : INFINITY;
        double above = last ? INFINITY : cost_of_joining(&pools[i], &pools[i + 1]);
        if (small && kept > 0 && (last || below <= above))
            pools[kept - 1] = joined(&pools[kept - 1], &pools[i]);
        else if (small && !last)
            pools[i + 1] = joined(&pools[i], &pools[i + 1]);
        else
            pools[kept++] = pools[i];
    }
    return kept;
}

size_t isotonic_thin(struct pool *pools, size_t count, double least, size_t most)
{
    count = join_small(pools, count, least);
    while (count > most && count > 1) {
        struct best best = {0};
        for (size_t i = 0; i + 1 < count; i++)
            best_offer(&best, i, -cost_of_joining(&pools[i], &pools[i + 1]));
        pools[best.row] = joined(&pools[best.row], &pools[best.row + 1]);
        count--;
        for (size_t i = best.row + 1; i < count; i++)
            pools[i] = pools[i + 1];
    }
    return count;
}
