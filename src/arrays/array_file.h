/*
 * A file of arrays that another program wrote: .npy and .npz of NumPy, or safetensors, told apart by their content.
 *
 * The file is mapped, and what is read of an array is read from there; only deflated entries of a .npz are inflated,
 * all of them when it is opened. Everything that a file says of its arrays is checked when it is opened: types, shapes
 * and sizes fit each other and the file, no two arrays overlap, and names are unique. What was opened never changes,
 * and threads may share it.
 */
#ifndef VOUCH_ARRAYS_ARRAY_FILE_H
#define VOUCH_ARRAYS_ARRAY_FILE_H

#include "arrays/array.h"
#include "base/mapped_file.h"

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

#endif
