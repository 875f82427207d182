/*
 * Prose: a text that grows, for sentences made of numbers.
 *
 * A failed allocation is remembered, and prose_take() reports it: writers need not check each call.
 */
#ifndef VOUCH_REPORT_PROSE_H
#define VOUCH_REPORT_PROSE_H

#include "base/error.h"

#include <stddef.h>

/* Zero it before first use. */
struct prose {
    char *text; /* terminated; NULL while nothing was said */
    size_t length, capacity;
    bool broken;
};

void prose_say(struct prose *prose, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* An argument as a shell reads it, always on one line: control characters are written as in $'a\012b'. */
void prose_say_argument(struct prose *prose, const char *argument);

/* What separates item i of n in a list from the one before: nothing, ", " or " and ". */
const char *prose_comma(size_t i, size_t n);

/* The text, to free(), NULL if there was no memory; *prose is empty again. */
char *prose_take(struct prose *prose, struct vouch_error *err);

void prose_release(struct prose *prose);

#endif
