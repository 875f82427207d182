/*
 * Forecasts how good a model's answers to unlabelled text are: its probabilities are added up over the text, and
 * corrected by what was found when it was calibrated (train/shift.c). Its gold is never looked at. A file of labelled
 * sentences of the same text corrects the forecast (labelled_forecast.c).
 */
#ifndef VOUCH_FORECAST_TEXT_FORECAST_H
#define VOUCH_FORECAST_TEXT_FORECAST_H

#include "eval/evaluation.h"
#include "forecast/labelled_forecast.h"
#include "options/rows.h"
#include "answer/answer_stream.h"

struct forecast_options {
    struct options common;
    struct reading_values reading;
    const char *model, *labelled;
    bool json;
};
extern const struct option_table forecast_options;

/* Set the first two fields and zero the rest. Release in any case. */
struct text_forecast {
    const struct forecast_options *options;
    const struct vouch_model *model;

    struct forecast_model calibrated;
    struct expected_counts counts;    /* over all sentences */
    uint64_t unknown;                 /* words that a tagger did not learn from; 0 for a parser, which keeps no words */
    struct forecast without[SHARES];  /* without labels; NANs where there is nothing to forecast */
    struct forecast forecast[SHARES]; /* corrected by labels, if there are any */
    double unlike[LIKENESSES];        /* in deviations */
    bool is_unlike;

    /* Of the labelled sentences. */
    struct labelled_sentence *sentence; /* [sentences] */
    size_t sentences, capacity;
    struct labelled_forecast by_labels[SHARES];
    struct evaluation evaluation;      /* that counts what is right in them */
    uint64_t known_labels, all_labels; /* words with a label other than outside: those that the model knows, and all */
};

bool text_forecast_run(struct text_forecast *f, struct vouch_error *err);
void text_forecast_release(struct text_forecast *f);

/* Returns the name of a share: "accuracy", or "UAS" if the model parses; "precision", ... */
const char *forecast_name(const struct vouch_model *model, enum share share);

/* Returns the share by which to decide how much to label: F1 if there are chunks, else accuracy. */
enum share forecast_main(const struct text_forecast *f);

json_t *text_forecast_json(const struct text_forecast *f);

#endif
