/* Tests learning curves: when a score is reached, and the mean over a stretch, worked by hand. */
#include "simulation/simulation.h"

#include "test.h"

static const struct curve_step curve[] = {{100, 50}, {200, 60}, {400, 60}, {500, 80}, {600, 75}, {700, 85}};
enum { STEPS = sizeof curve / sizeof *curve };

static void assert_near(double value, double expected)
{
    if (!(fabs(value - expected) <= 1e-12 * fabs(expected)))
        fail_msg("%.17g is not %.17g", value, expected);
}

TEST(a_score_is_reached_on_the_line_between_two_steps)
{
    assert_near(curve_reach(curve, STEPS, 55), 150);
    assert_near(curve_reach(curve, STEPS, 70), 450);
    assert_near(curve_reach(curve, STEPS, 81), 660);
}

TEST(a_step_that_has_the_score_is_where_it_is_reached)
{
    assert_near(curve_reach(curve, STEPS, 60), 200); /* not 400, which has it too */
    assert_near(curve_reach(curve, STEPS, 85), 700);
}

TEST(the_first_time_counts)
{
    assert_near(curve_reach(curve, STEPS, 78), 490); /* though it is lost again */
}

TEST(a_curve_that_begins_above_needs_its_first_words)
{
    assert_near(curve_reach(curve, STEPS, 50), 100);
    assert_near(curve_reach(curve, STEPS, -1), 100);
}

TEST(what_was_never_reached_has_no_words)
{
    assert_true(isnan(curve_reach(curve, STEPS, 85.001)));
    assert_true(isnan(curve_reach(curve, 0, 1)));
}

TEST(the_mean_is_the_area_over_its_width)
{
    assert_near(curve_mean(curve, STEPS, 100, 200), 55);
    assert_near(curve_mean(curve, STEPS, 200, 400), 60);
    assert_near(curve_mean(curve, STEPS, 100, 400), (5500 + 12000) / 300.0);
    assert_near(curve_mean(curve, STEPS, 150, 450), (50 * 57.5 + 200 * 60 + 50 * 65) / 300);
    assert_near(curve_mean(curve, STEPS, 620, 640), 78);
}

TEST(steps_without_words_between_them_add_nothing)
{
    const struct curve_step steep[] = {{10, 1}, {20, 2}, {20, 6}, {30, 8}};
    assert_near(curve_mean(steep, 4, 10, 30), (15 + 70) / 20.0);
}

TEST(there_is_no_mean_where_there_is_no_curve)
{
    assert_true(isnan(curve_mean(curve, STEPS, 99, 200)));
    assert_true(isnan(curve_mean(curve, STEPS, 100, 701)));
    assert_true(isnan(curve_mean(curve, STEPS, 200, 200)));
    assert_true(isnan(curve_mean(curve, 1, 100, 100)));
    assert_true(isnan(curve_mean(curve, 0, 0, 0)));
}
