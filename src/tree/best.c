/*
 * Finds the best one-root tree: see contraction.c for the algorithm, for ties,
 * and for rounding.
 *
 * Where no one-root tree has a finite score the answer is a chain: the first
 * word depends on the root, every other word on the one before it.
 *
 * Cost: O(N^2 R) time, O(N^2) memory.
 */
#include "tree/contraction.h"

#include <assert.h>

bool tree_best(const struct scores *scores, struct scratch *scratch, uint32_t *choice, double *score,
               struct vouch_error *err)
{
    *score = 0;
    if (scores->N == 0)
        return true;
    struct contraction c;
    if (!contraction_open(&c, scores, 0, scratch, err))
        return false;
    contraction_fill(&c);
    contraction_solve(&c);
    *score = c.score;
    contraction_write(&c, c.heads, choice);
    assert(tree_verified(scores, choice, *score, scratch));
    return true;
}
