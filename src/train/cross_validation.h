/*
 * Learns on one part of a corpus and measures on another: to cross-validate, and to choose the one parameter of a
 * learner that matters most, C, phi or rate, by trying every value of a small grid on a held-out quarter of the corpus.
 * That costs as many trainings on three quarters as the grid has values.
 */
#ifndef VOUCH_TRAIN_CROSS_VALIDATION_H
#define VOUCH_TRAIN_CROSS_VALIDATION_H

#include "base/order.h"
#include "train/learning.h"

/*
 * Measures every voice of the first layer on each of `folds` folds: result [voices][folds], and after every pass: after
 * [voices][folds][passes] or NULL, which saves the time of measuring. Ranks share the runs, and all get their results.
 */
bool cross_validate(const struct learning *learning, uint32_t folds, struct layer_score *result,
                    struct layer_score *after, struct vouch_error *err);

/* What was found for one learner. */
enum { MAX_GRID = 8 };
struct tuned {
    const char *name; /* of the parameter; NULL: there is nothing to choose */
    double value[MAX_GRID], figure[MAX_GRID];
    struct best best; /* of the figures */
};

/* Tries all values and sets the best in *chosen. The watch is told the progress, then every value and the choice. */
bool parameter_search(struct trial *chosen, const struct learning *learning, uint32_t layer, struct tuned *tuned,
                      struct vouch_error *err);

/*
 * Sets what was found before, as tuned_json() has it, and tells the choice again. False, and nothing is set, if it is
 * not such.
 */
bool tuned_recall(struct tuned *tuned, struct trial *chosen, const json_t *found, const struct vouch_watch *watch);

/* Returns the parameter, its value, and all that was tried. NULL: there was no memory. */
json_t *tuned_json(const struct tuned *tuned);

#endif
