/*
 * Tests that every instruction set gives the same bits as the plain loops: chains, trees, sums of parts and logistic
 * models. The other kernels are tested so where they are compared with what they stand for: see test_arc_features,
 * test_dense, test_exp_log, test_forecaster_forest and test_noise_draws.
 */

#include "base/random.h"
#include "chain/chain.h"
#include "fit/logistic.h"
#include "core/parts.h"
#include "tree/tree.h"

#include "must.h"
#include "simd_sets.h"
#include "test.h"

enum { MOST_DOUBLES = 1 << 16 };

/* What a computation gave. */
struct outcome {
    double number[MOST_DOUBLES];
    size_t count;
};

static void note(struct outcome *outcome, double number)
{
    assert_true(outcome->count < MOST_DOUBLES);
    outcome->number[outcome->count++] = number;
}

static void note_all(struct outcome *outcome, const float *number, size_t count)
{
    for (size_t i = 0; i < count; i++)
        note(outcome, (double)number[i]);
}

/* Computes the same by every set that the processor has. */
static void compare(void (*compute)(uint32_t size, struct outcome *outcome), uint32_t size)
{
    static struct outcome plain, other;
    EACH_SIMD_SET
    {
        struct outcome *outcome = simd_set == SIMD_PLAIN ? &plain : &other;
        outcome->count = simd_chosen = 0;
        compute(size, outcome);
        assert_true(simd_chosen > 0 && outcome->count > 0);
        if (outcome->count != plain.count || memcmp(outcome->number, plain.number, sizeof(double) * plain.count) != 0)
            fail_msg("size %u: set %d gives other numbers than the plain loops", size, (int)simd_set);
    }
}

static void fill(struct rng *rng, float *number, size_t count)
{
    for (size_t i = 0; i < count; i++)
        number[i] = (float)(6 * rng_uniform(rng) - 3);
}

/* Decodes a chain of so many labels, with edges of its own at each place or the same everywhere. */
static void chain_of(uint32_t Y, struct outcome *outcome)
{
    enum { N = 9 };
    for (uint32_t E = 1; E < N; E += N - 2) {
        struct rng rng = rng_new(Y, E);
        struct scores scores = {0}, marginal = {0};
        struct scratch scratch = {0};
        uint32_t choice[N];
        double score, log_z, without[N];
        MUST(scores_shape(&scores, N, N, Y, E, &err));
        fill(&rng, scores.node, (size_t)N * Y);
        fill(&rng, scores.edge, (size_t)E * Y * Y);
        MUST(chain_viterbi(&scores, &scratch, choice, &score, &err));
        MUST(chain_without(&scores, choice, &scratch, without, &err));
        MUST(chain_forward_backward(&scores, 1, &scratch, &marginal, &log_z, &err));
        note(outcome, score);
        note(outcome, log_z);
        for (size_t i = 0; i < N; i++) {
            note(outcome, without[i]);
            note(outcome, choice[i]);
        }
        note_all(outcome, marginal.node, (size_t)N * Y);
        scores_release(&scores);
        scores_release(&marginal);
        scratch_release(&scratch);
    }
}

/* Finds the marginals of trees of so many words. */
static void tree_of(uint32_t N, struct outcome *outcome)
{
    struct rng rng = rng_new(N, 0);
    struct scores scores = {0}, marginal = {0};
    struct scratch scratch = {0};
    double log_z;
    MUST(scores_shape(&scores, N, N * (N + 1), 1, 0, &err));
    fill(&rng, scores.node, (size_t)N * (N + 1));
    MUST(tree_marginals_linear(&scores, 1, &scratch, &marginal, &log_z, &err));
    note(outcome, log_z);
    for (uint32_t m = 0; m < N; m++)
        for (uint32_t h = 0; h <= N; h++)
            if (h != m + 1)
                note(outcome, (double)marginal.node[tree_group(N, m, h)]);
    scores_release(&scores);
    scores_release(&marginal);
    scratch_release(&scratch);
}

/* Scores groups of so many parts. */
static void parts_of(uint32_t width, struct outcome *outcome)
{
    enum { GROUPS = 3, EACH = 7, FEATURES = 11 };
    struct rng rng = rng_new(width, 0);
    struct space space = {width, FEATURES, 0};
    uint32_t start[GROUPS + 1], feature[GROUPS * EACH];
    float value[GROUPS * EACH], *weight = calloc(space_size(&space) + SLACK, sizeof *weight);
    fill(&rng, weight, space_size(&space));
    fill(&rng, value, GROUPS * EACH);
    for (uint32_t g = 0; g <= GROUPS; g++)
        start[g] = g * EACH;
    for (uint32_t i = 0; i < GROUPS * EACH; i++)
        feature[i] = rng_below(&rng, FEATURES);
    for (int valued = 0; valued < 2; valued++) {
        struct parts parts = {.N = GROUPS, .node = {GROUPS, start, feature, valued ? value : NULL}};
        struct scores scores = {0};
        MUST(parts_score(&parts, &space, weight, &scores, &err));
        note_all(outcome, scores.node, (size_t)GROUPS * width);
        scores_release(&scores);
    }
    free(weight);
}

static double prior(double right, double wrong)
{
    (void)right;
    return 1 + wrong / 100;
}

/* Fits a model of so many features, holds out, and applies it. */
static void logistic_of(uint32_t features, struct outcome *outcome)
{
    enum { ROWS = 331 };
    struct rng rng = rng_new(features, 0);
    static bool right[ROWS];
    static uint32_t group[ROWS];
    static double held[ROWS], score[ROWS], x[ROWS * LOGISTIC_MOST];
    for (uint32_t i = 0; i < ROWS; i++) {
        group[i] = i / 3;
        for (uint32_t j = 0; j < features; j++)
            x[i * features + j] = rng_uniform(&rng);
        right[i] = rng_uniform(&rng) < 0.5 + x[i * features] / 3;
    }
    struct logistic logistic;
    struct logistic_rows rows = {.x = x, .right = right, .n = ROWS, .features = features, .group = group};
    MUST(logistic_cross_fit(&rows, prior, 1, &logistic, held, &err));
    logistic_scores(&logistic, x, ROWS, score);
    for (uint32_t j = 0; j < features; j++)
        note(outcome, logistic.weight[j]);
    for (uint32_t i = 0; i < ROWS; i++) {
        note(outcome, held[i]);
        note(outcome, score[i]);
    }
    logistic_release(&logistic);
}

TEST(chains)
{
    for (uint32_t Y = 1; Y <= 40; Y++)
        compare(chain_of, Y);
}

TEST(trees)
{
    for (uint32_t N = 2; N <= 70; N++)
        compare(tree_of, N);
}

TEST(sums_of_parts)
{
    for (uint32_t width = 17; width <= 80; width++)
        compare(parts_of, width);
}

TEST(logistic_models)
{
    for (uint32_t features = 1; features <= 40; features += 3)
        compare(logistic_of, features);
    compare(logistic_of, LOGISTIC_MOST);
}
