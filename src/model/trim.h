/*
 * Leaves out of a tagger what it does not need: features whose weights are zero in every voice, and whose variances are
 * those that all started from; and strings that no feature is left to look at. They are about half of all, and an
 * unknown feature counts for as much as one with zeros. The others are numbered anew, in the same order.
 */
#ifndef VOUCH_MODEL_TRIM_H
#define VOUCH_MODEL_TRIM_H

#include "model/model.h"

struct trimmed {
    struct vocabulary vocabulary; /* to be written: features have records, but cannot be looked up */
    struct model_layer layer;     /* its lexicon is the old one's */
};

/* Makes `trimmed` of the vocabulary and the one layer of `content`. Release in any case. */
bool trim(const struct model_content *content, struct trimmed *trimmed, struct vouch_error *err);
void trimmed_release(struct trimmed *trimmed);

#endif
