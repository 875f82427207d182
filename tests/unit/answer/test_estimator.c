/* Tests estimators: methods that are named judge the answers of small models. */
#include "estimator_cases.h"
#include "test.h"

FILE_FIXTURE(make_whole, drop_whole);

TEST(every_method_judges_every_word)
{
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

TEST(single_voices_of_every_learner_are_judged)
{
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

TEST(words_can_be_judged_alone)
{
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

TEST(alternatives_are_sorted_and_share_one)
{
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

TEST(the_answer_is_among_the_alternatives_with_its_own_number)
{
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

/* The confidences of all words, to be compared with. */
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

TEST(every_method_names_the_likeliest_other_label)
{
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

TEST(who_abstains_says_nothing)
{
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

TEST(what_cannot_be_served_is_refused)
{
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

TEST(there_is_an_end_to_methods)
{
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

TEST(nothing_is_preferred_by_a_model_without_a_confidence_model)
{
    vouch_model *model = must_open(small_tagger("tagger", two, NULL));
    err = (struct vouch_error){0};
    assert_null(estimator_new(model, &(struct estimate_request){0}, &err));
    assert_int_equal(err.status, VOUCH_OK);
    vouch_model_close(model);
}

/* A model is only read from: threads may make any number of estimators of it at the same time. */
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

TEST(threads_make_estimators_of_one_model)
{
    for (int tree = 0; tree < 2; tree++) {
        vouch_model *model = must_open(with_confidence_model(tree));
        MUST(parallel_run(8, 200, make_an_estimator, model, &err));
        vouch_model_close(model);
    }
}

/* Labels through the public interface, with confidence: two words, then one. */
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

TEST(the_public_interface_gives_probabilities_or_none)
{
    double confidence[2] = {-1, -1};
    vouch_model *model = must_open(with_confidence_model(false));
    labels_and_judges(model, confidence);
    for (int i = 0; i < 2; i++)
        assert_true(confidence[i] >= 0 && confidence[i] <= 1);

    /* A method may be preferred that was not calibrated. */
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
