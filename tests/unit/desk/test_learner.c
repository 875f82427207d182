/* Tests learning in the background: what is submitted is learned and published; the same text gives the same bytes. */
#include "desk/learner.h"
#include "model/model.h"

#include "test.h"

#include <unistd.h>

static struct vouch_error err;
static char folder[] = "/tmp/vouch-learner-XXXXXX";

struct seen {
    unsigned published;
    char name[64], path[256];
};

static bool publish(void *context, const char *name, const char *path, struct vouch_error *e)
{
    struct seen *seen = context;
    (void)e;
    seen->published++;
    snprintf(seen->name, sizeof seen->name, "%s", name);
    snprintf(seen->path, sizeof seen->path, "%s", path);
    return true;
}

static const char text[] = "Ada B-PER\nlives O\nin O\nParis B-LOC\n\nBob B-PER\nlives O\nin O\nRome B-LOC\n\n"
                           "Cleo B-PER\nsleeps O\n\nRome B-LOC\nsleeps O\n\n";

static uint64_t digest_of(const char *path)
{
    vouch_model *model = vouch_model_open(path, &err);
    assert_non_null(model);
    uint64_t digest = model_file_digest(&model->file);
    vouch_model_close(model);
    return digest;
}

TEST(a_text_becomes_a_model_that_is_published)
{
    struct seen seen = {0};
    struct student_state state;
    if (access(folder, F_OK) != 0)
        assert_non_null(mkdtemp(folder));
    struct learner *learner = learner_open(folder, &(struct learner_hooks){.context = &seen, .publish = publish}, &err);
    assert_non_null(learner);
    assert_true(learner_submit(learner, "one", text, sizeof text - 1, NULL, "task=ner&no-calibrate", &err));
    learner_wait(learner);
    assert_true(learner_state(learner, "one", &state));
    assert_string_equal(state.trouble, "");
    assert_int_equal(state.rounds, 1);
    assert_int_equal(seen.published, 1);
    assert_string_equal(seen.name, "one");
    uint64_t first = digest_of(seen.path);
    char base[300];
    snprintf(base, sizeof base, "%s", seen.path);

    assert_true(learner_ask(learner, "one", &err));
    learner_wait(learner);
    assert_int_equal(seen.published, 2);
    assert_true(digest_of(seen.path) == first);

    assert_true(learner_submit(learner, "two", text, sizeof text - 1, base, "no-calibrate=true", &err));
    learner_wait(learner);
    assert_string_equal(seen.name, "two");
    assert_true(digest_of(seen.path) != first);
    learner_close(learner);
}

TEST(trouble_is_told_and_learning_goes_on)
{
    struct seen seen = {0};
    struct student_state state;
    if (access(folder, F_OK) != 0)
        assert_non_null(mkdtemp(folder));
    struct learner *learner = learner_open(folder, &(struct learner_hooks){.context = &seen, .publish = publish}, &err);
    assert_non_null(learner);
    assert_false(learner_submit(learner, "../x", text, 1, NULL, "", &err));
    assert_false(learner_ask(learner, "nobody", &err));
    assert_false(learner_state(learner, "nobody", &state));
    assert_true(learner_submit(learner, "bad", text, sizeof text - 1, NULL, "task=nothing", &err));
    learner_wait(learner);
    assert_true(learner_state(learner, "bad", &state));
    assert_true(strstr(state.trouble, "nothing") != NULL);
    assert_int_equal(seen.published, 0);
    assert_true(learner_submit(learner, "bad", text, sizeof text - 1, NULL, "task=ner&no-calibrate=true", &err));
    learner_wait(learner);
    assert_true(learner_state(learner, "bad", &state));
    assert_string_equal(state.trouble, "");
    assert_int_equal(seen.published, 1);
    learner_close(learner);
}

TEST(closing_ends_what_is_being_learned)
{
    if (access(folder, F_OK) != 0)
        assert_non_null(mkdtemp(folder));
    struct learner *learner = learner_open(folder, &(struct learner_hooks){0}, &err);
    assert_non_null(learner);
    assert_true(learner_submit(learner, "long", text, sizeof text - 1, NULL, "task=ner&passes=1000000", &err));
    learner_close(learner);
    char command[300];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    assert_int_equal(system(command), 0);
}
