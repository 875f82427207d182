/*
 * Tests what labelled sentences tell of a text, on texts made up with a known truth: intervals hold it about nine times
 * of ten, probabilities narrow them if they tell something and do little harm if not; and the limits: no errors,
 * nothing to count, forecasts that contradict each other.
 */
#include "forecast/labelled_forecast.h"

#include "test.h"

enum { TEXT = 2000, LABELLED = 50, REPEATS = 400 };

static uint64_t state;

/* A number from 0 to 1: xorshift, since quality does not matter here. */
static double uniform(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (double)(state >> 11) / 9007199254740992.0;
}

/*
 * A sentence of 5 to 24 words, which are right together more or less; the odds that probabilities state are three
 * times too high, or noise.
 */
static struct labelled_sentence some_sentence(bool informed)
{
    double words = 5 + floor(20 * uniform()), ease = uniform(), p = 0.98 - 0.35 * ease * ease, right = 0;
    for (int i = 0; i < words; i++)
        right += uniform() < p;
    double expected = informed ? 3 * p / (3 * p + 1 - p) : 0.6 + 0.4 * uniform();
    struct labelled_sentence s = {0};
    s.measured = (struct expected_counts){.sentences = 1, .words = words, .words_right = right};
    s.expected = (struct expected_counts){.sentences = 1, .words = words, .words_right = words * expected};
    return s;
}

struct outcome {
    double covered, width, alone;
};

/* How often intervals hold the truth of the text that is not labelled, and how wide they are. */
static struct outcome outcome_of(bool informed)
{
    struct outcome o = {0, 0, 0};
    state = 88172645463325252u;
    for (int r = 0; r < REPEATS; r++) {
        struct labelled_sentence labelled[LABELLED], all = {0};
        struct expected_counts silent = {.sentences = TEXT};
        for (int i = 0; i < TEXT; i++) {
            struct labelled_sentence s = some_sentence(informed);
            expected_counts_add(&all.expected, &s.expected);
            expected_counts_add(&all.measured, &s.measured);
        }
        for (int i = 0; i < LABELLED; i++)
            labelled[i] = some_sentence(informed);
        double truth = expected_share(&all.measured, SHARE_ACCURACY, NULL);
        struct labelled_forecast f = labelled_forecast(labelled, LABELLED, &all.expected, SHARE_ACCURACY);
        struct labelled_forecast b = labelled_forecast(labelled, LABELLED, &silent, SHARE_ACCURACY);
        assert_true(b.alone == f.alone);
        o.covered += (f.low <= truth && truth <= f.high) / (double)REPEATS;
        o.width += (f.high - f.low) / REPEATS;
        o.alone += (b.high - b.low) / REPEATS;
    }
    return o;
}

TEST(intervals_hold_the_truth)
{
    struct outcome o = outcome_of(true);
    assert_true(o.covered > 0.85 && o.covered < 0.96);
    assert_true(o.width < 0.85 * o.alone);
}

TEST(bad_probabilities_do_little_harm)
{
    struct outcome o = outcome_of(false);
    assert_true(o.covered > 0.85 && o.covered < 0.96);
    assert_true(o.width < 1.42 * o.alone); /* at most twice the variance */
}

TEST(no_errors_are_no_certainty)
{
    struct labelled_sentence s[LABELLED];
    struct expected_counts text = {.sentences = TEXT, .words = 20000, .words_right = 19000};
    for (int i = 0; i < LABELLED; i++) {
        s[i].measured = (struct expected_counts){.sentences = 1, .words = 10, .words_right = 10};
        s[i].expected = (struct expected_counts){.sentences = 1, .words = 10, .words_right = 9 + i % 2};
    }
    struct labelled_forecast f = labelled_forecast(s, LABELLED, &text, SHARE_ACCURACY);
    assert_true(f.value == 1 && f.high > 0.9999 && f.low < 0.96 && f.low > 0.9);
    assert_true(isnan(labelled_forecast(s, LABELLED, &text, SHARE_F1).value)); /* there are no chunks */
    assert_true(isnan(labelled_forecast(s, 1, &text, SHARE_ACCURACY).value));
}

TEST(joined_is_between_and_narrower)
{
    struct forecast without = {.expected = 0.9, .value = 0.8, .low = 0.7, .high = 0.87};
    struct labelled_forecast by = {.value = 0.75, .low = 0.68, .high = 0.81},
                             far = {.value = 0.3, .low = 0.25, .high = 0.35};
    struct labelled_forecast none = {NAN, NAN, NAN, NAN};
    struct forecast f = forecast_joined(&without, &by);
    assert_true(f.value > 0.745 && f.value < 0.8 && f.high - f.low < by.high - by.low);
    f = forecast_joined(&without, &far); /* they contradict each other: labels decide */
    assert_true(f.value == 0.3 && f.low == 0.25 && f.high == 0.35);
    f = forecast_joined(&without, &none);
    assert_true(f.value == 0.8 && f.low == 0.7 && f.high == 0.87);
}
