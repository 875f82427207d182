/*
 * The blind sentences that were decided on, and what a model gets right in them: what all figures are counted on.
 *
 * Asking a model about all of them takes long where there are hundreds of trees, and figures are asked for after every
 * decision. So a set can be made of one that is there, of the same model: a sentence about which nothing was decided
 * since is taken over, and only the others are asked about.
 */
#include "desk/desk_room.h"

#include <math.h>

struct measuring {
    const struct desk *desk;
    struct store *store;
    struct answerer *answerer;
    struct blind_set *set;
    const struct blind_set *before;
    size_t at; /* the sentence of `before` that comes next */
    struct sentence sentence;
};

void blind_set_release(struct blind_set *set)
{
    free(set->count[0]);
    free(set->count[1]);
    free(set->item);
    free(set->rated);
    *set = (struct blind_set){0};
}

size_t figure_names(const struct desk *desk, const char *name[2])
{
    name[0] = desk->trees ? "uas" : desk->scheme == SCHEME_NONE ? "accuracy" : "f1";
    name[1] = "las";
    return desk->trees ? 2 : 1;
}

static bool add_rated(struct measuring *m, struct text type, double shown, bool right, struct vouch_error *err)
{
    struct blind_set *set = m->set;
    size_t label = desk_label(m->desk, type);
    if (isnan(shown))
        return true;
    if (!RESERVE(set->rated, set->rated_capacity, set->things + 1, err))
        return false;
    set->rated[set->things++] =
        (struct rated){(uint32_t)set->sentences, label == SIZE_MAX ? RATED_OTHER : (uint32_t)label, shown, right};
    return true;
}

/* Whether the known labels have exactly this chunk. */
static bool has_chunk(const struct store_answer *known, size_t from, size_t to, struct text type, char *prefix)
{
    struct text found;
    scheme_split(known->label[from], &found);
    bool same = prefix[from] == 'B' && text_equal(found, type) && (to == known->words || prefix[to] != 'I');
    for (size_t i = from + 1; same && i < to; i++)
        same = prefix[i] == 'I';
    return same;
}

static bool rate_chunks(struct measuring *m, const struct store_answer *known, const vouch_answer *answer,
                        struct vouch_error *err)
{
    char *prefix = new_array((size_t)known->words + 1, 1, err);
    bool ok = prefix != NULL;
    if (ok)
        scheme_convert(known->label, known->words, SCHEME_IOB2, prefix);
    for (size_t s = 0; ok && s < vouch_answer_spans(answer); s++) {
        size_t from, to;
        const char *type;
        vouch_answer_span(answer, s, &from, &to, &type);
        ok = add_rated(m, text_of(type), vouch_answer_span_confidence(answer, 0, s),
                       has_chunk(known, from, to, text_of(type), prefix), err);
    }
    free(prefix);
    return ok;
}

/* Notes the probability of every chunk, label or head that the model chose, and whether it is right. */
static bool rate(struct measuring *m, const struct store_answer *known, const vouch_answer *answer,
                 struct vouch_error *err)
{
    bool ok = true;
    if (vouch_answer_methods(answer) == 0 || !known->label || !answer->label)
        return true;
    if (!m->desk->trees && m->desk->scheme != SCHEME_NONE)
        return rate_chunks(m, known, answer, err);
    for (uint32_t i = 0; ok && i < answer->N; i++) {
        bool right =
            m->desk->trees ? known->head[i] == answer->head[i] : text_equal(known->label[i], answer->label[i]);
        ok = add_rated(m, answer->label[i], vouch_answer_confidence(answer, 0, i), right, err);
    }
    return ok;
}

static bool add_sentence(struct measuring *m, const struct blind_item *item, const struct blind_counts count[2],
                         struct vouch_error *err)
{
    struct blind_set *set = m->set;
    if (!RESERVE(set->item, set->item_capacity, set->sentences + 1, err))
        return false;
    for (int k = 0; k < 2; k++) {
        if (!RESERVE(set->count[k], set->capacity[k], set->sentences + 1, err))
            return false;
        set->count[k][set->sentences] = count[k];
    }
    set->item[set->sentences++] = *item;
    return true;
}

/* Returns the place in `before` of a sentence about which nothing was decided since; SIZE_MAX if it is not there. */
static size_t find_before(struct measuring *m, const struct stored_answer *a)
{
    const struct blind_set *before = m->before;
    for (size_t i = m->at; before && i < before->sentences; i++)
        if (before->item[i].sentence == a->sentence) {
            m->at = i + 1;
            return before->item[i].last == a->last ? i : SIZE_MAX;
        }
    return SIZE_MAX;
}

static bool take_over(struct measuring *m, size_t at, struct blind_item *item, struct vouch_error *err)
{
    const struct blind_set *before = m->before;
    struct blind_set *set = m->set;
    size_t from = before->item[at].rated;
    size_t end = at + 1 < before->sentences ? before->item[at + 1].rated : before->things;
    item->rated = set->things;
    for (size_t i = from; i < end; i++) {
        if (!RESERVE(set->rated, set->rated_capacity, set->things + 1, err))
            return false;
        set->rated[set->things] = before->rated[i];
        set->rated[set->things++].sentence = (uint32_t)set->sentences;
    }
    return add_sentence(m, item, (struct blind_counts[]){before->count[0][at], before->count[1][at]}, err);
}

static bool measure_one(void *context, const struct stored_answer *a, struct vouch_error *err)
{
    struct measuring *m = context;
    struct blind_counts count[2];
    struct blind_item item = {.sentence = a->sentence, .last = a->last, .rated = m->set->things};
    if (a->state == STATE_FLAGGED)
        return true;
    for (uint32_t i = 0; i < a->decided->words; i++)
        if (answer_open(a->decided, i))
            return true;
    size_t at = find_before(m, a);
    if (at != SIZE_MAX)
        return take_over(m, at, &item, err);
    const vouch_answer *answer;
    if (!store_read_sentence(m->store, a->sentence, &m->sentence, NULL, err) ||
        !(answer = answerer_ask(m->answerer, &m->sentence, err)))
        return false;
    struct store_answer view = stored_view(answer);
    return count_right(m->desk, a->decided, &view, count, err) && rate(m, a->decided, answer, err) &&
           add_sentence(m, &item, count, err);
}

bool blind_measure(const struct desk *desk, struct store *store, struct answerer *answerer,
                   const struct blind_set *before, struct blind_set *set, struct vouch_error *err)
{
    struct measuring m = {.desk = desk, .store = store, .answerer = answerer, .set = set, .before = before};
    bool ok = store_answers(store, &(struct answer_query){.blind = DECIDED_BLIND}, measure_one, &m, err);
    sentence_release(&m.sentence);
    return ok;
}
