/*
 * A forecast model tells how the share of right answers to a text differs from what probabilities lead to expect, and
 * what text the model was calibrated on. It is fitted by train/shift.c, stored as JSON in the header's "confidence",
 * and applied here.
 */
#ifndef VOUCH_MODEL_FORECAST_MODEL_H
#define VOUCH_MODEL_FORECAST_MODEL_H

#include "confidence/expected_counts.h"

#include <jansson.h>

enum { SHIFTS = 2 }; /* kinds of simulated losses: features, words */

/* One figure on held-out text. */
struct forecast_line {
    double expected, measured; /* by probabilities, and in truth; as log-odds */
    double count;              /* of answers */
    double spread;             /* variance over blocks of sentences, in units of independent answers' */
    double drift;              /* deviation of log-odds over long runs of sentences, beyond what chance gives */
    double slope[SHIFTS];      /* measured log-odds for each unit of expected log-odds, by kind of shift */
};

/* A signal of likeness, over blocks of held-out sentences. */
struct forecast_norm {
    double mean, deviation;
};

enum likeness { LIKENESS_FEATURES, LIKENESS_DOUBT, LIKENESSES };
extern const char *const share_keys[SHARES], *const likeness_keys[LIKENESSES];

struct forecast_model {
    bool fitted;
    struct forecast_line line[SHARES]; /* count 0: there is none */
    struct forecast_norm norm[LIKENESSES];
    double block; /* words of a block, about */
};

/* A share that is expected, with its interval of ninety percent. */
struct forecast {
    double expected; /* the plain mean of the probabilities */
    double value, low, high;
    double to_label; /* sentences to label, at random, for an interval half as wide; NAN: there is none */
};

/* Forecasts a share; NANs if the expected counts or the model lack the figure. */
struct forecast forecast_apply(const struct forecast_model *model, const struct expected_counts *expected,
                               enum share share);

/* Returns the number of known features for each word, or the logarithm of the share of words expected to be wrong. */
double likeness_of(const struct expected_counts *expected, enum likeness likeness);

/* Returns how many deviations of blocks of calibration text the text is from their mean; 0: no difference. */
double forecast_unlikeness(const struct forecast_model *model, const struct expected_counts *expected,
                           enum likeness likeness);

/* Whether the text is unlike, and there is enough of it to tell. */
bool forecast_is_unlike(const struct forecast_model *model, const struct expected_counts *expected);

json_t *forecast_model_json(const struct forecast_model *model);

/* Reads what the header has; `fitted` says whether it has any. Fails if it is damaged; `name` is for messages. */
bool forecast_model_read(struct forecast_model *model, const json_t *header, const char *name, struct vouch_error *err);

#endif
