/*
 * Fluctuation measures how steady a voice's answers were while it learned.
 *
 * The weights are kept as they are after every pass, and a sentence is answered
 * by each. A word's steadiness is the share of passes, after the first, in
 * which its choice stayed what it was in the pass before. Answers change back
 * and forth where the examples so far do not settle them. (These are the
 * forgetting events of Toneva et al. 2019, without the labels that those need.)
 *
 * Memory: all weights, once for each pass. Time: one answer for each pass.
 */
#ifndef VOUCH_ACTIVE_FLUCTUATION_H
#define VOUCH_ACTIVE_FLUCTUATION_H

#include "core/examples.h"

/* Zero it before first use. */
struct fluctuation {
    float *weights; /* [passes][size] */
    size_t size, capacity;
    uint32_t passes;
    struct answering work;
};
void fluctuation_release(struct fluctuation *fluctuation);

/* Forgets what was kept, and makes room for that many passes over `size` weights, slack included. */
bool fluctuation_begin(struct fluctuation *fluctuation, size_t size, uint32_t passes, struct vouch_error *err);

/* Keeps the weights of one more pass, for which there must be room. */
void fluctuation_keep(struct fluctuation *fluctuation, const float *weights);

/* Finds how steady each word was, from 0 to 1; all are 1 if fewer than two passes were kept. */
bool fluctuation_words(struct fluctuation *fluctuation, const struct examples *examples, const struct parts *parts,
                       double *steady /* [N] */, struct vouch_error *err);

#endif
