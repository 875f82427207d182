/* Damage to the sections of a model file, with checksums that are right again: flipped bits, and special units. */
#ifndef VOUCH_TESTS_DAMAGED_SECTIONS_H
#define VOUCH_TESTS_DAMAGED_SECTIONS_H

#include "folder.h"
#include "model_seal.h"

#include <math.h>
#include <stdlib.h>

/* How many of the damaged files could be opened. */
struct flipped {
    int opened, refused;
};

/* Flips a bit of every byte after the header in turn; `open` tries all that can be done with the file. */
static inline struct flipped flip_sections(const unsigned char *image, size_t size, bool (*open)(const char *path))
{
    struct flipped flipped = {0, 0};
    unsigned char *bytes = malloc(size);
    for (size_t at = number_at(image, AT_HEADER_OFFSET) + number_at(image, AT_HEADER_LENGTH); at < size; at++) {
        memcpy(bytes, image, size);
        bytes[at] ^= (unsigned char)(1 << at % 8);
        reseal(bytes, size);
        bool opened = open(folder_put_bytes("hostile", bytes, size));
        flipped.opened += opened;
        flipped.refused += !opened;
    }
    free(bytes);
    return flipped;
}

/* Units of weights, and whether a model may have them. */
static const struct special_unit {
    float unit;
    bool possible;
} special_units[] = {{NAN, false}, {INFINITY, false}, {-INFINITY, false}, {3e38f, false}, {-1, false},
                     {0, false},   {-0.0f, false},    {1e-45f, true},     {1e30f, true},  {3, true}};

enum { SPECIAL_UNITS = sizeof special_units / sizeof *special_units };

/* Makes `bytes` a copy of the file in which all sections of weights and variances have this unit. */
static inline void set_units(unsigned char *bytes, const unsigned char *image, size_t size, float unit)
{
    memcpy(bytes, image, size);
    for (uint32_t s = 0; s < short_at(image, AT_SECTIONS); s++) {
        size_t entry = TABLE + (size_t)ENTRY * s;
        const char *name = (const char *)image + entry;
        if (strstr(name, ".mean.") || strstr(name, ".var."))
            memcpy(bytes + number_at(image, entry + ENTRY_OFFSET), &unit, sizeof unit);
    }
    reseal(bytes, size);
}

#endif
