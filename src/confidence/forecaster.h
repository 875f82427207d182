/*
 * A forecaster: one probability from a row of signals.
 *
 * A logistic model, or boosted trees where held-out answers say that they do
 * better, and a calibration of what comes out of it. With all answers right,
 * or hardly any to learn from, it is still defined: see logistic.h.
 */
#ifndef VOUCH_CONFIDENCE_FORECASTER_H
#define VOUCH_CONFIDENCE_FORECASTER_H

#include "confidence/boost.h"
#include "confidence/calibrate.h"
#include "confidence/logistic.h"

enum forecaster_kind { FORECAST_NOTHING, FORECAST_LOGISTIC, FORECAST_BOOSTED, FORECAST_BOTH, FORECASTERS };

struct forecaster {
    enum forecaster_kind kind;
    struct logistic logistic;
    struct boost boost;
    struct calibration after; /* CALIBRATE_NONE: none needed */
};

/* What it learns from: rows of signals; groups (sentences) stay together when some are held out. */
struct forecaster_rows {
    const double *signal; /* [n][signals] */
    const bool *right;    /* [n] */
    const uint32_t *group;
    size_t n;
    uint32_t signals;
};

/*
 * Both kinds, and the mean of their log-odds, learn from one half of the groups and are measured on the other, both
 * ways round; the one with the least log loss learns from all. Mean held-out losses, in nats, in `loss`. If `held` is
 * not NULL it receives the held-out probabilities [n] of the kind that was chosen.
 */
bool forecaster_fit(struct forecaster *forecaster, const struct forecaster_rows *rows, uint64_t seed,
                    double loss[FORECASTERS], double *held, struct vouch_error *err);
double forecaster_apply(const struct forecaster *forecaster, const double *signal);
void forecaster_release(struct forecaster *forecaster);

extern const char *const forecaster_names[FORECASTERS];

#endif
