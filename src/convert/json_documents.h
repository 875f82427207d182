/*
 * What the formats that are JSON share: reading objects from lines or from an array, and writing values.
 *
 * Numbers are written so that the same number is read again, with as few digits as that takes. Keys that a format does
 * not know are kept: they are the document's meta.
 */
#ifndef VOUCH_CONVERT_JSON_DOCUMENTS_H
#define VOUCH_CONVERT_JSON_DOCUMENTS_H

#include "base/json_write.h"
#include "convert/annotation_formats.h"
#include "convert/offsets.h"

/* The object at hand. */
struct json_document {
    json_t *object;
    uint64_t line; /* on which it begins */
    const struct annotated_source *source;
    const struct format_choices *choices;
    struct annotated_texts *into;
    size_t before; /* documents that are there when the file is begun */
};

/* Calls `each` for every object: one a line, or the items of one array, over as many lines as they take. */
typedef bool (*json_document_call)(const struct json_document *document, struct vouch_error *err);
bool read_json_documents(const struct annotated_source *source, const struct format_choices *choices,
                         struct annotated_texts *into, json_document_call each, struct vouch_error *err);

/* Whether the first object of a file, or as much of it as is seen, has this key at its top, in front of its value. */
bool json_beginning_has(struct text beginning, const char *key);

#define fail_json(document, err, ...) fail_at((document)->source->name, (document)->line, err, __VA_ARGS__)

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
bool keep_json_rest(struct annotated_texts *into, json_t *object, const char *const *known, struct text *rest,
                    struct vouch_error *err);

/*
 * Words and sentences of a text, as keys of our own that the tools carry through: "words" are [from, to] in code
 * points, "sentences" numbers of words. Without them they are found by rule. Both are written where the rule finds
 * others.
 */
bool read_json_words(const struct json_document *document, struct annotated *doc, const struct offset_map *map,
                     struct vouch_error *err);
bool write_json_words(struct output *out, const struct annotated *doc, const struct offset_map *map,
                      struct vouch_error *err);
bool read_json_sentences(const struct json_document *document, struct annotated *doc, struct vouch_error *err);
void write_json_sentences(struct output *out, const struct annotated *doc);

/*
 * Finds the words of an array of strings in the text, one after the other, with white space between; or makes the text
 * of them, if there is none.
 */
bool read_json_forms(const struct json_document *document, struct annotated *doc, const json_t *list, const char *key,
                     struct vouch_error *err);

/* Columns of tags, as a key of our own: {"upos": ["NOUN", null, ...], ...}. */
bool read_json_columns(const struct json_document *document, struct annotated *doc, struct vouch_error *err);
void write_json_columns(struct output *out, const struct annotated *doc, const char *but); /* NULL: all */

/* Reads an offset into the text of `map`, as a byte. */
bool read_json_offset(const struct json_document *document, const json_t *value, const char *key,
                      const struct offset_map *map, uint32_t *byte, struct vouch_error *err);

/* Writes a number, or null for NAN. */
void write_json_number(struct output *out, double number);

/* Write ', "key": value', but nothing for an empty text, an empty id, or NAN. */
void write_json_member(struct output *out, const char *key, struct text text);
void write_json_id_member(struct output *out, const char *key, struct text id);
void write_json_score(struct output *out, double score);

/* Calls `write` for every document, with a map to be set and used, and `detailed`, and ends its line. */
typedef bool (*json_line_call)(struct output *out, const struct annotated *doc, struct offset_map *map, bool detailed,
                               struct vouch_error *err);
bool write_json_lines(struct output *out, const struct annotated_texts *corpus, json_line_call write, bool detailed,
                      struct vouch_error *err);

/* Writes "B-PER", or "O". */
void write_json_label(struct output *out, char prefix, struct text type);

/* Writes an id: a whole number as one, as far as it reads as the same id again, else a string. */
bool json_id_is_number(struct text id);
bool json_id_is(const json_t *value, struct text id); /* whether a value is read as that id */
void write_json_id(struct output *out, struct text id);

/* Drops the members of the meta whose keys a format has for itself, a list ended by NULL, and counts them as lost. */
bool fit_json_meta(struct annotated *doc, const char *const *known, struct vouch_error *err);

/* Writes ', "key": value, ...' for the members of the meta. */
void write_json_meta(struct output *out, const struct annotated *doc);

#endif
