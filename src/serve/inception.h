/*
 * INCEpTION's external recommender: predictions for documents that people annotate, and training on what they decided.
 *
 *     inception.c           the two requests, predict and train
 *     inception_suggest.c   a model's answers as suggestions in a document
 *     inception_lesson.c    documents as labelled sentences to learn from
 *     inception_models.c    models that are learned from them
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
 * looked at them; in others, what is not annotated is O in layers of spans, and open (null) in parts of speech and
 * trees.
 */
bool inception_add_lesson(struct buffer *text, const struct recommender *asked, const struct cas *cas, size_t columns,
                          struct vouch_error *err);

/* The models that are learned. All is shared by threads. */
struct inception;
struct server;
struct inception *inception_open(struct server *server, struct vouch_error *err);
void inception_close(struct inception *inception); /* after the learner; NULL is allowed */

/* All that an annotator says, for one model. */
struct annotators_text {
    const char *model; /* the name that it is served by */
    const char *task;  /* of a new model: "ner", "pos", "dep" */
    const char *by;    /* whose it is: a text takes the place of the one that came before */
    const char *text;  /* labelled sentences as JSON lines; none: nothing is learned */
    size_t length;
};

/* Keeps a text, which is copied, and has it learned. `busy`: the model is being learned, and this comes next. */
bool inception_teach(struct inception *inception, const struct annotators_text *text, bool *busy,
                     struct vouch_error *err);

/* Whether a model of that name is being learned, or will be next. */
bool inception_learns(struct inception *inception, const char *name);

#endif
