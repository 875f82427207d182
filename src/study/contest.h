/*
 * A contest: is one figure at least as good as another, dataset by dataset and in the mean?
 */
#ifndef VOUCH_STUDY_CONTEST_H
#define VOUCH_STUDY_CONTEST_H

#include "study/claims.h"

struct contest {
    size_t n, won;        /* datasets with both figures; those on which the first is at least as good */
    double first, second; /* sums over these */
    bool lower;           /* is better */
};

/* Figures that are NAN do not count. */
void contest_add(struct contest *contest, double first, double second);

/* Means; NAN of nothing. */
double contest_first(const struct contest *contest);
double contest_second(const struct contest *contest);

enum verdict contest_verdict(const struct contest *contest);

/* Of two claims in one: both, none, or one of them; what was not tested does not count. */
enum verdict verdict_join(enum verdict a, enum verdict b);

#endif
