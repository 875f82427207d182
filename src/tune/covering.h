/*
 * Finds thresholds by which sets of choices hold the right one as often as was asked for. They are found on labelled
 * files that the model has not learned from, and kept in its header. See covering.c.
 */
#ifndef VOUCH_TUNE_COVERING_H
#define VOUCH_TUNE_COVERING_H

#include "model/confidence_model.h"
#include "tune/tuning.h"
#include "eval/evaluation.h"

/* Set the first three fields, and zero the rest. Release in any case. */
struct covering {
    const struct tune_options *options; /* of vouch tune, with a coverage */
    const struct vouch_model *model;
    const struct score_files *scores; /* of a model without weights; else NULL */
    const struct vouch_watch *watch;  /* may be NULL */

    struct coverage_model found;
    uint32_t sentences[COVERED]; /* sentences that have words, and those whose answers have chunks */
    uint64_t count[COVERED];     /* words or chunks in them */
    uint64_t wrong[COVERED];     /* of these, those whose answer is wrong */
    struct estimator *estimator;
    json_t *header; /* of the model, with what was found */

    struct miss *miss[COVERED]; /* [misses] */
    size_t misses[COVERED], miss_capacity[COVERED];
    const struct task *task;
    struct text *gold;
    struct label_work *work;
    size_t gold_capacity;
};

bool covering_run(struct covering *covering, struct vouch_error *err);

/* Returns what was found; NULL if there is no memory. */
json_t *covering_json(const struct covering *covering);
void covering_release(struct covering *covering);

/* What is promised, and for which text, in one plain sentence. */
#define COVERAGE_ASSUMES                                                                                               \
    "in the mean over sentences from the same source as the files it was found on, at most the other share of a "      \
    "sentence's words, and of its predicted chunks, have sets without the right choice"

#endif
