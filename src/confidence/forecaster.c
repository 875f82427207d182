/*
 * Fitting a forecaster: see forecaster.h.
 *
 * Cost: a logistic regression for each fold, and of all rows.
 */
#include "confidence/forecaster.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

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
static double prior(const struct logistic_rows *r)
{
    size_t errors = 1;
    for (size_t i = 0; i < r->n; i++)
        errors += !r->right[i];
    return (double)errors;
}

bool forecaster_fit(struct forecaster *f, const struct logistic_rows *r, uint64_t seed, double *held,
                    struct vouch_error *err)
{
    double loss[CALIBRATION_KINDS], *before = new_array(r->n + 1, sizeof *before, err);
    struct calibration_rows rows = {before, r->right, r->group, r->n};
    *f = (struct forecaster){.fitted = true};
    bool ok = before && logistic_hold_out(r, prior, seed, before, err) &&
              logistic_fit(r, prior(r), &f->logistic, err) && calibration_choose(&rows, seed, &f->after, loss, err);
    if (ok && isnan(loss[f->after.kind])) { /* Too few groups to see whether a calibration helps: better none. */
        calibration_release(&f->after);
        memcpy(held, before, sizeof *held * r->n);
    } else
        ok = ok && calibration_hold_out(f->after.kind, &rows, seed, held, err);
    free(before);
    return ok;
}
