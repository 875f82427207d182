/*
 * A calibration maps a raw confidence (any real number, an infinite margin included) to the probability of being right.
 *
 * All kinds work on t(raw). If the raw values that were learned from all lie in [0, 1], t is their log-odds, so that
 * values near certainty keep their differences. Otherwise they are margins, whose size matters less the greater it is:
 *
 *     t(raw) = sign(raw) * log(1 + |raw|), limited to -limit .. limit
 *
 * `limit` is one more than the greatest finite |t| that was seen, so that infinity has a place of its own that is not
 * too far off.
 */
#ifndef VOUCH_FIT_CALIBRATE_H
#define VOUCH_FIT_CALIBRATE_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Isotonic regression finds the non-decreasing step function nearest to the shares of right answers, by joining runs of
 * neighbouring values.
 */
struct pool {
    double x;     /* the sum of the values; divided by the count, their mean */
    double right; /* how many were right */
    double count; /* of how many; > 0 */
};

/*
 * Returns the share of right ones, drawn towards one half as if `prior` right
 * and `prior` wrong ones had been seen as well.
 */
double pool_share(const struct pool *pool, double prior);

/* Pools neighbours until the shares ascend strictly; returns how many pools are left, at the front. O(count). */
size_t isotonic_pool(struct pool *pools, size_t count, double prior);

/*
 * Joins every pool of fewer than `least` to a neighbour, then the two neighbours that differ least, until there are at
 * most `most`. The cost of joining is the loss of log likelihood. O(count + (count of large ones - most)^2).
 */
size_t isotonic_thin(struct pool *pools, size_t count, double least, size_t most);

enum calibration_kind { CALIBRATE_NONE, CALIBRATE_ISOTONIC, CALIBRATE_PLATT, CALIBRATE_BETA, CALIBRATION_KINDS };

enum { CALIBRATION_POINTS = 64 }; /* knots at most */

struct calibration {
    enum calibration_kind kind;
    bool margin;     /* raw values outside [0, 1] were seen */
    double limit;    /* of |t|, if margin */
    uint32_t points; /* isotonic: knots, 0 for other kinds */
    double *x;       /* [points] t, ascending strictly */
    double *y;       /* [points] probability, ascending strictly, within (0, 1) */
    double a, b, c;  /* Platt: sigmoid(a t + b); beta: sigmoid(a log(p) - b log(1 - p) + c), p being sigmoid(t); a >= 0,
                        for beta b >= 0 */
};

/* The rows to learn from: raw confidences, and whether each answer was right. Raw values that are NAN are skipped. */
struct calibration_rows {
    const double *raw;     /* [n] */
    const bool *right;     /* [n] */
    const uint32_t *group; /* [n] the sentence, whose rows stay together; NULL: every row is alone */
    size_t n;
};

/* Fails if all values are NAN, and if beta is asked for and some values are outside [0, 1]. O(n log n). */
bool calibration_fit(enum calibration_kind kind, const struct calibration_rows *rows, struct calibration *calibration,
                     struct vouch_error *err);

/*
 * Tries isotonic and Platt, for values in [0, 1] beta instead of Platt: each learns from one half of the groups, chosen
 * at random, and is measured on the other, both ways round. The kind with the smallest log loss then learns from
 * everything. loss[kind] is the mean held-out loss in nats; for CALIBRATE_NONE, which is never chosen, that of the raw
 * values; NAN where a kind does not apply. With fewer than two groups nothing can be held out: Platt is taken, and
 * every loss is NAN.
 */
bool calibration_choose(const struct calibration_rows *rows, uint64_t seed, struct calibration *calibration,
                        double loss[CALIBRATION_KINDS], struct vouch_error *err);

/*
 * Finds the probability of each value by `kind` learned from the other groups only: held [n], by five parts. It is 1/2
 * where there is nothing else to learn from.
 */
bool calibration_hold_out(enum calibration_kind kind, const struct calibration_rows *rows, uint64_t seed, double *held,
                          struct vouch_error *err);

/*
 * Returns the probability, which is in (0, 1) and non-decreasing in `raw`. NAN stays NAN, and CALIBRATE_NONE returns
 * the raw value as it is, whatever its range.
 */
double calibration_apply(const struct calibration *calibration, double raw);

/* Returns t(raw). */
double calibration_transform(const struct calibration *calibration, double raw);

/* Does the same for a raw value between 0 and 1 of which the log-odds are known. */
double calibration_apply_odds(const struct calibration *calibration, double odds);

void calibration_release(struct calibration *calibration);

#endif
