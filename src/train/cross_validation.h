/*
 * Learns on one part of a corpus and measures on another, to choose a parameter
 * and to cross-validate.
 */
#ifndef VOUCH_TRAIN_CROSS_VALIDATION_H
#define VOUCH_TRAIN_CROSS_VALIDATION_H

#include "base/ranks.h"
#include "learn/learn.h"
#include "train/dataset.h"

#include <jansson.h>

/* A learner with its parameters, to be tried. */
struct trial {
    const struct learner *learner;
    struct learner_options parameters;
};

struct trial_plan {
    const struct dataset *dataset;
    uint32_t layer;
    const struct trial *trial; /* [trials] */
    uint32_t trials;
    uint32_t passes;
    uint32_t shards; /* of learn/shards.c; 0, 1: none */
    uint64_t seed;
    uint32_t threads;
    const struct ranks *ranks; /* that share the runs, and all get their results; NULL: there are none */
    /* Called after every finished run, from one thread at a time. May be NULL. */
    void (*tell)(void *context, uint32_t done, uint32_t of);
    void *context;
    /* Whether to stop: called now and then, by every thread. May be NULL. */
    bool (*stop)(void *context);
};

/* Learns every trial on a random three quarters and measures it on the rest: result [trials]. */
bool hold_out(const struct trial_plan *plan, struct layer_score *result, struct vouch_error *err);

/*
 * Measures every trial on each of `folds` folds: result [trials][folds], and after every pass: after
 * [trials][folds][passes] or NULL, which saves the time of measuring.
 */
bool cross_validate(const struct trial_plan *plan, uint32_t folds, struct layer_score *result,
                    struct layer_score *after, struct vouch_error *err);

#endif
