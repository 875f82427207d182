/*
 * Makes the checksums of a model file right again, as for damage done on purpose: those of the sections that lie in the
 * file, then that of table and header.
 */
#ifndef VOUCH_TESTS_MODEL_SEAL_H
#define VOUCH_TESTS_MODEL_SEAL_H

#include "base/hash.h"

#include <string.h>

/* Where the fields of the frame lie: the preamble, then one entry a section. */
enum {
    AT_VERSION = 8,
    AT_BYTE_ORDER = 12,
    AT_SIZE = 16,
    AT_HEADER_OFFSET = 24,
    AT_HEADER_LENGTH = 32,
    AT_SECTIONS = 40,
    AT_SUM = 48,
    TABLE = 64,
    ENTRY = 64,
    ENTRY_OFFSET = 24,
    ENTRY_LENGTH = 32,
    ENTRY_SUM = 40
};

static inline uint64_t number_at(const unsigned char *bytes, size_t at)
{
    uint64_t number;
    memcpy(&number, bytes + at, sizeof number);
    return number;
}

static inline uint32_t short_at(const unsigned char *bytes, size_t at)
{
    uint32_t number;
    memcpy(&number, bytes + at, sizeof number);
    return number;
}

static inline void put_number(unsigned char *bytes, size_t at, uint64_t number)
{
    memcpy(bytes + at, &number, sizeof number);
}

static inline void reseal(unsigned char *bytes, size_t size)
{
    if (size < TABLE)
        return;
    uint64_t offset = number_at(bytes, AT_HEADER_OFFSET), length = number_at(bytes, AT_HEADER_LENGTH);
    uint32_t sections = short_at(bytes, AT_SECTIONS);
    if (offset > size || length > size - offset || sections > (size - TABLE) / ENTRY)
        return;
    for (uint32_t s = 0; s < sections; s++) {
        size_t entry = TABLE + (size_t)ENTRY * s;
        uint64_t from = number_at(bytes, entry + ENTRY_OFFSET), count = number_at(bytes, entry + ENTRY_LENGTH);
        if (from <= size && count <= size - from)
            put_number(bytes, entry + ENTRY_SUM, hash_bytes(bytes + from, count));
    }
    put_number(bytes, AT_SUM,
               hash_mix(hash_bytes(bytes + TABLE, (size_t)ENTRY * sections), hash_bytes(bytes + offset, length)));
}

#endif
