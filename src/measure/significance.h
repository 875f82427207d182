/*
 * Tests whether one system is better than another over the same folds, or only by luck.
 */
#ifndef VOUCH_MEASURE_SIGNIFICANCE_H
#define VOUCH_MEASURE_SIGNIFICANCE_H

#include <stdbool.h>
#include <stddef.h>

/* Returns the mean; NaN for no values. */
double sample_mean(const double *x, size_t n);

/* Returns the square root of the sum of squared deviations over n - 1; NaN for fewer than two values. */
double sample_deviation(const double *x, size_t n);

struct t_test {
    double difference; /* mean of a - b */
    double t;          /* infinite if all differences are the same and not zero */
    size_t freedom;    /* degrees: n - 1 */
    double p;          /* two-sided */
};

/*
 * Does the paired t-test of n scores of one system against those of another on the same folds. False, with p NaN, if
 * there is none: fewer than two folds, or scores that are not finite. Equal differences have no variance: p is then 1
 * if they are zero and 0 if not. O(n), without memory.
 */
bool paired_t_test(const double *a, const double *b, size_t n, struct t_test *test);

/* Returns the probability of a Student variate at least as far from zero as `t`; freedom >= 1. */
double student_two_sided(double t, size_t freedom);

/* Returns the t such that a Student variate is at least that far from zero with probability `p`, 0 < p < 1. */
double student_critical(double p, size_t freedom);

/* Returns half the 95 % confidence interval of the mean of which n values are a sample; NaN for fewer than two. */
double sample_interval(const double *x, size_t n);

#endif
