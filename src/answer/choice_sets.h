/*
 * Finds what else a word may be: its likeliest choices, and sets of choices that hold the right one. This is a part of
 * an estimator's work on one layer; see estimator.c for the rest.
 */
#ifndef VOUCH_ANSWER_CHOICE_SETS_H
#define VOUCH_ANSWER_CHOICE_SETS_H

#include "answer/estimator.h"

/* One layer's answer while it is judged, by method j. */
struct estimation {
    const struct estimator *estimator;
    const struct estimator_layer *layer;
    uint32_t l, j;
    struct workspace *workspace;
    struct estimates *estimates;
};

/* Lists the likeliest choices of every word, by the first method. */
bool list_alternatives(const struct estimation *h, struct vouch_error *err);

/* Finds the likeliest label of each word other than its own, by every method; among equals the first. */
bool list_others(struct estimation *h, struct vouch_error *err);

/* Finds how likely a chunk begins at each word; labels must spell chunks. */
bool list_starts(const struct estimation *h, struct vouch_error *err);

/* Fills in the sets of words, and the readings of spans if labels spell any, by the first method. */
bool list_sets(const struct estimation *h, struct vouch_error *err);

/* Fills in the sets of the relations that words have to the heads of the answer; the layer is that of relations. */
bool list_relation_sets(const struct estimation *h, struct vouch_error *err);

#endif
