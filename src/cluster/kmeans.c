/*
 * Classes of words by k-means over their vectors (Lloyd 1982).
 *
 *     class of x  =  arg max over k of  x . c_k - |c_k|^2 / 2      the nearest centre; of equals the first
 *     c_k         =  mean of the vectors of the class
 *
 * Vectors are scaled to length 1 first: how long they are depends on how common the word is. The centres are found by
 * the commonest words, and begin at some of them that are drawn; a centre that loses all its words stays where it is.
 * Then every word goes to the nearest.
 *
 * Products are summed component by component, in lanes of classes, and means are summed word by word in doubles: the
 * bytes do not depend on threads or instruction sets. Four words are multiplied at a time with LANES centres, which
 * then stay in the nearest cache.
 */
#include "cluster/cluster.h"

#include "base/input.h"
#include "base/parallel.h"
#include "base/random.h"
#include "core/dense.h"
#include "core/simd.h"
#include "text/word_vectors.h"

#include <math.h>

/* ---- Tables of vectors ---- */

static uint32_t count_fields(struct text line)
{
    uint32_t fields = 0;
    while (table_field(&line).length)
        fields++;
    return fields;
}

/* Scales a vector to length 1, unless it is zero. */
static void scale(float *vector, uint32_t D)
{
    double square = 0;
    for (uint32_t d = 0; d < D; d++)
        square += (double)vector[d] * vector[d];
    double length = sqrt(square);
    for (uint32_t d = 0; length > 0 && d < D; d++)
        vector[d] = (float)(vector[d] / length);
}

static bool take_line(struct word_points *p, const struct input *input, struct text line, struct vouch_error *err)
{
    static const char *const expected[] = {[TABLE_SHORT] = "as many numbers as in the first line",
                                           [TABLE_NO_NUMBER] = "numbers within the range of float32",
                                           [TABLE_LONG] = "no more numbers than in the first line"};
    struct text rest = line, word = table_field(&rest), found;
    uint32_t known = p->words.table.count;
    if (p->D == 0)
        p->D = count_fields(rest);
    if (word.at != line.at || p->D == 0 || p->D > MAX_DIMENSIONS)
        return input_wrong(input, err, "a word and 1 to 1024 numbers");
    uint32_t id = dictionary_add(&p->words, word, err);
    if (!id || !RESERVE(p->vector, p->vector_capacity, ((size_t)known + 1) * p->D, err))
        return false;
    float *vector = p->vector + (size_t)known * p->D; /* of a word that is there twice, to be overwritten */
    enum table_fault fault = table_numbers(rest, p->D, vector, &found);
    if (fault != TABLE_SOUND)
        return input_wrong(input, err, expected[fault]);
    if (id > known)
        scale(vector, p->D);
    return true;
}

bool word_points_read(struct word_points *points, const char *path, struct vouch_error *err)
{
    struct input *input = input_open(path, err);
    struct text line;
    int more = input ? 1 : -1;
    while (more == 1 && (more = input_line(input, &line, err)) == 1) {
        bool passed = line.length == 0 || (input_number(input) == 1 && table_counts(line));
        if (!passed && !take_line(points, input, line, err))
            more = -1;
    }
    input_close(input);
    return more == 0 && (points->words.table.count > 0 ||
                         fail(err, VOUCH_ERR_FORMAT, "%s: expected lines of a word and its vector, found none", path));
}

void word_points_release(struct word_points *points)
{
    dictionary_release(&points->words);
    free(points->vector);
    *points = (struct word_points){0};
}

/* ---- The nearest centres ---- */

enum { LANES = 32, TOGETHER = 4, BLOCK = 1024 };

/* Centres as they are multiplied: [tiles][D][LANES], and minus half their squares, [tiles][LANES]. */
struct centres {
    uint32_t K, D, tiles;
    float *at, *bias;
};

/* Finds the best of some words for one tile of centres: best [TOGETHER], and which it is. */
SIMD_BODY void try_tile(const struct centres *c, uint32_t tile, const float *const *x, float *best, uint32_t *which)
{
    const float *at = c->at + (size_t)tile * c->D * LANES, *bias = c->bias + (size_t)tile * LANES;
    float sum[TOGETHER][LANES];
    for (int w = 0; w < TOGETHER; w++)
        for (int k = 0; k < LANES; k++)
            sum[w][k] = bias[k];
    for (uint32_t d = 0; d < c->D; d++, at += LANES)
        for (int w = 0; w < TOGETHER; w++) {
            float value = x[w][d];
            for (int k = 0; k < LANES; k++)
                sum[w][k] += value * at[k];
        }
    for (int w = 0; w < TOGETHER; w++)
        for (uint32_t k = 0; k < LANES; k++)
            if (tile * LANES + k < c->K && sum[w][k] > best[w]) {
                best[w] = sum[w][k];
                which[w] = tile * LANES + k;
            }
}
SIMD_KERNEL(try_tile, (const struct centres *c, uint32_t tile, const float *const *x, float *best, uint32_t *which),
            (c, tile, x, best, which))

/* Words that are put into classes side by side. */
struct assigning {
    const struct word_points *points;
    const struct centres *centres;
    uint32_t words;
    uint32_t *class;
};

static bool assign_block(void *context, uint32_t job, uint32_t thread, struct vouch_error *err)
{
    const struct assigning *a = context;
    uint32_t from = job * BLOCK, to = from + BLOCK < a->words ? from + BLOCK : a->words, D = a->points->D;
    (void)thread;
    (void)err;
    for (uint32_t i = from; i < to; i += TOGETHER) {
        const float *x[TOGETHER];
        float best[TOGETHER];
        uint32_t which[TOGETHER] = {0};
        for (uint32_t w = 0; w < TOGETHER; w++) {
            x[w] = a->points->vector + (size_t)(i + w < to ? i + w : i) * D;
            best[w] = -INFINITY;
        }
        for (uint32_t tile = 0; tile < a->centres->tiles; tile++)
            try_tile_for[simd_best()](a->centres, tile, x, best, which);
        for (uint32_t w = 0; w < TOGETHER && i + w < to; w++)
            a->class[i + w] = which[w];
    }
    return true;
}

static bool assign(const struct word_points *points, const struct centres *centres, uint32_t words,
                   const struct work *work, uint32_t *class, struct vouch_error *err)
{
    struct assigning a = {points, centres, words, class};
    return parallel_run(work->threads, (words + BLOCK - 1) / BLOCK, assign_block, &a, err);
}

/* ---- The centres ---- */

/* Means, before they are laid out: [K][D] sums, and [K] how many words each has. */
struct means {
    double *sum;
    uint32_t *count;
};

static void lay_out(const struct means *means, const struct centres *c)
{
    for (uint32_t k = 0; k < c->K; k++) {
        if (means->count[k] == 0) /* it stays where it is */
            continue;
        float *at = c->at + (size_t)(k / LANES) * c->D * LANES + k % LANES;
        double square = 0;
        for (uint32_t d = 0; d < c->D; d++) {
            float mean = (float)(means->sum[(size_t)k * c->D + d] / means->count[k]);
            at[(size_t)d * LANES] = mean;
            square += (double)mean * mean;
        }
        c->bias[k] = (float)(-square / 2);
    }
}

static void add_word(const struct word_points *points, uint32_t word, uint32_t k, const struct means *means)
{
    for (uint32_t d = 0; d < points->D; d++)
        means->sum[(size_t)k * points->D + d] += points->vector[(size_t)word * points->D + d];
    means->count[k]++;
}

static void clear(const struct means *means, const struct centres *c)
{
    memset(means->sum, 0, sizeof *means->sum * c->K * c->D);
    memset(means->count, 0, sizeof *means->count * c->K);
}

/* Begins at words that are drawn, without those of no direction. */
static bool draw_centres(const struct word_points *points, const struct kmeans_plan *plan, const struct means *means,
                         const struct centres *c, struct vouch_error *err)
{
    struct rng rng = rng_new(plan->work->seed, plan->K);
    uint32_t *order = new_array(plan->fitted, sizeof *order, err);
    for (uint32_t i = 0; order && i < plan->fitted; i++)
        order[i] = i;
    if (order)
        rng_shuffle(&rng, order, plan->fitted);
    clear(means, c);
    for (uint32_t k = 0; order && k < c->K; k++)
        add_word(points, order[k], k, means);
    lay_out(means, c);
    free(order);
    return order != NULL;
}

static bool improve(const struct word_points *points, const struct kmeans_plan *plan, const struct means *means,
                    const struct centres *c, struct cluster_progress *progress, uint32_t *class,
                    struct vouch_error *err)
{
    for (uint32_t round = 0; round < plan->rounds; round++) {
        if (!cluster_step(progress, err) || !assign(points, c, plan->fitted, plan->work, class, err))
            return false;
        clear(means, c);
        for (uint32_t i = 0; i < plan->fitted; i++)
            add_word(points, i, class[i], means);
        lay_out(means, c);
    }
    return assign(points, c, points->words.table.count, plan->work, class, err);
}

bool kmeans(const struct word_points *points, const struct kmeans_plan *plan, struct cluster_progress *progress,
            uint32_t *class, struct vouch_error *err)
{
    struct centres c = {.K = plan->K, .D = points->D, .tiles = (plan->K + LANES - 1) / LANES};
    struct means means = {.sum = new_array((size_t)plan->K * points->D, sizeof *means.sum, err),
                          .count = new_array(plan->K, sizeof *means.count, err)};
    c.at = new_array((size_t)c.tiles * c.D * LANES, sizeof *c.at, err);
    c.bias = new_array((size_t)c.tiles * LANES, sizeof *c.bias, err);
    bool ok = means.sum && means.count && c.at && c.bias && draw_centres(points, plan, &means, &c, err) &&
              improve(points, plan, &means, &c, progress, class, err);
    free(means.sum);
    free(means.count);
    free(c.at);
    free(c.bias);
    return ok;
}
