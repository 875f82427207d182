/* The bits of a double, as an integer, and back. They are part of the caller's loop, on any instruction set. */
#ifndef VOUCH_BASE_FLOAT_BITS_H
#define VOUCH_BASE_FLOAT_BITS_H

#include <stdint.h>
#include <string.h>

static inline __attribute__((always_inline)) uint64_t bits_of(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static inline __attribute__((always_inline)) double from_bits(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

#endif
