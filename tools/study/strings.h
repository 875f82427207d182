/*
 * Declares lists of strings.
 */
#ifndef VOUCH_STUDY_STRINGS_H
#define VOUCH_STUDY_STRINGS_H

#include "base/error.h"

#include <stdarg.h>
#include <stddef.h>

/* A list that grows; all strings are its own. */
struct strings {
    char **at; /* [count] */
    size_t count, capacity;
};
bool strings_add(struct strings *list, struct vouch_error *err, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
bool strings_add_list(struct strings *list, struct vouch_error *err, const char *format, va_list args)
    __attribute__((format(printf, 3, 0)));
void strings_release(struct strings *list);

#endif
