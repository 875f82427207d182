/*
 * A stream of bits holds numbers of few bits each, small ones in fewer than large ones.
 *
 * A number x goes in as the exponential Golomb code of order k (Teuhola 1978): with v = x + 2^k and L = floor(log2(v)),
 *
 *     L - k zeros, a one, then the L bits of v below its highest
 *
 * which are 2 L + 1 - k bits. It needs no table, and suits numbers that become rarer the larger they are; the order is
 * about the logarithm of their mean. Bits are numbered from the lowest of the first byte on, so one load and one count
 * of zeros decode a number.
 */
#ifndef VOUCH_BASE_BITS_H
#define VOUCH_BASE_BITS_H

#include "base/memory.h"

#include <stdint.h>
#include <string.h>

enum {
    BITS_AT_ONCE = 56, /* the most that bits_put() and bits_take() handle */
    BITS_SLACK = 8,    /* zeros after the bits, so that eight bytes can be loaded anywhere */
    ORDER_BITS = 6,    /* of an order in a file */
    MOST_ORDER = 48,   /* of codes */
    MOST_BELOW = 49    /* bits of v below its highest: a number and 2^order are less than 2^50 together */
};

/* Returns a word of eight bytes whose lowest byte is the first, on any machine. */
static inline uint64_t bits_word(uint64_t word)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    return __builtin_bswap64(word);
#else
    return word;
#endif
}

struct bit_writer {
    unsigned char *bytes; /* zero beyond what was written; free() them */
    size_t capacity;
    uint64_t count; /* bits written */
};

/* Appends the lowest `bits` of `value`, the others of which are 0. */
bool bits_put(struct bit_writer *writer, uint64_t value, uint32_t bits, struct vouch_error *err);

/* Appends the code of a number. */
bool bits_put_code(struct bit_writer *writer, uint64_t x, uint32_t order, struct vouch_error *err);

/* Returns the number of whole bytes, slack included. */
static inline uint64_t bits_bytes(const struct bit_writer *writer)
{
    return (writer->count + 7) / 8 + BITS_SLACK;
}

/* Returns the bits that the code of a number takes. */
static inline uint32_t code_bits(uint64_t x, uint32_t order)
{
    return 2 * (63 - (uint32_t)__builtin_clzll(x + (UINT64_C(1) << order))) + 1 - order;
}

/* Returns the code of a number, its first bit lowest, if it has no more than 64 bits. */
static inline uint64_t code_of(uint64_t x, uint32_t order)
{
    uint64_t v = x + (UINT64_C(1) << order);
    uint32_t bits = 63 - (uint32_t)__builtin_clzll(v), zeros = bits - order;
    return UINT64_C(1) << zeros | (v ^ UINT64_C(1) << bits) << zeros << 1;
}

/* How often each number is to be written, for the choice of an order; large ones by their length alone. */
struct code_census {
    uint64_t small[4096], large[64];
};

static inline void census_add(struct code_census *census, uint64_t x)
{
    if (x < sizeof census->small / sizeof *census->small)
        census->small[x]++;
    else
        census->large[63 - __builtin_clzll(x)]++;
}

/* Returns the order that takes the fewest bits, the lowest of equals. */
uint32_t census_order(const struct code_census *census);

/* Reading beyond the end gives zeros, and bits_over() is true from then on. */
struct bit_reader {
    const unsigned char *bytes;
    uint64_t at, end; /* in bits */
    uint64_t ahead;   /* the next `left` bits, then zeros */
    uint32_t left;
};

/* Starts to read `length` bytes, the slack included; false if there are not even these. */
static inline bool bits_start(struct bit_reader *reader, const void *bytes, uint64_t length)
{
    *reader = (struct bit_reader){.bytes = bytes, .end = length < BITS_SLACK ? 0 : (length - BITS_SLACK) * 8};
    return length >= BITS_SLACK;
}

static inline bool bits_over(const struct bit_reader *reader)
{
    return reader->at > reader->end;
}

/* Makes reading go on beyond the end: what was read makes no sense. */
static inline void bits_end(struct bit_reader *reader)
{
    reader->at = reader->end + 1;
    reader->ahead = reader->left = 0;
}

/* Loads the next 57 bits, or more. */
static inline void bits_load(struct bit_reader *reader)
{
    uint64_t word = 0;
    if (!bits_over(reader))
        memcpy(&word, reader->bytes + reader->at / 8, sizeof word);
    reader->ahead = bits_word(word) >> reader->at % 8;
    reader->left = 64 - reader->at % 8;
}

/* Goes on by fewer than 64 bits, which are loaded. */
static inline void bits_skip(struct bit_reader *reader, uint32_t bits)
{
    reader->at += bits;
    reader->ahead >>= bits;
    reader->left -= bits;
}

/* Returns the next bits, up to BITS_AT_ONCE, without going on. */
static inline uint64_t bits_peek(struct bit_reader *reader, uint32_t bits)
{
    if (reader->left < bits)
        bits_load(reader);
    return reader->ahead & ((UINT64_C(1) << bits) - 1);
}

/* Reads up to BITS_AT_ONCE bits. */
static inline uint64_t bits_take(struct bit_reader *reader, uint32_t bits)
{
    uint64_t value = bits_peek(reader, bits);
    bits_skip(reader, bits);
    return value;
}

/* Returns the number that comes next; bits that no code begins with count as the end. */
static inline uint64_t bits_take_code(struct bit_reader *reader, uint32_t order)
{
    if (reader->ahead == 0)
        bits_load(reader);
    uint32_t zeros = reader->ahead ? (uint32_t)__builtin_ctzll(reader->ahead) : 64, rest = zeros + order;
    if (rest > MOST_BELOW) {
        bits_end(reader);
        return 0;
    }
    uint64_t below, highest = UINT64_C(1) << rest;
    if (zeros + 1 + rest < reader->left) {
        below = reader->ahead >> zeros >> 1 & (highest - 1);
        bits_skip(reader, zeros + 1 + rest);
    } else {
        bits_skip(reader, zeros + 1);
        below = bits_take(reader, rest);
    }
    return highest + below - (UINT64_C(1) << order);
}

#endif
