/*
 * The rows of each sentence in arrays of other programs, which lay sentences out in one of these ways:
 *
 *     packed     [T, ...]       the rows of all sentences one after the other, with offsets [S+1] or lengths [S]
 *     padded     [S, L, ...]    every sentence as long as the longest, with lengths [S]
 *     by name    [N, ...]       an array for each sentence of a file: named "0", "1", ... or "arr_0", "arr_1", ..., or
 *                               with other names, in the file's order
 *
 * Several sets of rows (of an ensemble, say) are a dimension of K before all of these: [K, T, ...], [K, S, L, ...] and
 * [K, N, ...]. A row is everything after the dimension of words, flattened. Offsets start with 0, never fall, and end
 * with T; lengths are at least 0 and add up to T, or are at most L.
 */
#ifndef VOUCH_ARRAYS_SENTENCE_ROWS_H
#define VOUCH_ARRAYS_SENTENCE_ROWS_H

#include "arrays/array_file.h"

/* How sentences are laid out. Arrays belong to files that stay open as long as the rows are used. */
struct sentence_layout {
    const struct array *array;             /* NULL: an array for each sentence of `file` */
    const struct array_file *file;         /* used if `array` is NULL */
    const struct array *offsets, *lengths; /* one of them with `array`; lengths if it is padded; else both NULL */
    bool padded, sets;                     /* `sets`: the first dimension is that of K sets */
};

struct sentence_shape {
    uint64_t sets, rows, width; /* K, or 1; N; values of a row */
};

struct sentence_rows {
    struct sentence_layout layout;
    uint64_t count;            /* S */
    uint64_t *start;           /* [S+1]: sums of the lengths before each sentence; NULL: by name */
    const struct array **each; /* [S]; NULL unless by name */
};

/* Checks all that the layout says; release it with sentence_rows_release(), also after a failure. O(S). */
bool sentence_rows_init(struct sentence_rows *rows, const struct sentence_layout *layout, struct vouch_error *err);

void sentence_rows_release(struct sentence_rows *rows); /* a zeroed one is allowed */

/* Returns what sentence `i`, below `count`, has. By name, widths may differ. */
struct sentence_shape sentence_rows_shape(const struct sentence_rows *rows, uint64_t i);

/* Reads sentence `i`, below `count`, into out[sets][rows][width] of its shape. Threads may share `rows`. */
bool sentence_rows_read(const struct sentence_rows *rows, uint64_t i, float *out, struct vouch_error *err);

#endif
