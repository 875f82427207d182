/* Tests what is told of a review: the list once, counts, and when a round is asked for. */
#include "open_desk.h"

static json_t *told(struct open_desk *d, const char *known)
{
    json_t *all = desk_suspects(d->desk, known, &err);
    MUST(all);
    return all;
}

static json_int_t number(const json_t *of, const char *name)
{
    return json_integer_value(json_object_get(of, name));
}

static void decide(struct open_desk *d, const char *suspect, const char *decision)
{
    json_t *body = json_pack("{s:[{s:s, s:s}]}", "decisions", "suspect", suspect, "decision", decision);
    json_t *result = desk_decide_suspects(d->desk, "ada", body, &err);
    MUST(result);
    json_decref(result);
    json_decref(body);
}

/* A list of sixty suspects, one in each sentence: "w0" and so on. */
static void begin(struct open_desk *d, bool audit)
{
    static char corpus[4000], list[20000];
    char *to = corpus, *at = list;
    at += sprintf(at, "{\"identity\":\"i\",\"round\":3,\"audit\":%s,\"suspects\":[", audit ? "true" : "false");
    for (int i = 0; i < 60; i++) {
        to += sprintf(to, "Ada B-PER\nsaw O\n\n");
        at += sprintf(at, "%s{\"id\":\"w%d\",\"sentence\":%d,\"file\":\"names.txt\",\"line\":%d,\"word\":1,\"words\":1,"
                          "\"text\":\"Ada\",\"given\":\"B-PER\",\"proposed\":\"O\",\"error\":0.25}", i ? "," : "", i,
                      i + 1, 3 * i + 1);
    }
    sprintf(at, "]}");
    desk_begin(d, "names.txt", corpus);
    MUST(store_set(d->desk->store, "list of suspects", "i", &err));
    desk_end(d);
    folder_put("names.txt-desk.suspects.json", list);
    MUST(desk_try(d));
}

TEST_IN_FOLDER(the_list_is_told_to_those_who_do_not_know_it)
{
    struct open_desk d;
    begin(&d, false);
    json_t *all = told(&d, "another"), *rest = told(&d, "i");
    assert_int_equal(json_array_size(json_object_get(all, "suspects")), 60);
    assert_int_equal(number(all, "round"), 3);
    assert_null(json_object_get(rest, "suspects"));
    assert_string_equal(json_string_value(json_object_get(rest, "identity")), "i");
    assert_int_equal(number(rest, "sentences_reviewed"), 60);
    json_decref(all);
    json_decref(rest);
    desk_end(&d);
}

TEST_IN_FOLDER(counts_are_those_of_decisions_that_stand)
{
    static const char *const decision[] = {"+", "-", "-!", "PER", "-"}, *const kind[] = {"accepted", "kept",
                                                                                        "acknowledged", "own"};
    struct open_desk d;
    begin(&d, false);
    for (int i = 0; i < 5; i++) {
        char suspect[12];
        snprintf(suspect, sizeof suspect, "w%d", i);
        decide(&d, suspect, decision[i]);
    }
    decide(&d, "w4", "");
    json_t *all = told(&d, NULL), *counts = json_object_get(all, "counts");
    for (int k = 0; k < 4; k++)
        assert_int_equal(number(counts, kind[k]), 1);
    assert_int_equal(json_object_size(json_object_get(all, "decisions")), 4);
    json_t *one = json_object_get(json_object_get(all, "decisions"), "w3");
    assert_string_equal(json_string_value(json_object_get(one, "decision")), "PER");
    assert_string_equal(json_string_value(json_object_get(one, "by")), "ada");
    json_decref(all);
    desk_end(&d);
}

/* Fifty decisions ask for a round, but not while an audit is decided: its list must stay as it was drawn. */
static void assert_round_after_fifty(bool audit)
{
    struct open_desk d;
    begin(&d, audit);
    for (int i = 0; i < 50; i++) {
        char suspect[12];
        struct student_state state = learner_state(d.learner, &d.desk->review.student);
        assert_int_equal(state.state, LEARNING_IDLE);
        snprintf(suspect, sizeof suspect, "w%d", i);
        decide(&d, suspect, "-");
    }
    learner_wait(d.learner);
    struct student_state state = learner_state(d.learner, &d.desk->review.student);
    assert_int_equal(state.rounds + (state.trouble[0] != '\0'), audit ? 0 : 1);
    desk_end(&d);
}

TEST_IN_FOLDER(fifty_decisions_ask_for_a_round)
{
    assert_round_after_fifty(false);
}

TEST_IN_FOLDER(an_audit_is_decided_to_its_end)
{
    assert_round_after_fifty(true);
}

TEST_IN_FOLDER(an_audit_is_of_a_number_that_makes_sense)
{
    struct open_desk d;
    begin(&d, false);
    static const char *const refused[] = {"{'audit': -1}", "{'audit': 'many'}", "{'audit': 1.5}", "{'audit': 1000001}"};
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        json_t *body = json_of(refused[i]);
        assert_null(desk_review(d.desk, body, &err));
        assert_non_null(strstr(err.message, "expected a number from 0 to 1000000"));
        json_decref(body);
    }
    desk_end(&d);
}
