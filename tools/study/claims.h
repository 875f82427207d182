/*
 * Judges what the paper claims by these results.
 *
 * A claim is judged in the paper's setting, in which CW learns from the best answer, and then in ours: the first
 * verdict is the claim's. Where the paper's setting was not run, ours decides.
 *
 * A claim is a comparison on every dataset. Where the 95 % intervals of the differences are known, it holds if the mean
 * is clearly better, does not hold if it is clearly worse, and is undecided if neither is so; it holds in part if more
 * datasets are clearly against the mean than for it, or against each other, or if one kind of data agrees and the other
 * does not. To be best is to be better than each of the others. Without intervals numbers decide: it holds if it is
 * true of the means and on more than half of the datasets, in part if only one of the two is so. Figures that were not
 * measured do not count.
 *
 * To be "at least as good" is to be worse by no more than a margin, which is stated: it holds if the whole interval
 * lies above minus the margin, and does not hold if it reaches below that and lies below 0.
 */
#ifndef VOUCH_STUDY_CLAIMS_H
#define VOUCH_STUDY_CLAIMS_H

#include "report/document.h"
#include "study/results.h"

enum verdict { NOT_TESTED, DOES_NOT_HOLD, UNDECIDED, HOLDS_IN_PART, HOLDS };
extern const char *const verdict_names[]; /* by enum verdict */

struct claim {
    const char *text, *where; /* in the paper */
    enum verdict verdict; /* in the paper's setting; */
    enum verdict ours;    /* in ours, if that is another one; else NOT_TESTED */
    char *evidence;       /* the numbers, in words */
    char *published;      /* the paper's, means over its datasets; empty: it has none in tables */
};

/*
 * Scores of learners are equivalent within this many points: the paper's CW is ahead of its PA by that much on trees,
 * in the mean.
 */
#define SCORE_MARGIN 0.2

enum { CLAIMS = 16 };

/* Judges all claims. Release them in any case. */
bool claims_judge(const struct results *results, struct claim claim[CLAIMS], struct vouch_error *err);
void claims_release(struct claim claim[CLAIMS]);

/*
 * Writes the short answer: where the paper's methods win, where they lose, and what the CRF and the committee add.
 * Paragraphs are left out if their numbers were not measured.
 */
void findings_write(struct document *document, const struct results *results);

/*
 * A comparison tells whether one figure is better than another, dataset by dataset and in the mean.
 *
 * Where the 95 % interval of the difference is known on every dataset, a difference counts only if its interval does
 * not hold 0. The half width of the mean's interval, on either side, is the root of the sum of squares of those of the
 * datasets, over n, as these are independent of each other. Where no interval is known, numbers are compared as they
 * are.
 */
struct comparison {
    size_t n, won;        /* datasets with both figures; those on which the first is at least as good */
    double first, second; /* sums over these */
    bool lower;           /* is better */
    double margin;        /* to be worse by less than this counts as equally good; 0: to be better is what is claimed */
    size_t known;         /* datasets with an interval of the difference; */
    size_t better, worse; /* those of them on which the first is clearly so, or clearly within the margin */
    double down, up;      /* sums of squares of how far the intervals reach below and above the differences */
};

/* Adds a dataset, with the interval of first - second if that is known; figures that are NAN do not count. */
void comparison_add(struct comparison *comparison, double first, double second, struct gap gap);
#define NO_GAP ((struct gap){NAN, NAN})

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
