/*
 * Expected counts are what a voice's probabilities expect of the answers to some text, as sums that can be added up.
 *
 * Where gold is known, the same struct holds the true counts of right words, right chunks and gold chunks, so that one
 * function computes a figure and its forecast.
 */
#ifndef VOUCH_CONFIDENCE_EXPECTED_COUNTS_H
#define VOUCH_CONFIDENCE_EXPECTED_COUNTS_H

#include "confidence/evidence.h"

struct expected_counts {
    double sentences, words;
    double features;    /* of the words, those that have a weight: the others are unknown. NAN: they were not counted */
    double words_right; /* words that are expected to be right */
    double chunks;      /* of the answers */
    double chunks_right; /* of them, those that are expected to be gold's as well */
    double chunks_gold;  /* chunks that gold is expected to have */
};

/* The shares that are forecast. Trees and plain labels have the first alone. */
enum share { SHARE_ACCURACY, SHARE_PRECISION, SHARE_RECALL, SHARE_F1, SHARES };

void expected_counts_add(struct expected_counts *sum, const struct expected_counts *more);

/*
 * Returns a share from 0 to 1, NAN without anything to count; *count, which may be NULL, becomes the number of answers.
 */
double expected_share(const struct expected_counts *counts, enum share share, double *count);

/*
 * Finds the counts of one answer, after EVIDENCE_MARGINALS of the voice that gave it: p(word), p(chunk) (see
 * methods.c), and the chunk starts. Time: N Y^2 with chunks, which are left out if `rules` is NULL. `parts` are those
 * of the evidence, and their features are counted; NULL: they are not. In a tree, a word counts with the mean over the
 * heads that it could have.
 */
bool expected_counts_of(struct expected_counts *counts, struct evidence *evidence, const struct parts *parts,
                        const struct span_rules *rules, struct vouch_error *err);

/*
 * Finds the probabilities that a chunk of any type begins at a word, whose sum is the expected number of gold chunks:
 *
 *     start[n] = sum of P(y_n-1 = l, y_n = r)   over l, r that open a chunk (core/scheme.h)
 *
 * The structure must have neighbours. O(N Y^2), after EVIDENCE_MARGINALS.
 */
bool chunk_starts(struct evidence *evidence, const struct span_rules *rules, double *start /* [N] */,
                  struct vouch_error *err);

#endif
