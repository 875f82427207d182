/* Tests logistic regression: gradients at the solution, known weights recovered, and degenerate data. */
#include "fit/logistic.h"

#include "simulate.h"
#include "test.h"

static void assert_near(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%.17g is not within %g of %.17g", value, tolerance, expected);
}

/* Rows of normal features of all sizes, right with probability sigmoid(bias + weight . x). */
static void simulate(size_t n, uint32_t features, const double *weight, double bias, double *x, bool *right)
{
    struct rng rng = rng_new(21, features);
    for (size_t i = 0; i < n; i++) {
        double z = bias;
        for (uint32_t j = 0; j < features; j++) {
            x[i * features + j] = 100 * j + pow(10, j % 5) * draw_normal(&rng);
            z += weight[j] * (x[i * features + j] - 100 * j) / pow(10, j % 5);
        }
        right[i] = rng_uniform(&rng) < sigmoid(z);
    }
}

/* Returns the largest part of the gradient of loss + prior, from its definition. */
static double steepest(const struct logistic *fitted, const double *x, const bool *right, size_t n, double l2)
{
    double gradient[LOGISTIC_MOST + 1] = {0}, most = 0, good = 0;
    uint32_t F = fitted->features;
    for (size_t i = 0; i < n; i++)
        good += right[i];
    for (size_t i = 0; i < n; i++) {
        double target = right[i] ? (good + 1) / (good + 2) : 1 / ((double)n - good + 2);
        double off = logistic_apply(fitted, x + i * F) - target;
        for (uint32_t j = 0; j < F; j++)
            if (fitted->scale[j] > 0)
                gradient[j] += off * (x[i * F + j] - fitted->mean[j]) / fitted->scale[j];
        gradient[F] += off;
    }
    for (uint32_t j = 0; j < F; j++)
        gradient[j] += l2 * fitted->weight[j];
    for (uint32_t j = 0; j <= F; j++)
        most = fmax(most, fabs(gradient[j]));
    return most;
}

TEST(the_solution_has_no_gradient)
{
    enum { N = 500, F = 64 };
    double *x = room(N * F, sizeof *x), weight[F];
    bool right[N];
    struct vouch_error err = {0};
    for (uint32_t features = 0; features <= F; features += features < 4 ? 1 : 20)
        for (double l2 = 0.01; l2 < 1000; l2 *= 100) {
            for (uint32_t j = 0; j < F; j++)
                weight[j] = j % 3 - 1.0;
            simulate(N, features, weight, 1, x, right);
            struct logistic fitted;
            assert_true(logistic_fit(&(struct logistic_rows){.x = x, .right = right, .n = N, .features = features}, l2,
                                     &fitted, &err));
            assert_true(steepest(&fitted, x, right, N, l2) < 1e-7);
            logistic_release(&fitted);
        }
    free(x);
}

TEST(known_weights_are_recovered)
{
    enum { N = 200000, F = 3 };
    const double weight[F] = {0.5, -1, 0};
    double *x = room((size_t)N * F, sizeof *x);
    bool *right = room(N, sizeof *right);
    struct logistic fitted;
    struct vouch_error err = {0};
    simulate(N, F, weight, 2, x, right);
    assert_true(logistic_fit(&(struct logistic_rows){.x = x, .right = right, .n = N, .features = F}, 1, &fitted, &err));
    for (int j = 0; j < F; j++) {
        assert_near(fitted.weight[j], weight[j], 0.03);
        assert_near(fitted.mean[j], 100 * j, 0.02 * pow(10, j));
        assert_near(fitted.scale[j], pow(10, j), 0.02 * pow(10, j));
    }
    assert_near(fitted.bias, 2, 0.03);
    assert_near(logistic_apply(&fitted, (const double[]){1, 110, 300}), sigmoid(2 + 0.5 - 1), 0.01);
    logistic_release(&fitted);
    free(x);
    free(right);
}

TEST(constant_and_dependent_columns_do_no_harm)
{
    enum { N = 400, F = 4 };
    double x[N * F];
    bool right[N];
    struct rng rng = rng_new(22, 0);
    struct vouch_error err = {0};
    for (int i = 0; i < N; i++) {
        double z = draw_normal(&rng);
        memcpy(x + i * F, (const double[]){0.1, z, -3 * z + 7, 1e300}, sizeof(double) * F);
        right[i] = rng_uniform(&rng) < sigmoid(2 * z);
    }
    for (double l2 = 0; l2 < 2; l2++) {
        struct logistic fitted;
        assert_true(
            logistic_fit(&(struct logistic_rows){.x = x, .right = right, .n = N, .features = F}, l2, &fitted, &err));
        assert_true(fitted.scale[0] == 0 && fitted.weight[0] == 0);
        assert_true(fitted.scale[3] == 0 && fitted.weight[3] == 0);
        assert_true(steepest(&fitted, x, right, N, l2) < 1e-6);
        assert_near(fitted.weight[1] - fitted.weight[2], 2, 0.5);
        logistic_release(&fitted);
    }
}

TEST(separable_data_stay_finite)
{
    enum { N = 100 };
    double x[N];
    bool right[N];
    struct vouch_error err = {0};
    for (int i = 0; i < N; i++) {
        x[i] = i < 50 ? i : i + 1000;
        right[i] = i >= 50;
    }
    for (double l2 = 0; l2 < 2; l2++) {
        struct logistic fitted;
        assert_true(
            logistic_fit(&(struct logistic_rows){.x = x, .right = right, .n = N, .features = 1}, l2, &fitted, &err));
        assert_true(isfinite(fitted.weight[0]) && isfinite(fitted.bias) && fitted.weight[0] < 20);
        assert_true(logistic_apply(&fitted, &x[0]) < 0.1 && logistic_apply(&fitted, &x[99]) > 0.9);
        logistic_release(&fitted);
    }
}

TEST(one_class_gives_what_the_count_allows)
{
    double x[98];
    bool right[98];
    struct vouch_error err = {0};
    for (int all = 0; all < 2; all++) {
        struct logistic fitted;
        for (int i = 0; i < 98; i++) {
            x[i] = i;
            right[i] = all;
        }
        assert_true(
            logistic_fit(&(struct logistic_rows){.x = x, .right = right, .n = 98, .features = 1}, 1, &fitted, &err));
        assert_near(logistic_apply(&fitted, &x[50]), all ? 0.99 : 0.01, 1e-9);
        assert_near(fitted.weight[0], 0, 1e-9);
        logistic_release(&fitted);
    }
}

TEST(the_same_rows_give_the_same_weights)
{
    enum { N = 300, F = 5 };
    const double weight[F] = {1, 2, -1, 0, 0.3};
    double x[N * F];
    bool right[N];
    struct logistic fitted[2];
    struct vouch_error err = {0};
    simulate(N, F, weight, 0, x, right);
    for (int i = 0; i < 2; i++)
        assert_true(logistic_fit(&(struct logistic_rows){.x = x, .right = right, .n = N, .features = F}, 0.1,
                                 &fitted[i], &err));
    assert_memory_equal(fitted[0].weight, fitted[1].weight, sizeof(double) * F);
    assert_true(fitted[0].bias == fitted[1].bias);
    logistic_release(&fitted[0]);
    logistic_release(&fitted[1]);
}

TEST(impossible_requests_are_refused)
{
    const double x[] = {1, INFINITY, NAN, 2};
    const bool right[] = {true, false, true, false};
    struct logistic fitted;
    struct vouch_error err = {0};
    assert_false(
        logistic_fit(&(struct logistic_rows){.x = x, .right = right, .n = 0, .features = 1}, 1, &fitted, &err));
    assert_false(
        logistic_fit(&(struct logistic_rows){.x = x, .right = right, .n = 2, .features = 1}, 1, &fitted, &err));
    assert_false(
        logistic_fit(&(struct logistic_rows){.x = x, .right = right, .n = 2, .features = 2}, 1, &fitted, &err));
    assert_false(logistic_fit(&(struct logistic_rows){.x = x, .right = right, .n = 1, .features = LOGISTIC_MOST + 1}, 1,
                              &fitted, &err));
    assert_false(
        logistic_fit(&(struct logistic_rows){.x = x, .right = right, .n = 1, .features = 1}, -1, &fitted, &err));
    assert_int_equal(err.status, VOUCH_ERR_ARGUMENT);
    assert_true(logistic_fit(&(struct logistic_rows){.x = x, .right = right, .n = 1, .features = 1}, 1, &fitted, &err));
    logistic_release(&fitted);
}

TEST(the_curve_has_no_overflow)
{
    assert_true(sigmoid(0) == 0.5 && sigmoid(1e4) == 1 && sigmoid(-1e4) == 0);
    assert_true(sigmoid(INFINITY) == 1 && sigmoid(-INFINITY) == 0 && isnan(sigmoid(NAN)));
    assert_true(softplus(1e4) == 1e4 && softplus(-1e4) == 0);
    for (double z = -30; z <= 30; z += 0.37) {
        assert_near(sigmoid(z) + sigmoid(-z), 1, 1e-15);
        assert_near(softplus(z), log(1 + exp(z)), 1e-12);
    }
}

/* Returns a prior that depends on what is learned from, and is weak, so that standardisation matters little. */
static double weak_prior(double right, double wrong)
{
    return 0.1 + wrong / (right + wrong);
}

/* Folds that go on from the fit of all rows find what a fit of the others finds; with ceilings and weights, too. */
TEST(cross_fitting_is_a_fit_of_the_others)
{
    enum { N = 20000, F = 9 };
    const double weight[F] = {1, -1, 0.5, 0, 2, 0, -0.5, 0, 1};
    double *x = room((size_t)N * F, sizeof *x), *other = room((size_t)N * F, sizeof *other);
    double *ceiling = room(N, sizeof *ceiling), *times = room(N, sizeof *times), *held = room(N, sizeof *held);
    double *few = room(N, sizeof *few), *many = room(N, sizeof *many);
    bool *right = room(N, sizeof *right), *good = room(N, sizeof *good);
    uint32_t *group = room(N, sizeof *group), *part = room(N, sizeof *part);
    struct rng rng = rng_new(23, 0);
    struct vouch_error err = {0};
    for (size_t n = 300; n <= N; n *= 8) /* also a sample of the rows to begin with */
        for (int what = 0; what < 4; what++) {
            simulate(n, F, weight, 2, x, right);
            for (size_t i = 0; i < n; i++) {
                group[i] = (uint32_t)i / 3;
                ceiling[i] = 0.5 + 0.5 * rng_uniform(&rng);
                right[i] = right[i] && (!(what & 1) || rng_uniform(&rng) < ceiling[i]);
                times[i] = 1 + rng_below(&rng, 3);
            }
            struct logistic_rows rows = {.x = x,
                                         .right = right,
                                         .ceiling = what & 1 ? ceiling : NULL,
                                         .n = n,
                                         .features = F,
                                         .group = group,
                                         .weight = what & 2 ? times : NULL};
            struct logistic all;
            assert_true(logistic_cross_fit(&rows, weak_prior, 5, &all, held, &err));
            assert_true(split_groups(group, n, 5, 5, part, &err));
            for (uint32_t p = 0; p < 5; p++) {
                struct logistic_rows others = {.x = other,
                                               .right = good,
                                               .ceiling = what & 1 ? few : NULL,
                                               .features = F,
                                               .weight = what & 2 ? many : NULL};
                double count[2] = {0, 0};
                for (size_t i = 0; i < n; i++) {
                    if (part[i] == p)
                        continue;
                    memcpy(other + others.n * F, x + i * F, sizeof *x * F);
                    good[others.n] = right[i];
                    few[others.n] = ceiling[i];
                    many[others.n++] = times[i];
                    count[right[i]] += what & 2 ? times[i] : 1;
                }
                struct logistic fitted;
                assert_true(logistic_fit(&others, weak_prior(count[1], count[0]), &fitted, &err));
                for (size_t i = 0; i < n; i++)
                    if (part[i] == p)
                        assert_near(held[i], (what & 1 ? ceiling[i] : 1) * logistic_apply(&fitted, x + i * F),
                                    n < 1000 ? 5e-3 : 5e-4);
                logistic_release(&fitted);
            }
            logistic_release(&all);
        }
    free(x), free(other), free(ceiling), free(times), free(held), free(few), free(many);
    free(right), free(good), free(group), free(part);
}
