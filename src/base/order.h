/* The order of numbers: sorting by the bytes of a key, a comparison for qsort(), and the best of what is tried. */
#ifndef VOUCH_BASE_ORDER_H
#define VOUCH_BASE_ORDER_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <math.h>
#include <stdbool.h>

/* Compare two numbers: the smaller one comes first. */
static inline int ascending_u64(const void *left, const void *right)
{
    uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return (a > b) - (a < b);
}

static inline int ascending_u32(const void *left, const void *right)
{
    uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    return (a > b) - (a < b);
}

static inline int ascending_double(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

/* Returns a key whose order is that of the numbers, of which none is NAN; 0 and -0 are the same number. */
static inline uint64_t order_key(double x)
{
    uint64_t bits;
    x += 0.0;
    memcpy(&bits, &x, sizeof bits);
    return bits ^ (bits >> 63 ? UINT64_MAX : UINT64_C(1) << 63);
}

/* Returns the number of a key. */
static inline double order_number(uint64_t key)
{
    uint64_t bits = key ^ (key >> 63 ? UINT64_C(1) << 63 : UINT64_MAX);
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* What is sorted: a key, and anything that goes with it. */
struct keyed {
    uint64_t key, value;
};

/* Sorts by keys, the least first; equal ones keep their order. Fails only for want of memory. O(n). */
bool sort_keyed(struct keyed *item, size_t n, struct vouch_error *err);
bool sort_keys(uint64_t *key, size_t n, struct vouch_error *err);

/*
 * Keeps the best of what is tried: rows come one after the other, each with a score, and the greatest score wins. Of
 * equal scores the first wins, and one that was not measured (NAN) never does. For a loss, offer it with its sign
 * changed. Zero it before first use; `row` may be set to a default for when nothing is offered.
 */
struct best {
    size_t row;
    double score;
    bool any; /* a row has been offered */
};

/* Offers a row; true if it is now the best. */
static inline bool best_offer(struct best *best, size_t row, double score)
{
    if (isnan(score) || (best->any && score <= best->score))
        return false;
    *best = (struct best){row, score, true};
    return true;
}

#endif
