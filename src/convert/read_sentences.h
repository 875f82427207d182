/* Reading annotated texts through text/reader.h: CoNLL columns and CoNLL-U. */
#ifndef VOUCH_CONVERT_READ_SENTENCES_H
#define VOUCH_CONVERT_READ_SENTENCES_H

#include "convert/annotation_formats.h"
#include "text/formats.h"

struct sentence_reading {
    struct sentence *sentence; /* at hand */
    struct annotated_texts *into;
    bool marked; /* marks divide the file: sentences go to the document at hand */
    bool open;   /* there is a document at hand, the last of the corpus */
};

/*
 * Calls `each` for every sentence, for document marks and for what is behind the last sentence; then `last`, unless it
 * is NULL, and completes the document at hand.
 */
typedef bool (*sentence_call)(struct sentence_reading *reading, void *context, struct vouch_error *err);
bool read_sentences(const struct annotated_source *source, const struct reader_options *options,
                    struct annotated_texts *into, sentence_call each, sentence_call last, void *context,
                    struct vouch_error *err);

/* Returns the document at hand, which is begun if there is none. */
struct annotated *next_document(struct sentence_reading *reading, struct vouch_error *err);

/* Completes the document at hand, if there is one. */
bool end_document(struct sentence_reading *reading, struct vouch_error *err);

/* Gives a word a tag; "_" is none. */
bool put_tag(struct annotated *doc, const char *name, uint32_t word, struct text tag, struct vouch_error *err);

#endif
