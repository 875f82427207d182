/*
 * Applies boosted trees to many rows at once, without a branch that depends on
 * a row.
 *
 * A tree compares signals with thresholds only. So every signal is first ranked
 * among the thresholds that any tree has for it,
 *
 *     rank(x) = how many of them are below x      (none, if x is not a number)
 *
 * and x > threshold[r] if and only if rank(x) > r, counted from 0. Ranks are bytes: one
 * instruction then compares a node's threshold with all rows of a block. All
 * nodes are asked, and of the answers of a level each row takes that of the node
 * where it is. (Lucchese et al. 2015 rank signals, too, but go through the thresholds
 * feature by feature, which pays for larger trees.) The leaves are added tree by
 * tree, as boost_apply() adds them.
 *
 * Cost, for each row: a comparison for each threshold, five bytewise operations
 * for each node, and an addition for each tree.
 */
#include "fit/forest.h"

#include "base/memory.h"

#include <string.h>

enum {
    NODES = (1 << FOREST_DEPTH) - 1,
    CUTS = INT8_MAX - 1, /* of a column: ranks are 0 .. CUTS */
    AT_ONCE = 4          /* trees whose leaves are added together; empty ones make their number a multiple */
};

/* A byte for each row. */
typedef int8_t bytes __attribute__((vector_size(FOREST_ROWS)));

/* A node on its way into the layout: all nodes are sorted by their cuts. */
struct node {
    double threshold;
    uint32_t feature, at;
};

static int by_cut(const void *left, const void *right)
{
    const struct node *a = left, *b = right;
    if (a->feature != b->feature)
        return a->feature < b->feature ? -1 : 1;
    return (a->threshold > b->threshold) - (a->threshold < b->threshold);
}

/* Makes columns of nodes in order; false if there are too many. */
static bool lay_out(struct forest *forest, const struct node *node, size_t nodes)
{
    uint32_t cuts = 0;
    for (size_t i = 0; i < nodes; i++) {
        bool same = i > 0 && node[i].feature == node[i - 1].feature;
        if (!same || cuts - forest->first[forest->columns - 1] == CUTS) {
            if (forest->columns == FOREST_COLUMNS)
                return false;
            forest->feature[forest->columns] = node[i].feature;
            forest->first[forest->columns++] = cuts;
            same = false;
        }
        if (!same || node[i].threshold != node[i - 1].threshold)
            forest->cut[cuts++] = node[i].threshold;
        forest->column[node[i].at] = (uint8_t)(forest->columns - 1);
        forest->below[node[i].at] = (int8_t)(cuts - forest->first[forest->columns - 1]);
    }
    forest->first[forest->columns] = cuts;
    return true;
}

bool forest_init(struct forest *forest, const struct boost *boost, struct vouch_error *err)
{
    size_t nodes = boost->depth == FOREST_DEPTH ? (size_t)boost->trees * NODES : 0, leaves = nodes + boost->trees;
    size_t room = leaves + (size_t)AT_ONCE * (NODES + 1);
    struct node *node = new_array(nodes, sizeof *node, err);
    *forest = (struct forest){0};
    forest->feature = new_array(FOREST_COLUMNS, sizeof *forest->feature, err);
    forest->first = new_array(FOREST_COLUMNS + 1, sizeof *forest->first, err);
    forest->cut = new_array(nodes, sizeof *forest->cut, err);
    forest->column = new_array(room, sizeof *forest->column, err);
    forest->below = new_array(room, sizeof *forest->below, err);
    forest->leaf = new_array(room, sizeof *forest->leaf, err);
    bool ok =
        node && forest->feature && forest->first && forest->cut && forest->column && forest->below && forest->leaf;
    if (ok && nodes > 0) {
        for (size_t i = 0; i < nodes; i++)
            node[i] = (struct node){boost->threshold[i], boost->feature[i], (uint32_t)i};
        qsort(node, nodes, sizeof *node, by_cut);
        memcpy(forest->leaf, boost->leaf, sizeof *forest->leaf * leaves);
        forest->trees = lay_out(forest, node, nodes) ? boost->trees : 0;
    }
    free(node);
    return ok;
}

void forest_release(struct forest *forest)
{
    free(forest->feature);
    free(forest->first);
    free(forest->cut);
    free(forest->column);
    free(forest->below);
    free(forest->leaf);
    *forest = (struct forest){0};
}

/* Ranks the rows' values of one column. */
SIMD_BODY void rank_values(const double *restrict x, const double *cut, const double *end, bytes *rank)
{
    int64_t above[FOREST_ROWS] = {0};
    for (; cut < end; cut++)
        for (size_t k = 0; k < FOREST_ROWS; k++)
            above[k] += x[k] > *cut;
    for (size_t k = 0; k < FOREST_ROWS; k++)
        (*rank)[k] = (int8_t)above[k];
}

/* Takes the answer of the left node where rows turned left, else that of the right one. Answers are -1 or 0. */
#define TAKE(turned, left, right) ((right) ^ ((turned) & ((left) ^ (right))))

/* Finds the leaf of every row in one tree. */
SIMD_BODY void find_leaves(const uint8_t *column, const int8_t *below, const bytes *rank, bytes *leaf)
{
    bytes go[NODES];
    for (size_t i = 0; i < NODES; i++)
        go[i] = below[i] > rank[column[i]];
    bytes a = go[0], b = TAKE(a, go[1], go[2]);
    bytes c = TAKE(a, TAKE(b, go[3], go[4]), TAKE(b, go[5], go[6]));
    bytes left = TAKE(b, TAKE(c, go[7], go[8]), TAKE(c, go[9], go[10]));
    bytes right = TAKE(b, TAKE(c, go[11], go[12]), TAKE(c, go[13], go[14]));
    bytes d = TAKE(a, left, right);
    *leaf = a * 8 + b * 4 + c * 2 + d + NODES;
}

SIMD_BODY void add(const struct forest *forest, const double *x, size_t count, double *score)
{
    bytes rank[FOREST_COLUMNS], leaf[AT_ONCE];
    const double *leaves = forest->leaf;
    for (uint32_t c = 0; c < forest->columns; c++)
        rank_values(x + (size_t)forest->feature[c] * FOREST_ROWS, forest->cut + forest->first[c],
                    forest->cut + forest->first[c + 1], &rank[c]);
    for (uint32_t tree = 0; tree < forest->trees; tree += AT_ONCE, leaves += AT_ONCE * (NODES + 1)) {
        for (uint32_t i = 0; i < AT_ONCE; i++)
            find_leaves(forest->column + (tree + i) * NODES, forest->below + (tree + i) * NODES, rank, &leaf[i]);
        for (size_t k = 0; k < count; k++) {
            double sum = score[k];
            for (uint32_t i = 0; i < AT_ONCE; i++)
                sum += leaves[i * (NODES + 1) + (uint8_t)leaf[i][k]];
            score[k] = sum;
        }
    }
}

SIMD_KERNEL(add, (const struct forest *forest, const double *x, size_t count, double *score), (forest, x, count, score))

void forest_add_with(enum simd set, const struct forest *forest, const double *x, size_t count, double *score)
{
    add_for[set](forest, x, count, score);
}

void forest_add(const struct forest *forest, const double *x, size_t count, double *score)
{
    forest_add_with(simd_best(), forest, x, count, score);
}
