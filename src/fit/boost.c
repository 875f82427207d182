/*
 * Boosts the logistic loss by its gradient, with regression trees over binned features (Friedman 2001; second-order
 * leaves as in Chen and Guestrin 2016).
 *
 * With p = sigmoid(score) and target t of a row, g = p - t and h = p (1 - p). Over the rows of a node, G and H being
 * the sums of these, the best constant to add is -G / (H + l2), and a split gains
 *
 *     G_left^2 / (H_left + l2) + G_right^2 / (H_right + l2) - G^2 / (H + l2)
 *
 * Every feature is cut once into at most 64 bins at its quantiles. A level of a tree takes one pass over the rows,
 * which sums g and h by node, feature and bin, and one over the bins, which finds each node's best split; equal gains
 * go to the first. Only the smaller child of every node is summed: the other is what is left of the node. For that,
 * sums are exact: g and h are rounded to integers, in units of some 2^-30 of the sum over all rows, and added together
 * as halves of one word.
 *
 * Rows of weight 0 serve for the quantiles alone: the trees are applied to them at the end.
 *
 * Time: sorting, then trees * depth * rows * features additions. Memory: a byte for each value.
 */
#include "fit/forecaster.h"

#include "base/memory.h"
#include "base/order.h"
#include "base/parallel.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
    BINS = 64,
    SORTED = 8192, /* rows that the quantiles are taken from, about */
    ROUND = 6      /* trees that are grown between looks at whether they help, if there are several threads */
};

const struct boost_options boost_defaults = {.trees = 60, .depth = 4, .patience = 6, .least = 2, .rate = 0.2, .l2 = 5};

/* A sum over the rows of a node, or of one bin of it: g in units of the upper half of the word, h of the lower. */
typedef int64_t word;

struct sums {
    double g, h;
};

struct split {
    uint32_t feature, bin; /* rows in bins above `bin` go to the right */
    double gain;           /* 0: do not split */
};

/* The rows that count, once for all parts: every value as the number of its bin. */
struct binned {
    const struct boost_rows *rows;
    size_t *row; /* [count] which of the rows */
    size_t count;
    double *cut;    /* [features][BINS] value x is in bin: how many cuts are below x */
    uint32_t *cuts; /* [features] fewer than BINS */
    uint8_t *bin;   /* [count][features] */
};

/* The state of trees that grow without one part. */
struct growing {
    const struct binned *binned;
    const struct boost_options *options;
    struct boost boost;
    uint32_t without;    /* the part that is left out; if no row is in it, all are learned from */
    double *score;       /* [count] */
    float *g, *h;        /* [count] */
    word *both;          /* [count] the same as one word; 0 in the part that is left out */
    struct sums unit;    /* of the halves of a word */
    uint32_t *node;      /* [count] the node of a row, within its level */
    word *bins, *above;  /* [2^(depth-1)][features][BINS] of this level, and of the one above */
    struct split *split; /* [2^depth - 1] of the tree that grows */
};

/* The growth of all trees: those without a part, each held out once, and those of all rows. */
struct growth {
    struct growing *growing; /* [parts + 1] */
    double *loss;            /* [parts][options->trees + 1] of the rows held out, after so many trees */
    uint32_t first, last;    /* trees of this round, counted from 1 */
    uint32_t best;           /* trees that were best so far */
};

static uint32_t nodes(const struct boost *boost)
{
    return (1u << boost->depth) - 1;
}

/* Returns the leaf of one tree that x falls into. */
static double leaf_of(const struct boost *boost, uint32_t tree, const double *x)
{
    uint32_t N = nodes(boost), at = 0;
    const uint32_t *feature = boost->feature + (size_t)tree * N;
    const double *threshold = boost->threshold + (size_t)tree * N;
    while (at < N)
        at = 2 * at + 1 + (x[feature[at]] > threshold[at]);
    return boost->leaf[(size_t)tree * (N + 1) + at - N];
}

double boost_apply(const struct boost *boost, double start, const double *x)
{
    for (uint32_t tree = 0; tree < boost->trees; tree++)
        start += leaf_of(boost, tree, x);
    return start;
}

/* ---- Bins ---- */

/* Returns a number half way between two neighbouring values: the lower is not above it and the upper is. */
static double between(double low, double high)
{
    double middle = low / 2 + high / 2;
    if (!isfinite(middle) || !(middle >= low && middle < high))
        middle = low;
    return fmax(middle, -DBL_MAX);
}

/* Cuts m values, of which the sorted keys are given, at most BINS - 1 times, into parts of about equal size; returns
 * the number of cuts. */
static uint32_t find_cuts(const uint64_t *sorted, size_t m, double *cut)
{
    uint32_t cuts = 0;
    size_t since = 0; /* values since the last cut */
    for (size_t i = 0; i + 1 < m; i++) {
        since++;
        if (sorted[i] == sorted[i + 1] || since * (BINS - cuts) < m - (i + 1 - since))
            continue;
        cut[cuts++] = between(order_number(sorted[i]), order_number(sorted[i + 1]));
        since = 0;
        if (cuts == BINS - 1)
            break;
    }
    return cuts;
}

static bool find_all_cuts(struct binned *binned, struct arena *arena, struct vouch_error *err)
{
    const struct boost_rows *rows = binned->rows;
    size_t stride = rows->n / SORTED + 1;
    uint64_t *sorted;
    bool ok = ARENA_ARRAY(sorted, rows->n / stride + 1, arena, err);
    for (uint32_t f = 0; ok && f < rows->features; f++) {
        size_t m = 0;
        for (size_t i = 0; i < rows->n; i += stride)
            if (!isnan(rows->x[i * rows->features + f]))
                sorted[m++] = order_key(rows->x[i * rows->features + f]);
        ok = sort_keys(sorted, m, err);
        binned->cuts[f] = find_cuts(sorted, m, binned->cut + (size_t)f * BINS);
    }
    return ok;
}

static uint8_t bin_of(const double *cut, uint32_t cuts, double x)
{
    uint32_t low = 0, high = cuts; /* cuts before low are below x, those from high on are not */
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (x > cut[middle])
            low = middle + 1;
        else
            high = middle;
    }
    return (uint8_t)low;
}

static bool bin_rows(struct binned *binned, struct arena *arena, struct vouch_error *err)
{
    const struct boost_rows *rows = binned->rows;
    size_t F = rows->features;
    if (!ARENA_ARRAY(binned->row, rows->n + 1, arena, err) || !ARENA_ARRAY(binned->cut, F * BINS, arena, err) ||
        !ARENA_ARRAY(binned->cuts, F, arena, err) || !find_all_cuts(binned, arena, err))
        return false;
    for (size_t i = 0; i < rows->n; i++)
        if (rows->weight[i] > 0)
            binned->row[binned->count++] = i;
    if (!ARENA_ARRAY(binned->bin, binned->count * F, arena, err))
        return false;
    for (size_t k = 0; k < binned->count; k++)
        for (size_t f = 0; f < F; f++)
            binned->bin[k * F + f] = bin_of(binned->cut + f * BINS, binned->cuts[f], rows->x[binned->row[k] * F + f]);
    return true;
}

/* ---- One tree ---- */

static uint32_t part_of(const struct growing *growing, size_t k)
{
    return growing->binned->rows->part[growing->binned->row[k]];
}

static void differentiate(struct growing *growing)
{
    const struct binned *binned = growing->binned;
    for (size_t k = 0; k < binned->count; k++) {
        size_t i = binned->row[k];
        double p = sigmoid(growing->score[k]);
        growing->node[k] = 0;
        growing->g[k] = binned->rows->weight[i] * (float)(p - binned->rows->right[i]);
        growing->h[k] = binned->rows->weight[i] * (float)(p * (1 - p));
    }
}

/* Returns a power of two, so that one half is exact: `sum` is less than 2^30 of it. */
static double unit_for(double sum)
{
    int exponent;
    frexp(fmax(sum, 1e-30), &exponent);
    return ldexp(1, exponent - 30);
}

/* Writes g and h of each row as one word, in units that keep the sums of all rows within its halves. */
static void pack(struct growing *growing)
{
    size_t n = growing->binned->count;
    struct sums all = {0};
    for (size_t k = 0; k < n; k++) {
        all.g += fabsf(growing->g[k]);
        all.h += growing->h[k];
    }
    growing->unit = (struct sums){unit_for(all.g), unit_for(all.h)};
    double per_g = 1 / growing->unit.g, per_h = 1 / growing->unit.h;
    for (size_t k = 0; k < n; k++)
        growing->both[k] =
            part_of(growing, k) == growing->without
                ? 0
                : (word)rint(growing->g[k] * per_g) * ((word)1 << 32) + (word)rint(growing->h[k] * per_h);
}

static struct sums unpack(const struct growing *growing, word both)
{
    return (struct sums){(double)(both >> 32) * growing->unit.g, (double)(both & 0xffffffff) * growing->unit.h};
}

/* Sums the rows of the nodes that `taken` names. */
static void sum_rows(struct growing *growing, const bool *taken)
{
    const struct binned *binned = growing->binned;
    size_t F = binned->rows->features;
    for (size_t k = 0; k < binned->count; k++) {
        word both = growing->both[k];
        if (!taken[growing->node[k]] || both == 0)
            continue;
        word *bins = growing->bins + growing->node[k] * F * BINS;
        const uint8_t *bin = binned->bin + k * F;
        for (size_t f = 0; f < F; f++, bins += BINS)
            bins[bin[f]] += both;
    }
}

/* Sums by node, feature and bin: the smaller child of each node by its rows, the other by what is left. */
static void sum_bins(struct growing *growing, uint32_t width)
{
    size_t size = growing->binned->rows->features * (size_t)BINS, rows[1 << BOOST_DEEPEST] = {0};
    bool taken[1 << BOOST_DEEPEST] = {0};
    word *above = growing->above;
    growing->above = growing->bins;
    growing->bins = above;
    memset(growing->bins, 0, sizeof *growing->bins * width * size);
    for (size_t k = 0; k < growing->binned->count; k++)
        rows[growing->node[k]]++;
    for (uint32_t k = 0; k < width; k++)
        taken[k] = width == 1 || rows[k] < rows[k ^ 1] || (rows[k] == rows[k ^ 1] && k % 2 == 0);
    sum_rows(growing, taken);
    for (uint32_t k = 0; k < width; k++)
        for (size_t b = 0; !taken[k] && b < size; b++)
            growing->bins[k * size + b] = growing->above[k / 2 * size + b] - growing->bins[(k ^ 1) * size + b];
}

static double worth(struct sums sums, double l2)
{
    return sums.g * sums.g / (sums.h + l2);
}

static struct split best_split(const struct growing *growing, const word *bins)
{
    const struct boost_options *options = growing->options;
    struct split best = {0};
    for (uint32_t f = 0; f < growing->binned->rows->features; f++, bins += BINS) {
        word all = 0, below = 0;
        for (uint32_t b = 0; b <= growing->binned->cuts[f]; b++)
            all += bins[b];
        double whole = worth(unpack(growing, all), options->l2);
        for (uint32_t b = 0; b < growing->binned->cuts[f]; b++) {
            below += bins[b];
            struct sums left = unpack(growing, below), right = unpack(growing, all - below);
            if (left.h < options->least || right.h < options->least)
                continue;
            double gain = worth(left, options->l2) + worth(right, options->l2) - whole;
            if (gain > best.gain + 1e-9)
                best = (struct split){f, b, gain};
        }
    }
    return best;
}

/* Moves every row to its child; those of a node that is not split, to the left one. */
static void send_down(struct growing *growing, uint32_t width)
{
    const struct binned *binned = growing->binned;
    size_t F = binned->rows->features;
    const struct split *level = growing->split + width - 1;
    for (size_t k = 0; k < binned->count; k++) {
        const struct split *split = &level[growing->node[k]];
        bool right = split->gain > 0 && binned->bin[k * F + split->feature] > split->bin;
        growing->node[k] = 2 * growing->node[k] + right;
    }
}

/* Returns the leaf that has the rows of `leaf`: to the left of any node above it that is not split. */
static uint32_t filled_leaf(const struct growing *growing, uint32_t leaf)
{
    uint32_t depth = growing->boost.depth, at = 0;
    for (uint32_t level = 0; level < depth; level++) {
        bool right = leaf >> (depth - 1 - level) & 1;
        at = 2 * at + 1 + (right && growing->split[at].gain > 0);
    }
    return at - nodes(&growing->boost);
}

static void set_leaves(struct growing *growing, double *leaf)
{
    struct {
        double g, h;
    } sums[1 << BOOST_DEEPEST] = {{0}};
    for (size_t k = 0; k < growing->binned->count; k++)
        if (part_of(growing, k) != growing->without) {
            sums[growing->node[k]].g += growing->g[k];
            sums[growing->node[k]].h += growing->h[k];
        }
    for (uint32_t l = 0; l <= nodes(&growing->boost); l++) {
        uint32_t filled = filled_leaf(growing, l);
        leaf[l] = -growing->options->rate * sums[filled].g / (sums[filled].h + growing->options->l2);
    }
}

/* Grows the next tree and adds it to the scores; false if it would be a single leaf. */
static bool grow_tree(struct growing *growing)
{
    struct boost *boost = &growing->boost;
    uint32_t N = nodes(boost), tree = boost->trees;
    differentiate(growing);
    pack(growing);
    for (uint32_t level = 0; level < boost->depth; level++) {
        uint32_t width = 1u << level;
        sum_bins(growing, width);
        for (uint32_t k = 0; k < width; k++)
            growing->split[width - 1 + k] =
                best_split(growing, growing->bins + (size_t)k * growing->binned->rows->features * BINS);
        send_down(growing, width);
    }
    if (growing->split[0].gain == 0)
        return false;
    for (uint32_t at = 0; at < N; at++) {
        const struct split *split = &growing->split[at];
        boost->feature[(size_t)tree * N + at] = split->feature;
        boost->threshold[(size_t)tree * N + at] =
            split->gain > 0 ? growing->binned->cut[(size_t)split->feature * BINS + split->bin] : 0;
    }
    double *leaf = boost->leaf + (size_t)tree * (N + 1);
    set_leaves(growing, leaf);
    for (size_t k = 0; k < growing->binned->count; k++)
        growing->score[k] += leaf[growing->node[k]];
    boost->trees++;
    return true;
}

/* ---- All trees ---- */

/* Returns the loss of the rows held out. */
static double held_out_loss(const struct growing *growing)
{
    const struct boost_rows *rows = growing->binned->rows;
    double sum = 0;
    for (size_t k = 0; k < growing->binned->count; k++) {
        size_t i = growing->binned->row[k];
        if (rows->part[i] == growing->without)
            sum += (double)rows->weight[i] * (softplus(growing->score[k]) - rows->right[i] * growing->score[k]);
    }
    return sum;
}

static bool growing_init(struct growing *growing, struct arena *arena, struct vouch_error *err)
{
    const struct boost_rows *rows = growing->binned->rows;
    const struct boost_options *options = growing->options;
    struct boost *boost = &growing->boost;
    size_t n = growing->binned->count, half = (size_t)1 << (options->depth - 1);
    *boost = (struct boost){.features = rows->features, .depth = options->depth};
    size_t inner = (size_t)options->trees * nodes(boost);
    boost->feature = new_array(inner, sizeof *boost->feature, err);
    boost->threshold = new_array(inner, sizeof *boost->threshold, err);
    boost->leaf = new_array(inner + options->trees, sizeof *boost->leaf, err);
    if (!boost->feature || !boost->threshold || !boost->leaf || !ARENA_ARRAY(growing->score, n, arena, err) ||
        !ARENA_ARRAY(growing->g, n, arena, err) || !ARENA_ARRAY(growing->h, n, arena, err) ||
        !ARENA_ARRAY(growing->node, n, arena, err) || !ARENA_ARRAY(growing->both, n, arena, err) ||
        !ARENA_ARRAY(growing->bins, half * rows->features * BINS, arena, err) ||
        !ARENA_ARRAY(growing->above, half * rows->features * BINS, arena, err) ||
        !ARENA_ARRAY(growing->split, 2 * half - 1, arena, err))
        return false;
    for (size_t k = 0; k < n; k++)
        growing->score[k] = rows->start[growing->binned->row[k]];
    return true;
}

/* Grows the trees of a round without part `job`; of all rows, as many as were best before it. */
static bool grow_round(void *context, uint32_t job, uint32_t thread, struct vouch_error *err)
{
    const struct growth *growth = context;
    struct growing *growing = &growth->growing[job];
    const struct boost_options *options = growing->options;
    (void)thread, (void)err;
    if (job == growing->binned->rows->parts) {
        while (growing->boost.trees < growth->best && grow_tree(growing))
            continue;
        return true;
    }
    double *loss = growth->loss + (size_t)job * (options->trees + 1);
    for (uint32_t tree = growth->first; tree <= growth->last; tree++) {
        grow_tree(growing);
        loss[tree] = held_out_loss(growing);
    }
    return true;
}

/* Returns the sum of the losses of all parts after so many trees. */
static double sum_losses(const struct growth *growth, uint32_t trees)
{
    const struct growing *growing = growth->growing;
    double sum = 0;
    for (uint32_t p = 0; p < growing->binned->rows->parts; p++)
        sum += growth->loss[(size_t)p * (growing->options->trees + 1) + trees];
    return sum;
}

/* Returns how many trees are tried at most, if no more help than the best so far. */
static uint32_t last_to_try(const struct growth *growth)
{
    const struct boost_options *options = growth->growing->options;
    uint32_t last = growth->best + options->patience;
    return last < options->trees ? last : options->trees;
}

/*
 * Grows trees until more of them do not help the rows held out, in rounds whose parts are grown side by side; finds the
 * best number of them. What a round grows too much is not used, so the result does not depend on the rounds.
 */
static bool cross_fit(struct growth *growth, uint32_t threads, struct vouch_error *err)
{
    const struct boost_options *options = growth->growing->options;
    uint32_t parts = growth->growing->binned->rows->parts, round = threads > 1 ? ROUND : 1;
    for (uint32_t p = 0; p < parts; p++)
        growth->loss[(size_t)p * (options->trees + 1)] = held_out_loss(&growth->growing[p]);
    double least = sum_losses(growth, 0);
    uint32_t end = last_to_try(growth);
    for (uint32_t seen = 0; seen < end;) {
        growth->first = seen + 1;
        growth->last = seen + round < end ? seen + round : end;
        if (!parallel_run(threads, parts + 1, grow_round, growth, err))
            return false;
        while (seen < growth->last) {
            double loss = sum_losses(growth, ++seen);
            if (!(loss < least))
                continue;
            least = loss;
            growth->best = seen;
            end = last_to_try(growth);
        }
    }
    return grow_round(growth, parts, 0, err);
}

/* Fills in the log-odds of every row by the first `trees` trees that have not seen its part: held [n]. */
static void hold_out(struct growing *growing /* [parts] */, uint32_t trees, double *held)
{
    const struct boost_rows *rows = growing->binned->rows;
    for (uint32_t p = 0; p < rows->parts; p++)
        growing[p].boost.trees = growing[p].boost.trees < trees ? growing[p].boost.trees : trees;
    for (size_t i = 0; i < rows->n; i++)
        held[i] = boost_apply(&growing[rows->part[i]].boost, rows->start[i], rows->x + i * rows->features);
}

bool boost_fit(const struct boost_rows *rows, const struct boost_options *options, uint32_t threads,
               struct boost *boost, double *held, struct vouch_error *err)
{
    struct arena arena = {0};
    struct binned binned = {.rows = rows};
    struct growth growth = {0};
    struct growing *growing = new_array((size_t)rows->parts + 1, sizeof *growing, err);
    *boost = (struct boost){0};
    bool ok = growing && bin_rows(&binned, &arena, err);
    for (uint32_t p = 0; ok && p <= rows->parts; p++) {
        growing[p] = (struct growing){.binned = &binned, .options = options, .without = p};
        ok = growing_init(&growing[p], &arena, err);
    }
    growth.growing = growing;
    ok = ok && ARENA_ARRAY(growth.loss, (size_t)rows->parts * (options->trees + 1), &arena, err) &&
         cross_fit(&growth, threads, err);
    if (ok) {
        struct growing *all = growing + rows->parts;
        hold_out(growing, growth.best, held);
        *boost = all->boost;
        all->boost = (struct boost){0};
    }
    for (uint32_t p = 0; growing && p <= rows->parts; p++)
        boost_release(&growing[p].boost);
    free(growing);
    arena_release(&arena);
    return ok;
}

void boost_release(struct boost *boost)
{
    free(boost->feature);
    free(boost->threshold);
    free(boost->leaf);
    *boost = (struct boost){0};
}
