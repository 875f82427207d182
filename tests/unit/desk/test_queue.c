/* Tests who gets which sentence: what somebody has in sight nobody else gets, until that annotator is idle. */
#include "open_desk.h"

/* The sentences that an annotator is given, as in "2 3". */
static const char *given(struct open_desk *d, const char *annotator, uint32_t limit)
{
    static char list[2][200];
    static int next;
    char *to = list[next++ % 2];
    *to = '\0';
    json_t *queue = desk_queue(d->desk, annotator, "document", limit, &err), *items = json_object_get(queue, "items");
    MUST(queue);
    for (size_t i = 0; i < json_array_size(items); i++)
        sprintf(to + strlen(to), i ? " %lld" : "%lld",
                (long long)json_integer_value(json_object_get(json_array_get(items, i), "sentence")));
    json_decref(queue);
    return to;
}

static void accept(struct open_desk *d, const char *annotator, int sentence)
{
    char decision[100];
    snprintf(decision, sizeof decision, "{'sentence': %d, 'kind': 'skip'}", sentence);
    MUST(desk_takes(d, annotator, decision));
}

TEST_IN_FOLDER(nobody_gets_what_somebody_else_has_in_sight)
{
    struct open_desk d;
    desk_begin(&d, "names.txt", DESK_NAMES);
    assert_string_equal(given(&d, "ada", 2), "1 2");
    assert_string_equal(given(&d, "bea", 2), "3");
    accept(&d, "ada", 1);
    assert_string_equal(given(&d, "ada", 2), "2 1"); /* what was skipped comes last */
    desk_end(&d);
}

TEST_IN_FOLDER(what_an_idle_annotator_holds_goes_to_others)
{
    struct open_desk d;
    desk_begin(&d, "names.txt", DESK_NAMES);
    assert_string_equal(given(&d, "ada", 50), "1 2 3");
    d.seconds = HELD_FOR - 1;
    assert_string_equal(given(&d, "bea", 50), "");
    d.seconds = HELD_FOR;
    assert_string_equal(given(&d, "bea", 1), "1");
    assert_string_equal(given(&d, "ada", 50), "2 3"); /* is back, and keeps what nobody took */
    assert_string_equal(given(&d, "bea", 50), "1");
    desk_end(&d);
}

TEST_IN_FOLDER(who_asks_or_decides_is_not_idle)
{
    struct open_desk d;
    desk_begin(&d, "names.txt", DESK_NAMES);
    assert_string_equal(given(&d, "ada", 2), "1 2");
    d.seconds = HELD_FOR - 1;
    accept(&d, "ada", 1);
    d.seconds = 2 * HELD_FOR - 2;
    assert_string_equal(given(&d, "bea", 50), "1 3");
    assert_string_equal(given(&d, "ada", 50), "2");
    d.seconds = 3 * HELD_FOR - 3;
    json_decref(desk_undo(d.desk, "ada", NULL, &err));
    d.seconds = 4 * HELD_FOR - 4;
    assert_string_equal(given(&d, "ada", 50), "1 2 3"); /* bea is idle */
    assert_string_equal(given(&d, "bea", 50), "");
    desk_end(&d);
}

/* The words of the sentences ahead, as in "3 4": each with those before it. */
static const char *ahead(struct open_desk *d)
{
    static char list[200];
    struct upcoming next;
    double *words;
    MUST(queue_ahead(d->desk, &words, &next, &err));
    *list = '\0';
    for (size_t i = 1; i <= next.count; i++)
        sprintf(list + strlen(list), i > 1 ? " %.0f" : "%.0f", words[i]);
    assert_true(next.mean == 2.5 && next.blinds == 0);
    free(words);
    return list;
}

TEST_IN_FOLDER(what_is_ahead_is_what_nobody_decided_on_in_the_order_that_was_asked_for)
{
    struct open_desk d;
    desk_begin(&d, "names.txt",
               "Ada B-PER\nlives O\nin O\nParis B-LOC\n\nNew _\nYork _\ngrows _\n\nZola _\n\n"
               "Paris _\nsaw _\n\n");
    given(&d, "ada", 1);
    assert_string_equal(ahead(&d), "3 4 6");
    MUST(desk_takes(&d, "ada", "{'sentence': 2, 'kind': 'edit', 'answer': {'labels': ['B-LOC', 'I-LOC', 'O']}}"));
    assert_string_equal(ahead(&d), "1 3");
    accept(&d, "ada", 3); /* skipped */
    assert_string_equal(ahead(&d), "1 3");
    desk_end(&d);
}
