/*
 * Draws random numbers: see random.h. A block of four numbers is computed anew for each of them, instead of being kept:
 * the state stays three numbers. Numbers below a bound are unbiased (Lemire 2019).
 */
#include "base/random.h"

#include <Random123/philox.h>

struct rng rng_new(uint64_t seed, uint64_t stream)
{
    return (struct rng){.seed = seed, .stream = stream, .drawn = 0};
}

uint32_t rng_next(struct rng *rng)
{
    uint64_t block = rng->drawn / 4;
    philox4x32_ctr_t counter = {
        {(uint32_t)block, (uint32_t)(block >> 32), (uint32_t)rng->stream, (uint32_t)(rng->stream >> 32)}};
    philox4x32_key_t key = {{(uint32_t)rng->seed, (uint32_t)(rng->seed >> 32)}};
    philox4x32_ctr_t drawn = philox4x32(counter, key);
    return drawn.v[rng->drawn++ % 4];
}

double rng_uniform(struct rng *rng)
{
    return rng_next(rng) * 0x1p-32;
}

uint32_t rng_below(struct rng *rng, uint32_t bound)
{
    /* Lemire's method: reject the few products that would favour small numbers. */
    uint64_t product = (uint64_t)rng_next(rng) * bound;
    if ((uint32_t)product < bound) {
        uint32_t threshold = -bound % bound;
        while ((uint32_t)product < threshold)
            product = (uint64_t)rng_next(rng) * bound;
    }
    return (uint32_t)(product >> 32);
}

void rng_shuffle(struct rng *rng, uint32_t *order, size_t count)
{
    for (size_t i = count; i > 1; i--) {
        size_t j = rng_below(rng, (uint32_t)i);
        uint32_t swapped = order[i - 1];
        order[i - 1] = order[j];
        order[j] = swapped;
    }
}
