/*
 * An error is a status and a message in an object that the caller owns.
 *
 * Inside the library a function that can fail returns bool, takes the error
 * object last, and ends with `return fail(err, VOUCH_ERR_..., "what: why")`.
 * Messages are lower case, without a full stop, and name what was expected.
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

#endif
