/*
 * Learners that add difference vectors to the mean; the learned voice is the mean over all steps.
 *
 * The structured perceptron (Collins 2002) adds that of the best choice, whenever it is not gold:
 *
 *     mean += phi(x, gold) - phi(x, best)
 *
 * Passive-aggressive learning, PA-I (Crammer et al. 2006), 1-best and k-best (Crammer, McDonald and Pereira 2005),
 * takes the smallest step that keeps a margin. With difference vectors d_k and Hamming losses l_k of the K best
 * choices,
 *
 *     min |mean' - mean|^2 / 2 + C sum_k xi_k    s.t.  mean' . d_k >= l_k - xi_k
 *
 * has the dual solution mean' = mean + sum_k a_k d_k with 0 <= a_k <= C, found by Hildreth's method: sweep over k, each
 * time solving for a_k alone,
 *
 *     a_k <- clip(a_k + (l_k - mean.d_k - sum_j a_j d_j.d_k) / d_k.d_k, 0, C)
 *
 * until no multiplier moves the weights by more than TOLERANCE times the largest |a_k d_k|, which is relative to the
 * solution, whatever C. For K = 1 the first sweep is the closed form of PA-I. Differences that contradict each other
 * push their multipliers up to C; where C is so large that MAX_SWEEPS do not take them there, the step is only nearly
 * the best. Time: K^2 inner products over the blocks of the differences.
 */
#include "learn/learn.h"

#include <math.h>

/* Makes mean += by * list. */
static void step_along(struct voice *voice, const struct entry *entry, size_t count, double by)
{
    for (size_t i = 0; i < count; i++)
        voice_change(voice, entry[i].at, (float)by * entry[i].coef);
}

static bool perceptron_update(const struct learner_options *options, struct voice *voice, const struct diff *diff,
                              const double *loss, struct scratch *work, struct vouch_error *err)
{
    (void)options, (void)loss;
    if (!scratch_reserve(work, sizeof(struct entry) * (diff_size(diff) + 1), err))
        return false;
    struct entry *entry = (struct entry *)(void *)work->bytes;
    step_along(voice, entry, diff_entries(diff, 0, entry), 1);
    return true;
}

const struct learner perceptron = {
    .name = "perceptron",
    .need = NEED_CHOICES,
    .update = perceptron_update,
};

#define TOLERANCE 1e-8
enum { MAX_SWEEPS = 10000 }; /* twenty are usual, thousands rare: lanes that depend on each other */

/* Finds alpha [K] from gram [K][K] and slack [K] (loss minus margin). */
static void hildreth(uint32_t K, const double *gram, const double *slack, double C, double *alpha)
{
    for (int sweep = 0; sweep < MAX_SWEEPS; sweep++) {
        double moved = 0, largest = 0;
        for (uint32_t k = 0; k < K; k++) {
            double lacking = slack[k];
            for (uint32_t j = 0; j < K; j++)
                lacking -= alpha[j] * gram[k * K + j];
            double to = alpha[k] + lacking / gram[k * K + k];
            to = fmin(fmax(to, 0), C);
            double length = sqrt(gram[k * K + k]);
            moved = fmax(moved, fabs(to - alpha[k]) * length);
            largest = fmax(largest, to * length);
            alpha[k] = to;
        }
        if (K == 1 || moved <= TOLERANCE * largest)
            return;
    }
}

static bool pa_update(const struct learner_options *options, struct voice *voice, const struct diff *diff,
                      const double *loss, struct scratch *work, struct vouch_error *err)
{
    size_t K = diff->lanes, most = diff_size(diff) + 1;
    if (!scratch_reserve(work, (sizeof(double) * (K + 2) + sizeof(size_t) + sizeof(struct entry) * most) * K, err))
        return false;
    double *gram = (double *)(void *)work->bytes, *slack = gram + K * K, *alpha = slack + K;
    size_t *count = (size_t *)(alpha + K);
    struct entry *entry = (struct entry *)(count + K); /* [K][most] */
    diff_gram(diff, gram);
    for (uint32_t k = 0; k < K; k++) {
        count[k] = diff_entries(diff, k, entry + k * most);
        slack[k] = loss[k] - entries_dot(entry + k * most, count[k], voice->mean);
        alpha[k] = 0;
    }
    hildreth((uint32_t)K, gram, slack, options->C, alpha);
    for (uint32_t k = 0; k < K; k++)
        if (alpha[k] > 0)
            step_along(voice, entry + k * most, count[k], alpha[k]);
    return true;
}

const struct learner passive_aggressive = {
    .name = "pa",
    .need = NEED_CHOICES,
    .update = pa_update,
};
