/* Tests random numbers: a pure function of (seed, stream, place), uniform, and the same everywhere. */
#include "base/random.h"

#include "test.h"

/* The first block of Philox 4x32-10 for counter and key zero, as published with the generator. */
TEST(the_generator_is_philox)
{
    struct rng rng = rng_new(0, 0);
    assert_int_equal(rng_next(&rng), 0x6627e8d5);
    assert_int_equal(rng_next(&rng), 0xe169c58d);
    assert_int_equal(rng_next(&rng), 0xbc57ac4c);
    assert_int_equal(rng_next(&rng), 0x9b00dbd8);
}

TEST(the_same_seed_and_stream_give_the_same_numbers)
{
    struct rng a = rng_new(42, 7), other = rng_new(1, 1), b = rng_new(42, 7);
    for (int i = 0; i < 1000; i++) {
        for (int j = 0; j < i % 3; j++)
            rng_next(&other);
        assert_int_equal(rng_next(&a), rng_next(&b));
    }
}

TEST(the_ith_number_does_not_need_those_before_it)
{
    struct rng walk = rng_new(UINT64_C(0x123456789abcdef0), 99);
    for (uint64_t i = 0; i < 100; i++) {
        struct rng jump = rng_new(UINT64_C(0x123456789abcdef0), 99);
        jump.drawn = i;
        assert_int_equal(walk.drawn, i);
        assert_int_equal(rng_next(&walk), rng_next(&jump));
    }
}

/* Two sequences of 256 numbers agree nowhere by chance, but for one place in 16 million. */
static uint32_t agreements(struct rng a, struct rng b)
{
    uint32_t count = 0;
    for (int i = 0; i < 256; i++)
        count += rng_next(&a) == rng_next(&b);
    return count;
}

TEST(every_bit_of_seed_stream_and_place_matters)
{
    for (unsigned bit = 0; bit < 64; bit++) {
        uint64_t one = UINT64_C(1) << bit;
        assert_int_equal(agreements(rng_new(0, 0), rng_new(one, 0)), 0);
        assert_int_equal(agreements(rng_new(0, 0), rng_new(0, one)), 0);
        assert_int_equal(agreements(rng_new(one, 0), rng_new(0, one)), 0);
        struct rng far = rng_new(0, 0);
        far.drawn = one;
        assert_int_equal(agreements(rng_new(0, 0), far), 0);
    }
}

TEST(uniform_numbers_lie_in_the_unit_interval)
{
    enum { DRAWS = 100000 };
    struct rng rng = rng_new(3, 0), raw = rng_new(3, 0);
    double sum = 0, squares = 0;
    for (int i = 0; i < DRAWS; i++) {
        double u = rng_uniform(&rng);
        assert_true(u >= 0 && u < 1);
        assert_true(u == rng_next(&raw) / 4294967296.0);
        sum += u;
        squares += u * u;
    }
    double mean = sum / DRAWS;
    assert_true(mean > 0.495 && mean < 0.505);
    double variance = squares / DRAWS - mean * mean;
    assert_true(variance > 0.0823 && variance < 0.0843);
}

TEST(a_bound_of_one_leaves_no_choice)
{
    struct rng rng = rng_new(1, 2);
    for (int i = 0; i < 100; i++)
        assert_int_equal(rng_below(&rng, 1), 0);
}

TEST(numbers_below_a_bound_come_equally_often)
{
    enum { EACH = 10000 };
    for (uint32_t bound = 2; bound <= 10; bound++) {
        uint32_t seen[10] = {0};
        struct rng rng = rng_new(bound, 5);
        for (uint32_t i = 0; i < EACH * bound; i++) {
            uint32_t n = rng_below(&rng, bound);
            assert_true(n < bound);
            seen[n]++;
        }
        for (uint32_t n = 0; n < bound; n++)
            assert_in_range(seen[n], EACH - 500, EACH + 500);
    }
}

/*
 * With bound 3 * 2^30, taking the remainder would give the lowest third half of
 * the draws, and taking the high half of a product would give the multiples of
 * three half of them.
 */
TEST(large_bounds_have_no_bias)
{
    enum { DRAWS = 30000 };
    const uint32_t bound = UINT32_C(3) << 30;
    uint32_t lowest = 0, multiples = 0;
    struct rng rng = rng_new(11, 0);
    for (int i = 0; i < DRAWS; i++) {
        uint32_t n = rng_below(&rng, bound);
        assert_true(n < bound);
        lowest += n < bound / 3;
        multiples += n % 3 == 0;
    }
    assert_in_range(lowest, DRAWS / 3 - 500, DRAWS / 3 + 500);
    assert_in_range(multiples, DRAWS / 3 - 500, DRAWS / 3 + 500);
}

TEST(the_largest_bounds_work)
{
    struct rng rng = rng_new(12, 0);
    uint32_t high = 0;
    for (int i = 0; i < 10000; i++) {
        uint32_t n = rng_below(&rng, UINT32_MAX);
        assert_true(n < UINT32_MAX);
        high += n >= UINT32_C(1) << 31;
        assert_true(rng_below(&rng, (UINT32_C(1) << 31) + 1) <= UINT32_C(1) << 31);
    }
    assert_in_range(high, 4700, 5300);
}

TEST(shuffling_keeps_every_element)
{
    enum { COUNT = 1000 };
    uint32_t order[COUNT], again[COUNT];
    bool seen[COUNT] = {false};
    for (uint32_t i = 0; i < COUNT; i++)
        order[i] = again[i] = i;
    struct rng a = rng_new(8, 1), b = rng_new(8, 1);
    rng_shuffle(&a, order, COUNT);
    rng_shuffle(&b, again, COUNT);
    assert_memory_equal(order, again, sizeof order);
    uint32_t fixed = 0;
    for (uint32_t i = 0; i < COUNT; i++) {
        assert_true(order[i] < COUNT);
        assert_false(seen[order[i]]);
        seen[order[i]] = true;
        fixed += order[i] == i;
    }
    assert_true(fixed < 10);
}

TEST(shuffling_little_or_nothing_changes_nothing)
{
    struct rng rng = rng_new(8, 1);
    uint32_t guarded[3] = {5, 6, 7};
    rng_shuffle(&rng, guarded + 1, 1);
    rng_shuffle(&rng, guarded + 1, 0);
    rng_shuffle(&rng, NULL, 0);
    assert_int_equal(guarded[0], 5);
    assert_int_equal(guarded[1], 6);
    assert_int_equal(guarded[2], 7);
}

TEST(every_order_is_equally_likely)
{
    enum { EACH = 10000 };
    uint32_t seen[27] = {0};
    struct rng rng = rng_new(21, 0);
    for (int i = 0; i < 6 * EACH; i++) {
        uint32_t order[3] = {0, 1, 2};
        rng_shuffle(&rng, order, 3);
        seen[order[0] * 9 + order[1] * 3 + order[2]]++;
    }
    static const uint32_t orders[] = {5, 7, 11, 15, 19, 21};
    for (int i = 0; i < 6; i++)
        assert_in_range(seen[orders[i]], EACH - 500, EACH + 500);
}
