/*
 * What is near a sentence: the ones before and after, with the labels that they have or would get, and what the same
 * words are called in other sentences. Nothing is told of what a model thinks of blind sentences, and beside a blind
 * sentence nothing of what it thinks at all.
 */
#include "desk/desk_room.h"

#include "base/hash.h"

enum { NEIGHBOURS = 2, MOST_WORDS = 4, MOST_PLACES = 3, AROUND = 3 };

/* ---- Neighbours ---- */

/* Whether an annotator may decide on a sentence now: it is undecided, and no other has it in sight. */
static bool is_free(const struct desk *desk, uint32_t place, int64_t annotator)
{
    uint32_t others;
    return state_of(desk, place, annotator, &others) == STATE_UNSEEN && others == 0 &&
           !held_by_others(desk, annotator, place);
}

static bool has_doubts(const vouch_answer *answer)
{
    for (uint32_t i = 0; i < answer->N; i++)
        if (vouch_answer_is_doubtful(answer, i))
            return true;
    return false;
}

static void set_answer(json_t *neighbour, json_t *answer, const char *source)
{
    json_object_set_new(neighbour, "answer", answer);
    json_object_set_new(neighbour, "source", json_string(source));
}

/* The annotator's own answer, the corpus's or the model's. */
static void add_answer(struct desk *desk, const struct item_request *q, uint32_t at, const struct sentence *s,
                       json_t *to)
{
    const struct place *place = &desk->place[at];
    struct store_answer given = {.words = s->N, .label = s->gold};
    json_t *own = own_json(desk, at, q->annotator, NULL);
    if (json_is_object(own))
        set_answer(to, json_incref(own), "yours");
    else if (place->given && s->labelled && !place->blind)
        set_answer(to, store_answer_json(&given), "corpus");
    else if (desk->answerer && !place->blind && !desk->place[q->place].blind) {
        const vouch_answer *answer = answerer_ask(desk->answerer, s, NULL);
        struct store_answer view = answer ? stored_view(answer) : (struct store_answer){0};
        set_answer(to, store_answer_json(&view), "model");
        json_object_set_new(to, "sure", json_boolean(answer && is_free(desk, at, q->annotator) && !has_doubts(answer)));
    }
    json_decref(own);
}

json_t *neighbours_json(struct desk *desk, const struct item_request *q, int step)
{
    json_t *list = json_array();
    struct sentence s = {0};
    for (int n = 1; n <= NEIGHBOURS; n++) {
        int64_t at = (int64_t)q->place + n * step;
        if (at < 0 || at >= (int64_t)desk->places || desk->place[at].document != desk->place[q->place].document ||
            !store_read_sentence(desk->store, desk->place[at].id, &s, NULL, NULL))
            break;
        json_t *one = json_pack("{s:I, s:o}", "sentence", (json_int_t)desk->place[at].id, "words", words_json(&s));
        if (one && !desk->trees)
            add_answer(desk, q, (uint32_t)at, &s, one);
        json_array_insert_new(list, step < 0 ? 0 : json_array_size(list), one);
    }
    sentence_release(&s);
    return list;
}

/* ---- The same words elsewhere ---- */

static json_t *text_between(const struct sentence *s, uint32_t from, uint32_t to)
{
    struct buffer text = {0};
    for (uint32_t i = from; i < to; i++) {
        struct text form = sentence_form(s, i);
        buffer_print(&text, NULL, "%s%.*s", i > from ? " " : "", (int)form.length, form.at);
    }
    json_t *value = json_string(buffer_text(&text).at);
    free(text.bytes);
    return value;
}

/* What the word at `i` of a sentence is called: by the annotator, by the corpus, or by the ranking's model. */
static json_t *name_of(struct desk *desk, const struct item_request *q, uint32_t at, const struct sentence *s,
                       uint32_t i, const char **source)
{
    json_t *own = own_json(desk, at, q->annotator, NULL);
    const char *label = json_string_value(json_array_get(json_object_get(own, "labels"), i));
    uint16_t number = desk->ranking->label[desk->ranking->first[at] + i];
    struct text type = label                                 ? desk_type(desk, text_of(label))
                       : desk->place[at].given && s->labelled ? desk_type(desk, s->gold[i])
                       : number < desk->labels                ? text_of(desk->label[number])
                                                              : (struct text){"", 0};
    *source = label ? "yours" : desk->place[at].given && s->labelled ? "corpus" : "model";
    json_t *name = type.length ? json_stringn(type.at, type.length) : json_null();
    json_decref(own);
    return name;
}

static void add_place(struct desk *desk, const struct item_request *q, uint32_t word, uint32_t at, uint32_t i,
                      json_t *list)
{
    struct sentence s = {0};
    const char *source;
    if (store_read_sentence(desk->store, desk->place[at].id, &s, NULL, NULL) && i < s.N) {
        json_t *name = name_of(desk, q, at, &s, i, &source);
        json_array_append_new(
            list, json_pack("{s:I, s:I, s:o, s:o, s:o, s:o, s:s}", "word", (json_int_t)word, "sentence",
                            (json_int_t)desk->place[at].id, "before", text_between(&s, i > AROUND ? i - AROUND : 0, i),
                            "text", text_between(&s, i, i + 1), "after",
                            text_between(&s, i + 1, i + 1 + AROUND < s.N ? i + 1 + AROUND : s.N), "type", name,
                            "source", source));
    }
    sentence_release(&s);
}

/* The nearest other places of a word, before and after in turn. */
static void add_places(struct desk *desk, const struct item_request *q, const struct sentence *s, uint32_t word,
                       json_t *list)
{
    const struct ranking *r = desk->ranking;
    struct text form = sentence_form(s, word);
    uint32_t hash = (uint32_t)hash_bytes(form.at, form.length), found = 0;
    for (int64_t step = 1; step <= 2 * NEARBY && found < MOST_PLACES; step++) {
        int64_t at = (int64_t)q->place + (step % 2 ? -(step + 1) / 2 : step / 2);
        if (at < 0 || at >= (int64_t)desk->places || !is_nearby(desk, (uint32_t)at, q->place))
            continue;
        for (uint64_t i = r->first[at]; i < r->first[at + 1]; i++)
            if (r->form[i] == hash) {
                add_place(desk, q, word, (uint32_t)at, (uint32_t)(i - r->first[at]), list);
                found++;
                break;
            }
    }
}

json_t *same_words_json(struct desk *desk, const struct item_request *q, const struct sentence *s, const json_t *answer)
{
    const json_t *doubtful = json_object_get(answer, "doubtful");
    uint32_t words = 0;
    if (!desk->ranking || desk->trees || desk->scheme == SCHEME_NONE)
        return NULL;
    json_t *list = json_array();
    for (uint32_t i = 0; i < s->N && words < MOST_WORDS; i++)
        if (json_is_true(json_array_get(doubtful, i))) {
            add_places(desk, q, s, i, list);
            words++;
        }
    return list;
}
