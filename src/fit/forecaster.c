/*
 * Fits forecasters, and applies them to many rows at once. Fitting costs a logistic regression of all rows and a little
 * more for each fold, then the trees.
 */
#include "fit/forecaster.h"

#include "base/memory.h"
#include "core/simd.h"

#include <math.h>
#include <string.h>

/* ---- Forests ---- */

/*
 * Applies boosted trees to many rows at once, without a branch that depends on a row.
 *
 * A tree compares signals with thresholds only. So every signal is first ranked among the thresholds that any tree has
 * for it,
 *
 *     rank(x) = how many of them are below x      (none, if x is not a number)
 *
 * and x > threshold[r] if and only if rank(x) > r, counted from 0. Ranks are bytes: one instruction then compares a
 * node's threshold with all rows of a block. This is done for all nodes, and each row takes, level by level, the result
 * of the node where it is. (Lucchese et al. 2015 rank signals, too, but go through the thresholds feature by feature,
 * which pays for larger trees.) The leaves are added tree by tree, as boost_apply() adds them.
 *
 * Cost, for each row: a comparison for each threshold, five bytewise operations for each node, and an addition for each
 * tree.
 */

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
    struct arena *arena = &forest->arena;
    struct node *node = new_array(nodes, sizeof *node, err);
    *forest = (struct forest){0};
    bool ok = node && ARENA_ARRAY(forest->feature, FOREST_COLUMNS, arena, err) &&
              ARENA_ARRAY(forest->first, FOREST_COLUMNS + 1, arena, err) &&
              ARENA_ARRAY(forest->cut, nodes, arena, err) && ARENA_ARRAY(forest->column, room, arena, err) &&
              ARENA_ARRAY(forest->below, room, arena, err) && ARENA_ARRAY(forest->leaf, room, arena, err);
    if (ok && nodes > 0) {
        memset(forest->column, 0, sizeof *forest->column * room);
        memset(forest->below, 0, sizeof *forest->below * room);
        memset(forest->leaf, 0, sizeof *forest->leaf * room);
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
    arena_release(&forest->arena);
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

void forest_add(const struct forest *forest, const double *x, size_t count, double *score)
{
    add_for[simd_best()](forest, x, count, score);
}

/* ---- Forecasters ---- */

enum { FOLDS = 5 };

/*
 * Most rows are right, sure, and much alike, so the trees learn from a sample of them, with weights that make up for
 * the others: from a share DOUBTS (1 - p) of the right rows with probability p, which are about DOUBTS times as many
 * rows as there are errors, and at least from one in EVERY.
 */
enum { DOUBTS = 8, EVERY = 16 };

void forecaster_release(struct forecaster *f)
{
    logistic_release(&f->logistic);
    boost_release(&f->boost);
    forest_release(&f->forest);
    calibration_release(&f->after);
    *f = (struct forecaster){0};
}

/* Returns the calibrated probability of the log-odds of logistic model and trees. */
static double settle(const struct forecaster *f, double odds)
{
    return f->after.kind == CALIBRATE_NONE ? short_of_certainty(sigmoid(odds))
                                           : calibration_apply_odds(&f->after, odds);
}

double forecaster_apply(const struct forecaster *f, const double *x)
{
    if (!f->fitted)
        return NAN;
    return settle(f, boost_apply(&f->boost, within_fine_odds(logistic_score(&f->logistic, x)), x));
}

bool forecaster_prepare(struct forecaster *f, struct vouch_error *err)
{
    return !f->fitted || f->boost.trees == 0 || forest_init(&f->forest, &f->boost, err);
}

/* Makes turned [features][FOREST_ROWS] of rows; rows beyond `count` repeat the last one. */
static void turn_rows(const double *x, uint32_t features, size_t count, double (*turned)[FOREST_ROWS])
{
    for (size_t k = 0; k < FOREST_ROWS; k++) {
        const double *row = x + (k < count ? k : count - 1) * features;
        for (uint32_t j = 0; j < features; j++)
            turned[j][k] = row[j];
    }
}

void forecaster_apply_rows(const struct forecaster *f, const double *x, size_t n, double *p)
{
    uint32_t features = f->logistic.features;
    double turned[LOGISTIC_MOST][FOREST_ROWS], score[FOREST_ROWS];
    if (!f->fitted || (f->boost.trees > 0 && f->forest.trees == 0)) {
        for (size_t i = 0; i < n; i++)
            p[i] = forecaster_apply(f, x + i * features);
        return;
    }
    for (size_t i = 0; i < n; i += FOREST_ROWS) {
        size_t count = n - i < FOREST_ROWS ? n - i : FOREST_ROWS;
        turn_rows(x + i * features, features, count, turned);
        logistic_scores(&f->logistic, &turned[0][0], FOREST_ROWS, score);
        for (size_t k = 0; k < count; k++)
            score[k] = within_fine_odds(score[k]);
        forest_add(&f->forest, &turned[0][0], count, score);
        for (size_t k = 0; k < count; k++)
            p[i + k] = settle(f, score[k]);
    }
}

/* Returns the strength of the prior: one more than the number of errors. */
static double prior(double right, double wrong)
{
    (void)right;
    return wrong + 1;
}

/* Adds trees to the logistic model: `before` [n] are its held-out log-odds, and become those of both. */
static bool add_trees(const struct logistic_rows *r, uint64_t seed, uint32_t threads, struct boost *boost,
                      double *before, struct vouch_error *err)
{
    struct arena arena = {0};
    double *start = NULL;
    uint32_t *part = NULL;
    float *weight = NULL;
    bool ok = ARENA_ARRAY(start, r->n, &arena, err) && ARENA_ARRAY(part, r->n, &arena, err) &&
              ARENA_ARRAY(weight, r->n, &arena, err) && split_groups(r->group, r->n, FOLDS, seed, part, err);
    struct boost_rows rows = {r->x, r->right, start, weight, part, r->n, r->features, FOLDS};
    double turns = 0; /* a row is learned from when their sum passes a whole number */
    for (size_t i = 0; ok && i < r->n; i++) {
        double rate = r->right[i] ? fmin(1, fmax(DOUBTS * (1 - before[i]), 1.0 / EVERY)) : 1, last = floor(turns);
        start[i] = fine_log_odds(before[i]);
        turns += r->right[i] ? rate : 0;
        weight[i] = !r->right[i] ? 1 : floor(turns) > last ? (float)(1 / rate) : 0;
    }
    ok = ok && boost_fit(&rows, &boost_defaults, threads, boost, before, err);
    for (size_t i = 0; ok && i < r->n; i++)
        before[i] = sigmoid(before[i]);
    arena_release(&arena);
    return ok;
}

bool forecaster_fit(struct forecaster *f, const struct logistic_rows *r, uint64_t seed, uint32_t threads, double *held,
                    struct vouch_error *err)
{
    double loss[CALIBRATION_KINDS], *before = new_array(r->n + 1, sizeof *before, err);
    struct calibration_rows rows = {before, r->right, r->group, r->n};
    *f = (struct forecaster){.fitted = true};
    bool ok = before && logistic_cross_fit(r, prior, seed, &f->logistic, before, err) &&
              add_trees(r, seed, threads, &f->boost, before, err) &&
              calibration_choose(&rows, seed, &f->after, loss, err);
    if (ok && isnan(loss[f->after.kind])) { /* Too few groups to see whether a calibration helps: better none. */
        calibration_release(&f->after);
        memcpy(held, before, sizeof *held * r->n);
    } else
        ok = ok && calibration_hold_out(f->after.kind, &rows, seed, held, err);
    free(before);
    return ok;
}

bool forecaster_correct(struct forecaster *f, const struct logistic_rows *r, uint64_t seed, uint32_t threads,
                        double *held, struct vouch_error *err)
{
    *f = (struct forecaster){.fitted = true};
    for (size_t i = 0; i < r->n; i++)
        held[i] = sigmoid(r->x[i * r->features]);
    return logistic_first(&f->logistic, r->features, err) && add_trees(r, seed, threads, &f->boost, held, err);
}
