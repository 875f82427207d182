/*
 * A comparison tells whether one figure is better than another, dataset by dataset and in the mean.
 *
 * Where the 95 % interval of the difference is known on every dataset, a difference counts only if its interval does
 * not hold 0. The half width of the mean's interval, on either side, is the root of the sum of squares of those of the
 * datasets, over n, as these are independent of each other. Where no interval is known, numbers are compared as they
 * are.
 */
#ifndef VOUCH_STUDY_COMPARISON_H
#define VOUCH_STUDY_COMPARISON_H

#include "study/claims.h"

struct comparison {
    size_t n, won;        /* datasets with both figures; those on which the first is at least as good */
    double first, second; /* sums over these */
    bool lower;           /* is better */
    size_t known;         /* datasets with an interval of the difference; */
    size_t better, worse; /* those of them on which the first is clearly so */
    double down, up;      /* sums of squares of how far the intervals reach below and above the differences */
};

/* Adds a dataset; figures that are NAN do not count. */
void comparison_add(struct comparison *comparison, double first, double second);

/* Does the same with the interval of first - second, if that is known. */
void comparison_add_gap(struct comparison *comparison, double first, double second, struct gap gap);

/* Whether differences have intervals, on all datasets. */
bool comparison_is_sure(const struct comparison *comparison);

/* Returns 1 if the first mean is better, -1 if it is worse, 0 if the two cannot be told apart. */
int comparison_sign(const struct comparison *comparison);

/* Return the means; NAN without datasets. */
double comparison_first(const struct comparison *comparison);
double comparison_second(const struct comparison *comparison);

enum verdict comparison_verdict(const struct comparison *comparison);

/* Returns the verdict of two claims in one: both, none, or one of them; a claim that was not tested does not count. */
enum verdict verdict_join(enum verdict a, enum verdict b);

#endif
