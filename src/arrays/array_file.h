/*
 * A file of arrays that another program wrote: .npy and .npz of NumPy, or safetensors, told apart by their content.
 *
 * The file is mapped, and what is read of an array is read from there; only deflated entries of a .npz are inflated,
 * all of them when it is opened. Everything that a file says of its arrays is checked when it is opened: types, shapes
 * and sizes fit each other and the file, no two arrays overlap, and names are unique. What was opened never changes,
 * and threads may share it.
 *
 * An array is a view of bytes that are not yet converted. Numbers are read as float (f2, bf16, f4, f8) or as int64_t
 * (i1 to i8, u1 to u8), of either byte order. Values are numbered in C order, the last dimension fastest, also if the
 * file has them in Fortran order. Arrays of other types are listed, but not read.
 */
#ifndef VOUCH_ARRAYS_ARRAY_FILE_H
#define VOUCH_ARRAYS_ARRAY_FILE_H

#include "base/input.h"
#include "base/text.h"

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

/* Checks that the dimensions do not overflow, and that `length` bytes are what type and shape need; comes first. */
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

struct array_file {
    char *name; /* for messages */
    const unsigned char *bytes;
    size_t size;
    struct array *array; /* [count], in the order of their bytes in the file, of entries in a .npz */
    size_t count, capacity;
    struct mapped_file map; /* zeroed if the bytes are the caller's */
    void **owned;           /* [owns]: names, and what was inflated */
    size_t owns, owned_capacity;
};

/* Opens a file. Free it with array_file_free(). */
struct array_file *array_file_open(const char *path, struct vouch_error *err);

/* Opens the bytes of such a file, which stay the caller's and must not change before array_file_free(). */
struct array_file *array_file_open_memory(const char *name, const void *bytes, size_t size, struct vouch_error *err);

void array_file_free(struct array_file *file); /* NULL is allowed */

/* Returns the array of that name; NULL: the only one. NULL with the error set if there is none, or several. */
const struct array *array_file_find(const struct array_file *file, const char *name, struct vouch_error *err);

/*
 * Returns the arrays of a file that has one for each sentence, in the order of these: by number if they are named "0",
 * "1", ... or "arr_0", "arr_1", ..., else in the file's order. NULL on failure; free() it.
 */
const struct array **array_file_sentences(const struct array_file *file, struct vouch_error *err);

/* Whether bytes start like a file of arrays. */
bool array_file_starts(const unsigned char *bytes, size_t size);

/* The following are private to this folder: the bytes of a file go in, and its arrays are added and checked. */

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
