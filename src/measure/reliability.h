/*
 * Reliability tells how well a confidence serves as a probability of being
 * right.
 *
 * It is for confidences in [0, 1] alone. Without words every measure is NAN.
 */
#ifndef VOUCH_MEASURE_RELIABILITY_H
#define VOUCH_MEASURE_RELIABILITY_H

#include "measure/judged.h"

enum { RELIABILITY_BINS = 20 };

/* The words with a confidence in [j/20, (j+1)/20); those with 1 are in the last bin. */
struct reliability_bin {
    uint64_t words, right;
    double confidence; /* mean of the words; NAN if there are none */
    double accuracy;   /* right / words; NAN if there are none */
};

void reliability_bins(const struct levels *levels, struct reliability_bin *bin /* [RELIABILITY_BINS] */);

/*
 * Returns sqrt(sum_j n_j (b_j - c_j)^2 / sum_j n_j) over the bins, n_j being the words, c_j the accuracy and b_j the
 * centre of bin j (Mejer and Crammer, "Confidence Estimation in Structured Prediction").
 */
double bins_rmse(const struct reliability_bin *bin);

/*
 * Returns the same with each bin's mean confidence for c_j: the score of these confidences if the accuracy of every bin
 * were exactly its mean confidence. It is not zero, because words do not lie at the centres: about 0.02 if all are
 * nearly certain. Chance puts a perfect method above it, by less the more words there are; a score below it is no
 * merit.
 */
double bins_rmse_floor(const struct reliability_bin *bin);

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

/* Returns the mean of log_loss() (core/log_loss.h). */
double mean_log_loss(const struct levels *levels);

struct reliability {
    struct reliability_bin bin[RELIABILITY_BINS];
    double rmse, rmse_floor, ece, ece_equal_mass, brier, log_loss;
    double confidence, accuracy; /* means over all words */
};

/* Measures all of the above. O(levels), without memory. */
void reliability_measure(const struct levels *levels, struct reliability *reliability);

#endif
