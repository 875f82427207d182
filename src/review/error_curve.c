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
 * The interval is that of a count whose variance is that of the delete-a-group jackknife, over groups of sentences,
 * plus that of the errors themselves, on the scale of logarithms. It is wider by a quarter on both sides, as all that
 * looks wrong might be so. It leaves out how much real errors differ from planted ones, and how often a poor model is
 * sure and wrong.
 *
 * Numbers are sorted into bins first: O(count + groups * rounds * bins).
 */
#include "base/elementary.h"
#include "review/review.h"

#include "fit/logistic.h"

#include <math.h>

enum { BINS = 512, ROUNDS = 60, STEPS = 3, HALVINGS = 50 };

static const double steepest = 1, flattest = 0.02, surest = 0.9, least_sure = 1e-9, close_enough = 1e-4;
static const double usual_bias = -3, usual_slope = 0.4; /* where the search begins; the slope is also its prior */
static const double really = 0.8;                       /* the share of those that look wrong that are wrong */
static const double quantile = 1.645;                   /* of the normal distribution, for nine in ten */

/* Counts for each bin, of those given and of those planted: [group][BINS], and of all groups in the last row. */
struct binned {
    double least, width;
    double count[2][CURVE_GROUPS + 1][BINS];
};

static void count_all(struct binned *b, const struct rated *const list[2], const size_t count[2])
{
    double least = INFINITY, most = -INFINITY;
    for (int k = 0; k < 2; k++)
        for (size_t i = 0; i < count[k]; i++) {
            least = fmin(least, list[k][i].odds);
            most = fmax(most, list[k][i].odds);
        }
    b->least = least;
    b->width = most > least ? (most - least) / BINS : 0;
    for (int k = 0; k < 2; k++)
        for (size_t i = 0; i < count[k]; i++) {
            double at = b->width > 0 ? (list[k][i].odds - b->least) / b->width : 0;
            size_t bin = at < BINS - 1 ? (size_t)at : BINS - 1;
            b->count[k][list[k][i].sentence % CURVE_GROUPS][bin]++;
            b->count[k][CURVE_GROUPS][bin]++;
        }
}

/* The sample to fit to: all bins, or all but those of one group. */
struct fitting {
    double x[BINS], given[BINS], planted[BINS];
    double wrong[BINS]; /* the expected number of errors among those given */
    double given_in_all, planted_in_all;
};

static void leave_out(const struct binned *b, int group, struct fitting *f)
{
    f->given_in_all = f->planted_in_all = 0;
    for (int i = 0; i < BINS; i++) {
        f->x[i] = b->least + (i + 0.5) * b->width;
        f->given[i] = b->count[0][CURVE_GROUPS][i] - (group < CURVE_GROUPS ? b->count[0][group][i] : 0);
        f->planted[i] = b->count[1][CURVE_GROUPS][i] - (group < CURVE_GROUPS ? b->count[1][group][i] : 0);
        f->given_in_all += f->given[i];
        f->planted_in_all += f->planted[i];
    }
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

bool error_curve_fit(struct error_curve *curve, const struct rated *given, size_t count, const struct rated *planted,
                     size_t errors, struct vouch_error *err)
{
    *curve = (struct error_curve){.bias = usual_bias, .slope = usual_slope};
    struct binned *b = new_array(1, sizeof *b, err);
    struct fitting *f = b ? new_array(1, sizeof *f, err) : NULL;
    if (f)
        count_all(b, (const struct rated *const[2]){given, planted}, (const size_t[2]){count, errors});
    for (int g = CURVE_GROUPS; f && g >= 0; g--) { /* all of them first */
        bool all = g == CURVE_GROUPS;
        double bias = curve->bias, slope = curve->slope;
        leave_out(b, g, f);
        if (f->given_in_all > 0 && f->planted_in_all > 0)
            fit(f, &bias, &slope);
        *(all ? &curve->bias : &curve->bias_without[g]) = bias;
        *(all ? &curve->slope : &curve->slope_without[g]) = slope;
    }
    bool ok = f != NULL;
    free(f);
    free(b);
    return ok;
}

static double chance(double bias, double slope, double odds)
{
    return fmax(surest * sigmoid(bias - slope * odds), least_sure);
}

double error_curve_at(const struct error_curve *curve, double odds)
{
    return chance(curve->bias, curve->slope, odds);
}

struct expected_errors error_curve_expect(const struct error_curve *curve, const struct rated *given, size_t count)
{
    double sum = 0, without[CURVE_GROUPS] = {0}, mean = 0, variance = 0;
    for (size_t i = 0; i < count; i++) {
        double p = error_curve_at(curve, given[i].odds);
        sum += p;
        variance += p * (1 - p);
        for (int g = 0; g < CURVE_GROUPS; g++)
            without[g] += chance(curve->bias_without[g], curve->slope_without[g], given[i].odds) / CURVE_GROUPS;
    }
    for (int g = 0; g < CURVE_GROUPS; g++)
        mean += without[g];
    for (int g = 0; g < CURVE_GROUPS; g++) {
        double apart = CURVE_GROUPS * without[g] - mean;
        variance += apart * apart * (CURVE_GROUPS - 1) / CURVE_GROUPS;
    }
    double off = sum > 0 ? quantile * sqrt(variance) / sum : 0;
    /* with few errors the scale of logarithms goes too far */
    double most = sum / really * fmin(exp_of(off), 1 + 2 * off);
    return (struct expected_errors){sum, sum * (2 - 1 / really) * exp_of(-off), fmax(fmin(most, (double)count), sum)};
}
