/*
 * What the formats that are JSON share: reading objects from lines or from an array, and writing values.
 *
 * Numbers are written so that the same number is read again, with as few digits as that takes. Keys that a format does
 * not know are kept: they are the document's meta.
 */
#ifndef VOUCH_CONVERT_JSON_DOCUMENTS_H
#define VOUCH_CONVERT_JSON_DOCUMENTS_H

#include "convert/annotation_formats.h"
#include "convert/offsets.h"

#include <jansson.h>

/* The object at hand. */
struct json_document {
    json_t *object;
    uint64_t line; /* on which it begins */
    const struct annotated_source *source;
    const struct format_choices *choices;
    struct corpus *into;
};

/* Calls `each` for every object: one a line, or the items of one array, over as many lines as they take. */
typedef bool (*json_document_call)(const struct json_document *document, struct vouch_error *err);
bool read_json_documents(const struct annotated_source *source, const struct format_choices *choices,
                         struct corpus *into, json_document_call each, struct vouch_error *err);

/* Whether the first object of a file, or as much of it as is seen, has this key at its top, in front of its value. */
bool json_beginning_has(struct text beginning, const char *key);

/* Fails with file and line in front of the message. */
bool fail_json(const struct json_document *document, struct vouch_error *err, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Copies a string's bytes; a value that is missing or null is an empty text. Fails if it is neither. */
bool keep_json_text(const struct json_document *document, const json_t *value, const char *key, struct text *text,
                    struct vouch_error *err);

/* The same for an id, which may be a whole number. */
bool keep_json_id(const struct json_document *document, const json_t *value, const char *key, struct text *text,
                  struct vouch_error *err);

/* Reads a whole number from 0 to `most`. */
bool read_json_count(const struct json_document *document, const json_t *value, const char *key, uint64_t most,
                     uint64_t *count, struct vouch_error *err);

/* Reads a number; one that is missing or null is NAN. */
bool read_json_score(const struct json_document *document, const json_t *value, const char *key, double *score,
                     struct vouch_error *err);

/* Keeps all of an object but these keys, a list ended by NULL, as one JSON object; empty if nothing is left. */
bool keep_json_rest(const struct json_document *document, json_t *object, const char *const *known,
                    struct text *rest, struct vouch_error *err);

/* Writes a text as a string of JSON, with its quotes; a number, or null for NAN; a whole value. */
void write_json_text(struct output *out, struct text text);
void write_json_number(struct output *out, double number);
void write_json_value(struct output *out, json_t *value);

/* Writes an id: a whole number as one if it was read from one, else a string. */
void write_json_id(struct output *out, struct text id);

/* Writes ', "key": value, ...' for the members of an object that was kept; nothing for an empty text. */
void write_json_members(struct output *out, struct text object);

#endif
