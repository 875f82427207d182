/*
 * Logistic regression finds the probability of being right from a few numbers:
 *
 *     p(x) = sigmoid(bias + sum over j of weight[j] * (x[j] - mean[j]) / scale[j])
 *
 * Here are also probabilities, their odds and log-odds, and how near to certainty each of them may come.
 */
#ifndef VOUCH_FIT_LOGISTIC_H
#define VOUCH_FIT_LOGISTIC_H

#include "base/error.h"

#include <stdint.h>
#include <stddef.h>

/* Returns 1 / (1 + exp(-z)), which is non-decreasing to the last bit, and 0 and 1 for infinite z. */
double sigmoid(double z);

/* Return the inverse of sigmoid(); p counts as no nearer to 0 or 1 than 1e-6, in fine_log_odds() than 1e-9. */
double log_odds(double p);
double fine_log_odds(double p);

/* Returns p / (1 - p), bounded as in fine_log_odds(), of which it is the exponential. */
double fine_odds(double p);

/* Returns fine_log_odds(sigmoid(z)), without the digits that a probability near 1 would lose. */
double within_fine_odds(double z);

/* Returns p, drawn in by a millionth, as no finite sample gives certainty. Strictly ascending: no order is lost. */
double short_of_certainty(double p);

/* Returns the log-odds of a share of K votes, with half a vote more on both sides: all votes are not certainty. */
double vote_odds(double share, uint32_t K);

/* Returns log(1 + exp(z)), without overflow. */
double softplus(double z);

enum { LOGISTIC_MOST = 64 }; /* features */

struct logistic {
    uint32_t features;
    double *weight; /* [features] of the standardised features; 0 where scale is; the other arrays are behind it */
    double bias;
    double *mean;  /* [features] */
    double *scale; /* [features] standard deviation; 0 for a feature that was always the same */
};

/* The rows to learn from. */
struct logistic_rows {
    const double *x;       /* [n][features] finite */
    const bool *right;     /* [n] */
    const double *ceiling; /* [n] in (0, 1]: the largest probability of each row; NULL: all 1 */
    size_t n;
    uint32_t features;
    const uint32_t *group; /* [n] sentences, which stay together; only for logistic_cross_fit() */
    const double *weight;  /* [n] how often a row counts; NULL: once */
};

/*
 * Fits to targets that are not 1 and 0 but, for R right and W wrong rows,
 *
 *     (R + 1) / (R + 2)   and   1 / (W + 2)
 *
 * (Platt 1999), so that no finite sample makes anything certain, one with only right or only wrong rows included. `l2`
 * >= 0 is the strength of the prior on the weights (not on the bias): l2/2 * sum of squares is added to the sum of the
 * losses. With ceilings, what is fitted is ceiling * p(x). Deterministic.
 */
bool logistic_fit(const struct logistic_rows *rows, double l2, struct logistic *logistic, struct vouch_error *err);

/* Makes a model that knows nothing yet: all its numbers are 0. Release it in any case. */
bool logistic_init(struct logistic *logistic, uint32_t features, struct vouch_error *err);

/* Makes a model whose log-odds are its first feature. */
bool logistic_first(struct logistic *logistic, uint32_t features, struct vouch_error *err);

/* Returns a standardised feature; 0 for one that was always the same. */
static inline double logistic_standardised(const struct logistic *logistic, const double *x, uint32_t j)
{
    return logistic->scale[j] > 0 ? (x[j] - logistic->mean[j]) / logistic->scale[j] : 0;
}

double logistic_apply(const struct logistic *logistic, const double *x /* [features] */);

/* Returns its log-odds; or finds the same log-odds score [n] of rows that lie side by side: x [features][n]. */
double logistic_score(const struct logistic *logistic, const double *x /* [features] */);
void logistic_scores(const struct logistic *logistic, const double *x, size_t n, double *score);

/*
 * Fits all rows, and cross-fits: held [n] is the probability of every row by a regression that learned from the other
 * four fifths of the groups; half of the ceiling if these are empty. `prior` gives the l2 for so many rows that are
 * learned from. Features are standardised by all rows.
 */
bool logistic_cross_fit(const struct logistic_rows *rows, double (*prior)(double right, double wrong), uint64_t seed,
                        struct logistic *logistic, double *held, struct vouch_error *err);

void logistic_release(struct logistic *logistic);

/*
 * Deals rows out to parts so that the rows of a group (the words of a sentence) stay together: sets part[i] in
 * 0 .. parts-1 for n rows. The groups are shuffled and dealt out in turn, so that parts differ by one group at most;
 * with fewer groups than parts the last parts are empty. `group` NULL: every row is a group. A pure function of its
 * arguments. O(n log n).
 */
bool split_groups(const uint32_t *group, size_t n, uint32_t parts, uint64_t seed, uint32_t *part,
                  struct vouch_error *err);

#endif
