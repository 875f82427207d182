/*
 * Fills in errors: see error.h. Messages have room of a fixed size and are cut off there: reporting an error allocates
 * nothing, so that it cannot fail itself. Without an error object nothing is written.
 */
#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool fail(struct vouch_error *err, enum vouch_status status, const char *format, ...)
{
    if (!err)
        return false;
    va_list args;
    va_start(args, format);
    err->status = status;
    vsnprintf(err->message, sizeof err->message, format, args);
    va_end(args);
    return false;
}

bool fail_memory(struct vouch_error *err)
{
    return fail(err, VOUCH_ERR_MEMORY, "out of memory");
}

bool fail_within(struct vouch_error *err, const char *format, ...)
{
    if (!err)
        return false;
    char inner[sizeof err->message];
    memcpy(inner, err->message, sizeof inner);
    va_list args;
    va_start(args, format);
    vsnprintf(err->message, sizeof err->message, format, args);
    va_end(args);
    size_t used = strlen(err->message), left = sizeof err->message - used;
    if (left > 2) {
        memcpy(err->message + used, ": ", 2);
        size_t fits = strnlen(inner, left - 3);
        memcpy(err->message + used + 2, inner, fits);
        err->message[used + 2 + fits] = '\0';
    }
    return false;
}
