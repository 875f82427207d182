/*
 * Hashes strings by XXH3, and chains numbers on by a multiply-and-fold mix.
 * Both are part of the model file format and must not change.
 */
#ifndef VOUCH_BASE_HASH_H
#define VOUCH_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

static inline uint64_t hash_bytes(const void *bytes, size_t length)
{
    return XXH3_64bits(bytes, length);
}

/* Folds `value` into the running hash: the high and low half of a 128-bit product. */
static inline uint64_t hash_mix(uint64_t hash, uint64_t value)
{
    __extension__ unsigned __int128 product =
        (unsigned __int128)(hash ^ UINT64_C(0x9E3779B97F4A7C15)) * (value ^ UINT64_C(0xD6E8FEB86659FD93));
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

#endif
