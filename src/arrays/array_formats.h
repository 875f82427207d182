/*
 * What the files of one format each share: the bytes of an array file go in, its arrays are added. All of them check
 * what they add, see array_file.h.
 */
#ifndef VOUCH_ARRAYS_ARRAY_FORMATS_H
#define VOUCH_ARRAYS_ARRAY_FORMATS_H

#include "arrays/array_file.h"
#include "base/text.h"

/* Whether a file starts like one of the format. */
bool npy_starts(const unsigned char *bytes, size_t size);
bool npz_starts(const unsigned char *bytes, size_t size);
bool safetensors_starts(const unsigned char *bytes, size_t size);

bool npy_open(struct array_file *file, struct vouch_error *err);
bool npz_open(struct array_file *file, struct vouch_error *err);
bool safetensors_open(struct array_file *file, struct vouch_error *err);

/* Fills in the array, whose file and name are known, from the bytes of a .npy file. */
bool npy_array(struct array *array, const unsigned char *bytes, size_t size, struct vouch_error *err);

/* Adds an array of that name, which is copied; the rest is zero. Valid until the next is added; NULL: no memory. */
struct array *array_file_add(struct array_file *file, struct text name, struct vouch_error *err);

/* Makes the file free `block`, in any case. */
bool array_file_own(struct array_file *file, void *block, struct vouch_error *err);

/* Returns `size` bytes at `at`, the least significant first, as a number. */
static inline uint64_t little(const unsigned char *at, unsigned size)
{
    uint64_t n = 0;
    for (unsigned i = 0; i < size; i++)
        n |= (uint64_t)at[i] << 8 * i;
    return n;
}

#endif
