/*
 * Arrays that grow, and names with numbers: what answers are gathered in. Neither needs the GIL.
 */
#ifndef PY_COLUMNS_H
#define PY_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* An array that grows. Zero it before first use, or lend it memory to begin with. */
struct column {
    char *bytes;
    size_t used, capacity;
    bool lent; /* its bytes are not its own */
};
void column_release(struct column *column);

/* Makes room for `length` more bytes, of which there is too little. False: no memory. */
bool column_grow(struct column *column, size_t length);

/* Make room for `length` more bytes, and append to it. False: no memory. */
static inline bool column_reserve(struct column *column, size_t length)
{
    return column->capacity - column->used >= length || column_grow(column, length);
}

static inline bool append(struct column *column, const void *bytes, size_t length)
{
    if (length == 0)
        return true; /* there may be no memory yet */
    if (!column_reserve(column, length))
        return false;
    memcpy(column->bytes + column->used, bytes, length);
    column->used += length;
    return true;
}

/* Appends a number; -1 if it is larger than an int32. */
static inline bool append_int32(struct column *column, size_t number)
{
    int32_t value = number > INT32_MAX ? -1 : (int32_t)number;
    return append(column, &value, sizeof value);
}

static inline bool append_int64(struct column *column, int64_t value)
{
    return append(column, &value, sizeof value);
}

static inline bool append_double(struct column *column, double value)
{
    return append(column, &value, sizeof value);
}

/* Names and their numbers, from 0: open addressing over FNV-1a. Zero it before first use. */
struct names {
    char **name; /* [count] */
    size_t count, capacity;
    int32_t *slot; /* [slots] a number, or -1; a power of two, at most half full */
    size_t slots;
};
void names_release(struct names *names);

/* Forgets all names but the first `count`. */
void names_forget(struct names *names, size_t count);

/* Finds the number of a name, which is added if it is new; -1 for NULL. False: no memory. */
bool names_number(struct names *names, const char *name, int32_t *number);

/* Adds the types that labels among the names have, "PER" of "B-PER". False: no memory. */
bool names_add_types(struct names *names);

/* Appends the number of a name to a column of int32. */
bool append_name(struct names *names, struct column *column, const char *name);

#endif
