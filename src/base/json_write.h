/*
 * Writes JSON so that it says what it said: real numbers with as few digits as it takes to read the same number again,
 * where jansson writes 0.9 as 0.90000000000000002.
 */
#ifndef VOUCH_BASE_JSON_WRITE_H
#define VOUCH_BASE_JSON_WRITE_H

#include "base/output.h"
#include "base/text.h"

#include <jansson.h>

/* Writes a text as a string, with its quotes; and without. */
void write_json_text(struct output *out, struct text text);
void write_json_escaped(struct output *out, struct text text);

/* Writes a value, with blanks behind commas and colons if `spaced`; and the members of an object without its braces. */
void write_json_value(struct output *out, json_t *value, bool spaced);
void write_json_members(struct output *out, json_t *object, bool spaced);

#endif
