/*
 * Probabilities and odds, how a logistic model is applied, and how rows are split by groups; logistic_fit.c fits
 * models. A group's part is looked up by bisection in the sorted numbers of the groups: O(n log n) for n rows.
 */
#include "fit/logistic.h"

#include "base/elementary.h"
#include "base/memory.h"
#include "base/order.h"
#include "base/random.h"
#include "core/simd.h"

#include <math.h>

double sigmoid(double z)
{
    return 1 / (1 + exp_of(-z)); /* exp() may overflow to infinity, which gives the right 0 */
}

static double odds_within(double p, double least)
{
    p = !(p > least) ? least : p < 1 - least ? p : 1 - least;
    return p / (1 - p);
}

double log_odds(double p)
{
    return log_of(odds_within(p, 1e-6));
}

double fine_odds(double p)
{
    return odds_within(p, 1e-9);
}

double fine_log_odds(double p)
{
    return log_of(fine_odds(p));
}

double within_fine_odds(double z)
{
    const double most = 20.723265836946411; /* log-odds of 1 - 1e-9 */
    return !(z > -most) ? -most : z < most ? z : most;
}

double short_of_certainty(double p)
{
    const double least = 1e-6;
    return least + (1 - 2 * least) * p;
}

double vote_odds(double share, uint32_t K)
{
    return log_of((share * K + 0.5) / ((1 - share) * K + 0.5));
}

double softplus(double z)
{
    return z > 0 ? z + log1p_of(exp_of(-z)) : log1p_of(exp_of(z));
}

/* ---- Models ---- */

double logistic_score(const struct logistic *logistic, const double *x)
{
    double z = logistic->bias;
    for (uint32_t j = 0; j < logistic->features; j++)
        if (logistic->weight[j] != 0)
            z += logistic->weight[j] * logistic_standardised(logistic, x, j);
    return z;
}

/* Adds weight * (x - mean) / scale. */
SIMD_BODY void add_signal(const double *restrict x, const double by[3], size_t n, double *restrict score)
{
    double weight = by[0], mean = by[1], scale = by[2];
    for (size_t i = 0; i < n; i++)
        score[i] += weight * ((x[i] - mean) / scale);
}

SIMD_KERNEL(add_signal, (const double *x, const double by[3], size_t n, double *score), (x, by, n, score))

void logistic_scores(const struct logistic *logistic, const double *x, size_t n, double *score)
{
    enum simd set = simd_best();
    for (size_t i = 0; i < n; i++)
        score[i] = logistic->bias;
    for (uint32_t j = 0; j < logistic->features; j++, x += n)
        if (logistic->weight[j] != 0 && logistic->scale[j] > 0)
            add_signal_for[set](x, (double[3]){logistic->weight[j], logistic->mean[j], logistic->scale[j]}, n, score);
}

bool logistic_init(struct logistic *logistic, uint32_t features, struct vouch_error *err)
{
    double *all = new_array(3 * (size_t)features, sizeof *all, err);
    *logistic = (struct logistic){.features = features, .weight = all};
    logistic->mean = all ? all + features : NULL;
    logistic->scale = all ? all + 2 * (size_t)features : NULL;
    return all != NULL;
}

bool logistic_first(struct logistic *logistic, uint32_t features, struct vouch_error *err)
{
    if (!logistic_init(logistic, features, err))
        return false;
    logistic->weight[0] = logistic->scale[0] = 1;
    return true;
}

double logistic_apply(const struct logistic *logistic, const double *x)
{
    return sigmoid(logistic_score(logistic, x));
}

void logistic_release(struct logistic *logistic)
{
    free(logistic->weight);
    *logistic = (struct logistic){0};
}

/* ---- Groups ---- */

/* Returns the place of `wanted`, which is there, among ascending numbers. */
static size_t place_of(uint32_t wanted, const uint64_t *numbers, size_t count)
{
    size_t low = 0;
    while (count > 1) {
        size_t half = count / 2;
        if (numbers[low + half] <= wanted)
            low += half;
        count -= half;
    }
    return low;
}

/* Lists the groups, ascending, each once. */
static bool distinct(const uint32_t *group, size_t n, uint64_t *numbers, size_t *groups, struct vouch_error *err)
{
    size_t count = 0, kept = 0;
    for (size_t i = 0; i < n; i++)
        if (i == 0 || group[i] != group[i - 1])
            numbers[count++] = group[i];
    if (!sort_keys(numbers, count, err))
        return false;
    for (size_t i = 0; i < count; i++)
        if (kept == 0 || numbers[kept - 1] != numbers[i])
            numbers[kept++] = numbers[i];
    *groups = kept;
    return true;
}

bool split_groups(const uint32_t *group, size_t n, uint32_t parts, uint64_t seed, uint32_t *part,
                  struct vouch_error *err)
{
    if (n > UINT32_MAX)
        return fail(err, VOUCH_ERR_ARGUMENT, "%zu rows: at most %u can be split", n, UINT32_MAX);
    uint64_t *numbers = new_array(n, sizeof *numbers, err);
    uint32_t *turn = new_array(n, sizeof *turn, err);
    size_t groups = n;
    bool ok = numbers && turn && (!group || distinct(group, n, numbers, &groups, err));
    if (ok) {
        for (size_t g = 0; g < groups; g++)
            turn[g] = (uint32_t)(g % parts);
        struct rng rng = rng_new(seed, 0);
        rng_shuffle(&rng, turn, groups);
        for (size_t i = 0; i < n; i++)
            part[i] = !group                              ? turn[i]
                      : i > 0 && group[i] == group[i - 1] ? part[i - 1]
                                                          : turn[place_of(group[i], numbers, groups)];
    }
    free(numbers);
    free(turn);
    return ok;
}
