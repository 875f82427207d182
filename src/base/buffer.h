/*
 * A buffer is text that grows. Zero it before first use, free `bytes` after the last.
 */
#ifndef VOUCH_BASE_BUFFER_H
#define VOUCH_BASE_BUFFER_H

#include "base/memory.h"
#include "base/text.h"
#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>

struct buffer {
    char *bytes; /* [length], and a zero after them; NULL while it is empty */
    size_t length, capacity;
};

bool buffer_add(struct buffer *buffer, struct text text, struct vouch_error *err);

/* Adds bytes, which may be more than a text can have; none may be NULL. */
bool buffer_add_bytes(struct buffer *buffer, const void *bytes, size_t count, struct vouch_error *err);

/* Adds all that is left of a stream; fails (VOUCH_ERR_IO) if that cannot be read. */
bool buffer_add_stream(struct buffer *buffer, FILE *from, struct vouch_error *err);

bool buffer_print(struct buffer *buffer, struct vouch_error *err, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
bool buffer_print_list(struct buffer *buffer, struct vouch_error *err, const char *format, va_list args)
    __attribute__((format(printf, 3, 0)));

static inline bool buffer_put(struct buffer *buffer, char c, struct vouch_error *err)
{
    return buffer_add(buffer, (struct text){&c, 1}, err);
}

/* Returns all of it; valid until more is added. */
static inline struct text buffer_text(const struct buffer *buffer)
{
    return (struct text){buffer->bytes ? buffer->bytes : "", (uint32_t)buffer->length};
}

/*
 * One line that is printed, whatever its length. Without memory for it, `at` holds as much as there is room for.
 * Release it after use.
 */
struct printed {
    char room[1024], *at;
    uint32_t length;
};
void printed_make(struct printed *line, const char *format, va_list args) __attribute__((format(printf, 2, 0)));
void printed_release(struct printed *line);

/* Returns "FOLDER/NAME", where NAME is formatted; to free(), or NULL with the error set. */
char *path_in(const char *folder, struct vouch_error *err, const char *name, ...) __attribute__((format(printf, 3, 4)));

/* Returns what comes after the last '/', a part of `path`. */
const char *path_name(const char *path);

#endif
