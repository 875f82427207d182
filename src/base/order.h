/* The order of numbers, for qsort(). */
#ifndef VOUCH_BASE_ORDER_H
#define VOUCH_BASE_ORDER_H

#include <stdint.h>

/* Compares two uint64_t: the smaller one comes first. */
static inline int ascending_u64(const void *left, const void *right)
{
    uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return (a > b) - (a < b);
}

#endif
