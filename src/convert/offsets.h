/*
 * Converts offsets into a text between bytes of UTF-8, code points and UTF-16 units.
 *
 * Python counts code points (doccano, Prodigy, brat, Label Studio), Java and JavaScript UTF-16 units (WebAnno, UIMA).
 * A count is kept for every 64 bytes of the text, so that a conversion looks at 64 bytes at most; back, at log n counts
 * as well.
 */
#ifndef VOUCH_CONVERT_OFFSETS_H
#define VOUCH_CONVERT_OFFSETS_H

#include "base/memory.h"
#include "base/text.h"

enum offset_unit { OFFSET_BYTES, OFFSET_POINTS, OFFSET_UTF16 };

/* Of one text, which must stay where it is, and be UTF-8. Zero it before first use; memory is used again. */
struct offset_map {
    struct text text;
    enum offset_unit unit;
    uint32_t *before; /* [length / 64 + 1] units in front of the characters that begin in each block */
    size_t capacity;
    uint32_t units; /* of the whole text */
};

/* Returns how many units of UTF-16 a text has. */
uint32_t utf16_units(struct text text);

bool offset_map_set(struct offset_map *map, struct text text, enum offset_unit unit, struct vouch_error *err);
void offset_map_release(struct offset_map *map);

/* Returns the units in front of a byte, which is at most the text's length; those of a character that it is inside of
 * count as in front of it. */
uint32_t offset_of_byte(const struct offset_map *map, uint32_t byte);

/* Finds the byte behind so many units; false if the text has fewer, or if that is inside of a character. */
bool byte_of_offset(const struct offset_map *map, uint64_t offset, uint32_t *byte);

#endif
