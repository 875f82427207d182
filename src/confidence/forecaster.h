/*
 * A forecaster: one probability from a row of signals.
 *
 * A logistic model, boosted trees that are added to its log-odds, and a
 * calibration of what comes out of both. The prior of the logistic model is as
 * strong as the errors are many: signals that say nearly the same then share
 * the weight instead of fighting for it, which ranks errors better (average
 * precision 0.344 instead of 0.335 on held-out noun phrases, 0.536 instead of
 * 0.531 on Spanish names); the calibration corrects what the prior makes too
 * timid.
 */
#ifndef VOUCH_CONFIDENCE_FORECASTER_H
#define VOUCH_CONFIDENCE_FORECASTER_H

#include "confidence/boost.h"
#include "confidence/calibrate.h"
#include "confidence/logistic.h"

struct forecaster {
    bool fitted;
    struct logistic logistic;
    struct boost boost;       /* added to its log-odds */
    struct calibration after; /* CALIBRATE_NONE: none needed */
};

/*
 * Learns from all rows, and is calibrated by what its logistic model says of rows that it has not seen. held [n] is
 * what the calibrated forecaster says of rows that neither it nor its calibration has seen.
 */
bool forecaster_fit(struct forecaster *forecaster, const struct logistic_rows *rows, uint64_t seed, double *held,
                    struct vouch_error *err);

/*
 * The same for rows whose first signal is the log-odds of a probability that is good already, held out: the logistic
 * model hands these on, and trees correct them by the other signals, as far as that helps.
 */
bool forecaster_correct(struct forecaster *forecaster, const struct logistic_rows *rows, uint64_t seed, double *held,
                        struct vouch_error *err);
double forecaster_apply(const struct forecaster *forecaster, const double *signal);
void forecaster_release(struct forecaster *forecaster);

#endif
