/*
 * Tests vouch_measure() and vouch_test_calibration(): figures follow from their definitions, and wrong arguments are
 * refused.
 */
#include "vouch.h"

#include "base/random.h"

#include "test.h"

TEST(test_figures_by_hand)
{
    /* Least confident first: wrong, right, wrong, right. Precision at the two wrong ones is 1 and 2/3. */
    double confidence[] = {0.9, 0.1, 0.5, 0.3};
    unsigned char right[] = {1, 0, 0, 7};
    struct vouch_measures m = {.size = sizeof m};
    assert_int_equal(vouch_measure(confidence, right, 4, &m, NULL), VOUCH_OK);
    assert_int_equal(m.answers, 4);
    assert_int_equal(m.wrong, 2);
    assert_true(fabs(m.average_precision - (1 + 2. / 3) / 2) < 1e-12);
    assert_true(fabs(m.roc_area - 0.75) < 1e-12);
    assert_true(fabs(m.risk_coverage - (0 + 1. / 2 + 1. / 3 + 2. / 4) / 4) < 1e-12);
    assert_true(fabs(m.calibration_error - (0.1 + 0.1 + 0.5 + 0.7) / 4) < 1e-12);
    assert_true(fabs(m.brier - (0.01 + 0.01 + 0.25 + 0.49) / 4) < 1e-12);
    assert_int_equal(m.bin[18].answers, 1);
    assert_int_equal(m.bin[18].right, 1);
    assert_true(isnan(m.bin[0].accuracy));
}

TEST(test_scores_that_are_no_probabilities)
{
    double confidence[] = {-INFINITY, 12, 3};
    unsigned char right[] = {0, 1, 1};
    struct vouch_measures m = {.size = sizeof m};
    assert_int_equal(vouch_measure(confidence, right, 3, &m, NULL), VOUCH_OK);
    assert_true(m.average_precision == 1 && m.roc_area == 1);
    assert_true(isnan(m.calibration_error) && isnan(m.brier) && isnan(m.rmse) && m.bin[19].answers == 0);
}

TEST(test_nothing_to_measure)
{
    struct vouch_measures m = {.size = sizeof m};
    assert_int_equal(vouch_measure(NULL, NULL, 0, &m, NULL), VOUCH_OK);
    assert_true(m.answers == 0 && isnan(m.average_precision) && isnan(m.calibration_error));
}

TEST(test_wrong_arguments)
{
    double confidence[] = {0.5, NAN};
    unsigned char right[] = {1, 0};
    struct vouch_measures m = {.size = sizeof m, .wrong = 77};
    struct vouch_error err = {0};
    assert_int_equal(vouch_measure(confidence, right, 2, &m, &err), VOUCH_ERR_ARGUMENT);
    assert_string_equal(err.message, "confidence 2: expected a number, found NAN");
    assert_int_equal(vouch_measure(NULL, right, 1, &m, NULL), VOUCH_ERR_ARGUMENT);
    assert_int_equal(vouch_measure(confidence, NULL, 1, &m, NULL), VOUCH_ERR_ARGUMENT);
    assert_int_equal(vouch_measure(confidence, right, 1, NULL, NULL), VOUCH_ERR_ARGUMENT);
    assert_int_equal(m.wrong, 77);
    m.size = 8;
    assert_int_equal(vouch_measure(confidence, right, 1, &m, NULL), VOUCH_ERR_ARGUMENT);
}

/* Fills in answers in sentences of five, right with their confidence, or with a confidence that is too high by .1. */
static void draw(double *confidence, unsigned char *right, uint32_t *sentence, size_t n, double excess, uint64_t seed)
{
    struct rng rng = rng_new(seed, 0);
    for (size_t i = 0; i < n; i++) {
        double p = 0.5 + 0.4 * rng_uniform(&rng);
        right[i] = rng_uniform(&rng) < p;
        confidence[i] = p + excess;
        sentence[i] = (uint32_t)(i / 5);
    }
}

enum { N = 1000 };

TEST(test_of_calibration_tells_exact_probabilities_from_others)
{
    double confidence[N];
    unsigned char right[N];
    uint32_t sentence[N], refused = 0;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct vouch_calibration_test t = {.size = sizeof t}, same = {.size = sizeof same};
        struct vouch_measures m = {.size = sizeof m};
        draw(confidence, right, sentence, N, 0, seed);
        assert_int_equal(vouch_test_calibration(confidence, right, sentence, N, 0, 7, &t, NULL), VOUCH_OK);
        assert_int_equal(vouch_test_calibration(confidence, right, sentence, N, 200, 7, &same, NULL), VOUCH_OK);
        assert_int_equal(vouch_measure(confidence, right, N, &m, NULL), VOUCH_OK);
        assert_true(t.calibration_error == m.calibration_error && t.limit == same.limit && t.p == same.p);
        assert_true((t.p <= 0.05) == (t.calibration_error >= t.limit) || fabs(t.p - 0.05) < 0.01);
        refused += t.p < 0.05;
        draw(confidence, right, sentence, N, 0.1, seed);
        assert_int_equal(vouch_test_calibration(confidence, right, sentence, N, 0, 7, &t, NULL), VOUCH_OK);
        assert_true(t.p < 0.01 && t.calibration_error > t.limit);
    }
    assert_true(refused <= 4); /* of 20, at 5 percent: more has a probability of .003 */
}

TEST(test_of_calibration_counts_copies_within_sentences_once)
{
    /* Ten copies of each answer in one sentence: as independent answers they look far too regular. */
    double confidence[N];
    unsigned char right[N];
    uint32_t sentence[N];
    struct vouch_calibration_test apart = {.size = sizeof apart}, together = {.size = sizeof together};
    draw(confidence, right, sentence, N / 10, 0, 3);
    for (size_t i = N; i-- > 0;) {
        confidence[i] = confidence[i / 10];
        right[i] = right[i / 10];
        sentence[i] = (uint32_t)(i / 10);
    }
    assert_int_equal(vouch_test_calibration(confidence, right, NULL, N, 0, 7, &apart, NULL), VOUCH_OK);
    assert_int_equal(vouch_test_calibration(confidence, right, sentence, N, 0, 7, &together, NULL), VOUCH_OK);
    assert_true(together.limit > 1.5 * apart.limit && together.p > apart.p);
}

TEST(test_of_calibration_without_probabilities)
{
    double confidence[] = {0.5, 2};
    unsigned char right[] = {1, 0};
    struct vouch_calibration_test t = {.size = sizeof t, .p = 77};
    struct vouch_error err = {0};
    assert_int_equal(vouch_test_calibration(confidence, right, NULL, 2, 0, 1, &t, NULL), VOUCH_OK);
    assert_true(isnan(t.calibration_error) && isnan(t.limit) && isnan(t.p));
    assert_int_equal(vouch_test_calibration(NULL, NULL, NULL, 0, 0, 1, &t, NULL), VOUCH_OK);
    assert_true(isnan(t.p));
    confidence[1] = NAN;
    assert_int_equal(vouch_test_calibration(confidence, right, NULL, 2, 0, 1, &t, &err), VOUCH_ERR_ARGUMENT);
    assert_string_equal(err.message, "confidence 2: expected a number, found NAN");
    assert_int_equal(vouch_test_calibration(NULL, right, NULL, 1, 0, 1, &t, NULL), VOUCH_ERR_ARGUMENT);
    assert_int_equal(vouch_test_calibration(confidence, right, NULL, 1, 0, 1, NULL, NULL), VOUCH_ERR_ARGUMENT);
    t.size = 8;
    assert_int_equal(vouch_test_calibration(confidence, right, NULL, 1, 0, 1, &t, NULL), VOUCH_ERR_ARGUMENT);
}
