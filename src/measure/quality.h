/*
 * Measures the quality of a confidence, and the intervals of the figures.
 */
#ifndef VOUCH_MEASURE_QUALITY_H
#define VOUCH_MEASURE_QUALITY_H

#include "measure/interval.h"
#include "measure/judged.h"
#include "measure/ranking.h"
#include "measure/reliability.h"

struct quality {
    uint64_t words, errors;
    struct ranking ranking;
    struct reliability reliability; /* all NAN, and bins empty, unless confidences are probabilities */
};

/*
 * Fills `quality`. With `probabilities`, every confidence must be in [0, 1]; without,
 * only the ranking is measured. Fails for want of memory and for confidences that are
 * not allowed. O(n log n).
 */
bool quality_measure(const struct judged *word /* [n] */, size_t n, bool probabilities, struct quality *quality,
                     struct vouch_error *err);

struct bootstrap {
    uint32_t resamples; /* 0 for 200 */
    double share;       /* of the resamples inside the intervals, below 1; 0 for 0.95 */
    uint64_t seed;
    bool probabilities; /* as for quality_measure() */
    uint32_t threads;   /* to work on, on which the result does not depend; 0: one */
    double *kept;       /* [PAIRED][resamples] figures of every resample, to be compared with another's; or NULL */
};

/* The figures by which two confidences in the same answers are compared, resample by resample. */
enum { PAIRED_PRECISION, PAIRED_RMSE, PAIRED };

struct quality_intervals {
    struct interval average_precision, area_under_roc;
    struct interval ece, brier, rmse; /* NAN unless confidences are probabilities */
};

/*
 * Finds intervals by resampling whole sentences, whose words are not independent. They are in [0, 1] and hold the
 * figure that quality_measure() gives. Resamples in which a figure is not defined (no error was drawn) do not count for
 * it; it is NAN if there is no other.
 *
 * Chance makes ECE and RMSE too high, the more so the fewer words and the better
 * calibrated they are. Their intervals reach down to where the true value may be, but
 * that of a perfect method's ECE, which is 0, they often miss.
 *
 * Fails like quality_measure(), and for 2^32 words or more. O(n log n + resamples * n).
 */
bool quality_bootstrap(const struct judged *word /* [n] */, size_t n, struct bootstrap how,
                       struct quality_intervals *intervals, struct vouch_error *err);

/*
 * Returns the interval of a difference of two figures of the same words, a minus b, whose resamples [n] were kept with
 * the same seed: both then come from the same sentences, whose difficulty cancels out. It holds `difference`, that of
 * the words as they are; NAN if no resample has both. Overwrites a.
 */
struct interval difference_interval(double *a, const double *b, uint32_t n, double difference);

#endif
