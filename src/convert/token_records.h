/*
 * What formats share that are JSON objects with an array of words, a sentence each: vouch's JSON lines, Hugging Face's
 * ner_tags, GLiNER's training data. Beside their own keys they hold
 *
 *     "id": of the sentence    "document": the document's    "continues": true, if it is of the same document as the
 *                                                            object before
 */
#ifndef VOUCH_CONVERT_TOKEN_RECORDS_H
#define VOUCH_CONVERT_TOKEN_RECORDS_H

#include "convert/json_documents.h"

/* Whether an object goes on with the document before it. */
bool record_continues(const struct json_document *document);

/* Begins a document, and completes the one before it; or goes on with that. NULL on failure. */
struct annotated *record_begin(const struct json_document *document, struct vouch_error *err);

/*
 * Appends words, which are strings, to a document whose text is made of them. With `before`, an array of the arena that
 * is made [strings + 1], blank ones are left out, and counted: before[i] is how many words are in front of string i.
 */
bool record_words(const struct json_document *document, struct annotated *doc, const char *key, uint32_t **before,
                  struct vouch_error *err);

/* Keeps the keys of a document's first object: "meta" where it is all that is not known, else all of that. */
bool record_meta(const struct json_document *document, struct annotated *doc, const char *const *known,
                 struct vouch_error *err);

/* Ends the sentence, and reads its id. */
bool record_end(const struct json_document *document, struct annotated *doc, struct vouch_error *err);

/* Reads all objects, and completes the last document. */
bool record_read_all(const struct annotated_source *source, const struct format_choices *choices,
                     struct annotated_texts *into, json_document_call each, struct vouch_error *err);

/* Begins to write an object with the words of a sentence under `key`. */
void record_write_words(struct output *out, const struct annotated *doc, const struct marked_sentence *sentence,
                        const char *key);

/* Whether documents of a corpus have several sentences, so that "continues" is needed; and whether any has an id. */
struct record_keys {
    bool continues, documents, ids;
};
struct record_keys record_keys_of(const struct annotated_texts *corpus);

/* Writes these keys. */
void record_write_keys(struct output *out, const struct annotated *doc, uint32_t sentence,
                       const struct record_keys *keys);

/* Writes "meta" in the first object of a document. */
void record_write_meta(struct output *out, const struct annotated *doc, uint32_t sentence);

/* Returns the sentences that are written for a document: those that it has, or one without words. */
static inline uint32_t record_count(const struct annotated *doc)
{
    return doc->sentences > 0 ? doc->sentences : 1;
}

/* Returns sentence `i`, which may be the one without words. */
static inline struct marked_sentence record_sentence(const struct annotated *doc, uint32_t i)
{
    return i < doc->sentences ? doc->sentence[i] : (struct marked_sentence){.id = {"", 0}, .comments = {"", 0}};
}

#endif
