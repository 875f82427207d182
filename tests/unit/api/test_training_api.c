/*
 * Tests training through vouch.h: a watch is told everything and can stop it at any event, wrong options and missing
 * files are refused with the right status, and what was learned until a stop can be used.
 */
#include "sample/sample.h"
#include "train/training.h"

#include "folder.h"

#include <stdatomic.h>

#include "must.h"
#include "sample_file.h"
#include "test.h"

enum { KINDS = VOUCH_EVENT_FOLDS + 1 };

FIXTURE(set_up)
{
    int status = folder_make(state);
    put_sample("train", SAMPLE_NER, 0, 1100); /* reading is told of every 1024 */
    put_sample("dev", SAMPLE_NER, 5000, 50);
    put_sample("trees", SAMPLE_DEP, 0, 45);
    return status;
}

/* Options as "name=value name=value"; NULL with an error: a value was refused. */
static vouch_options *options_or_error(const char *command, const char *text)
{
    char copy[400], *rest = copy, *word;
    vouch_options *options = vouch_options_new(command, &err);
    assert_non_null(options);
    snprintf(copy, sizeof copy, "%s", text);
    while ((word = strtok_r(rest, " ", &rest))) {
        char *value = strchr(word, '=');
        *value = '\0';
        if (vouch_options_set(options, word, value + 1, &err) != VOUCH_OK) {
            vouch_options_free(options);
            return NULL;
        }
    }
    return options;
}

static vouch_options *options_of(const char *command, const char *text)
{
    vouch_options *options = options_or_error(command, text);
    MUST(options != NULL);
    return options;
}

/* Notes what is told, and stops at the first event of a kind. */
struct listener {
    unsigned told[KINDS];
    int stop_at; /* a kind; -1: never */
    bool stopping;
    char last[KINDS][300];   /* line of each kind */
    char record[KINDS][300]; /* and record */
};

static void listen(void *context, const struct vouch_event *event)
{
    struct listener *l = context;
    assert_int_equal(event->size, sizeof *event);
    assert_in_range(event->kind, 0, KINDS - 1);
    assert_true(event->what && event->note);
    assert_true(event->of == 0 || event->done <= event->of);
    l->told[event->kind]++;
    l->stopping = l->stopping || (int)event->kind == l->stop_at;
    if (event->text)
        snprintf(l->last[event->kind], sizeof l->last[0], "%s", event->text);
    if (event->record)
        snprintf(l->record[event->kind], sizeof l->record[0], "%s", event->record);
    assert_null(event->text ? strchr(event->text, '\n') : NULL);
}

static int asked_to_stop(void *context)
{
    return ((struct listener *)context)->stopping;
}

static struct vouch_watch watch_of(struct listener *listener, int stop_at)
{
    *listener = (struct listener){.stop_at = stop_at};
    return (struct vouch_watch){
        .size = sizeof(struct vouch_watch), .context = listener, .tell = listen, .stop = asked_to_stop};
}

static vouch_model *train_watched(const char *options_text, const char *file, const struct vouch_watch *watch)
{
    const char *files[] = {folder_file(file)};
    vouch_options *options = options_or_error("train", options_text);
    if (!options)
        return NULL;
    err = (struct vouch_error){0};
    vouch_model *model = vouch_train(options, files, 1, watch, &err);
    vouch_options_free(options);
    return model;
}

TEST_WITH(every_step_is_told, set_up, folder_remove)
{
    takes_long();
    char options[300];
    struct listener listener;
    struct vouch_watch watch = watch_of(&listener, -1);
    snprintf(options, sizeof options, "task=ner algorithm=cw passes=2 dev=%s best-pass=true", folder_file("dev"));
    vouch_model *model = train_watched(options, "train", &watch);
    MUST(model);
    assert_int_equal(listener.told[VOUCH_EVENT_READING], 1);
    assert_int_equal(listener.told[VOUCH_EVENT_READ], 1);
    assert_int_equal(listener.told[VOUCH_EVENT_PASS], 2);
    assert_int_equal(listener.told[VOUCH_EVENT_KEPT], 1);
    assert_int_equal(listener.told[VOUCH_EVENT_CALIBRATED], 1);
    assert_true(listener.told[VOUCH_EVENT_LEARNING] > 2);
    assert_true(listener.told[VOUCH_EVENT_CALIBRATING] > 2);
    assert_true(listener.told[VOUCH_EVENT_TRIED] > 2);
    assert_int_equal(listener.told[VOUCH_EVENT_HOLDING_OUT], 0);
    assert_non_null(strstr(listener.last[VOUCH_EVENT_READ], "read 1100 sentences"));
    assert_non_null(strstr(listener.last[VOUCH_EVENT_PASS], "cw         pass  2/2  loss"));
    assert_non_null(strstr(listener.last[VOUCH_EVENT_PASS], "dev P"));
    assert_non_null(strstr(listener.record[VOUCH_EVENT_PASS], "\"pass\":2"));
    assert_non_null(strstr(listener.record[VOUCH_EVENT_KEPT], "\"event\":\"kept\""));
    assert_non_null(strstr(vouch_model_header(model), "\"confidence\""));
    vouch_model_close(model);

    /* Other steps are told of by other options. */
    watch = watch_of(&listener, -1);
    model = train_watched("task=dep algorithm=pa passes=1 bits=10 tune=true", "trees", &watch);
    MUST(model);
    assert_int_equal(listener.told[VOUCH_EVENT_TUNED], 2);
    assert_int_equal(listener.told[VOUCH_EVENT_TUNING], 16);
    assert_true(listener.told[VOUCH_EVENT_HOLDING_OUT] > 2);
    assert_int_equal(listener.told[VOUCH_EVENT_CALIBRATED], 2);
    assert_non_null(strstr(listener.record[VOUCH_EVENT_TUNED], "\"result\":{\"parameter\":\"C\""));
    vouch_model_close(model);
}

/* Before anything is learned there is nothing to keep; afterwards there is a model that works. */
TEST_WITH(training_stops_at_every_event, set_up, folder_remove)
{
    static const struct {
        int kind;
        bool kept, whole; /* there is a model; every voice was learned to the end */
    } cases[] = {{VOUCH_EVENT_READING, false, false},   {VOUCH_EVENT_LEARNING, true, false},
                 {VOUCH_EVENT_PASS, true, false},       {VOUCH_EVENT_KEPT, true, true},
                 {VOUCH_EVENT_CALIBRATING, true, true}, {VOUCH_EVENT_TRIED, true, true}};
    char options[300];
    snprintf(options, sizeof options, "task=ner algorithm=cw passes=2 dev=%s best-pass=true", folder_file("dev"));
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        static const char *const cells[] = {"Paris", "NNP", "B-NP"};
        const char *label;
        struct listener listener;
        struct vouch_watch watch = watch_of(&listener, cases[i].kind);
        vouch_model *model = train_watched(options, "train", &watch);
        assert_int_equal(err.status, VOUCH_ERR_STOPPED);
        assert_true(err.message[0]);
        assert_int_equal(model != NULL, cases[i].kept);
        assert_int_equal(listener.told[VOUCH_EVENT_CALIBRATED], 0);
        if (!model)
            continue;
        assert_int_equal(strstr(vouch_model_header(model), "\"interrupted\":true") == NULL, cases[i].whole);
        assert_null(strstr(vouch_model_header(model), "\"confidence\""));
        assert_int_equal(vouch_model_label(model, cells, 1, 3, &label, NULL, &err), VOUCH_OK);
        vouch_model_close(model);
    }

    /* While a parameter is being chosen, and while parts are being learned. */
    struct listener listener;
    struct vouch_watch watch = watch_of(&listener, VOUCH_EVENT_TUNING);
    assert_null(train_watched("task=dep algorithm=pa passes=1 bits=10 tune=true", "trees", &watch));
    assert_int_equal(err.status, VOUCH_ERR_STOPPED);
    watch = watch_of(&listener, VOUCH_EVENT_HOLDING_OUT);
    vouch_model *model = train_watched("task=dep algorithm=pa passes=5 bits=10", "trees", &watch);
    assert_non_null(model);
    assert_int_equal(err.status, VOUCH_ERR_STOPPED);
    vouch_model_close(model);
}

/* Parts that are learned beside the model are told of once it is learned: never, if they were all learned before. */
TEST_WITH(parts_beside_the_model_stop_if_they_are_told_of, set_up, folder_remove)
{
    struct listener listener;
    struct vouch_watch watch = watch_of(&listener, VOUCH_EVENT_HOLDING_OUT);
    vouch_model *model = train_watched("task=dep algorithm=pa passes=5 bits=10 threads=2", "trees", &watch);
    MUST(model);
    assert_int_equal(err.status, listener.stopping ? VOUCH_ERR_STOPPED : VOUCH_OK);
    assert_int_equal(strstr(vouch_model_header(model), "\"confidence\"") == NULL, listener.stopping);
    vouch_model_close(model);
}

/* Stops when it is asked for the n-th time, by whichever thread. */
struct patience {
    atomic_int left;
};

static int has_none_left(void *context)
{
    return atomic_fetch_sub(&((struct patience *)context)->left, 1) <= 0;
}

/* Whoever notices it first, the model or the parts that are learned beside it: nothing is calibrated. */
TEST_WITH(threads_stop_at_any_time, set_up, folder_remove)
{
    for (int left = 0; left < 40; left += in_a_hurry() ? 7 : 1 + left / (SANITIZED ? 2 : 8)) {
        struct patience patience = {left};
        struct vouch_watch watch = {.size = sizeof watch, .context = &patience, .stop = has_none_left};
        vouch_model *model = train_watched("task=dep algorithm=pa passes=3 bits=10 threads=3", "trees", &watch);
        assert_int_equal(err.status, VOUCH_ERR_STOPPED);
        assert_true(!model || !strstr(vouch_model_header(model), "\"confidence\""));
        vouch_model_close(model);
    }
}

TEST_WITH(tuning_and_folds_stop, set_up, folder_remove)
{
    const char *files[] = {folder_file("dev")};
    struct listener listener;
    struct vouch_watch watch = watch_of(&listener, VOUCH_EVENT_CALIBRATING);
    vouch_model *model = train_watched("task=ner passes=1 no-calibrate=true", "dev", NULL);
    MUST(model);
    vouch_options *options = options_of("tune", "grid=quick");
    assert_null(vouch_tune(model, options, files, 1, &watch, &err));
    assert_int_equal(err.status, VOUCH_ERR_STOPPED);
    watch = watch_of(&listener, -1);
    vouch_model *tuned = vouch_tune(model, options, files, 1, &watch, &err);
    MUST(tuned);
    /* The files are those that it was trained on, and there are few of their sentences. */
    assert_true(listener.told[VOUCH_EVENT_WARNING] >= 2);
    assert_non_null(strstr(vouch_model_header(tuned), "\"confidence\""));
    assert_null(strstr(vouch_model_header(model), "\"confidence\""));
    vouch_options_free(options);
    vouch_model_close(tuned);
    vouch_model_close(model);

    char *json = NULL;
    options = options_of("eval", "task=ner folds=2 passes=1 algorithm=cw,pa");
    watch = watch_of(&listener, VOUCH_EVENT_FOLDS);
    assert_int_equal(vouch_cross_validate(options, files, 1, &watch, &json, &err), VOUCH_ERR_STOPPED);
    assert_null(json);
    MUST(vouch_cross_validate(options, files, 1, NULL, &json, &err) == VOUCH_OK);
    assert_non_null(strstr(json, "\"t_tests\""));
    vouch_free(json);
    vouch_options_free(options);
}

/* Every option that can be wrong is, once; the message names it. */
TEST_WITH(wrong_options_are_refused, set_up, folder_remove)
{
    static const struct {
        const char *options, *said;
        enum vouch_status status;
    } cases[] = {
        {"", "expected --task", VOUCH_ERR_ARGUMENT},
        {"task=nerr", "--task", VOUCH_ERR_ARGUMENT},
        {"task=ner algorithm=svm", "--algorithm", VOUCH_ERR_ARGUMENT},
        {"task=ner algorithm=cw+cw", "there twice", VOUCH_ERR_ARGUMENT},
        {"task=ner algorithm=cw+", "--algorithm", VOUCH_ERR_ARGUMENT},
        {"task=ner covariance=half", "--covariance", VOUCH_ERR_ARGUMENT},
        {"task=ner features=all", "--features", VOUCH_ERR_ARGUMENT},
        {"task=ner features=ner template=t", "not both", VOUCH_ERR_ARGUMENT},
        {"task=ner template=missing", "missing", VOUCH_ERR_IO},
        {"task=ner learn-as=iob", "--learn-as", VOUCH_ERR_ARGUMENT},
        {"task=ner format=xml", "--format", VOUCH_ERR_ARGUMENT},
        {"task=ner column=x", "--column", VOUCH_ERR_ARGUMENT},
        {"task=ner column=upos gold=2", "not both", VOUCH_ERR_ARGUMENT},
        {"task=ner grid=fine", "--grid", VOUCH_ERR_ARGUMENT},
        {"task=ner best-pass=true", "--best-pass", VOUCH_ERR_ARGUMENT},
        {"task=ner dev=missing", "missing", VOUCH_ERR_IO},
        {"task=dep features=ner", "features of its own", VOUCH_ERR_ARGUMENT},
        {"task=dep multi-root=all", "--multi-root", VOUCH_ERR_ARGUMENT},
        {"task=dep passes=1", "expected", VOUCH_ERR_FORMAT},
        {"from=missing", "missing", VOUCH_ERR_IO},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        vouch_model *model = train_watched(cases[i].options, "dev", NULL);
        if (model || err.status != cases[i].status || !strstr(err.message, cases[i].said))
            fail_msg("%s: status %d: %s", cases[i].options, err.status, err.message);
    }
    vouch_options *options = vouch_options_new("train", &err);
    assert_int_equal(vouch_options_set(options, "passes", "0", &err), VOUCH_ERR_ARGUMENT);
    assert_int_equal(vouch_options_set(options, "pases", "1", &err), VOUCH_ERR_ARGUMENT);
    assert_int_equal(vouch_options_set(options, "output", "x", &err), VOUCH_ERR_ARGUMENT);
    vouch_options_free(options);
}

/* Pointers, sizes and options that cannot be. */
TEST_WITH(wrong_arguments_are_refused, set_up, folder_remove)
{
    struct vouch_watch short_watch = {.size = 8};
    const char *files[] = {folder_file("dev"), NULL};
    char not_null[1], *json = not_null;
    vouch_options *train = options_of("train", "task=ner"), *tune = options_of("tune", "grid=quick");
    vouch_options *eval = options_of("eval", "task=ner");
#define REFUSED(call)                                                                                                  \
    do {                                                                                                               \
        err = (struct vouch_error){0};                                                                                 \
        assert_null(call);                                                                                             \
        assert_int_equal(err.status, VOUCH_ERR_ARGUMENT);                                                              \
    } while (0)
    REFUSED(vouch_train(NULL, files, 1, NULL, &err));
    REFUSED(vouch_train(tune, files, 1, NULL, &err));
    REFUSED(vouch_train(train, NULL, 1, NULL, &err));
    REFUSED(vouch_train(train, files, 0, NULL, &err));
    REFUSED(vouch_train(train, files, 2, NULL, &err));
    REFUSED(vouch_train(train, files, 1, &short_watch, &err));
    REFUSED(vouch_tune(NULL, tune, files, 1, NULL, &err));
    assert_null(vouch_train(train, files, 0, NULL, NULL));
    assert_int_equal(vouch_cross_validate(eval, files, 1, NULL, NULL, &err), VOUCH_ERR_ARGUMENT);
    assert_int_equal(vouch_cross_validate(eval, files, 1, NULL, &json, &err), VOUCH_ERR_ARGUMENT); /* no folds */
    assert_null(json);
    vouch_options_free(train);
    vouch_options_free(tune);
    vouch_options_free(eval);
    vouch_free(NULL);
}

/* What cannot be true of a model to go on from is refused. */
TEST_WITH(going_on_is_checked, set_up, folder_remove)
{
    char from[200], options[400];
    vouch_model *model = train_watched("task=ner passes=1 no-calibrate=true", "dev", NULL);
    MUST(model);
    MUST(vouch_model_save(model, folder_file("model"), &err) == VOUCH_OK);
    vouch_model_close(model);
    snprintf(from, sizeof from, "from=%s", folder_file("model"));
    static const char *const wrong[] = {"task=pos", "algorithm=pa", "features=ner", "tune=true", "learn-as=bioes"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        snprintf(options, sizeof options, "%s %s", from, wrong[i]);
        assert_null(train_watched(options, "dev", NULL));
        assert_int_equal(err.status, VOUCH_ERR_ARGUMENT);
    }
    struct listener listener;
    struct vouch_watch watch = watch_of(&listener, -1);
    model = train_watched(from, "train", &watch);
    MUST(model);
    assert_int_equal(listener.told[VOUCH_EVENT_PASS], 3);
    assert_non_null(strstr(listener.last[VOUCH_EVENT_NOTE], "there is no calibrated confidence, as before"));
    assert_non_null(strstr(vouch_model_header(model), "\"in_all\":1150"));
    vouch_model_close(model);
}

/* The sentences of a file, answered one after the other with a model. */
struct asked_file {
    vouch_request *request;
    vouch_worker *worker;
    vouch_reader *reader;
    vouch_sentence *sentence;
};

static void asked_start(struct asked_file *a, const vouch_model *model, const char *file)
{
    a->request = vouch_request_new(model, NULL, &err);
    MUST(a->request);
    a->worker = vouch_worker_new(a->request, &err);
    a->reader = vouch_reader_open(folder_file(file), model, NULL, &err);
    a->sentence = vouch_sentence_new(&err);
    MUST(a->worker && a->reader && a->sentence);
}

static const vouch_answer *asked_next(struct asked_file *a)
{
    int more = vouch_reader_next(a->reader, a->sentence, &err);
    MUST(more >= 0);
    const vouch_answer *answer = more ? vouch_worker_answer(a->worker, a->sentence, &err) : NULL;
    MUST(!more || answer);
    return answer;
}

static void asked_end(struct asked_file *a)
{
    vouch_sentence_free(a->sentence);
    vouch_reader_close(a->reader);
    vouch_worker_free(a->worker);
    vouch_request_free(a->request);
}

static void expect_same(double found, double expected)
{
    assert_memory_equal(&found, &expected, sizeof found);
}

/* A calibrated model as training returns it, and the same saved and opened: every answer and number is the same. */
TEST_WITH(a_trained_model_answers_as_its_file_does, set_up, folder_remove)
{
    takes_long();
    put_sample("some", SAMPLE_NER, 0, 60);
    for (int tree = 0; tree < 2; tree++) {
        const char *file = tree ? "trees" : "dev";
        vouch_model *model = learn_quickly(tree ? "dep" : "ner", folder_file(tree ? "trees" : "some"));
        MUST(vouch_model_save(model, folder_file("saved"), &err) == VOUCH_OK);
        vouch_model *opened = vouch_model_open(folder_file("saved"), &err);
        MUST(opened);
        struct asked_file one, other;
        asked_start(&one, model, file);
        asked_start(&other, opened, file);
        const vouch_answer *a;
        size_t words = 0;
        while ((a = asked_next(&one))) {
            const vouch_answer *b = asked_next(&other);
            assert_int_equal(vouch_answer_methods(a), 1);
            for (size_t n = 0; n < vouch_answer_words(a); n++, words++) {
                assert_string_equal(vouch_answer_label(b, n), vouch_answer_label(a, n));
                assert_int_equal(vouch_answer_head(b, n), vouch_answer_head(a, n));
                expect_same(vouch_answer_confidence(b, 0, n), vouch_answer_confidence(a, 0, n));
            }
        }
        assert_null(asked_next(&other));
        assert_true(words > 400);
        asked_end(&one);
        asked_end(&other);
        vouch_model_close(model);
        vouch_model_close(opened);
    }
}
