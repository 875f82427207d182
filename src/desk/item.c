/*
 * A sentence as an annotator gets it: words, neighbours, the model's answer with its confidence and alternatives, and
 * why it is there, in words that need no statistics. Of a blind sentence nothing is told that could suggest an answer:
 * neither the model's nor the corpus's.
 *
 * The answer is the newest model's, asked now; what the same word is called nearby is the last ranking's. What is near
 * a sentence is in context.c.
 */
#include "desk/desk_room.h"

#include "base/hash.h"
#include "model/records.h"

#include <math.h>
#include <stdio.h>

/* ---- Values ---- */

static json_t *text_json(struct text text)
{
    return json_stringn(text.at, text.length);
}

json_t *interval_json(struct figure f)
{
    if (isnan(f.value))
        return json_null();
    return json_pack("{s:f, s:f, s:f}", "value", f.value, "low", f.low, "high", f.high);
}

json_t *words_json(const struct sentence *s)
{
    json_t *words = json_array();
    for (uint32_t i = 0; i < s->N; i++)
        json_array_append_new(words, text_json(sentence_form(s, i)));
    return words;
}

/* The words' tags, the fine ones if there are no coarse ones; null if there are none. */
static json_t *tags_json(const struct sentence *s)
{
    enum { COARSE = 3, FINE = 4 };
    for (uint32_t column = COARSE; s->tree && column <= FINE; column++) {
        json_t *tags = json_array();
        bool known = false;
        for (uint32_t i = 0; i < s->N; i++) {
            struct text tag = sentence_cell(s, i, column);
            known = known || !text_is(tag, "_");
            json_array_append_new(tags, text_json(tag));
        }
        if (known)
            return tags;
        json_decref(tags);
    }
    return json_null();
}

/* ---- The model's answer ---- */

static json_t *alternatives_json(const vouch_answer *answer, uint32_t word)
{
    json_t *list = json_array();
    for (size_t a = 0; a < vouch_answer_alternatives(answer, word); a++) {
        const char *label;
        size_t head;
        double probability;
        vouch_answer_alternative(answer, word, a, &label, &head, &probability);
        json_t *one = json_object();
        json_object_set_new(one, label ? "label" : "head", label ? json_string(label) : json_integer((json_int_t)head));
        json_object_set_new(one, "probability", figure_json(probability));
        json_array_append_new(list, one);
    }
    return list;
}

/* The likeliest relations of a word to the head that it has in the answer. */
static json_t *relations_json(const vouch_answer *answer, uint32_t word)
{
    json_t *list = json_array();
    const char *relation;
    double probability;
    for (size_t r = 0; vouch_answer_relation(answer, word, r, &relation, &probability); r++)
        json_array_append_new(list, json_pack("{s:s, s:o}", "label", relation, "probability",
                                              figure_json(probability)));
    return list;
}

/* The probability that a word is of a type, "" for outside: the sum over its labels, as far as alternatives go. */
static double type_probability(const struct desk *desk, const vouch_answer *answer, uint32_t word, struct text type)
{
    double sum = 0;
    for (size_t a = 0; a < vouch_answer_alternatives(answer, word); a++) {
        const char *label;
        double probability;
        vouch_answer_alternative(answer, word, a, &label, NULL, &probability);
        sum += label && text_equal(desk_type(desk, text_of(label)), type) ? probability : 0;
    }
    return sum;
}

/* Of a chunk: each type with the least probability over its words, the likeliest first. */
static json_t *types_json(const struct desk *desk, const vouch_answer *answer, size_t from, size_t to)
{
    json_t *list = json_array();
    for (size_t t = 0; t <= desk->labels; t++) {
        struct text type = t < desk->labels ? text_of(desk->label[t]) : (struct text){"", 0};
        double least = 1;
        for (size_t i = from; i < to; i++)
            least = fmin(least, type_probability(desk, answer, (uint32_t)i, type));
        if (least < 0.005)
            continue;
        size_t at = 0;
        while (at < json_array_size(list) &&
               json_real_value(json_object_get(json_array_get(list, at), "probability")) >= least)
            at++;
        json_t *one = json_object();
        json_object_set_new(one, "type", type.length ? text_json(type) : json_null());
        json_object_set_new(one, "probability", json_real(least));
        json_array_insert_new(list, at, one);
    }
    return list;
}

static json_t *spans_json(const struct desk *desk, const vouch_answer *answer)
{
    json_t *spans = json_array();
    for (size_t s = 0; s < vouch_answer_spans(answer); s++) {
        size_t from, to;
        const char *type;
        vouch_answer_span(answer, s, &from, &to, &type);
        double sure = vouch_answer_methods(answer) ? vouch_answer_span_confidence(answer, 0, s) : NAN;
        json_t *span = json_object();
        json_object_set_new(span, "from", json_integer((json_int_t)from));
        json_object_set_new(span, "to", json_integer((json_int_t)to));
        json_object_set_new(span, "type", json_string(type));
        json_object_set_new(span, "confidence", figure_json(sure));
        json_object_set_new(span, "doubtful", json_boolean(vouch_answer_is_doubtful(answer, from)));
        json_object_set_new(span, "alternatives", types_json(desk, answer, from, to));
        json_array_append_new(spans, span);
    }
    return spans;
}

json_t *model_answer_json(const struct desk *desk, const vouch_answer *answer)
{
    struct store_answer view = stored_view(answer);
    json_t *value = store_answer_json(&view), *words = json_array(), *others = json_array(), *doubtful = json_array();
    json_t *relations = json_array(), *other_relations = json_array();
    bool rated = vouch_answer_methods(answer) > 0;
    for (uint32_t i = 0; i < answer->N; i++) {
        json_array_append_new(words, figure_json(rated ? vouch_answer_confidence(answer, 0, i) : NAN));
        json_array_append_new(relations, figure_json(rated ? vouch_answer_relation_confidence(answer, 0, i) : NAN));
        json_array_append_new(others, alternatives_json(answer, i));
        json_array_append_new(other_relations, relations_json(answer, i));
        json_array_append_new(doubtful, json_boolean(vouch_answer_is_doubtful(answer, i)));
    }
    json_object_set_new(value, "confidence", words);
    if (desk->trees) {
        json_object_set_new(value, "relation_confidence", relations);
        json_object_set_new(value, "relation_alternatives", other_relations);
    } else {
        json_decref(relations);
        json_decref(other_relations);
        json_object_set_new(value, "spans", desk->scheme == SCHEME_NONE ? json_array() : spans_json(desk, answer));
    }
    json_object_set_new(value, "alternatives", others);
    json_object_set_new(value, "doubtful", doubtful);
    json_object_set_new(value, "sentence_confidence",
                        figure_json(rated ? vouch_answer_sentence_confidence(answer, 0) : NAN));
    json_object_set_new(value, "calibrated", json_boolean(rated && vouch_answer_is_calibrated(answer, 0)));
    return value;
}

/* ---- Why ---- */

static void add_times(struct buffer *why, uint32_t times)
{
    if (times <= 2)
        buffer_print(why, NULL, times == 1 ? "once" : "twice");
    else
        buffer_print(why, NULL, "%u times", times);
}

static const char *type_name(const struct desk *desk, uint16_t label)
{
    return label < desk->labels ? desk->label[label] : "no name";
}

/* What the same word is mostly called in sentences nearby, in the same document. */
static void add_nearby(const struct desk *desk, uint32_t place, const struct sentence *s, uint32_t word,
                       struct buffer *why)
{
    enum { MOST = 64 };
    const struct ranking *r = desk->ranking;
    uint32_t count[MOST + 1] = {0}, best = 0;
    if (!r || desk->trees || desk->scheme == SCHEME_NONE)
        return;
    struct text form = sentence_form(s, word);
    uint32_t hash = (uint32_t)hash_bytes(form.at, form.length);
    uint32_t from = place > NEARBY ? place - NEARBY : 0;
    for (uint32_t p = from; p < desk->places && p <= place + NEARBY; p++)
        for (uint64_t i = r->first[p]; i < r->first[p + 1]; i++)
            if (r->form[i] == hash && is_nearby(desk, p, place))
                count[r->label[i] < MOST ? r->label[i] : MOST]++;
    for (uint32_t t = 0; t <= MOST; t++)
        best = count[t] > count[best] ? t : best;
    if (count[best] == 0)
        return;
    buffer_print(why, NULL, "; the same word is %s ", type_name(desk, best < MOST ? (uint16_t)best : UINT16_MAX));
    add_times(why, count[best]);
    buffer_print(why, NULL, " nearby");
}

/* The two likeliest types of a word, "" being none. */
static void two_types(const struct desk *desk, const vouch_answer *answer, uint32_t word, struct text type[2])
{
    double best[2] = {-1, -1};
    type[0] = type[1] = (struct text){"", 0};
    for (size_t t = 0; t <= desk->labels; t++) {
        struct text name = t < desk->labels ? text_of(desk->label[t]) : (struct text){"", 0};
        double p = type_probability(desk, answer, word, name);
        int at = p > best[0] ? 0 : p > best[1] ? 1 : 2;
        if (at == 0) {
            best[1] = best[0];
            type[1] = type[0];
        }
        if (at < 2) {
            best[at] = p;
            type[at] = name;
        }
    }
}

static void add_unsure_label(const struct desk *desk, const vouch_answer *answer, uint32_t word, struct buffer *why)
{
    struct text type[2];
    two_types(desk, answer, word, type);
    if (type[0].length && type[1].length)
        buffer_print(why, NULL, "unsure between %.*s and %.*s", (int)type[0].length, type[0].at, (int)type[1].length,
                     type[1].at);
    else
        buffer_print(why, NULL, "unsure whether it is %.*s or no name", (int)(type[0].length + type[1].length),
                     type[0].length ? type[0].at : type[1].at);
}

static void add_form(const struct sentence *s, size_t head, struct buffer *why)
{
    struct text form = head ? sentence_form(s, (uint32_t)head - 1) : text_of("nothing (the root)");
    buffer_print(why, NULL, head ? "“%.*s”" : "%.*s", text_beginning(form, 60), form.at);
}

static void add_unsure_head(const struct sentence *s, const vouch_answer *answer, uint32_t word, struct buffer *why)
{
    size_t head[2] = {0, 0};
    buffer_print(why, NULL, "unsure what ");
    add_form(s, word + 1, why);
    buffer_print(why, NULL, " depends on");
    if (vouch_answer_alternatives(answer, word) < 2)
        return;
    vouch_answer_alternative(answer, word, 0, NULL, &head[0], NULL);
    vouch_answer_alternative(answer, word, 1, NULL, &head[1], NULL);
    buffer_print(why, NULL, ": ");
    add_form(s, head[0], why);
    buffer_print(why, NULL, " or ");
    add_form(s, head[1], why);
}

/* The word with the least confidence. */
static uint32_t least_sure(const vouch_answer *answer)
{
    uint32_t least = 0;
    for (uint32_t i = 1; i < answer->N; i++)
        if (vouch_answer_confidence(answer, 0, i) < vouch_answer_confidence(answer, 0, least))
            least = i;
    return least;
}

/* A word of which the corpus says something else than the model; answer->N if there is none. */
static uint32_t first_difference(const struct desk *desk, const struct sentence *s, const vouch_answer *answer)
{
    uint32_t i = 0;
    while (i < answer->N && (desk->trees ? s->head[i] == answer->head[i]
                                         : text_equal(desk_type(desk, s->gold[i]), desk_type(desk, answer->label[i]))))
        i++;
    return i;
}

static void add_difference(const struct desk *desk, const struct sentence *s, const vouch_answer *answer, uint32_t word,
                           struct buffer *why)
{
    add_form(s, word + 1, why);
    if (desk->trees) {
        buffer_print(why, NULL, " depends on ");
        add_form(s, s->head[word], why);
        buffer_print(why, NULL, " in the corpus; ");
        add_form(s, answer->head[word], why);
    } else {
        struct text given = desk_type(desk, s->gold[word]), own = desk_type(desk, answer->label[word]);
        buffer_print(why, NULL, " is %.*s in the corpus; %.*s", given.length ? (int)given.length : 7,
                     given.length ? given.at : "no name", own.length ? (int)own.length : 7,
                     own.length ? own.at : "no name");
    }
    buffer_print(why, NULL, " looks likelier");
}

static void tell_why(const struct desk *desk, const struct item_request *q, const struct sentence *s,
                     const vouch_answer *answer, struct buffer *why)
{
    const struct place *place = &desk->place[q->place];
    if (place->blind) {
        buffer_print(why, NULL, "drawn at random, to measure: no suggestion is shown");
        return;
    }
    if (!answer) {
        buffer_print(why, NULL, "there is no model yet: next in the document");
        return;
    }
    uint32_t differs = place->given && s->labelled ? first_difference(desk, s, answer) : answer->N;
    uint32_t word = least_sure(answer);
    if (q->order == ORDER_SUSPECTS && differs < answer->N)
        add_difference(desk, s, answer, word = differs, why);
    else if (q->order == ORDER_DOCUMENT)
        buffer_print(why, NULL, "next in the document");
    else if (!vouch_answer_is_doubtful(answer, word)) {
        buffer_print(why, NULL, "nothing here is doubtful any more");
        return;
    } else if (desk->trees)
        add_unsure_head(s, answer, word, why);
    else {
        add_form(s, word + 1, why);
        buffer_print(why, NULL, ": ");
        add_unsure_label(desk, answer, word, why);
    }
    if (q->order != ORDER_DOCUMENT)
        add_nearby(desk, q->place, s, word, why);
}

/* ---- The item ---- */

/* The annotator's own answer: what was decided last, over what was before. */
struct own_answer {
    json_t *value;
    bool blind;
};

static bool take_own(void *context, const struct store_decision *d, struct vouch_error *err)
{
    struct own_answer *own = context;
    json_t *value = store_answer_json(&d->after), *before = own->blind ? json_null() : store_answer_json(&d->before);
    (void)err;
    const char *key;
    json_t *list;
    if (json_is_object(value) && json_is_object(before))
        json_object_foreach(value, key, list)
            for (size_t i = 0; i < json_array_size(list); i++)
                if (json_is_null(json_array_get(list, i)))
                    json_array_set(list, i, json_array_get(json_object_get(before, key), i));
    json_decref(before);
    json_decref(own->value);
    own->value = value;
    return true;
}

json_t *own_json(struct desk *desk, uint32_t place, int64_t annotator, struct vouch_error *err)
{
    struct own_answer own = {json_null(), desk->place[place].blind};
    struct decision_query query = {.annotator = annotator,
                                   .sentence = desk->place[place].id,
                                   .kinds = 1u << DECISION_ACCEPT | 1u << DECISION_EDIT,
                                   .standing = true,
                                   .newest = true,
                                   .limit = 1};
    if (store_decisions(desk->store, &query, take_own, &own, err))
        return own.value;
    json_decref(own.value);
    return NULL;
}

json_t *item_json(struct desk *desk, const struct item_request *q, struct vouch_error *err)
{
    const struct place *place = &desk->place[q->place];
    struct sentence s = {0};
    struct buffer why = {0};
    uint32_t others;
    json_t *item = NULL, *own = NULL, *nearby = NULL;
    if (!store_read_sentence(desk->store, place->id, &s, NULL, err) ||
        !(own = own_json(desk, q->place, q->annotator, err)))
        goto end;
    const vouch_answer *answer = NULL;
    if (desk->answerer && !place->blind && !(answer = answerer_ask(desk->answerer, &s, err)))
        goto end;
    tell_why(desk, q, &s, answer, &why);
    struct store_answer given = {.words = s.N, .label = s.gold, .head = desk->trees ? s.head : NULL};
    bool tells_given = place->given && !place->blind && s.labelled;
    item = json_pack(
        "{s:I, s:{s:I, s:s}, s:I, s:I, s:o, s:b, s:b, s:s, s:s, s:I, s:s, s:s?, s:o, s:o, s:o}", "sentence",
        (json_int_t)place->id, "document", "id", (json_int_t)place->document, "name",
        desk_document(desk, place->document), "place", (json_int_t)place->place, "line", (json_int_t)s.number, "words",
        words_json(&s), "blind", place->blind, "double", place->twice, "state",
        sentence_state_name(state_of(desk, q->place, q->annotator, &others)), "order", order_name[q->order], "rank",
        (json_int_t)q->rank, "why", buffer_text(&why).at, "model",
        desk->answerer && !place->blind ? desk->answerer->digest : NULL, "given",
        tells_given ? store_answer_json(&given) : json_null(), "own", own, "answer",
        answer ? model_answer_json(desk, answer) : json_null());
    own = NULL;
    if (item && desk->trees)
        json_object_set_new(item, "tags", tags_json(&s));
    if (item && answer && (nearby = same_words_json(desk, q, &s, json_object_get(item, "answer"))))
        json_object_set_new(item, "nearby", nearby);
    /* From here on the model's answer is another sentence's. */
    if (item) {
        json_object_set_new(item, "before", neighbours_json(desk, q, -1));
        json_object_set_new(item, "after", neighbours_json(desk, q, 1));
    }
    if (!item)
        fail_memory(err);
end:
    json_decref(own);
    free(why.bytes);
    sentence_release(&s);
    return item;
}

json_t *desk_sentence(struct desk *desk, const char *annotator, int64_t sentence, struct vouch_error *err)
{
    struct item_request q = {.order = ORDER_DOCUMENT};
    json_t *item = NULL;
    desk_enter(desk);
    if (desk_annotator(desk, annotator, &q.annotator, err) && desk_find(desk, sentence, &q.place, err))
        item = item_json(desk, &q, err);
    desk_leave(desk);
    return item;
}
