/*
 * In a chain every word takes one of Y labels, and neighbours are scored in pairs:
 *
 *     score(y) = sum_t node[t][y_t] + sum_{t>0} edge_t[y_{t-1}][y_t]
 *
 * Scores may be -inf (forbidden) and of any finite size; sums are kept in double. All functions are reached through the
 * table chain_structure.
 */
#ifndef VOUCH_CHAIN_CHAIN_H
#define VOUCH_CHAIN_CHAIN_H

#include "core/structure.h"

extern const struct structure chain_structure;

bool chain_viterbi(const struct scores *scores, struct scratch *scratch, uint32_t *choice, double *score,
                   struct vouch_error *err);
bool chain_kbest(const struct scores *scores, uint32_t K, struct scratch *scratch, uint32_t *choice, double *score,
                 uint32_t *found, struct vouch_error *err);
bool chain_forward_backward(const struct scores *scores, double scale, struct scratch *scratch, struct scores *marginal,
                            double *log_z, struct vouch_error *err);
/* Computes the marginals of words n - 1 and n together, of the last chain_forward_backward() in `scratch`. O(Y^2). */
void chain_neighbours(const struct scratch *scratch, uint32_t n, double *pairs /* [Y][Y] */);

/*
 * Finds, for every word, the best score with another label than in `choice`, which must be chain_viterbi()'s; -inf if
 * there is none. O(N Y^2).
 */
bool chain_without(const struct scores *scores, const uint32_t *choice, struct scratch *scratch, double *score,
                   struct vouch_error *err);

/* Finds the rivals of the best answer: see struct structure. O(n Y^2) for n words. */
bool chain_rivals(const struct rival_query *query, struct scratch *scratch, struct rival *rival,
                  struct vouch_error *err);

/* Finds the best labelling under each of K draws. O(N Y^2 K). */
bool chain_draws(struct lanes *lanes, struct scratch *scratch, uint32_t *choice /* [K][N] */, struct vouch_error *err);

#endif
