/*
 * From log-odds to the probability of an error.
 */
#ifndef VOUCH_USE_ERROR_CURVE_H
#define VOUCH_USE_ERROR_CURVE_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

enum { CURVE_GROUPS = 16 };

/* Falls as the odds rise, and is never 0 or 1. */
struct error_curve {
    double bias, slope;                                             /* of all */
    double bias_without[CURVE_GROUPS], slope_without[CURVE_GROUPS]; /* of all but one group of sentences */
};

/* A number, and whose: sentences are thrown into groups to see how far the curve depends on a few of them. */
struct rated {
    double odds;
    uint32_t sentence;
};

/* Fits to the odds of what was given, right or wrong, and to those of errors that were planted. */
bool error_curve_fit(struct error_curve *curve, const struct rated *given, size_t count, const struct rated *planted,
                     size_t errors, struct vouch_error *err);

double error_curve_at(const struct error_curve *curve, double odds);

/* How many errors are to be expected among `count` with such odds, and between which two numbers 9 times in 10. */
struct expected_errors {
    double count, least, most;
};
struct expected_errors error_curve_expect(const struct error_curve *curve, const struct rated *given, size_t count);

#endif
