/*
 * Answers every sentence and scores it, for the orders of the queue. O(words), in the thread that learns.
 *
 *     learning      as vouch active next: labels by the mean confidence of their words, trees by the least one relative
 *                   to the length (active/selection.h), the least sure first
 *     doubt         by the least confidence of a word; in both, what the corpus has labels for comes last
 *     suspects      by the probability, under the model, that a label of the corpus is another one. The model may have
 *                   learned from that label: vouch review, which holds sentences out, finds more
 *     document      as they are in the documents
 */
#include "desk/desk_room.h"

#include "active/selection.h"
#include "base/hash.h"
#include "base/order.h"

#define AFTER_OTHERS 1e9 /* added to the key of a sentence that the corpus has labels for: it comes after all others */

const char *const order_name[ORDERS] = {"learning", "doubt", "suspects", "disagreement", "document"};

void ranking_free(struct ranking *r)
{
    if (!r)
        return;
    for (int o = 0; o < ORDERS; o++)
        free(r->order[o]);
    free(r->doubt);
    free(r->first);
    free(r->form);
    free(r->label);
    free(r->type);
    free(r);
}

/* What sentences are sorted by, while they are scored. */
struct scoring {
    struct desk *desk;
    struct answerer *answerer;
    struct ranking *ranking;
    double *key[ORDERS]; /* [places] the smaller, the sooner; NULL: not by a number */
    uint32_t at;         /* the sentence */
};

/* The probability of what the corpus has for a word, as far as it is among the alternatives. */
static double given_probability(const struct desk *desk, const vouch_answer *answer, const struct sentence *s,
                                uint32_t word)
{
    double sum = 0;
    for (size_t a = 0; a < vouch_answer_alternatives(answer, word); a++) {
        const char *label;
        size_t head;
        double probability;
        vouch_answer_alternative(answer, word, a, &label, &head, &probability);
        bool same = desk->trees ? head == s->head[word]
                                : text_equal(desk_type(desk, text_of(label)), desk_type(desk, s->gold[word]));
        sum += same ? probability : 0;
    }
    return sum;
}

static void score_words(struct scoring *g, const struct sentence *s, const vouch_answer *answer)
{
    const struct desk *desk = g->desk;
    struct ranking *r = g->ranking;
    struct sureness sureness = {0};
    double least = 1, suspicion = 0;
    for (uint32_t i = 0; i < s->N; i++) {
        double sure = vouch_answer_confidence(answer, 0, i);
        sureness_add(&sureness, sure);
        least = sure < least ? sure : least;
        double doubted = desk->place[g->at].given ? 1 - given_probability(desk, answer, s, i) : 0;
        suspicion = doubted > suspicion ? doubted : suspicion;
        struct text form = sentence_form(s, i);
        r->form[r->first[g->at] + i] = (uint32_t)hash_bytes(form.at, form.length);
    }
    r->doubt[g->at] = (float)least;
    double labelled = desk->place[g->at].given ? AFTER_OTHERS : 0;
    g->key[ORDER_LEARNING][g->at] = sureness_of(&sureness, desk->trees ? SCORE_LENGTH : SCORE_MEAN) + labelled;
    g->key[ORDER_DOUBT][g->at] = least + labelled;
    g->key[ORDER_SUSPECTS][g->at] = -suspicion;
}

static void note_type(struct scoring *g, size_t label, bool doubtful)
{
    if (label >= g->desk->labels)
        return;
    g->ranking->type[label].things++;
    g->ranking->type[label].doubtful += doubtful;
}

/* Labels that the desk does not know count as none. */
static void note_labels(struct scoring *g, const vouch_answer *answer)
{
    const struct desk *desk = g->desk;
    bool chunks = !desk->trees && desk->scheme != SCHEME_NONE;
    for (uint32_t i = 0; answer->label && i < answer->N; i++) {
        size_t label = desk_label(desk, desk_type(desk, answer->label[i]));
        if (!desk->trees)
            g->ranking->label[g->ranking->first[g->at] + i] = label < UINT16_MAX ? (uint16_t)label : UINT16_MAX;
        if (!chunks)
            note_type(g, label, vouch_answer_is_doubtful(answer, i));
    }
    for (size_t s = 0; chunks && s < vouch_answer_spans(answer); s++) {
        size_t from, to;
        const char *type;
        vouch_answer_span(answer, s, &from, &to, &type);
        note_type(g, desk_label(desk, text_of(type)), vouch_answer_is_doubtful(answer, from));
    }
}

static bool score_document(struct scoring *g, struct store *store, struct sentence *s, struct vouch_error *err)
{
    int64_t document = g->desk->place[g->at].document;
    struct buffer bytes = {0};
    struct reader_options reading;
    struct reader *reader = NULL;
    enum reading more = READ_FAILED;
    if (store_read_document(store, document, &bytes, &reading, err) &&
        (reader = reader_open_memory(bytes.bytes, bytes.length, &reading, err)))
        while ((more = reader_next(reader, s, err)) == READ_SENTENCE) {
            if (s->boundary || s->rest)
                continue;
            bool known = g->at < g->desk->places && s->N == g->desk->place[g->at].words;
            const vouch_answer *answer = known ? answerer_ask(g->answerer, s, err) : NULL;
            if (!known)
                fail(err, VOUCH_ERR_FORMAT, "%s: the sentences of a document are not as they were added",
                     desk_store_path(g->desk));
            if (!answer) {
                more = READ_FAILED;
                break;
            }
            score_words(g, s, answer);
            note_labels(g, answer);
            g->at++;
        }
    reader_close(reader);
    free(bytes.bytes);
    return more == READ_END;
}

static bool make_room(struct scoring *g, struct vouch_error *err)
{
    size_t places = g->desk->places;
    struct ranking *r = g->ranking;
    uint64_t words = 0;
    if (!(r->first = new_array(places + 1, sizeof *r->first, err)))
        return false;
    for (size_t i = 0; i < places; i++) {
        r->first[i] = words;
        words += g->desk->place[i].words;
    }
    r->first[places] = words;
    r->doubt = new_array(places, sizeof *r->doubt, err);
    r->form = new_array(words, sizeof *r->form, err);
    r->label = new_array(words, sizeof *r->label, err);
    r->type = new_array(g->desk->labels, sizeof *r->type, err);
    for (int o = ORDER_LEARNING; o <= ORDER_SUSPECTS; o++)
        if (!(g->key[o] = new_array(places, sizeof **g->key, err)))
            return false;
    return r->doubt && r->form && r->label && r->type;
}

static uint64_t key_of(const void *context, uint32_t number)
{
    return order_key(((const double *)context)[number]);
}

static bool sort_orders(struct scoring *g, struct vouch_error *err)
{
    size_t places = g->desk->places;
    for (int o = 0; o < ORDERS; o++) {
        uint32_t *order = g->ranking->order[o] = new_array(places, sizeof *order, err);
        if (!order)
            return false;
        for (uint32_t i = 0; i < places; i++)
            order[i] = i;
        if (g->key[o] && !sort_numbers(order, places, key_of, g->key[o], err))
            return false;
    }
    return true;
}

struct ranking *ranking_new(struct desk *desk, struct answerer *answerer, struct store *store, struct vouch_error *err)
{
    struct scoring g = {.desk = desk, .answerer = answerer, .ranking = new_array(1, sizeof *g.ranking, err)};
    struct sentence sentence = {0};
    bool ok = g.ranking && make_room(&g, err);
    while (ok && g.at < desk->places)
        ok = score_document(&g, store, &sentence, err);
    ok = ok && sort_orders(&g, err);
    for (int o = 0; o < ORDERS; o++)
        free(g.key[o]);
    sentence_release(&sentence);
    if (ok)
        return g.ranking;
    ranking_free(g.ranking);
    return NULL;
}
