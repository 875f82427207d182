/*
 * Writes output that appears whole or not at all.
 *
 * A named file is written under a temporary name in the same folder and takes its real one only in output_commit();
 * standard output is flushed there. A write that fails is noted and reported at commit, so that callers need not check
 * each.
 */
#ifndef VOUCH_BASE_OUTPUT_H
#define VOUCH_BASE_OUTPUT_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

struct output;

/* Opens an output; `path` NULL or "-" is standard output. Free with output_commit() or output_discard(). */
struct output *output_open(const char *path, struct vouch_error *err);

/*
 * Opens an output into memory: what was written since output_empty() is output_text(), which the next write may move;
 * NULL if there was not enough memory. Free with output_discard().
 */
struct output *output_open_memory(struct vouch_error *err);
const char *output_text(const struct output *out, size_t *length);
void output_empty(struct output *out);

/*
 * Opens an output into memory that moves, once it is larger than `limit` bytes, to a temporary file of this user alone,
 * without a name. output_spooled() returns that file, with all that was written, or -1 while it is in memory, where
 * output_text() has it. Free with output_discard().
 */
struct output *output_open_spool(size_t limit, struct vouch_error *err);
int output_spooled(struct output *out);

/* Fails if something could not be written: a disk is full, memory is short. */
bool output_whole(const struct output *out, struct vouch_error *err);

void output_write(struct output *out, const void *bytes, size_t count);
void output_printf(struct output *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Returns the bytes written so far. */
uint64_t output_position(const struct output *out);

/* Writes what is buffered, for readers that wait on a pipe; a named file stays hidden. */
void output_flush(struct output *out);

/* Finishes and frees; false if anything was not written, and then the file is not there. */
bool output_commit(struct output *out, struct vouch_error *err);

/* Commits if `ok`, else drops; returns whether all succeeded. NULL is allowed if not `ok`. */
bool output_close(struct output *out, bool ok, struct vouch_error *err);

/* Drops a file that was not committed, and frees; what went to standard output stays. NULL is allowed. */
void output_discard(struct output *out);

#endif
