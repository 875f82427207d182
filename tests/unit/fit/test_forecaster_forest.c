/* Tests forests: the same sums as by boosted trees row by row, to the last bit, by every instruction set. */
#include "fit/forecaster.h"

#include "simulate.h"
#include "simd_sets.h"
#include "test.h"

enum { F = 7, MOST_ROWS = 70 };

/* Makes trees whose thresholds are multiples of 1 / grain, so that many are alike. */
static struct boost draw_trees(struct rng *rng, uint32_t trees, uint32_t depth, double grain)
{
    struct boost b = {.features = F, .trees = trees, .depth = depth};
    size_t nodes = trees * ((1u << depth) - 1);
    b.feature = room(nodes + 1, sizeof *b.feature);
    b.threshold = room(nodes + 1, sizeof *b.threshold);
    b.leaf = room(nodes + trees + 1, sizeof *b.leaf);
    for (size_t i = 0; i < nodes; i++) {
        b.feature[i] = (uint32_t)(rng_uniform(rng) * F);
        b.threshold[i] = round(draw_normal(rng) * grain) / grain;
    }
    for (size_t i = 0; i < nodes + trees; i++)
        b.leaf[i] = draw_normal(rng);
    return b;
}

/* Draws a value: often one of the thresholds, sometimes the next number to it, infinite or not a number. */
static double draw_value(struct rng *rng, const struct boost *b)
{
    size_t nodes = b->trees * ((1u << b->depth) - 1);
    double kind = rng_uniform(rng), threshold = b->threshold[(size_t)(rng_uniform(rng) * (double)nodes)];
    return kind < 0.3    ? threshold
           : kind < 0.4  ? nextafter(threshold, INFINITY)
           : kind < 0.5  ? nextafter(threshold, -INFINITY)
           : kind < 0.55 ? INFINITY
           : kind < 0.6  ? -INFINITY
           : kind < 0.65 ? NAN
                         : draw_normal(rng) * 2;
}

static void check(struct rng *rng, const struct boost *b, size_t count)
{
    struct forest forest;
    double x[FOREST_ROWS][F], turned[F][FOREST_ROWS] = {{0}}, start[FOREST_ROWS] = {0}, score[FOREST_ROWS];
    assert_true(forest_init(&forest, b, NULL));
    assert_int_equal(forest.trees, b->trees);
    for (size_t k = 0; k < count; k++) {
        start[k] = draw_normal(rng);
        for (size_t j = 0; j < F; j++)
            turned[j][k] = x[k][j] = draw_value(rng, b);
    }
    EACH_SIMD_SET
    {
        memcpy(score, start, sizeof score);
        forest_add(&forest, &turned[0][0], count, score);
        for (size_t k = 0; k < count; k++) {
            double expected = boost_apply(b, start[k], x[k]);
            assert_memory_equal(&score[k], &expected, sizeof expected);
        }
    }
    forest_release(&forest);
}

TEST(test_same_sums)
{
    struct rng rng = rng_new(5, 1);
    for (uint32_t round = 0; round < 5; round++)
        for (size_t count = 1; count <= FOREST_ROWS; count++) {
            struct boost b = draw_trees(&rng, 1 + round * 3, FOREST_DEPTH, 4);
            check(&rng, &b, count);
            boost_release(&b);
        }
}

static void check_empty(struct boost *b)
{
    struct forest forest;
    assert_true(forest_init(&forest, b, NULL));
    assert_int_equal(forest.trees, 0);
    forest_release(&forest);
    boost_release(b);
}

/* More thresholds of one feature than ranks are split among columns; more columns than fit leave the forest empty. */
TEST(test_many_cuts)
{
    struct rng rng = rng_new(6, 1);
    struct boost b = draw_trees(&rng, 100, FOREST_DEPTH, 1e6);
    check(&rng, &b, FOREST_ROWS);
    boost_release(&b);
    b = draw_trees(&rng, 1200, FOREST_DEPTH, 1e9);
    check_empty(&b);
}

TEST(test_other_depths)
{
    struct rng rng = rng_new(8, 1);
    for (uint32_t depth = 1; depth <= BOOST_DEEPEST; depth++) {
        struct boost b = draw_trees(&rng, 3, depth, 4);
        if (depth != FOREST_DEPTH)
            check_empty(&b);
        else
            boost_release(&b);
    }
}

/* Makes a forecaster, of which the trees are `b`. */
static struct forecaster draw_forecaster(struct rng *rng, const struct boost *b)
{
    struct forecaster f = {.fitted = true, .boost = *b};
    assert_true(logistic_first(&f.logistic, F, NULL));
    for (size_t j = 0; j < F; j++) {
        f.logistic.weight[j] = j == 2 ? 0 : draw_normal(rng);
        f.logistic.mean[j] = draw_normal(rng);
        f.logistic.scale[j] = j == 2 ? 0 : 0.5 + rng_uniform(rng);
    }
    f.logistic.bias = 0.3;
    return f;
}

static void check_rows(const struct forecaster *f, const double *x)
{
    double p[MOST_ROWS];
    for (size_t n = 0; n <= MOST_ROWS; n++) {
        forecaster_apply_rows(f, x, n, p);
        for (size_t i = 0; i < n; i++) {
            double expected = forecaster_apply(f, x + i * F);
            assert_memory_equal(&p[i], &expected, sizeof expected);
        }
    }
}

/* Rows get the same probabilities together as one by one, whether the forecaster is prepared or not. */
TEST(test_forecaster)
{
    struct rng rng = rng_new(7, 1);
    double x[MOST_ROWS * F];
    for (size_t i = 0; i < MOST_ROWS * F; i++)
        x[i] = draw_normal(&rng) * 2;
    for (uint32_t trees = 0; trees <= 20; trees += 10) {
        struct boost b = draw_trees(&rng, trees, 4, 8);
        struct forecaster f = draw_forecaster(&rng, &b);
        check_rows(&f, x);
        assert_true(forecaster_prepare(&f, NULL));
        assert_int_equal(f.forest.trees, trees);
        check_rows(&f, x);
        forecaster_release(&f);
    }
    struct forecaster none = {0};
    double p;
    assert_true(forecaster_prepare(&none, NULL));
    forecaster_apply_rows(&none, x, 1, &p);
    assert_true(isnan(p));
}
