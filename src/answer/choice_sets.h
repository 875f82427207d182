/*
 * Finds what else a word may be: the probabilities of all of its choices, and sets of choices that hold the right one.
 * This is a part of an estimator's work on one layer; see estimator.c for the rest.
 */
#ifndef VOUCH_ANSWER_CHOICE_SETS_H
#define VOUCH_ANSWER_CHOICE_SETS_H

#include "answer/estimator.h"

#define NEGLIGIBLE 1e-6 /* choices with less are not listed */

/* One layer's answer while it is judged. */
struct estimation {
    const struct estimator *estimator;
    const struct estimator_layer *layer;
    uint32_t l, j;
    struct workspace *workspace;
    struct estimates *estimates;
};

/*
 * Finds method j's distribution over the choices of word n, before calibration: [options] in `p`. Choices that the
 * corpus writes alike are added up under one of them: the answer, if it is among them.
 */
void choice_spread(const struct estimation *h, uint32_t n, double *p);

/* Finds the first method's distribution: the answer has its confidence, the others share the rest in proportion. */
void choice_probabilities(const struct estimation *h, uint32_t n, double *p);

/* Returns the label of choice y of word n as the corpus would write it behind the answer's word before. */
struct text choice_written(const struct estimation *h, uint32_t n, uint32_t y);
struct alternative choice_of(const struct estimation *h, uint32_t n, uint32_t y, double probability);

/* Fills in the sets of words, and the readings of spans if labels spell any, by the first method. */
bool list_sets(const struct estimation *h, struct vouch_error *err);

#endif
