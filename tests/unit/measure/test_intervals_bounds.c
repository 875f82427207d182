/* Tests the bounds on a share of draws: against the figures of the paper, and against binomial tails summed up. */
#include "measure/intervals.h"

#include "test.h"

static const double gammas[] = {0, 0.001, 0.02, 0.05, 0.1, 0.25, 0.4, 0.5, 0.65, 0.8, 0.95, 0.99, 1};
static const double numbers[] = {1, 2, 3, 7, 20, 50, 128, 500};
enum { GAMMAS = sizeof gammas / sizeof *gammas, NUMBERS = sizeof numbers / sizeof *numbers };

/* Returns the probability that k of K draws agree. */
static double binomial(double K, double k, double gamma)
{
    if (gamma <= 0 || gamma >= 1)
        return k == (gamma <= 0 ? 0 : K) ? 1 : 0;
    return exp(lgamma(K + 1) - lgamma(k + 1) - lgamma(K - k + 1) + k * log(gamma) + (K - k) * log(1 - gamma));
}

/* Returns the probability of a share at least `error` away. */
static double tail(double K, double gamma, double error)
{
    double sum = 0;
    for (double k = 0; k <= K; k++)
        if (fabs(k / K - gamma) >= error)
            sum += binomial(K, k, gamma);
    return sum;
}

TEST(the_figures_of_the_paper)
{
    assert_true(hoeffding_draws(bound_of(500000, 0.05), 0.05) == 3363);
    assert_true(hoeffding_draws(bound_of(25000, 0.05), 0.05) == 2764);
    /* One word; the paper reads 0.65 and 0.9 off a figure. */
    assert_true(fabs(confused_from(bound_of(1, 0.05), 50, 0.95) - 0.646) < 0.001);
    assert_true(fabs(confused_from(bound_of(1, 0.05), 500, 0.95) - 0.879) < 0.001);
}

TEST(errors_are_as_rare_as_promised)
{
    const double words[] = {1, 10, 1000}, deltas[] = {0.9, 0.3, 0.05, 0.001};
    unsigned seen = 0;
    for (int i = 0; i < NUMBERS; i++)
        for (int g = 0; g < GAMMAS; g++)
            for (int w = 0; w < 3; w++)
                for (int d = 0; d < 4; d++) {
                    double K = numbers[i], gamma = gammas[g], L = bound_of(words[w], deltas[d]);
                    double allowed = deltas[d] / words[w] * (1 + 1e-9);
                    double hoeffding = hoeffding_error(L, K), bernstein = bernstein_error(L, K, gamma);
                    assert_true(tail(K, gamma, hoeffding) <= allowed);
                    assert_true(tail(K, gamma, bernstein) <= allowed);
                    seen += bernstein < hoeffding && tail(K, gamma, bernstein) > 0;
                }
    assert_true(seen > 100); /* the promise was not kept by tails of nothing alone */
}

/* The error at which the inequality says delta/N exactly. */
TEST(errors_solve_the_inequalities)
{
    double L = bound_of(300, 0.02);
    for (int i = 0; i < NUMBERS; i++)
        for (int g = 0; g < GAMMAS; g++) {
            double K = numbers[i], v = gammas[g] * (1 - gammas[g]);
            double h = hoeffding_error(L, K), b = bernstein_error(L, K, gammas[g]);
            assert_true(fabs(2 * exp(-2 * K * h * h) / (0.02 / 300) - 1) < 1e-9);
            assert_true(fabs(2 * exp(-K * b * b / (2 * (v + b / 3))) / (0.02 / 300) - 1) < 1e-9);
        }
}

TEST(as_many_draws_as_needed_and_no_more)
{
    const double epsilons[] = {0.3, 0.1, 0.05, 0.01};
    double L = bound_of(1000, 0.05);
    for (int e = 0; e < 4; e++) {
        double epsilon = epsilons[e], K = hoeffding_draws(L, epsilon);
        assert_true(hoeffding_error(L, K) <= epsilon && hoeffding_error(L, K - 1) > epsilon);
        for (int g = 0; g < GAMMAS; g++) {
            K = bernstein_draws(L, epsilon, gammas[g]);
            assert_true(bernstein_error(L, K, gammas[g]) <= epsilon);
            assert_true(bernstein_error(L, K - 1, gammas[g]) > epsilon);
        }
    }
}

TEST(more_draws_help_and_more_words_do_not)
{
    double L = bound_of(100, 0.05);
    assert_true(bound_of(101, 0.05) > L && bound_of(100, 0.04) > L);
    for (int g = 0; g < GAMMAS; g++)
        for (int i = 0; i + 1 < NUMBERS; i++) {
            double K = numbers[i], gamma = gammas[g];
            assert_true(hoeffding_error(L, numbers[i + 1]) < hoeffding_error(L, K));
            assert_true(bernstein_error(L, numbers[i + 1], gamma) < bernstein_error(L, K, gamma));
            assert_true(hoeffding_error(L * 1.01, K) > hoeffding_error(L, K));
            assert_true(bernstein_error(L * 1.01, K, gamma) > bernstein_error(L, K, gamma));
            assert_true(confused_from(L, numbers[i + 1], gamma) >= confused_from(L, K, gamma));
        }
    assert_true(bernstein_draws(L, 0.05, 0.99) < bernstein_draws(L, 0.05, 0.9));
    assert_true(bernstein_draws(L, 0.05, 0.9) < hoeffding_draws(L, 0.05));
}

TEST(intervals_are_the_narrower_and_end_at_0_and_1)
{
    double L = bound_of(1, 0.05);
    for (int i = 0; i < NUMBERS; i++)
        for (int g = 0; g < GAMMAS; g++) {
            struct interval found = draws_interval(L, numbers[i], gammas[g]);
            double error = fmin(hoeffding_error(L, numbers[i]), bernstein_error(L, numbers[i], gammas[g]));
            assert_true(found.low == fmax(0, gammas[g] - error) && found.high == fmin(1, gammas[g] + error));
        }
    struct interval wide = interval_around(0.5, 2);
    assert_true(wide.low == 0 && wide.high == 1);
}

/* Against a fine grid: the first probability whose interval reaches the least share of gamma's. */
TEST(what_can_be_confused_is_found)
{
    enum { STEPS = 100000 };
    for (int w = 0; w < 2; w++)
        for (int i = 0; i < NUMBERS; i++)
            for (int g = 0; g < GAMMAS; g++) {
                double L = bound_of(w ? 25000 : 1, 0.05), K = numbers[i];
                double least = draws_interval(L, K, gammas[g]).low;
                int step = 0;
                while (draws_interval(L, K, (double)step / STEPS).high < least)
                    step++;
                double found = confused_from(L, K, gammas[g]);
                assert_true(found <= gammas[g] && fabs(found - (double)step / STEPS) <= 1.001 / STEPS);
            }
}
