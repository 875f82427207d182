/*
 * Text that grows. Zero it before first use, free `bytes` after the last.
 */
#ifndef VOUCH_BASE_BUFFER_H
#define VOUCH_BASE_BUFFER_H

#include "base/memory.h"
#include "base/text.h"

struct buffer {
    char *bytes;
    size_t length, capacity;
};

static inline bool buffer_add(struct buffer *buffer, struct text text, struct vouch_error *err)
{
    if (!RESERVE(buffer->bytes, buffer->capacity, buffer->length + text.length + 1, err))
        return false;
    memcpy(buffer->bytes + buffer->length, text.at, text.length);
    buffer->length += text.length;
    return true;
}

static inline bool buffer_put(struct buffer *buffer, char c, struct vouch_error *err)
{
    return buffer_add(buffer, (struct text){&c, 1}, err);
}

/* All of it; valid until more is added. */
static inline struct text buffer_text(const struct buffer *buffer)
{
    return (struct text){buffer->bytes ? buffer->bytes : "", (uint32_t)buffer->length};
}

#endif
