/* Applies logistic models: see logistic.h. They are fitted in logistic_fit.c. */
#include "fit/logistic.h"

#include "base/memory.h"
#include "core/simd.h"

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
    *logistic = (struct logistic){.features = features};
    logistic->weight = new_array(features, sizeof *logistic->weight, err);
    logistic->mean = new_array(features, sizeof *logistic->mean, err);
    logistic->scale = new_array(features, sizeof *logistic->scale, err);
    return logistic->weight && logistic->mean && logistic->scale;
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
    free(logistic->mean);
    free(logistic->scale);
    *logistic = (struct logistic){0};
}
