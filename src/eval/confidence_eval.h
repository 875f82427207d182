/*
 * Measures how far the numbers of an estimator can be trusted, on answers whose truth is known.
 *
 * Every answer leaves rows: one for each of its words, of its relations, of its chunks, and one for itself, each with
 * the verdict and every method's number. At the end each method is measured on each kind of row.
 */
#ifndef VOUCH_EVAL_CONFIDENCE_EVAL_H
#define VOUCH_EVAL_CONFIDENCE_EVAL_H

#include "train/held_out_scores.h"
#include "answers/answer_file.h"
#include "measure/quality.h"
#include "answer/answer_stream.h"

#include <jansson.h>

/* The kinds of things that have numbers. */
enum aspect { ASPECT_WORDS, ASPECT_RELATIONS, ASPECT_SPANS, ASPECT_SENTENCES, ASPECTS };
extern const char *const aspect_names[ASPECTS]; /* "words", "relations", "spans", "sentences" */

/* One method on one kind of row. */
struct method_eval {
    char method[METHOD_NAME];
    bool calibrated;                    /* the numbers are meant to be probabilities of being right */
    bool unstated;                      /* it is not known whether they are */
    bool bounded;                       /* they lie between 0 and 1, calibrated or not */
    struct quality quality;             /* its `words` are rows */
    struct quality_intervals intervals; /* NAN if there are none */
};

/* Two methods on the words, resampled together: intervals of the first one's figures minus the second one's. */
struct comparison {
    uint32_t first, second; /* methods */
    double difference[PAIRED];
    struct interval interval[PAIRED];
};

/* All rows of one kind. */
struct confidence_eval_rows {
    bool present;           /* whether the model gives answers of this kind */
    struct score_rows rows; /* a column for each method; no signals */
    uint64_t wrong;
    struct method_eval *method_eval; /* [methods] */
};

struct confidence_eval {
    uint32_t methods;
    uint32_t sentences; /* so far */
    uint32_t resamples; /* that intervals come from */
    bool trees;         /* the words' numbers are about heads */
    struct confidence_eval_rows rows[ASPECTS];
    struct comparison *comparison; /* [comparisons] of all pairs of methods that judged all words; needs resamples */
    size_t comparisons;
};

/* Begins an evaluation for an estimator, of which nothing is kept. Release in any case. */
bool confidence_eval_init(struct confidence_eval *confidence_eval, const struct estimator *estimator,
                          struct vouch_error *err);

/*
 * Does the same for numbers that were read from a file, of which nothing is known but what the file states. After the
 * last answer confidence_eval_settle() leaves out kinds without numbers, and takes numbers outside 0 .. 1 for margins.
 */
bool confidence_eval_of_file(struct confidence_eval *confidence_eval, const struct file_method *method /* [count] */,
                             uint32_t count, bool trees, struct vouch_error *err);
void confidence_eval_settle(struct confidence_eval *confidence_eval);
void confidence_eval_release(struct confidence_eval *confidence_eval);

/*
 * Adds the rows of one answer, which must have been judged by that estimator. `gold` [N] are labels in the corpus's
 * spelling, or relations; `gold_head` [N] is NULL if the model labels.
 *
 * A label is right if it is gold's to the letter, a head if it is gold's, a relation if it is gold's whatever the
 * head; a chunk if gold has one of the same words and type; a sentence if all its labels, or all its heads, are.
 */
bool confidence_eval_add(struct confidence_eval *confidence_eval, const struct text *gold, const uint32_t *gold_head,
                         uint32_t N, const struct vouch_answer *answer, struct vouch_error *err);

/* Returns the numbers of one method, *n of them, to free(); rows without a number are left out. */
struct judged *confidence_eval_judged(const struct confidence_eval *confidence_eval, enum aspect aspect,
                                      uint32_t method, size_t *n, struct vouch_error *err);

/* Measures every method on every kind of row; intervals by `resamples`, 0: none. The same for any number of threads. */
bool confidence_eval_measure(struct confidence_eval *confidence_eval, uint32_t resamples, uint64_t seed,
                             uint32_t threads, struct vouch_error *err);

/* Returns all figures, intervals and bins. */
json_t *confidence_eval_json(const struct confidence_eval *confidence_eval);

/* Whether gold has a chunk of just these words; *type becomes its type. */
bool gold_span(const struct text *gold, uint32_t N, struct span span, struct text *type);

#endif
