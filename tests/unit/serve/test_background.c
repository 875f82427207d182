/* Tests learning in the background: a model appears, is replaced, and everybody's last text is learned from. */
#include "serve/background.h"

#include <time.h>

#include "must.h"

static const char ada[] = "{\"tokens\": [\"Ada\", \"left\"], \"labels\": [\"B-PER\", \"O\"]}\n";
static const char rome[] = "{\"tokens\": [\"Rome\", \"fell\"], \"labels\": [\"B-LOC\", \"O\"]}\n";

static struct models *models;
static struct background *background;
static int warnings;

static void count_warning(void *context, const struct vouch_event *event)
{
    (void)context;
    warnings += event->kind == VOUCH_EVENT_WARNING;
}

static const struct vouch_watch watch = {.size = sizeof watch, .tell = count_warning};

static void open_all(void)
{
    warnings = 0;
    models = models_new(&err);
    MUST(models != NULL);
    background = background_open(models, &watch, &err);
    MUST(background != NULL);
}

static void close_all(void)
{
    background_close(background);
    models_free(models);
}

static enum lesson_state teach(const char *name, const char *by, const char *text)
{
    const struct sent_lesson lesson = {name, "ner", by, text, strlen(text)};
    return background_learn(background, &lesson, &err);
}

static void wait_until_learned(const char *name)
{
    while (background_learns(background, name))
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}

/* Returns how many labels the served model has; 0: there is none. */
static size_t labels_of(const char *name)
{
    const struct served_model *model = models_take(models, name, ANY_MODEL, &err);
    const size_t labels = model ? vouch_model_label_count(model->model) : 0;
    models_leave(models, model);
    return labels;
}

TEST(a_model_is_learned_from_nothing)
{
    open_all();
    assert_int_equal(teach("names", "ada", ""), LESSON_BEGUN); /* nothing to learn */
    assert_false(background_learns(background, "names"));
    assert_int_equal(teach("names", "ada", ada), LESSON_BEGUN);
    wait_until_learned("names");
    assert_int_equal(labels_of("names"), 2);
    assert_int_equal(labels_of("others"), 0);
    close_all();
}

TEST(the_last_text_of_everybody_is_learned)
{
    open_all();
    assert_int_equal(teach("names", "ada", rome), LESSON_BEGUN);
    assert_true(teach("names", "ada", ada) != LESSON_FAILED); /* instead of the first, which may be learned already */
    assert_true(teach("names", "bo", rome) != LESSON_FAILED);
    wait_until_learned("names");
    assert_int_equal(labels_of("names"), 3);
    assert_true(teach("names", "bo", ada) != LESSON_FAILED);
    wait_until_learned("names");
    assert_int_equal(labels_of("names"), 2); /* learned anew: what bo took back is not in it */
    close_all();
}

TEST(a_text_that_cannot_be_learned_is_told)
{
    open_all();
    assert_int_equal(teach("names", "ada", "no JSON\n"), LESSON_BEGUN);
    wait_until_learned("names");
    assert_int_equal(labels_of("names"), 0);
    assert_int_equal(teach("names", "ada", ada), LESSON_BEGUN);
    wait_until_learned("names");
    assert_int_equal(labels_of("names"), 2);
    close_all();
    assert_int_equal(warnings, 1);
}

TEST(closing_ends_what_is_learned)
{
    open_all();
    for (int i = 0; i < 8; i++) {
        char name[2] = {(char)('a' + i), '\0'};
        assert_true(teach(name, "ada", ada) != LESSON_FAILED);
    }
    close_all();
    background_close(NULL);
}
