/*
 * The results of a study are what its steps printed, as OUT/results.json keeps it.
 *
 * A number is found by a path, "STEP:KEY.KEY": the name of the step, in which @ stands for the key of the dataset, then
 * keys. NAME[A] is the element of the array NAME one of whose strings is A, NAME[A,B] has both among its strings. An
 * example is "effect-of-k/@/50:confidence.words.methods[kd-fix].average_precision".
 *
 * No function here fails because a number is missing: for a number that was not printed, or a step that was not run, it
 * returns NULL or NAN.
 */
#ifndef VOUCH_STUDY_RESULTS_H
#define VOUCH_STUDY_RESULTS_H

#include "base/error.h"

#include <jansson.h>
#include <stddef.h>

struct result_set {
    const struct results *of;
    const char *key, *name;
    const char *paper; /* its row in the paper's tables; NULL: none */
    bool same;         /* the paper's own data */
    bool trees;
};

enum { RESULT_OTHERS = 3 };

/*
 * A setting is how CW learns. In the paper it learns from the best answer, PA on sequences from the five best and on
 * trees from the best; here, CW usually learns from the five best, and PA as in the paper.
 */
struct setting {
    char cw[16];     /* the learner: "cw", or "cw-k1" */
    char voices[16]; /* the model that has learned so: "cw+crf", or "cw-k1" */
    char suffix[8];  /* of the names of steps: "", or "-k1" */
};

struct results {
    json_t *root;
    json_t *steps;
    struct result_set *set; /* [sets] in the order of the plan */
    size_t sets;
    unsigned other_k[RESULT_OTHERS]; /* [others] how many best answers were learned from, for comparison */
    size_t others;
    struct setting setting[2]; /* [settings] the paper's, if it was run, then ours if that is another one */
    size_t settings;
    bool as_in_the_paper; /* the first of them is the paper's */
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

/* Datasets by kind: a bool tells treebanks from others, too. */
enum kind { OF_LABELS, OF_TREES, OF_ANY };
const struct result_set *next_set(const struct results *results, const struct result_set *after, int kind);
#define EACH_SET(set, results, kind)                                                                                   \
    const struct result_set *set = next_set(results, NULL, kind);                                                      \
    set;                                                                                                               \
    set = next_set(results, set, kind)

/* Return what is at a path, which is formatted: a part of the JSON, or a number. */
const json_t *part_at(const struct result_set *set, const char *path, ...) __attribute__((format(printf, 2, 3)));
#define figure_at(...) number_of(part_at(__VA_ARGS__))

/* Returns the result of a step that is of no dataset. */
const json_t *step_result(const struct results *results, const char *step);

/* Return the part of an object, or its number, at a path of keys: "all.f1". */
const json_t *part_in(const json_t *object, const char *path);
#define number_at(object, path) number_of(part_in(object, path))

double number_of(const json_t *number); /* NAN: it is none */

/* The path of a figure of all words of a model, "cw+crf", "pa+crf" or "crf": "raw" or "calibrated", method, figure. */
#define JUDGED "ranking/@/%s/%s:confidence.words.methods[%s].%s"

/* Returns which numbers of a method rank: only the committee's calibrated ones do. */
const char *ranking_numbers(const char *method);

/*
 * Returns a figure of how a method ranks the answers of a model, such as "average_precision". Raw numbers rank as the
 * paper's do; for the committee, whose raw numbers have no use, the calibrated ones count.
 */
double ranking_of(const struct result_set *set, const char *voices, const char *method, const char *path);

/* Whether any method was measured on the answers of that model. */
bool was_ranked(const struct result_set *set, const char *voices);

/*
 * Return the mean of a figure over all treebanks, or all other datasets, that were ranked; NAN if one lacks it: of the
 * "raw" or "calibrated" numbers of a method, or of those that rank.
 */
double judged_mean(const struct results *results, bool trees, const char *voices, const char *numbers,
                   const char *method, const char *path);
double ranking_mean(const struct results *results, bool trees, const char *voices, const char *method,
                    const char *path);

/* Returns half of the 95 % interval of KD-Fix's average precision, in the mean over a kind of data; NAN: unknown. */
double half_interval(const struct results *results, bool trees, const char *voices);

/* The paper's measure of calibration. */
#define RMSE "reliability.rmse"

/* The average precision of KD-Fix with K draws, around a model of the setting with that suffix. */
#define DRAWN "effect-of-k/@/%u%s:confidence.words.methods[kd-fix]."
#define precision_with_draws(set, K, suffix) figure_at(set, DRAWN "average_precision", K, suffix)

/* Returns the interval of what `many` draws have more than `few`, over the seeds that both were drawn with. */
struct gap gap_of_draws(const struct result_set *set, unsigned few, unsigned many, const char *suffix);

/*
 * Returns F1, or accuracy where there are no chunks, or right heads, in percent: of `algorithm` after a pass, or in the
 * end if that is 0. "cw-k1" is CW that learned from the best answer alone, for comparison.
 */
double score_of(const struct result_set *set, const char *algorithm, size_t pass);

/* Returns the results of one algorithm's passes: an array, NULL if there is none. */
const json_t *passes_of(const struct result_set *set, const char *algorithm);

/*
 * Returns the interval of how much one algorithm's score is above another's after a pass, or in the end if it is 0:
 * over the folds, or of trees over the sentences of the test file, which both have parsed.
 */
struct gap gap_of_scores(const struct result_set *set, const char *first, const char *second, size_t pass);

/* Returns the p of the paired t-test of two algorithms over the folds; NAN: none. */
double p_of_scores(const struct result_set *set, const char *first, const char *second);

/*
 * Returns the interval of how much one method's raw "average_precision" or "rmse" is above another's, over samples of
 * the sentences and, of methods that draw, over seeds.
 */
struct gap gap_of_methods(const struct result_set *set, const char *voices, const char *first, const char *second,
                          const char *figure);

/* Returns the published number of this dataset; NAN if there is none. */
double published_of(const struct result_set *set, unsigned table, const char *column);

#endif
