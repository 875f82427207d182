/* Tests figures on blind sentences against planted truth: intervals, too few to tell, and the power law. */
#include "base/elementary.h"
#include "base/random.h"
#include "desk/outlook.h"

#include "test.h"

enum { MOST = 400 };

/* Sentences with 0 to 5 things, whose chance to be right is that of the sentence: near `share` in the mean. */
static void draw(struct rng *rng, double share, size_t sentences, struct blind_counts *count)
{
    for (size_t i = 0; i < sentences; i++) {
        double own = share + (rng_uniform(rng) - 0.5) * 0.3;
        count[i] = (struct blind_counts){0, rng_below(rng, 6)};
        for (double k = 0; k < count[i].of; k++)
            count[i].right += rng_uniform(rng) < own;
    }
}

TEST(intervals_hold_the_truth_nine_times_in_ten)
{
    struct blind_counts count[MOST];
    const size_t sizes[] = {25, 50, 200};
    for (size_t s = 0; s < 3; s++) {
        unsigned held = 0;
        struct rng rng = rng_new(7, s);
        for (int run = 0; run < 1000; run++) {
            draw(&rng, 0.8, sizes[s], count);
            struct figure f = blind_share(count, sizes[s]);
            assert_true(f.low <= f.value && f.value <= f.high);
            held += f.low <= 0.8 && 0.8 <= f.high;
        }
        assert_in_range(held, 860, 940);
    }
}

TEST(too_few_sentences_tell_nothing_but_how_many_are_missing)
{
    struct blind_counts count[40] = {0};
    assert_true(isnan(blind_share(count, 0).value));
    assert_int_equal(blind_missing(count, 0), LEAST_THINGS);
    for (size_t i = 0; i < 40; i++)
        count[i] = (struct blind_counts){1, 2};
    assert_int_equal(blind_missing(count, 12), LEAST_BLIND - 12);
    assert_int_equal(blind_missing(count, 20), 0);
    assert_true(isnan(blind_share(count, 19).value));
    assert_true(fabs(blind_share(count, 20).value - 0.5) < 1e-12);
    for (size_t i = 0; i < 40; i++)
        count[i] = (struct blind_counts){0, i % 10 == 0}; /* one thing in ten sentences */
    assert_int_equal(blind_missing(count, 40), 160);
}

/* The same sentences, hard or easy for all models, right where a number of their own is below the model's share. */
static void draw_models(struct rng *rng, const double *share, size_t models, size_t sentences,
                        struct blind_counts count[][MOST])
{
    for (size_t i = 0; i < sentences; i++) {
        double of = 1 + rng_below(rng, 4);
        for (size_t m = 0; m < models; m++)
            count[m][i] = (struct blind_counts){0, of};
        for (double k = 0; k < of; k++) {
            double hard = rng_uniform(rng);
            for (size_t m = 0; m < models; m++)
                count[m][i].right += hard < share[m];
        }
    }
}

static double error_at(double n)
{
    return exp_of(log_of(2.0) - 0.4 * log_of(n)); /* 2 n^-0.4 */
}

/* As if every decision taught one word, as long as there are any. */
static const double by_ones[] = {0, 1};
static const struct upcoming ones = {.words = by_ones, .count = 1, .mean = 1};

TEST(the_next_decisions_teach_the_words_of_the_next_sentences_but_for_the_blind_ones)
{
    const double words[] = {0, 2, 5, 9};
    const struct upcoming next = {.words = words, .count = 3, .mean = 10, .blind = 0.5, .blinds = 3};
    assert_true(upcoming_words(&next, 0) == 0);
    assert_true(upcoming_sentences(&next, 2) == 1 && upcoming_words(&next, 2) == 2);
    assert_true(upcoming_words(&next, 3) == 3.5); /* half of the second sentence */
    assert_true(upcoming_words(&next, 6) == 9);
    assert_true(upcoming_sentences(&next, 8) == 5 && upcoming_words(&next, 8) == 29); /* no blind ones are left */
    const struct upcoming none = {.words = words, .mean = 10};
    assert_true(upcoming_words(&none, 2) == 20);
}

TEST(longer_sentences_ahead_bring_more)
{
    struct blind_counts whole[100], half[100];
    for (size_t i = 0; i < 100; i++) {
        whole[i] = (struct blind_counts){i % 5 != 0, 1};
        half[i] = (struct blind_counts){i % 5 > 1, 1};
    }
    const struct upcoming longer = {.words = by_ones, .mean = 3};
    struct outlook o = {.all = whole, .half = {half, half}, .sentences = 100, .labelled = 100, .labelled_half = 50};
    o.more = 100;
    o.next = &ones; /* .2 is wrong after 100 words, .4 after 50: .1 after 200, and .05 after 400 */
    assert_true(fabs(outlook_gain(&o).value - 0.1) < 1e-9);
    o.next = &longer;
    assert_true(fabs(outlook_gain(&o).value - 0.15) < 1e-9);
}

TEST(the_forecast_finds_a_planted_power_law)
{
    static struct blind_counts count[3][MOST];
    const double share[3] = {1 - error_at(200), 1 - error_at(100), 1 - error_at(100)};
    double truth = error_at(200) - error_at(300), sum = 0;
    unsigned held = 0;
    for (unsigned run = 0; run < 400; run++) {
        struct rng rng = rng_new(11, run);
        draw_models(&rng, share, 3, MOST, count);
        struct figure gain = outlook_gain(&(struct outlook){.all = count[0],
                                                            .half = {count[1], count[2]},
                                                            .sentences = MOST,
                                                            .labelled = 200,
                                                            .labelled_half = 100,
                                                            .next = &ones,
                                                            .more = 100});
        sum += gain.value / 400;
        held += gain.low <= truth && truth <= gain.high;
    }
    assert_true(fabs(sum - truth) < 0.002);
    assert_in_range(held, 344, 400);
}

TEST(no_forecast_without_errors_or_with_nothing_learned)
{
    struct blind_counts right[40], half[40];
    for (size_t i = 0; i < 40; i++) {
        right[i] = (struct blind_counts){2, 2};
        half[i] = (struct blind_counts){1, 2};
    }
    struct outlook o = {.all = right, .half = {half, half}, .sentences = 40, .labelled = 80, .labelled_half = 40};
    o.next = &ones;
    o.more = 100;
    assert_true(isnan(outlook_gain(&o).value));
    o.all = half;
    assert_true(fabs(outlook_gain(&o).value) < 1e-12); /* twice as many brought nothing */
    o.labelled = 40;
    assert_true(isnan(outlook_gain(&o).value));
}

TEST(more_is_worth_it_until_the_law_is_flat)
{
    /* A share of .2 is wrong after 100 words, .4 after 50: the error halves with every doubling. */
    struct blind_counts whole[100], half[100];
    for (size_t i = 0; i < 100; i++) {
        whole[i] = (struct blind_counts){i % 5 != 0, 1};
        half[i] = (struct blind_counts){i % 5 > 1, 1};
    }
    struct outlook o = {.all = whole, .half = {half, half}, .sentences = 100, .labelled = 100, .labelled_half = 50};
    o.next = &ones;
    struct figure f = outlook_worth(&o, 1000);
    /* 20 / n - 20 / (n + 100) is below .005 from n = 585 on. */
    assert_in_range(f.value, 480, 490);
    assert_true(f.low < f.value && f.high > f.value);
    f = outlook_worth(&o, 200);
    assert_true(f.value == 200 && f.high == 200); /* beyond */
    o.half[0] = o.half[1] = whole;
    assert_true(outlook_worth(&o, 200).value == 0);
    assert_true(isnan(outlook_worth(&(struct outlook){.all = whole, .half = {half, half}, .sentences = 9}, 9).value));
}
