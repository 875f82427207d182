/*
 * A forecaster makes one probability of a row of signals.
 *
 * It is a logistic model, boosted trees that are added to its log-odds, and a
 * calibration of the result of both. The strength of the logistic model's prior
 * grows with the number of errors: signals that are nearly the same then share
 * the weight, which ranks errors better (average precision 0.344 instead of
 * 0.335 on held-out noun phrases, 0.536 instead of 0.531 on Spanish names); the
 * calibration corrects probabilities that the prior keeps too close to the
 * mean.
 */
#ifndef VOUCH_FIT_FORECASTER_H
#define VOUCH_FIT_FORECASTER_H

#include "fit/boost.h"
#include "fit/calibrate.h"
#include "fit/forest.h"
#include "fit/logistic.h"

struct forecaster {
    bool fitted;
    struct logistic logistic;
    struct boost boost;       /* added to its log-odds */
    struct calibration after; /* CALIBRATE_NONE: none is needed */
    struct forest forest;     /* `boost`, laid out by forecaster_prepare(); empty before */
};

/*
 * Learns from all rows, and is calibrated on the numbers that it gives to rows that it has not seen. held [n] are the
 * probabilities of a calibrated forecaster for rows that neither it nor its calibration has seen.
 */
bool forecaster_fit(struct forecaster *forecaster, const struct logistic_rows *rows, uint64_t seed, uint32_t threads,
                    double *held, struct vouch_error *err);

/*
 * Does the same for rows whose first signal is the log-odds of a held-out probability that is good already: the
 * logistic model passes these on, and trees correct them by the other signals, as far as that helps.
 */
bool forecaster_correct(struct forecaster *forecaster, const struct logistic_rows *rows, uint64_t seed,
                        uint32_t threads, double *held, struct vouch_error *err);
double forecaster_apply(const struct forecaster *forecaster, const double *signal);

/* Finds the probabilities p [n] of rows of signals: the same numbers, several times faster after forecaster_prepare().
 */
void forecaster_apply_rows(const struct forecaster *forecaster, const double *signal, size_t n, double *p);
bool forecaster_prepare(struct forecaster *forecaster, struct vouch_error *err);
void forecaster_release(struct forecaster *forecaster);

#endif
