/*
 * Learners against what their papers promise: closed forms computed here a
 * second time, optimality conditions, a slow solver, numeric derivatives.
 *
 * The weights are few and every feature has a row of its own, so that a
 * difference vector can be written down as a plain array.
 */
#include "base/random.h"
#include "chain/chain.h"
#include "learn/learn.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

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

/* Relative, without a floor: for numbers that may be tiny. */
static bool nearly(double a, double b, double tolerance)
{
    return fabs(a - b) <= tolerance * fmax(fabs(a), fabs(b));
}

/* One update waiting to happen. */
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

/* Lays the lanes and the voice out; `mean` and `var` become what the voice really holds. */
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

/* sum var d^2 */
static double spread(const double *var, const double *d)
{
    double sum = 0;
    for (int i = 0; i < SIZE; i++)
        sum += var[i] * d[i] * d[i];
    return sum;
}

static double spread_floats(const float *var, const double *d)
{
    double sum = 0;
    for (int i = 0; i < SIZE; i++)
        sum += (double)var[i] * d[i] * d[i];
    return sum;
}

static double between(struct rng *rng, double low, double high)
{
    return low + (high - low) * rng_uniform(rng);
}

/* A difference as decoding makes them: small integers, some zero, not all of them. */
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

/* The perceptron. */

static void the_perceptron_adds_the_difference(void **state)
{
    (void)state;
    struct learner_options options = {0};
    struct rng rng = rng_new(2, 1);
    struct bench b;
    bench_init(&b, &perceptron, &options);
    assert_null(b.voice.var);
    for (int trial = 0; trial < 20; trial++) {
        random_bench(&b, &rng, 1);
        run_update(&b, &perceptron, &options);
        for (int i = 0; i < SIZE; i++)
            assert_true(b.voice.mean[i] == (float)b.mean[i] + (float)b.d[0][i]);
    }
    bench_release(&b);
}

/* Passive-aggressive: min(C, max(0, loss - mean.d) / |d|^2). */

static void pa_takes_the_step_of_the_closed_form(void **state)
{
    (void)state;
    struct rng rng = rng_new(3, 1);
    int still = 0, between_bounds = 0, clipped = 0;
    for (int trial = 0; trial < 300; trial++) {
        struct learner_options options = {.C = trial % 2 ? 0.1 : 10, .K = 1};
        struct bench b;
        bench_init(&b, &passive_aggressive, &options);
        random_bench(&b, &rng, 1);
        double lacking = fmax(0, b.loss[0] - dot(b.mean, b.d[0])) / dot(b.d[0], b.d[0]);
        double alpha = fmin(options.C, lacking);
        still += alpha == 0;
        clipped += alpha == options.C;
        between_bounds += alpha > 0 && alpha < options.C;
        run_update(&b, &passive_aggressive, &options);
        for (int i = 0; i < SIZE; i++)
            CHECK(close_to(b.voice.mean[i], b.mean[i] + alpha * b.d[0][i], 1e-6), "trial %d: alpha %g\n", trial, alpha);
        if (alpha > 0 && alpha < options.C)
            assert_true(close_to(dot_floats(b.voice.mean, b.d[0]), b.loss[0], 1e-5));
        bench_release(&b);
    }
    assert_true(still > 5 && between_bounds > 5 && clipped > 5);
}

/* The dual, min a'Ga/2 - slack'a in [0, C]^K, by projected gradient: slow and plain. */
static void project_gradient(const struct bench *b, double C, double *alpha)
{
    double gram[MOST_LANES][MOST_LANES], slack[MOST_LANES], trace = 0, moved;
    for (uint32_t k = 0; k < b->lanes; k++) {
        slack[k] = b->loss[k] - dot(b->mean, b->d[k]);
        alpha[k] = 0;
        for (uint32_t j = 0; j < b->lanes; j++)
            gram[k][j] = dot(b->d[k], b->d[j]);
        trace += gram[k][k];
    }
    int round = 0;
    do {
        double next[MOST_LANES];
        moved = 0;
        for (uint32_t k = 0; k < b->lanes; k++) {
            double gradient = -slack[k];
            for (uint32_t j = 0; j < b->lanes; j++)
                gradient += gram[k][j] * alpha[j];
            next[k] = fmin(C, fmax(0, alpha[k] - gradient / trace));
        }
        for (uint32_t k = 0; k < b->lanes; k++) {
            moved = fmax(moved, fabs(next[k] - alpha[k]));
            alpha[k] = next[k];
        }
    } while (moved > 1e-14 && ++round < 200000);
}

/* Solves the K x K system `a` x = `y` by elimination; false if it is (nearly) singular. */
static bool solve(uint32_t K, double a[MOST_LANES][MOST_LANES], double *y, double *x)
{
    for (uint32_t c = 0; c < K; c++) {
        uint32_t pivot = c;
        for (uint32_t r = c + 1; r < K; r++)
            pivot = fabs(a[r][c]) > fabs(a[pivot][c]) ? r : pivot;
        if (fabs(a[pivot][c]) < 1e-3)
            return false;
        for (uint32_t j = 0; j < K; j++) {
            double kept = a[c][j];
            a[c][j] = a[pivot][j];
            a[pivot][j] = kept;
        }
        double kept = y[c];
        y[c] = y[pivot];
        y[pivot] = kept;
        for (uint32_t r = c + 1; r < K; r++) {
            double factor = a[r][c] / a[c][c];
            for (uint32_t j = c; j < K; j++)
                a[r][j] -= factor * a[c][j];
            y[r] -= factor * y[c];
        }
    }
    for (uint32_t c = K; c-- > 0;) {
        x[c] = y[c];
        for (uint32_t j = c + 1; j < K; j++)
            x[c] -= a[c][j] * x[j];
        x[c] /= a[c][c];
    }
    return true;
}

/* The multipliers that explain mean' - mean, if the lanes are independent. */
static bool multipliers(const struct bench *b, double *alpha)
{
    double gram[MOST_LANES][MOST_LANES], along[MOST_LANES];
    for (uint32_t k = 0; k < b->lanes; k++) {
        along[k] = dot_floats(b->voice.mean, b->d[k]) - dot(b->mean, b->d[k]);
        for (uint32_t j = 0; j < b->lanes; j++)
            gram[k][j] = dot(b->d[k], b->d[j]);
    }
    return solve(b->lanes, gram, along, alpha);
}

/* Tolerances are relative: to the largest multiplier, which may be far below C, and to the losses. */
static void check_multipliers(const struct bench *b, const double *alpha, double C, int *seen)
{
    const double tolerance = 2e-4;
    double explained[SIZE], largest = 0;
    for (uint32_t k = 0; k < b->lanes; k++)
        largest = fmax(largest, alpha[k]);
    for (int i = 0; i < SIZE; i++) {
        explained[i] = b->mean[i];
        for (uint32_t k = 0; k < b->lanes; k++)
            explained[i] += alpha[k] * b->d[k][i];
        assert_true(close_to(explained[i], b->voice.mean[i], tolerance));
    }
    for (uint32_t k = 0; k < b->lanes; k++) {
        double margin = dot_floats(b->voice.mean, b->d[k]);
        bool at_zero = alpha[k] <= tolerance * largest, at_C = alpha[k] > C * (1 - tolerance);
        CHECK(alpha[k] >= -tolerance * largest && alpha[k] <= C * (1 + tolerance), "C %g, alpha %g\n", C, alpha[k]);
        if (at_zero)
            CHECK(margin >= b->loss[k] - 1e-3, "alpha 0, margin %g, loss %g\n", margin, b->loss[k]);
        else if (at_C)
            CHECK(margin <= b->loss[k] + 1e-3, "alpha C, margin %g, loss %g\n", margin, b->loss[k]);
        else
            CHECK(close_to(margin, b->loss[k], 1e-3), "alpha %g, margin %g, loss %g\n", alpha[k], margin, b->loss[k]);
        seen[at_zero ? 0 : at_C ? 2 : 1]++;
    }
}

static void kbest_pa_meets_the_optimality_conditions_of_its_dual(void **state)
{
    (void)state;
    struct rng rng = rng_new(4, 1);
    static const double C[] = {1e-6, 1e-3, 0.05, 0.5, 100, 1e4, 1e9};
    const int kinds = sizeof C / sizeof *C;
    int seen[3] = {0}; /* multipliers at zero, inside, at C */
    for (int trial = 0; trial < 100 * kinds; trial++) {
        struct learner_options options = {.C = C[trial % kinds], .K = MOST_LANES};
        struct bench b;
        bench_init(&b, &passive_aggressive, &options);
        random_bench(&b, &rng, 2 + rng_below(&rng, MOST_LANES - 1));
        for (int i = 0; i < SIZE; i++) /* beside large weights, tiny steps would be lost in rounding */
            b.mean[i] *= fmin(1, options.C);
        bench_set(&b, b.lanes);
        run_update(&b, &passive_aggressive, &options);
        double alpha[MOST_LANES];
        if (multipliers(&b, alpha))
            check_multipliers(&b, alpha, options.C, seen);
        bench_release(&b);
    }
    assert_true(seen[0] > 20 && seen[1] > 20 && seen[2] > 20);
}

static void kbest_pa_agrees_with_projected_gradient(void **state)
{
    (void)state;
    struct rng rng = rng_new(5, 1);
    for (int trial = 0; trial < 200; trial++) {
        struct learner_options options = {.C = trial % 2 ? 0.1 : 1, .K = MOST_LANES};
        struct bench b;
        bench_init(&b, &passive_aggressive, &options);
        random_bench(&b, &rng, 2 + rng_below(&rng, MOST_LANES - 1));
        if (trial % 4 == 0) /* two lanes alike: the multipliers are not unique, the weights are */
            memcpy(b.d[1], b.d[0], sizeof b.d[0]);
        if (trial % 4 == 1) /* one lane the sum of two: neighbours in a k-best list are */
            for (int i = 0; i < SIZE; i++)
                b.d[b.lanes - 1][i] = b.d[0][i] + b.d[1][i];
        bench_set(&b, b.lanes);
        double alpha[MOST_LANES];
        project_gradient(&b, options.C, alpha);
        run_update(&b, &passive_aggressive, &options);
        for (int i = 0; i < SIZE; i++) {
            double expected = b.mean[i];
            for (uint32_t k = 0; k < b.lanes; k++)
                expected += alpha[k] * b.d[k][i];
            CHECK(close_to(b.voice.mean[i], expected, 1e-4), "trial %d, weight %d: expected %g, got %g\n", trial, i,
                  expected, (double)b.voice.mean[i]);
        }
        bench_release(&b);
    }
}

/* A wrong choice may have the features of the right one: nothing can be learned from it, nothing may break. */
static void an_empty_difference_changes_nothing(void **state)
{
    (void)state;
    struct learner_options options = {.C = 1, .phi = 1, .variance = 1, .rate = 0.1, .K = 2};
    for (const struct learner *const *learner = learners; *learner; learner++)
        for (int covariance = COVARIANCE_FULL; covariance <= COVARIANCE_EXACT; covariance++) {
            struct rng rng = rng_new(6, 1);
            struct bench b;
            options.covariance = (enum covariance)covariance;
            bench_init(&b, *learner, &options);
            random_bench(&b, &rng, 1);
            memset(b.d, 0, sizeof b.d);
            bench_set(&b, 1);
            run_update(&b, *learner, &options);
            for (int i = 0; i < SIZE; i++) {
                assert_true(b.voice.mean[i] == (float)b.mean[i]);
                assert_true(!b.voice.var || b.voice.var[i] == (float)b.var[i]);
            }
            bench_release(&b);
        }
}

/* Confidence-weighted: the paper's equations, written down once more. */

struct cw {
    double m, v, phi, alpha, u, beta;
};

static struct cw paper(const struct bench *b, const struct learner_options *options)
{
    struct cw c = {.m = dot(b->mean, b->d[0]), .v = spread(b->var, b->d[0]), .phi = options->phi * b->loss[0]};
    double f2 = c.phi * c.phi, phi1 = 1 + f2 / 2, phi2 = 1 + f2;
    c.alpha = fmax(0, (-c.m * phi1 + sqrt(c.m * c.m * f2 * f2 / 4 + c.v * f2 * phi2)) / (c.v * phi2));
    double twice = -c.alpha * c.v * c.phi + sqrt(c.alpha * c.alpha * c.v * c.v * f2 + 4 * c.v);
    c.u = twice * twice / 4;
    c.beta = c.alpha * c.phi / sqrt(c.u);
    return c;
}

static struct learner_options cw_options(int trial, enum covariance covariance)
{
    static const double phi[] = {0.1, 0.5, 1, 2.5};
    return (struct learner_options){.phi = phi[trial % 4], .variance = 1, .covariance = covariance, .K = 1};
}

static void a_cw_voice_starts_at_zero_with_the_variance_asked_for(void **state)
{
    (void)state;
    struct learner_options options = {.phi = 1, .variance = 0.25};
    struct bench b;
    bench_init(&b, &confidence_weighted, &options);
    for (int i = 0; i < SIZE; i++)
        assert_true(b.voice.mean[i] == 0 && b.voice.var[i] == 0.25f);
    bench_release(&b);
}

/* The full solution's margin has mean m + alpha v and variance u, and the constraint binds. */
static void cw_moves_the_margin_to_where_the_constraint_binds(void **state)
{
    (void)state;
    struct rng rng = rng_new(7, 1);
    int moved = 0, still = 0;
    for (int trial = 0; trial < 400; trial++) {
        struct learner_options options = cw_options(trial, trial % 2 ? COVARIANCE_FULL : COVARIANCE_INVERSE);
        struct bench b;
        bench_init(&b, &confidence_weighted, &options);
        random_bench(&b, &rng, 1);
        struct cw c = paper(&b, &options);
        run_update(&b, &confidence_weighted, &options);
        double margin = dot_floats(b.voice.mean, b.d[0]);
        if (c.m >= c.phi * sqrt(c.v)) {
            still++;
            assert_true(margin == c.m);
        } else {
            moved++;
            assert_true(c.alpha > 0);
            assert_true(close_to(c.u + c.alpha * c.v * c.phi * sqrt(c.u), c.v, 1e-9));
            assert_true(close_to(margin, c.m + c.alpha * c.v, 1e-5));
            CHECK(close_to(margin, c.phi * sqrt(c.u), 1e-5), "trial %d: margin %g, wanted %g\n", trial, margin,
                  c.phi * sqrt(c.u));
        }
        for (int i = 0; i < SIZE; i++)
            assert_true(close_to(b.voice.mean[i], b.mean[i] + c.alpha * b.var[i] * b.d[0][i], 1e-6));
        bench_release(&b);
    }
    assert_true(moved > 50 && still > 20);
}

static void a_margin_that_is_sure_enough_leaves_the_voice_as_it_is(void **state)
{
    (void)state;
    for (int covariance = COVARIANCE_FULL; covariance <= COVARIANCE_EXACT; covariance++) {
        struct learner_options options = {.phi = 1, .variance = 1, .covariance = (enum covariance)covariance, .K = 1};
        struct rng rng = rng_new(8, (uint64_t)covariance);
        struct bench b;
        bench_init(&b, &confidence_weighted, &options);
        for (int trial = 0; trial < 100; trial++) {
            random_bench(&b, &rng, 1);
            double v = spread(b.var, b.d[0]), wanted = b.loss[0] * sqrt(v) * between(&rng, 1.001, 3);
            double lacking = (wanted - dot(b.mean, b.d[0])) / dot(b.d[0], b.d[0]);
            for (int i = 0; i < SIZE; i++)
                b.mean[i] += lacking * b.d[0][i];
            bench_set(&b, 1);
            run_update(&b, &confidence_weighted, &options);
            for (int i = 0; i < SIZE; i++)
                assert_true(b.voice.mean[i] == (float)b.mean[i] && b.voice.var[i] == (float)b.var[i]);
        }
        bench_release(&b);
    }
}

/* var - b var^2 d^2 with b = alpha phi / (sqrt(u) + v alpha phi): the diagonal of the full update. */
static void covariance_full_keeps_the_diagonal_of_the_full_matrix(void **state)
{
    (void)state;
    struct rng rng = rng_new(9, 1);
    for (int trial = 0; trial < 200; trial++) {
        struct learner_options options = cw_options(trial, COVARIANCE_FULL);
        struct bench b;
        bench_init(&b, &confidence_weighted, &options);
        random_bench(&b, &rng, 1);
        struct cw c = paper(&b, &options);
        double factor = c.alpha * c.phi / (sqrt(c.u) + c.v * c.alpha * c.phi);
        run_update(&b, &confidence_weighted, &options);
        for (int i = 0; i < SIZE; i++) {
            double expected = b.var[i] - factor * b.var[i] * b.var[i] * b.d[0][i] * b.d[0][i];
            CHECK(nearly(b.voice.var[i], expected, 1e-5), "trial %d: expected %g, got %g\n", trial, expected,
                  (double)b.voice.var[i]);
        }
        bench_release(&b);
    }
}

/* 1/var + beta d^2 with the paper's beta: its algorithm box. */
static void covariance_inverse_adds_to_the_inverse(void **state)
{
    (void)state;
    struct rng rng = rng_new(10, 1);
    for (int trial = 0; trial < 200; trial++) {
        struct learner_options options = cw_options(trial, COVARIANCE_INVERSE);
        struct bench b;
        bench_init(&b, &confidence_weighted, &options);
        random_bench(&b, &rng, 1);
        struct cw c = paper(&b, &options);
        run_update(&b, &confidence_weighted, &options);
        for (int i = 0; i < SIZE; i++) {
            double expected = 1 / b.var[i] + c.beta * b.d[0][i] * b.d[0][i];
            CHECK(nearly(1.0 / b.voice.var[i], expected, 1e-5), "trial %d: expected 1/%g, got 1/%g\n", trial,
                  1 / expected, (double)b.voice.var[i]);
        }
        bench_release(&b);
    }
}

/* With one weight a diagonal matrix is a full one: the three variants are one. */
static void the_variants_agree_on_a_single_weight(void **state)
{
    (void)state;
    for (int covariance = COVARIANCE_FULL; covariance <= COVARIANCE_EXACT; covariance++) {
        struct learner_options options = {.phi = 0.7, .variance = 1, .covariance = (enum covariance)covariance, .K = 1};
        struct bench b;
        bench_init(&b, &confidence_weighted, &options);
        for (int i = 0; i < SIZE; i++)
            b.var[i] = 0.8;
        b.mean[3] = -0.4;
        b.d[0][3] = 2;
        b.loss[0] = 2;
        bench_set(&b, 1);
        struct cw c = paper(&b, &options);
        run_update(&b, &confidence_weighted, &options);
        assert_true(nearly(4 * b.voice.var[3], c.u, 1e-5));
        assert_true(nearly(2 * b.voice.mean[3], c.phi * sqrt(c.u), 1e-5));
        assert_true(b.voice.var[2] == 0.8f && b.voice.mean[2] == 0);
        bench_release(&b);
    }
}

static void the_loss_scales_phi(void **state)
{
    (void)state;
    for (int covariance = COVARIANCE_FULL; covariance <= COVARIANCE_EXACT; covariance++) {
        struct learner_options one = {.phi = 0.5, .variance = 1, .covariance = (enum covariance)covariance, .K = 1};
        struct learner_options other = one;
        other.phi = 1.5;
        struct bench a, b;
        bench_init(&a, &confidence_weighted, &one);
        bench_init(&b, &confidence_weighted, &other);
        struct rng rng = rng_new(11, 1), again = rng;
        random_bench(&a, &rng, 1);
        random_bench(&b, &again, 1);
        a.loss[0] = 3;
        b.loss[0] = 1;
        run_update(&a, &confidence_weighted, &one);
        run_update(&b, &confidence_weighted, &other);
        for (int i = 0; i < SIZE; i++) {
            assert_true(a.voice.mean[i] == b.voice.mean[i]);
            assert_true(a.voice.var[i] == b.voice.var[i]);
        }
        bench_release(&a);
        bench_release(&b);
    }
}

/* The exact variant's constraint on the voice as it is after the update. */
static void check_exact(const struct bench *b, const struct learner_options *options, const char *where)
{
    double phi = options->phi * b->loss[0], m = dot(b->mean, b->d[0]), v = spread(b->var, b->d[0]);
    double margin = dot_floats(b->voice.mean, b->d[0]), wanted = phi * sqrt(spread_floats(b->voice.var, b->d[0]));
    if (m >= phi * sqrt(v))
        CHECK(margin == m, "%s: margin moved from %g to %g\n", where, m, margin);
    else
        CHECK(nearly(margin, wanted, 1e-4), "%s: m %g, v %g, phi %g: margin %g, wanted %g\n", where, m, v, phi, margin,
              wanted);
}

static void covariance_exact_meets_its_own_constraint(void **state)
{
    (void)state;
    struct rng rng = rng_new(12, 1);
    for (int trial = 0; trial < 400; trial++) {
        struct learner_options options = cw_options(trial, COVARIANCE_EXACT);
        struct bench b;
        bench_init(&b, &confidence_weighted, &options);
        random_bench(&b, &rng, 1);
        run_update(&b, &confidence_weighted, &options);
        check_exact(&b, &options, "random");
        bench_release(&b);
    }
}

/* Multiplying variances by s^2 and means by s multiplies the answer likewise, for any s. */
static void covariance_exact_works_at_every_scale(void **state)
{
    (void)state;
    for (int power = -8; power <= 8; power++) {
        struct learner_options options = {.phi = 1, .variance = 1, .covariance = COVARIANCE_EXACT, .K = 1};
        struct rng rng = rng_new(13, 1);
        char where[32];
        snprintf(where, sizeof where, "scale 1e%d", power);
        for (int trial = 0; trial < 50; trial++) {
            struct bench b;
            bench_init(&b, &confidence_weighted, &options);
            random_bench(&b, &rng, 1);
            for (int i = 0; i < SIZE; i++) {
                b.var[i] *= pow(10, power);
                b.mean[i] *= pow(10, power / 2.0);
            }
            bench_set(&b, 1);
            run_update(&b, &confidence_weighted, &options);
            check_exact(&b, &options, where);
            bench_release(&b);
        }
    }
}

/* KL(N(mean, var) || N(mean0, var0)) */
static double divergence(const double *mean, const double *var, const double *mean0, const double *var0)
{
    double sum = 0;
    for (int i = 0; i < SIZE; i++)
        sum +=
            (var[i] / var0[i] - 1 - log(var[i] / var0[i]) + (mean[i] - mean0[i]) * (mean[i] - mean0[i]) / var0[i]) / 2;
    return sum;
}

/* Moves a feasible or infeasible point onto the constraint, along var0 d. */
static void make_feasible(const struct bench *b, double phi, double *mean, const double *var)
{
    double lacking = phi * sqrt(spread(var, b->d[0])) - dot(mean, b->d[0]);
    for (int i = 0; i < SIZE; i++)
        mean[i] += lacking / spread(b->var, b->d[0]) * b->var[i] * b->d[0][i];
}

static void covariance_exact_is_the_nearest_gaussian_that_meets_the_constraint(void **state)
{
    (void)state;
    struct rng rng = rng_new(14, 1);
    int compared = 0;
    for (int trial = 0; trial < 60; trial++) {
        struct learner_options options = cw_options(trial, COVARIANCE_EXACT);
        struct bench b;
        bench_init(&b, &confidence_weighted, &options);
        random_bench(&b, &rng, 1);
        double phi = options.phi * b.loss[0], mean[SIZE], var[SIZE];
        run_update(&b, &confidence_weighted, &options);
        for (int i = 0; i < SIZE; i++) {
            mean[i] = b.voice.mean[i];
            var[i] = b.voice.var[i];
        }
        double least = divergence(mean, var, b.mean, b.var);
        for (int other = 0; other < 200 && least > 1e-3; other++, compared++) {
            double size = pow(10, between(&rng, -3, 0)), near[SIZE], width[SIZE];
            for (int i = 0; i < SIZE; i++) {
                near[i] = mean[i] + size * between(&rng, -1, 1) * (rng_below(&rng, 3) == 0);
                width[i] = var[i] * exp(size * between(&rng, -1, 1));
            }
            make_feasible(&b, phi, near, width);
            double reached = divergence(near, width, b.mean, b.var);
            CHECK(reached >= least * (1 - 1e-4), "trial %d: KL %g is less than %g\n", trial, reached, least);
        }
        bench_release(&b);
    }
    assert_true(compared > 2000);
}

/* Two thousand constraints, all of which one weight vector meets. */
static void watch_variances(enum covariance covariance, double phi)
{
    struct learner_options options = {.phi = phi, .variance = 1, .covariance = covariance, .K = MOST_LANES};
    struct rng rng = rng_new(15, 1);
    double truth[SIZE];
    for (int i = 0; i < SIZE; i++)
        truth[i] = between(&rng, -1, 1);
    struct bench b;
    bench_init(&b, &confidence_weighted, &options);
    for (int round = 0; round < 2000; round++) {
        uint32_t lanes = 1 + rng_below(&rng, MOST_LANES);
        for (uint32_t k = 0; k < lanes; k++) {
            do
                random_difference(&rng, b.d[k]);
            while (dot(truth, b.d[k]) < 0.5);
            b.loss[k] = 1 + rng_below(&rng, 4);
        }
        for (int i = 0; i < SIZE; i++) {
            b.mean[i] = b.voice.mean[i];
            b.var[i] = b.voice.var[i];
        }
        bench_set(&b, lanes);
        run_update(&b, &confidence_weighted, &options);
        for (int i = 0; i < SIZE; i++)
            CHECK(b.voice.var[i] > 0 && b.voice.var[i] <= (float)b.var[i],
                  "variant %d, phi %g, round %d: variance from %g to %g\n", covariance, phi, round, b.var[i],
                  (double)b.voice.var[i]);
    }
    bench_release(&b);
}

static void variances_stay_positive_and_never_grow(void **state)
{
    (void)state;
    for (int covariance = COVARIANCE_FULL; covariance <= COVARIANCE_EXACT; covariance++) {
        watch_variances((enum covariance)covariance, 0.1);
        watch_variances((enum covariance)covariance, 0.5);
    }
}

static void variances_stay_positive_when_much_is_asked_of_the_margin(void **state)
{
    (void)state;
    for (int covariance = COVARIANCE_FULL; covariance <= COVARIANCE_EXACT; covariance++)
        watch_variances((enum covariance)covariance, 1);
}

/* A wrong opinion that is firmly held: every weight of the difference has this mean, on the wrong side. */
static float variance_after(enum covariance covariance, double mean, double var, double loss)
{
    struct learner_options options = {.phi = 1, .variance = 1, .covariance = covariance, .K = 1};
    struct bench b;
    bench_init(&b, &confidence_weighted, &options);
    for (int i = 0; i < SIZE; i++) {
        b.d[0][i] = i % 2 ? 1 : -1;
        b.mean[i] = -mean * b.d[0][i];
        b.var[i] = var;
    }
    b.loss[0] = loss;
    bench_set(&b, 1);
    run_update(&b, &confidence_weighted, &options);
    float after = b.voice.var[0];
    for (int i = 0; i < SIZE; i++)
        assert_true(b.voice.var[i] == after);
    bench_release(&b);
    return after;
}

/* The right answers lie between 1e-24 and 1, well within a float. */
static void a_hopeless_margin_leaves_variances_positive(void **state)
{
    (void)state;
    for (int covariance = COVARIANCE_FULL; covariance <= COVARIANCE_EXACT; covariance++)
        for (double var = 1; var > 1e-7; var /= 10)
            for (double mean = 1; mean < 2000; mean *= 10)
                for (double loss = 1; loss < 200; loss *= 10) {
                    float after = variance_after((enum covariance)covariance, mean, var, loss);
                    CHECK(after > 0 && after <= var * (1 + 1e-6),
                          "variant %d, mean %g, loss %g: variance from %g to %g\n", covariance, mean, loss, var,
                          (double)after);
                }
}

static void rounding_never_makes_a_variance_negative(void **state)
{
    (void)state;
    struct rng rng = rng_new(19, 1);
    for (int trial = 0; trial < 3000; trial++) {
        double var = pow(10, -between(&rng, 0, 8)), mean = pow(10, between(&rng, 0, 4)),
               loss = 1 + rng_below(&rng, 100);
        float after = variance_after((enum covariance)(trial % 3), mean, var, loss);
        CHECK(after >= 0, "variant %d, mean %.9g, loss %g: variance from %.9g to %g\n", trial % 3, mean, loss, var,
              (double)after);
    }
}

/* Log-likelihood. */

static void likelihood_steps_follow_the_gradient_and_remember_its_squares(void **state)
{
    (void)state;
    struct learner_options options = {.rate = 0.5};
    struct rng rng = rng_new(16, 1);
    struct bench b;
    bench_init(&b, &log_likelihood, &options);
    assert_non_null(b.voice.square);
    for (int trial = 0; trial < 50; trial++) {
        random_bench(&b, &rng, 1);
        float square[SIZE];
        memcpy(square, b.voice.square, sizeof square);
        run_update(&b, &log_likelihood, &options);
        for (int i = 0; i < SIZE; i++) {
            double moved = (double)b.voice.mean[i] - b.mean[i], g = b.d[0][i];
            assert_true(nearly(b.voice.square[i], square[i] + g * g, 1e-6));
            assert_true(g == 0 ? moved == 0 : moved * g > 0);
            assert_true(fabs(moved) <= options.rate * (1 + 1e-6));
            assert_true(close_to(moved, options.rate * g / sqrt((double)b.voice.square[i]), 1e-6));
        }
    }
    bench_release(&b);
}

static void the_prior_pulls_weights_towards_zero_after_a_pass(void **state)
{
    (void)state;
    for (int strength = 0; strength < 3; strength++) {
        struct learner_options options = {.rate = 0.5, .l2 = strength == 0 ? 0 : strength == 1 ? 0.1 : 1e6};
        struct rng rng = rng_new(17, 1);
        struct bench b;
        bench_init(&b, &log_likelihood, &options);
        random_bench(&b, &rng, 1);
        log_likelihood.end_pass(&options, &b.voice);
        for (int i = 0; i < SIZE; i++) {
            double left = b.voice.mean[i] / b.mean[i];
            assert_true(strength == 0 ? left == 1 : left >= 0 && left < 1);
            assert_true(strength < 2 || left < 1e-3);
        }
        bench_release(&b);
    }
}

/* A tiny chain whose likelihood is computed by listing every labelling. */

enum { CHAIN_N = 4, CHAIN_Y = 3, LABELLINGS = 81, CHAIN_NODES = 4, CHAIN_EDGES = 2 };
enum { CHAIN_SIZE = CHAIN_NODES * CHAIN_Y + CHAIN_EDGES * CHAIN_Y * CHAIN_Y };

static const uint32_t chain_gold[CHAIN_N] = {2, 0, 0, 1};

struct tiny_chain {
    struct parts parts;
};

static const uint32_t tiny_start[] = {0, 2, 3, 3, 6}, tiny_feature[] = {0, 1, 1, 0, 2, 3};
static const float tiny_value[] = {1, 0.5f, -1, 2, 1, 0.25f};
static const uint32_t tiny_edge_start[] = {0, 2, 3, 3}, tiny_edge_feature[] = {0, 1, 1};

static struct tiny_chain chain_with(uint32_t edge_rows, bool values)
{
    return (struct tiny_chain){
        .parts = {.N = CHAIN_N,
                  .node = {.count = CHAIN_N,
                           .start = tiny_start,
                           .feature = tiny_feature,
                           .value = values ? tiny_value : NULL},
                  .edge = {.count = edge_rows, .start = tiny_edge_start, .feature = tiny_edge_feature}}};
}

/* weight . phi(x, y), from the definition of the parts. */
static double score_of(const struct parts *parts, const double *weight, const uint32_t *y)
{
    double sum = 0;
    for (uint32_t t = 0; t < CHAIN_N; t++)
        for (uint32_t i = parts->node.start[t]; i < parts->node.start[t + 1]; i++)
            sum += (parts->node.value ? parts->node.value[i] : 1) * weight[parts->node.feature[i] * CHAIN_Y + y[t]];
    const double *edge = weight + CHAIN_NODES * CHAIN_Y;
    for (uint32_t t = 1; t < CHAIN_N && parts->edge.count; t++) {
        uint32_t row = parts->edge.count == 1 ? 0 : t - 1;
        for (uint32_t i = parts->edge.start[row]; i < parts->edge.start[row + 1]; i++)
            sum += edge[(parts->edge.feature[i] * CHAIN_Y + y[t - 1]) * CHAIN_Y + y[t]];
    }
    return sum;
}

static double log_likelihood_of_gold(const struct parts *parts, const double *weight)
{
    double sum = 0;
    for (uint32_t number = 0; number < LABELLINGS; number++) {
        uint32_t y[CHAIN_N], rest = number;
        for (uint32_t t = 0; t < CHAIN_N; t++, rest /= CHAIN_Y)
            y[t] = rest % CHAIN_Y;
        sum += exp(score_of(parts, weight, y));
    }
    return score_of(parts, weight, chain_gold) - log(sum);
}

static bool get_chain(const void *self, uint32_t i, struct scratch *scratch, struct example *example,
                      struct vouch_error *err)
{
    (void)i, (void)scratch, (void)err;
    const struct tiny_chain *chain = self;
    *example = (struct example){.parts = chain->parts, .gold = chain_gold};
    return true;
}

/* A learner that looks at the gradient it is given, and then moves the weights somewhere else. */
static struct {
    struct rng rng;
    const struct parts *parts;
    double largest_gap, loss;
    uint32_t updates;
} spy;

static struct voice_needs spy_keeps(const struct learner_options *options)
{
    (void)options;
    return (struct voice_needs){0};
}

static bool spy_update(const struct learner_options *options, struct voice *voice, const struct diff *diff,
                       const double *loss, struct scratch *work, struct vouch_error *err)
{
    (void)options, (void)loss, (void)work, (void)err;
    double weight[CHAIN_SIZE];
    float unit[CHAIN_SIZE] = {0};
    for (int i = 0; i < CHAIN_SIZE; i++)
        weight[i] = voice->mean[i];
    spy.loss = -log_likelihood_of_gold(spy.parts, weight);
    for (int i = 0; i < CHAIN_SIZE; i++) {
        const double h = 1e-5;
        double kept = weight[i];
        weight[i] = kept + h;
        double more = log_likelihood_of_gold(spy.parts, weight);
        weight[i] = kept - h;
        double less = log_likelihood_of_gold(spy.parts, weight);
        weight[i] = kept;
        unit[i] = 1;
        spy.largest_gap = fmax(spy.largest_gap, fabs(diff_dot(diff, 0, unit) - (more - less) / (2 * h)));
        unit[i] = 0;
    }
    for (int i = 0; i < CHAIN_SIZE; i++)
        voice->mean[i] = (float)between(&spy.rng, -0.4, 0.4);
    spy.updates++;
    return true;
}

static bool check_spied_loss(void *context, const struct training *training)
{
    (void)context;
    CHECK(close_to(training->loss, spy.loss / CHAIN_N, 1e-5), "told %g nats a word, are %g\n", training->loss,
          spy.loss / CHAIN_N);
    return true;
}

static void the_likelihood_gradient_is_the_derivative_of_the_likelihood(void **state)
{
    (void)state;
    static const struct learner spying = {
        .name = "spy", .need = NEED_MARGINALS, .keeps = spy_keeps, .update = spy_update};
    for (uint32_t edge_rows = 0; edge_rows <= CHAIN_N - 1; edge_rows += edge_rows == 1 ? CHAIN_N - 2 : 1)
        for (int values = 0; values < 2; values++) {
            struct tiny_chain chain = chain_with(edge_rows, values);
            struct examples examples = {.structure = &chain_structure,
                                        .space = {CHAIN_Y, CHAIN_NODES, CHAIN_EDGES},
                                        .count = 1,
                                        .self = &chain,
                                        .get = get_chain};
            struct training_options options = {
                .learner = &spying, .parameters = {.K = 1}, .passes = 20, .seed = 1, .tell = check_spied_loss};
            struct voice voice;
            struct vouch_error err = {0};
            uint32_t subset[] = {0};
            bool stopped;
            memset(&spy, 0, sizeof spy);
            spy.rng = rng_new(18, edge_rows);
            spy.parts = &chain.parts;
            assert_true(train_voice(&examples, (struct subset){subset, 1}, &options, &voice, &stopped, &err));
            assert_int_equal(spy.updates, 20);
            CHECK(spy.largest_gap < 1e-4, "%u edge rows: a derivative is off by %g\n", edge_rows, spy.largest_gap);
            voice_release(&voice);
        }
}

static void learners_are_found_by_name(void **state)
{
    (void)state;
    assert_ptr_equal(learner_named("cw"), &confidence_weighted);
    assert_ptr_equal(learner_named("pa"), &passive_aggressive);
    assert_ptr_equal(learner_named("perceptron"), &perceptron);
    assert_ptr_equal(learner_named("crf"), &log_likelihood);
    assert_null(learner_named("cwx"));
    assert_null(learner_named(""));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_perceptron_adds_the_difference),
        cmocka_unit_test(pa_takes_the_step_of_the_closed_form),
        cmocka_unit_test(kbest_pa_meets_the_optimality_conditions_of_its_dual),
        cmocka_unit_test(kbest_pa_agrees_with_projected_gradient),
        cmocka_unit_test(an_empty_difference_changes_nothing),
        cmocka_unit_test(a_cw_voice_starts_at_zero_with_the_variance_asked_for),
        cmocka_unit_test(cw_moves_the_margin_to_where_the_constraint_binds),
        cmocka_unit_test(a_margin_that_is_sure_enough_leaves_the_voice_as_it_is),
        cmocka_unit_test(covariance_full_keeps_the_diagonal_of_the_full_matrix),
        cmocka_unit_test(covariance_inverse_adds_to_the_inverse),
        cmocka_unit_test(the_variants_agree_on_a_single_weight),
        cmocka_unit_test(the_loss_scales_phi),
        cmocka_unit_test(covariance_exact_meets_its_own_constraint),
        cmocka_unit_test(covariance_exact_works_at_every_scale),
        cmocka_unit_test(covariance_exact_is_the_nearest_gaussian_that_meets_the_constraint),
        cmocka_unit_test(variances_stay_positive_and_never_grow),
        cmocka_unit_test(variances_stay_positive_when_much_is_asked_of_the_margin),
        cmocka_unit_test(a_hopeless_margin_leaves_variances_positive),
        cmocka_unit_test(rounding_never_makes_a_variance_negative),
        cmocka_unit_test(likelihood_steps_follow_the_gradient_and_remember_its_squares),
        cmocka_unit_test(the_prior_pulls_weights_towards_zero_after_a_pass),
        cmocka_unit_test(the_likelihood_gradient_is_the_derivative_of_the_likelihood),
        cmocka_unit_test(learners_are_found_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
