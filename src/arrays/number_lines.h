/*
 * JSON lines with arrays of numbers: an object on each line, of which one key holds numbers in nested arrays, as in
 *
 *     {"scores": [[0.1, 2.3], [1.5, -0.7]]}
 *
 * All arrays of one depth have the same length. null stands for minus infinity, for which JSON has no number. The file
 * is mapped, and a line is parsed when it is asked for; opening finds where lines begin, 8 bytes of memory for each.
 * Blank lines do not count.
 */
#ifndef VOUCH_ARRAYS_NUMBER_LINES_H
#define VOUCH_ARRAYS_NUMBER_LINES_H

#include "base/input.h"
#include "base/memory.h"

#include <stdint.h>

enum { NUMBER_BLOCK_RANK = 4 };

/* Numbers in C order, the last dimension fastest. Zero it before first use, free `value` after the last. */
struct number_block {
    uint32_t rank;
    uint64_t shape[NUMBER_BLOCK_RANK]; /* [rank] */
    float *value;                      /* [product of the shape] */
    size_t count, capacity;
};

struct number_lines;

/* Whether bytes look like a file of this kind: an object begins first. */
bool number_lines_start(const unsigned char *bytes, size_t size);

/* Opens a file. Free it with number_lines_free(). Threads may share it. */
struct number_lines *number_lines_open(const char *path, struct vouch_error *err);
void number_lines_free(struct number_lines *lines); /* NULL is allowed */

uint64_t number_lines_count(const struct number_lines *lines);

/* Reads what line `i`, below the count, has under the key. If it has nothing there, the rank is 0. */
bool number_lines_read(const struct number_lines *lines, uint64_t i, const char *key, struct number_block *block,
                       struct vouch_error *err);

#endif
