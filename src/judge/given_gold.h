/*
 * Makes a dataset of sentences whose scores come from elsewhere and whose truth
 * is known: all of them are held out, since the model that gave the scores has
 * not learned from them.
 */
#ifndef VOUCH_JUDGE_GIVEN_GOLD_H
#define VOUCH_JUDGE_GIVEN_GOLD_H

#include "train/calibration.h"

struct given_gold {
    uint32_t count;
    struct score_sets *sentence; /* [count] */
    size_t *start;               /* [count + 1] where the gold of each starts */
    uint32_t *gold;              /* [words] choices; NO_LABEL: none of the labels */
    size_t sentence_capacity, start_capacity, gold_capacity;
};

void given_gold_release(struct given_gold *gold);

/* Adds a sentence, whose scores it takes over if that succeeds, and returns where its gold goes; NULL on failure. */
uint32_t *given_gold_add(struct given_gold *gold, struct score_sets *sentence, struct vouch_error *err);

/* Fits a confidence model for `model`, one of scores, as its header keeps it: to json_decref(); NULL on failure. */
struct given_plan {
    const struct vouch_model *model;
    const struct structure *structure;
    const struct span_rules *rules; /* NULL: no chunks */
    uint32_t draws;
    uint64_t seed;
    uint32_t threads;
    const struct vouch_watch *watch; /* may be NULL */
};
json_t *given_gold_calibrate(const struct given_gold *gold, const struct given_plan *plan, struct vouch_error *err);

#endif
