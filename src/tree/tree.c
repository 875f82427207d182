/* Defines the table of trees, and the parts that a tree switches on. */
#include "tree/tree.h"

/* Returns the part that word m's choice switches on. */
static size_t part_of(const struct scores *scores, uint32_t m, uint32_t choice)
{
    return tree_group(scores->N, m, choice / scores->width) * scores->width + choice % scores->width;
}

static void mark(const uint32_t *choice, float by, struct scores *coefficient)
{
    for (uint32_t m = 0; m < coefficient->N; m++)
        coefficient->node[part_of(coefficient, m, choice[m])] += by;
}

static void contrast(const uint32_t *gold, const uint32_t *choice, struct scores *coefficient, struct contrast *rows)
{
    rows->nodes = rows->edges = 0;
    for (uint32_t m = 0; m < coefficient->N; m++) {
        if (gold[m] == choice[m])
            continue;
        size_t right = part_of(coefficient, m, gold[m]), wrong = part_of(coefficient, m, choice[m]);
        uint32_t a = (uint32_t)(right / coefficient->width), b = (uint32_t)(wrong / coefficient->width);
        coefficient->node[right]++;
        coefficient->node[wrong]--;
        rows->node[rows->nodes++] = a < b ? a : b;
        if (a != b)
            rows->node[rows->nodes++] = a < b ? b : a;
    }
}

static double score(const struct scores *scores, const uint32_t *choice)
{
    double sum = 0;
    for (uint32_t m = 0; m < scores->N; m++)
        sum += scores->node[part_of(scores, m, choice[m])];
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
