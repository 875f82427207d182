/*
 * What some labelled sentences tell of the answers to a text: the share that they measure, moved by what the model's
 * probabilities expect of the whole text beyond what they expect of these sentences. See labelled_forecast.c.
 */
#ifndef VOUCH_FORECAST_LABELLED_FORECAST_H
#define VOUCH_FORECAST_LABELLED_FORECAST_H

#include "model/forecast_model.h"

/* A labelled sentence: what probabilities expect of its answer, and what is true. */
struct labelled_sentence {
    struct expected_counts expected, measured;
};

struct labelled_forecast {
    double value, low, high; /* the share, and its interval of ninety percent; NANs: there is nothing to count */
    double alone;            /* the share that the labelled sentences have */
};

/*
 * Estimates a share of the text of which probabilities expect `text`, by `n` of its sentences, chosen at random. They
 * may be part of the text. Time: n.
 */
struct labelled_forecast labelled_forecast(const struct labelled_sentence *sentence, size_t n,
                                           const struct expected_counts *text, enum share share);

/*
 * Joins the forecast without labels and that by labels, weighted by how sure they are. If the two contradict each
 * other, that by labels stands alone; if one of them is missing, the other does.
 */
struct forecast forecast_joined(const struct forecast *without, const struct labelled_forecast *by_labels);

#endif
