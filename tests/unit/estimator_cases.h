/* Makes small models whose answers are judged by methods named in the test. */
#ifndef VOUCH_TESTS_ESTIMATOR_CASES_H
#define VOUCH_TESTS_ESTIMATOR_CASES_H

#include "base/parallel.h"
#include "fit/forecaster.h"
#include "answer/estimator.h"

#include "folder.h"
#include "small_models.h"

#include "must.h"
#include "test.h"
#include "answer/predictor.h"

enum { MOST_WORDS = 8, SIGNALS = 5 };

static const char *const two[] = {"cw", "crf", NULL};

static const struct model_layer two_voices = {.voice = {{.name = "cw"}, {.name = "crf"}}, .voices = 2};

static vouch_model *must_open(const char *path)
{
    err = (struct vouch_error){0};
    vouch_model *model = vouch_model_open(path, &err);
    MUST(model);
    return model;
}

static struct estimator *must_ask(const vouch_model *model, struct estimate_request request)
{
    err = (struct vouch_error){0};
    struct estimator *estimator = estimator_new(model, &request, &err);
    MUST(estimator);
    return estimator;
}

/* A function that is called with every judged sentence. */
typedef void (*look_at)(const struct estimator *estimator, const struct confidences *confidences, uint32_t N);

static void judge_all(const vouch_model *model, struct estimator *estimator, look_at look)
{
    bool trees = model->trees;
    struct predictor *predictor = predictor_new(&(struct vouch_request){.model = model, .estimator = estimator}, &err);
    struct reader_options options = {.format = trees ? FORMAT_CONLLU : FORMAT_CONLL, .trees = trees};
    struct reader *reader = reader_open(folder_file(trees ? "trees" : "tags"), &options, &err);
    struct sentence sentence = {0};
    struct vouch_answer prediction = {0};
    MUST(reader && predictor);
    while (reader_next(reader, &sentence, &err) == READ_SENTENCE) {
        assert_true(sentence.N <= MOST_WORDS);
        MUST(predictor_answer(predictor, &sentence, &prediction, &err));
        look(estimator, prediction.confidences, sentence.N);
    }
    answer_release(&prediction);
    sentence_release(&sentence);
    reader_close(reader);
    predictor_free(predictor);
}

static void must_be_a_number(const struct estimator *estimator, uint32_t j, double x)
{
    if (isnan(x) || (chosen_is_bounded(estimator, 0, j, UNIT_WORD) && !(x >= 0 && x <= 1)))
        fail_msg("%s says %g", estimator->layer[0].chosen[j].name, x);
}

static void look_at_numbers(const struct estimator *estimator, const struct confidences *confidences, uint32_t N)
{
    assert_int_equal(confidences->methods, estimator->methods);
    for (uint32_t j = 0; j < confidences->methods; j++) {
        const struct method_confidence *o = &confidences->by_method[j];
        assert_string_equal(o->method, estimator->layer[0].chosen[j].name);
        assert_int_equal(o->calibrated, chosen_is_calibrated(estimator, j));
        assert_int_equal(o->margin, !o->calibrated && strncmp(o->method, "delta", 5) == 0);
        for (uint32_t n = 0; n < N; n++) {
            must_be_a_number(estimator, j, o->word[n]);
            if (estimator->model->trees)
                must_be_a_number(estimator, j, o->relation[n]);
            else
                assert_null(o->relation);
        }
        for (uint32_t i = 0; i < confidences->spans; i++)
            must_be_a_number(estimator, j, o->span[i]);
        must_be_a_number(estimator, j, o->sentence);
    }
    for (uint32_t i = 0; i < confidences->spans; i++) {
        assert_true(confidences->span[i].from < confidences->span[i].to && confidences->span[i].to <= N);
        assert_true(text_is(confidences->span[i].type, "PER") || text_is(confidences->span[i].type, "LOC"));
    }
    assert_null(confidences->alternative);
}

/* Alternatives. */

static void look_at_alternatives(const struct estimator *estimator, const struct confidences *confidences, uint32_t N)
{
    assert_int_equal(confidences->alternatives, estimator->alternatives);
    for (uint32_t n = 0; n < N; n++) {
        const struct alternative *list = confidences->alternative + (size_t)n * confidences->alternatives;
        double sum = 0;
        assert_true(confidences->found[n] >= 1 && confidences->found[n] <= confidences->alternatives);
        for (uint32_t i = 0; i < confidences->found[n]; i++) {
            assert_true(list[i].probability >= 0 && list[i].probability <= 1 + 1e-6);
            assert_true(i == 0 || list[i - 1].probability >= list[i].probability);
            assert_true(estimator->model->trees ? list[i].head <= N && list[i].head != n + 1
                                                : list[i].label.length > 0);
            sum += list[i].probability;
        }
        assert_true(sum <= 1 + 1e-6);
        if (estimator->alternatives >= MOST_WORDS + 1)
            assert_true(sum >= 1 - 1e-3);
    }
}

/* Requests that are refused. */

static void must_refuse(const vouch_model *model, const char *asked, const char *reason)
{
    err = (struct vouch_error){0};
    struct estimator *estimator = estimator_new(model, &(struct estimate_request){.methods = asked}, &err);
    if (estimator || err.status == VOUCH_OK)
        fail_msg("'%s' was not refused", asked);
    if (!strstr(err.message, reason))
        fail_msg("'%s' was refused with: %s", asked, err.message);
}

/* Confidence models. */

static void fit(struct method_model *method_model, enum calibration_kind kind, double scale)
{
    enum { SEEN = 200 };
    double raw[SEEN];
    bool right[SEEN];
    for (int i = 0; i < SEEN; i++) {
        raw[i] = scale * (i * 37 % SEEN) / SEEN;
        right[i] = i * 37 % SEEN > 60 + i % 70;
    }
    MUST(calibration_fit(kind, &(struct calibration_rows){raw, right, NULL, SEEN}, &method_model->calibration, &err));
}

static void forecast(struct forecaster *f, uint32_t signals)
{
    enum { SEEN = 400 };
    double *signal = calloc((size_t)SEEN * signals, sizeof *signal);
    double *held = calloc(SEEN, sizeof *held);
    static bool right[SEEN];
    static uint32_t group[SEEN];
    for (int i = 0; i < SEEN; i++) {
        for (uint32_t j = 0; j < signals; j++)
            signal[(uint32_t)i * signals + j] = i * (37 + (int)j) % SEEN / 100.0 - 2;
        right[i] = signal[(uint32_t)i * signals] > 0 || i % 9 == 0;
        group[i] = (uint32_t)i / 2;
    }
    struct logistic_rows rows = {signal, right, NULL, SEEN, signals, group};
    MUST(forecaster_fit(f, &rows, 1, 1, held, &err));
    free(held);
    free(signal);
}

/* Makes a joint probability of so many signals. */
static void join(struct logistic *joint, uint32_t signals)
{
    enum { SEEN = 300 };
    double *signal = calloc((size_t)SEEN * signals, sizeof *signal), least[SEEN], held[SEEN];
    bool right[SEEN];
    uint32_t group[SEEN];
    for (uint32_t i = 0; i < SEEN; i++) {
        for (uint32_t j = 0; j < signals; j++)
            signal[i * signals + j] = i * (41 + j) % SEEN / 80.0 - 2;
        least[i] = (1 + i % 99) / 100.0;
        right[i] = i % 99 > 60 || i % 7 == 0;
        group[i] = i / 3;
    }
    struct logistic_rows rows = {signal, right, least, SEEN, signals, group};
    MUST(joint_fit(&rows, 1, joint, held, &err));
    for (uint32_t i = 0; i < SEEN; i++)
        assert_true(held[i] > 0 && held[i] <= least[i]);
    free(signal);
}

/* Makes a confidence model as training might leave it: every kind of calibration, and forecasters for `signals`. */
static void make_confidence_model(struct confidence_model *b, const uint32_t signals[UNITS])
{
    confidence_model_init(b);
    b->preferred = 0;
    struct method_model *gamma = confidence_model_find(b, "gamma", &two_voices, &err),
                        *delta = confidence_model_find(b, "delta", &two_voices, &err);
    struct method_model *kb = confidence_model_find(b, "kb@crf", &two_voices, &err),
                        *committee = confidence_model_find(b, "committee", &two_voices, &err);
    MUST(gamma && delta && kb && committee);
    fit(gamma, CALIBRATE_ISOTONIC, 1);
    fit(delta, CALIBRATE_PLATT, 40);
    fit(kb, CALIBRATE_BETA, 1);
    forecast(&b->forecaster, signals[UNIT_WORD]);
    forecast(&b->with_text, COMMITTEE_TEXT_SIGNALS);
    forecast(&b->discount.unlike, UNLIKE_FEATURES);
    join(&b->discount.other, OTHER_FEATURES);
    b->discount.balance = 2.5;
    b->discount.fitted = true;
    for (uint32_t i = 0; i < b->count; i++)
        for (enum unit unit = UNIT_SPAN; unit < UNITS; unit++)
            join(&b->method_model[i].joint[unit], method_model_signals(&b->method_model[i], unit, signals));
    gamma->figure[UNIT_WORD][FIGURE_COUNT] = 200;
    gamma->figure[UNIT_WORD][FIGURE_ERRORS] = 20;
    gamma->figure[UNIT_WORD][FIGURE_AURC] = 0.125;
    b->preferred = 1;
    b->params[0] = (struct method_params){.best = 7, .weighted = 5, .draws = 9, .fix = 0.25, .pc = 0.125, .c = 0.3};
    b->params[1] = (struct method_params){.best = 3, .weighted = 4, .draws = 33, .fix = 1e-3, .pc = 1e3, .c = 1.0 / 3};
}

static json_t *make_json(const uint32_t signals[UNITS])
{
    struct confidence_model b;
    make_confidence_model(&b, signals);
    json_t *json = confidence_model_json(&b, &two_voices);
    assert_non_null(json);
    confidence_model_release(&b);
    return json;
}

static const uint32_t some[UNITS] = {SIGNALS, SIGNALS + 1, SIGNALS + 2};

static json_t *whole; /* a confidence model as it should be, with a forecaster */

static void bring_forecaster(json_t *json)
{
    struct confidence_model b;
    struct forecaster f = {0};
    enum { SEEN = 60 };
    double x[SEEN * SIGNALS], start[SEEN] = {0}, held[SEEN];
    bool right[SEEN];
    float weight[SEEN];
    uint32_t part[SEEN];
    for (int i = 0; i < SEEN * SIGNALS; i++)
        x[i] = i * 37 % 100 / 50.0 - 1;
    for (int i = 0; i < SEEN; i++) {
        right[i] = x[i * SIGNALS] > 0;
        weight[i] = 1;
        part[i] = (uint32_t)i % 2;
    }
    f.fitted = true;
    struct boost_rows rows = {x, right, start, weight, part, SEEN, SIGNALS, 2};
    struct boost_options two_trees = boost_defaults;
    two_trees.trees = 2;
    two_trees.depth = 3;
    two_trees.least = 0.1;
    MUST(boost_fit(&rows, &two_trees, 1, &f.boost, held, &err));
    assert_int_equal(f.boost.trees, 2);
    MUST(logistic_fit(&(struct logistic_rows){.x = x, .right = right, .n = SEEN, .features = SIGNALS}, 1, &f.logistic,
                      &err));
    confidence_model_init(&b);
    b.forecaster = f;
    json_t *made = confidence_model_json(&b, &two_voices);
    json_object_set(json, "committee", json_object_get(made, "committee"));
    json_decref(made);
    confidence_model_release(&b);
}

FIXTURE(make_whole)
{
    whole = make_json(some);
    bring_forecaster(whole);
    return folder_make(state);
}

FIXTURE(drop_whole)
{
    json_decref(whole);
    return folder_remove(state);
}

/* Models with a confidence model. */

/* Returns a header's "confidence" for both layers of a parser, or the one of a tagger. */
static json_t *confidence_of(const vouch_model *model)
{
    json_t *layers = json_object();
    struct estimator *estimator = must_ask(model, (struct estimate_request){.methods = "gamma"});
    for (uint32_t l = 0; l < model->layers; l++) {
        const struct voice_set *voice_set = &estimator->layer[l].voice_set;
        uint32_t signals[UNITS] = {committee_word_signals(voice_set), committee_span_signals(voice_set),
                                   committee_sentence_signals(voice_set)};
        json_object_set_new(layers, model->layer[l].name, make_json(signals));
    }
    estimator_free(estimator);
    return json_pack("{s:i, s:i, s:o}", "form", CONFIDENCE_MODEL_FORM, "seed", 3, "layers", layers);
}

static const char *with_confidence_model(bool tree)
{
    vouch_model *model = must_open(tree ? small_parser("bare", two, NULL) : small_tagger("bare", two, NULL));
    json_t *confidence = confidence_of(model);
    vouch_model_close(model);
    return tree ? small_parser("knowing", two, confidence) : small_tagger("knowing", two, confidence);
}

#endif
