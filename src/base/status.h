/*
 * Makes the functions of vouch.h treat errors alike: they return a status, and take an error object that may be NULL.
 */
#ifndef VOUCH_BASE_STATUS_H
#define VOUCH_BASE_STATUS_H

#include "base/error.h"

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
