/*
 * Covering: thresholds by which sets of choices hold the right one as often as was asked for, found on labelled files
 * that the model has not learned from, and kept in its header. See covering.c.
 */
#ifndef VOUCH_USE_COVERING_H
#define VOUCH_USE_COVERING_H

#include "model/coverage_model.h"
#include "options/settings.h"
#include "use/coverage_tally.h"

/* Set the first three fields, and zero the rest. Release in any case. */
struct covering {
    const struct settings *settings; /* of vouch tune, with a coverage */
    const struct vouch_model *model;
    const struct vouch_watch *watch; /* may be NULL */

    struct coverage_model found;
    uint32_t sentences[COVERED]; /* that have words, and that have chunks in the answer */
    uint64_t count[COVERED];     /* of these */
    uint64_t wrong[COVERED];     /* of which the answer is wrong */
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

/* What was found; NULL if there is no memory. */
json_t *covering_json(const struct covering *covering);
void covering_release(struct covering *covering);

/* In one plain sentence: what is promised, and of what text. */
#define COVERAGE_ASSUMES                                                                                               \
    "in the mean over sentences from the same source as the files it was found on, at most the other share of a "      \
    "sentence's words, and of its predicted chunks, have sets without the right choice"

#endif
