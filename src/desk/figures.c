/*
 * What is told of the work as a whole: progress, measures on blind sentences, forecast, curves, models. No figure is
 * given without its interval; where there is too little to tell, it is null, with how many blind sentences are missing.
 */
#include "desk/desk_room.h"

#include "base/json_read.h"
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
    uint64_t words = 0, labelled = 0;
    for (size_t i = 0; i < desk->places; i++) {
        words += desk->place[i].words;
        labelled += desk->place[i].given;
    }
    for (int o = 0; o < ORDERS; o++)
        json_array_append_new(orders, json_string(order_name[o]));
    desk_enter(desk);
    if (store_annotators(desk->store, add_annotator, annotators, err))
        about = json_pack("{s:s, s:b, s:s, s:o, s:O, s:o, s:o, s:O, s:I, s:I, s:I, s:f, s:f, s:f, s:s?, s:s, s:o}",
                          "task", desk->task, "trees", desk->trees, "scheme", scheme_name(desk->scheme), "labels",
                          names_json(desk->label, desk->labels), "orders", orders, "documents", documents_json(desk),
                          "formats", export_formats_json(), "annotators", annotators, "sentences",
                          (json_int_t)desk->places, "words", (json_int_t)words, "labelled", (json_int_t)labelled,
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

enum { SESSION_ENDS = 30 * 60 * 1000 }; /* milliseconds without a decision */

/* Decisions of one annotator without a long break. */
struct session {
    int64_t annotator, begin, end; /* milliseconds */
    double *seconds;
    size_t count, capacity;
};

struct sessions {
    struct session *session; /* [count] by their beginning */
    size_t count, capacity;
    struct session all;
};

static bool add_time(struct session *s, double seconds, struct vouch_error *err)
{
    if (!RESERVE(s->seconds, s->capacity, s->count + 1, err))
        return false;
    s->seconds[s->count++] = seconds;
    return true;
}

static bool take_seconds(void *context, const struct store_decision *d, struct vouch_error *err)
{
    struct sessions *to = context;
    if (isnan(d->seconds) || d->kind == DECISION_COMMENT)
        return true;
    size_t at = to->count;
    while (at > 0 && to->session[at - 1].annotator != d->annotator)
        at--;
    if (at == 0 || d->when - to->session[at - 1].end > SESSION_ENDS) {
        if (!RESERVE(to->session, to->capacity, to->count + 1, err))
            return false;
        to->session[to->count] = (struct session){.annotator = d->annotator, .begin = d->when};
        at = ++to->count;
    }
    to->session[at - 1].end = d->when;
    return add_time(&to->session[at - 1], d->seconds, err) && add_time(&to->all, d->seconds, err);
}

/* The median and the half of all around it: a break of an hour does not count for more than a slow decision. */
static json_t *session_json(struct session *s)
{
    if (s->count == 0)
        return json_null();
    qsort(s->seconds, s->count, sizeof *s->seconds, ascending_double);
    return json_pack("{s:f, s:f, s:f, s:I, s:I, s:I}", "median", s->seconds[s->count / 2], "low",
                     s->seconds[s->count / 4], "high", s->seconds[s->count * 3 / 4], "decisions",
                     (json_int_t)s->count, "annotator", (json_int_t)s->annotator, "begin", (json_int_t)s->begin);
}

static json_t *seconds_json(struct desk *desk, struct vouch_error *err)
{
    struct sessions s = {0};
    json_t *result = NULL, *sessions = json_array();
    if (store_decisions(desk->store, &(struct decision_query){.standing = true}, take_seconds, &s, err)) {
        for (size_t i = 0; i < s.count; i++)
            json_array_append_new(sessions, session_json(&s.session[i]));
        result = session_json(&s.all);
        if (s.all.count)
            json_object_set(result, "sessions", sessions);
    }
    for (size_t i = 0; i < s.count; i++)
        free(s.session[i].seconds);
    free(s.session);
    free(s.all.seconds);
    json_decref(sessions);
    return result;
}

static json_t *types_doubt_json(const struct desk *desk)
{
    json_t *list = json_array();
    for (size_t i = 0; desk->ranking && i < desk->labels; i++) {
        const struct type_doubt *t = &desk->ranking->type[i];
        json_array_append_new(list, json_pack("{s:s, s:I, s:I}", "type", desk->label[i], "things",
                                              (json_int_t)t->things, "doubtful", (json_int_t)t->doubtful));
    }
    return list;
}

/* A hint in words whether more labels pay; NULL: nothing can be said. */
static json_t *hint_json(const struct desk *desk)
{
    char text[200];
    const struct figure *g = &desk->foresight.gain;
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

/* What more sentences would bring, as far as it can be told: to twice what was learned from, or to the last one. */
static json_t *forecast_json(const struct desk *desk)
{
    const struct foresight *f = &desk->foresight;
    json_t *ahead = json_array();
    for (int i = 0; i < AHEAD && f->far > 0 && !isnan(f->gain.value); i++)
        json_array_append_new(ahead, json_pack("{s:f, s:f, s:o}", "more", f->far * (i + 1) / AHEAD, "learned",
                                               f->learned[i], "gain", interval_json(f->ahead[i])));
    return json_pack("{s:o, s:o, s:f, s:f, s:o, s:I, s:I}", "gain", interval_json(f->gain), "worth",
                     interval_json(f->worth), "far", f->far, "worth_it", WORTH_IT, "ahead", ahead, "blind",
                     (json_int_t)f->blind, "decided", (json_int_t)f->decided);
}

static json_t *bin_json(const struct rated_bin *bin)
{
    return json_pack("{s:I, s:f, s:o}", "things", (json_int_t)bin->things, "shown", bin->shown, "right",
                     interval_json(bin->right));
}

/* Whether the probabilities of a type can be believed; null and how many are missing where there are too few. */
static bool add_reliability(const struct blind_set *set, const char *name, uint32_t type, json_t *list,
                            struct vouch_error *err)
{
    struct rated_summary summary;
    if (!rated_summarise(set->rated, set->things, type, &summary, err))
        return false;
    json_t *bins = json_array();
    for (size_t b = 0; b < summary.bins; b++)
        json_array_append_new(bins, bin_json(&summary.bin[b]));
    json_t *one = json_pack("{s:s?, s:I, s:I, s:o, s:o}", "type", name, "things", (json_int_t)summary.things, "missing",
                            (json_int_t)summary.missing, "all",
                            summary.missing ? json_null() : bin_json(&summary.all), "bins", bins);
    return json_array_append_new(list, one) == 0 || fail_memory(err);
}

/* Measures the model in use on what is decided now; sentences that were decided on before are not asked about again. */
static bool measure_now(struct desk *desk, struct vouch_error *err)
{
    struct blind_set set = {0};
    if (!desk->answerer)
        return true;
    if (!blind_measure(desk, desk->store, desk->answerer, &desk->measured, &set, err)) {
        blind_set_release(&set);
        return false;
    }
    blind_set_release(&desk->measured);
    desk->measured = set;
    return true;
}

static json_t *figures_json(const struct desk *desk)
{
    const char *name[2];
    json_t *figures = json_object();
    size_t count = figure_names(desk, name);
    for (size_t k = 0; k < count; k++)
        json_object_set_new(
            figures, name[k],
            desk->answerer ? interval_json(blind_share(desk->measured.count[k], desk->measured.sentences))
                           : json_null());
    return figures;
}

static json_t *blind_json(struct desk *desk, struct vouch_error *err)
{
    const struct blind_set *set = &desk->measured;
    uint64_t pool = 0;
    for (size_t i = 0; i < desk->places; i++)
        pool += desk->place[i].blind;
    if (!measure_now(desk, err))
        return NULL;
    json_t *types = json_array();
    bool ok = add_reliability(set, NULL, RATED_ALL, types, err);
    for (size_t i = 0; ok && i < desk->labels; i++)
        ok = add_reliability(set, desk->label[i], (uint32_t)i, types, err);
    return json_pack("{s:I, s:I, s:I, s:I, s:o, s:o, s:f}", "pool", (json_int_t)pool, "decided",
                     (json_int_t)set->sentences, "things", (json_int_t)set->things, "missing",
                     (json_int_t)blind_missing(set->count[0], set->sentences), "figures", figures_json(desk),
                     "reliability", types, "probability", 0.9);
}

json_t *desk_measures(struct desk *desk, struct vouch_error *err)
{
    uint64_t count[SENTENCE_STATES];
    json_t *result = NULL, *seconds = NULL, *blind = NULL;
    desk_enter(desk);
    if (store_count_states(desk->store, 0, count, err) && (seconds = seconds_json(desk, err)) &&
        (blind = blind_json(desk, err)))
        result = json_pack("{s:I, s:o, s:O, s:o, s:o, s:O, s:o, s:o}", "sentences", (json_int_t)desk->places, "states",
                           states_json(count), "blind", blind, "hundred_more", forecast_json(desk), "hint",
                           hint_json(desk), "seconds", seconds, "types", types_doubt_json(desk), "learning",
                           learning_json(desk));
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

/* Models while they are listed: the figures of each are those of the curve. */
struct listing {
    struct desk *desk;
    json_t *models, *figures; /* by digest */
};

static bool note_point(void *context, const struct store_point *p, struct vouch_error *err)
{
    struct listing *l = context;
    const char *model = p->model ? p->model : "";
    json_t *of = json_object_get(l->figures, model);
    if (!of) {
        json_object_set_new(l->figures, model, json_object());
        of = json_object_get(l->figures, model);
    }
    json_t *one = interval_json((struct figure){p->value, p->low, p->high});
    return json_object_set_new(of, p->name, one) == 0 || fail_memory(err);
}

static bool add_model(void *context, const struct store_model *m, struct vouch_error *err)
{
    struct listing *l = context;
    const char *file = m->file ? path_name(m->file) : NULL;
    json_t *details = m->details ? json_read(m->details, strlen(m->details), 0, &(json_error_t){0}) : NULL;
    json_t *figures = json_object_get(l->figures, m->digest);
    bool used = l->desk->answerer && strcmp(m->digest, l->desk->answerer->digest) == 0;
    json_t *one = json_pack("{s:s, s:s?, s:s?, s:I, s:I, s:b, s:O?}", "digest", m->digest, "file", file, "parent",
                            m->parent, "upto", (json_int_t)m->upto, "when", (json_int_t)m->when, "in_use", used,
                            "figures", figures);
    if (one && details)
        json_object_update_missing(one, details);
    json_decref(details);
    return (one && json_array_append_new(l->models, one) == 0) || fail_memory(err);
}

json_t *desk_models(struct desk *desk, struct vouch_error *err)
{
    struct listing l = {desk, json_array(), json_object()};
    desk_enter(desk);
    bool ok = store_curve(desk->store, NULL, note_point, &l, err) && store_models(desk->store, add_model, &l, err);
    bool pinned = desk->pinned;
    desk_leave(desk);
    json_decref(l.figures);
    if (ok)
        return json_pack("{s:o, s:b}", "models", l.models, "pinned", pinned);
    json_decref(l.models);
    return NULL;
}
