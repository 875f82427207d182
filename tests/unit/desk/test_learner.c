/* Tests the thread that learns: turns, what is told of them, and its end. */
#include "desk/learner.h"

#include "base/watch.h"

#include "test.h"

#include <stdatomic.h>
#include <time.h>

static struct vouch_error err;

/* A student that notes its turns; it may wait for a sign, or for the end. */
static char turns[16];
static atomic_int taken, may_go;
static bool waits_for_end, fails;

static bool take_turn(void *context, const struct vouch_watch *watch, struct vouch_error *e)
{
    turns[atomic_fetch_add(&taken, 1)] = *(const char *)context;
    while (waits_for_end ? !watch_stops(watch) : !atomic_load(&may_go))
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    return !fails || fail(e, VOUCH_ERR_FORMAT, "nothing comes of %s", (const char *)context);
}

static struct student student_of(const char *name)
{
    return (struct student){.name = name, .context = (void *)(uintptr_t)name, .round = take_turn};
}

static void wait_for_turns(int count)
{
    while (atomic_load(&taken) < count)
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}

static struct learner *begin(const struct vouch_watch *watch, bool go)
{
    memset(turns, 0, sizeof turns);
    atomic_store(&taken, 0);
    atomic_store(&may_go, go);
    waits_for_end = fails = false;
    struct learner *learner = learner_open(watch, &err);
    assert_non_null(learner);
    return learner;
}

TEST(students_learn_in_turn_and_once_for_all_who_asked)
{
    struct student a = student_of("a"), b = student_of("b"), c = student_of("c");
    struct learner *learner = begin(NULL, false);
    learner_wait(learner); /* for nobody */
    learner_ask(learner, &a);
    wait_for_turns(1);
    assert_int_equal(learner_state(learner, &a).state, LEARNING_NOW);
    learner_ask(learner, &c);
    learner_ask(learner, &a);
    learner_ask(learner, &b);
    learner_ask(learner, &c);
    learner_ask(learner, &a);
    assert_int_equal(learner_state(learner, &a).state, LEARNING_WAITING);
    assert_string_equal(learning_state_name(learner_state(learner, &c).state), "waiting");
    atomic_store(&may_go, true);
    learner_wait(learner);
    assert_string_equal(turns, "acab");
    assert_int_equal(learner_state(learner, &a).rounds, 2);
    assert_int_equal(learner_state(learner, &b).rounds, 1);
    assert_int_equal(learner_state(learner, &b).state, LEARNING_IDLE);
    learner_close(learner);
    learner_close(NULL);
}

static void count_warning(void *context, const struct vouch_event *event)
{
    *(int *)context += event->kind == VOUCH_EVENT_WARNING;
}

TEST(trouble_is_told_and_learning_goes_on)
{
    int warnings = 0;
    struct vouch_watch watch = {.size = sizeof watch, .context = &warnings, .tell = count_warning};
    struct student a = student_of("a");
    struct learner *learner = begin(&watch, true);
    fails = true;
    learner_ask(learner, &a);
    learner_wait(learner);
    assert_string_equal(learner_state(learner, &a).trouble, "nothing comes of a");
    assert_int_equal(learner_state(learner, &a).rounds, 0);
    assert_int_equal(warnings, 1);
    fails = false;
    learner_ask(learner, &a);
    learner_wait(learner);
    assert_string_equal(learner_state(learner, &a).trouble, "");
    assert_int_equal(learner_state(learner, &a).rounds, 1);
    learner_close(learner);
    assert_int_equal(warnings, 1);
}

TEST(closing_ends_what_is_being_learned)
{
    int warnings = 0;
    struct vouch_watch watch = {.size = sizeof watch, .context = &warnings, .tell = count_warning};
    struct student a = student_of("a"), b = student_of("b");
    struct learner *learner = begin(&watch, false);
    waits_for_end = fails = true;
    learner_ask(learner, &a);
    learner_ask(learner, &b);
    wait_for_turns(1);
    learner_close(learner);
    assert_string_equal(turns, "a");
    assert_int_equal(warnings, 0); /* what was given up is no trouble */
}
