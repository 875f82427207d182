/*
 * Draws random numbers by Philox 4x32-10 (Salmon et al. 2011), through Random123.
 *
 * It is counter-based: the i-th number of (seed, stream) is a pure function, so numbers never depend on threads or on
 * earlier draws. The state is the caller's; there is no other.
 */
#ifndef VOUCH_BASE_RANDOM_H
#define VOUCH_BASE_RANDOM_H

#include <stddef.h>
#include <stdint.h>

struct rng {
    uint64_t seed;
    uint64_t stream;
    uint64_t drawn;
};

struct rng rng_new(uint64_t seed, uint64_t stream);

uint32_t rng_next(struct rng *rng);

/* Returns a number uniform in [0, 1), of 32 bits. */
double rng_uniform(struct rng *rng);

/* Returns a number uniform in 0 .. bound-1, without bias; bound > 0. */
uint32_t rng_below(struct rng *rng, uint32_t bound);

/* Shuffles `order` in place (Fisher and Yates). */
void rng_shuffle(struct rng *rng, uint32_t *order, size_t count);

#endif
