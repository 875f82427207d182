/* Tests keeping the best of what is tried. */
#include "base/order.h"

#include "test.h"

TEST(the_first_of_the_greatest_wins)
{
    const double score[] = {NAN, -3, 2, NAN, 2, 1};
    const bool wins[] = {false, true, true, false, false, false};
    struct best best = {0};
    for (size_t i = 0; i < sizeof score / sizeof *score; i++)
        assert_int_equal(best_offer(&best, i, score[i]), wins[i]);
    assert_true(best.any);
    assert_int_equal(best.row, 2);
    assert_true(best.score == 2);
}

TEST(what_was_set_holds_if_nothing_was_measured)
{
    struct best best = {.row = 7};
    assert_false(best_offer(&best, 1, NAN));
    assert_false(best.any);
    assert_int_equal(best.row, 7);
    assert_true(best_offer(&best, 1, -INFINITY)); /* a score, however bad */
    assert_int_equal(best.row, 1);
}
