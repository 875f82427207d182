/*
 * What an annotator decided: read, checked against the rules, stored. A message names the rule that was broken, since
 * the annotator will read it.
 *
 * Chunks are stored in the corpus's own scheme. Of a sentence that is decided in parts they are in IOB2 even if that is
 * IOB1: without its neighbour, I-X of IOB1 does not tell whether a chunk begins.
 */
#include "desk/desk_room.h"

#include <math.h>
#include <stdio.h>

/* ---- Reading answers ---- */

static bool read_labels(const json_t *list, uint32_t words, struct text *label, const char *what,
                        struct vouch_error *err)
{
    if (json_array_size(list) != words)
        return fail(err, VOUCH_ERR_ARGUMENT, "expected %u %s, one for each word, found %zu", words, what,
                    json_array_size(list));
    for (uint32_t i = 0; i < words; i++) {
        const json_t *value = json_array_get(list, i);
        if (!json_is_null(value) && !(json_is_string(value) && json_string_length(value) > 0))
            return fail(err, VOUCH_ERR_ARGUMENT, "word %u: expected a text or null in \"%s\"", i + 1, what);
        label[i] = json_is_null(value) ? (struct text){0} : text_of(json_string_value(value));
    }
    return true;
}

static bool read_heads(const json_t *list, uint32_t words, uint32_t *head, struct vouch_error *err)
{
    if (json_array_size(list) != words)
        return fail(err, VOUCH_ERR_ARGUMENT, "expected %u heads, one for each word, found %zu", words,
                    json_array_size(list));
    for (uint32_t i = 0; i < words; i++) {
        const json_t *value = json_array_get(list, i);
        json_int_t number = json_integer_value(value);
        if (json_is_null(value))
            head[i] = HEAD_OPEN;
        else if (json_is_integer(value) && number >= 0 && number <= (json_int_t)words)
            head[i] = (uint32_t)number;
        else
            return fail(err, VOUCH_ERR_ARGUMENT, "word %u: expected a head from 0 to %u, or null", i + 1, words);
    }
    return true;
}

static bool spell(char prefix, const char *type, struct arena *arena, struct text *to, struct vouch_error *err)
{
    size_t room = strlen(type) + 3;
    char *text;
    if (!ARENA_ARRAY(text, room, arena, err))
        return false;
    snprintf(text, room, "%c-%s", prefix, type);
    *to = text_of(text);
    return true;
}

/* Chunks as labels in IOB2; they must not overlap. */
static bool read_spans(const json_t *list, uint32_t words, struct text *label, struct arena *arena,
                       struct vouch_error *err)
{
    for (uint32_t i = 0; i < words; i++)
        label[i] = text_of("O");
    for (size_t s = 0; s < json_array_size(list); s++) {
        const json_t *span = json_array_get(list, s);
        json_int_t from = json_integer_value(json_object_get(span, "from"));
        json_int_t to = json_integer_value(json_object_get(span, "to"));
        const char *type = json_string_value(json_object_get(span, "type"));
        if (!json_is_integer(json_object_get(span, "from")) || from < 0 || from >= to || to > (json_int_t)words ||
            !type || !*type)
            return fail(err, VOUCH_ERR_ARGUMENT,
                        "span %zu: expected {\"from\", \"to\", \"type\"} with words from .. to - 1 of 0 to %u", s + 1,
                        words);
        for (json_int_t i = from; i < to; i++) {
            if (!text_is(label[i], "O"))
                return fail(err, VOUCH_ERR_ARGUMENT, "rule 'no overlap': word %lld is in two spans", (long long)i + 1);
            if (!spell(i == from ? 'B' : 'I', type, arena, &label[i], err))
                return false;
        }
    }
    return true;
}

/* Leaves open what is not in the list of words, counted from 0. */
static bool keep_decided(const json_t *decided, struct store_answer *a, struct text *label, uint32_t *head,
                         struct arena *arena, struct vouch_error *err)
{
    bool *kept;
    if (!decided || json_is_null(decided))
        return true;
    if (!ARENA_ARRAY(kept, (size_t)a->words + 1, arena, err))
        return false;
    memset(kept, 0, a->words);
    for (size_t i = 0; i < json_array_size(decided); i++) {
        json_int_t word = json_integer_value(json_array_get(decided, i));
        if (!json_is_integer(json_array_get(decided, i)) || word < 0 || word >= (json_int_t)a->words)
            return fail(err, VOUCH_ERR_ARGUMENT, "expected words from 0 to %u in \"words\"", a->words - 1);
        kept[word] = true;
    }
    for (uint32_t i = 0; i < a->words; i++) {
        if (kept[i])
            continue;
        label[i] = (struct text){0};
        head[i] = HEAD_OPEN;
    }
    return true;
}

/* ---- Rules ---- */

static bool all_decided(const struct store_answer *a)
{
    for (uint32_t i = 0; i < a->words; i++)
        if (answer_open(a, i))
            return false;
    return true;
}

static bool label_is_known(struct desk *desk, const struct store_answer *a, uint32_t word, struct vouch_error *err)
{
    struct text type = desk_type(desk, a->label[word]);
    struct buffer names = {0};
    if (type.length == 0 || desk_label(desk, type) != SIZE_MAX)
        return true;
    for (size_t i = 0; i < desk->labels; i++)
        buffer_print(&names, NULL, "%s%s", i ? ", " : "", desk->label[i]);
    fail(err, VOUCH_ERR_ARGUMENT, "rule 'known labels': word %u: found '%.*s', expected one of %.300s", word + 1,
         text_beginning(type, 40), type.at, buffer_text(&names).at);
    free(names.bytes);
    return false;
}

static bool spelling_is_legal(const struct desk *desk, const struct store_answer *a, uint32_t i,
                              struct vouch_error *err)
{
    static const struct text outside = {"O", 1};
    struct text before = i == 0 ? outside : a->label[i - 1], here = a->label[i], type;
    char prefix = scheme_split(here, &type);
    if (prefix == 0)
        return fail(err, VOUCH_ERR_ARGUMENT, "rule 'label scheme': word %u: expected O, or a label of %s, found '%.*s'",
                    i + 1, scheme_name(desk->scheme), text_beginning(here, 40), here.at);
    if (!before.at || scheme_allows(desk->scheme, before, here) ||
        (desk->scheme == SCHEME_IOB1 && scheme_allows(SCHEME_IOB2, before, here)))
        return true;
    return fail(err, VOUCH_ERR_ARGUMENT, "rule 'label scheme': word %u: %.*s cannot come after %.*s in %s", i + 1,
                text_beginning(here, 40), here.at, text_beginning(before, 40), before.at, scheme_name(desk->scheme));
}

/* Labels that were spans are in IOB2, and legal. */
static bool labels_follow_rules(struct desk *desk, const struct store_answer *a, bool spans, struct vouch_error *err)
{
    for (uint32_t i = 0; i < a->words; i++)
        if (a->label[i].at && (!label_is_known(desk, a, i, err) ||
                               (!spans && desk->scheme != SCHEME_NONE && !spelling_is_legal(desk, a, i, err))))
            return false;
    return true;
}

static bool tree_follows_rules(struct desk *desk, const struct store_answer *a, struct arena *arena,
                               struct vouch_error *err)
{
    uint32_t *closed, *walk, root = 0;
    if (!ARENA_ARRAY(closed, (size_t)a->words + 1, arena, err) || !ARENA_ARRAY(walk, (size_t)a->words + 1, arena, err))
        return false;
    for (uint32_t i = 0; i < a->words; i++) {
        closed[i] = a->head[i] == HEAD_OPEN ? 0 : a->head[i];
        if (a->head[i] == i + 1)
            return fail(err, VOUCH_ERR_ARGUMENT, "rule 'no cycle': word %u depends on itself", i + 1);
        if (a->head[i] == 0 && root)
            return fail(err, VOUCH_ERR_ARGUMENT, "rule 'one root': words %u and %u both depend on the root", root,
                        i + 1);
        root = a->head[i] == 0 ? i + 1 : root;
        if (a->label && a->label[i].at && !label_is_known(desk, a, i, err))
            return false;
    }
    uint32_t on = heads_cycle(closed, a->words, walk);
    if (on)
        return fail(err, VOUCH_ERR_ARGUMENT, "rule 'no cycle': word %u depends on itself through word %u", on,
                    closed[on - 1]);
    return root || !all_decided(a) || fail(err, VOUCH_ERR_ARGUMENT, "rule 'one root': no word depends on the root");
}

/* Spells the chunks of a whole answer in the corpus's scheme, those of parts in IOB2 (BIOES if the corpus is). */
static bool respell(const struct desk *desk, const struct store_answer *a, struct text *label, struct arena *arena,
                    struct vouch_error *err)
{
    char *prefix;
    if (desk->trees || desk->scheme == SCHEME_NONE || !all_decided(a))
        return true;
    if (!ARENA_ARRAY(prefix, (size_t)a->words + 1, arena, err))
        return false;
    scheme_convert(a->label, a->words, desk->scheme, prefix);
    for (uint32_t i = 0; i < a->words; i++) {
        if (prefix[i] == 'O' || label[i].at[0] == prefix[i])
            continue;
        char *copy = arena_string(arena, label[i].at, label[i].length, err);
        if (!copy)
            return false;
        copy[0] = prefix[i];
        label[i].at = copy;
    }
    return true;
}

bool client_answer(struct desk *desk, const json_t *value, const json_t *decided, uint32_t words, bool check,
                 struct arena *arena, struct store_answer *to, struct vouch_error *err)
{
    const json_t *labels = json_object_get(value, desk->trees ? "relations" : "labels");
    const json_t *heads = json_object_get(value, "heads"), *spans = json_object_get(value, "spans");
    struct text *label;
    uint32_t *head;
    if (!ARENA_ARRAY(label, (size_t)words + 1, arena, err) || !ARENA_ARRAY(head, (size_t)words + 1, arena, err))
        return false;
    *to = (struct store_answer){.words = words, .label = label, .head = desk->trees ? head : NULL};
    bool in_spans = !desk->trees && !labels && json_is_array(spans) && desk->scheme != SCHEME_NONE;
    if (desk->trees ? !json_is_array(heads) : !in_spans && !json_is_array(labels))
        return fail(err, VOUCH_ERR_ARGUMENT, "expected an answer with %s",
                    desk->trees ? "\"heads\" and \"relations\"" : "\"labels\" or \"spans\"");
    memset(label, 0, sizeof *label * words);
    if (!(desk->trees ? read_heads(heads, words, head, err) : true) ||
        !(in_spans              ? read_spans(spans, words, label, arena, err)
          : json_is_array(labels) ? read_labels(labels, words, label, desk->trees ? "relations" : "labels", err)
                                  : true) ||
        !keep_decided(decided, to, label, head, arena, err))
        return false;
    if (check && !(desk->trees ? tree_follows_rules(desk, to, arena, err)
                               : labels_follow_rules(desk, to, in_spans, err)))
        return false;
    return respell(desk, to, label, arena, err);
}

/* ---- Storing ---- */

/* A decision while it is read. */
struct reading_decision {
    struct store_decision decision;
    struct arena arena;
    uint32_t place;
    char *details;
};

static bool parse_kind(const json_t *body, struct store_decision *d, bool *rejects, struct vouch_error *err)
{
    const char *kind = json_string_value(json_object_get(body, "kind"));
    *rejects = kind && strcmp(kind, "reject") == 0;
    if (*rejects)
        d->kind = DECISION_FLAG;
    if (*rejects ||
        (kind && decision_kind_named(kind, &d->kind) && d->kind != DECISION_UNDO && d->kind != DECISION_REDO))
        return true;
    return fail(err, VOUCH_ERR_ARGUMENT,
                "expected \"kind\": accept, edit, skip, flag, reject, comment or acknowledge; found '%.40s'",
                kind ? kind : "nothing");
}

static double number_of(const json_t *body, const char *name)
{
    const json_t *value = json_object_get(body, name);
    return json_is_number(value) ? json_number_value(value) : NAN;
}

static bool parse_answers(struct desk *desk, const json_t *body, struct reading_decision *r, struct vouch_error *err)
{
    struct store_decision *d = &r->decision;
    const json_t *answer = json_object_get(body, "answer"), *shown = json_object_get(body, "shown");
    const json_t *decided = json_object_get(body, "words");
    uint32_t words = desk->place[r->place].words;
    if (json_is_object(shown) && !d->blind &&
        !client_answer(desk, shown, NULL, words, false, &r->arena, &d->shown, err))
        return fail_within(err, "\"shown\"");
    if (!decision_answers(d->kind))
        return true;
    if (!json_is_object(answer))
        answer = d->kind == DECISION_ACCEPT && !d->blind ? shown : NULL;
    if (!json_is_object(answer))
        return fail(err, VOUCH_ERR_ARGUMENT, "expected \"answer\", with %s",
                    desk->trees ? "\"heads\" and \"relations\"" : "\"labels\" or \"spans\"");
    if (!client_answer(desk, answer, decided, words, true, &r->arena, &d->after, err))
        return false;
    return !d->blind || all_decided(&d->after) ||
           fail(err, VOUCH_ERR_ARGUMENT, "rule 'whole sentence': a blind sentence measures, and is decided as a whole");
}

static bool parse_decision(struct desk *desk, const json_t *body, struct reading_decision *r, struct vouch_error *err)
{
    struct store_decision *d = &r->decision;
    const json_t *sentence = json_object_get(body, "sentence");
    bool rejects;
    if (!json_is_integer(sentence))
        return fail(err, VOUCH_ERR_ARGUMENT, "expected \"sentence\", a number");
    if (!desk_find(desk, json_integer_value(sentence), &r->place, err) || !parse_kind(body, d, &rejects, err))
        return false;
    d->sentence = desk->place[r->place].id;
    d->blind = desk->place[r->place].blind;
    d->key = json_string_value(json_object_get(body, "key"));
    d->note = json_string_value(json_object_get(body, "note"));
    d->order = json_string_value(json_object_get(body, "order"));
    d->reason = json_string_value(json_object_get(body, "why"));
    d->model = d->blind ? NULL : json_string_value(json_object_get(body, "model"));
    d->confidence = d->blind ? NAN : number_of(body, "confidence");
    d->seconds = number_of(body, "seconds");
    if (d->seconds < 0)
        return fail(err, VOUCH_ERR_ARGUMENT, "expected \"seconds\" of 0 or more");
    json_int_t rank = json_integer_value(json_object_get(body, "rank"));
    json_int_t from = json_integer_value(json_object_get(body, "from"));
    json_int_t to = json_integer_value(json_object_get(body, "to"));
    if (rank < 0 || from < 0 || to < from || to > (json_int_t)desk->place[r->place].words)
        return fail(err, VOUCH_ERR_ARGUMENT, "expected \"rank\", \"from\" and \"to\" within the sentence");
    d->rank = (uint64_t)rank;
    d->from = (uint32_t)from;
    d->to = (uint32_t)to;
    if (rejects)
        d->details = "{\"kind\": \"reject\"}";
    if (d->kind == DECISION_COMMENT && (!d->note || !*d->note))
        return fail(err, VOUCH_ERR_ARGUMENT, "expected \"note\", the text of the comment");
    return parse_answers(desk, body, r, err);
}

/* Names of those who have decided on a sentence that only one was to decide on, besides the annotator. */
struct others {
    const struct desk *desk;
    uint32_t place;
    int64_t annotator;
    json_t *names;
};

static bool take_other(void *context, const struct store_annotator *a, struct vouch_error *err)
{
    const struct others *o = context;
    (void)err;
    for (uint32_t m = o->desk->place[o->place].marks; m; m = o->desk->mark[m - 1].next)
        if (o->desk->mark[m - 1].annotator == a->id && a->id != o->annotator && is_decided(o->desk->mark[m - 1].state))
            json_array_append_new(o->names, json_string(a->name));
    return true;
}

static json_t *others_json(struct desk *desk, uint32_t place, int64_t annotator)
{
    uint32_t count;
    struct others others = {desk, place, annotator, json_array()};
    state_of(desk, place, annotator, &count);
    if (count > 0 && !desk->place[place].twice)
        store_annotators(desk->store, take_other, &others, NULL);
    return others.names;
}

static json_t *result_json(struct desk *desk, int64_t decision, uint32_t place, int64_t annotator,
                           struct vouch_error *err)
{
    struct student_state state = learner_state(desk->learner, &desk->student);
    uint32_t others;
    json_t *result =
        json_pack("{s:I, s:I, s:s, s:s, s:I, s:o}", "decision", (json_int_t)decision, "sentence",
                  (json_int_t)desk->place[place].id, "state",
                  sentence_state_name(state_of(desk, place, annotator, &others)), "learning",
                  learning_state_name(state.state), "ranking",
                  (json_int_t)(desk->ranking ? desk->ranking->number : 0), "others",
                  others_json(desk, place, annotator));
    if (!result)
        fail_memory(err);
    return result;
}

/* After a decision, an undo or a redo was stored: what is kept in memory follows. */
static bool follow(struct desk *desk, uint32_t place, int64_t annotator, bool learns, struct vouch_error *err)
{
    if (!desk_note_state(desk, place, annotator, err))
        return false;
    if (learns)
        rounds_count(desk, desk->place[place].blind);
    return true;
}

static json_t *store_and_follow(struct desk *desk, struct reading_decision *r, struct vouch_error *err)
{
    const struct store_decision *d = &r->decision;
    struct seat *seat = desk_seat(desk, d->annotator, err);
    int64_t id;
    uint32_t others;
    bool unseen = state_of(desk, r->place, d->annotator, &others) == STATE_UNSEEN;
    bool answers = decision_answers(d->kind);
    bool moves = answers || d->kind == DECISION_SKIP || d->kind == DECISION_FLAG;
    if (!seat || !store_decide(desk->store, d, &id, err))
        return NULL;
    if (moves) {
        seat_drop(seat, r->place);
        seat->asked += unseen;
    }
    /* It is on the disk: a failure from here on must not tell the client that it is not. */
    struct vouch_error later = {0};
    follow(desk, r->place, d->annotator, answers, &later);
    return result_json(desk, id, r->place, d->annotator, err);
}

json_t *desk_decide(struct desk *desk, const char *annotator, const json_t *body, struct vouch_error *err)
{
    struct reading_decision r = {.decision = {.confidence = NAN, .seconds = NAN}};
    json_t *result = NULL;
    desk_enter(desk);
    if (desk_annotator(desk, annotator, &r.decision.annotator, err) && parse_decision(desk, body, &r, err))
        result = store_and_follow(desk, &r, err);
    desk_leave(desk);
    arena_release(&r.arena);
    return result;
}

/* ---- Undo and redo ---- */

static bool take_sentence(void *context, const struct store_decision *d, struct vouch_error *err)
{
    struct store_decision *to = context;
    (void)err;
    to->id = d->id;
    to->sentence = d->sentence;
    to->kind = d->kind;
    return true;
}

typedef bool (*store_step)(struct store *, int64_t, const char *, int64_t *, struct vouch_error *);

static json_t *step_back(struct desk *desk, const char *annotator, const char *key, store_step step, bool shows,
                         struct vouch_error *err)
{
    struct store_decision found = {0};
    int64_t who, id = 0;
    uint32_t place;
    json_t *result = NULL;
    desk_enter(desk);
    struct seat *seat;
    if (!desk_annotator(desk, annotator, &who, err) || !(seat = desk_seat(desk, who, err)) ||
        !step(desk->store, who, key, &id, err))
        goto end;
    if (id == 0) {
        result = json_pack("{s:n}", "decision");
        goto end;
    }
    struct decision_query query = {.annotator = who, .after_id = id - 1, .limit = 1};
    if (!store_decisions(desk->store, &query, take_sentence, &found, err) ||
        !desk_find(desk, found.sentence, &place, err))
        goto end;
    struct vouch_error later = {0};
    follow(desk, place, who, decision_answers(found.kind), &later);
    if (shows)
        seat_show(seat, place);
    else
        seat_drop(seat, place);
    result = result_json(desk, id, place, who, err);
end:
    desk_leave(desk);
    return result;
}

json_t *desk_undo(struct desk *desk, const char *annotator, const char *key, struct vouch_error *err)
{
    return step_back(desk, annotator, key, store_undo_last, true, err);
}

json_t *desk_redo(struct desk *desk, const char *annotator, const char *key, struct vouch_error *err)
{
    return step_back(desk, annotator, key, store_redo_last, false, err);
}

/* ---- The list of decisions ---- */

/* Decisions while they are listed, for one annotator or for everybody. */
struct listing {
    const struct desk *desk;
    json_t *list;
    bool own;
};

/* Whether an answer may be told: not to everybody as long as the second annotator of its sentence has not decided. */
static bool may_tell(const struct listing *l, const struct store_decision *d)
{
    uint32_t place, decided = 0;
    if (l->own || !desk_find(l->desk, d->sentence, &place, NULL))
        return true;
    for (uint32_t m = l->desk->place[place].marks; m; m = l->desk->mark[m - 1].next)
        decided += is_decided(l->desk->mark[m - 1].state);
    return !waits_for_second(l->desk, place, decided);
}

static bool list_decision(void *context, const struct store_decision *d, struct vouch_error *err)
{
    struct listing *l = context;
    json_t *list = l->list;
    bool tell = may_tell(l, d);
    json_t *one = json_pack("{s:I, s:I, s:I, s:s, s:s?, s:b, s:b, s:b, s:I}", "decision", (json_int_t)d->id, "sentence",
                            (json_int_t)d->sentence, "annotator", (json_int_t)d->annotator, "kind",
                            decision_kind_name(d->kind), "note", tell ? d->note : NULL, "blind", d->blind, "changed",
                            d->changed, "stands", d->stands, "when", (json_int_t)d->when);
    if (one) {
        json_object_set_new(one, "seconds", isnan(d->seconds) ? json_null() : json_real(d->seconds));
        json_object_set_new(one, "of", d->of ? json_integer(d->of) : json_null());
        json_object_set_new(one, "answer", tell ? store_answer_json(&d->after) : json_null());
        json_object_set_new(one, "shown", tell ? store_answer_json(&d->shown) : json_null());
        json_object_set_new(one, "why", d->reason ? json_string(d->reason) : json_null());
        json_object_set_new(one, "model", d->model ? json_string(d->model) : json_null());
    }
    return (one && json_array_append_new(list, one) == 0) || fail_memory(err);
}

json_t *desk_decisions(struct desk *desk, const char *annotator, int64_t sentence, uint64_t limit,
                       struct vouch_error *err)
{
    struct decision_query query = {.sentence = sentence, .newest = true, .limit = limit};
    json_t *list = json_array();
    struct listing listing = {desk, list, annotator != NULL};
    desk_enter(desk);
    bool ok = !annotator || store_find_annotator(desk->store, annotator, NULL, &query.annotator, err);
    bool unknown = annotator && query.annotator == 0;
    ok = ok && (unknown || store_decisions(desk->store, &query, list_decision, &listing, err));
    for (size_t i = 0; ok && i < json_array_size(list); i++) {
        json_t *one = json_array_get(list, i);
        struct sentence s = {0};
        if (store_read_sentence(desk->store, json_integer_value(json_object_get(one, "sentence")), &s, NULL, err))
            json_object_set_new(one, "words", words_json(&s));
        sentence_release(&s);
    }
    desk_leave(desk);
    if (ok)
        return json_pack("{s:o}", "decisions", list);
    json_decref(list);
    return NULL;
}
