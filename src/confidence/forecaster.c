/*
 * Fitting and choosing a forecaster: see forecaster.h.
 *
 * Cost: three logistic regressions and three boostings.
 */
#include "confidence/forecaster.h"

#include "base/hash.h"
#include "base/memory.h"

#include <math.h>
#include <string.h>

#define L2 1.0     /* prior on the weights of the logistic model, against the sum of the losses */
#define LEAST 1e-6 /* no probability counts as surer than this */

const char *const forecaster_names[FORECASTERS] = {"none", "logistic", "boosted", "both"};

void forecaster_release(struct forecaster *f)
{
    logistic_release(&f->logistic);
    boost_release(&f->boost);
    calibration_release(&f->after);
    *f = (struct forecaster){0};
}

static double odds(double p)
{
    p = fmin(fmax(p, LEAST), 1 - LEAST);
    return log(p / (1 - p));
}

/* Before the last calibration. */
static double forecast(const struct forecaster *f, enum forecaster_kind kind, const double *x)
{
    if (kind == FORECAST_LOGISTIC)
        return logistic_apply(&f->logistic, x);
    if (kind == FORECAST_BOOSTED)
        return boost_apply(&f->boost, x);
    return sigmoid((odds(logistic_apply(&f->logistic, x)) + odds(boost_apply(&f->boost, x))) / 2);
}

double forecaster_apply(const struct forecaster *f, const double *x)
{
    if (f->kind == FORECAST_NOTHING)
        return NAN;
    double p = forecast(f, f->kind, x);
    return f->after.kind == CALIBRATE_NONE ? p : calibration_apply(&f->after, p);
}

static bool fit_both(struct forecaster *f, const struct forecaster_rows *r, uint64_t seed, struct vouch_error *err)
{
    struct boost_rows rows = {.x = r->signal, .right = r->right, .group = r->group, .n = r->n, .features = r->signals};
    struct boost_options options = BOOST_DEFAULTS;
    options.seed = seed;
    return logistic_fit(r->signal, r->right, r->n, r->signals, L2, &f->logistic, err) &&
           boost_fit(&rows, &options, &f->boost, err);
}

/* Which half a row's group is in. */
static bool second_half(const struct forecaster_rows *r, uint64_t seed, size_t i)
{
    return hash_mix(seed, r->group[i]) >> 63;
}

/* The rows of one half, copied together. */
struct half {
    double *signal;
    bool *right;
    uint32_t *group;
    size_t n;
};

static bool take_half(struct half *h, const struct forecaster_rows *r, uint64_t seed, bool second,
                      struct vouch_error *err)
{
    *h = (struct half){.signal = new_array(r->n * r->signals + 1, sizeof *h->signal, err),
                       .right = new_array(r->n + 1, sizeof *h->right, err),
                       .group = new_array(r->n + 1, sizeof *h->group, err)};
    if (!h->signal || !h->right || !h->group)
        return false;
    for (size_t i = 0; i < r->n; i++)
        if (second_half(r, seed, i) == second) {
            memcpy(h->signal + h->n * r->signals, r->signal + i * r->signals, sizeof *h->signal * r->signals);
            h->right[h->n] = r->right[i];
            h->group[h->n++] = r->group[i];
        }
    return true;
}

/* Learns from one half; probabilities of the other by each kind, in held [FORECASTERS][n]: 1/2 if the half is empty. */
static bool try_half(const struct forecaster_rows *r, uint64_t seed, bool second, double *held, struct vouch_error *err)
{
    struct forecaster f = {0};
    struct half h;
    bool ok = take_half(&h, r, seed, second, err);
    struct forecaster_rows rows = {h.signal, h.right, h.group, h.n, r->signals};
    ok = ok && (h.n == 0 || fit_both(&f, &rows, seed, err));
    for (size_t i = 0; ok && i < r->n; i++)
        if (second_half(r, seed, i) != second)
            for (enum forecaster_kind k = FORECAST_LOGISTIC; k < FORECASTERS; k++)
                held[k * r->n + i] = h.n ? forecast(&f, k, r->signal + i * r->signals) : 0.5;
    forecaster_release(&f);
    free(h.signal);
    free(h.right);
    free(h.group);
    return ok;
}

static double mean_loss(const double *p, const bool *right, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum -= log(fmax(right[i] ? p[i] : 1 - p[i], LEAST));
    return n ? sum / (double)n : 0;
}

bool forecaster_fit(struct forecaster *f, const struct forecaster_rows *r, uint64_t seed, double loss[FORECASTERS],
                    double *held, struct vouch_error *err)
{
    *f = (struct forecaster){0};
    double *p = new_array(FORECASTERS * r->n + 1, sizeof *p, err), after[CALIBRATION_KINDS];
    bool ok = p && try_half(r, seed, false, p, err) && try_half(r, seed, true, p, err) && fit_both(f, r, seed, err);
    loss[FORECAST_NOTHING] = NAN;
    f->kind = FORECAST_LOGISTIC;
    for (enum forecaster_kind k = FORECAST_LOGISTIC; ok && k < FORECASTERS; k++) {
        loss[k] = mean_loss(p + k * r->n, r->right, r->n);
        if (loss[k] < loss[f->kind])
            f->kind = k;
    }
    /* The held-out probabilities show whether the forecast itself is to be believed. */
    if (ok && r->n) {
        const double *best = p + f->kind * r->n;
        ok = calibration_choose(best, r->right, r->group, r->n, seed, &f->after, after, err);
        if (ok && !(after[f->after.kind] < loss[f->kind]))
            calibration_release(&f->after);
        for (size_t i = 0; ok && held && i < r->n; i++)
            held[i] = f->after.kind == CALIBRATE_NONE ? best[i] : calibration_apply(&f->after, best[i]);
    }
    free(p);
    return ok;
}
