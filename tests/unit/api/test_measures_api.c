/* Tests vouch_measure(): it gives the figures that follow from their definitions, and refuses wrong arguments. */
#include "vouch.h"

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
