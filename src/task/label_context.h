/*
 * Features of what a first stage called the same words, in lower case, in the sentences around: "one sense per
 * discourse" (Gale, Church and Yarowsky 1992), as features of a second stage (Krishnan and Manning 2006).
 *
 * The sentences around are those of the same document, at most `sentences` before and as many after; the sentence
 * itself is left out. Of all places of a word there, v tells which type of chunk most are in, and whether these are
 * less than half of them, more, or all: 1 + 3 T values for T types, 0 for a word that is always outside. Where labels
 * spell no chunks, each is a type, and none is outside. A word has the v of the words at -2 .. 2, if they are
 * somewhere else at all.
 *
 * The first stage's own label of the word, and v with it, were tried: English loses half of what it gains by them, as
 * the second stage repeats errors of the first (docs/MEASUREMENTS.md).
 *
 * Features have no strings: their numbers depend on the labels alone. Cost: a look-up for each word around.
 */
#ifndef VOUCH_TASK_LABEL_CONTEXT_H
#define VOUCH_TASK_LABEL_CONTEXT_H

#include "core/parts.h"
#include "core/sentence.h"
#include "task/tag_labels.h"

enum { MAX_CONTEXT = 200, MAX_CONTEXT_LABELS = 4096, CONTEXT_REACH = 2 };

struct label_context {
    uint32_t sentences; /* on either side; 0: there are no such features */
    uint32_t labels;    /* Y */
    uint32_t types;     /* T */
    uint32_t *type;     /* [Y] of each label; T: outside */
    uint32_t *feature;  /* [features] numbers in a vocabulary, or NO_FEATURE */
};

/* Makes the shape for these labels; feature numbers are set by vocabulary_add_context(). Release in any case. */
bool label_context_init(struct label_context *c, uint32_t sentences, const struct tag_labels *labels,
                        struct vouch_error *err);
void label_context_release(struct label_context *c);

/* Returns the number of features. */
uint32_t label_context_features(const struct label_context *c);

/* A sentence as the first stage has answered it. */
struct first_answer {
    uint32_t N;
    uint64_t document;     /* sentences of different documents are not around each other */
    const uint32_t *word;  /* the word in lower case, hashed; from one to the next it is */
    uint32_t stride;       /* so far */
    const uint32_t *label; /* [N] */
};

/* Working memory of one thread; zero it before first use. */
struct context_work {
    uint32_t *slot;  /* [slots] 1 + number of a word of the sentence; 0: free */
    uint32_t *word;  /* [N] the number of each word: that of its first place */
    uint32_t *times; /* [N][T + 1] how often it is in each type around */
    uint32_t *value; /* [N] v; V: the word is nowhere else */
    size_t slot_capacity, word_capacity, times_capacity, value_capacity;
};
void context_work_release(struct context_work *work);

/* Finds the features of the words of sentence `own` among the `count` ones around it, itself one of them. */
bool label_context_run(const struct label_context *c, const struct first_answer *around, uint32_t count, uint32_t own,
                       struct context_work *work, struct further_rows *rows, struct vouch_error *err);

/* Rows with further ones behind them; zero it before first use. */
struct joined_rows {
    uint32_t *start, *feature;
    float *value;
    size_t start_capacity, feature_capacity, value_capacity;
};
bool join_rows(struct joined_rows *joined, const struct further_rows *further, struct rows *node,
               struct vouch_error *err);
void joined_rows_release(struct joined_rows *joined);

#endif
