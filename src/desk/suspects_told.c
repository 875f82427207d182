/* What is told of a review: the list with what was decided, counts, decisions as a table. See corpus_review.h. */
#include "desk/corpus_review.h"
#include "base/watch.h"
#include "desk/desk_room.h"
#include "review/review.h"

#include <inttypes.h>
#include <stdio.h>

enum { ROUND_OF = 50 }; /* decisions after which the rest is ranked anew */

/* ---- The table ---- */

static void write_member(struct output *out, const json_t *object, const char *member, const char *behind)
{
    table_field_write(out, text_of(suspect_text(object, member)));
    output_printf(out, "%s", behind);
}

bool decisions_table(const struct desk *desk, const char *const *path, bool acknowledged_only, struct output *out,
                     struct vouch_error *err)
{
    const struct corpus_review *r = &desk->review;
    output_printf(out, "file\tline\tword\twords\ttext\tgiven\tproposed\tdecision\terror\tlayer\twhy\talso\taudit\n");
    for (size_t i = 0; i < r->items; i++) {
        const json_t *d = r->item[i].details, *s = json_object_get(d, "suspect");
        const char *decision = suspect_text(d, "decision"), *own = suspect_text(d, "wanted");
        if (suspect_decided(r, suspect_text(s, "id")) != &r->item[i] ||
            (acknowledged_only && strcmp(decision, "-!") != 0))
            continue;
        const struct document *document = desk_document_named(desk, suspect_text(s, "file"));
        const char *file = !document ? NULL : path ? path[document - desk->document] : document->name;
        if (!file)
            continue;
        table_field_write(out, text_of(file));
        output_printf(out, "\t%lld\t%lld\t%lld\t", json_integer_value(json_object_get(s, "line")),
                      json_integer_value(json_object_get(s, "word")), json_integer_value(json_object_get(s, "words")));
        write_member(out, s, "text", "\t");
        write_member(out, s, "given", "\t");
        write_member(out, s, "proposed", "\t");
        table_field_write(out, text_of(*own ? own : decision));
        output_printf(out, "\t%.4g\t", json_number_value(json_object_get(s, "error")));
        write_member(out, s, "layer", "\t");
        write_member(out, s, "why", "\t");
        write_member(out, s, "also", "\t");
        write_member(out, s, "audit", "\n");
    }
    return output_whole(out, err);
}

bool desk_decided_table(struct desk *desk, bool acknowledged_only, struct output *out, struct vouch_error *err)
{
    desk_enter(desk);
    bool ok = review_catch_up(desk, err) && decisions_table(desk, NULL, acknowledged_only, out, err);
    desk_leave(desk);
    return ok;
}

/* ---- The list ---- */

static bool note_name(void *context, const struct store_annotator *a, struct vouch_error *err)
{
    char number[24];
    snprintf(number, sizeof number, "%lld", (long long)a->id);
    return json_object_set_new(context, number, json_string(a->name)) == 0 || fail_memory(err);
}

/* What was decided, by suspect: {"id": {"decision": "+", "by": "ada", "when": 7}}, and how often. */
static json_t *decisions_json(struct desk *desk, json_t *counts, struct vouch_error *err)
{
    static const char *const kind[] = {"accepted", "kept", "acknowledged", "own"};
    const struct corpus_review *r = &desk->review;
    json_int_t count[4] = {0};
    json_t *all = json_object(), *names = json_object();
    bool ok = store_annotators(desk->store, note_name, names, err);
    for (size_t i = 0; ok && i < r->items; i++) {
        const json_t *details = r->item[i].details, *suspect = json_object_get(details, "suspect");
        const char *decision = suspect_text(details, "decision");
        char number[24];
        if (suspect_decided(r, suspect_text(suspect, "id")) != &r->item[i])
            continue;
        snprintf(number, sizeof number, "%lld", (long long)r->item[i].annotator);
        json_object_set_new(all, suspect_text(suspect, "id"),
                            json_pack("{s:s, s:s, s:I}", "decision", decision, "by", suspect_text(names, number),
                                      "number", (json_int_t)r->item[i].id));
        count[strcmp(decision, "+") == 0    ? 0
              : strcmp(decision, "-") == 0  ? 1
              : strcmp(decision, "-!") == 0 ? 2
                                            : 3]++;
    }
    for (int k = 0; k < 4; k++)
        json_object_set_new(counts, kind[k], json_integer(count[k]));
    json_decref(names);
    if (ok)
        return all;
    json_decref(all);
    return NULL;
}

/* The sentences that are reviewed, and those that are left out because they are blind. */
static void count_reviewed(const struct desk *desk, json_t *to)
{
    json_int_t reviewed = 0, blind = 0;
    for (size_t i = 0; i < desk->places; i++) {
        reviewed += desk->place[i].given && !desk->place[i].blind;
        blind += desk->place[i].given && desk->place[i].blind;
    }
    json_object_set_new(to, "sentences_reviewed", json_integer(reviewed));
    json_object_set_new(to, "sentences_blind", json_integer(blind));
}

/* How far the round that runs is; null: none runs. */
static json_t *progress_json(const struct corpus_review *r)
{
    const struct review_step *step = &r->step;
    if (r->began <= 0)
        return json_null();
    const char *name = step->of == 0 ? "reading" : step->kind == VOUCH_EVENT_JUDGING ? "judging" : "learning";
    return json_pack("{s:s, s:b, s:I, s:I, s:f}", "step", name, "again", step->again, "done", (json_int_t)step->done,
                     "of", (json_int_t)step->of, "seconds", seconds_now() - r->began);
}

/* With the lock. The list itself only if the client does not know it. */
static json_t *told(struct desk *desk, const char *known, struct vouch_error *err)
{
    struct corpus_review *r = &desk->review;
    struct student_state state = learner_state(desk->learner, &r->student);
    json_t *counts = json_object(), *decisions = decisions_json(desk, counts, err);
    json_t *all = decisions ? json_object() : NULL;
    bool new = r->list && (!known || strcmp(known, suspect_text(r->list, "identity")) != 0);
    if (!all || (new && json_object_update(all, r->list) != 0)) {
        json_decref(all);
        json_decref(counts);
        return NULL;
    }
    json_object_set_new(all, "identity", r->list ? json_string(suspect_text(r->list, "identity")) : json_null());
    json_object_set_new(all, "state", json_string(learning_state_name(state.state)));
    json_object_set_new(all, "progress", progress_json(r));
    json_object_set_new(all, "trouble", state.trouble[0] ? json_string(state.trouble) : json_null());
    json_object_set_new(all, "seconds", r->seconds > 0 ? json_real(r->seconds) : json_null());
    json_object_set_new(all, "round", json_integer((json_int_t)r->round));
    json_object_set_new(all, "fresh", json_integer((json_int_t)r->fresh));
    json_object_set_new(all, "round_of", json_integer(ROUND_OF));
    json_object_set_new(all, "counts", counts);
    json_object_set_new(all, "decisions", decisions);
    count_reviewed(desk, all);
    return all;
}

json_t *desk_suspects(struct desk *desk, const char *known, struct vouch_error *err)
{
    desk_enter(desk);
    json_t *all = review_catch_up(desk, err) ? told(desk, known, err) : NULL;
    desk_leave(desk);
    return all;
}

/* ---- Rounds ---- */

json_t *desk_review(struct desk *desk, const json_t *body, struct vouch_error *err)
{
    const json_t *audit = json_object_get(body, "audit");
    json_int_t wanted = json_integer_value(audit);
    if ((audit && !json_is_integer(audit)) || wanted < 0 || wanted > 1000000) {
        fail(err, VOUCH_ERR_ARGUMENT, "expected a number from 0 to 1000000 in \"audit\"");
        return NULL;
    }
    desk_enter(desk);
    desk->review.audit = (uint64_t)wanted;
    learner_ask(desk->learner, &desk->review.student);
    json_t *all = told(desk, suspect_text(desk->review.list, "identity"), err);
    desk_leave(desk);
    return all;
}

json_t *desk_decide_suspects(struct desk *desk, const char *annotator, const json_t *body, struct vouch_error *err)
{
    struct corpus_review *r = &desk->review;
    desk_enter(desk);
    json_t *all = NULL;
    if (suspects_decide(desk, annotator, body, err)) {
        bool audit = json_is_true(json_object_get(r->list, "audit"));
        if (r->fresh >= ROUND_OF && !audit) {
            r->audit = 0;
            learner_ask(desk->learner, &r->student);
        }
        all = json_pack("{s:I, s:s}", "fresh", (json_int_t)r->fresh, "state",
                        learning_state_name(learner_state(desk->learner, &r->student).state));
    }
    desk_leave(desk);
    if (!all && !err->status)
        fail_memory(err);
    return all;
}
