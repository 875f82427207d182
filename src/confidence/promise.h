/*
 * A promise is what probabilities promise of the answers to some text, as sums that can be added up.
 *
 * What came true is a promise as well, with right words, right chunks and gold chunks in the place of what was
 * expected of them, so that a figure and its forecast are computed by one function.
 */
#ifndef VOUCH_CONFIDENCE_PROMISE_H
#define VOUCH_CONFIDENCE_PROMISE_H

#include "confidence/method.h"

struct promise {
    double sentences, words;
    double features; /* of the words, those that have a weight: the others are unknown. NAN: they were not counted */
    double right;    /* words that are expected to be right */
    double chunks;   /* of the answers */
    double agreed;   /* of them, those that are expected to be gold's as well */
    double gold;     /* chunks that gold is expected to have */
};

/* The shares that are forecast. Trees and plain labels have the first alone. */
enum share { SHARE_ACCURACY, SHARE_PRECISION, SHARE_RECALL, SHARE_F1, SHARES };

void promise_add(struct promise *sum, const struct promise *promise);

/*
 * Returns a share from 0 to 1, NAN without anything to count; *count, which may be NULL, becomes the number of answers.
 */
double promise_share(const struct promise *promise, enum share share, double *count);

/*
 * Adds the promise of one answer, after LOOK_MARGINALS of the voice that gave it: p(word), p(chunk) (see gamma.c), and
 *
 *     gold = sum over words n, over neighbours l, r that open a chunk there, of p(y_n-1 = l, y_n = r).
 *
 * Time: N Y^2 with chunks, which are left out if `rules` is NULL. `parts` are those of the evidence, and their features
 * are counted; NULL: they are not. In a tree, a word counts with the mean over the heads that it could have.
 */
bool promise_answer(struct promise *promise, struct evidence *evidence, const struct parts *parts,
                    const struct span_rules *rules, struct vouch_error *err);

#endif
