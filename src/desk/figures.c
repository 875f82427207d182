/*
 * What is told of the work as a whole: progress, measures on blind sentences, curves, models, disagreements, export.
 * No figure is given without its interval; where there is too little to tell, it is null, with how many blind sentences
 * are missing.
 */
#include "desk/desk_room.h"

#include "base/hash.h"
#include "base/order.h"

#include <math.h>
#include <stdio.h>

/* ---- The desk ---- */

static json_t *names_json(char *const *name, size_t count)
{
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(list, json_string(name[i]));
    return list;
}

static json_t *documents_json(const struct desk *desk)
{
    json_t *list = json_array();
    for (size_t i = 0; i < desk->documents; i++)
        json_array_append_new(list, json_pack("{s:I, s:s, s:I}", "id", (json_int_t)desk->document[i].id, "name",
                                              desk->document[i].name, "sentences",
                                              (json_int_t)desk->document[i].sentences));
    return list;
}

static bool add_annotator(void *context, const struct store_annotator *a, struct vouch_error *err)
{
    json_t *one = json_pack("{s:I, s:s}", "id", (json_int_t)a->id, "name", a->name);
    return (one && json_array_append_new(context, one) == 0) || fail_memory(err);
}

static json_t *learning_json(struct desk *desk)
{
    struct student_state s = learner_state(desk->learner, &desk->student);
    struct student_state forecast = learner_state(desk->learner, &desk->forecaster);
    return json_pack("{s:b, s:s, s:I, s:f, s:s?, s:I, s:I}", "forecasting", forecast.state != LEARNING_IDLE, "state",
                     learning_state_name(s.state), "rounds", (json_int_t)s.rounds, "seconds", s.seconds, "trouble",
                     s.trouble[0] ? s.trouble : NULL, "every", (json_int_t)desk->options.every, "fresh",
                     (json_int_t)desk->fresh);
}

json_t *desk_about(struct desk *desk, struct vouch_error *err)
{
    json_t *annotators = json_array(), *orders = json_array(), *about = NULL;
    uint64_t words = 0;
    for (size_t i = 0; i < desk->places; i++)
        words += desk->place[i].words;
    for (int o = 0; o < ORDERS; o++)
        json_array_append_new(orders, json_string(order_name[o]));
    desk_enter(desk);
    if (store_annotators(desk->store, add_annotator, annotators, err))
        about = json_pack("{s:s, s:b, s:s, s:o, s:O, s:o, s:O, s:I, s:I, s:f, s:f, s:f, s:s?, s:s, s:o}", "task",
                          desk->task, "trees", desk->trees, "scheme", scheme_name(desk->scheme), "labels",
                          names_json(desk->label, desk->labels), "orders", orders, "documents", documents_json(desk),
                          "annotators", annotators, "sentences", (json_int_t)desk->places, "words", (json_int_t)words,
                          "blind", desk->options.blind, "double", desk->options.twice, "threshold",
                          desk->options.threshold, "model", desk->answerer ? desk->answerer->digest : NULL,
                          "model_name", desk->served_as, "learning", learning_json(desk));
    desk_leave(desk);
    json_decref(annotators);
    json_decref(orders);
    if (!about && !err->status)
        fail_memory(err);
    return about;
}

/* ---- Measures ---- */

static json_t *states_json(const uint64_t count[SENTENCE_STATES])
{
    json_t *states = json_object();
    for (int s = 0; s < SENTENCE_STATES; s++)
        json_object_set_new(states, sentence_state_name((enum sentence_state)s), json_integer((json_int_t)count[s]));
    return states;
}

struct times {
    double *seconds;
    size_t count, capacity;
};

static bool take_seconds(void *context, const struct store_decision *d, struct vouch_error *err)
{
    struct times *t = context;
    if (isnan(d->seconds) || d->kind == DECISION_COMMENT)
        return true;
    if (!RESERVE(t->seconds, t->capacity, t->count + 1, err))
        return false;
    t->seconds[t->count++] = d->seconds;
    return true;
}

/* The median of what decisions took: a break of an hour does not count for more than a slow one. */
static json_t *seconds_json(struct desk *desk, struct vouch_error *err)
{
    struct times t = {0};
    json_t *result = NULL;
    if (store_decisions(desk->store, &(struct decision_query){.standing = true}, take_seconds, &t, err)) {
        if (t.count)
            qsort(t.seconds, t.count, sizeof *t.seconds, ascending_double);
        result = t.count ? json_pack("{s:f, s:I}", "median", t.seconds[t.count / 2], "decisions", (json_int_t)t.count)
                         : json_null();
    }
    free(t.seconds);
    return result;
}

static json_t *types_doubt_json(const struct desk *desk)
{
    json_t *list = json_array();
    for (size_t i = 0; desk->ranking && i < desk->labels; i++) {
        const struct type_doubt *t = &desk->ranking->type[i];
        json_array_append_new(list, json_pack("{s:s, s:I, s:I}", "type", desk->label[i], "words", (json_int_t)t->words,
                                              "doubtful", (json_int_t)t->doubtful));
    }
    return list;
}

/* A hint in words whether more labels pay; NULL: nothing can be said. */
static json_t *hint_json(const struct desk *desk)
{
    char text[200];
    const struct figure *g = &desk->gain;
    if (isnan(g->value))
        return json_null();
    if (g->value < WORTH_IT)
        snprintf(text, sizeof text, "labelling more hardly pays: a hundred more sentences bring %.1f points at most",
                 100 * fmax(g->high, 0));
    else if (g->low > 0)
        snprintf(text, sizeof text, "labelling more pays: a hundred more sentences would bring %.1f to %.1f points",
                 100 * g->low, 100 * g->high);
    else
        snprintf(text, sizeof text, "a hundred more sentences would bring %.1f points at most", 100 * g->high);
    return json_string(text);
}

static json_t *blind_json(struct desk *desk, struct vouch_error *err)
{
    struct blind_set set = {0};
    json_t *figures = json_object(), *result = NULL;
    const char *name[2];
    uint64_t pool = 0;
    for (size_t i = 0; i < desk->places; i++)
        pool += desk->place[i].blind;
    if (!desk->answerer || blind_measure(desk, desk->store, desk->answerer, &set, err)) {
        size_t count = figure_names(desk, name), missing = blind_missing(set.count[0], set.sentences);
        for (size_t k = 0; k < count; k++)
            json_object_set_new(figures, name[k],
                                desk->answerer ? interval_json(blind_share(set.count[k], set.sentences)) : json_null());
        result = json_pack("{s:I, s:I, s:I, s:O, s:f}", "pool", (json_int_t)pool, "decided", (json_int_t)set.sentences,
                           "missing", (json_int_t)missing, "figures", figures, "probability", 0.9);
    }
    json_decref(figures);
    blind_set_release(&set);
    return result;
}

json_t *desk_measures(struct desk *desk, struct vouch_error *err)
{
    uint64_t count[SENTENCE_STATES];
    json_t *result = NULL, *seconds = NULL, *blind = NULL;
    desk_enter(desk);
    if (store_count_states(desk->store, 0, count, err) && (seconds = seconds_json(desk, err)) &&
        (blind = blind_json(desk, err)))
        result = json_pack("{s:I, s:o, s:O, s:{s:o, s:I, s:I}, s:o, s:O, s:o, s:o}", "sentences",
                           (json_int_t)desk->places, "states", states_json(count), "blind", blind, "hundred_more",
                           "gain", interval_json(desk->gain), "blind", (json_int_t)desk->gain_blind, "decided",
                           (json_int_t)desk->gain_decided, "hint", hint_json(desk), "seconds", seconds, "types",
                           types_doubt_json(desk), "learning", learning_json(desk));
    desk_leave(desk);
    json_decref(seconds);
    json_decref(blind);
    if (!result && !err->status)
        fail_memory(err);
    return result;
}

static bool add_point(void *context, const struct store_point *p, struct vouch_error *err)
{
    json_t *one = json_pack("{s:s, s:I, s:f, s:f, s:f, s:I, s:s?, s:I}", "name", p->name, "decided",
                            (json_int_t)p->decisions, "value", p->value, "low", p->low, "high", p->high, "blind",
                            (json_int_t)p->items, "model", p->model, "when", (json_int_t)p->when);
    return (one && json_array_append_new(context, one) == 0) || fail_memory(err);
}

json_t *desk_curves(struct desk *desk, struct vouch_error *err)
{
    json_t *points = json_array();
    desk_enter(desk);
    bool ok = points && store_curve(desk->store, NULL, add_point, points, err);
    desk_leave(desk);
    if (ok)
        return json_pack("{s:o}", "points", points);
    json_decref(points);
    return NULL;
}

static bool add_model(void *context, const struct store_model *m, struct vouch_error *err)
{
    const char *file = m->file ? path_name(m->file) : NULL;
    json_t *one = json_pack("{s:s, s:s?, s:s?, s:I, s:I}", "digest", m->digest, "file", file, "parent", m->parent,
                            "upto", (json_int_t)m->upto, "when", (json_int_t)m->when);
    return (one && json_array_append_new(context, one) == 0) || fail_memory(err);
}

json_t *desk_models(struct desk *desk, struct vouch_error *err)
{
    json_t *models = json_array();
    desk_enter(desk);
    bool ok = models && store_models(desk->store, add_model, models, err);
    desk_leave(desk);
    if (ok)
        return json_pack("{s:o}", "models", models);
    json_decref(models);
    return NULL;
}

/* ---- Disagreements ---- */

/* The answers of a sentence, one for each annotator: the last that stands. */
struct answers_of {
    json_t *by_annotator; /* {"7": {"labels": [...]}} */
    bool settled;
};

static bool take_answer(void *context, const struct store_decision *d, struct vouch_error *err)
{
    struct answers_of *a = context;
    char key[32];
    snprintf(key, sizeof key, "%lld", (long long)d->annotator);
    a->settled = a->settled || (d->order && strcmp(d->order, order_name[ORDER_DISAGREEMENT]) == 0);
    return json_object_set_new(a->by_annotator, key, answer_values(&d->after)) == 0 || fail_memory(err);
}

static bool all_same(json_t *answers)
{
    const char *key;
    json_t *value, *first = NULL;
    json_object_foreach(answers, key, value)
        if (first && !json_equal(first, value))
            return false;
        else
            first = value;
    return true;
}

/* The differing answers to a sentence, without names and in an order by lot; NULL if nothing is to be settled. */
static json_t *differing(struct desk *desk, uint32_t place, struct vouch_error *err)
{
    struct answers_of a = {.by_annotator = json_object()};
    struct decision_query query = {.sentence = desk->place[place].id,
                                   .kinds = 1u << DECISION_ACCEPT | 1u << DECISION_EDIT,
                                   .standing = true};
    json_t *list = NULL, *value;
    const char *key;
    if (store_decisions(desk->store, &query, take_answer, &a, err) && !a.settled && !all_same(a.by_annotator)) {
        bool turned = hash_mix(desk->options.work.seed, desk->place[place].digest) & 1;
        list = json_array();
        json_object_foreach(a.by_annotator, key, value)
            json_array_insert(list, turned ? 0 : json_array_size(list), value);
    }
    json_decref(a.by_annotator);
    return list;
}

json_t *disagreement_items(struct desk *desk, int64_t annotator, uint32_t limit, struct vouch_error *err)
{
    json_t *items = json_array();
    const uint32_t *doubt = desk->ranking ? desk->ranking->order[ORDER_DOUBT] : NULL;
    for (size_t i = desk->places; i-- > 0 && json_array_size(items) < limit && !err->status;) {
        uint32_t place = doubt ? doubt[i] : (uint32_t)i, deciders = 0;
        for (uint32_t m = desk->place[place].marks; m; m = desk->mark[m - 1].next)
            deciders += is_decided(desk->mark[m - 1].state);
        json_t *answers = deciders > 1 ? differing(desk, place, err) : NULL;
        if (!answers)
            continue;
        struct item_request q = {place, annotator, ORDER_DISAGREEMENT, json_array_size(items) + 1};
        json_t *item = item_json(desk, &q, err);
        if (item) {
            json_object_set_new(item, "why", json_string("two annotators answered differently"));
            json_object_set(item, "answers", answers);
            json_array_append_new(items, item);
        }
        json_decref(answers);
    }
    if (!err->status)
        return items;
    json_decref(items);
    return NULL;
}

/* ---- Export ---- */

static bool find_document(const struct desk *desk, const char *name, int64_t *id, struct vouch_error *err)
{
    for (size_t i = 0; i < desk->documents; i++)
        if (!name || strcmp(desk->document[i].name, name) == 0) {
            *id = desk->document[i].id;
            return name || desk->documents == 1 ||
                   fail(err, VOUCH_ERR_ARGUMENT, "expected \"document\": there are %zu", desk->documents);
        }
    return fail(err, VOUCH_ERR_ARGUMENT, "there is no document '%.100s'", name);
}

/* Finds an annotator who is there. */
static bool find_annotator(struct store *store, const char *name, int64_t *id, struct vouch_error *err)
{
    return store_find_annotator(store, name, NULL, id, err) &&
           (*id || fail(err, VOUCH_ERR_ARGUMENT, "there is no annotator '%.100s'", name));
}

bool desk_export(struct desk *desk, const char *document, const char *annotator, bool decided_only, struct output *out,
                 struct vouch_error *err)
{
    struct store_export what = {.decided_only = decided_only};
    struct store *store = store_open(desk->path, STORE_BESIDE, err);
    bool ok = store && find_document(desk, document, &what.answers.document, err) &&
              (!annotator || find_annotator(store, annotator, &what.answers.annotator, err)) &&
              store_export(store, &what, out, err);
    store_close(store);
    return ok;
}

/* ---- Agreement ---- */

enum { RESAMPLES = 500, MOST_LISTED = 200 };

/* Notes what the model thinks of a sentence in which annotators differ. */
static bool think(struct desk *desk, struct agreement *g, uint32_t number, const struct sentence *s,
                  struct vouch_error *err)
{
    const vouch_answer *answer = NULL;
    desk_enter(desk);
    bool ok = !desk->answerer || (answer = answerer_ask(desk->answerer, s, err));
    if (answer)
        agreement_think(g, number, answer);
    desk_leave(desk);
    return ok;
}

static json_t *agree(struct desk *desk, struct store *store, struct store_agreement *found, struct vouch_error *err)
{
    struct agreement *g = &found->agreement;
    struct sentence s = {0};
    if (!store_agreement(store, &(struct answer_query){0}, found, err))
        return NULL;
    if (g->sentences == 0)
        return json_pack("{s:n, s:s}", "figures", "why", "no sentence has been decided on by two annotators");
    json_t *numbers = json_array(), *result = NULL;
    bool ok = agreement_measure(g, RESAMPLES, desk->options.work.seed, err);
    for (uint32_t i = 0; ok && i < g->sentences; i++)
        ok = store_read_sentence(store, found->sentence[i], &s, NULL, err) && think(desk, g, i, &s, err) &&
             (json_array_append_new(numbers, json_integer(found->sentence[i])) == 0 || fail_memory(err));
    sentence_release(&s);
    if (ok) {
        agreement_sort(g);
        result = agreement_json(g, (const char *const *)found->name, MOST_LISTED, err);
    }
    if (result)
        json_object_set(result, "numbers", numbers);
    json_decref(numbers);
    return result;
}

/* Measuring takes its time, so it goes by a connection of its own, and the model is asked sentence by sentence. */
json_t *desk_agreement(struct desk *desk, struct vouch_error *err)
{
    struct store *store = store_open(desk->path, STORE_BESIDE, err);
    struct store_agreement found = {0};
    json_t *result = store ? agree(desk, store, &found, err) : NULL;
    store_agreement_release(&found);
    store_close(store);
    return result;
}
