/*
 * Finds, for every word, the score of the best one-root tree in which it has
 * another head.
 *
 * The best tree is found once. For every word the work then starts from there:
 * if its next best head makes a tree with one root child, that is the answer,
 * after one look along a row; otherwise the sets that depend on the arc are
 * dissolved and contraction continues (contraction.c, contraction_exclude).
 * Every answer is the sum of a tree's scores, and as exact as tree_best()'s.
 *
 * Cost: O(N^2 R) for the best tree; then O(N) for each word, or O(N^2) where
 * all of it has to be contracted again, which is rare: in practice little more
 * than O(N^2) in all, where N decodings take O(N^3). Memory O(N^2).
 */
#include "tree/contraction.h"

#include <math.h>

bool tree_without(const struct scores *scores, const uint32_t *choice, struct scratch *scratch, double *score,
                  struct vouch_error *err)
{
    if (scores->N == 0)
        return true;
    struct contraction c;
    size_t N = scores->N;
    if (!contraction_open(&c, scores, (N + 1) * sizeof(uint32_t), scratch, err))
        return false;
    uint32_t *heads = (uint32_t *)c.rest;
    contraction_fill(&c);
    contraction_solve(&c);
    if (c.score > -INFINITY)
        contraction_ready(&c);
    for (uint32_t v = 1; v <= N; v++) {
        /* An equally good tree is as good an answer as any. */
        bool other = c.heads[v] != choice[v - 1] / scores->width;
        score[v - 1] = other ? c.score : -INFINITY;
        if (c.score > -INFINITY && !other && contraction_exclude(&c, v, -INFINITY, heads)) {
            double sum = contraction_score(&c, heads);
            score[v - 1] = sum < c.score ? sum : c.score;
        }
    }
    return true;
}
