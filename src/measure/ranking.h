/*
 * A ranking is measured by how well a confidence finds the errors.
 *
 * Words are inspected from the least confident up, in search of errors. Only the order of the confidences counts, so
 * raw margins can be used. Words of one confidence come in random order, and measures are expectations over these
 * orders, not the luck of one.
 *
 * Without words every measure is NAN. Without errors there is nothing to find, and all
 * are NAN but the area under the risk-coverage curve, which is 0; without right words
 * the area under the ROC curve is NAN.
 */
#ifndef VOUCH_MEASURE_RANKING_H
#define VOUCH_MEASURE_RANKING_H

#include "measure/judged.h"

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

enum { RANKING_RECALLS = 10, RANKING_INSPECTED = 3 };
extern const unsigned ranking_recall[RANKING_RECALLS];      /* 10, 20 ... 100 % of the errors */
extern const unsigned ranking_inspected[RANKING_INSPECTED]; /* 1, 5, 10 % of the words */

struct ranking {
    double average_precision, area_under_roc, area_under_risk_coverage;
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

#endif
