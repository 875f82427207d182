/*
 * Text that grows, formatted lines of any length, and paths. Formatting takes two calls of vsnprintf(): one that
 * measures, or that fits into room on the stack already, and one that writes.
 */
#include "base/buffer.h"

#include <stdio.h>
#include <stdarg.h>
#include <errno.h>
#include <string.h>

bool buffer_add_bytes(struct buffer *buffer, const void *bytes, size_t count, struct vouch_error *err)
{
    if (!RESERVE(buffer->bytes, buffer->capacity, buffer->length + count + 1, err))
        return false;
    if (count)
        memcpy(buffer->bytes + buffer->length, bytes, count);
    buffer->length += count;
    buffer->bytes[buffer->length] = '\0';
    return true;
}

bool buffer_add(struct buffer *buffer, struct text text, struct vouch_error *err)
{
    return buffer_add_bytes(buffer, text.at, text.length, err);
}

bool buffer_add_stream(struct buffer *buffer, FILE *from, struct vouch_error *err)
{
    char piece[1 << 14];
    for (size_t count; (count = fread(piece, 1, sizeof piece, from)) > 0;)
        if (!buffer_add_bytes(buffer, piece, count, err))
            return false;
    return !ferror(from) || fail(err, VOUCH_ERR_IO, "cannot read: %s", strerror(errno));
}

bool buffer_print_list(struct buffer *buffer, struct vouch_error *err, const char *format, va_list args)
{
    va_list again;
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    if (length < 0)
        return fail(err, VOUCH_ERR_ARGUMENT, "a text is too long to print");
    if (!RESERVE(buffer->bytes, buffer->capacity, buffer->length + (size_t)length + 1, err))
        return false;
    vsnprintf(buffer->bytes + buffer->length, (size_t)length + 1, format, args);
    buffer->length += (size_t)length;
    return true;
}

bool buffer_print(struct buffer *buffer, struct vouch_error *err, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    bool ok = buffer_print_list(buffer, err, format, args);
    va_end(args);
    return ok;
}

void printed_make(struct printed *line, const char *format, va_list args)
{
    va_list again;
    va_copy(again, args);
    int length = vsnprintf(line->room, sizeof line->room, format, args);
    line->at = line->room;
    line->length = length > 0 ? (uint32_t)length : 0;
    if (line->length >= sizeof line->room) {
        char *all = new_array((size_t)line->length + 1, 1, NULL);
        if (all)
            vsnprintf(all, (size_t)line->length + 1, format, again);
        line->at = all ? all : line->room;
        line->length = all ? line->length : sizeof line->room - 1;
    }
    va_end(again);
}

void printed_release(struct printed *line)
{
    if (line->at != line->room)
        free(line->at);
}

char *path_in(const char *folder, struct vouch_error *err, const char *name, ...)
{
    struct buffer path = {0};
    va_list args;
    va_start(args, name);
    bool ok = buffer_print(&path, err, "%s/", folder) && buffer_print_list(&path, err, name, args);
    va_end(args);
    if (ok)
        return path.bytes;
    free(path.bytes);
    return NULL;
}

const char *path_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}
