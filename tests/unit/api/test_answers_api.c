/*
 * Tests the functions of vouch.h about answers of other programs: one after the other, as the command line would, and
 * what they refuse. tests/cli/spans.sh and vote.sh test what they compute.
 */
#include "vouch.h"

#include "folder.h"
#include "must.h"
#include "test.h"

static char spans[4096], gold[4096], sampled[4096];

FIXTURE(set_up)
{
    static char bytes[1 << 16];
    size_t length = 0, apart = 0;
    int status = folder_make(state);
    for (int i = 0; i < 90; i++) {
        int right = i % 10 < 7;
        length += (size_t)sprintf(bytes + length,
                                  "{\"text\": \"in Rome\", \"spans\": [{\"start\": 3, \"end\": 7, \"label\": \"LOC\", "
                                  "\"score\": %.3f}], \"gold\": [%s]}\n",
                                  0.3 * right + 0.007 * i,
                                  right ? "{\"start\": 3, \"end\": 7, \"label\": \"LOC\"}" : "");
    }
    snprintf(spans, sizeof spans, "%s", folder_put_bytes("spans", bytes, length));
    for (int i = 0; i < 90; i++)
        apart += (size_t)sprintf(bytes + apart, "{\"text\": \"in Rome\", \"gold\": []}\n");
    snprintf(gold, sizeof gold, "%s", folder_put_bytes("gold", bytes, apart));
    snprintf(sampled, sizeof sampled, "%s",
             folder_put("sampled", "{\"text\": \"in Rome\", \"votes\": [[{\"text\": \"Rome\", \"label\": \"LOC\"}], "
                                   "[]]}\n"));
    return status;
}

FIXTURE(tear_down)
{
    return folder_remove(state);
}

FILE_FIXTURE(set_up, tear_down);

static vouch_options *options_of(const char *command, const char *name, const char *value)
{
    vouch_options *options = vouch_options_new(command, &err);
    MUST(options && vouch_options_set(options, name, value, &err) == VOUCH_OK);
    return options;
}

TEST(answers_are_measured_tuned_completed_and_traded)
{
    char *json = NULL, *calibration = NULL, *text = NULL, *chosen = NULL;
    MUST(vouch_answers_measure(NULL, spans, NULL, NULL, NULL, &json, &err) == VOUCH_OK);
    assert_non_null(strstr(json, "\"unit\": \"span\""));
    assert_non_null(strstr(json, "\"correct\": 63"));
    vouch_free(json);
    MUST(vouch_answers_measure(NULL, spans, gold, NULL, NULL, &json, &err) == VOUCH_OK);
    assert_non_null(strstr(json, "\"correct\": 0"));
    vouch_free(json);
    MUST(vouch_answers_tune(NULL, spans, NULL, NULL, &calibration, &err) == VOUCH_OK);
    assert_non_null(strstr(calibration, "\"about\": \"spans\""));
    MUST(vouch_answers_measure(NULL, spans, NULL, calibration, NULL, &json, &err) == VOUCH_OK);
    assert_non_null(strstr(json, "\"calibrated\": true"));
    vouch_free(json);
    vouch_options *doubt = options_of("tag", "threshold", "1");
    MUST(vouch_answers_apply(doubt, spans, calibration, &text, &err) == VOUCH_OK);
    assert_non_null(strstr(text, "\"calibrated\": 0."));
    assert_non_null(strstr(text, "\"doubtful\": true}], \"gold\": ["));
    vouch_free(text);
    vouch_options *precise = options_of("trade", "precision", "0.8");
    vouch_options *point = options_of("tag", "operating-point", "true");
    MUST(vouch_answers_trade(precise, spans, NULL, calibration, NULL, &chosen, &json, &err) == VOUCH_OK);
    assert_non_null(strstr(json, "\"unit\": \"spans\""));
    vouch_free(json);
    MUST(vouch_answers_apply(point, spans, chosen, &text, &err) == VOUCH_OK);
    assert_non_null(strstr(text, "\"spans\": []"));
    vouch_free(text);
    MUST(vouch_answers_trade(NULL, spans, NULL, NULL, NULL, NULL, NULL, &err) == VOUCH_OK);
    vouch_free(chosen);
    vouch_free(calibration);
    vouch_options_free(doubt);
    vouch_options_free(precise);
    vouch_options_free(point);
}

TEST(votes_are_counted)
{
    const char *file = sampled;
    char *text = NULL;
    MUST(vouch_vote(NULL, &file, 1, &text, &err) == VOUCH_OK);
    assert_non_null(strstr(text, "\"votes\": 1, \"of\": 2, \"score\": 0.5"));
    vouch_free(text);
}

TEST(what_is_missing_is_refused)
{
    const char *missing = "nowhere", *file = sampled;
    char *text = NULL;
    assert_int_equal(vouch_answers_measure(NULL, NULL, NULL, NULL, NULL, &text, &err), VOUCH_ERR_ARGUMENT);
    assert_int_equal(vouch_answers_measure(NULL, spans, NULL, NULL, NULL, NULL, &err), VOUCH_ERR_ARGUMENT);
    assert_int_equal(vouch_answers_measure(NULL, missing, NULL, NULL, NULL, &text, &err), VOUCH_ERR_IO);
    assert_int_equal(vouch_answers_measure(NULL, spans, NULL, "{}", NULL, &text, &err), VOUCH_ERR_FORMAT);
    assert_int_equal(vouch_answers_measure(NULL, sampled, NULL, NULL, NULL, &text, &err), VOUCH_ERR_FORMAT);
    assert_int_equal(vouch_answers_tune(NULL, spans, NULL, NULL, NULL, &err), VOUCH_ERR_ARGUMENT);
    assert_int_equal(vouch_answers_tune(NULL, missing, NULL, NULL, &text, &err), VOUCH_ERR_IO);
    assert_int_equal(vouch_answers_apply(NULL, spans, NULL, &text, &err), VOUCH_ERR_ARGUMENT);
    assert_int_equal(vouch_answers_apply(NULL, spans, "[", &text, &err), VOUCH_ERR_FORMAT);
    assert_int_equal(vouch_answers_trade(NULL, missing, NULL, NULL, NULL, NULL, &text, &err), VOUCH_ERR_IO);
    assert_int_equal(vouch_vote(NULL, NULL, 0, &text, &err), VOUCH_ERR_ARGUMENT);
    assert_int_equal(vouch_vote(NULL, &missing, 1, &text, &err), VOUCH_ERR_IO);
    assert_int_equal(vouch_vote(NULL, &file, 1, NULL, &err), VOUCH_ERR_ARGUMENT);
    assert_null(text);
}
