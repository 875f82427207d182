/*
 * Decisions about suspects: see corpus_review.h.
 *
 * A decision is about the words of the suspect alone, and of trees about the words that change with it; all other words
 * of its sentence stay open. Several decisions that are sent together are all taken or none. What a sentence would be
 * with all that was decided in it is checked first: no word may be decided in two ways, labels must be known, and a
 * tree must stay one, with no more roots than the corpus gives it.
 */
#include "desk/corpus_review.h"
#include "desk/desk_room.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

/* ---- What decisions make of a sentence ---- */

struct outcome {
    struct desk *desk;
    struct sentence s;
    struct arena arena;
    struct text *label; /* [N] label or relation, */
    uint32_t *head;     /* [N] and head, as decided; else as given */
    bool *decided;      /* [N] */
};

static bool outcome_open(struct outcome *o, struct desk *desk, int64_t sentence, struct vouch_error *err)
{
    *o = (struct outcome){.desk = desk};
    if (!store_read_sentence(desk->store, sentence, &o->s, NULL, err))
        return false;
    size_t N = o->s.N;
    if (!ARENA_ARRAY(o->label, N + 1, &o->arena, err) || !ARENA_ARRAY(o->head, N + 1, &o->arena, err) ||
        !ARENA_ARRAY(o->decided, N + 1, &o->arena, err))
        return false;
    memset(o->decided, 0, sizeof *o->decided * (N + 1));
    for (size_t i = 0; i < N; i++) {
        o->label[i] = o->s.labelled ? o->s.gold[i] : (struct text){0};
        o->head[i] = desk->trees ? o->s.head[i] : 0;
    }
    return true;
}

static void outcome_release(struct outcome *o)
{
    sentence_release(&o->s);
    arena_release(&o->arena);
}

/* Takes the first of several words off `rest`; empty if there is none. */
static struct text cut_word(struct text *rest)
{
    while (rest->length && rest->at[0] == ' ')
        *rest = (struct text){rest->at + 1, rest->length - 1};
    return text_cut(rest, ' ');
}

/* Decides on a word: a label, or HEAD:RELATION or HEAD. */
static bool decide_word(struct outcome *o, uint32_t word, struct text wanted, struct vouch_error *err)
{
    uint32_t head = 0;
    struct text label = wanted;
    if (word >= o->s.N)
        return fail(err, VOUCH_ERR_ARGUMENT, "there is no word %u in the sentence", word + 1);
    if (o->desk->trees) {
        struct text number = text_cut(&label, ':');
        if (!text_whole(number, &head) || head > o->s.N)
            return fail(err, VOUCH_ERR_ARGUMENT,
                        "word %u: expected HEAD:RELATION with a head from 0 to %u, found '%.*s'", word + 1, o->s.N,
                        excerpt(wanted), wanted.at);
        if (!label.length && o->s.labelled)
            label = o->s.gold[word];
    }
    if (o->decided[word] && (head != o->head[word] || !text_equal(label, o->label[word])))
        return fail(err, VOUCH_ERR_ARGUMENT, "word %u would be decided in two ways: another suspect has it as '%.*s'",
                    word + 1, excerpt(o->label[word]), o->label[word].at);
    o->label[word] = label;
    o->head[word] = head;
    o->decided[word] = true;
    return true;
}

/* Decides on words that change with a suspect, "7:0:root->3:obj", several between blanks. */
static bool decide_others(struct outcome *o, struct text also, struct vouch_error *err)
{
    struct text one;
    while ((one = cut_word(&also)).length) {
        uint32_t word, arrow = 0;
        bool ok = text_whole(text_cut(&one, ':'), &word) && word > 0;
        while (ok && arrow + 1 < one.length && (one.at[arrow] != '-' || one.at[arrow + 1] != '>'))
            arrow++;
        if (!ok || arrow + 2 >= one.length)
            return fail(err, VOUCH_ERR_ARGUMENT, "expected WORD:GIVEN->WANTED as what also changes");
        if (!decide_word(o, word - 1, (struct text){one.at + arrow + 2, one.length - arrow - 2}, err))
            return false;
    }
    return true;
}

static bool leaves_given(const char *decision)
{
    return strcmp(decision, "-") == 0 || strcmp(decision, "-!") == 0;
}

/* Makes a decision. */
static bool decide_suspect(struct outcome *o, const json_t *details, struct vouch_error *err)
{
    const json_t *suspect = json_object_get(details, "suspect");
    const char *decision = suspect_text(details, "decision");
    bool accepted = strcmp(decision, "+") == 0;
    struct text wanted = text_of(accepted                 ? suspect_text(suspect, "proposed")
                                 : leaves_given(decision) ? suspect_text(suspect, "given")
                                                          : suspect_text(details, "wanted"));
    uint32_t from = (uint32_t)json_integer_value(json_object_get(suspect, "word")) - 1;
    uint32_t words = (uint32_t)json_integer_value(json_object_get(suspect, "words"));
    for (uint32_t i = 0; i < words; i++) {
        struct text one = cut_word(&wanted);
        if (!one.length)
            return fail(err, VOUCH_ERR_ARGUMENT, "expected %u labels, one for each word, found %u", words, i);
        if (!decide_word(o, from + i, one, err))
            return false;
    }
    return !accepted || decide_others(o, text_of(suspect_text(suspect, "also")), err);
}

/* Whether the sentence is a tree, if it is to be one. */
static bool outcome_is_tree(struct outcome *o, struct vouch_error *err)
{
    uint32_t *walk, roots = 0, given = 0, N = o->s.N;
    if (!o->desk->trees)
        return true;
    if (!ARENA_ARRAY(walk, (size_t)N + 1, &o->arena, err))
        return false;
    for (uint32_t i = 0; i < N; i++) {
        roots += o->head[i] == 0;
        given += o->s.head[i] == 0;
        if (o->head[i] == i + 1)
            return fail(err, VOUCH_ERR_ARGUMENT, "rule 'no cycle': word %u would depend on itself", i + 1);
    }
    uint32_t on = heads_cycle(o->head, N, walk);
    if (on)
        return fail(err, VOUCH_ERR_ARGUMENT, "rule 'no cycle': word %u would depend on itself through word %u", on,
                    o->head[on - 1]);
    return (roots > 0 && roots <= (given > 1 ? given : 1)) ||
           fail(err, VOUCH_ERR_ARGUMENT, "rule 'one root': %u words would be roots", roots);
}

/* ---- Own answers ---- */

/* Spells one type, or O, for all words as a chunk, in the corpus's scheme. */
static bool spell_chunk(struct outcome *o, uint32_t from, uint32_t words, struct text type, struct buffer *to,
                        struct vouch_error *err)
{
    bool outside = text_is(type, "O");
    char *prefix;
    if (!ARENA_ARRAY(prefix, (size_t)o->s.N + 1, &o->arena, err))
        return false;
    for (uint32_t i = 0; i < words; i++) {
        char *label = arena_array(&o->arena, (size_t)type.length + 3, 1, err);
        if (!label)
            return false;
        sprintf(label, outside ? "O" : "%c-%.*s", i ? 'I' : 'B', (int)type.length, type.at);
        o->label[from + i] = text_of(label);
    }
    scheme_convert(o->label, o->s.N, o->desk->scheme, prefix);
    for (uint32_t i = 0; i < words; i++)
        if (!buffer_print(to, err, outside ? "%sO" : "%s%c-%.*s", i ? " " : "", prefix[from + i], (int)type.length,
                          type.at))
            return false;
    return true;
}

static bool label_exists(struct desk *desk, struct text label)
{
    struct text type = desk_type(desk, label);
    return type.length == 0 || desk_label(desk, type) != SIZE_MAX;
}

/* Spells an own answer: a label for each word, a type for all, or O; HEAD:RELATION or HEAD. */
static bool spell_own(struct desk *desk, const json_t *suspect, const char *own, struct buffer *to,
                      struct vouch_error *err)
{
    struct outcome o;
    uint32_t from = (uint32_t)json_integer_value(json_object_get(suspect, "word")) - 1, count = 0;
    uint32_t words = (uint32_t)json_integer_value(json_object_get(suspect, "words"));
    struct text rest = text_of(own), one, first = rest;
    bool ok = outcome_open(&o, desk, json_integer_value(json_object_get(suspect, "sentence")), err) &&
              (from + words <= o.s.N || fail(err, VOUCH_ERR_ARGUMENT, "the suspect is not in its sentence"));
    while (ok && (one = cut_word(&rest)).length) {
        first = count++ ? first : one;
        struct text label = one;
        if (desk->trees)
            text_cut(&label, ':');
        if (!label_exists(desk, label) && desk_label(desk, one) == SIZE_MAX)
            ok = fail(err, VOUCH_ERR_ARGUMENT, "rule 'known labels': found '%.*s', which the corpus does not have",
                      excerpt(one), one.at);
        ok = ok && (count == 1 || buffer_put(to, ' ', err)) && buffer_add(to, one, err);
    }
    bool type = ok && count == 1 && desk->scheme != SCHEME_NONE && !desk->trees &&
                (text_is(first, "O") || desk_label(desk, first) != SIZE_MAX);
    if (type) {
        to->length = 0;
        ok = spell_chunk(&o, from, words, first, to, err);
        count = words;
    }
    outcome_release(&o);
    return ok && (count == words || fail(err, VOUCH_ERR_ARGUMENT,
                                         "expected %u labels, one for each word, found %u", words, count));
}

/* ---- Reading ---- */

/* Finds a suspect of any round. */
static json_t *find_suspect(const struct corpus_review *r, const char *id)
{
    json_t *found = json_object_get(r->suspect, id);
    for (size_t i = r->items; !found && i-- > 0;) {
        json_t *suspect = json_object_get(r->item[i].details, "suspect");
        if (strcmp(suspect_text(suspect, "id"), id) == 0)
            found = suspect;
    }
    return found;
}

/* What is kept of a decision: the suspect as it was shown, what was decided, and for own answers how it is spelled. */
static json_t *read_one(struct desk *desk, const json_t *asked, struct vouch_error *err)
{
    const char *decision = json_string_value(json_object_get(asked, "decision"));
    json_t *suspect = find_suspect(&desk->review, suspect_text(asked, "suspect"));
    struct buffer wanted = {0};
    if (!suspect || !decision) {
        fail(err, VOUCH_ERR_ARGUMENT,
             decision ? "there is no such suspect: the list was made anew"
                      : "expected \"decision\": +, -, -!, an own answer, or \"\" to take it back");
        return NULL;
    }
    bool own = *decision && strcmp(decision, "+") != 0 && !leaves_given(decision);
    json_t *details = NULL;
    if (!own || spell_own(desk, suspect, decision, &wanted, err))
        details = json_pack("{s:O, s:s, s:s*}", "suspect", suspect, "decision", decision, "wanted", wanted.bytes);
    free(wanted.bytes);
    if (!details && !err->status)
        fail_memory(err);
    return details;
}

static json_t *read_all(struct desk *desk, const json_t *body, struct vouch_error *err)
{
    const json_t *asked = json_object_get(body, "decisions");
    json_t *batch = json_array();
    if (!json_array_size(asked))
        fail(err, VOUCH_ERR_ARGUMENT, "expected \"decisions\": [{\"suspect\", \"decision\"}]");
    for (size_t i = 0; !err->status && i < json_array_size(asked); i++) {
        json_t *one = read_one(desk, json_array_get(asked, i), err);
        if (one && json_array_append_new(batch, one) != 0)
            fail_memory(err);
    }
    if (!err->status)
        return batch;
    json_decref(batch);
    return NULL;
}

static bool is_in(const json_t *batch, const char *id)
{
    for (size_t i = 0; i < json_array_size(batch); i++)
        if (strcmp(suspect_id(json_array_get(batch, i)), id) == 0)
            return true;
    return false;
}

/* Makes of a sentence what would stand with the batch, and checks that. */
static bool check_sentence(struct desk *desk, const json_t *batch, int64_t sentence, struct vouch_error *err)
{
    const struct corpus_review *r = &desk->review;
    struct outcome o;
    bool ok = outcome_open(&o, desk, sentence, err);
    for (size_t i = 0; ok && i < r->items; i++)
        if (r->item[i].sentence == sentence && r->item[i].stands && !is_in(batch, suspect_id(r->item[i].details)) &&
            suspect_decided(r, suspect_id(r->item[i].details)) == &r->item[i])
            ok = decide_suspect(&o, r->item[i].details, err);
    for (size_t i = 0; ok && i < json_array_size(batch); i++) {
        const json_t *one = json_array_get(batch, i), *suspect = json_object_get(one, "suspect");
        if (*suspect_text(one, "decision") && json_integer_value(json_object_get(suspect, "sentence")) == sentence)
            ok = decide_suspect(&o, one, err);
    }
    ok = ok && outcome_is_tree(&o, err);
    outcome_release(&o);
    return ok;
}

static bool check_all(struct desk *desk, const json_t *batch, struct vouch_error *err)
{
    int64_t before = 0;
    for (size_t i = 0; i < json_array_size(batch); i++) {
        const json_t *suspect = json_object_get(json_array_get(batch, i), "suspect");
        int64_t sentence = json_integer_value(json_object_get(suspect, "sentence"));
        if (sentence != before && !check_sentence(desk, batch, sentence, err))
            return false;
        before = sentence;
    }
    return true;
}

/* ---- Storing ---- */

/* Leaves open what the decision is not about. */
static void keep_decided(struct outcome *o)
{
    for (uint32_t i = 0; i < o->s.N; i++)
        if (!o->decided[i]) {
            o->label[i] = (struct text){0};
            o->head[i] = HEAD_OPEN;
        }
}

static bool take_back(struct desk *desk, int64_t annotator, const struct suspect_decision *item,
                      struct vouch_error *err)
{
    int64_t id;
    if (item->annotator != annotator)
        return fail(err, VOUCH_ERR_ARGUMENT, "somebody else decided that: decide otherwise instead");
    struct store_decision undo = {
        .annotator = annotator, .sentence = item->sentence, .kind = DECISION_UNDO, .of = item->id};
    undo.confidence = undo.seconds = NAN;
    return store_decide(desk->store, &undo, &id, err);
}

static bool store_one(struct desk *desk, int64_t annotator, const json_t *details, double seconds,
                      struct vouch_error *err)
{
    const json_t *suspect = json_object_get(details, "suspect");
    const char *decision = suspect_text(details, "decision");
    const struct suspect_decision *other = suspect_decided(&desk->review, suspect_id(details));
    bool kept = leaves_given(decision), silent = strcmp(decision, "-!") == 0 && !other;
    struct store_decision d = {.annotator = annotator, .order = "review", .confidence = NAN, .seconds = seconds};
    struct outcome o;
    int64_t id;
    d.sentence = json_integer_value(json_object_get(suspect, "sentence"));
    d.kind = silent ? DECISION_ACKNOWLEDGE : kept ? DECISION_ACCEPT : DECISION_EDIT;
    d.reason = suspect_text(suspect, "why");
    d.from = (uint32_t)json_integer_value(json_object_get(suspect, "word")) - 1;
    d.to = d.from + (uint32_t)json_integer_value(json_object_get(suspect, "words"));
    char *text = json_dumps(details, JSON_COMPACT);
    bool ok = (text || fail_memory(err)) && outcome_open(&o, desk, d.sentence, err) && decide_suspect(&o, details, err);
    d.details = text;
    if (ok && silent)
        d.note = "right as it is";
    else if (ok) {
        keep_decided(&o);
        d.after = (struct store_answer){.words = o.s.N, .label = o.label, .head = desk->trees ? o.head : NULL};
        d.from = d.to = 0;
    }
    ok = ok && store_decide(desk->store, &d, &id, err);
    if (text)
        outcome_release(&o);
    free(text);
    return ok;
}

/* Replaces what stands, unless it is the same: one's own is taken back, somebody else's is overruled. */
static bool replace(struct desk *desk, int64_t annotator, const json_t *details, double seconds,
                    struct vouch_error *err)
{
    const struct suspect_decision *before = suspect_decided(&desk->review, suspect_id(details));
    const char *decision = suspect_text(details, "decision");
    uint32_t place;
    bool same = strcmp(before ? suspect_text(before->details, "decision") : "", decision) == 0;
    if (same)
        return true;
    desk->review.fresh++;
    if (before && (!*decision || before->annotator == annotator) &&
        (!take_back(desk, annotator, before, err) || !review_catch_up(desk, err)))
        return false;
    if (*decision && (!store_one(desk, annotator, details, seconds, err) || !review_catch_up(desk, err)))
        return false;
    int64_t sentence = json_integer_value(json_object_get(json_object_get(details, "suspect"), "sentence"));
    rounds_count(desk, false);
    return desk_find(desk, sentence, &place, err) && desk_note_state(desk, place, annotator, err);
}

bool suspects_decide(struct desk *desk, const char *annotator, const json_t *body, struct vouch_error *err)
{
    int64_t who;
    const json_t *measured = json_object_get(body, "seconds");
    double seconds = json_is_number(measured) ? fmax(json_number_value(measured), 0) : NAN;
    if (!desk_annotator(desk, annotator, &who, err) || !review_catch_up(desk, err))
        return false;
    json_t *batch = read_all(desk, body, err);
    bool ok = batch && check_all(desk, batch, err);
    for (size_t i = 0; ok && i < json_array_size(batch); i++)
        ok = replace(desk, who, json_array_get(batch, i), seconds, err);
    json_decref(batch);
    return ok;
}
