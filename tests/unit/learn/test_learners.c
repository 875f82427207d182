/*
 * Tests learners against what their papers promise: closed forms computed here
 * a second time, optimality conditions, a slow solver, numeric derivatives.
 * Confidence-weighted learning has a file of its own.
 */
#include "learner_bench.h"
#include "test.h"

/* The perceptron. */

TEST(the_perceptron_adds_the_difference)
{
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

TEST(pa_takes_the_step_of_the_closed_form)
{
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

TEST(kbest_pa_meets_the_optimality_conditions_of_its_dual)
{
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

TEST(kbest_pa_agrees_with_projected_gradient)
{
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
TEST(an_empty_difference_changes_nothing)
{
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

/* Log-likelihood. */

TEST(likelihood_steps_follow_the_gradient_and_remember_its_squares)
{
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

TEST(the_prior_pulls_weights_towards_zero_after_a_pass)
{
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
    (void)options, (void)loss;
    double weight[CHAIN_SIZE];
    assert_true(scratch_reserve(work, sizeof(struct entry) * (diff_size(diff) + 1), err));
    struct entry *entry = (struct entry *)(void *)work->bytes;
    size_t count = diff_entries(diff, 0, entry);
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
        spy.largest_gap = fmax(spy.largest_gap, fabs(entries_dot(entry, count, unit) - (more - less) / (2 * h)));
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

TEST(the_likelihood_gradient_is_the_derivative_of_the_likelihood)
{
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

TEST(learners_are_found_by_name)
{
    assert_ptr_equal(learner_named("cw"), &confidence_weighted);
    assert_ptr_equal(learner_named("pa"), &passive_aggressive);
    assert_ptr_equal(learner_named("perceptron"), &perceptron);
    assert_ptr_equal(learner_named("crf"), &log_likelihood);
    assert_null(learner_named("cwx"));
    assert_null(learner_named(""));
}
