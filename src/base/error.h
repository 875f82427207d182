/*
 * An error is a status and a message in an object that the caller owns.
 *
 * Inside the library a function that can fail returns bool, takes the error object last, and ends with `return
 * fail(err, VOUCH_ERR_..., "what: why")`. Messages are lower case, without a full stop, and name what was expected.
 */
#ifndef VOUCH_BASE_ERROR_H
#define VOUCH_BASE_ERROR_H

#include <stdbool.h>

#include "vouch.h"

/* Fills `err` (which may be NULL) and returns false. */
bool fail(struct vouch_error *err, enum vouch_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Fails for want of memory. */
bool fail_memory(struct vouch_error *err);

/* Puts "prefix: " in front of the message that is already there; returns false. */
bool fail_within(struct vouch_error *err, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* ---- For the functions of vouch.h, which return a status and take an error object that may be NULL ---- */

/* Returns VOUCH_OK for a call that succeeded, else the status in `err`. */
static inline enum vouch_status status_of(bool ok, const struct vouch_error *err)
{
    return ok ? VOUCH_OK : err->status ? err->status : VOUCH_ERR_ARGUMENT;
}

/* Fails if a pointer of the caller is NULL; `what` names what it should point to. */
static inline bool is_given(const void *pointer, const char *what, struct vouch_error *err)
{
    return pointer || fail(err, VOUCH_ERR_ARGUMENT, "expected %s, found NULL", what);
}

/* Fails if a structure of the caller states fewer than `size` bytes: it would be read or written past its end. */
static inline bool is_whole(size_t found, size_t size, const char *type, struct vouch_error *err)
{
    return found >= size || fail(err, VOUCH_ERR_ARGUMENT, "expected a size of %zu bytes, sizeof(struct %s), found %zu",
                                 size, type, found);
}

#endif
