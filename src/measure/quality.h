/*
 * Measures the quality of a confidence, as a ranking and as a probability, and the intervals of the figures.
 *
 * A judged word is a confidence and whether the word was right. Every measure is a function of the levels alone: the
 * distinct confidences, least first, with the number of wrong and of right words at each. Words of one level cannot be
 * told apart, so ties never depend on the order in which words came; and a word that counts m times is m words, which
 * is what resampling needs.
 *
 * Measuring lies below the model, beside learning: tuning parameters and cross-validation need it.
 */
#ifndef VOUCH_MEASURE_QUALITY_H
#define VOUCH_MEASURE_QUALITY_H

#include "base/error.h"
#include "measure/intervals.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct judged {
    double confidence; /* infinite for a margin without a rival; never NAN */
    uint32_t sentence; /* any number, the same for all words of a sentence */
    bool right;
};

/* The words of one confidence. There may be none: measures skip such a level. */
struct level {
    double confidence;
    uint64_t wrong, right;
};

struct levels {
    struct level *level; /* [levels] by confidence, least first, each once */
    size_t levels;
    uint64_t wrong, right; /* of all levels */
};

/* Fails for want of memory and for a confidence that is NAN. O(n log n). */
bool levels_init(struct levels *levels, const struct judged *word /* [n] */, size_t n, struct vouch_error *err);
void levels_release(struct levels *levels);

/* Returns the place of a confidence that is one of the levels'. O(log levels). */
size_t level_of(const struct levels *levels, double confidence);

/* ---- As a ranking: how well it finds the errors ---- */

/*
 * Words are inspected from the least confident up, in search of errors. Only the order of the confidences counts, so
 * raw margins can be used. Words of one confidence come in random order, and measures are expectations over these
 * orders, not the luck of one.
 *
 * Without words every measure is NAN. Without errors there is nothing to find, and all are NAN but the areas under the
 * risk-coverage curves, which are 0; without right words the area under the ROC curve is NAN.
 */

/* Returns the mean, over the errors, of the precision among the words up to and including it. Exact for ties. */
double average_precision(const struct levels *levels);

/* Returns the probability that an error is less confident than a right word, a tie counting one half. */
double area_under_roc(const struct levels *levels);

/*
 * Returns the precision when `percent` of the errors, rounded up to whole ones, are found: their number over the
 * expected number of words inspected until then.
 */
double precision_at_recall(const struct levels *levels, unsigned percent /* 1 .. 100 */);

/*
 * Returns the expected share of the errors that are found in the first `share` of the words. Of a word that is only
 * partly within that share, this part counts.
 */
double errors_found(const struct levels *levels, double share /* 0 .. 1 */);

/*
 * Returns the mean, over i = 1 .. words, of the share of errors among the i most confident words (the lower the
 * better). Exact for ties.
 */
double area_under_risk_coverage(const struct levels *levels);

/*
 * Returns the mean, over i = 1 .. words, of the errors among the i most confident words as a share of all words: AUGRC
 * of Traub et al. (2024), "Overcoming common flaws in the evaluation of selective classification systems". Unlike the
 * mean above, it does not weigh an error among the very most confident words a hundred times. Exact for ties.
 */
double area_under_generalised_risk(const struct levels *levels);

enum { RANKING_RECALLS = 10, RANKING_INSPECTED = 3 };
extern const unsigned ranking_recall[RANKING_RECALLS];      /* 10, 20 ... 100 % of the errors */
extern const unsigned ranking_inspected[RANKING_INSPECTED]; /* 1, 5, 10 % of the words */

struct ranking {
    double average_precision, area_under_roc, area_under_risk_coverage, area_under_generalised_risk;
    double precision[RANKING_RECALLS]; /* at ranking_recall */
    double found[RANKING_INSPECTED];   /* share of the errors, after ranking_inspected */
};

/* Measures all of the above. O(words), without memory. */
void ranking_measure(const struct levels *levels, struct ranking *ranking);

struct curve_point {
    double x, y;
    double confidence; /* of the last words that were taken in */
};

enum { CURVE_POINTS = 1000 }; /* enough for any drawing */

/*
 * Compute curves, as points in *point, with room for `most` >= 2 of them, and return the number of points. There is one
 * point for each level, after all its words, unless these are too many: then x is divided into cells of equal width and
 * the first point in each is kept. The last point has x = 1.
 *
 * Precision (y) by recall (x) from the least confident up, at levels with errors; and
 * the share of errors (y) by the share of words (x) from the most confident down.
 */
size_t precision_recall_curve(const struct levels *levels, struct curve_point *point, size_t most);
size_t risk_coverage_curve(const struct levels *levels, struct curve_point *point, size_t most);

/* ---- As a probability of being right: for confidences in [0, 1] alone; without words every measure is NAN ---- */

enum { RELIABILITY_BINS = 20 };

/* The words with a confidence in [j/20, (j+1)/20); those with 1 are in the last bin. */
struct reliability_bin {
    uint64_t words, right;
    double confidence; /* mean of the words; NAN if there are none */
    double accuracy;   /* right / words; NAN if there are none */
};

/* Returns the number of a confidence's bin. */
size_t reliability_bin_of(double confidence);

void reliability_bins(const struct levels *levels, struct reliability_bin *bin /* [RELIABILITY_BINS] */);

/*
 * Returns sqrt(sum_j n_j (b_j - c_j)^2 / sum_j n_j) over the bins, n_j being the words and b_j the centre of bin j, c_j
 * its accuracy (Mejer and Crammer, "Confidence Estimation in Structured Prediction").
 *
 * With each bin's mean confidence for c_j it is a floor: the score of these confidences if the accuracy of every bin
 * were exactly its mean confidence. It is not zero, because words do not lie at the centres: about 0.02 if all are
 * nearly certain. Chance puts a perfect method above it, by less the more words there are; a score below it is no
 * merit.
 */
enum rmse_of { OF_ACCURACY, OF_CONFIDENCE };
double bins_rmse(const struct reliability_bin *bin, enum rmse_of of);

/* Returns the expected calibration error: sum_j n_j accuracy - mean confidence / sum_j n_j. */
double bins_ece(const struct reliability_bin *bin);

/*
 * Returns the same over 20 bins of equally many words by order of confidence. A level that lies across an edge is
 * divided, its right words evenly, so that bins hold words/20 exactly, if need be with parts of words, whatever the
 * order of the ties.
 */
double ece_equal_mass(const struct levels *levels);

/* Returns the mean of (confidence - right)^2. */
double brier_score(const struct levels *levels);

struct reliability {
    struct reliability_bin bin[RELIABILITY_BINS];
    double rmse, rmse_floor, ece, ece_equal_mass, brier, log_loss;
    double confidence, accuracy; /* means over all words */
};

/* Measures all of the above. O(levels), without memory. */
void reliability_measure(const struct levels *levels, struct reliability *reliability);

/* ---- As both, with intervals ---- */

struct quality {
    uint64_t words, errors;
    struct ranking ranking;
    struct reliability reliability; /* all NAN, and bins empty, unless confidences are probabilities */
};

/* Fails unless all confidences are probabilities. */
bool check_probabilities(const struct levels *levels, struct vouch_error *err);

/*
 * Fills `quality`. With `probabilities`, every confidence must be in [0, 1]; without, only the ranking is measured.
 * Fails for want of memory and for confidences that are not allowed. O(n log n).
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

/* Whether an ECE is more than what chance gives probabilities that are exactly right. */
struct calibration_test {
    double limit; /* the share of resamples inside the intervals have at most this ECE */
    double p;     /* the share of them that have at least the words' ECE: (1 + so many) / (1 + resamples) */
};

struct quality_intervals {
    struct interval average_precision, area_under_roc;
    struct interval brier, rmse;         /* NAN unless confidences are probabilities, */
    struct calibration_test calibration; /* like this */
};

/*
 * Finds intervals by resampling whole sentences, whose words are not independent. They are in [0, 1] and hold the
 * figure that quality_measure() gives. Resamples in which a figure is not defined (no error was drawn) do not count for
 * it; it is NAN if there is no other.
 *
 * Chance makes ECE and RMSE too high, the more so the fewer words and the better calibrated they are. The interval of
 * RMSE reaches down to where the true value may be. ECE has none, but a test: the ECE of words that are drawn right as
 * often as their confidences state, and as much together within sentences as these words are (see bootstrap.c).
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
