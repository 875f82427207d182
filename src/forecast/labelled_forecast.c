/*
 * Prediction-powered inference for shares (Angelopoulos, Bates, Fannjiang, Jordan and Zrnic 2023; the factor is that of
 * Angelopoulos, Duchi and Zrnic 2023, "PPI++").
 *
 * The labelled sentences have the share R = sum a / sum b (right answers of all answers), where probabilities expect
 * r = sum a' / sum b'; of the whole text they expect r*. The estimate is
 *
 *     R + lambda (r* - r).
 *
 * With a lambda of 1 it is the mean probability of the text, corrected by how far probabilities are off on the labelled
 * sentences; with 0 it is the labelled sentences alone. Sentences are the units, since the answers in one depend on
 * each other. To first order a sentence adds u = (a - R b) n / sum b to the one ratio and v = (a' - r b') n / sum b' to
 * the other, and lambda = cov(u, v) / var(v) leaves the least variance. It is the jackknife's, for which each sentence
 * is left out in turn and lambda found anew: a few long sentences weigh much in fifty, and formulas of the first order
 * do not see what they do to lambda. If lambda does not pay for its degree of freedom, or is negative, it is 0. As the
 * text is a sample from its source as well, the variance is that over n, plus that over the sentences of the text.
 *
 * The interval is Wilson's, for as many independent answers as the variance is worth, with Student's t in place of the
 * normal deviate. It lies within 0 and 1, and without any error among the labelled sentences it is that of as many
 * answers as there are sentences. The variance is at least what calibration found for blocks of sentences of which the
 * same is expected: long lists of names are rare, and fifty sentences without any look more certain than they are.
 */
#include "forecast/labelled_forecast.h"

#include "base/elementary.h"
#include "measure/intervals.h"

#include <math.h>

#define LEVEL 0.1        /* of ten intervals, one may miss the truth */
#define NINETY 1.645     /* deviations of the normal distribution around its mean with a probability of 0.9 */
#define CONTRADICT 2.576 /* deviations of a difference that chance exceeds once in a hundred times */

/* Sums over sentences of the squares and products of what they add to both ratios. */
struct moments {
    double uu, uv, vv;
};

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

static struct moments moments_of(const struct labelled_sentence *sentence, size_t n, size_t left,
                                 const struct labelled_sentence *all, enum share share)
{
    double kept = expected_share(&all->kept, share, NULL), promised = expected_share(&all->promised, share, NULL);
    double of_kept = of(&all->kept, share) / (double)n, of_promised = of(&all->promised, share) / (double)n;
    struct moments m = {0, 0, 0};
    for (size_t i = 0; i < n; i++) {
        const struct labelled_sentence *s = &sentence[i];
        if (i == left)
            continue;
        double u = (right_of(&s->kept, share) - kept * of(&s->kept, share)) / of_kept;
        double v = (right_of(&s->promised, share) - promised * of(&s->promised, share)) / of_promised;
        m.uu += u * u;
        m.uv += u * v;
        m.vv += v * v;
    }
    return m;
}

/* Wilson's interval around p, for m independent answers and t deviations. */
static struct interval wilson(double p, double m, double t)
{
    double middle = (p + t * t / (2 * m)) / (1 + t * t / m);
    double half = t * sqrt(p * (1 - p) / m + t * t / (4 * m * m)) / (1 + t * t / m);
    return (struct interval){fmax(0, middle - half), fmin(1, middle + half)};
}

/* Both estimates: by the labelled sentences alone, and moved by probabilities. */
struct estimate {
    double alone, moved, lambda;
};

/* Estimates without sentence `left`; n: with all. NANs if there is nothing to count. */
static struct estimate estimate_without(const struct labelled_sentence *sentence, size_t n, size_t left,
                                        const struct expected_counts *text, enum share share)
{
    struct labelled_sentence all = {0};
    for (size_t i = 0; i < n; i++) {
        if (i == left)
            continue;
        expected_counts_add(&all.promised, &sentence[i].promised);
        expected_counts_add(&all.kept, &sentence[i].kept);
    }
    double here = expected_share(&all.promised, share, NULL), there = expected_share(text, share, NULL);
    struct estimate e = {.alone = expected_share(&all.kept, share, NULL)};
    struct moments m = {0, 0, 0};
    if (!isnan(e.alone) && !isnan(here) && !isnan(there))
        m = moments_of(sentence, n, left, &all, share);
    e.lambda = m.uv > 0 && m.vv > 0 ? m.uv / m.vv : 0;
    e.moved = e.lambda > 0 ? e.alone + e.lambda * (there - here) : e.alone;
    return e;
}

/* Finds the variances of both estimates by the jackknife. */
static void find_variances(const struct labelled_sentence *sentence, size_t n, const struct expected_counts *text,
                           enum share share, double *alone, double *moved)
{
    double N = 0, sum = 0, squares = 0, sum_moved = 0, squares_moved = 0;
    struct estimate all = estimate_without(sentence, n, n, text, share);
    for (size_t i = 0; i < n; i++) {
        struct estimate e = estimate_without(sentence, n, i, text, share);
        if (isnan(e.alone))
            continue;
        double d = e.alone - all.alone, c = e.moved - all.moved;
        sum += d;
        squares += d * d;
        sum_moved += c;
        squares_moved += c * c;
        N++;
    }
    *alone = N > 1 ? (N - 1) / N * (squares - sum * sum / N) : 0;
    *moved = N > 1 ? (N - 1) / N * (squares_moved - sum_moved * sum_moved / N) : 0;
}

struct labelled_forecast labelled_forecast(const struct labelled_sentence *sentence, size_t n,
                                           const struct expected_counts *text, enum share share, double spread)
{
    struct estimate e = estimate_without(sentence, n, n, text, share);
    if (n < 2 || isnan(e.alone))
        return (struct labelled_forecast){NAN, NAN, NAN, NAN, NAN};
    double N = (double)n, count = 0, variance, moved, t = student_critical(LEVEL, n - 1);
    for (size_t i = 0; i < n; i++)
        count += of(&sentence[i].kept, share);
    find_variances(sentence, n, text, share, &variance, &moved);
    double t_less = n > 3 ? student_critical(LEVEL, n - 2) : NAN;
    bool pays = n > 3 && e.lambda > 0 && t_less * t_less * moved < t * t * variance;
    variance = fmax(pays ? moved : variance, spread * e.alone * (1 - e.alone) / count);
    variance *= text->sentences > 0 ? 1 + N / text->sentences : 1;
    double value = pays ? fmin(fmax(e.moved, 0), 1) : e.alone;
    double worth = value * (1 - value) / variance;
    struct interval interval = wilson(value, worth > 0 && isfinite(worth) ? worth : fmin(N, count), pays ? t_less : t);
    return (struct labelled_forecast){value, interval.low, interval.high, pays ? e.lambda : 0, e.alone};
}

static double log_odds(double p)
{
    p = fmin(fmax(p, 1e-6), 1 - 1e-6);
    return log_of(p / (1 - p));
}

static double share_of(double log_odds)
{
    return 1 / (1 + exp_of(-log_odds));
}

struct forecast forecast_joined(const struct forecast *without, const struct labelled_forecast *by_labels)
{
    struct forecast f = *without;
    if (isnan(by_labels->value))
        return f;
    double x = log_odds(without->value), y = log_odds((by_labels->low + by_labels->high) / 2);
    double other = log_odds(y < x ? without->low : without->high);
    double own = log_odds(y < x ? by_labels->high : by_labels->low);
    double vx = (x - other) * (x - other) / (NINETY * NINETY), vy = (y - own) * (y - own) / (NINETY * NINETY);
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
