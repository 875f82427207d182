/*
 * Turns log-odds into the probability of an error.
 *
 * Of the labels that were given some are right and some wrong, and it is not known which; those that were planted are
 * all wrong. How many are wrong is estimated where the odds are lowest, as few labels are right there: if a tenth of
 * the planted errors and n given labels have odds that low, 10 n look wrong. The same is done for two tenths, three,
 * and so on, which depends less on chance, until the estimate grows by more than chance allows: right labels begin
 * there (Blanchard, Lee and Scott 2010, "Semi-supervised novelty detection"). Models are sometimes sure and wrong: of
 * ten labels that look wrong, two are taken to be right, which is what errors planted in several corpora showed
 * (docs/MEASUREMENTS.md).
 *
 * Where the errors are follows from a curve,
 *
 *     P(wrong | odds) = 0.9 sigmoid(bias - slope * odds)
 *
 * which is right if the log of the ratio of the densities of odds in wrong and right labels is linear. It is fitted by
 * EM: estimate how likely each given label is wrong, so that the sum is the number found above; fit a logistic
 * regression to these and to the planted ones; repeat (Ward et al. 2009, "Presence-only data and the EM algorithm").
 *
 * Which kind of errors a corpus has is not known, and how many errors a number of suspects stands for depends on it. So
 * a curve is fitted to each kind of planted errors as if all errors were of that kind, and their mean is taken. A curve
 * that was fitted to all of them together would follow those that are easy to find: where there are no such errors, it
 * would expect none at all.
 *
 * How many errors there are does not follow from it: real ones are not like planted ones, and a curve of one kind of
 * planted errors is off by a factor of seven for another (docs/MEASUREMENTS.md). Decisions tell that: audit.c.
 *
 * Numbers are sorted into bins first: O(kinds * (count + rounds * bins)).
 */
#include "base/elementary.h"
#include "review/review.h"

#include "fit/logistic.h"

#include <math.h>
#include <string.h>

enum { BINS = 512, ROUNDS = 60, STEPS = 3, HALVINGS = 50, ENOUGH = 8 /* errors of a kind */ };

static const double steepest = 1, flattest = 0.02, surest = 0.9, least_sure = 1e-9, close_enough = 1e-4;
static const double usual_bias = -3, usual_slope = 0.4; /* where the search begins; the slope is also its prior */
static const double really = 0.8;                       /* the share of those that look wrong that are wrong */

/* What is fitted to: labels in each bin of odds. */
struct fitting {
    double x[BINS], given[BINS], planted[BINS];
    double wrong[BINS]; /* the expected number of errors among those given */
    double given_in_all, planted_in_all;
};

static void sort_into_bins(struct fitting *f, const double *const list[2], const size_t count[2])
{
    double least = INFINITY, most = -INFINITY;
    for (int k = 0; k < 2; k++)
        for (size_t i = 0; i < count[k]; i++) {
            least = fmin(least, list[k][i]);
            most = fmax(most, list[k][i]);
        }
    double width = most > least ? (most - least) / BINS : 0;
    for (int i = 0; i < BINS; i++)
        f->x[i] = least + (i + 0.5) * width;
    for (int k = 0; k < 2; k++)
        for (size_t i = 0; i < count[k]; i++) {
            double at = width > 0 ? (list[k][i] - least) / width : 0;
            (k ? f->planted : f->given)[at < BINS - 1 ? (size_t)at : BINS - 1]++;
        }
    f->given_in_all = (double)count[0];
    f->planted_in_all = (double)count[1];
}

/* Takes a step of Newton's method for the logistic regression of wrong and planted labels against the rest. */
static void improve(const struct fitting *f, double *bias, double *slope)
{
    double g0 = 0, g1 = usual_slope - *slope, h00 = 1e-9, h01 = 0, h11 = 1; /* a prior on the slope, worth one label */
    for (int i = 0; i < BINS; i++) {
        double all = f->given[i] + f->planted[i], p = sigmoid(*bias - *slope * f->x[i]);
        if (all == 0)
            continue;
        double excess = f->wrong[i] + f->planted[i] - all * p, q = all * p * (1 - p);
        g0 += excess;
        g1 -= excess * f->x[i];
        h00 += q;
        h01 -= q * f->x[i];
        h11 += q * f->x[i] * f->x[i];
    }
    double determinant = h00 * h11 - h01 * h01;
    if (!(determinant > 0))
        return;
    *bias += (h11 * g0 - h01 * g1) / determinant;
    *slope += (h00 * g1 - h01 * g0) / determinant;
    *slope = fmin(fmax(*slope, flattest), steepest);
}

/* Estimates how many of those given are wrong: see above. */
static double count_wrong(const struct fitting *f)
{
    double given = 0, planted = 0, wrong = 0.5, most = INFINITY;
    int tenth = 1;
    for (int i = 0; i < BINS && tenth < 10; i++) {
        given += f->given[i];
        planted += f->planted[i];
        if (planted * 10 < tenth * f->planted_in_all)
            continue;
        double times = really * f->planted_in_all / planted;
        if ((given - sqrt(given)) * times > most)
            break;
        most = fmin(most, (given + 2 + sqrt(given)) * times);
        wrong = (given + 0.5) * times;
        while (tenth <= planted * 10 / f->planted_in_all)
            tenth++;
    }
    return fmin(wrong, f->given_in_all * surest);
}

/* Estimates how likely each of those given is wrong, with the sum `wrong`; returns the bias that gives this sum. */
static double guess_wrong(struct fitting *f, double slope, double wrong)
{
    wrong = fmin(wrong / surest, f->given_in_all * surest);
    double low = -200, high = 200;
    for (int k = 0; k < HALVINGS; k++) {
        double bias = (low + high) / 2, sum = 0;
        for (int i = 0; i < BINS; i++) {
            f->wrong[i] = f->given[i] > 0 ? f->given[i] * sigmoid(bias - slope * f->x[i]) : 0;
            sum += f->wrong[i];
        }
        *(sum < wrong ? &low : &high) = bias;
    }
    return (low + high) / 2;
}

static void fit(struct fitting *f, double *bias, double *slope)
{
    double wrong = count_wrong(f), more = log_of((wrong + f->planted_in_all) / wrong);
    for (int round = 0; round < ROUNDS; round++) {
        double before = *slope, both = guess_wrong(f, *slope, wrong) + more; /* planted ones are errors as well */
        for (int step = 0; step < STEPS; step++)
            improve(f, &both, slope);
        if (fabs(*slope - before) < close_enough)
            break;
    }
    *bias = guess_wrong(f, *slope, wrong);
}

bool planted_odds_init(struct planted_odds *planted, size_t most, struct vouch_error *err)
{
    *planted = (struct planted_odds){.odds = new_array(most + 1, sizeof *planted->odds, err),
                                     .kind = new_array(most + 1, sizeof *planted->kind, err)};
    return planted->odds && planted->kind;
}

void planted_odds_release(struct planted_odds *planted)
{
    free(planted->odds);
    free(planted->kind);
}

/* The odds that curves are fitted to. */
struct samples {
    const double *given; /* [count] */
    size_t count;
    const struct planted_odds *planted;
    double *own; /* [planted->count] room for those of one kind */
};

/* Fits the curve of one kind, or of all (ERROR_KINDS); nothing if there are too few errors. */
static void fit_kind(struct error_curve *curve, struct fitting *f, unsigned kind, const struct samples *s)
{
    size_t errors = 0;
    memset(f, 0, sizeof *f);
    for (size_t i = 0; i < s->planted->count; i++)
        if (kind == ERROR_KINDS || s->planted->kind[i] == kind)
            s->own[errors++] = s->planted->odds[i];
    if (s->count == 0 || errors == 0 || (kind < ERROR_KINDS && errors < ENOUGH))
        return;
    sort_into_bins(f, (const double *const[2]){s->given, s->own}, (const size_t[2]){s->count, errors});
    fit(f, &curve->bias[curve->kinds], &curve->slope[curve->kinds]);
    curve->kinds++;
}

bool error_curve_fit(struct error_curve *curve, const double *given, size_t count, const struct planted_odds *planted,
                     struct vouch_error *err)
{
    *curve = (struct error_curve){0};
    for (int k = 0; k < ERROR_KINDS; k++) {
        curve->bias[k] = usual_bias;
        curve->slope[k] = usual_slope;
    }
    struct fitting *f = new_array(1, sizeof *f, err);
    double *own = f ? new_array(planted->count + 1, sizeof *own, err) : NULL;
    struct samples samples = {given, count, planted, own};
    for (unsigned kind = 0; own && kind < ERROR_KINDS; kind++)
        fit_kind(curve, f, kind, &samples);
    if (own && curve->kinds == 0)
        fit_kind(curve, f, ERROR_KINDS, &samples);
    curve->kinds += curve->kinds == 0;
    bool ok = own != NULL;
    free(own);
    free(f);
    return ok;
}

/* Returns the mean over the kinds. */
static double mean_at(const struct error_curve *curve, double odds)
{
    double sum = 0;
    for (uint32_t k = 0; k < curve->kinds; k++)
        sum += sigmoid(curve->bias[k] - curve->slope[k] * odds);
    return sum / curve->kinds;
}

double error_curve_at(const struct error_curve *curve, double odds)
{
    return fmax(surest * mean_at(curve, odds), least_sure);
}

double error_curve_odds(const struct error_curve *curve, double odds)
{
    return fine_log_odds(mean_at(curve, odds));
}
