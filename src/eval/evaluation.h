/*
 * An evaluation compares answers with gold. Answers are right or wrong, and their confidence is worth something if it
 * tells which. The files of this folder, in the order in which it happens:
 *
 *     evaluation.c          the table of options; a model answers files, labels or trees are counted; all as JSON
 *     confidence_eval.c     measures confidence: how well it ranks, and how far it is a probability
 *     coverage_tally.c      counts how often sets of choices hold the right one
 *     file_comparison.c     compares answers that are in files instead
 *     answer_calibration.c  makes probabilities of the numbers in such a file
 *     algorithm_folds.c     compares algorithms by cross-validation instead
 */
#ifndef VOUCH_EVAL_EVALUATION_H
#define VOUCH_EVAL_EVALUATION_H

#include "answer/answer_stream.h"
#include "answer/measured_text.h"
#include "answers/answer_file.h"
#include "measure/intervals.h"
#include "measure/quality.h"
#include "measure/tag_score.h"
#include "measure/tree_score.h"
#include "options/rows.h"
#include "task/dictionary.h"
#include "task/tag_labels.h"
#include "task/task.h"
#include "train/held_out_scores.h"

#include <jansson.h>

/* The options of vouch eval: of a model, of answers in files, and of algorithms. */
struct eval_options {
    struct options common;
    struct reading_values reading;
    struct learner_values learner;
    struct confidence_values confidence;
    struct score_values source;
    const char *model, *answers, *columns, *csv, *report;
    enum row_sentences rows;
    bool log;
    uint32_t resamples, folds, seeds;
    bool json, by_sentence;
};
extern const struct option_table eval_options;

/*
 * Confidence: confidence_eval.c
 *
 * Every answer leaves rows: one for each of its words, of its relations, of its chunks, and one for itself, each with
 * the verdict and every method's number. Words that the answer puts inside of a chunk leave another: most words are
 * outside, and surely so, and figures of all words tell little of the others. At the end each method is measured on
 * each kind of row, and on the rows of each label.
 */

/* The kinds of things that have numbers. */
enum aspect { ASPECT_WORDS, ASPECT_RELATIONS, ASPECT_INSIDE, ASPECT_SPANS, ASPECT_SENTENCES, ASPECTS };
extern const char *const aspect_names[ASPECTS]; /* "words", "relations", "inside", "spans", "sentences" */

/* The answers of one label, relation or type of chunk, and how far their numbers are probabilities. */
struct label_eval {
    uint64_t count, wrong;
    double confidence, accuracy, ece;
    struct calibration_test calibration; /* NAN without resamples */
};

enum { MOST_SEEDS = 20 };

/* One method on one kind of row. */
struct method_eval {
    char method[METHOD_NAME];
    bool calibrated;                    /* the numbers are meant to be probabilities of being right */
    bool unstated;                      /* it is not known whether they are */
    bool bounded;                       /* they lie between 0 and 1, calibrated or not */
    struct quality quality;             /* its `words` are rows */
    struct quality_intervals intervals; /* NAN if there are none */
    struct label_eval *by_label;        /* [labels] NULL: rows have no labels, or numbers are margins */
    double by_seed[PAIRED][MOST_SEEDS]; /* [seeds] of a method that draws: its figures with each seed of draws */
    uint32_t seeds;
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

/* A label of the answers. */
struct eval_label {
    struct text name;
    uint32_t number;
};

/* Returns all labels in the order of their names, to free(); NULL with an error. */
struct eval_label *labels_by_name(const struct dictionary *labels, struct vouch_error *err);

struct confidence_eval {
    uint32_t methods;
    uint32_t sentences; /* so far */
    uint32_t resamples; /* that intervals come from */
    bool trees;         /* the words' numbers are about heads */
    bool spans;         /* there are no words: spans of texts are judged, and sentences are texts */
    struct dictionary known;  /* labels of answers, which rows have by number */
    struct eval_label *label; /* [labels] the same, by name, when everything is measured */
    uint32_t labels;
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
bool confidence_eval_measure(struct confidence_eval *confidence_eval, uint32_t resamples, const struct work *work,
                             struct vouch_error *err);

/*
 * Adds the figures of the same words by models that were drawn with another seed, of methods that draw. After the last,
 * confidence_eval_settle_seeds() makes average precision and RMSE of these methods means over the seeds, and counts in
 * the intervals of these, and of differences of two methods, that other seeds would have given other means.
 */
void confidence_eval_add_seed(struct confidence_eval *confidence_eval, const struct confidence_eval *other);
void confidence_eval_settle_seeds(struct confidence_eval *confidence_eval);

/* Returns all figures, intervals and bins. */
json_t *confidence_eval_json(const struct confidence_eval *confidence_eval);

/* Whether gold has a chunk of just these words; *type becomes its type. */
bool gold_span(const struct text *gold, uint32_t N, struct span span, struct text *type);

/*
 * Sets of choices: coverage_tally.c
 *
 * How often sets hold the right choice, and how large they are, for each kind of things: see enum covered. What is
 * promised is a mean over units, sentences or documents, of all things or of those whose right label is the same.
 */

/* A sentence with its truth: labels in the corpus's spelling, or heads and relations. */
struct covered_sentence {
    uint32_t N;
    const struct text *gold;   /* [N] labels, or relations */
    const uint32_t *gold_head; /* [N]; NULL if the model labels */
    const struct vouch_answer *answer;
};

/* Returns the number of things in a sentence that have sets. */
uint32_t covered_count(const struct covered_sentence *sentence, enum covered what);

/*
 * Returns the probability of the right choice of thing i in its set; NAN if it is not in the set. *answered says
 * whether it is the answer's. The right reading of a chunk is the type that gold has for just these words, or O if it
 * has none.
 */
double covered_truth(const struct covered_sentence *sentence, enum covered what, uint32_t i, bool *answered);

/* Returns the right choice: a label, a type or O, or a relation; empty for a head. */
struct text covered_label(const struct covered_sentence *sentence, enum covered what, uint32_t i);

/* Returns what has these sets: "words", "heads", "chunks" or "relations". */
const char *covered_name(enum covered what, bool trees);

enum covered_unit { BY_SENTENCES, BY_DOCUMENTS, COVERED_UNITS };
extern const char *const covered_unit_names[COVERED_UNITS]; /* "sentences", "documents" */

/* Counts over units, one after the other: the last one is open until things of another come. */
struct covered_share {
    struct clustered closed;
    double shares; /* the sum over closed units of the share that is covered */
    uint32_t unit, covered, of;
};

/* Counts of some things, and sums over their sets of sizes, and of sets of one. */
struct covered_tally {
    struct covered_share by[COVERED_UNITS];
    double choices, single;
};

/* All counts. Zero it before first use; documents are counted by the caller. */
struct coverage_tally {
    struct document_count documents;
    uint32_t sentences;
    struct covered_tally all[COVERED];
    struct covered_tally others[COVERED];    /* labels without a threshold of their own, if any label has one */
    struct covered_tally *by_label[COVERED]; /* [labels] heads have none */
    size_t capacity[COVERED];
    struct dictionary labels; /* the right ones; numbers begin at 1, indices at 0 */
    struct eval_label *label; /* [labels] the same, by name, once closed */
};

/* Adds the sets of an answer, which were made by these thresholds. */
bool coverage_tally_add(struct coverage_tally *tally, const struct covered_sentence *sentence,
                        const struct set_thresholds *least, struct vouch_error *err);
bool coverage_tally_close(struct coverage_tally *tally, struct vouch_error *err);
void coverage_tally_release(struct coverage_tally *tally);

/* Returns the counts of the k-th label by name; NULL: no such thing has it. */
const struct covered_tally *coverage_of_label(const struct coverage_tally *tally, enum covered what, uint32_t k);

/* The figures that were counted, if count is above 0; shares are in percent. */
struct coverage_figures {
    double units, count;
    double mean;             /* of the units' shares, which is the figure that is promised */
    double share, low, high; /* of all, and its interval of 90 percent, by units */
    double size, single;     /* the mean size of a set; the share of sets of one choice */
};
struct coverage_figures coverage_figures(const struct covered_tally *tally, enum covered_unit unit);

json_t *coverage_tally_json(const struct coverage_tally *tally, bool trees);

/* The evaluation. Set the first five fields; zero the rest. */
struct evaluation {
    const struct eval_options *options; /* the confidence to measure, and the files to answer */

    /* Called with each answer that comes with confidence and its gold labels as they are compared; with every file
       before it is read. May be NULL. */
    bool (*on_answer)(void *context, const struct sentence *sentence, const struct text *gold,
                      const struct vouch_answer *answer, struct vouch_error *err);
    void (*on_file)(void *context, const char *path);
    void *context;
    uint32_t redraw; /* models are drawn with another seed: see struct estimate_request */

    const struct task *task;          /* how gold labels are read */
    const struct vouch_model *model;  /* the model that answers; NULL: answers in files */
    const struct score_files *scores; /* of a model without weights; else NULL */
    uint64_t known;                   /* words whose gold label the model knows */
    uint64_t sentences;
    struct measured_text text;        /* what they are */
    bool parses, labelled;            /* answers are trees; trees have relations */
    struct tag_score score;           /* one of these two counts; the other is empty */
    struct tree_score trees;
    bool judged; /* confidence is measured */
    bool covers; /* sets of choices are measured: */
    struct coverage_model coverage;
    struct coverage_tally tally;
    struct confidence_eval confidence_eval;

    bool by_sentence; /* the words that are right are counted by sentences: */
    uint32_t *right;  /* [sentences] */
    struct text *gold;
    struct label_work work;
    bool *punctuation;
    size_t right_capacity, gold_capacity, punctuation_capacity;
};

/* Lets the model answer the files of the options, with the confidence that they name, and measures everything. */
bool evaluation_run(struct evaluation *evaluation, const struct vouch_model *model, struct vouch_error *err);

/* Counts one answer to a sentence with gold labels, or heads. The function of an answer_sink. */
bool evaluation_take(void *evaluation, const struct sentence *sentence, const struct vouch_answer *answer,
                     struct vouch_error *err);

/* Returns everything that was measured; NULL if there is no memory for it. */
json_t *evaluation_json(const struct evaluation *evaluation);
void evaluation_release(struct evaluation *evaluation);

#endif
