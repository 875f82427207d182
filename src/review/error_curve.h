/*
 * Turns log-odds into the probability of an error.
 */
#ifndef VOUCH_REVIEW_ERROR_CURVE_H
#define VOUCH_REVIEW_ERROR_CURVE_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

enum { CURVE_GROUPS = 16 };

/* A probability that falls as the odds rise, and is never 0 or 1. */
struct error_curve {
    double bias, slope;                                             /* of all */
    double bias_without[CURVE_GROUPS], slope_without[CURVE_GROUPS]; /* of all but one group of sentences */
};

/* The odds of a label, and its sentence, whose group shows how far the curve depends on a few sentences. */
struct rated {
    double odds;
    uint32_t sentence;
};

/* Fits the curve to the odds of the given labels, right or wrong, and to those of planted errors. */
bool error_curve_fit(struct error_curve *curve, const struct rated *given, size_t count, const struct rated *planted,
                     size_t errors, struct vouch_error *err);

double error_curve_at(const struct error_curve *curve, double odds);

/* The number of errors to be expected among `count` labels with such odds, and its interval of 90 percent. */
struct expected_errors {
    double count, least, most;
};
struct expected_errors error_curve_expect(const struct error_curve *curve, const struct rated *given, size_t count);

#endif
