/*
 * Writes text on a terminal. Words, labels, file names and texts in a model are not the user's own, and may hold
 * sequences that move the cursor, change the title or hide what follows: their control characters are shown as U+FFFD,
 * as in the drawings of vouch parse. Output that is data (columns, JSON, tables of points) is written as it is, by
 * base/output.h.
 *
 * Every message goes through these functions, and tests/layers refuses code that prints one in another way.
 */
#ifndef VOUCH_CLI_SHOW_H
#define VOUCH_CLI_SHOW_H

#include "base/text.h"

#include <jansson.h>
#include <stdarg.h>
#include <stdio.h>

/* Print to a stream as printf() does; of the control characters only ends of lines and tabs stay as they are. */
void showf(FILE *to, const char *format, ...) __attribute__((format(printf, 2, 3)));
void show_list(FILE *to, const char *format, va_list args) __attribute__((format(printf, 2, 0)));

/* Writes a text; of its control characters only those in `kept` stay as they are. */
void show_text(FILE *to, struct text text, const char *kept);

/* Prints a result, which is taken over, as JSON on standard output, with that many digits. */
void show_json(json_t *result, int digits);

#endif
