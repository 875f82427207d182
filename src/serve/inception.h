/*
 * INCEpTION's external recommender: predictions for documents that people annotate, and training on what they decided.
 *
 *     inception.c           the two requests, predict and train
 *     inception_suggest.c   a model's answers as suggestions in a document
 *     inception_lesson.c    documents as labelled sentences to learn from
 *     xmi.c, cas_types.c    documents and their layers
 */
#ifndef VOUCH_SERVE_INCEPTION_H
#define VOUCH_SERVE_INCEPTION_H

#include "serve/served_models.h"
#include "serve/xmi.h"

#include <jansson.h>

/* What annotations of a layer may cover. */
enum anchoring { ANCHOR_CHARACTERS, ANCHOR_SINGLE_TOKEN, ANCHOR_TOKENS, ANCHOR_SENTENCES };

/* What is asked about: the same for prediction and training. */
struct recommender {
    const char *layer_name, *feature;
    enum anchoring anchoring;
    const json_t *tags; /* names that labels must be of, as objects with the key "tag"; NULL: any */
    struct cas_types *types;
    struct cas_layer layer;
    bool dense; /* every word has a label: parts of speech */
};

/* Suggestions, and the memory of their texts. Zero it before first use. */
struct suggestions {
    struct cas_suggestion *item;
    size_t count, capacity;
    struct arena texts;
};
void suggestions_release(struct suggestions *suggestions);

/*
 * Lets a model answer the sentences of a document that are within bytes `begin` to `end`, at least in part. Fails if
 * the model is not one for such documents.
 */
bool inception_suggest(struct suggestions *suggestions, const struct recommender *asked, const struct cas *cas,
                       size_t begin, size_t end, struct models *models, const struct served_model *model,
                       struct vouch_error *err);

/*
 * Adds the sentences of a document that somebody annotated, as JSON lines. `columns` is how many a word has: 1, the
 * word, or 2, its part of speech as well. Sentences without an annotation of the layer are left out, as nobody may have
 * looked at them; so are parts of speech and trees that are not complete.
 */
bool inception_add_lesson(struct buffer *text, const struct recommender *asked, const struct cas *cas, size_t columns,
                          struct vouch_error *err);

#endif
