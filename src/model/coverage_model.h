/*
 * A coverage model holds thresholds of probability such that sets of choices hold the right one as often as was asked
 * for. It is found by tune/covering.c and kept as JSON in the header's "coverage".
 */
#ifndef VOUCH_MODEL_COVERAGE_MODEL_H
#define VOUCH_MODEL_COVERAGE_MODEL_H

#include "base/error.h"
#include "core/confidences.h"

#include <jansson.h>

/* A choice whose probability is at least this is in the set; the answer is in any case. */
struct set_thresholds {
    double word;  /* of labels, or heads */
    double chunk; /* of readings of chunks */
};

struct coverage_model {
    bool known;
    double target; /* the share of a sentence's words, and chunks, whose sets hold the right choice, in the mean */
    char method[METHOD_NAME]; /* whose probabilities these are */
    struct set_thresholds least;
    bool chunks; /* there were chunks to find a threshold on */
};

/* Returns the model as JSON; NULL if there is no memory. */
json_t *coverage_model_json(const struct coverage_model *model);

/* Reads what the header has; `known` says whether it has any. Fails if it is damaged; `name` is for messages. */
bool coverage_model_read(struct coverage_model *model, const json_t *header, const char *name, struct vouch_error *err);

#endif
