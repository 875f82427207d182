/*
 * Chunk starts are the probabilities that a chunk of any type begins at a word:
 *
 *     start[n] = sum of P(y_n-1 = l, y_n = r)   over l, r that open a chunk (core/span_rules.h)
 *
 * Their sum is the expected number of chunks in the sentence. O(N Y^2), after LOOK_MARGINALS.
 */
#ifndef VOUCH_CONFIDENCE_CHUNK_STARTS_H
#define VOUCH_CONFIDENCE_CHUNK_STARTS_H

#include "confidence/evidence.h"

/* Finds those of all words, by a voice whose marginals were looked at. The structure must have neighbours. */
bool chunk_starts(struct evidence *evidence, const struct span_rules *rules, double *start /* [N] */,
                  struct vouch_error *err);

#endif
