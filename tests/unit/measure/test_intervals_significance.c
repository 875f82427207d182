/* Tests significance: closed forms, published tables, and the cases without variance. */
#include "measure/intervals.h"

#include "test.h"

static void assert_near(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%.17g is not within %g of %.17g", value, tolerance, expected);
}

TEST(mean_and_deviation_of_a_known_sample)
{
    const double x[] = {2, 4, 4, 4, 5, 5, 7, 9};
    assert_near(sample_mean(x, 8), 5, 1e-15);
    assert_near(sample_deviation(x, 8), sqrt(32.0 / 7), 1e-15);
    assert_true(sample_mean(x, 1) == 2);
    assert_true(isnan(sample_mean(x, 0)));
    assert_true(isnan(sample_deviation(x, 1)));
}

TEST(equal_values_deviate_by_exactly_nothing)
{
    const double x[] = {0.1, 0.1, 0.1};
    assert_true(sample_mean(x, 3) == 0.1);
    assert_true(sample_deviation(x, 3) == 0);
}

TEST(probabilities_are_those_of_the_tables)
{
    static const struct {
        double t;
        size_t freedom;
        double p;
    } table[] = {
        {12.706, 1, 0.05},  {4.303, 2, 0.05},        {2.776, 4, 0.05},       {2.262, 9, 0.05},  {1.833, 9, 0.10},
        {3.250, 9, 0.01},   {4.781, 9, 0.001},       {2.042, 30, 0.05},      {2.750, 30, 0.01}, {1.980, 120, 0.05},
        {2.617, 120, 0.01}, {1.9600, 1000000, 0.05}, {0.6745, 1000000, 0.5}, {0.703, 9, 0.5},   {0.129, 9, 0.9},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        assert_near(student_two_sided(table[i].t, table[i].freedom), table[i].p, 2e-3 * table[i].p);
}

/* One degree: 1 - 2 atan(t)/pi. Two: 1 - t/sqrt(2 + t^2). Four: with s = t/sqrt(4 + t^2), 1 - s (3 - s^2)/2. */
TEST(probabilities_are_those_of_the_closed_forms)
{
    const double pi = acos(-1);
    assert_near(student_two_sided(1, 1), 0.5, 1e-14);
    for (double t = 0.001; t < 1000; t *= 1.7) {
        double s = t / sqrt(4 + t * t);
        assert_near(student_two_sided(t, 1), 2 * atan(1 / t) / pi, 1e-13);
        assert_near(student_two_sided(t, 2), 1 - t / sqrt(2 + t * t), 1e-13);
        assert_near(student_two_sided(t, 4), 1 - s * (3 - s * s) / 2, 1e-13);
        assert_true(student_two_sided(-t, 4) == student_two_sided(t, 4));
    }
}

TEST(probabilities_go_from_one_at_zero_to_zero_far_out)
{
    assert_true(student_two_sided(0, 9) == 1);
    assert_true(student_two_sided(1e-200, 9) == 1);
    assert_true(student_two_sided(INFINITY, 9) == 0);
    assert_true(student_two_sided(1e200, 9) == 0);
    /* The tail keeps its digits: with one degree of freedom it is 2/(pi t). */
    assert_near(student_two_sided(1e12, 1) * 1e12, 2 / acos(-1), 1e-12);
}

/* Differences 1, 2, 3, 4: mean 2.5, deviation sqrt(5/3), t = 2.5 * 2 / 1.29099 = sqrt(15). */
TEST(a_test_worked_by_hand)
{
    const double a[] = {91, 93, 90, 97}, b[] = {90, 91, 87, 93};
    struct t_test test;
    assert_true(paired_t_test(a, b, 4, &test));
    assert_near(test.difference, 2.5, 1e-15);
    assert_near(test.t, sqrt(15), 1e-14);
    assert_int_equal(test.freedom, 3);
    /* Three degrees, x = t/sqrt(3): 1 - 2/pi (atan x + x/(1 + x^2)). */
    double x = sqrt(5);
    assert_near(test.p, 1 - 2 / acos(-1) * (atan(x) + x / 6), 1e-14);

    struct t_test other;
    assert_true(paired_t_test(b, a, 4, &other));
    assert_true(other.t == -test.t);
    assert_true(other.p == test.p);
}

TEST(equal_differences_are_certain_one_way_or_the_other)
{
    const double a[] = {1, 2, 4}, b[] = {0.5, 1.5, 3.5};
    struct t_test test;
    assert_true(paired_t_test(a, a, 3, &test));
    assert_true(test.t == 0 && test.p == 1);
    assert_true(paired_t_test(a, b, 3, &test));
    assert_true(test.t == INFINITY && test.p == 0);
    assert_true(paired_t_test(b, a, 3, &test));
    assert_true(test.t == -INFINITY && test.p == 0);
}

TEST(differences_that_cancel_are_no_difference)
{
    const double a[] = {1, 0, 1, 0}, b[] = {0, 1, 0, 1};
    struct t_test test;
    assert_true(paired_t_test(a, b, 4, &test));
    assert_true(test.t == 0 && test.p == 1);
}

TEST(there_is_no_test_of_one_fold_or_of_no_number)
{
    const double a[] = {1, NAN}, b[] = {0, 0}, c[] = {1, INFINITY};
    struct t_test test;
    assert_false(paired_t_test(a, b, 0, &test));
    assert_true(isnan(test.p));
    assert_false(paired_t_test(a, b, 1, &test));
    assert_true(isnan(test.p));
    assert_false(paired_t_test(a, b, 2, &test));
    assert_true(isnan(test.p));
    assert_false(paired_t_test(c, b, 2, &test));
    assert_true(isnan(test.p));
}

TEST(critical_values_are_those_of_the_tables)
{
    assert_near(student_critical(0.05, 1), 12.7062, 1e-4);
    assert_near(student_critical(0.05, 4), 2.77645, 1e-5);
    assert_near(student_critical(0.01, 9), 3.24984, 1e-5);
    assert_near(student_critical(0.05, 1000000), 1.95997, 1e-5);
    for (double p = 0.9; p > 1e-6; p /= 3)
        assert_near(student_two_sided(student_critical(p, 3), 3), p, 1e-12);
}

TEST(an_interval_worked_by_hand)
{
    const double x[] = {1, 2, 3, 4, 5};
    assert_near(sample_interval(x, 5), 2.7764451 * sqrt(2.5 / 5), 1e-6);
    assert_true(isnan(sample_interval(x, 1)));
}
