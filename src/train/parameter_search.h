/*
 * Chooses the one parameter of a learner that matters most, C, phi or rate: every value of a small grid is tried on a
 * held-out quarter of the corpus. Cost: as many trainings on three quarters as the grid has values.
 */
#ifndef VOUCH_TRAIN_PARAMETER_SEARCH_H
#define VOUCH_TRAIN_PARAMETER_SEARCH_H

#include "base/order.h"
#include "train/cross_validation.h"

#include <jansson.h>

enum { MAX_GRID = 8 };

/* What was found for one learner. */
struct tuned {
    const char *name; /* of the parameter; NULL: there is nothing to choose */
    double value[MAX_GRID], figure[MAX_GRID];
    uint32_t count;
    struct best best; /* of the figures */
};

/*
 * Tries all values and sets the best in *chosen. The trials and callbacks of the plan are ignored. The watch is told
 * the progress, then every value and the choice.
 */
bool parameter_search(struct trial *chosen, const struct trial_plan *plan, const struct vouch_watch *watch,
                      struct tuned *tuned, struct vouch_error *err);

/*
 * Sets what was found before, as tuned_json() has it, and tells the choice again. False, and nothing is set, if it is
 * not such.
 */
bool tuned_recall(struct tuned *tuned, struct trial *chosen, const json_t *found, const struct vouch_watch *watch);

/* Returns the parameter, its value, and all that was tried. NULL: there was no memory. */
json_t *tuned_json(const struct tuned *tuned);

#endif
