/* Tests that events of several workers are told as if they had worked one after the other. */
#include "base/watch.h"

#include "must.h"
#include "test.h"

struct heard {
    char text[200];
    int stop;
};

static void hear(void *context, const struct vouch_event *event)
{
    struct heard *heard = context;
    size_t length = strlen(heard->text);
    snprintf(heard->text + length, sizeof heard->text - length, "%s%s%s ", event->what, event->text ? "=" : "",
             event->text ? event->text : "");
}

static int stop(void *context)
{
    return ((struct heard *)context)->stop;
}

/* Tells a line if there is a text, else mere progress. The strings do not outlive the call. */
static void tell(struct watches *watches, uint32_t worker, const char *what, const char *text)
{
    char own_what[20], own_text[20];
    snprintf(own_what, sizeof own_what, "%s", what);
    snprintf(own_text, sizeof own_text, "%s", text ? text : "");
    struct vouch_event event = {.kind = VOUCH_EVENT_NOTE, .what = own_what, .text = text ? own_text : NULL};
    watch_tell(watches_of(watches, worker), event);
}

TEST(lines_wait_for_their_turn_and_progress_does_not)
{
    struct heard heard = {0};
    struct vouch_watch behind = {sizeof behind, &heard, hear, stop};
    struct watches *watches;
    MUST(watches = watches_open(&behind, 3, &err));
    tell(watches, 1, "one", "early");
    tell(watches, 0, "zero", "first");
    tell(watches, 2, "two", "early");
    tell(watches, 1, "one", NULL); /* before its turn: nobody hears it */
    tell(watches, 0, "zero", NULL);
    assert_string_equal(heard.text, "zero=first zero ");
    watches_end(watches, 2); /* ended before its turn */
    assert_string_equal(heard.text, "zero=first zero ");
    watches_end(watches, 0);
    assert_string_equal(heard.text, "zero=first zero one=early ");
    tell(watches, 1, "one", NULL);
    tell(watches, 1, "one", "late");
    watches_end(watches, 1);
    assert_string_equal(heard.text, "zero=first zero one=early one one=late two=early ");
    watches_close(watches);
}

TEST(workers_stop_when_the_watch_behind_does)
{
    struct heard heard = {0};
    struct vouch_watch behind = {sizeof behind, &heard, hear, stop};
    struct watches *watches;
    MUST(watches = watches_open(&behind, 2, &err));
    assert_false(watch_stops(watches_of(watches, 1)));
    heard.stop = 1;
    assert_true(watch_stops(watches_of(watches, 0)) && watch_stops(watches_of(watches, 1)));
    tell(watches, 1, "one", "never told"); /* and not leaked */
    watches_close(watches);
    watches_close(NULL);
}

TEST(nothing_is_told_to_no_watch)
{
    struct watches *watches;
    MUST(watches = watches_open(NULL, 2, &err));
    tell(watches, 1, "one", "text");
    watches_end(watches, 0);
    watches_end(watches, 1);
    assert_false(watch_stops(watches_of(watches, 0)));
    watches_close(watches);
}
