/*
 * Learns with confidence weights (Dredze, Crammer and Pereira 2008; Mejer and
 * Crammer, "Confidence Estimation in Structured Prediction"): a Gaussian over
 * weights, N(mean, diag(var)), moved as little as possible (in KL) so that
 *
 *     Pr[d . w >= 0] >= Psi(phi_l),      phi_l = phi * loss.
 *
 * With m = mean.d, v = sum var d^2, the solution for a full covariance is
 *
 *     a = max(0, (-m (1 + phi_l^2/2) + sqrt(m^2 phi_l^4/4 + v phi_l^2 (1 + phi_l^2))) / (v (1 + phi_l^2)))
 *     sqrt(u) = (-a v phi_l + sqrt(a^2 v^2 phi_l^2 + 4 v)) / 2
 *     mean += a var d
 *
 * The paper learns from the best choice alone. With K > 1 the K best are taken
 * one after the other, which teaches margins over rivals that did not win and
 * makes this the best learner here (docs/MEASUREMENTS.md).
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

/* Returns sum d^2 / (1/var + beta d^2). */
static double spread_after(const struct diff *diff, uint32_t lane, const float *var, double beta)
{
    double sum = 0;
    FOR_BLOCKS(diff, blocks, b)
    {
        const float *coef = block_lane(diff, blocks, b, lane);
        size_t first = block_at(blocks, b);
        for (uint32_t j = 0; j < blocks->width; j++) {
            double d2 = (double)coef[j] * coef[j], old = var[first + j];
            sum += d2 * old / (1 + beta * d2 * old);
        }
    }
    return sum;
}

/* Whether `beta` satisfies the constraint of the exact form; *root becomes its s(beta). */
static bool satisfies(const struct diff *diff, uint32_t lane, const float *var, struct margin margin, double beta,
                      double *root)
{
    *root = sqrt(spread_after(diff, lane, var, beta));
    return margin.m + beta * margin.v * *root / margin.phi >= margin.phi * *root;
}

static struct cw_step exact_form(const struct diff *diff, uint32_t lane, const float *var, struct margin margin)
{
    double root = sqrt(margin.v), high = 1 / margin.v, low;
    if (margin.m >= margin.phi * root)
        return (struct cw_step){0, 0};
    /* Bracket the solution within a factor of four, then halve. */
    while (!satisfies(diff, lane, var, margin, high, &root) && high < 1e300)
        high *= 4;
    for (low = high / 4; low > 1e-300 && satisfies(diff, lane, var, margin, low, &root); low /= 4)
        high = low;
    while (high - low > 1e-9 * high) {
        double middle = (low + high) / 2;
        if (satisfies(diff, lane, var, margin, middle, &root))
            high = middle;
        else
            low = middle;
    }
    satisfies(diff, lane, var, margin, high, &root);
    return (struct cw_step){high * root / margin.phi, high};
}

static void apply(struct voice *voice, const struct diff *diff, uint32_t lane, struct cw_step step,
                  enum covariance covariance)
{
    FOR_BLOCKS(diff, blocks, b)
    {
        const float *coef = block_lane(diff, blocks, b, lane);
        size_t first = block_at(blocks, b);
        for (uint32_t j = 0; j < blocks->width; j++) {
            if (coef[j] == 0)
                continue;
            size_t at = first + j;
            double d = coef[j], var = voice->var[at];
            voice_change(voice, at, (float)(step.alpha * var * d));
            if (covariance == COVARIANCE_FULL)
                var -= step.beta * var * var * d * d;
            else
                var /= 1 + step.beta * d * d * var;
            voice->var[at] = fmaxf((float)var, FLT_MIN); /* at zero a weight would never learn again */
        }
    }
}

/* Solves one constraint, with the mean and variance as they are now. */
static void learn_lane(const struct learner_options *options, struct voice *voice, const struct diff *diff,
                       uint32_t lane, double loss)
{
    struct margin margin = {.m = diff_dot(diff, lane, voice->mean),
                            .v = diff_quadratic(diff, lane, voice->var),
                            .phi = options->phi * loss};
    if (!(margin.v > 0) || !(margin.phi > 0))
        return;
    struct cw_step step = options->covariance == COVARIANCE_EXACT ? exact_form(diff, lane, voice->var, margin)
                                                                  : closed_form(margin, options->covariance);
    if (step.alpha > 0)
        apply(voice, diff, lane, step, options->covariance);
}

static bool update(const struct learner_options *options, struct voice *voice, const struct diff *diff,
                   const double *loss, struct scratch *work, struct vouch_error *err)
{
    (void)work, (void)err;
    for (uint32_t lane = 0; lane < diff->lanes; lane++)
        learn_lane(options, voice, diff, lane, loss[lane]);
    return true;
}

const struct learner confidence_weighted = {
    .name = "cw",
    .need = NEED_CHOICES,
    .keeps = keeps_variance,
    .update = update,
};
