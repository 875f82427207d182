/* Simulates evidence for the tests of calibration and of regression. */
#ifndef TEST_SIMULATE_H
#define TEST_SIMULATE_H

#include "base/random.h"

#include <math.h>
#include <stdlib.h>

/* Draws a normal number by the method of Box and Muller. */
static inline double draw_normal(struct rng *rng)
{
    double u = rng_uniform(rng) + 0x1p-33, v = rng_uniform(rng);
    return sqrt(-2 * log(u)) * cos(2 * acos(-1) * v);
}

static inline void *room(size_t count, size_t size)
{
    void *array = calloc(count, size);
    if (!array)
        abort();
    return array;
}

#endif
