/*
 * What the paper claims, and whether it holds in these results.
 *
 * A claim is a comparison on every dataset. It holds if it is true of the means and on more than half of them, holds in
 * part if only one of the two is so, or one kind of data agrees and the other does not, and does not hold otherwise. To
 * be best is to be no worse than each of the others. What was not measured decides nothing.
 */
#ifndef VOUCH_STUDY_CLAIMS_H
#define VOUCH_STUDY_CLAIMS_H

#include "study/results.h"

enum verdict { NOT_TESTED, DOES_NOT_HOLD, HOLDS_IN_PART, HOLDS };
extern const char *const verdict_names[]; /* by enum verdict */

struct claim {
    const char *text, *where; /* in the paper */
    enum verdict verdict;
    char *evidence; /* the numbers, in words */
};

enum { CLAIMS = 13 };

/* Release in any case. */
bool claims_judge(const struct results *results, struct claim claim[CLAIMS], struct vouch_error *err);
void claims_release(struct claim claim[CLAIMS]);

#endif
