/*
 * Labelling cost is the time that it takes to label sentences, in seconds:
 *
 *     sentence + word * words + change * changes
 *
 * where changes are chunks to mark, or labels and heads to correct. The usual
 * figures are those of Ringger et al. 2008 ("Assessing the costs of
 * machine-assisted corpus annotation through a user study"), rounded: they
 * fitted 12.57 + 3.795 words + 5.387 corrections to the time that people took
 * over sentences whose parts of speech had been proposed to them. For chunks
 * and trees they are an assumption. The option --cost replaces them.
 */
#ifndef VOUCH_ACTIVE_LABELLING_COST_H
#define VOUCH_ACTIVE_LABELLING_COST_H

#include "base/error.h"

struct labelling_cost {
    double sentence, word, change; /* seconds for each */
};

/* Parses "13,3.8,5.4": the three costs, in the order of the fields. */
bool labelling_cost_parse(struct labelling_cost *cost, const char *text, struct vouch_error *err);

/* An amount of labelling. */
struct labelling {
    double sentences, words, changes;
};

double labelling_seconds(const struct labelling_cost *cost, const struct labelling *labelling);

#endif
