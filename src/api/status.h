/*
 * What every function of vouch.h does with errors: it answers with a status, and takes an error object that may be
 * NULL.
 */
#ifndef VOUCH_API_STATUS_H
#define VOUCH_API_STATUS_H

#include "base/error.h"

/* The status of a call that went well, or left its reason in `err`. */
static inline enum vouch_status status_of(bool ok, const struct vouch_error *err)
{
    return ok ? VOUCH_OK : err->status ? err->status : VOUCH_ERR_ARGUMENT;
}

/* Whether a pointer that is not NULL, as it must be; `what` is what it should point to. */
static inline bool is_given(const void *pointer, const char *what, struct vouch_error *err)
{
    return pointer || fail(err, VOUCH_ERR_ARGUMENT, "expected %s, found NULL", what);
}

#endif
