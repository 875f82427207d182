/*
 * In a tree every word takes another word, or the root, as its head; together the arcs form a tree in which exactly one
 * word depends on the root.
 *
 * The scores of a sentence of N words have G = N * (N + 1) groups of one score and no edges (E = 0). Group
 * tree_group(N, m, h) is the arc from head h (0 the root, else word h - 1) to word m. Arcs from a word to itself
 * (h == m + 1) are never looked at. A choice is a head.
 *
 *     score(tree) = sum over words m of score[m][head of m]
 *
 * Scores may be -inf (forbidden) and of any finite size; sums are kept in double. Relations come after the tree: to
 * score every arc with every relation would cost R times the memory and most of R times the time. All functions are
 * reached through the table tree_structure.
 */
#ifndef VOUCH_TREE_TREE_H
#define VOUCH_TREE_TREE_H

#include "core/structure.h"

extern const struct structure tree_structure;

static inline size_t tree_group(uint32_t N, uint32_t word, uint32_t head)
{
    return (size_t)word * (N + 1) + head;
}

/* Finds the best one-root tree. O(N^2). */
bool tree_best(const struct scores *scores, struct scratch *scratch, uint32_t *choice /* [N] */, double *score,
               struct vouch_error *err);

/* Finds the K best one-root trees, best first. O(K N^2) after set-up. */
bool tree_kbest(const struct scores *scores, uint32_t K, struct scratch *scratch, uint32_t *choice /* [K][N] */,
                double *score /* [K] */, uint32_t *found, struct vouch_error *err);

/*
 * Computes the probability of every arc under p(tree) ~ exp(scale * score), and the log of the normaliser.
 * O(N^3).
 */
bool tree_marginals(const struct scores *scores, double scale, struct scratch *scratch, struct scores *marginal,
                    double *log_z, struct vouch_error *err);

/*
 * Finds, for every word, the score of the best one-root tree in which it has another head than in `choice`, which must
 * be tree_best()'s; -inf if there is none.
 */
bool tree_without(const struct scores *scores, const uint32_t *choice, struct scratch *scratch, double *score /* [N] */,
                  struct vouch_error *err);

/* Finds the best one-root tree under each of K draws. O(N^2 K). */
bool tree_draws(struct lanes *lanes, struct scratch *scratch, uint32_t *choice /* [K][N] */, struct vouch_error *err);

/* Whether the heads of `choice` [N] form a tree with exactly one root child; `mark` [N + 1] is overwritten. O(N). */
bool tree_is_legal(const uint32_t *choice, uint32_t N, uint32_t *mark);

/*
 * The two ways of tree_marginals() one by one, for its tests. Both take scores that have passed its checks (N > 0,
 * 0 <= scale <= 1e100). The first computes without logarithms, and also fails where the result could not be
 * trusted; the second computes by logarithms: it takes any scores, but is slower.
 */
bool tree_marginals_linear(const struct scores *scores, double scale, struct scratch *scratch, struct scores *marginal,
                           double *log_z, struct vouch_error *err);
bool tree_marginals_logarithmic(const struct scores *scores, double scale, struct scratch *scratch,
                                struct scores *marginal, double *log_z, struct vouch_error *err);

#endif
