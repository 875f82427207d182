/*
 * Judges what the paper claims by these results.
 *
 * A claim is a comparison on every dataset. Where the 95 % intervals of the differences are known, it holds if the mean
 * is clearly better, does not hold if it is clearly worse, and is undecided if neither is so; it holds in part if more
 * datasets are clearly against the mean than for it, or against each other, or if one kind of data agrees and the other
 * does not. To be best is to be better than each of the others. Without intervals numbers decide: it holds if it is
 * true of the means and on more than half of the datasets, in part if only one of the two is so. Figures that were not
 * measured do not count.
 */
#ifndef VOUCH_STUDY_CLAIMS_H
#define VOUCH_STUDY_CLAIMS_H

#include "study/results.h"

enum verdict { NOT_TESTED, DOES_NOT_HOLD, UNDECIDED, HOLDS_IN_PART, HOLDS };
extern const char *const verdict_names[]; /* by enum verdict */

struct claim {
    const char *text, *where; /* in the paper */
    enum verdict verdict;
    char *evidence; /* the numbers, in words */
};

enum { CLAIMS = 13 };

/* Judges all claims. Release them in any case. */
bool claims_judge(const struct results *results, struct claim claim[CLAIMS], struct vouch_error *err);
void claims_release(struct claim claim[CLAIMS]);

#endif
