/*
 * Checks whether heads form a tree with one root child. From every word it
 * follows the heads to the root or to a word that is known to lead there: no
 * word is passed twice, unless there is a cycle.
 *
 * Cost: O(N) time and memory.
 */
#include "tree/contraction.h"

#include <math.h>

/* Returns a word from which heads lead round in a circle, 0 if there is none; heads are in 0 .. N. */
static uint32_t find_cycle(const uint32_t *heads, uint32_t N, uint32_t *mark)
{
    for (uint32_t v = 0; v <= N; v++)
        mark[v] = 0;
    for (uint32_t v = 1; v <= N; v++) {
        uint32_t x = v;
        for (; x != 0 && mark[x] == 0; x = heads[x])
            mark[x] = v;
        if (x != 0 && mark[x] == v)
            return x;
    }
    return 0;
}

static uint32_t count_roots(const uint32_t *heads, uint32_t N)
{
    uint32_t roots = 0;
    for (uint32_t v = 1; v <= N; v++)
        roots += heads[v] == 0;
    return roots;
}

bool heads_form_tree(const uint32_t *heads, uint32_t N, uint32_t *mark)
{
    for (uint32_t v = 1; v <= N; v++)
        if (heads[v] > N)
            return false;
    return count_roots(heads, N) == 1 && find_cycle(heads, N, mark) == 0;
}

bool tree_is_legal(const uint32_t *choice, uint32_t N, uint32_t R, struct scratch *scratch, struct vouch_error *err)
{
    if (N == 0)
        return true;
    if (R == 0)
        return fail(err, VOUCH_ERR_ARGUMENT, "a tree of %u words has no relations to choose from", (unsigned)N);
    size_t words = (size_t)N + 1;
    if (!scratch_reserve(scratch, 2 * words * sizeof(uint32_t), err))
        return false;
    uint32_t *heads = (uint32_t *)scratch->bytes, *mark = heads + words;
    for (uint32_t v = 1; v <= N; v++) {
        heads[v] = choice[v - 1] / R;
        if (heads[v] > N)
            return fail(err, VOUCH_ERR_ARGUMENT, "word %u has head %u, expected at most %u", (unsigned)v,
                        (unsigned)heads[v], (unsigned)N);
    }
    uint32_t roots = count_roots(heads, N), circle = find_cycle(heads, N, mark);
    if (circle != 0)
        return fail(err, VOUCH_ERR_ARGUMENT, "the heads from word %u lead back to it", (unsigned)circle);
    if (roots != 1)
        return fail(err, VOUCH_ERR_ARGUMENT, "%u words depend on the root, expected one", (unsigned)roots);
    return true;
}

bool tree_verified(const struct scores *scores, const uint32_t *choice, double score, struct scratch *scratch)
{
    size_t N = scores->N, R = scores->width;
    double sum = 0;
    if (!tree_is_legal(choice, scores->N, scores->width, scratch, NULL))
        return false;
    for (size_t m = 0; m < N; m++)
        sum += (double)scores->node[m * (N + 1) * R + choice[m]];
    return !isfinite(sum) || sum == score;
}
