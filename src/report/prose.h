/*
 * Prose is a text that grows, for sentences made of numbers.
 *
 * A failed allocation is noted, and prose_take() reports it, so that callers need not check each call.
 */
#ifndef VOUCH_REPORT_PROSE_H
#define VOUCH_REPORT_PROSE_H

#include "base/error.h"

#include <stddef.h>

/* Zero it before first use. */
struct prose {
    char *text; /* terminated; NULL while it is empty */
    size_t length, capacity;
    bool broken;
};

/* Makes the text empty, not NULL. */
void prose_begin(struct prose *prose);

void prose_say(struct prose *prose, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Room for a number as readers like it; prose_number() sets thousands apart: 17,635. */
struct shown_number {
    char text[512];
};
const char *prose_number(struct shown_number *room, double number, int digits);
#define SHOWN(count) prose_number(&(struct shown_number){""}, (double)(count), 0)

/* Ends sentences with this; not if nothing was said. */
void prose_end(struct prose *prose, const char *text);

/* Adds an argument as a shell reads it, always on one line: control characters are written as in $'a\012b'. */
void prose_say_argument(struct prose *prose, const char *argument);

/* Returns what separates item i of n in a list from the one before: nothing, ", " or " and ". */
const char *prose_comma(size_t i, size_t n);

/* Returns the text, to free(), NULL if there was no memory; *prose is empty again. */
char *prose_take(struct prose *prose, struct vouch_error *err);

void prose_release(struct prose *prose);

#endif
