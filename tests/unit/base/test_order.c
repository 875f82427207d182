/* Tests sorting by keys against qsort(): any numbers, in any amount, equal ones in order; and keeping the best of what
 * is tried. */
#include "base/order.h"
#include "base/random.h"

#include "must.h"
#include "test.h"

enum { MOST = 3000 };

static int by_key_then_value(const void *left, const void *right)
{
    const struct keyed *a = left, *b = right;
    return a->key != b->key ? (a->key > b->key) - (a->key < b->key) : (a->value > b->value) - (a->value < b->value);
}

TEST(items_are_sorted_and_equal_ones_stay_in_order)
{
    static struct keyed item[MOST], expected[MOST];
    static uint64_t key[MOST];
    struct rng rng = rng_new(1, 1);
    for (uint32_t n = 0; n <= MOST; n = n < 5 ? n + 1 : 3 * n / 2)
        for (uint32_t bits = 1; bits <= 64; bits += 7) {
            for (uint32_t i = 0; i < n; i++) {
                key[i] = ((uint64_t)rng_next(&rng) << 32 | rng_next(&rng)) >> (64 - bits);
                item[i] = expected[i] = (struct keyed){key[i], i};
            }
            qsort(expected, n, sizeof *expected, by_key_then_value);
            MUST(sort_keyed(item, n, &err));
            MUST(sort_keys(key, n, &err));
            for (uint32_t i = 0; i < n; i++) {
                assert_true(item[i].key == expected[i].key && item[i].value == expected[i].value);
                assert_true(key[i] == expected[i].key);
            }
        }
}

TEST(keys_have_the_order_of_numbers)
{
    const double number[] = {-INFINITY, -1e300, -2,  -1, -1e-300, -5e-324, 0,
                             5e-324,    1e-300, 0.5, 1,  2,       1e300,   INFINITY};
    enum { COUNT = sizeof number / sizeof *number };
    for (uint32_t i = 0; i < COUNT; i++) {
        assert_true(order_number(order_key(number[i])) == number[i]);
        if (i > 0)
            assert_true(order_key(number[i - 1]) < order_key(number[i]));
    }
    assert_true(order_key(-0.0) == order_key(0.0));
}

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
