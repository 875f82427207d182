/* Tests a confidence model: written to a header, read back, damaged, and used by an estimator. */
#include "estimator_cases.h"
#include "test.h"

FILE_FIXTURE(make_whole, drop_whole);

/* Goes through text, as a file has it. */
static json_t *written_and_read(json_t *json)
{
    char *text = json_dumps(json, 0);
    json_t *again = json_loads(text, 0, NULL);
    free(text);
    json_decref(json);
    return again;
}

static double discounted(const struct shift_discount *discount, double p, const double *profile)
{
    struct sentence_discount sentence = discount_of_sentence(discount, profile);
    return discount_word(discount, &sentence, p);
}

static void must_apply_alike(const struct confidence_model *a, const struct confidence_model *b)
{
    for (uint32_t i = 0; i < a->count; i++)
        for (double raw = -3; raw < 60; raw += raw < 2 ? 0.01 : 3.7)
            assert_true(calibration_apply(&a->method_model[i].calibration, raw) ==
                        calibration_apply(&b->method_model[i].calibration, raw));
    uint32_t lowered = 0;
    for (int i = 0; i < 200; i++) {
        double signal[SIGNALS + UNITS + JOINT_SIGNALS];
        for (int j = 0; j < SIGNALS + UNITS + JOINT_SIGNALS; j++)
            signal[j] = i * (j + 3) % 200 / 40.0 - 2.5;
        assert_true(forecaster_apply(&a->forecaster, signal) == forecaster_apply(&b->forecaster, signal));
        assert_true(forecaster_apply(&a->with_text, signal) == forecaster_apply(&b->with_text, signal));
        double profile[PROFILE_SIGNALS], p = (i + 0.5) / 200;
        for (int j = 0; j < PROFILE_SIGNALS; j++)
            profile[j] = i * (j + 5) % 40;
        assert_true(discounted(&a->discount, p, profile) == discounted(&b->discount, p, profile));
        lowered += discounted(&a->discount, p, profile) < p;
        for (uint32_t k = 0; k < a->count; k++)
            for (int u = UNIT_SPAN; u < UNITS; u++)
                assert_true(joint_apply(&a->method_model[k].joint[u], 0.7, signal) ==
                            joint_apply(&b->method_model[k].joint[u], 0.7, signal));
    }
    assert_true(lowered > 0);
}

TEST(a_confidence_model_survives_being_written)
{
    struct confidence_model before, after;
    make_confidence_model(&before, some);
    confidence_model_init(&after);
    json_t *json = written_and_read(confidence_model_json(&before, &two_voices));
    MUST(confidence_model_read(&after, json, &two_voices, some, "m", &err));
    assert_int_equal(after.count, before.count);
    assert_int_equal(after.preferred, before.preferred);
    for (uint32_t i = 0; i < before.count; i++) {
        assert_string_equal(after.method_model[i].name, before.method_model[i].name);
        assert_ptr_equal(after.method_model[i].method, before.method_model[i].method);
        assert_int_equal(after.method_model[i].voice, before.method_model[i].voice);
    }
    assert_memory_equal(after.params, before.params, 2 * sizeof before.params[0]);
    for (uint32_t i = 0; i < before.count; i++)
        for (int k = 0; k < UNITS * FIGURES; k++) {
            double was = before.method_model[i].figure[k / FIGURES][k % FIGURES];
            double is = after.method_model[i].figure[k / FIGURES][k % FIGURES];
            assert_true(was == is || (isnan(was) && isnan(is)));
        }
    must_apply_alike(&before, &after);
    json_decref(json);
    confidence_model_release(&before);
    confidence_model_release(&after);
}

TEST(method_models_are_found_by_name)
{
    struct confidence_model b;
    confidence_model_init(&b);
    struct method_model *one = confidence_model_find(&b, "gamma@crf", &two_voices, &err);
    assert_non_null(one);
    assert_string_equal(one->name, "gamma@crf");
    assert_ptr_equal(confidence_model_find(&b, "gamma@crf", &two_voices, &err), one);
    struct method_model *first = confidence_model_find(&b, "gamma@cw", &two_voices, &err);
    assert_string_equal(first->name, "gamma");
    assert_ptr_equal(confidence_model_find(&b, "gamma", &two_voices, &err), first);
    assert_int_equal(b.count, 2);
    assert_null(confidence_model_find(&b, "gamma@pa", &two_voices, &err));
    assert_null(confidence_model_find(&b, "", &two_voices, &err));
    confidence_model_release(&b);
}

/* Damage. */

/* Reads `json` (taken over); whether it was accepted. What is accepted must still give probabilities. */
static bool accepted(json_t *json)
{
    struct confidence_model b;
    confidence_model_init(&b);
    err = (struct vouch_error){0};
    bool ok = confidence_model_read(&b, json, &two_voices, some, "some.vouch", &err);
    if (!ok && (err.status != VOUCH_ERR_FORMAT || !strstr(err.message, "some.vouch")))
        fail_msg("refused with: %s", err.message);
    double signal[SIGNALS + UNITS + JOINT_SIGNALS] = {0.5, -3, 1e9, -1e9, 0};
    for (uint32_t i = 0; ok && i < b.count; i++) {
        for (double raw = -1e9; raw < 1e9 && b.method_model[i].calibration.kind; raw = raw < -1e-3 ? raw / 9
                                                                                       : raw < 0   ? -raw
                                                                                                   : raw * 9) {
            double p = calibration_apply(&b.method_model[i].calibration, raw);
            assert_true(p >= 0 && p <= 1);
        }
        for (int u = UNIT_SPAN; u < UNITS; u++) {
            double p = joint_apply(&b.method_model[i].joint[u], 0.5, signal);
            assert_true(p >= 0 && p <= 0.5);
        }
    }
    if (ok && b.forecaster.fitted) {
        double p = forecaster_apply(&b.forecaster, signal);
        assert_true(p >= 0 && p <= 1);
    }
    confidence_model_release(&b);
    json_decref(json);
    return ok;
}

/* The value at a path such as "methods/gamma/words/x/0", replaced; NULL takes it out. */
static void replace(json_t *json, const char *path, const char *by)
{
    char copy[200], *at = copy, *slash;
    snprintf(copy, sizeof copy, "%s", path);
    for (; (slash = strchr(at, '/')); at = slash + 1) {
        *slash = '\0';
        json = json_object_get(json, at);
        assert_non_null(json);
    }
    if (!by) {
        json_object_del(json, at);
        return;
    }
    json_t *value = json_loads(by, JSON_DECODE_ANY, NULL);
    assert_non_null(value);
    if (json_is_array(json))
        json_array_set_new(json, strtoul(at, NULL, 10), value);
    else
        json_object_set_new(json, at, value);
}

TEST(a_damaged_confidence_model_is_refused)
{
    static const struct {
        const char *path, *by;
    } each[] = {
        {"parameters", NULL},
        {"parameters", "[]"},
        {"parameters/cw", NULL},
        {"parameters/crf", "7"},
        {"parameters/cw/K", "0"},
        {"parameters/cw/K", "-50"},
        {"parameters/cw/K", "1000000"},
        {"parameters/cw/K", "4294967297"},
        {"parameters/cw/K", "\"50\""},
        {"parameters/cw/K", "2.5"},
        {"parameters/cw/K_best", "0"},
        {"parameters/cw/K_weighted", "0"},
        {"parameters/cw/K_best", "1000000000000"},
        {"parameters/cw/paired", "1"},
        {"parameters/cw/s_fix", "-1"},
        {"parameters/cw/s_fix", "\"NaN\""},
        {"parameters/cw/s_fix", NULL},
        {"parameters/cw/s_pc", "1e308"},
        {"parameters/cw/s_pc", "null"},
        {"parameters/crf/c", "0"},
        {"parameters/crf/c", "-2"},
        {"parameters/crf/c", "1e308"},
        {"parameters/crf/c", "\"1\""},
        {"methods", NULL},
        {"methods", "[1, 2]"},
        {"methods/magic", "{}"},
        {"methods/gamma@pa", "{}"},
        {"methods/gamma@cw", "{}"}, /* gamma once more */
        {"methods/gamma", "\"good\""},
        {"methods/gamma", "null"},
        {"methods/gamma/words", "[]"},
        {"methods/gamma/words/kind", "\"magic\""},
        {"methods/gamma/words/kind", "\"none\""},
        {"methods/gamma/words/kind", "3"},
        {"methods/gamma/words/kind", "\"platt\""}, /* whose numbers are not there */
        {"methods/gamma/words/x", "[]"},
        {"methods/gamma/words/x", "[0.5]"},
        {"methods/gamma/words/x", "7"},
        {"methods/gamma/words/x/0", "\"NaN\""},
        {"methods/gamma/words/x/0", "1e308"},
        {"methods/gamma/words/y/0", "null"},
        {"methods/gamma/words/y/0", "-0.5"},
        {"methods/gamma/words/y/0", "2"},
        {"methods/gamma/words/limit", "\"big\""},
        {"methods/gamma/words/margin", "1"},
        {"methods/delta/words/a", "\"NaN\""},
        {"methods/delta/words/a", "-1"},
        {"methods/delta/words/a", NULL},
        {"methods/delta/words/b", "[]"},
        {"methods/delta/words/limit", "-1"},
        {"methods/kb@crf/words/b", "-1"},
        {"methods/kb@crf/words/c", "true"},
        {"methods/kb@crf/words/margin", "true"},
        {"committee", "7"},
        {"committee", "null"},
        {"methods/gamma/spans", "7"},
        {"methods/gamma/spans/bias", "null"},
        {"methods/gamma/sentences/weight", "[1]"},
        {"methods/committee/spans/scale", "{}"},
        {"methods/committee/sentences/mean", "[1, 2, 3, 4, 5]"},
        {"methods/committee/words",
         "{\"kind\": \"platt\", \"margin\": true, \"limit\": 1, \"a\": 1, \"b\": 0, \"c\": 0}"},
        {"committee/logistic", NULL},
        {"committee/logistic/bias", "\"NaN\""},
        {"committee/logistic/weight", "[1]"},
        {"committee/logistic/weight/0", "\"1\""},
        {"committee/logistic/mean", "[1, 2, 3, 4, 5, 6]"},
        {"committee/logistic/scale", "{}"},
        {"committee/boosted", "{}"},
        {"committee/boosted", NULL},
        {"committee/boosted/trees", "-1"},
        {"committee/boosted/trees", "1000000"},
        {"committee/boosted/trees", "1"},
        {"committee/boosted/depth", "0"},
        {"committee/boosted/depth", "60"},
        {"committee/boosted/depth", "2"},
        {"committee/boosted/feature", "[]"},
        {"committee/boosted/feature/0", "5"},
        {"committee/boosted/threshold", "[]"},
        {"committee/boosted/leaf/0", "\"1\""},
        {"committee/after", "7"},
        {"committee/after", "{\"kind\": \"none\", \"margin\": false, \"limit\": 1}"},
        {"committee+text", "7"},
        {"committee+text/logistic/weight", "[1]"},
        {"committee+text/boosted", NULL},
        {"caution", "[]"},
        {"caution", "null"},
        {"caution/unlike", NULL},
        {"caution/unlike/logistic/mean", "[1]"},
        {"caution/unlike/boosted", "{}"},
        {"caution/balance", NULL},
        {"caution/balance", "\"0\""},
        {"caution/other", "7"},
        {"caution/other/weight", "[]"},
        {"caution/other/bias", "null"},
        {"preferred", "\"kd-fix\""},
        {"preferred", "7"},
    };
    assert_true(accepted(json_deep_copy(whole)));
    for (size_t i = 0; i < sizeof each / sizeof *each; i++) {
        json_t *copy = json_deep_copy(whole);
        replace(copy, each[i].path, each[i].by);
        if (accepted(copy))
            fail_msg("%s = %s was accepted", each[i].path, each[i].by ? each[i].by : "nothing");
    }
    static const char *const nothing[] = {"{}", "[]", "7", "null", "\"x\"", "{\"parameters\": {}}"};
    for (size_t i = 0; i < sizeof nothing / sizeof *nothing; i++)
        assert_false(accepted(json_loads(nothing[i], JSON_DECODE_ANY, NULL)));
}

/* Two names of one method, both with something to free. */
TEST(thresholds_of_sets_survive_being_written_and_are_refused_if_damaged)
{
    static const char *const damaged[] = {
        "3", "{'coverage': 2, 'method': 'gamma', 'words': 0.1}", "{'coverage': 0.9, 'method': 'gamma'}",
        "{'coverage': 0.9, 'method': 'gamma', 'words': 0.1, 'by_label': []}",
        "{'coverage': 0.9, 'method': 'gamma', 'words': 0.1, 'by_label': {'words': 1}}",
        "{'coverage': 0.9, 'method': 'gamma', 'words': 0.1, 'by_label': {'words': {'O': 1.5}}}",
        "{'coverage': 0.9, 'method': 'gamma', 'words': 0.1, 'by_label': {'words': {'O': null}}}"};
    struct coverage_model model = {.target = 0.9, .method = "gamma", .has = {true}, .least.of = {0.25, 1, NAN}}, again;
    model.least.by_label[COVERED_WORDS] = json_pack("{s:f}", "O", 0.5);
    json_t *header = json_pack("{s:o}", "coverage", coverage_model_json(&model));
    MUST(coverage_model_read(&again, header, "m", &err));
    assert_true(again.known && again.has[COVERED_WORDS] && !again.has[COVERED_CHUNKS]);
    assert_true(again.least.of[COVERED_WORDS] == 0.25 && isnan(again.least.of[COVERED_RELATIONS]));
    assert_true(json_equal(again.least.by_label[COVERED_WORDS], model.least.by_label[COVERED_WORDS]));
    json_decref(model.least.by_label[COVERED_WORDS]);
    for (size_t i = 0; i < sizeof damaged / sizeof *damaged; i++) {
        char text[200];
        snprintf(text, sizeof text, "%s", damaged[i]);
        for (char *at = text; *at; at++)
            *at = *at == '\'' ? '"' : *at;
        json_object_set_new(header, "coverage", json_loads(text, JSON_DECODE_ANY, NULL));
        assert_false(coverage_model_read(&again, header, "m", &err));
        assert_non_null(strstr(err.message, "coverage is damaged"));
    }
    json_decref(header);
}

TEST(one_method_under_two_names_is_refused)
{
    json_t *copy = json_deep_copy(whole), *methods_found = json_object_get(copy, "methods");
    json_t *gamma = json_deep_copy(json_object_get(methods_found, "gamma"));
    json_object_del(gamma, "words");
    json_object_del(gamma, "evidence");
    json_object_set(methods_found, "gamma", gamma);
    json_object_set_new(methods_found, "gamma@cw", gamma);
    assert_false(accepted(copy));
}

/* Replaces every value in turn by a wrong one: it is refused, or harmless. */
static void replace_each(json_t *place, json_t *root, json_t *by, uint32_t *replaced);

static void replace_one(json_t *place, const char *key, size_t index, json_t *root, json_t *by, uint32_t *replaced)
{
    json_t *was = json_incref(key ? json_object_get(place, key) : json_array_get(place, index));
    if (key)
        json_object_set(place, key, by);
    else
        json_array_set(place, index, by);
    accepted(json_incref(root));
    ++*replaced;
    if (key)
        json_object_set(place, key, was);
    else
        json_array_set(place, index, was);
    json_decref(was);
    replace_each(was, root, by, replaced);
}

static void replace_each(json_t *place, json_t *root, json_t *by, uint32_t *replaced)
{
    for (void *at = json_object_iter(place); at; at = json_object_iter_next(place, at))
        replace_one(place, json_object_iter_key(at), 0, root, by, replaced);
    for (size_t i = 0; i < json_array_size(place) && i < 3; i++)
        replace_one(place, NULL, i, root, by, replaced);
}

TEST(no_replaced_value_does_harm)
{
    static const char *const bad[] = {"null", "true", "\"NaN\"", "-1", "1e308", "[]", "{}", "9007199254740993"};
    uint32_t replaced = 0;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        json_t *copy = json_deep_copy(whole), *by = json_loads(bad[i], JSON_DECODE_ANY, NULL);
        replace_each(copy, copy, by, &replaced);
        json_decref(by);
        assert_true(accepted(copy));
    }
    assert_true(replaced > 500);
}

TEST(what_is_calibrated_follows_from_the_confidence_model)
{
    for (int tree = 0; tree < 2; tree++) {
        vouch_model *model = must_open(with_confidence_model(tree));
        struct estimator *estimator = must_ask(model, (struct estimate_request){0});
        assert_int_equal(estimator->methods, 1);
        assert_string_equal(estimator->layer[0].chosen[0].name, "delta");
        assert_true(chosen_is_calibrated(estimator, 0));
        judge_all(model, estimator, look_at_numbers);
        estimator_free(estimator);

        const char *asked = "gamma,delta,kb@crf,kb,kd-fix,gamma@crf,committee";
        static const bool known[] = {true, true, true, false, false, false, true};
        for (int raw = 0; raw < 2; raw++) {
            estimator = must_ask(model, (struct estimate_request){.methods = asked, .raw = raw});
            for (uint32_t j = 0; j < estimator->methods; j++)
                assert_int_equal(chosen_is_calibrated(estimator, j), known[j] && !raw);
            judge_all(model, estimator, look_at_numbers);
            estimator_free(estimator);
        }
        estimator = must_ask(model, (struct estimate_request){.methods = "all"});
        assert_int_equal(estimator->methods, 11); /* kb@crf as well */
        judge_all(model, estimator, look_at_numbers);
        assert_int_equal(estimator->layer[0].voice_set.voice[0].params.draws, 9);
        assert_int_equal(estimator->layer[0].voice_set.voice[1].params.draws, 33);
        estimator_free(estimator);
        for (uint32_t count = 1; count < 20; count += 9) {
            estimator = must_ask(model, (struct estimate_request){.methods = "committee,delta", .alternatives = count});
            judge_all(model, estimator, look_at_alternatives);
            estimator_free(estimator);
            estimator = must_ask(model, (struct estimate_request){.alternatives = count, .draws = 5});
            assert_int_equal(estimator->layer[0].voice_set.voice[1].params.draws, 5);
            judge_all(model, estimator, look_at_alternatives);
            estimator_free(estimator);
        }
        vouch_model_close(model);
    }
}

TEST(a_model_with_a_damaged_confidence_model_still_labels)
{
    vouch_model *model = must_open(small_tagger(
        "lying", two, json_pack("{s:i, s:{s:{s:i}}}", "form", CONFIDENCE_MODEL_FORM, "layers", "label", "x", 1)));
    must_refuse(model, "gamma", "damaged");
    err = (struct vouch_error){0};
    assert_null(estimator_new(model, &(struct estimate_request){0}, &err));
    assert_int_equal(err.status, VOUCH_ERR_FORMAT);
    const char *cells[] = {"Ada", "NNP"}, *labels[1];
    assert_int_equal(vouch_model_label(model, cells, 1, 2, labels, NULL, &err), VOUCH_OK);
    vouch_model_close(model);
}

TEST(a_confidence_model_of_another_version_is_named_so)
{
    vouch_model *model = must_open(with_confidence_model(false));
    json_t *confidence = json_deep_copy(json_object_get(model->header, "confidence"));
    vouch_model_close(model);
    json_object_del(confidence, "form");
    model = must_open(small_tagger("old", two, confidence));
    must_refuse(model, "gamma", "another version");
    vouch_model_close(model);
}

/* Coherence: a whole is never surer than one of its parts, nothing is certain that could be otherwise. */
static void look_at_coherence(const struct estimator *estimator, const struct confidences *confidences, uint32_t N)
{
    for (uint32_t j = 0; j < confidences->methods; j++) {
        const struct method_confidence *o = &confidences->by_method[j];
        if (!o->calibrated)
            continue;
        double least = 1;
        for (uint32_t n = 0; n < N; n++) {
            assert_true(o->word[n] > 0 && o->word[n] <= 1);
            assert_true(o->word[n] < 1 || (estimator->model->trees && N == 1));
            least = fmin(least, o->word[n]);
        }
        for (uint32_t i = 0; i < confidences->spans; i++) {
            assert_true(o->span[i] > 0 &&
                        o->span[i] <= smallest(o->word, confidences->span[i].from, confidences->span[i].to));
            least = fmin(least, o->span[i]);
        }
        assert_true(o->sentence > 0 && o->sentence <= least);
    }
    for (uint32_t n = 0; confidences->alternative && n < N; n++) {
        double sum = 0;
        for (uint32_t i = 0; i < confidences->found[n]; i++)
            sum += confidences->alternative[(size_t)n * confidences->alternatives + i].probability;
        assert_true(sum <= 1 + 1e-9);
    }
}

TEST(probabilities_never_contradict_each_other)
{
    static const char *const asked[] = {"committee,gamma,delta,kb@crf", "gamma", "delta", "kb@crf"};
    for (int tree = 0; tree < 2; tree++) {
        vouch_model *model = must_open(with_confidence_model(tree));
        for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
            struct estimator *estimator =
                must_ask(model, (struct estimate_request){.methods = asked[i], .alternatives = 20});
            judge_all(model, estimator, look_at_coherence);
            estimator_free(estimator);
        }
        vouch_model_close(model);
    }
}
