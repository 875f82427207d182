/*
 * Prediction-powered inference for shares (Angelopoulos, Bates, Fannjiang, Jordan and Zrnic 2023), on the scale of
 * log-odds, on which probabilities are off by about the same amount in all parts of a text (train/shift.c).
 *
 * The labelled sentences have the share R = sum a / sum b (right answers of all answers), where probabilities expect
 * r = sum a' / sum b'; of the whole text they expect r*. The estimate is
 *
 *     logit R + (logit r* - logit r),
 *
 * which is what is expected of the text, corrected by how far expectations are off on the labelled sentences. F1 is
 * such a share, too: a are right chunks, b the mean of the numbers of answered and gold chunks.
 *
 * The variance is the jackknife's. Sentences are the units, since the answers in one depend on each other. Without
 * sentence i, the one log-odds change by u = (a - R b) / (sum b (1 - h) R (1 - R)), where h = b / sum b is its weight,
 * and the other ones by v likewise; the estimate changes by u - v. A few long sentences weigh much in fifty. So
 * Student's t has as many degrees of freedom as sentences of equal length would be worth, (sum b)^2 / sum b^2, less
 * one. As the text is a sample from its source as well, the variance is that over n, plus that over the sentences of
 * the text. Where expectations tell nothing, they are noise: if labels alone have less than half of the variance, these
 * are taken. Without any error, or any right answer, among the labelled sentences there is no variance to see, and the
 * interval is Wilson's, for as many independent answers as there are sentences.
 *
 * What was tried beside it (docs/MEASUREMENTS.md): a factor before r* - r that leaves the least variance, as in PPI++,
 * is narrower and holds less often, since fifty sentences settle the factor as well; on the scale of shares, intervals
 * hold less often, too.
 */
#include "forecast/labelled_forecast.h"

#include "base/elementary.h"
#include "measure/intervals.h"

#include <math.h>

#define LEVEL 0.1        /* of ten intervals, one may miss the truth */
#define NINETY 1.645     /* deviations of the normal distribution around its mean with a probability of 0.9 */
#define CONTRADICT 2.576 /* deviations of a difference that chance exceeds once in a hundred times */

static double log_odds(double p)
{
    p = fmin(fmax(p, 1e-6), 1 - 1e-6);
    return log_of(p / (1 - p));
}

static double share_of(double log_odds)
{
    return 1 / (1 + exp_of(-log_odds));
}

static double right_of(const struct expected_counts *c, enum share share)
{
    return share == SHARE_ACCURACY ? c->words_right : c->chunks_right;
}

static double of(const struct expected_counts *c, enum share share)
{
    double count;
    expected_share(c, share, &count);
    return count;
}

/* Returns the share with half an answer more on either side, so that its log-odds are finite. */
static double smoothed(const struct expected_counts *c, enum share share)
{
    return (right_of(c, share) + 0.5) / (of(c, share) + 1);
}

/* Returns how the log-odds of the sum change without one of its parts, to first order. */
static double change_without(const struct expected_counts *part, const struct expected_counts *sum, enum share share)
{
    double p = expected_share(sum, share, NULL), s = smoothed(sum, share), all = of(sum, share), b = of(part, share);
    if (!(all > b))
        return 0;
    return (right_of(part, share) - p * b) / ((all - b) * s * (1 - s));
}

/* Sums over sentences, of what is left out by the jackknife: for labels alone, and for what is moved. */
struct jackknife {
    double n, sum[2], squares[2];
};

static void jackknife_add(struct jackknife *j, double u, double v)
{
    const double x[2] = {u, u - v};
    j->n++;
    for (int i = 0; i < 2; i++) {
        j->sum[i] += x[i];
        j->squares[i] += x[i] * x[i];
    }
}

static double jackknife_variance(const struct jackknife *j, bool moved)
{
    return (j->n - 1) / j->n * fmax(0, j->squares[moved] - j->sum[moved] * j->sum[moved] / j->n);
}

/* Wilson's interval for a share of 0 or 1 among m independent answers, t deviations wide. */
static struct interval wilson_at_end(double p, double m, double t)
{
    double rest = t * t / (m + t * t);
    return p > 0.5 ? (struct interval){1 - rest, 1} : (struct interval){0, rest};
}

struct labelled_forecast labelled_forecast(const struct labelled_sentence *sentence, size_t n,
                                           const struct expected_counts *text, enum share share)
{
    struct labelled_sentence all = {0};
    struct jackknife jackknife = {0};
    double squares = 0, N = (double)n;
    for (size_t i = 0; i < n; i++) {
        expected_counts_add(&all.expected, &sentence[i].expected);
        expected_counts_add(&all.measured, &sentence[i].measured);
        squares += of(&sentence[i].measured, share) * of(&sentence[i].measured, share);
    }
    double alone = expected_share(&all.measured, share, NULL), there = expected_share(text, share, NULL);
    if (n < 2 || isnan(alone))
        return (struct labelled_forecast){NAN, NAN, NAN, NAN};
    double count = of(&all.measured, share);
    if (!(alone > 0 && alone < 1)) {
        struct interval end = wilson_at_end(alone, fmin(N, count), student_critical(LEVEL, n - 1));
        return (struct labelled_forecast){alone, end.low, end.high, alone};
    }
    for (size_t i = 0; i < n; i++)
        jackknife_add(&jackknife, change_without(&sentence[i].measured, &all.measured, share),
                      change_without(&sentence[i].expected, &all.expected, share));
    bool moved = !isnan(there) && of(&all.expected, share) > 0 &&
                 jackknife_variance(&jackknife, true) < 2 * jackknife_variance(&jackknife, false);
    double value = log_odds(smoothed(&all.measured, share));
    if (moved)
        value += log_odds(there) - log_odds(smoothed(&all.expected, share));
    double variance = jackknife_variance(&jackknife, moved) * (text->sentences > 0 ? 1 + N / text->sentences : 1);
    double freedom = fmax(2, floor(count * count / squares - 1));
    double half = student_critical(LEVEL, (size_t)freedom) * sqrt(variance);
    return (struct labelled_forecast){share_of(value), share_of(value - half), share_of(value + half), alone};
}

/* Returns the variance of log-odds x of which an interval of ninety percent ends at `end`. */
static double variance_to(double x, double end)
{
    double away = (x - log_odds(end)) / NINETY;
    return away * away;
}

struct forecast forecast_joined(const struct forecast *without, const struct labelled_forecast *by_labels)
{
    struct forecast f = *without;
    if (isnan(by_labels->value))
        return f;
    double x = log_odds(without->value), y = log_odds(by_labels->value);
    double vx = variance_to(x, y < x ? without->low : without->high);
    double vy = variance_to(y, y < x ? by_labels->high : by_labels->low);
    if (isnan(x) || !(vx + vy > 0) || (x - y) * (x - y) > CONTRADICT * CONTRADICT * (vx + vy)) {
        f.value = by_labels->value;
        f.low = by_labels->low;
        f.high = by_labels->high;
        return f;
    }
    double middle = (x * vy + y * vx) / (vx + vy), half = NINETY * sqrt(vx * vy / (vx + vy));
    f.value = share_of(middle);
    f.low = share_of(middle - half);
    f.high = share_of(middle + half);
    return f;
}
