/*
 * The results of a study are what its steps printed, as OUT/results.json keeps
 * it.
 *
 * No function here fails because a number is missing: for a number that was not
 * printed, or a step that was not run, it returns NULL or NAN.
 */
#ifndef VOUCH_STUDY_RESULTS_H
#define VOUCH_STUDY_RESULTS_H

#include "base/error.h"

#include <jansson.h>
#include <stddef.h>

struct result_set {
    const char *key, *name;
    const char *paper; /* its row in the paper's tables; NULL: none */
    bool same;         /* the paper's own data */
    bool trees;
};

enum { RESULT_OTHERS = 3 };

struct results {
    json_t *root;
    json_t *steps;
    struct result_set *set; /* [sets] in the order of the plan */
    size_t sets;
    unsigned other_k[RESULT_OTHERS]; /* [others] how many best answers were learned from, for comparison */
    size_t others;
};

/* The 95 % interval of a difference of two figures; NAN: not known. */
struct gap {
    double low, high;
};

/* Reads the results. Release them in any case. */
bool results_read(struct results *results, const char *path, struct vouch_error *err);
void results_release(struct results *results);

/* Takes `root`, as if it had been read from `path`. */
bool results_take(struct results *results, json_t *root, const char *path, struct vouch_error *err);

/* Returns what the step of that name printed; NULL: nothing. */
const json_t *results_step(const struct results *results, const char *name, ...) __attribute__((format(printf, 2, 3)));

/* Returns a number under `key`, or a path of keys with dots between: "all.f1"; NAN: none. */
double number_at(const json_t *object, const char *path);

/* Returns the element of array `list` in which `key` is `value`; NULL: none. */
const json_t *element_with(const json_t *list, const char *key, const char *value);

/* Returns what was measured of one method on all words by a model: `voices` is "cw+crf", "pa+crf" or "crf". */
const json_t *judged_words(const struct results *results, const struct result_set *set, const char *voices,
                           bool calibrated, const char *method);

/*
 * Returns a figure of how a method ranks the answers of a model, such as "average_precision". Raw numbers rank as the
 * paper's do; for the committee, whose raw numbers have no use, the calibrated ones count.
 */
double ranking_of(const struct results *results, const struct result_set *set, const char *voices, const char *method,
                  const char *path);

/* Returns how many words were ranked; NAN: none. */
double words_ranked(const struct results *results, const struct result_set *set, const char *voices);

/* Whether any method was measured on the answers of that model. */
bool was_ranked(const struct results *results, const struct result_set *set, const char *voices);

/* Returns the mean of that figure over all treebanks, or all other datasets, that were ranked; NAN if one lacks it. */
double ranking_mean(const struct results *results, bool trees, const char *voices, const char *method,
                    const char *path);

/* Returns half of the 95 % interval of KD-Fix's average precision, in the mean over a kind of data; NAN: unknown. */
double half_interval(const struct results *results, bool trees, const char *voices);

/* Returns the paper's measure of calibration; NAN: not measured. */
double rmse_of(const struct results *results, const struct result_set *set, const char *voices, bool calibrated,
               const char *method);

/* Returns its mean over the same datasets as ranking_mean(). */
double rmse_mean(const struct results *results, bool trees, const char *voices, bool calibrated, const char *method);

/* Returns the average precision of KD-Fix with K draws. */
double precision_with_draws(const struct results *results, const struct result_set *set, unsigned K);

/* Returns a curve of vouch trade, whose output `step` is; NULL: none. */
const json_t *trade_curve_of(const json_t *step, const char *method, const char *direction);

/*
 * Return F1, or accuracy where there are no chunks, or right heads, in percent: of `algorithm` in the end, or after a
 * pass. "cw-k1" is CW that learned from the best answer alone, for comparison.
 */
double score_of(const struct results *results, const struct result_set *set, const char *algorithm);
double score_after_pass(const struct results *results, const struct result_set *set, const char *algorithm,
                        size_t pass);

/*
 * Returns the interval of how much one algorithm's score is above another's after a pass, or in the end if that is 0.
 */
struct gap gap_of_scores(const struct results *results, const struct result_set *set, const char *first,
                         const char *second, size_t pass);

/* Returns the interval of how much one method's raw "average_precision" or "rmse" is above another's. */
struct gap gap_of_methods(const struct results *results, const struct result_set *set, const char *voices,
                          const char *first, const char *second, const char *figure);

/* Returns the p of the paired t-test of two algorithms over the folds; NAN: none. */
double p_of_scores(const struct results *results, const struct result_set *set, const char *first, const char *second);

/* Returns the results of one algorithm's passes: an array, NULL if there is none. */
const json_t *passes_of(const struct results *results, const struct result_set *set, const char *algorithm);

/* Returns the published number of this dataset; NAN if there is none. */
double published_of(const struct result_set *set, unsigned table, const char *column);

#endif
