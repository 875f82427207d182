/*
 * Fitting a forecaster: see forecaster.h.
 *
 * Cost: a logistic regression for each fold, and of all rows.
 */
#include "confidence/forecaster.h"

#include "base/memory.h"
#include "confidence/groups.h"

#include <math.h>
#include <string.h>

enum { FOLDS = 5 };

void forecaster_release(struct forecaster *f)
{
    logistic_release(&f->logistic);
    calibration_release(&f->after);
    *f = (struct forecaster){0};
}

double forecaster_apply(const struct forecaster *f, const double *x)
{
    if (!f->fitted)
        return NAN;
    double p = logistic_apply(&f->logistic, x);
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

static bool fit_logistic(const struct forecaster_rows *r, struct logistic *logistic, struct vouch_error *err)
{
    struct logistic_rows rows = {.x = r->signal, .right = r->right, .n = r->n, .features = r->signals};
    return logistic_fit(&rows, prior(r), logistic, err);
}

/* Probabilities of fold `fold` by a model of the other folds, in held [n]: 1/2 if these are empty. */
static bool hold_out(const struct forecaster_rows *r, const uint32_t *part, uint32_t fold, double *held,
                     struct vouch_error *err)
{
    struct logistic logistic = {0};
    double *signal = rows_without(fold, part, r->n, r->signal, sizeof *signal * r->signals, err);
    bool *right = rows_without(fold, part, r->n, r->right, sizeof *right, err);
    struct forecaster_rows others = {
        .signal = signal, .right = right, .n = count_without(fold, part, r->n), .signals = r->signals};
    bool ok = signal && right && (others.n == 0 || fit_logistic(&others, &logistic, err));
    for (size_t i = 0; ok && i < r->n; i++)
        if (part[i] == fold)
            held[i] = others.n ? logistic_apply(&logistic, r->signal + i * r->signals) : 0.5;
    logistic_release(&logistic);
    free(signal);
    free(right);
    return ok;
}

bool forecaster_hold_out(const struct forecaster_rows *r, uint64_t seed, double *held, struct vouch_error *err)
{
    uint32_t *part = new_array(r->n + 1, sizeof *part, err);
    bool ok = part && split_groups(r->group, r->n, FOLDS, seed, part, err);
    for (uint32_t fold = 0; ok && fold < FOLDS; fold++)
        ok = hold_out(r, part, fold, held, err);
    free(part);
    return ok;
}

bool forecaster_fit(struct forecaster *f, const struct forecaster_rows *r, uint64_t seed, double *held,
                    struct vouch_error *err)
{
    double loss[CALIBRATION_KINDS], *before = new_array(r->n + 1, sizeof *before, err);
    *f = (struct forecaster){.fitted = true};
    if (before)
        memcpy(before, held, sizeof *before * r->n);
    bool ok = before && fit_logistic(r, &f->logistic, err) &&
              calibration_choose(before, r->right, r->group, r->n, seed, &f->after, loss, err);
    if (ok && isnan(loss[f->after.kind])) /* Too few groups to see whether a calibration helps: better none. */
        calibration_release(&f->after);
    else
        ok = ok && calibration_hold_out(f->after.kind, before, r->right, r->group, r->n, seed, held, err);
    free(before);
    return ok;
}
