/* Tests models that INCEpTION teaches: one appears, is replaced, is learned from everybody's last text, and is kept. */
#include "serve/inception.h"

#include "desk/learner.h"
#include "serve/server.h"

#include "folder.h"
#include "must.h"

#include <time.h>

static const char ada[] = "{\"tokens\": [\"Ada\", \"left\"], \"labels\": [\"B-PER\", \"O\"]}\n";
static const char rome[] = "{\"tokens\": [\"Rome\", \"fell\"], \"labels\": [\"B-LOC\", \"O\"]}\n";

static struct serve_options options;
static struct server server;
static int warnings;

static void count_warning(void *context, const struct vouch_event *event)
{
    (void)context;
    warnings += event->kind == VOUCH_EVENT_WARNING;
}

static const struct vouch_watch watch = {.size = sizeof watch, .tell = count_warning};

static void open_all(const char *store)
{
    warnings = 0;
    options = (struct serve_options){.store = store};
    server = (struct server){.options = &options, .watch = &watch};
    MUST((server.models = models_new(&err)) && (server.learner = learner_open(&watch, &err)) &&
         (server.inception = inception_open(&server, &err)));
}

static void close_all(void)
{
    learner_close(server.learner);
    inception_close(server.inception);
    models_free(server.models);
}

/* Returns whether the model was being learned already. */
static bool teach_task(const char *model, const char *task, const char *by, const char *text)
{
    bool busy;
    const struct annotators_text sent = {model, task, by, text, strlen(text)};
    MUST(inception_teach(server.inception, &sent, &busy, &err));
    return busy;
}

static bool teach(const char *model, const char *by, const char *text)
{
    return teach_task(model, "ner", by, text);
}

/* Returns how many labels the served model has; 0: there is none. */
static size_t labels_of(const char *name)
{
    const struct served_model *model = models_take(server.models, name, ANY_MODEL, &err);
    const size_t labels = model ? vouch_model_label_count(model->model) : 0;
    models_leave(server.models, model);
    return labels;
}

TEST(a_model_is_learned_from_nothing)
{
    open_all(NULL);
    assert_false(teach("names", "ada", "")); /* nothing to learn */
    assert_false(inception_learns(server.inception, "names"));
    assert_false(teach("names", "ada", ada));
    learner_wait(server.learner);
    assert_int_equal(labels_of("names"), 2);
    assert_int_equal(labels_of("others"), 0);
    close_all();
}

TEST(the_last_text_of_everybody_is_learned)
{
    open_all(NULL);
    teach("names", "ada", rome);
    teach("names", "ada", ada); /* instead of the first, which may be learned already */
    teach("names", "bo", rome);
    learner_wait(server.learner);
    assert_int_equal(labels_of("names"), 3);
    teach("names", "bo", ada);
    learner_wait(server.learner);
    assert_int_equal(labels_of("names"), 2); /* learned anew: what bo took back is not in it */
    close_all();
}

TEST(what_is_open_is_left_to_the_model)
{
    open_all(NULL);
    teach_task("tags", "pos", "ada", "{\"tokens\": [\"a\", \"b\", \"c\"], \"labels\": [\"X\", null, \"Y\"]}\n");
    teach_task("trees", "dep", "ada",
               "{\"tokens\": [\"a\", \"b\", \"c\"], \"heads\": [2, null, 2], \"relations\": [\"x\", null, \"x\"]}\n");
    learner_wait(server.learner);
    assert_int_equal(warnings, 0);
    assert_int_equal(labels_of("tags"), 2);
    assert_true(labels_of("trees") > 0);
    close_all();
}

TEST(a_text_that_cannot_be_learned_is_told)
{
    open_all(NULL);
    teach("names", "ada", "no JSON\n");
    learner_wait(server.learner);
    assert_int_equal(labels_of("names"), 0);
    teach("names", "ada", ada);
    learner_wait(server.learner);
    assert_int_equal(labels_of("names"), 2);
    close_all();
    assert_int_equal(warnings, 1);
}

/* Another student has its turn, so that nothing is learned meanwhile. */
static bool take_time(void *context, const struct vouch_watch *until, struct vouch_error *e)
{
    (void)context, (void)e;
    while (!until->stop(until->context))
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    return true;
}

TEST_IN_FOLDER(texts_and_models_are_kept)
{
    char store[256];
    snprintf(store, sizeof store, "%s", folder_file("store.sqlite"));
    open_all(store);
    teach("a b/c", "ada", ada);
    learner_wait(server.learner);
    close_all();
    assert_int_equal(access(folder_file("inception-a%20b%2Fc.vouch"), R_OK), 0);

    open_all(store);
    assert_int_equal(labels_of("a b/c"), 2);
    assert_false(inception_learns(server.inception, "a b/c")); /* all was learned */
    struct student other = {.name = "other", .round = take_time};
    learner_ask(server.learner, &other);
    assert_false(teach("a b/c", "bo", rome)); /* never learned: the server ends before */
    assert_true(inception_learns(server.inception, "a b/c"));
    assert_true(teach("a b/c", "bo", rome));
    close_all();

    open_all(store);
    learner_wait(server.learner);
    assert_int_equal(labels_of("a b/c"), 3);
    close_all();
    assert_int_equal(warnings, 0);

    folder_put("inception.vouch.json", "{\"models\": [{}]}");
    server = (struct server){.options = &options, .watch = &watch};
    assert_null(inception_open(&server, &err));
    assert_true(strstr(err.message, "inception.vouch.json: expected models with \"name\"") != NULL);
}

TEST(closing_ends_what_is_learned)
{
    open_all(NULL);
    for (int i = 0; i < 8; i++) {
        char name[2] = {(char)('a' + i), '\0'};
        teach(name, "ada", ada);
    }
    close_all();
    inception_close(NULL);
}
