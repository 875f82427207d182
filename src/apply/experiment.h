/*
 * Learning on one part of a corpus and measuring on another: choosing a
 * parameter, and cross-validation.
 */
#ifndef VOUCH_APPLY_EXPERIMENT_H
#define VOUCH_APPLY_EXPERIMENT_H

#include "apply/tag_corpus.h"
#include "learn/learn.h"

/* What to try. */
struct trial {
    const struct learner *learner;
    struct learner_options parameters;
};

struct trial_result {
    double figure; /* tag_score_figure() on the held-out part */
    double precision, recall;
};

struct trial_plan {
    const struct tag_corpus *corpus;
    const struct trial *trial; /* [trials] */
    uint32_t trials;
    uint32_t passes;
    uint64_t seed;
    uint32_t threads;
    /* Told after every finished run, from one thread at a time. May be NULL. */
    void (*tell)(void *context, uint32_t done, uint32_t of);
    void *context;
    /* Asked now and then by every thread: whether to give up. May be NULL. */
    bool (*stop)(void);
};

/* Every trial learned on a random three quarters and measured on the rest: result [trials]. */
bool hold_out(const struct trial_plan *plan, struct trial_result *result, struct vouch_error *err);

/* Every trial on each of `folds` folds: result [trials][folds]. */
bool cross_validate(const struct trial_plan *plan, uint32_t folds, struct trial_result *result,
                    struct vouch_error *err);

#endif
