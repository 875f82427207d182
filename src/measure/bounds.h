/*
 * Bounds the error of a probability that is estimated by counting draws.
 *
 * L stands for log(2N/delta) throughout: with probability 1 - delta, each of N estimates is within the error that a
 * function here returns. K is the number of draws, gamma the probability that is estimated. All are O(1) but for
 * confused_from(), which is O(log of the precision).
 */
#ifndef VOUCH_MEASURE_BOUNDS_H
#define VOUCH_MEASURE_BOUNDS_H

#include "measure/interval.h"

/* Returns L for N = `words` >= 1 and 0 < `delta` < 1. */
double bound_of(double words, double delta);

/* Return the error after K draws: for any probability, and for gamma. */
double hoeffding_error(double L, double K);
double bernstein_error(double L, double K, double gamma);

/* Returns the least whole number of draws after which the error is no more than epsilon. */
double hoeffding_draws(double L, double epsilon);
double bernstein_draws(double L, double epsilon, double gamma);

/* Returns where the share of draws may fall, by the narrower of both bounds, which hold at once: from 0 to 1. */
struct interval interval_around(double gamma, double error);
struct interval draws_interval(double L, double K, double gamma);

/* Returns the least probability whose share of draws may reach the least share of gamma's. */
double confused_from(double L, double K, double gamma);

#endif
