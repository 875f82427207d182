/*
 * Fitting a forecaster: see forecaster.h.
 *
 * Cost: three logistic regressions and three boostings.
 */
#include "confidence/forecaster.h"

#include "base/hash.h"
#include "base/memory.h"

#include <math.h>
#include <string.h>

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
    return sigmoid((log_odds(logistic_apply(&f->logistic, x)) + log_odds(boost_apply(&f->boost, x))) / 2);
}

double forecaster_apply(const struct forecaster *f, const double *x)
{
    if (f->kind == FORECAST_NOTHING)
        return NAN;
    double p = forecast(f, f->kind, x);
    return f->after.kind == CALIBRATE_NONE ? p : calibration_apply(&f->after, p);
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
    struct boost_rows rows = {.x = r->signal, .right = r->right, .group = r->group, .n = r->n, .features = r->signals};
    struct boost_options options = BOOST_DEFAULTS;
    options.seed = seed;
    return (kind == FORECAST_BOOSTED ||
            logistic_fit(r->signal, r->right, r->n, r->signals, prior(r), &f->logistic, err)) &&
           (kind == FORECAST_LOGISTIC || boost_fit(&rows, &options, &f->boost, err));
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
    ok = ok && (h.n == 0 || fit_models(&f, FORECAST_BOTH, &rows, seed, err));
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

bool forecaster_hold_out(const struct forecaster_rows *r, uint64_t seed, double *held, struct vouch_error *err)
{
    return try_half(r, seed, false, held, err) && try_half(r, seed, true, held, err);
}

bool forecaster_fit(struct forecaster *f, enum forecaster_kind kind, const struct forecaster_rows *r, uint64_t seed,
                    const double *held, struct vouch_error *err)
{
    double loss[CALIBRATION_KINDS];
    *f = (struct forecaster){.kind = kind};
    if (!fit_models(f, kind, r, seed, err) ||
        !calibration_choose(held, r->right, r->group, r->n, seed, &f->after, loss, err))
        return false;
    /* Too few groups to see whether a calibration helps: better none. */
    if (isnan(loss[f->after.kind]))
        calibration_release(&f->after);
    return true;
}
