/* Errors: see error.h. */
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
    int used = vsnprintf(err->message, sizeof err->message, format, args);
    va_end(args);
    if (used >= 0 && (size_t)used < sizeof err->message)
        snprintf(err->message + used, sizeof err->message - (size_t)used, ": %s", inner);
    return false;
}
