/*
 * What several annotators said of the same sentences: how far they agree, in what they differ, and how that is settled.
 *
 * An annotator's answer is what was decided last about every word, but for decisions that settle (those of the order
 * "disagreement"): who settles has seen both answers, and agrees with one of them for that reason.
 *
 * Annotators are blind to each other. A sentence on which they differ is offered with their answers side by side,
 * without names, the sides drawn by lot. A decision about a double sentence is not told, and not learned from, until
 * the second annotator has decided: a model that has learned from the first answer would suggest it to the second.
 *
 * F1 by type counts the chunks, labels or arcs of two annotators, summed over all pairs; its interval holds it with a
 * probability of 0.9, sentences being the units of the sample (measure/intervals.h).
 */
#include "desk/desk_room.h"

#include "agree/agree.h"
#include "base/hash.h"
#include "measure/tag_score.h"

#include <math.h>
#include <stdio.h>

enum { RESAMPLES = 500, MOST_LISTED = 1000 };

/* Every annotator, and what they said of the sentence at hand. */
struct said {
    struct desk *desk;
    struct store *store;
    int64_t id[MOST_ANNOTATORS];
    char *name[MOST_ANNOTATORS];
    uint32_t count;
    struct arena arena;
    struct annotation by[MOST_ANNOTATORS];
    const char *note[MOST_ANNOTATORS]; /* the last comment; NULL: none */
    struct annotation settled;         /* what was decided in sight of both answers; label NULL: nothing yet */
    uint32_t words, answered;
};

static void said_release(struct said *said)
{
    for (uint32_t i = 0; i < said->count; i++)
        free(said->name[i]);
    arena_release(&said->arena);
    free(said);
}

static bool take_annotator(void *context, const struct store_annotator *a, struct vouch_error *err)
{
    struct said *said = context;
    if (said->count == MOST_ANNOTATORS)
        return true;
    said->id[said->count] = a->id;
    said->name[said->count] = new_string(a->name, strlen(a->name), err);
    return said->name[said->count++] != NULL;
}

static struct said *said_new(struct desk *desk, struct store *store, struct vouch_error *err)
{
    struct said *said = new_array(1, sizeof *said, err);
    if (!said)
        return NULL;
    said->desk = desk;
    said->store = store;
    if (store_annotators(store, take_annotator, said, err))
        return said;
    said_release(said);
    return NULL;
}

/* Lays a decision over what was said before: words that it leaves open stay. */
static bool lay_over(struct said *said, const struct store_answer *after, struct annotation *to,
                     struct vouch_error *err)
{
    struct text *label;
    uint32_t *head;
    if (!ARENA_ARRAY(label, (size_t)said->words + 1, &said->arena, err) ||
        !ARENA_ARRAY(head, (size_t)said->words + 1, &said->arena, err))
        return false;
    for (uint32_t i = 0; i < said->words; i++) {
        bool open = answer_open(after, i);
        struct text own = open || !after->label ? (struct text){0} : after->label[i];
        char *copy = NULL;
        if (own.at && !(copy = arena_string(&said->arena, own.at, own.length, err)))
            return false;
        label[i] = open && to->label ? to->label[i] : (struct text){copy, own.length};
        head[i] = open ? (to->head ? to->head[i] : NO_VALUE) : after->head ? after->head[i] : NO_VALUE;
    }
    *to = (struct annotation){label, said->desk->trees ? head : NULL};
    return true;
}

static bool take_decision(void *context, const struct store_decision *d, struct vouch_error *err)
{
    struct said *said = context;
    uint32_t who = 0;
    while (who < said->count && said->id[who] != d->annotator)
        who++;
    if (who == said->count)
        return true;
    if (d->note && *d->note && !(said->note[who] = arena_string(&said->arena, d->note, strlen(d->note), err)))
        return false;
    if (!decision_answers(d->kind) || d->after.words != said->words)
        return true;
    if (d->order && strcmp(d->order, order_name[ORDER_DISAGREEMENT]) == 0)
        return lay_over(said, &d->after, &said->settled, err);
    said->answered += said->by[who].label == NULL;
    return lay_over(said, &d->after, &said->by[who], err);
}

/* Finds what was said of a sentence; fewer than two answers are `answered` by those who did. */
static bool said_find(struct said *said, uint32_t place, struct vouch_error *err)
{
    struct decision_query query = {.sentence = said->desk->place[place].id,
                                   .kinds = 1u << DECISION_ACCEPT | 1u << DECISION_EDIT | 1u << DECISION_COMMENT,
                                   .standing = true};
    memset(said->by, 0, sizeof said->by);
    memset(said->note, 0, sizeof said->note);
    said->settled = (struct annotation){0};
    said->words = said->desk->place[place].words;
    said->answered = 0;
    arena_reset(&said->arena);
    return store_decisions(said->store, &query, take_decision, said, err);
}

static bool same_word(const struct annotation *a, const struct annotation *b, uint32_t word)
{
    struct text x = a->label[word], y = b->label[word];
    return (a->head ? a->head[word] : 0) == (b->head ? b->head[word] : 0) && !x.at == !y.at && text_equal(x, y);
}

static bool same_answer(const struct said *said, const struct annotation *a, const struct annotation *b)
{
    for (uint32_t i = 0; i < said->words; i++)
        if (!same_word(a, b, i))
            return false;
    return true;
}

/* Lists the different answers in an order by lot: how many there are. `who` are those who gave them. */
static uint32_t different(const struct said *said, uint32_t place, uint32_t who[MOST_ANNOTATORS])
{
    uint32_t count = 0;
    for (uint32_t a = 0; a < said->count; a++) {
        bool known = !said->by[a].label;
        for (uint32_t k = 0; k < count && !known; k++)
            known = same_answer(said, &said->by[who[k]], &said->by[a]);
        if (!known)
            who[count++] = a;
    }
    const struct desk *desk = said->desk;
    if (count > 1 && (hash_mix(hash_mix(desk->options.work.seed, 3), desk->place[place].digest) & 1)) {
        uint32_t first = who[0];
        who[0] = who[1];
        who[1] = first;
    }
    return count;
}

/* Whether several annotators have decided on a sentence, as far as is known without asking the store. */
static bool may_differ(const struct desk *desk, uint32_t place)
{
    uint32_t m = desk->place[place].marks;
    return m && desk->mark[m - 1].next;
}

bool waits_for_second(const struct desk *desk, uint32_t place, uint32_t annotators)
{
    return desk->place[place].twice && annotators < 2;
}

/* ---- What is to be settled ---- */

static json_t *answer_json(const struct said *said, uint32_t who)
{
    struct store_answer view = {said->words, said->by[who].label, said->by[who].head};
    json_t *value = store_answer_json(&view);
    json_object_set_new(value, "note", said->note[who] ? json_string(said->note[who]) : json_null());
    return value;
}

/* A sentence with its different answers; *item is NULL if there is nothing to settle. */
static bool settling_item(struct said *said, const struct item_request *request, json_t **item, struct vouch_error *err)
{
    uint32_t who[MOST_ANNOTATORS];
    *item = NULL;
    if (!said_find(said, request->place, err))
        return false;
    uint32_t count = different(said, request->place, who);
    if (count < 2 || said->settled.label)
        return true;
    if (!(*item = item_json(said->desk, request, err)))
        return false;
    json_t *answers = json_array();
    for (uint32_t k = 0; k < count; k++)
        json_array_append_new(answers, answer_json(said, who[k]));
    json_object_set_new(*item, "why",
                        json_string(count == 2 ? "two people answered this without seeing each other's answer"
                                               : "several people answered this without seeing each other's answers"));
    json_object_set_new(*item, "own", json_null()); /* it would tell whose answer is whose */
    json_object_set_new(*item, "answers", answers);
    bool mine = false;
    for (uint32_t a = 0; a < said->count; a++)
        mine = mine || (said->by[a].label && said->id[a] == request->annotator);
    json_object_set_new(*item, "mine", json_boolean(mine));
    return true;
}

json_t *disagreement_items(struct desk *desk, int64_t annotator, uint32_t limit, struct vouch_error *err)
{
    json_t *items = json_array(), *item;
    struct said *said = said_new(desk, desk->store, err);
    const uint32_t *doubt = desk->ranking ? desk->ranking->order[ORDER_DOUBT] : NULL;
    bool ok = said != NULL;
    for (size_t i = desk->places; ok && i-- > 0 && json_array_size(items) < limit;) {
        struct item_request request = {doubt ? doubt[i] : (uint32_t)i, annotator, ORDER_DISAGREEMENT,
                                       json_array_size(items) + 1};
        if (may_differ(desk, request.place) && (ok = settling_item(said, &request, &item, err)) && item)
            json_array_append_new(items, item);
    }
    if (said)
        said_release(said);
    if (ok)
        return items;
    json_decref(items);
    return NULL;
}

/* ---- How far they agree ---- */

struct agreeing {
    struct said *said;
    struct agreement agreement;
    struct clustered *type, all; /* [labels] things that two have in common, of those of both */
    json_t *sentences;           /* their numbers, in the order in which they were added */
    uint64_t settled, open, side[2];
    uint32_t *place, count; /* [count] that several annotators have decided on */
};

static void add_type(struct agreeing *g, struct text name, double right, double of)
{
    size_t label = desk_label(g->said->desk, name);
    if (label != SIZE_MAX && of > 0)
        clustered_add(&g->type[label], right, of);
}

/* Counts arcs: of every relation, those that both have, with the same head. */
static void compare_arcs(struct agreeing *g, const struct annotation *a, const struct annotation *b)
{
    const struct desk *desk = g->said->desk;
    double all = 0, both = 0;
    for (size_t r = 0; r < desk->labels; r++) {
        double right = 0, of = 0;
        for (uint32_t i = 0; i < g->said->words; i++) {
            bool first = text_is(a->label[i], desk->label[r]), second = text_is(b->label[i], desk->label[r]);
            of += first + second;
            right += 2 * (first && second && a->head[i] == b->head[i]);
        }
        add_type(g, text_of(desk->label[r]), right, of);
        all += of;
        both += right;
    }
    clustered_add(&g->all, both, all);
}

static bool compare_labels(struct agreeing *g, const struct annotation *a, const struct annotation *b,
                           struct vouch_error *err)
{
    struct tag_score score;
    tag_score_init(&score, tag_unit_of(g->said->desk->scheme));
    bool ok = tag_score_add(&score, a->label, b->label, g->said->words, err);
    for (size_t r = 0; ok && r < score.rows; r++) {
        const struct tag_counts *c = &score.row[r].counts;
        add_type(g, (struct text){score.row[r].name, score.row[r].length}, 2 * (double)c->correct,
                 (double)(c->gold + c->guessed));
    }
    if (ok)
        clustered_add(&g->all, 2 * (double)score.all.correct, (double)(score.all.gold + score.all.guessed));
    tag_score_release(&score);
    return ok;
}

static bool all_words_said(const struct said *said, const struct annotation *a)
{
    for (uint32_t i = 0; i < said->words; i++)
        if (!a->label || !a->label[i].at || (a->head && a->head[i] == NO_VALUE))
            return false;
    return true;
}

static bool compare_pairs(struct agreeing *g, struct vouch_error *err)
{
    const struct said *said = g->said;
    for (uint32_t a = 0; a < said->count; a++)
        for (uint32_t b = a + 1; b < said->count; b++) {
            if (!all_words_said(said, &said->by[a]) || !all_words_said(said, &said->by[b]))
                continue;
            if (said->desk->trees)
                compare_arcs(g, &said->by[a], &said->by[b]);
            else if (!compare_labels(g, &said->by[a], &said->by[b], err))
                return false;
        }
    return true;
}

/* Notes whether a sentence on which annotators differ was settled, and by which of the first two answers. */
static void note_settling(struct agreeing *g, uint32_t place)
{
    const struct said *said = g->said;
    uint32_t who[MOST_ANNOTATORS];
    if (different(said, place, who) < 2)
        return;
    if (!said->settled.label) {
        g->open++;
        return;
    }
    g->settled++;
    for (int k = 0; k < 2; k++)
        g->side[k] += same_answer(said, &said->by[who[k]], &said->settled);
}

static bool add_sentence(struct agreeing *g, uint32_t place, struct vouch_error *err)
{
    struct said *said = g->said;
    if (!said_find(said, place, err))
        return false;
    if (said->answered < 2)
        return true;
    note_settling(g, place);
    return agreement_add(&g->agreement, said->words, said->by, err) && compare_pairs(g, err) &&
           (json_array_append_new(g->sentences, json_integer(said->desk->place[place].id)) == 0 || fail_memory(err));
}

/* What the model thinks of each sentence in which annotators differ; of blind ones it is not asked. */
static bool think(struct agreeing *g, struct vouch_error *err)
{
    struct desk *desk = g->said->desk;
    struct sentence s = {0};
    bool ok = true;
    for (uint32_t i = 0; ok && i < g->agreement.sentences; i++) {
        int64_t id = json_integer_value(json_array_get(g->sentences, i));
        uint32_t place;
        if (!(ok = desk_find(desk, id, &place, err)) || desk->place[place].blind)
            continue;
        ok = store_read_sentence(g->said->store, id, &s, NULL, err);
        desk_enter(desk);
        const vouch_answer *answer = ok && desk->answerer ? answerer_ask(desk->answerer, &s, err) : NULL;
        ok = ok && (answer || !desk->answerer);
        if (answer)
            agreement_think(&g->agreement, i, answer);
        desk_leave(desk);
    }
    sentence_release(&s);
    agreement_sort(&g->agreement);
    return ok;
}

/* Too few sentences, or things in them, have no figure, but how many are missing. */
static json_t *share_json(const char *type, const struct clustered *sum)
{
    struct interval interval = clustered_interval(sum);
    struct figure figure = {clustered_share(sum), interval.low, interval.high};
    double missing = fmax(0, fmax(LEAST_BLIND - sum->clusters, ceil(LEAST_THINGS - sum->of / 2)));
    if (missing > 0)
        figure.value = NAN;
    return json_pack("{s:s?, s:I, s:f, s:I, s:o}", "type", type, "sentences", (json_int_t)sum->clusters, "things",
                     sum->of / 2, "missing", (json_int_t)missing, "f1", interval_json(figure));
}

static json_t *types_json(const struct agreeing *g)
{
    const struct desk *desk = g->said->desk;
    json_t *list = json_array();
    for (size_t i = 0; i < desk->labels; i++)
        json_array_append_new(list, share_json(desk->label[i], &g->type[i]));
    return list;
}

static json_t *agree(struct agreeing *g, struct vouch_error *err)
{
    const struct said *said = g->said;
    const struct desk *desk = said->desk;
    const char *name[MOST_ANNOTATORS];
    g->agreement.annotators = said->count;
    g->agreement.trees = desk->trees;
    for (uint32_t i = 0; i < g->count; i++)
        if (!add_sentence(g, g->place[i], err))
            return NULL;
    for (uint32_t a = 0; a < said->count; a++)
        name[a] = said->name[a];
    if (g->agreement.sentences == 0)
        return json_pack("{s:n, s:s}", "figures", "why", "no sentence has been decided on by two annotators");
    if (!agreement_measure(&g->agreement, RESAMPLES, desk->options.work.seed, err) || !think(g, err))
        return NULL;
    json_t *result = agreement_json(&g->agreement, name, MOST_LISTED, err);
    if (!result)
        return NULL;
    json_object_set(result, "numbers", g->sentences);
    json_object_set_new(result, "all", share_json(NULL, &g->all));
    json_object_set_new(result, "types", types_json(g));
    json_object_set_new(result, "settling",
                        json_pack("{s:I, s:I, s:I, s:I}", "open", (json_int_t)g->open, "settled",
                                  (json_int_t)g->settled, "first", (json_int_t)g->side[0], "second",
                                  (json_int_t)g->side[1]));
    return result;
}

/* Measuring takes its time, so it goes by a connection of its own, and the model is asked sentence by sentence. */
json_t *desk_agreement(struct desk *desk, struct vouch_error *err)
{
    struct agreeing g = {.sentences = json_array()};
    json_t *result = NULL;
    struct store *store = store_open(desk->path, STORE_BESIDE, err);
    if (store && (g.place = new_array(desk->places, sizeof *g.place, err)) &&
        (g.said = said_new(desk, store, err)) && (g.type = new_array(desk->labels, sizeof *g.type, err))) {
        desk_enter(desk);
        for (uint32_t i = 0; i < desk->places; i++)
            if (may_differ(desk, i))
                g.place[g.count++] = i;
        desk_leave(desk);
        result = agree(&g, err);
    }
    agreement_release(&g.agreement);
    if (g.said)
        said_release(g.said);
    free(g.type);
    free(g.place);
    store_close(store);
    json_decref(g.sentences);
    return result;
}
