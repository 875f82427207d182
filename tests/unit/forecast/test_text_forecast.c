/*
 * Tests forecasts: on calibration text they are what was measured there; below it they fall between the two simulated
 * kinds of shift; intervals hold the forecast and narrow with more answers; and what a header keeps comes back.
 */
#include "model/forecast_model.h"

#include "must.h"
#include "test.h"

static double odds(double p)
{
    return log(p / (1 - p));
}

/* F1 is 0.85 where 0.9 is expected, and falls once or four times as fast. */
static struct forecast_model some_model(void)
{
    struct forecast_model model = {.fitted = true, .block = 500};
    model.line[SHARE_F1] = (struct forecast_line){odds(0.9), odds(0.85), 4000, 1.5, 0.02, {1, 4}};
    model.norm[LIKENESS_FEATURES] = (struct forecast_norm){20, 0.5};
    model.norm[LIKENESS_DOUBT] = (struct forecast_norm){log(0.02), 0.5};
    return model;
}

/* Text of n sentences with four chunks each, of which a share is expected to be right. */
static struct expected_counts expected_of(double n, double share)
{
    return (struct expected_counts){.sentences = n,
                                    .words = 20 * n,
                                    .features = 400 * n,
                                    .words_right = 19.6 * n,
                                    .chunks = 4 * n,
                                    .chunks_right = 4 * n * share,
                                    .chunks_gold = 4 * n};
}

TEST(shares_are_ratios_of_sums)
{
    struct expected_counts p = {.sentences = 1,
                                .words = 10,
                                .words_right = 9,
                                .chunks = 4,
                                .chunks_right = 2,
                                .chunks_gold = 8},
                           none = {0};
    double count;
    assert_true(expected_share(&p, SHARE_ACCURACY, &count) == 0.9 && count == 10);
    assert_true(expected_share(&p, SHARE_PRECISION, NULL) == 0.5);
    assert_true(expected_share(&p, SHARE_RECALL, NULL) == 0.25);
    assert_true(fabs(expected_share(&p, SHARE_F1, &count) - 1.0 / 3) < 1e-12 && count == 6);
    assert_true(isnan(expected_share(&none, SHARE_F1, NULL)));
    expected_counts_add(&none, &p);
    expected_counts_add(&none, &p);
    assert_true(none.words == 20 && expected_share(&none, SHARE_RECALL, NULL) == 0.25);
}

TEST(like_text_is_as_calibrated)
{
    struct forecast_model model = some_model();
    struct expected_counts p = expected_of(100, 0.9);
    struct forecast f = forecast_apply(&model, &p, SHARE_F1);
    assert_true(fabs(f.value - 0.85) < 1e-9 && f.low < 0.85 && f.high > 0.85);
    assert_true(fabs(f.expected - 0.9) < 1e-9);
    assert_true(isnan(forecast_apply(&model, &p, SHARE_RECALL).value));
    assert_false(forecast_is_unlike(&model, &p));
}

TEST(unlike_text_is_between_the_kinds)
{
    struct forecast_model model = some_model();
    double before = 0.85;
    for (double expected = 0.89; expected > 0.5; expected -= 0.03) {
        struct expected_counts p = expected_of(1e6, expected);
        struct forecast f = forecast_apply(&model, &p, SHARE_F1);
        double away = odds(expected) - odds(0.9);
        assert_true(f.value < before);
        assert_true(fabs(odds(f.value) - odds(0.85) - 2 * away) < 1e-9); /* the geometric mean of 1 and 4 */
        assert_true(f.low < f.value && f.value < f.high);
        assert_true(odds(f.low) > odds(0.85) + 4 * away - 0.3 && odds(f.high) < odds(0.85) + away + 0.3);
        before = f.value;
    }
}

TEST(more_answers_say_more)
{
    struct forecast_model model = some_model();
    struct expected_counts few = expected_of(20, 0.9), many = expected_of(2000, 0.9);
    struct forecast a = forecast_apply(&model, &few, SHARE_F1), b = forecast_apply(&model, &many, SHARE_F1);
    assert_true(b.high - b.low < (a.high - a.low) / 2);
    /* Half as wide by labels alone: four times as many as one such interval takes. */
    double half = (b.high - b.low) / 4, answers = 1.645 * 1.645 * 1.5 * 0.85 * 0.15 / (half * half);
    assert_true(fabs(b.to_label - ceil(answers / 4)) <= 1);
}

TEST(unlike_needs_text_and_distance)
{
    struct forecast_model model = some_model();
    struct expected_counts p = expected_of(200, 0.9);
    p.features = p.words * 17;
    assert_true(fabs(forecast_unlikeness(&model, &p, LIKENESS_FEATURES) - 6) < 1e-9);
    assert_true(forecast_is_unlike(&model, &p));
    p.features = p.words * 23; /* more than usual is no loss */
    assert_true(forecast_unlikeness(&model, &p, LIKENESS_FEATURES) == 0);
    p.features = NAN;
    assert_true(forecast_unlikeness(&model, &p, LIKENESS_FEATURES) == 0);
    p.words_right = p.words * 0.5;
    assert_true(forecast_is_unlike(&model, &p));
    p = expected_of(20, 0.9);
    p.words_right = p.words * 0.5;
    assert_false(forecast_is_unlike(&model, &p));
}

TEST(headers_keep_it)
{
    struct forecast_model model = some_model(), read;
    json_t *forecast = forecast_model_json(&model);
    json_t *header = json_pack("{s:{s:o}}", "confidence", "forecast", forecast);
    MUST(forecast_model_read(&read, header, "m", &err));
    assert_true(read.fitted && read.block == 500 && read.line[SHARE_F1].slope[1] == 4);
    assert_true(read.line[SHARE_F1].drift == 0.02 && read.line[SHARE_RECALL].count == 0);
    assert_true(read.norm[LIKENESS_DOUBT].deviation == 0.5);
    json_array_set_new(json_object_get(forecast, "f1"), 5, json_real(-1)); /* a slope that falls */
    assert_false(forecast_model_read(&read, header, "m", &err));
    assert_int_equal(err.status, VOUCH_ERR_FORMAT);
    json_object_set_new(forecast, "f1", json_string("none"));
    assert_false(forecast_model_read(&read, header, "m", &err));
    json_decref(header);
    header = json_object();
    MUST(forecast_model_read(&read, header, "m", &err));
    assert_false(read.fitted);
    json_decref(header);
}
