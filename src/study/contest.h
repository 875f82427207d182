/*
 * A contest: is one figure better than another, dataset by dataset and in the mean?
 *
 * Where the 95 % interval of the difference is known on every dataset, a difference counts only if its interval does
 * not hold 0. How far the mean's interval reaches to either side is the root of the sum of squares of how far those of
 * the datasets do, over n, as they are independent of each other. Where no interval is known, numbers are compared as
 * they are.
 */
#ifndef VOUCH_STUDY_CONTEST_H
#define VOUCH_STUDY_CONTEST_H

#include "study/claims.h"

struct contest {
    size_t n, won;        /* datasets with both figures; those on which the first is at least as good */
    double first, second; /* sums over these */
    bool lower;           /* is better */
    size_t known;         /* datasets with an interval of the difference; */
    size_t better, worse; /* those of them on which the first is clearly so */
    double down, up;      /* squares of how far the intervals reach below and above the differences, added up */
};

/* Figures that are NAN do not count. */
void contest_add(struct contest *contest, double first, double second);

/* The same, with the interval of first - second, if that is known. */
void contest_add_gap(struct contest *contest, double first, double second, struct gap gap);

/* Whether differences have intervals, on all datasets. */
bool contest_is_sure(const struct contest *contest);

/* Of the means: 1 if the first is better, -1 if it is worse, 0 if the two cannot be told apart. */
int contest_sign(const struct contest *contest);

/* Means; NAN of nothing. */
double contest_first(const struct contest *contest);
double contest_second(const struct contest *contest);

enum verdict contest_verdict(const struct contest *contest);

/* Of two claims in one: both, none, or one of them; what was not tested does not count. */
enum verdict verdict_join(enum verdict a, enum verdict b);

#endif
