/*
 * See offsets.h. A character belongs to the block in which it begins; the bytes of UTF-8 that begin none are 10xxxxxx,
 * and those of the four bytes that UTF-16 needs two units for begin with 1111.
 */
#include "convert/offsets.h"

enum { BLOCK = 64 };

/* Returns the units of the character that begins with a byte; 0 if none does. */
static inline uint32_t units_at(enum offset_unit unit, char byte)
{
    unsigned char c = (unsigned char)byte;
    if (unit == OFFSET_BYTES)
        return 1;
    return (c & 0xC0) == 0x80 ? 0 : unit == OFFSET_UTF16 && c >= 0xF0 ? 2 : 1;
}

uint32_t utf16_units(struct text text)
{
    uint32_t units = 0;
    for (uint32_t i = 0; i < text.length; i++)
        units += units_at(OFFSET_UTF16, text.at[i]);
    return units;
}

bool offset_map_set(struct offset_map *map, struct text text, enum offset_unit unit, struct vouch_error *err)
{
    map->text = text;
    map->unit = unit;
    if (!RESERVE(map->before, map->capacity, (size_t)text.length / BLOCK + 1, err))
        return false;
    map->units = 0;
    map->before[0] = 0;
    for (uint32_t i = 0; i < text.length; i++) {
        if (i % BLOCK == 0)
            map->before[i / BLOCK] = map->units;
        map->units += units_at(unit, text.at[i]);
    }
    if (text.length % BLOCK == 0)
        map->before[text.length / BLOCK] = map->units;
    return true;
}

void offset_map_release(struct offset_map *map)
{
    free(map->before);
    *map = (struct offset_map){0};
}

uint32_t offset_of_byte(const struct offset_map *map, uint32_t byte)
{
    uint32_t units = map->before[byte / BLOCK];
    for (uint32_t i = byte - byte % BLOCK; i < byte; i++)
        units += units_at(map->unit, map->text.at[i]);
    return units;
}

bool byte_of_offset(const struct offset_map *map, uint64_t offset, uint32_t *byte)
{
    if (offset > map->units)
        return false;
    uint32_t low = 0, high = map->text.length / BLOCK;
    while (low < high) { /* the last block with at most so many units in front */
        uint32_t middle = high - (high - low) / 2;
        if (map->before[middle] <= offset)
            low = middle;
        else
            high = middle - 1;
    }
    uint32_t at = low * BLOCK;
    uint64_t units = map->before[low];
    while (at < map->text.length && (units < offset || units_at(map->unit, map->text.at[at]) == 0))
        units += units_at(map->unit, map->text.at[at++]);
    *byte = at;
    bool inside = map->unit == OFFSET_BYTES && at < map->text.length && units_at(OFFSET_POINTS, map->text.at[at]) == 0;
    return units == offset && !inside;
}
