/*
 * Sets up one update of a learner.
 *
 * The weights are few and every feature has a row of its own, so that a
 * difference vector can be written down as a plain array.
 */
#ifndef VOUCH_TESTS_LEARNER_BENCH_H
#define VOUCH_TESTS_LEARNER_BENCH_H

#include "base/random.h"
#include "chain/chain.h"
#include "learn/learn.h"

#include "test.h"

enum { WIDTH = 2, NODES = 3, EDGES = 1, SIZE = NODES * WIDTH + EDGES * WIDTH * WIDTH, MOST_LANES = 5 };

static const struct space space = {.width = WIDTH, .nodes = NODES, .edges = EDGES};

#define CHECK(condition, ...)                                                                                          \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            print_error(__VA_ARGS__);                                                                                  \
            fail_msg("%s", #condition);                                                                                \
        }                                                                                                              \
    } while (0)

static bool close_to(double a, double b, double tolerance)
{
    return fabs(a - b) <= tolerance * fmax(1, fmax(fabs(a), fabs(b)));
}

/* Whether two numbers are nearly equal: relative, without a floor, for numbers that may be tiny. */
static bool nearly(double a, double b, double tolerance)
{
    return fabs(a - b) <= tolerance * fmax(fabs(a), fabs(b));
}

/* An update before it is made. */
struct bench {
    struct diff diff;
    struct voice voice;
    struct scratch work;
    struct vouch_error err;
    uint32_t lanes;
    double d[MOST_LANES][SIZE], loss[MOST_LANES];
    double mean[SIZE], var[SIZE]; /* the voice before the update */
};

static void bench_init(struct bench *b, const struct learner *learner, const struct learner_options *options)
{
    memset(b, 0, sizeof *b);
    struct voice_needs needs = learner->keeps ? learner->keeps(options) : (struct voice_needs){0};
    assert_true(voice_init(&b->voice, &space, &needs, &b->err));
    assert_true(diff_init(&b->diff, &space, &b->err));
    voice_tick(&b->voice);
}

static void bench_release(struct bench *b)
{
    diff_release(&b->diff);
    voice_release(&b->voice);
    scratch_release(&b->work);
}

/* Adds `dense` [SIZE] to a lane, through parts whose row g holds feature g and nothing else. */
static void add_dense(struct diff *diff, uint32_t lane, const double *dense)
{
    static const uint32_t start[] = {0, 1, 2, 3}, feature[] = {0, 1, 2};
    struct parts parts = {.N = NODES,
                          .node = {.count = NODES, .start = start, .feature = feature},
                          .edge = {.count = EDGES, .start = start, .feature = feature}};
    struct scores coefficient = {0};
    struct vouch_error err = {0};
    assert_true(scores_shape(&coefficient, NODES, NODES, WIDTH, EDGES, &err));
    for (int i = 0; i < SIZE; i++)
        *(i < NODES * WIDTH ? &coefficient.node[i] : &coefficient.edge[i - NODES * WIDTH]) = (float)dense[i];
    assert_true(diff_add(diff, lane, &parts, &coefficient, &err));
    scores_release(&coefficient);
}

/* Lays the lanes and the voice out; `mean` and `var` become the values that the voice holds. */
static void bench_set(struct bench *b, uint32_t lanes)
{
    b->lanes = lanes;
    diff_clear(&b->diff, lanes);
    for (uint32_t k = 0; k < lanes; k++)
        add_dense(&b->diff, k, b->d[k]);
    for (int i = 0; i < SIZE; i++) {
        b->mean[i] = b->voice.mean[i] = (float)b->mean[i];
        if (b->voice.var)
            b->var[i] = b->voice.var[i] = (float)b->var[i];
    }
}

static void run_update(struct bench *b, const struct learner *learner, const struct learner_options *options)
{
    assert_true(learner->update(options, &b->voice, &b->diff, b->loss, &b->work, &b->err));
    for (int i = 0; i < SIZE; i++)
        assert_true(isfinite(b->voice.mean[i]));
}

static double dot(const double *a, const double *b)
{
    double sum = 0;
    for (int i = 0; i < SIZE; i++)
        sum += a[i] * b[i];
    return sum;
}

static double dot_floats(const float *a, const double *b)
{
    double sum = 0;
    for (int i = 0; i < SIZE; i++)
        sum += a[i] * b[i];
    return sum;
}

static double between(struct rng *rng, double low, double high)
{
    return low + (high - low) * rng_uniform(rng);
}

/* Draws a difference as decoding makes them: small integers, some zero, not all of them. */
static void random_difference(struct rng *rng, double *d)
{
    do
        for (int i = 0; i < SIZE; i++)
            d[i] = (double)rng_below(rng, 5) - 2;
    while (dot(d, d) == 0);
}

static void random_bench(struct bench *b, struct rng *rng, uint32_t lanes)
{
    for (uint32_t k = 0; k < lanes; k++) {
        random_difference(rng, b->d[k]);
        b->loss[k] = 1 + rng_below(rng, 4);
    }
    for (int i = 0; i < SIZE; i++) {
        b->mean[i] = between(rng, -1, 1);
        b->var[i] = between(rng, 0.05, 1.5);
    }
    bench_set(b, lanes);
}

#endif
