/*
 * Reads input line by line, compressed or not.
 *
 * It reads a file, standard input or memory, decompressed by libarchive if it is gzip, xz, zstd or bzip2, in blocks:
 * memory depends on the longest line alone. A signal that is caught without SA_RESTART ends a read that waits, with an
 * error.
 */
#ifndef VOUCH_BASE_INPUT_H
#define VOUCH_BASE_INPUT_H

#include "base/buffer.h"
#include "base/error.h"
#include "base/text.h"

#include <stddef.h>

#define BYTE_ORDER_MARK "\xEF\xBB\xBF"

struct input;

/* Opens a file; `path` NULL or "-" is standard input. Free with input_close(). */
struct input *input_open(const char *path, struct vouch_error *err);

/* Opens the bytes of such a file, which stay the caller's and must not change before input_close(). */
struct input *input_open_memory(const char *name, const void *bytes, size_t length, struct vouch_error *err);

void input_close(struct input *input); /* NULL is allowed */

/*
 * Sets `call`, which is called whenever the next bytes are not there yet, before the input waits for them. A program
 * that answers what it reads must use it to send its answers, since the sender may wait for them before it sends more.
 * If it fails, so does the reading, with the same error. NULL: nothing is called, as at first.
 */
typedef bool (*input_pause)(void *context, struct vouch_error *err);
void input_before_waiting(struct input *input, input_pause call, void *context);

/* Returns the file's name for messages. */
const char *input_name(const struct input *input);

/* Returns the number of the line that input_line() gave last, from 1; 0 before the first. */
uint64_t input_number(const struct input *input);

/* Fails with the file, the line and what was expected there; returns false. */
bool input_wrong(const struct input *input, struct vouch_error *err, const char *expected);

/*
 * Reads the next line without its end (LF or CR LF), valid until the next call: returns 1, or 0 at the end, or -1 with
 * the error set. A line that is not UTF-8, or holds a NUL byte, or is longer than 64 MiB is an error naming file and
 * line; the next call continues after a line that is not UTF-8 or holds a NUL byte.
 */
int input_line(struct input *input, struct text *line, struct vouch_error *err);

/* Returns the end of that line in the file: LF, CR LF, or at its end nothing. Valid as long as the line. */
struct text input_line_end(const struct input *input);

/* Appends all lines that are left, with their ends; fails if the buffer would get longer than `most`. */
bool input_read_all(struct input *input, struct buffer *to, size_t most, struct vouch_error *err);

/* Whether the file starts with a byte order mark, which is not part of its first line. */
bool input_marked(const struct input *input);

/* Looks ahead without consuming anything: up to 64 KiB, fewer only at the end of the file. */
bool input_peek(struct input *input, struct text *ahead, struct vouch_error *err);

/*
 * A file mapped into memory, read-only: pages are read when they are looked at, and shared with other processes.
 *
 * A file that is made shorter while it is mapped ends the process (SIGBUS) when the missing part is looked at: replace
 * files by renaming. Only regular files can be mapped.
 */
struct mapped_file {
    const void *bytes; /* [size]; not NULL, even for an empty file, which is not mapped */
    size_t size;
    void *map; /* the same bytes, to be unmapped; NULL of an empty file */
};

/* Maps the file; release it with mapped_file_release(). On failure there is nothing to release. */
bool mapped_file_init(struct mapped_file *file, const char *path, struct vouch_error *err);

void mapped_file_release(struct mapped_file *file); /* a zeroed one is allowed */

#endif
