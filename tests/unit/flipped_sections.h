/* Damage to the sections of a model file, one bit at a time, with checksums that are right again. */
#ifndef VOUCH_TESTS_FLIPPED_SECTIONS_H
#define VOUCH_TESTS_FLIPPED_SECTIONS_H

#include "folder.h"
#include "model_seal.h"

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

#endif
