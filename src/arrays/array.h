/*
 * An array of numbers in another program's file: a view of bytes that are mapped and not yet converted.
 *
 * Numbers are read as float (f2, bf16, f4, f8) or as int64_t (i1 to i8, u1 to u8), of either byte order. Values are
 * numbered in C order, the last dimension fastest, also if the file has them in Fortran order. Arrays of other types
 * are listed, but not read.
 *
 * A file may say anything of its arrays: array_check() comes before everything else, and no product of dimensions
 * overflows after it.
 */
#ifndef VOUCH_ARRAYS_ARRAY_H
#define VOUCH_ARRAYS_ARRAY_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

enum { ARRAY_RANK = 8, ARRAY_TYPE_NAME = 16 };

enum array_kind { ARRAY_OTHER, ARRAY_FLOAT, ARRAY_BFLOAT, ARRAY_INTEGER, ARRAY_UNSIGNED };

struct array_type {
    enum array_kind kind;
    uint32_t size;              /* bytes of a value; 0 if that is not known, of ARRAY_OTHER alone */
    bool big;                   /* the most significant byte first */
    char name[ARRAY_TYPE_NAME]; /* as the file has it, perhaps cut off: "<f4", "BF16" */
};

struct array {
    const char *file; /* for messages */
    const char *name; /* "" in a .npy file, which has but one */
    struct array_type type;
    uint32_t rank;
    uint64_t shape[ARRAY_RANK]; /* [rank] */
    bool fortran;               /* the first dimension fastest */
    const unsigned char *bytes; /* not aligned */
};

/* Fails with the file, the array and a message. */
bool array_fail(const struct array *array, struct vouch_error *err, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Checks that the dimensions do not overflow, and that `length` bytes are what type and shape need. */
bool array_check(const struct array *array, uint64_t length, struct vouch_error *err);

/* Returns the product of the dimensions from `first` on: 1 if there are none. */
uint64_t array_values(const struct array *array, uint32_t first);

/* Whether values can be read as float; whether they can as int64_t. */
static inline bool array_has_floats(const struct array *array)
{
    return array->type.kind == ARRAY_FLOAT || array->type.kind == ARRAY_BFLOAT;
}
static inline bool array_has_integers(const struct array *array)
{
    return array->type.kind == ARRAY_INTEGER || array->type.kind == ARRAY_UNSIGNED;
}

/*
 * Reads the values first .. first+count-1 into out[count]. Fails for another type, for values that the array does not
 * have, and for a value that is NAN, or finite and beyond the range of float; infinities are read. O(count).
 */
bool array_floats(const struct array *array, uint64_t first, uint64_t count, float *out, struct vouch_error *err);

/* Does the same for integers. Fails for one above INT64_MAX. */
bool array_integers(const struct array *array, uint64_t first, uint64_t count, int64_t *out, struct vouch_error *err);

/* Read the rows from .. to-1, of array_values(array, 1) values each: a row is an element of the first dimension. */
bool array_float_rows(const struct array *array, uint64_t from, uint64_t to, float *out, struct vouch_error *err);
bool array_integer_rows(const struct array *array, uint64_t from, uint64_t to, int64_t *out, struct vouch_error *err);

#endif
