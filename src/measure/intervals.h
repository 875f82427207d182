/*
 * How far a figure can be trusted: intervals of shares that are counted in draws or in clusters, bets on a mean, and
 * thresholds that keep a risk. See intervals.c.
 *
 * Promises are made for sentences. The words and entities of one sentence are not independent, and sentences are what
 * files are drawn from: so guarantees bet on sentences, coverage is a mean over sentences, and intervals count as many
 * independent entities as the spread over sentences is worth.
 */
#ifndef VOUCH_MEASURE_INTERVALS_H
#define VOUCH_MEASURE_INTERVALS_H

#include <stdbool.h>
#include <stddef.h>

struct interval {
    double low, high;
};

/* ---- The error of a probability that is estimated by counting draws ---- */

/*
 * L stands for log(2N/delta) throughout: with probability 1 - delta, each of N estimates is within the error that a
 * function here returns. K is the number of draws, gamma the probability that is estimated. All are O(1) but for
 * confused_from(), which is O(log of the precision).
 */

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

/* ---- A share of things that come in clusters, such as entities in sentences ---- */

/* Sums over clusters of `of` things, `right` of which count. Zero it before first use. */
struct clustered {
    double clusters, right, of, right_square, cross, of_square;
};

void clustered_add(struct clustered *sum, double right, double of);

/* Return the share, and the interval that holds it with a probability of 0.9; NAN, and 0 to 1, if there is nothing. */
double clustered_share(const struct clustered *sum);
struct interval clustered_interval(const struct clustered *sum);

/* ---- Bets ---- */

/*
 * Tests whether the mean of a variable that is bounded below is above zero, at a level that holds for any number of
 * values, however often the result is looked at.
 */
struct bet {
    double floor;               /* values below -floor count as -floor */
    double sum, squares, count; /* of the values so far, by which the next bet is chosen */
    double wealth, most;        /* log of the capital, now and at most */
};

/* Values come in steps of about `unit`, and `cap` of these steps downwards are counted at most; both above 0. */
void bet_init(struct bet *bet, double unit, double cap);

/* Takes a value to learn from, which is not bet on; call it before the first bet_take(). */
void bet_plan(struct bet *bet, double value);

/* Bets on a value. */
void bet_take(struct bet *bet, double value);

/* Returns the logarithm of the capital that is expected after `n` values like those that were seen. */
double bet_outlook(const struct bet *bet, double n);

/* Whether a mean of at most 0 is ruled out; with such a mean this happens with a probability of at most `level`. */
bool bet_won(const struct bet *bet, double level);

/* ---- Conformal risk control: the largest threshold at which sets miss no more than is allowed, in the mean ---- */

/* Something that a set misses if the threshold is above its score, or if that is 0; `share` of a sentence's things. */
struct miss {
    double score, share;
};

/*
 * Returns the threshold for `sentences` sentences, whose losses lie between 0 and 1, and a mean loss of at most `risk`;
 * 1 if any would do. Sorts the misses. *reached is `risk`; or, if no threshold keeps that, the least mean loss that can
 * be promised.
 */
double conformal_threshold(struct miss *miss, size_t misses, size_t sentences, double risk, double *reached);

/* ---- Significance: whether one system is better than another over the same folds, or only by luck ---- */

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
