/*
 * Juries: methods asked for by name judge the answers of small models; and
 * confidence_model, written to a header, read back, and damaged.
 */
#include "base/parallel.h"
#include "confidence/forecaster.h"
#include "predict/estimator.h"

#include "folder.h"
#include "small_models.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "must.h"
#include "predict/predictor.h"

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

/* Sees every judged sentence. */
typedef void (*look_at)(const struct estimator *estimator, const struct confidences *confidences, uint32_t N);

static void judge_all(const vouch_model *model, const struct estimator *estimator, look_at look)
{
    bool trees = model->trees;
    struct predictor *predictor = predictor_new(model, estimator, &err);
    struct reader_options options = {.format = trees ? FORMAT_CONLLU : FORMAT_CONLL, .trees = trees};
    struct reader *reader = reader_open(folder_file(trees ? "trees" : "tags"), &options, &err);
    struct sentence sentence = {0};
    struct prediction prediction = {0};
    MUST(reader && predictor);
    while (reader_next(reader, &sentence, &err) == READ_SENTENCE) {
        assert_true(sentence.N <= MOST_WORDS);
        MUST(predictor_answer(predictor, &sentence, &prediction, &err));
        look(estimator, prediction.answer.confidences, sentence.N);
    }
    prediction_release(&prediction);
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

static void every_method_judges_every_word(void **state)
{
    (void)state;
    small_tagger("tagger", two, NULL);
    small_parser("parser", two, NULL);
    for (int i = 0; i < 2; i++) {
        vouch_model *model = must_open(folder_file(i ? "parser" : "tagger"));
        struct estimator *estimator = must_ask(model, (struct estimate_request){.methods = "all"});
        assert_int_equal(estimator->methods, 10); /* nine methods of the first voice, and the committee */
        judge_all(model, estimator, look_at_numbers);
        estimator_free(estimator);
        for (const struct method *const *m = methods; *m; m++) {
            if ((*m)->sets)
                continue;
            estimator = must_ask(model, (struct estimate_request){.methods = (*m)->name, .draws = 7, .raw = true});
            assert_int_equal(estimator->methods, 1);
            judge_all(model, estimator, look_at_numbers);
            estimator_free(estimator);
        }
        estimator =
            must_ask(model, (struct estimate_request){.methods = "gamma@crf,delta@crf,kd-fix+delta@crf,kb,committee"});
        assert_string_equal(estimator->layer[0].chosen[0].name, "gamma@crf");
        assert_int_equal(estimator->layer[0].chosen[2].voice, 1);
        judge_all(model, estimator, look_at_numbers);
        estimator_free(estimator);
        vouch_model_close(model);
    }
}

static void single_voices_of_every_learner_are_judged(void **state)
{
    (void)state;
    for (const struct learner *const *learner = learners; *learner; learner++) {
        const char *voices[] = {(*learner)->name, NULL};
        small_tagger("tagger", voices, NULL);
        small_parser("parser", voices, NULL);
        for (int i = 0; i < 2; i++) {
            vouch_model *model = must_open(folder_file(i ? "parser" : "tagger"));
            struct estimator *estimator = must_ask(model, (struct estimate_request){.methods = "all"});
            judge_all(model, estimator, look_at_numbers);
            estimator_free(estimator);
            vouch_model_close(model);
        }
    }
}

static void look_at_words_only(const struct estimator *estimator, const struct confidences *confidences, uint32_t N)
{
    for (uint32_t j = 0; j < confidences->methods; j++) {
        for (uint32_t n = 0; n < N; n++)
            must_be_a_number(estimator, j, confidences->by_method[j].word[n]);
        for (uint32_t i = 0; confidences->by_method[j].span && i < confidences->spans; i++)
            assert_true(isnan(confidences->by_method[j].span[i]));
        assert_true(isnan(confidences->by_method[j].sentence));
    }
}

static void words_can_be_judged_alone(void **state)
{
    (void)state;
    small_tagger("tagger", two, NULL);
    small_parser("parser", two, NULL);
    for (int i = 0; i < 2; i++) {
        vouch_model *model = must_open(folder_file(i ? "parser" : "tagger"));
        struct estimator *estimator = must_ask(model, (struct estimate_request){.methods = "all", .words_only = true});
        judge_all(model, estimator, look_at_words_only);
        estimator_free(estimator);
        vouch_model_close(model);
    }
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

static void alternatives_are_sorted_and_share_one(void **state)
{
    (void)state;
    static const char *const each[] = {"gamma", "delta",     "kd-fix",    "kd-pc+delta", "wkb",
                                       "kb",    "committee", "gamma@crf", "random"};
    static const uint32_t counts[] = {1, 2, 20};
    small_tagger("tagger", two, NULL);
    small_parser("parser", two, NULL);
    for (int i = 0; i < 2; i++) {
        vouch_model *model = must_open(folder_file(i ? "parser" : "tagger"));
        for (size_t m = 0; m < sizeof each / sizeof *each; m++)
            for (int c = 0; c < 3; c++) {
                struct estimator *estimator =
                    must_ask(model, (struct estimate_request){.methods = each[m], .alternatives = counts[c]});
                judge_all(model, estimator, look_at_alternatives);
                estimator_free(estimator);
            }
        vouch_model_close(model);
    }
}

static void look_for_the_answers_share(const struct estimator *estimator, const struct confidences *confidences,
                                       uint32_t N)
{
    for (uint32_t n = 0; n < N; n++) {
        bool found = false;
        for (uint32_t i = 0; i < confidences->found[n]; i++)
            found |= fabs(confidences->alternative[n * estimator->alternatives + i].probability -
                          confidences->by_method[0].word[n]) < 1e-6;
        assert_true(found || confidences->by_method[0].word[n] < 1e-6);
    }
}

static void the_answer_is_among_the_alternatives_with_its_own_number(void **state)
{
    (void)state;
    static const char *const each[] = {"gamma", "kb", "wkb", "kd-fix", "kd-pc", "kd-fix@crf"};
    vouch_model *model = must_open(small_tagger("tagger", two, NULL));
    for (size_t m = 0; m < sizeof each / sizeof *each; m++) {
        struct estimator *estimator =
            must_ask(model, (struct estimate_request){.methods = each[m], .alternatives = 20});
        judge_all(model, estimator, look_for_the_answers_share);
        estimator_free(estimator);
    }
    vouch_model_close(model);
}

/* What was said of all words, to be compared with. */
static struct {
    struct text label[64];
    uint32_t count, seen, chosen;
} others;

static void keep_others(const struct estimator *estimator, const struct confidences *confidences, uint32_t N)
{
    (void)estimator;
    for (uint32_t n = 0; n < N; n++) {
        assert_true(others.count < 64);
        others.label[others.count++] = confidences->by_method[others.chosen].other[n];
    }
}

/* As likely as the second of the alternatives, or more, since one of them is the answer; nothing if there is but one.
 */
static void look_at_others(const struct estimator *estimator, const struct confidences *confidences, uint32_t N)
{
    (void)estimator;
    for (uint32_t n = 0; n < N; n++) {
        const struct alternative *list = confidences->alternative + (size_t)n * confidences->alternatives;
        struct text other = confidences->by_method[0].other[n];
        double likely = -1;
        assert_true(text_equal(other, others.label[others.seen++]));
        for (uint32_t i = 0; i < confidences->found[n]; i++)
            if (text_equal(list[i].label, other))
                likely = list[i].probability;
        assert_true(confidences->found[n] == 1 || likely >= list[1].probability);
    }
}

static void every_method_names_the_likeliest_other_label(void **state)
{
    (void)state;
    static const char *const each[] = {"delta", "kb", "kd-fix", "gamma@crf", "committee"};
    vouch_model *model = must_open(small_tagger("tagger", two, NULL));
    for (uint32_t m = 0; m < sizeof each / sizeof *each; m++) {
        struct estimator *all = must_ask(
            model, (struct estimate_request){.methods = "delta,kb,kd-fix,gamma@crf,committee", .others = true});
        struct estimator *one =
            must_ask(model, (struct estimate_request){.methods = each[m], .alternatives = 20, .others = true});
        others.count = others.seen = 0;
        others.chosen = m;
        judge_all(model, all, keep_others);
        judge_all(model, one, look_at_others);
        assert_true(others.count > 0 && others.seen == others.count);
        estimator_free(all);
        estimator_free(one);
    }
    vouch_model_close(model);
}

static void who_abstains_says_nothing(void **state)
{
    (void)state;
    vouch_model *model = must_open(small_parser("parser", two, NULL));
    struct estimator *estimator = must_ask(model, (struct estimate_request){.methods = "all", .alternatives = 3});
    struct estimates estimates = {0};
    for (uint32_t N = 0; N < 4; N++) {
        MUST(estimator_abstain(estimator, N, &estimates, &err));
        assert_int_equal(estimates.confidences.methods, estimator->methods);
        assert_int_equal(estimates.confidences.spans, 0);
        assert_null(estimates.confidences.alternative);
        for (uint32_t j = 0; j < estimator->methods; j++) {
            assert_true(isnan(estimates.confidences.by_method[j].sentence));
            for (uint32_t n = 0; n < N; n++)
                assert_true(isnan(estimates.confidences.by_method[j].word[n]) &&
                            isnan(estimates.confidences.by_method[j].relation[n]));
        }
    }
    estimates_release(&estimates);
    estimator_free(estimator);
    vouch_model_close(model);
}

/* What cannot be asked. */

static void must_refuse(const vouch_model *model, const char *asked, const char *reason)
{
    err = (struct vouch_error){0};
    struct estimator *estimator = estimator_new(model, &(struct estimate_request){.methods = asked}, &err);
    if (estimator || err.status == VOUCH_OK)
        fail_msg("'%s' was not refused", asked);
    if (!strstr(err.message, reason))
        fail_msg("'%s' was refused with: %s", asked, err.message);
}

static void what_cannot_be_served_is_refused(void **state)
{
    (void)state;
    static const char *const plain[] = {"perceptron", "crf", NULL};
    small_tagger("tagger", plain, NULL);
    small_parser("parser", plain, NULL);
    for (int i = 0; i < 2; i++) {
        vouch_model *model = must_open(folder_file(i ? "parser" : "tagger"));
        must_refuse(model, "kd-pc", "confidence-weighted");
        must_refuse(model, "gamma,kd-pc+delta", "perceptron");
        must_refuse(model, "kd-pc@crf", "crf");
        must_refuse(model, "magic", "magic");
        must_refuse(model, "gamma@pa", "gamma@pa");
        must_refuse(model, "gamma@", "gamma@");
        must_refuse(model, "committee@crf", "committee@crf");
        must_refuse(model, "@crf", "@crf");
        must_refuse(model, "gamma,,delta", "gamma,,delta");
        must_refuse(model, ",", ",");
        must_refuse(model, "gammagammagammagammagammagammagammagammagammagammagammagamma", "gamma");
        vouch_model_close(model);
    }
}

static void there_is_an_end_to_methods(void **state)
{
    (void)state;
    vouch_model *model = must_open(small_tagger("tagger", two, NULL));
    char asked[6 * (MAX_METHODS + 2)] = "gamma";
    for (int i = 1; i < MAX_METHODS; i++)
        strcat(asked, ",gamma");
    struct estimator *estimator = must_ask(model, (struct estimate_request){.methods = asked});
    assert_int_equal(estimator->methods, MAX_METHODS);
    judge_all(model, estimator, look_at_numbers);
    estimator_free(estimator);
    strcat(asked, ",gamma");
    must_refuse(model, asked, "at most");
    must_refuse(model, "all,all,all", "at most");
    vouch_model_close(model);
}

static void nothing_is_preferred_by_a_model_without_a_confidence_model(void **state)
{
    (void)state;
    vouch_model *model = must_open(small_tagger("tagger", two, NULL));
    err = (struct vouch_error){0};
    assert_null(estimator_new(model, &(struct estimate_request){0}, &err));
    assert_int_equal(err.status, VOUCH_OK);
    vouch_model_close(model);
}

/* Beliefs. */

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
    MUST(forecaster_fit(f, &rows, 1, held, &err));
    free(held);
    free(signal);
}

/* A joint probability of so many signals. */
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

/* As training might leave them: every kind of calibration, and forecasters for `signals`. */
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
    for (uint32_t i = 0; i < b->count; i++)
        for (enum unit unit = UNIT_SPAN; unit < UNITS; unit++)
            join(&b->method_model[i].joint[unit], method_model_signals(&b->method_model[i], unit, signals));
    gamma->figure[UNIT_WORD][FIGURE_COUNT] = 200;
    gamma->figure[UNIT_WORD][FIGURE_ERRORS] = 20;
    gamma->figure[UNIT_WORD][FIGURE_AURC] = 0.125;
    b->preferred = 1;
    b->params[0] = (struct method_params){.best = 7, .draws = 9, .fix = 0.25, .pc = 0.125, .c = 0.3};
    b->params[1] = (struct method_params){.best = 3, .draws = 33, .fix = 1e-3, .pc = 1e3, .c = 1.0 / 3};
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

/* Through text, as a file has it. */
static json_t *written_and_read(json_t *json)
{
    char *text = json_dumps(json, 0);
    json_t *again = json_loads(text, 0, NULL);
    free(text);
    json_decref(json);
    return again;
}

static const uint32_t some[UNITS] = {SIGNALS, SIGNALS + 1, SIGNALS + 2};

static void must_apply_alike(const struct confidence_model *a, const struct confidence_model *b)
{
    for (uint32_t i = 0; i < a->count; i++)
        for (double raw = -3; raw < 60; raw += raw < 2 ? 0.01 : 3.7)
            assert_true(calibration_apply(&a->method_model[i].calibration, raw) ==
                        calibration_apply(&b->method_model[i].calibration, raw));
    for (int i = 0; i < 200; i++) {
        double signal[SIGNALS + UNITS + JOINT_SIGNALS];
        for (int j = 0; j < SIGNALS + UNITS + JOINT_SIGNALS; j++)
            signal[j] = i * (j + 3) % 200 / 40.0 - 2.5;
        assert_true(forecaster_apply(&a->forecaster, signal) == forecaster_apply(&b->forecaster, signal));
        for (uint32_t k = 0; k < a->count; k++)
            for (int u = UNIT_SPAN; u < UNITS; u++)
                assert_true(joint_apply(&a->method_model[k].joint[u], 0.7, signal) ==
                            joint_apply(&b->method_model[k].joint[u], 0.7, signal));
    }
}

static void a_confidence_model_survives_being_written(void **state)
{
    (void)state;
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

static void method_models_are_found_by_name(void **state)
{
    (void)state;
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

static json_t *whole; /* a confidence model as it should be, with a forecaster */

static void bring_forecaster(json_t *json)
{
    struct confidence_model b;
    struct forecaster f = {0};
    enum { SEEN = 60 };
    double x[SEEN * SIGNALS];
    bool right[SEEN];
    for (int i = 0; i < SEEN * SIGNALS; i++)
        x[i] = i * 37 % 100 / 50.0 - 1;
    for (int i = 0; i < SEEN; i++)
        right[i] = x[i * SIGNALS] > 0;
    f.fitted = true;
    MUST(logistic_fit(&(struct logistic_rows){.x = x, .right = right, .n = SEEN, .features = SIGNALS}, 1, &f.logistic,
                      &err));
    confidence_model_init(&b);
    b.forecaster = f;
    json_t *made = confidence_model_json(&b, &two_voices);
    json_object_set(json, "committee", json_object_get(made, "committee"));
    json_decref(made);
    confidence_model_release(&b);
}

static int make_whole(void **state)
{
    whole = make_json(some);
    bring_forecaster(whole);
    return folder_make(state);
}

static int drop_whole(void **state)
{
    json_decref(whole);
    return folder_remove(state);
}

static void a_damaged_confidence_model_is_refused(void **state)
{
    (void)state;
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
        {"parameters/cw/K_best", "1000000000000"},
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
        {"committee/kind", "\"magic\""},
        {"committee/kind", NULL},
        {"committee/logistic", NULL},
        {"committee/logistic/bias", "\"NaN\""},
        {"committee/logistic/weight", "[1]"},
        {"committee/logistic/weight/0", "\"1\""},
        {"committee/logistic/mean", "[1, 2, 3, 4, 5, 6]"},
        {"committee/logistic/scale", "{}"},
        {"committee/kind", "\"both\""},
        {"committee/boosted", "{}"},
        {"committee/after", "7"},
        {"committee/after", "{\"kind\": \"none\", \"margin\": false, \"limit\": 1}"},
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
static void one_method_under_two_names_is_refused(void **state)
{
    (void)state;
    json_t *copy = json_deep_copy(whole), *methods_found = json_object_get(copy, "methods");
    json_t *gamma = json_deep_copy(json_object_get(methods_found, "gamma"));
    json_object_del(gamma, "words");
    json_object_del(gamma, "evidence");
    json_object_set(methods_found, "gamma", gamma);
    json_object_set_new(methods_found, "gamma@cw", gamma);
    assert_false(accepted(copy));
}

/* Replaces every value in turn by what it should not be: refused, or harmless. */
static void spoil(json_t *place, json_t *root, json_t *by, uint32_t *spoilt);

static void spoil_one(json_t *place, const char *key, size_t index, json_t *root, json_t *by, uint32_t *spoilt)
{
    json_t *was = json_incref(key ? json_object_get(place, key) : json_array_get(place, index));
    if (key)
        json_object_set(place, key, by);
    else
        json_array_set(place, index, by);
    accepted(json_incref(root));
    ++*spoilt;
    if (key)
        json_object_set(place, key, was);
    else
        json_array_set(place, index, was);
    json_decref(was);
    spoil(was, root, by, spoilt);
}

static void spoil(json_t *place, json_t *root, json_t *by, uint32_t *spoilt)
{
    for (void *at = json_object_iter(place); at; at = json_object_iter_next(place, at))
        spoil_one(place, json_object_iter_key(at), 0, root, by, spoilt);
    for (size_t i = 0; i < json_array_size(place) && i < 3; i++)
        spoil_one(place, NULL, i, root, by, spoilt);
}

static void no_spoilt_value_does_harm(void **state)
{
    (void)state;
    static const char *const bad[] = {"null", "true", "\"NaN\"", "-1", "1e308", "[]", "{}", "9007199254740993"};
    uint32_t spoilt = 0;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        json_t *copy = json_deep_copy(whole), *by = json_loads(bad[i], JSON_DECODE_ANY, NULL);
        spoil(copy, copy, by, &spoilt);
        json_decref(by);
        assert_true(accepted(copy));
    }
    assert_true(spoilt > 500);
}

/* Models with a confidence model. */

/* A header's "confidence" for both layers of a parser, or the one of a tagger. */
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

static void what_is_calibrated_follows_from_the_confidence_model(void **state)
{
    (void)state;
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

static void a_model_with_a_damaged_confidence_model_still_labels(void **state)
{
    (void)state;
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

static void a_confidence_model_of_another_version_is_named_so(void **state)
{
    (void)state;
    vouch_model *model = must_open(with_confidence_model(false));
    json_t *confidence = json_deep_copy(json_object_get(model->header, "confidence"));
    vouch_model_close(model);
    json_object_del(confidence, "form");
    model = must_open(small_tagger("old", two, confidence));
    must_refuse(model, "gamma", "another version");
    vouch_model_close(model);
}

/* Boosted trees were a kind of forecaster once. */
static void a_forecaster_that_is_no_more_is_named_so(void **state)
{
    (void)state;
    vouch_model *model = must_open(with_confidence_model(false));
    json_t *confidence = json_deep_copy(json_object_get(model->header, "confidence"));
    vouch_model_close(model);
    json_t *label = json_object_get(json_object_get(confidence, "layers"), "label");
    json_object_set_new(label, "committee", json_pack("{s:s, s:{}}", "kind", "boosted", "boosted"));
    model = must_open(small_tagger("old", two, confidence));
    must_refuse(model, "gamma", "calibrate it anew with vouch tune");
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

static void probabilities_never_contradict_each_other(void **state)
{
    (void)state;
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

/* A model is only read from: threads may make as many juries of it as they like, at the same time. */
static bool make_an_estimator(void *context, uint32_t job, uint32_t thread, struct vouch_error *error)
{
    struct estimate_request request = {.methods = job % 2 ? NULL : "gamma,delta,kb@crf,committee"};
    (void)thread;
    struct estimator *estimator = estimator_new(context, &request, error);
    bool ok = estimator && chosen_is_calibrated(estimator, 0) &&
              (job % 2 || estimator->layer[0].chosen[0].method_model->figure[UNIT_WORD][FIGURE_COUNT] == 200);
    estimator_free(estimator);
    return ok;
}

static void threads_make_juries_of_one_model(void **state)
{
    (void)state;
    for (int tree = 0; tree < 2; tree++) {
        vouch_model *model = must_open(with_confidence_model(tree));
        MUST(parallel_run(8, 200, make_an_estimator, model, &err));
        vouch_model_close(model);
    }
}

/* Labels of the public interface, and how far it trusts them: of two words, then of one. */
static void labels_and_judges(const vouch_model *model, double *confidence)
{
    const char *cells[] = {"Ada", "NNP", "lives", "VBZ"}, *labels[2], *judged[2];
    for (size_t words = 3; words-- > 0;) {
        assert_int_equal(vouch_model_label(model, cells, words, 2, labels, NULL, &err), VOUCH_OK);
        assert_int_equal(vouch_model_label(model, cells, words, 2, judged, confidence, NULL), VOUCH_OK);
        for (size_t i = 0; i < words; i++)
            assert_string_equal(labels[i], judged[i]);
    }
}

static void the_public_interface_gives_probabilities_or_none(void **state)
{
    (void)state;
    double confidence[2] = {-1, -1};
    vouch_model *model = must_open(with_confidence_model(false));
    labels_and_judges(model, confidence);
    for (int i = 0; i < 2; i++)
        assert_true(confidence[i] >= 0 && confidence[i] <= 1);

    /* A method may be preferred that nobody calibrated. */
    json_t *header = json_deep_copy(json_object_get(model->header, "confidence"));
    json_t *label = json_object_get(json_object_get(header, "layers"), "label");
    json_object_del(json_object_get(json_object_get(label, "methods"), "delta"), "words");
    vouch_model_close(model);
    model = must_open(small_tagger("careless", two, header));
    labels_and_judges(model, confidence);
    assert_true(isnan(confidence[0]) && isnan(confidence[1]));
    vouch_model_close(model);

    confidence[0] = confidence[1] = -1;
    model = must_open(small_tagger("bare", two, NULL));
    labels_and_judges(model, confidence);
    assert_true(isnan(confidence[0]) && isnan(confidence[1]));
    vouch_model_close(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_method_judges_every_word),
        cmocka_unit_test(single_voices_of_every_learner_are_judged),
        cmocka_unit_test(words_can_be_judged_alone),
        cmocka_unit_test(alternatives_are_sorted_and_share_one),
        cmocka_unit_test(the_answer_is_among_the_alternatives_with_its_own_number),
        cmocka_unit_test(every_method_names_the_likeliest_other_label),
        cmocka_unit_test(who_abstains_says_nothing),
        cmocka_unit_test(what_cannot_be_served_is_refused),
        cmocka_unit_test(there_is_an_end_to_methods),
        cmocka_unit_test(nothing_is_preferred_by_a_model_without_a_confidence_model),
        cmocka_unit_test(a_confidence_model_survives_being_written),
        cmocka_unit_test(method_models_are_found_by_name),
        cmocka_unit_test(a_damaged_confidence_model_is_refused),
        cmocka_unit_test(one_method_under_two_names_is_refused),
        cmocka_unit_test(no_spoilt_value_does_harm),
        cmocka_unit_test(what_is_calibrated_follows_from_the_confidence_model),
        cmocka_unit_test(a_model_with_a_damaged_confidence_model_still_labels),
        cmocka_unit_test(a_confidence_model_of_another_version_is_named_so),
        cmocka_unit_test(a_forecaster_that_is_no_more_is_named_so),
        cmocka_unit_test(probabilities_never_contradict_each_other),
        cmocka_unit_test(threads_make_juries_of_one_model),
        cmocka_unit_test(the_public_interface_gives_probabilities_or_none),
    };
    return cmocka_run_group_tests_name("estimator", tests, make_whole, drop_whole);
}
