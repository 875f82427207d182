/*
 * The tree as a structure: its table, the best tree, the best without an arc, what is a tree at all, and what parts a
 * tree switches on. See contraction.c for the algorithm, for ties, and for rounding.
 */
#include "tree/contraction.h"

#include "core/sentence.h"

#include <assert.h>
#include <math.h>
#include <string.h>

bool tree_is_legal(const uint32_t *choice, uint32_t N, uint32_t *mark)
{
    uint32_t roots = 0;
    for (uint32_t m = 0; m < N; m++) {
        roots += choice[m] == 0;
        if (choice[m] > N)
            return false;
    }
    return roots == (N > 0) && heads_cycle(choice, N, mark) == 0;
}

bool tree_verified(const struct scores *scores, const uint32_t *choice, double score, struct scratch *scratch)
{
    double sum = 0;
    if (!scratch_reserve(scratch, ((size_t)scores->N + 1) * sizeof(uint32_t), NULL) ||
        !tree_is_legal(choice, scores->N, (uint32_t *)(void *)scratch->bytes))
        return false;
    for (uint32_t m = 0; m < scores->N; m++)
        sum += (double)scores->node[tree_group(scores->N, m, choice[m])];
    return !isfinite(sum) || sum == score;
}

/*
 * Where no one-root tree has a finite score the answer is a chain: the first word depends on the root, every other word
 * on the one before it. Cost: O(N^2) time and memory.
 */
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
    memcpy(choice, c.heads + 1, scores->N * sizeof *choice);
    assert(tree_verified(scores, choice, *score, scratch));
    return true;
}

/*
 * The best tree is found once. For every word the work then starts from there: if its next best head makes a tree with
 * one root child, that is the answer, after one look along a row; otherwise the sets that depend on the arc are
 * dissolved and contraction continues (contraction.c, contraction_exclude). Every answer is the sum of a tree's scores,
 * and as exact as tree_best()'s.
 *
 * Cost: O(N^2) for the best tree; then O(N) for each word, or O(N^2) where all of it has to be contracted again,
 * which is rare: in practice little more than O(N^2) in all, where N decodings take O(N^3). Memory O(N^2).
 */
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
        bool other = c.heads[v] != choice[v - 1];
        score[v - 1] = other ? c.score : -INFINITY;
        if (c.score > -INFINITY && !other && contraction_exclude(&c, v, -INFINITY, heads)) {
            double sum = contraction_score(&c, heads);
            score[v - 1] = sum < c.score ? sum : c.score;
        }
    }
    return true;
}

static void mark(const uint32_t *choice, float by, struct scores *coefficient)
{
    for (uint32_t m = 0; m < coefficient->N; m++)
        coefficient->node[tree_group(coefficient->N, m, choice[m])] += by;
}

static void contrast(const uint32_t *gold, const uint32_t *choice, struct scores *coefficient, struct contrast *rows)
{
    rows->nodes = rows->edges = 0;
    for (uint32_t m = 0; m < coefficient->N; m++) {
        if (gold[m] == choice[m])
            continue;
        uint32_t right = (uint32_t)tree_group(coefficient->N, m, gold[m]);
        uint32_t wrong = (uint32_t)tree_group(coefficient->N, m, choice[m]);
        coefficient->node[right]++;
        coefficient->node[wrong]--;
        rows->node[rows->nodes++] = right < wrong ? right : wrong;
        rows->node[rows->nodes++] = right < wrong ? wrong : right;
    }
}

static double score(const struct scores *scores, const uint32_t *choice)
{
    double sum = 0;
    for (uint32_t m = 0; m < scores->N; m++)
        sum += scores->node[tree_group(scores->N, m, choice[m])];
    return sum;
}

const struct structure tree_structure = {
    .name = "tree",
    .best = tree_best,
    .kbest = tree_kbest,
    .marginals = tree_marginals,
    .without = tree_without,
    .draws = tree_draws,
    .mark = mark,
    .contrast = contrast,
    .score = score,
};
