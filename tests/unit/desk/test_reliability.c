/* Tests whether probabilities are told apart that can be believed from those that cannot, against planted truth. */
#include "base/random.h"
#include "desk/reliability.h"

#include "test.h"

#include <math.h>

enum { MOST = 900 };

/* Three things a sentence, of types 0 and 1; right as often as `truth` of what is shown says. */
static void draw(struct rng *rng, size_t count, double power, struct rated *to)
{
    for (size_t i = 0; i < count; i++) {
        double shown = 0.4 + 0.6 * rng_uniform(rng);
        to[i] = (struct rated){(uint32_t)i / 3, i % 2, shown, rng_uniform(rng) < pow(shown, power)};
    }
}

TEST(honest_probabilities_are_within_their_intervals_nine_times_in_ten)
{
    static struct rated rated[MOST];
    struct rated_summary found;
    struct rng rng = rng_new(3, 1);
    unsigned held = 0, bins = 0;
    for (int run = 0; run < 300; run++) {
        draw(&rng, MOST, 1, rated);
        assert_true(rated_summarise(rated, MOST, 1, &found, NULL));
        assert_int_equal(found.things, MOST / 2);
        assert_int_equal(found.bins, MOST_BINS);
        for (size_t b = 0; b < found.bins; b++, bins++) {
            assert_true(b == 0 || found.bin[b].shown > found.bin[b - 1].shown);
            held += found.bin[b].right.low <= found.bin[b].shown && found.bin[b].shown <= found.bin[b].right.high;
        }
    }
    assert_in_range(100 * held / bins, 86, 94);
}

TEST(probabilities_that_are_too_sure_are_above_the_interval)
{
    static struct rated rated[MOST];
    struct rated_summary found;
    struct rng rng = rng_new(3, 2);
    draw(&rng, MOST, 2.5, rated);
    assert_true(rated_summarise(rated, MOST, RATED_ALL, &found, NULL));
    assert_int_equal(found.all.things, MOST);
    assert_true(found.all.shown > found.all.right.high + 0.05);
}

TEST(few_things_have_no_figures_and_equal_ones_one_bin)
{
    struct rated rated[60];
    struct rated_summary found;
    for (uint32_t i = 0; i < 60; i++)
        rated[i] = (struct rated){i, i < 29, 0.9, i % 10 != 0};
    assert_true(rated_summarise(rated, 60, 1, &found, NULL));
    assert_int_equal(found.missing, 1);
    assert_int_equal(found.bins, 0);
    assert_true(rated_summarise(rated, 60, RATED_ALL, &found, NULL));
    assert_int_equal(found.bins, 1);
    assert_int_equal(found.bin[0].things, 60);
    assert_true(fabs(found.bin[0].right.value - 0.9) < 1e-12);
    assert_true(rated_summarise(rated, 0, 0, &found, NULL));
    assert_int_equal(found.missing, LEAST_RATED);
}
