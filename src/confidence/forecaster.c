/*
 * Fitting a forecaster: see forecaster.h.
 *
 * Cost: a logistic regression and a boosting for each fold, and of all rows.
 */
#include "confidence/forecaster.h"

#include "base/memory.h"
#include "confidence/groups.h"

#include <math.h>
#include <string.h>

enum { FOLDS = 5 };

const char *const forecaster_names[FORECASTERS] = {"none", "logistic", "boosted", "both"};

void forecaster_release(struct forecaster *f)
{
    logistic_release(&f->logistic);
    boost_release(&f->boost);
    calibration_release(&f->after);
    *f = (struct forecaster){0};
}

/* Before the last calibration. */
static double forecast(const struct forecaster *f, enum forecaster_kind kind, const double *x)
{
    if (kind == FORECAST_LOGISTIC)
        return logistic_apply(&f->logistic, x);
    if (kind == FORECAST_BOOSTED)
        return boost_apply(&f->boost, x);
    return sigmoid((fine_log_odds(logistic_apply(&f->logistic, x)) + fine_log_odds(boost_apply(&f->boost, x))) / 2);
}

double forecaster_apply(const struct forecaster *f, const double *x)
{
    if (f->kind == FORECAST_NOTHING)
        return NAN;
    double p = forecast(f, f->kind, x);
    return f->after.kind == CALIBRATE_NONE ? short_of_certainty(p) : calibration_apply(&f->after, p);
}

/* As many as there are errors; one at least. */
static double prior(const struct forecaster_rows *r)
{
    size_t errors = 1;
    for (size_t i = 0; i < r->n; i++)
        errors += !r->right[i];
    return (double)errors;
}

/* The models that a kind consists of. */
static bool fit_models(struct forecaster *f, enum forecaster_kind kind, const struct forecaster_rows *r, uint64_t seed,
                       struct vouch_error *err)
{
    struct logistic_rows straight = {.x = r->signal, .right = r->right, .n = r->n, .features = r->signals};
    struct boost_rows rows = {.x = r->signal, .right = r->right, .group = r->group, .n = r->n, .features = r->signals};
    struct boost_options options = BOOST_DEFAULTS;
    options.seed = seed;
    return (kind == FORECAST_BOOSTED || logistic_fit(&straight, prior(r), &f->logistic, err)) &&
           (kind == FORECAST_LOGISTIC || boost_fit(&rows, &options, &f->boost, err));
}

/* Probabilities of fold `fold` by models of the other folds, in held [FORECASTERS][n]: 1/2 if these are empty. */
static bool hold_out(const struct forecaster_rows *r, uint64_t seed, const uint32_t *part, uint32_t fold, double *held,
                     struct vouch_error *err)
{
    struct forecaster f = {0};
    double *signal = rows_without(fold, part, r->n, r->signal, sizeof *signal * r->signals, err);
    bool *right = rows_without(fold, part, r->n, r->right, sizeof *right, err);
    uint32_t *group = rows_without(fold, part, r->n, r->group, sizeof *group, err);
    struct forecaster_rows others = {signal, right, group, count_without(fold, part, r->n), r->signals};
    bool ok = signal && right && group && (others.n == 0 || fit_models(&f, FORECAST_BOTH, &others, seed, err));
    for (size_t i = 0; ok && i < r->n; i++)
        if (part[i] == fold)
            for (enum forecaster_kind k = FORECAST_LOGISTIC; k < FORECASTERS; k++)
                held[k * r->n + i] = others.n ? forecast(&f, k, r->signal + i * r->signals) : 0.5;
    forecaster_release(&f);
    free(signal);
    free(right);
    free(group);
    return ok;
}

bool forecaster_hold_out(const struct forecaster_rows *r, uint64_t seed, double *held, struct vouch_error *err)
{
    uint32_t *part = new_array(r->n + 1, sizeof *part, err);
    bool ok = part && split_groups(r->group, r->n, FOLDS, seed, part, err);
    for (uint32_t fold = 0; ok && fold < FOLDS; fold++)
        ok = hold_out(r, seed, part, fold, held, err);
    free(part);
    return ok;
}

bool forecaster_fit(struct forecaster *f, enum forecaster_kind kind, const struct forecaster_rows *r, uint64_t seed,
                    double *held, struct vouch_error *err)
{
    double loss[CALIBRATION_KINDS], *before = new_array(r->n + 1, sizeof *before, err);
    *f = (struct forecaster){.kind = kind};
    if (before)
        memcpy(before, held, sizeof *before * r->n);
    bool ok = before && fit_models(f, kind, r, seed, err) &&
              calibration_choose(before, r->right, r->group, r->n, seed, &f->after, loss, err);
    if (ok && isnan(loss[f->after.kind])) /* Too few groups to see whether a calibration helps: better none. */
        calibration_release(&f->after);
    else
        ok = ok && calibration_hold_out(f->after.kind, before, r->right, r->group, r->n, seed, held, err);
    free(before);
    return ok;
}
