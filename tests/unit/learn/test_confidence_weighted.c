/*
 * Tests confidence-weighted learning against its paper: where the constraint
 * binds, what becomes of the variances, and that they stay positive.
 */
#include "learner_bench.h"
#include "test.h"

/* Returns sum var d^2. */
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

TEST(a_cw_voice_starts_at_zero_with_the_variance_asked_for)
{
    struct learner_options options = {.phi = 1, .variance = 0.25};
    struct bench b;
    bench_init(&b, &confidence_weighted, &options);
    for (int i = 0; i < SIZE; i++)
        assert_true(b.voice.mean[i] == 0 && b.voice.var[i] == 0.25f);
    bench_release(&b);
}

/* The full solution's margin has mean m + alpha v and variance u, and the constraint binds. */
TEST(cw_moves_the_margin_to_where_the_constraint_binds)
{
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

TEST(a_margin_that_is_sure_enough_leaves_the_voice_as_it_is)
{
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
TEST(covariance_full_keeps_the_diagonal_of_the_full_matrix)
{
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
TEST(covariance_inverse_adds_to_the_inverse)
{
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
TEST(the_variants_agree_on_a_single_weight)
{
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

TEST(the_loss_scales_phi)
{
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

TEST(covariance_exact_meets_its_own_constraint)
{
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
TEST(covariance_exact_works_at_every_scale)
{
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

TEST(covariance_exact_is_the_nearest_gaussian_that_meets_the_constraint)
{
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

TEST(variances_stay_positive_and_never_grow)
{
    for (int covariance = COVARIANCE_FULL; covariance <= COVARIANCE_EXACT; covariance++) {
        watch_variances((enum covariance)covariance, 0.1);
        watch_variances((enum covariance)covariance, 0.5);
    }
}

TEST(variances_stay_positive_when_much_is_asked_of_the_margin)
{
    for (int covariance = COVARIANCE_FULL; covariance <= COVARIANCE_EXACT; covariance++)
        watch_variances((enum covariance)covariance, 1);
}

/*
 * Returns a variance after learning from a firm error: every weight of the difference has this mean, on the wrong side.
 */
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
TEST(a_hopeless_margin_leaves_variances_positive)
{
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

TEST(rounding_never_makes_a_variance_negative)
{
    struct rng rng = rng_new(19, 1);
    for (int trial = 0; trial < 3000; trial++) {
        double var = pow(10, -between(&rng, 0, 8)), mean = pow(10, between(&rng, 0, 4)),
               loss = 1 + rng_below(&rng, 100);
        float after = variance_after((enum covariance)(trial % 3), mean, var, loss);
        CHECK(after >= 0, "variant %d, mean %.9g, loss %g: variance from %.9g to %g\n", trial % 3, mean, loss, var,
              (double)after);
    }
}
