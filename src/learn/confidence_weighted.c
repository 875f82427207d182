/*
 * Learns with confidence weights (Dredze, Crammer and Pereira 2008; Mejer and Crammer, "Confidence Estimation in
 * Structured Prediction"): a Gaussian over weights, N(mean, diag(var)), moved as little as possible (in KL) so that
 *
 *     Pr[d . w >= 0] >= Psi(phi_l),      phi_l = phi * loss.
 *
 * With m = mean.d, v = sum var d^2, the solution for a full covariance is
 *
 *     a = max(0, (-m (1 + phi_l^2/2) + sqrt(m^2 phi_l^4/4 + v phi_l^2 (1 + phi_l^2))) / (v (1 + phi_l^2)))
 *     sqrt(u) = (-a v phi_l + sqrt(a^2 v^2 phi_l^2 + 4 v)) / 2
 *     mean += a var d
 *
 * The paper learns from the best choice alone. With K > 1 the K best are taken one after the other, which teaches
 * margins over rivals that did not win and makes this the best learner here: five of them add about one point of F1 to
 * English and Spanish names (docs/MEASUREMENTS.md). --k-best 1 is the paper's algorithm.
 *
 * The covariance is brought back to a diagonal in one of three ways:
 *
 *   full     var -= b var^2 d^2, b = a phi_l / (sqrt(u) + v a phi_l): the diagonal of the full update
 *   inverse  1/var += (a phi_l / sqrt(u)) d^2: the diagonal of the full update's inverse
 *   exact    the KL problem over diagonal matrices itself: 1/var += b d^2, where b solves
 *            m + b v s(b) / phi_l = phi_l s(b),  s(b)^2 = sum d^2 / (1/var + b d^2),
 *            a = b s(b) / phi_l; the left side minus the right grows with b, so bisection finds it.
 *
 * Time: the blocks of the difference; for `exact`, some forty times that.
 */
#include "learn/learn.h"

#include <float.h>
#include <math.h>

static struct voice_needs keeps_variance(const struct learner_options *options)
{
    return (struct voice_needs){.variance = true, .variance_start = (float)options->variance};
}

struct margin {
    double m, v; /* mean and variance */
    double phi;  /* scaled by the loss */
};

struct cw_step {
    double alpha; /* of the mean */
    double beta;  /* of the variance, in the form that the variant uses */
};

static struct cw_step closed_form(struct margin margin, enum covariance covariance)
{
    double m = margin.m, v = margin.v, phi = margin.phi;
    double half = 1 + phi * phi / 2, whole = 1 + phi * phi;
    double alpha = (-m * half + sqrt(m * m * phi * phi * phi * phi / 4 + v * phi * phi * whole)) / (v * whole);
    if (!(alpha > 0))
        return (struct cw_step){0, 0};
    /* This is sqrt(u), written so that nothing cancels. */
    double pull = alpha * v * phi, root = 2 * v / (pull + sqrt(pull * pull + 4 * v));
    double beta = covariance == COVARIANCE_FULL ? alpha * phi / (root + v * alpha * phi) : alpha * phi / root;
    return (struct cw_step){alpha, beta};
}

/* The difference vector that is learned from, without its zeros, and what it belongs to. */
struct difference {
    const struct entry *entry; /* [count] */
    size_t count;
    struct voice *voice;
};

/* Returns sum d^2 / (1/var + beta d^2). */
static double spread_after(const struct difference *d, double beta)
{
    double sum = 0;
    for (size_t i = 0; i < d->count; i++) {
        double d2 = (double)d->entry[i].coef * d->entry[i].coef, old = d->voice->var[d->entry[i].at];
        sum += d2 * old / (1 + beta * d2 * old);
    }
    return sum;
}

/* Whether `beta` satisfies the constraint of the exact form; *root becomes its s(beta). */
static bool satisfies(const struct difference *d, struct margin margin, double beta, double *root)
{
    *root = sqrt(spread_after(d, beta));
    return margin.m + beta * margin.v * *root / margin.phi >= margin.phi * *root;
}

static struct cw_step exact_form(const struct difference *d, struct margin margin)
{
    double root = sqrt(margin.v), high = 1 / margin.v, low;
    if (margin.m >= margin.phi * root)
        return (struct cw_step){0, 0};
    /* Bracket the solution within a factor of four, then halve. */
    while (!satisfies(d, margin, high, &root) && high < 1e300)
        high *= 4;
    for (low = high / 4; low > 1e-300 && satisfies(d, margin, low, &root); low /= 4)
        high = low;
    while (high - low > 1e-9 * high) {
        double middle = (low + high) / 2;
        if (satisfies(d, margin, middle, &root))
            high = middle;
        else
            low = middle;
    }
    satisfies(d, margin, high, &root);
    return (struct cw_step){high * root / margin.phi, high};
}

static void apply(const struct difference *difference, struct cw_step step, enum covariance covariance)
{
    struct voice *voice = difference->voice;
    for (size_t i = 0; i < difference->count; i++) {
        size_t at = difference->entry[i].at;
        double d = difference->entry[i].coef, var = voice->var[at];
        voice_change(voice, at, (float)(step.alpha * var * d));
        if (covariance == COVARIANCE_FULL)
            var -= step.beta * var * var * d * d;
        else
            var /= 1 + step.beta * d * d * var;
        voice->var[at] = (float)var > FLT_MIN ? (float)var : FLT_MIN; /* at zero a weight would never learn again */
    }
}

/* Returns mean and variance of the difference. Its weights lie anywhere in memory, so they are prefetched. */
static struct margin margin_of(const struct difference *d, double phi)
{
    enum { AHEAD = 32 };
    struct margin margin = {.phi = phi};
    for (size_t i = 0; i < d->count; i++) {
        double coef = d->entry[i].coef;
        if (i + AHEAD < d->count) {
            size_t ahead = d->entry[i + AHEAD].at;
            __builtin_prefetch(d->voice->mean + ahead, 1);
            __builtin_prefetch(d->voice->var + ahead, 1);
            __builtin_prefetch(d->voice->late + ahead, 1);
        }
        margin.m += coef * d->voice->mean[d->entry[i].at];
        margin.v += coef * coef * d->voice->var[d->entry[i].at];
    }
    return margin;
}

/* Solves one constraint, with the mean and variance as they are now. */
static void learn_from(const struct difference *d, const struct learner_options *options, double loss)
{
    struct margin margin = margin_of(d, options->phi * loss);
    if (!(margin.v > 0) || !(margin.phi > 0))
        return;
    struct cw_step step =
        options->covariance == COVARIANCE_EXACT ? exact_form(d, margin) : closed_form(margin, options->covariance);
    if (step.alpha > 0)
        apply(d, step, options->covariance);
}

static bool update(const struct learner_options *options, struct voice *voice, const struct diff *diff,
                   const double *loss, struct scratch *work, struct vouch_error *err)
{
    if (!scratch_reserve(work, sizeof(struct entry) * (diff_size(diff) + 1), err))
        return false;
    struct entry *entry = (struct entry *)(void *)work->bytes;
    for (uint32_t lane = 0; lane < diff->lanes; lane++) {
        struct difference d = {.entry = entry, .count = diff_entries(diff, lane, entry), .voice = voice};
        learn_from(&d, options, loss[lane]);
    }
    return true;
}

const struct learner confidence_weighted = {
    .name = "cw",
    .need = NEED_CHOICES,
    .keeps = keeps_variance,
    .update = update,
};
