/*
 * Defines the chain as a structure: the table, and three functions that are
 * one loop over the parts of a labelling. They cost O(N).
 */
#include "chain/lattice.h"

static void mark(const uint32_t *choice, float by, struct scores *coefficient)
{
    size_t Y = coefficient->width;
    for (size_t t = 0; t < coefficient->N; t++) {
        coefficient->node[t * Y + choice[t]] += by;
        if (t > 0 && coefficient->E)
            coefficient->edge[(t - 1) * coefficient->edge_step + choice[t - 1] * Y + choice[t]] += by;
    }
}

static void contrast(const uint32_t *gold, const uint32_t *choice, struct scores *coefficient, struct contrast *rows)
{
    size_t Y = coefficient->width;
    rows->nodes = rows->edges = 0;
    for (uint32_t t = 0; t < coefficient->N; t++) {
        bool differs = gold[t] != choice[t];
        if (differs) {
            coefficient->node[t * Y + gold[t]]++;
            coefficient->node[t * Y + choice[t]]--;
            rows->node[rows->nodes++] = t;
        }
        if (t == 0 || !coefficient->E || (!differs && gold[t - 1] == choice[t - 1]))
            continue;
        float *edge = coefficient->edge + (t - 1) * (size_t)coefficient->edge_step;
        edge[gold[t - 1] * Y + gold[t]]++;
        edge[choice[t - 1] * Y + choice[t]]--;
        if (coefficient->edge_step != 0 || rows->edges == 0)
            rows->edge[rows->edges++] = coefficient->edge_step != 0 ? t - 1 : 0;
    }
}

static double score(const struct scores *scores, const uint32_t *choice)
{
    if (scores->N == 0)
        return 0;
    double sum = (double)scores->node[choice[0]];
    for (uint32_t t = 1; t < scores->N; t++)
        sum = (sum + lattice_edge(scores, t, choice[t - 1], choice[t])) +
              (double)scores->node[(size_t)t * scores->width + choice[t]];
    return sum;
}

const struct structure chain_structure = {
    .name = "chain",
    .best = chain_viterbi,
    .kbest = chain_kbest,
    .marginals = chain_forward_backward,
    .neighbours = chain_neighbours,
    .without = chain_without,
    .draws = chain_draws,
    .mark = mark,
    .contrast = contrast,
    .score = score,
};
