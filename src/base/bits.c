/*
 * Writes streams of bits: see bits.h. Bits are added to a word that is loaded from the last byte and stored again. The
 * order of the codes is chosen by counting what each order would take, over a census of the numbers to be written.
 */
#include "base/bits.h"

bool bits_put(struct bit_writer *writer, uint64_t value, uint32_t bits, struct vouch_error *err)
{
    uint64_t at = writer->count / 8;
    size_t before = writer->bytes ? writer->capacity : 0;
    if (!RESERVE(writer->bytes, writer->capacity, at + BITS_SLACK + 16, err))
        return false;
    memset(writer->bytes + before, 0, writer->capacity - before);
    uint64_t word;
    memcpy(&word, writer->bytes + at, sizeof word);
    word |= bits_word(value << writer->count % 8);
    memcpy(writer->bytes + at, &word, sizeof word);
    writer->count += bits;
    return true;
}

bool bits_put_code(struct bit_writer *writer, uint64_t x, uint32_t order, struct vouch_error *err)
{
    uint64_t v = x + (UINT64_C(1) << order);
    uint32_t bits = 63 - (uint32_t)__builtin_clzll(v), zeros = bits - order;
    return bits_put(writer, UINT64_C(1) << zeros, zeros + 1, err) &&
           bits_put(writer, v ^ UINT64_C(1) << bits, bits, err);
}

uint32_t census_order(const struct code_census *census)
{
    const uint64_t smalls = sizeof census->small / sizeof *census->small;
    uint32_t best = 0;
    uint64_t least = UINT64_MAX;
    for (uint32_t order = 0; order <= MOST_ORDER; order++) {
        uint64_t bits = 0;
        for (uint64_t x = 0; x < smalls; x++)
            bits += census->small[x] * code_bits(x, order);
        for (uint32_t length = 0; length < MOST_BELOW; length++)
            bits += census->large[length] * code_bits(UINT64_C(1) << length, order);
        if (bits < least) {
            least = bits;
            best = order;
        }
    }
    return best;
}
