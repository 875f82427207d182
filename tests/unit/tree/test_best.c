/* Tests keeping the best of what is tried. */
#include "base/best.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void the_first_of_the_greatest_wins(void **state)
{
    (void)state;
    const double score[] = {NAN, -3, 2, NAN, 2, 1};
    const bool wins[] = {false, true, true, false, false, false};
    struct best best = {0};
    for (size_t i = 0; i < sizeof score / sizeof *score; i++)
        assert_int_equal(best_offer(&best, i, score[i]), wins[i]);
    assert_true(best.any);
    assert_int_equal(best.row, 2);
    assert_true(best.score == 2);
}

static void what_was_set_holds_if_nothing_was_measured(void **state)
{
    (void)state;
    struct best best = {.row = 7};
    assert_false(best_offer(&best, 1, NAN));
    assert_false(best.any);
    assert_int_equal(best.row, 7);
    assert_true(best_offer(&best, 1, -INFINITY)); /* a score, however bad */
    assert_int_equal(best.row, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_of_the_greatest_wins),
        cmocka_unit_test(what_was_set_holds_if_nothing_was_measured),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
