/* Tests a round of review: errors are found, what was decided is not asked again, blind sentences are left out. */
#include "open_desk.h"

enum { SENTENCES = 80, WRONG = 10 };

/* One name is labelled wrongly in every tenth sentence. */
static void begin(struct open_desk *d, double blind)
{
    static char corpus[SENTENCES * 80];
    char *to = corpus;
    for (int i = 0; i < SENTENCES; i++)
        to += sprintf(to, "Mr O\nName%d B-PER\nleft O\nCity%d %s\n. O\n\n", i % 5, i % 4,
                      i % WRONG == 3 ? "B-PER" : "B-LOC");
    *d = (struct open_desk){0};
    snprintf(d->corpus, sizeof d->corpus, "%s", folder_put("names.txt", corpus));
    d->options.blind = blind;
    MUST(desk_try(d));
}

/* The list after another round. */
static json_t *look(struct open_desk *d)
{
    json_t *body = json_object();
    json_decref(desk_review(d->desk, body, &err));
    json_decref(body);
    learner_wait(d->learner);
    assert_string_equal(learner_state(d->learner, &d->desk->review.student).trouble, "");
    json_t *all = desk_suspects(d->desk, NULL, &err);
    MUST(all);
    return all;
}

static const json_t *suspect(const json_t *all, size_t number)
{
    return json_array_get(json_object_get(all, "suspects"), number);
}

static bool is_wrong(const json_t *suspect)
{
    return json_integer_value(json_object_get(suspect, "line")) % 6 == 4 &&
           json_integer_value(json_object_get(suspect, "line")) / 6 % WRONG == 3;
}

static void decide(struct open_desk *d, const json_t *suspect, const char *decision)
{
    json_t *body =
        json_pack("{s:[{s:s, s:s}]}", "decisions", "suspect", suspect_text(suspect, "id"), "decision", decision);
    json_t *result = desk_decide_suspects(d->desk, "ada", body, &err);
    MUST(result);
    json_decref(result);
    json_decref(body);
}

static bool lists_line(const json_t *all, json_int_t line)
{
    bool found = false;
    for (size_t i = 0; i < json_array_size(json_object_get(all, "suspects")); i++)
        found = found || json_integer_value(json_object_get(suspect(all, i), "line")) == line;
    return found;
}

TEST_IN_FOLDER(errors_come_first_and_what_was_decided_is_not_asked_again)
{
    static const char *const decision[] = {"+", "-!", "-"};
    json_int_t line[3];
    struct open_desk d;
    begin(&d, 0);
    json_t *all = look(&d), *after;
    for (size_t i = 0; i < SENTENCES / WRONG; i++)
        assert_true(is_wrong(suspect(all, i)));
    for (int i = 0; i < 3; i++) {
        line[i] = json_integer_value(json_object_get(suspect(all, (size_t)i), "line"));
        decide(&d, suspect(all, (size_t)i), decision[i]);
    }
    desk_again(&d);
    after = desk_suspects(d.desk, NULL, &err);
    assert_true(json_equal(json_object_get(after, "suspects"), json_object_get(all, "suspects")));
    assert_int_equal(json_object_size(json_object_get(after, "decisions")), 3);
    json_decref(all);
    json_decref(after);
    for (int round = 0; round < 2; round++) {
        all = look(&d);
        for (int i = 0; i < 3; i++)
            assert_false(lists_line(all, line[i]));
        assert_true(is_wrong(suspect(all, 0)));
        json_decref(all);
    }
    desk_end(&d);
}

TEST_IN_FOLDER(the_list_of_another_store_is_not_taken)
{
    struct open_desk d;
    begin(&d, 0);
    json_decref(look(&d));
    desk_again(&d);
    assert_int_equal(d.desk->review.round, 1);
    desk_end(&d);
    remove(folder_file("names.txt.vouch.sqlite"));
    MUST(desk_try(&d));
    json_t *all = desk_suspects(d.desk, NULL, &err);
    assert_true(json_is_null(json_object_get(all, "identity")));
    assert_null(json_object_get(all, "suspects"));
    assert_int_equal(json_integer_value(json_object_get(all, "round")), 0);
    json_decref(all);
    all = look(&d);
    assert_int_equal(json_integer_value(json_object_get(all, "round")), 1);
    assert_true(json_array_size(json_object_get(all, "suspects")) > 0);
    json_decref(all);
    desk_end(&d);
}

/* Notes which steps there were while a round ran: how often it is asked whether to stop is enough to see all. */
struct steps {
    struct open_desk *d;
    bool learned, judged, again, beyond, untold;
};

static int note_step(void *context)
{
    struct steps *steps = context;
    const struct review_step *step = &steps->d->desk->review.step;
    steps->learned = steps->learned || (step->kind == VOUCH_EVENT_HOLDING_OUT && step->of > 0 && !step->again);
    steps->judged = steps->judged || step->kind == VOUCH_EVENT_JUDGING;
    steps->again = steps->again || (step->kind == VOUCH_EVENT_HOLDING_OUT && step->again && steps->judged);
    steps->beyond = steps->beyond || step->done > step->of;
    json_t *all = desk_suspects(steps->d->desk, NULL, &err), *progress = json_object_get(all, "progress");
    steps->untold = steps->untold || json_integer_value(json_object_get(progress, "of")) != (json_int_t)step->of ||
                    !json_is_number(json_object_get(progress, "seconds"));
    json_decref(all);
    return 0;
}

TEST_IN_FOLDER(a_round_says_how_far_it_is)
{
    struct open_desk d;
    begin(&d, 0);
    struct steps steps = {.d = &d};
    struct vouch_watch watch = {.size = sizeof watch, .context = &steps, .stop = note_step};
    MUST(d.desk->review.student.round(d.desk, &watch, &err));
    assert_true(steps.learned && steps.judged && steps.again);
    assert_false(steps.beyond || steps.untold);
    json_t *all = desk_suspects(d.desk, NULL, &err);
    assert_true(json_is_null(json_object_get(all, "progress"))); /* none runs */
    json_decref(all);
    desk_end(&d);
}

TEST_IN_FOLDER(blind_sentences_are_not_reviewed)
{
    struct open_desk d;
    begin(&d, 0.3);
    json_t *all = look(&d);
    size_t count = json_array_size(json_object_get(all, "suspects"));
    assert_true(count > 0 && d.desk->blinds > 5);
    for (size_t i = 0; i < count; i++) {
        uint32_t place;
        MUST(desk_find(d.desk, json_integer_value(json_object_get(suspect(all, i), "sentence")), &place, &err));
        assert_false(d.desk->place[place].blind);
        assert_int_equal(json_integer_value(json_object_get(suspect(all, i), "line")) / 6, place);
    }
    json_decref(all);
    desk_end(&d);
}

TEST(suspects_have_the_same_number_if_all_is_the_same)
{
    static const char *const other[] = {"{'file': 'b'}", "{'line': 2}", "{'word': 2}", "{'text': 'y'}",
                                        "{'given': 'O'}", "{'proposed': 'B-X'}", "{'also': '1:0:x->2:x'}"};
    json_t *one = json_of("{'file': 'a', 'line': 1, 'word': 1, 'text': 'x', 'given': 'B-X', 'proposed': 'O'}");
    json_t *same = json_deep_copy(one);
    json_object_set_new(same, "error", json_real(0.5)); /* of the round, not of the suspect */
    suspect_identify(one);
    suspect_identify(same);
    assert_string_equal(suspect_text(one, "id"), suspect_text(same, "id"));
    for (size_t i = 0; i < sizeof other / sizeof *other; i++) {
        json_t *change = json_of(other[i]), *changed = json_deep_copy(one);
        json_object_update(changed, change);
        suspect_identify(changed);
        assert_string_not_equal(suspect_text(one, "id"), suspect_text(changed, "id"));
        json_decref(change);
        json_decref(changed);
    }
    json_decref(one);
    json_decref(same);
}
