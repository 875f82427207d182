/*
 * Learning from decisions, round by round, in the background.
 *
 * A round learns from all that was decided until then, never from blind sentences, and does not depend on the rounds
 * before: it goes on from the model that was given (train --from), or learns anew from the corpora's own labels with
 * what was decided in their place. So the same decisions give the same bytes, whenever they were learned from. Learning
 * on from the model of the round before was left out for that reason; both take about the same time
 * (docs/MEASUREMENTS.md).
 *
 * Then the new model answers and ranks every sentence, is measured on the blind ones, and takes the place of the old.
 * The store gets it with its parent and the last decision that it learned from, and a point of each curve. The model's
 * file is the last one: an earlier one can be learned again from the same decisions.
 *
 * When there are blind sentences enough to calibrate on, confidence is calibrated on them: they are what the text is
 * like, while sentences that were chosen for being doubtful are not.
 *
 * The forecast (outlook.h) is a student of its own, so that the new model does not wait for it. It learns from either
 * half of what was decided, sentence by sentence in turns.
 */
#include "desk/desk_room.h"

#include <stdio.h>
#include <unistd.h>

enum { CALIBRATE_FROM = 100, FORECAST_FROM = 40 }; /* blind sentences; decided ones */

/* ---- Measuring ---- */

struct measuring {
    const struct desk *desk;
    struct store *store;
    struct answerer *answerer;
    struct blind_set *set;
    struct sentence sentence;
};

void blind_set_release(struct blind_set *set)
{
    free(set->count[0]);
    free(set->count[1]);
    *set = (struct blind_set){0};
}

static bool measure_one(void *context, const struct stored_answer *a, struct vouch_error *err)
{
    struct measuring *m = context;
    struct blind_counts count[2];
    if (a->state == STATE_FLAGGED)
        return true;
    for (uint32_t i = 0; i < a->decided->words; i++)
        if (answer_open(a->decided, i))
            return true;
    const vouch_answer *answer;
    struct blind_set *set = m->set;
    if (!store_read_sentence(m->store, a->sentence, &m->sentence, NULL, err) ||
        !(answer = answerer_ask(m->answerer, &m->sentence, err)))
        return false;
    struct store_answer view = stored_view(answer);
    if (!count_right(m->desk, a->decided, &view, count, err))
        return false;
    for (int k = 0; k < 2; k++) {
        if (!RESERVE(set->count[k], set->capacity[k], set->sentences + 1, err))
            return false;
        set->count[k][set->sentences] = count[k];
    }
    set->sentences++;
    return true;
}

bool blind_measure(const struct desk *desk, struct store *store, struct answerer *answerer, struct blind_set *set,
                   struct vouch_error *err)
{
    struct measuring m = {.desk = desk, .store = store, .answerer = answerer, .set = set};
    bool ok = store_answers(store, &(struct answer_query){.blind = DECIDED_BLIND}, measure_one, &m, err);
    sentence_release(&m.sentence);
    return ok;
}

size_t figure_names(const struct desk *desk, const char *name[2])
{
    name[0] = desk->trees ? "uas" : desk->scheme == SCHEME_NONE ? "accuracy" : "f1";
    name[1] = "las";
    return desk->trees ? 2 : 1;
}

/* ---- What to learn from ---- */

/* What is put together to learn from. */
struct gathering {
    const struct desk *desk;
    struct material material;
    bool *decided;      /* [places] decided with a suggestion in sight */
    bool partly;        /* some of these in parts */
    int64_t upto;       /* the last decision */
    uint64_t sentences; /* that were decided on, */
    uint64_t given;     /* have the corpora's own labels, */
    uint64_t blind;     /* are not learned from */
};

static bool note_decided(void *context, const struct stored_answer *a, struct vouch_error *err)
{
    struct gathering *g = context;
    uint32_t place;
    if (!desk_find(g->desk, a->sentence, &place, err))
        return false;
    g->decided[place] = true;
    g->sentences++;
    for (uint32_t i = 0; i < a->decided->words; i++)
        g->partly = g->partly || answer_open(a->decided, i);
    return true;
}

static bool count_blind(void *context, const struct stored_answer *a, struct vouch_error *err)
{
    struct gathering *g = context;
    (void)a, (void)err;
    g->blind++;
    return true;
}

/* Whatever comes next begins a sentence: a file need not end with a blank line. More blank lines do no harm. */
static bool end_sentence(struct buffer *text, struct vouch_error *err)
{
    size_t n = text->length;
    if (n == 0 || text->bytes[0] == '{')
        return n == 0 || text->bytes[n - 1] == '\n' || buffer_put(text, '\n', err);
    return (n > 1 && text->bytes[n - 1] == '\n' && text->bytes[n - 2] == '\n') ||
           buffer_add(text, text_of(text->bytes[n - 1] == '\n' ? "\n" : "\n\n"), err);
}

/* A sentence with the corpus's own labels. */
static bool add_given(void *context, const struct store_sentence *s, struct vouch_error *err)
{
    struct gathering *g = context;
    uint32_t place;
    if (!desk_find(g->desk, s->id, &place, err))
        return false;
    const struct place *p = &g->desk->place[place];
    if (!p->given || p->blind || g->decided[place])
        return true;
    g->given++;
    return buffer_add(&g->material.text, s->bytes, err) && end_sentence(&g->material.text, err);
}

static bool export_to(struct store *store, const struct store_export *what, struct buffer *to, struct vouch_error *err)
{
    struct output *out = output_open_memory(err);
    bool ok = out && store_export(store, what, out, err);
    size_t length = 0;
    const char *text = ok ? output_text(out, &length) : NULL;
    if (ok && !text)
        ok = fail_memory(err);
    ok = ok && buffer_add_bytes(to, text, length, err) && end_sentence(to, err);
    output_discard(out);
    return ok;
}

static bool add_documents(struct gathering *g, struct store *store, struct vouch_error *err)
{
    for (size_t i = 0; i < g->desk->documents; i++) {
        struct store_export what = {.decided_only = true, .open = "_"};
        what.answers =
            (struct answer_query){.document = g->desk->document[i].id, .blind = DECIDED_SEEN, .upto = g->upto};
        if (!export_to(store, &what, &g->material.more, err))
            return false;
        what.answers.blind = DECIDED_BLIND;
        if (g->blind >= CALIBRATE_FROM && !export_to(store, &what, &g->material.calibrate, err))
            return false;
    }
    return g->desk->base || store_sentences(store, 0, add_given, g, err);
}

static bool gather(struct gathering *g, struct store *store, struct vouch_error *err)
{
    const struct desk *desk = g->desk;
    uint64_t count;
    if (!store_last_decision(store, &g->upto, &count, err) ||
        !(g->decided = new_array(desk->places, sizeof *g->decided, err)))
        return false;
    struct answer_query seen = {.blind = DECIDED_SEEN, .upto = g->upto}, blind = seen;
    blind.blind = DECIDED_BLIND;
    bool ok = (g->upto == 0 || (store_answers(store, &seen, note_decided, g, err) &&
                                store_answers(store, &blind, count_blind, g, err))) &&
              add_documents(g, store, err);
    free(g->decided);
    g->material.base = desk->base;
    return ok &&
           (desk->base || buffer_print(&g->material.options, err, "task=%s&use=%u&", desk->task, desk->options.use)) &&
           (!g->partly || buffer_print(&g->material.options, err, "partial=true&"));
}

static bool is_empty(const struct material *material)
{
    return !material->text.length && !material->more.length;
}

/* ---- What becomes of the model ---- */

/* A model that was learned, and how it did. */
struct outcome {
    struct answerer *answerer;
    struct ranking *ranking;
    struct blind_set set;
    double seconds; /* of learning */
};

static bool record(struct desk *desk, const struct gathering *g, const struct outcome *o, struct vouch_error *err)
{
    char details[200];
    const char *name[2];
    snprintf(details, sizeof details, "{\"decided\": %llu, \"blind\": %zu, \"seconds\": %.3f}",
             (unsigned long long)g->sentences, o->set.sentences, o->seconds);
    struct store_model model = {.digest = o->answerer->digest,
                                .file = desk->model_path,
                                .parent = desk->base ? desk->parent : NULL,
                                .upto = g->upto,
                                .details = details};
    bool ok = store_add_model(desk->store, &model, err);
    size_t figures = figure_names(desk, name);
    for (size_t k = 0; ok && k < figures; k++) {
        struct figure f = blind_share(o->set.count[k], o->set.sentences);
        struct store_point point = {.decisions = (int64_t)g->sentences,
                                    .name = name[k],
                                    .value = f.value,
                                    .low = f.low,
                                    .high = f.high,
                                    .items = o->set.sentences,
                                    .model = o->answerer->digest};
        ok = f.value != f.value || store_add_point(desk->store, &point, err);
    }
    return ok;
}

/* Lets the model and its ranking take the place of those before. */
static void install(struct desk *desk, struct answerer *answerer, struct ranking *ranking)
{
    struct answerer *old = desk->answerer;
    struct ranking *before = desk->ranking;
    ranking->number = before ? before->number + 1 : 1;
    desk->answerer = answerer;
    desk->ranking = ranking;
    answerer_free(old);
    ranking_free(before);
}

static bool publish(const struct desk *desk, struct vouch_error *err)
{
    const struct desk_options *o = &desk->options;
    return !o->publish || o->publish(o->context, desk->served_as, desk->model_path, err);
}

/* Learns, answers and ranks every sentence, and measures. */
static bool learn(struct desk *desk, struct store *store, const struct material *material, struct outcome *to,
                  const struct vouch_watch *watch, struct vouch_error *err)
{
    double began = seconds_now();
    vouch_model *model = material_learn(material, desk->stem, watch, err);
    if (model && vouch_model_save(model, desk->model_path, err) != VOUCH_OK) {
        vouch_model_close(model);
        model = NULL;
    }
    to->seconds = seconds_now() - began;
    return model && (to->answerer = answerer_new(model, desk->options.threshold, err)) &&
           (to->ranking = ranking_new(desk, to->answerer, store, err)) &&
           blind_measure(desk, store, to->answerer, &to->set, err);
}

/* One round: from what was decided to a model that is published. */
static bool learn_round(void *context, const struct vouch_watch *watch, struct vouch_error *err)
{
    struct desk *desk = context;
    struct gathering g = {.desk = desk};
    struct outcome outcome = {0};
    struct store *store = store_open(desk->path, STORE_READ, err);
    bool ok = store && gather(&g, store, err), learns = ok && !is_empty(&g.material);
    if (learns && !(ok = learn(desk, store, &g.material, &outcome, watch, err))) {
        answerer_free(outcome.answerer);
        ranking_free(outcome.ranking);
    } else if (learns) {
        desk_enter(desk);
        ok = record(desk, &g, &outcome, err);
        install(desk, outcome.answerer, outcome.ranking);
        desk_leave(desk);
        ok = publish(desk, ok ? err : NULL) && ok; /* what the store could not take is served all the same */
    }
    if (ok && outcome.set.sentences >= LEAST_BLIND && g.sentences >= FORECAST_FROM)
        learner_ask(desk->learner, &desk->forecaster);
    blind_set_release(&outcome.set);
    material_release(&g.material);
    store_close(store);
    return ok;
}

/* ---- The forecast ---- */

/* Appends every second sentence of a text, from number `first` on: blank lines divide them, or line ends. */
static bool add_half(const struct buffer *from, int first, bool lines, struct buffer *to, struct vouch_error *err)
{
    const char *at = buffer_text(from).at, *end = at + from->length;
    for (int number = 0; at < end; number++) {
        const char *next = strstr(at, lines ? "\n" : "\n\n");
        size_t length = next ? (size_t)(next - at) + (lines ? 1 : 2) : (size_t)(end - at);
        while (next && !lines && at + length < end && at[length] == '\n')
            length++;
        if (number % 2 == first && !buffer_add_bytes(to, at, length, err))
            return false;
        at += length;
    }
    return true;
}

/* Learns, without keeping the model, and measures it. */
static bool measure_one_of(struct desk *desk, struct store *store, const struct material *material,
                           struct blind_set *set, const struct vouch_watch *watch, struct vouch_error *err)
{
    vouch_model *model = material_learn(material, NULL, watch, err);
    struct answerer *answerer = model ? answerer_new(model, desk->options.threshold, err) : NULL;
    bool ok = answerer && blind_measure(desk, store, answerer, set, err);
    answerer_free(answerer);
    return ok;
}

static bool measure_half(struct desk *desk, struct store *store, const struct material *all, int half,
                         struct blind_set *set, const struct vouch_watch *watch, struct vouch_error *err)
{
    struct material material = {.base = all->base};
    bool lines = buffer_text(&all->more).at[0] == '{';
    bool ok = buffer_add_bytes(&material.text, buffer_text(&all->text).at, all->text.length, err) &&
              add_half(&all->more, half, lines, &material.more, err) &&
              buffer_add(&material.options, buffer_text(&all->options), err) &&
              measure_one_of(desk, store, &material, set, watch, err);
    material_release(&material);
    return ok;
}

static void note_gain(struct desk *desk, const struct gathering *g, const struct blind_set *whole,
                      const struct blind_set half[2])
{
    desk_enter(desk);
    double before = desk->before + (double)g->given, decided = (double)g->sentences;
    desk->gain = outlook_gain(&(struct outlook){.all = whole->count[0],
                                                .half = {half[0].count[0], half[1].count[0]},
                                                .sentences = whole->sentences,
                                                .labelled = before + decided,
                                                .labelled_half = before + decided / 2,
                                                .more = 100});
    desk->gain_blind = whole->sentences;
    desk->gain_decided = g->sentences;
    desk_leave(desk);
}

static bool forecast(void *context, const struct vouch_watch *watch, struct vouch_error *err)
{
    struct desk *desk = context;
    struct gathering g = {.desk = desk};
    struct blind_set whole = {0}, half[2] = {0};
    struct store *store = store_open(desk->path, STORE_READ, err);
    bool ok = store && gather(&g, store, err);
    g.material.calibrate.length = 0;
    if (ok && !is_empty(&g.material)) {
        ok = buffer_print(&g.material.options, err, "no-calibrate=true&") &&
             measure_one_of(desk, store, &g.material, &whole, watch, err) &&
             measure_half(desk, store, &g.material, 0, &half[0], watch, err) &&
             measure_half(desk, store, &g.material, 1, &half[1], watch, err);
        if (ok && whole.sentences == half[0].sentences && whole.sentences == half[1].sentences)
            note_gain(desk, &g, &whole, half);
    }
    blind_set_release(&whole);
    blind_set_release(&half[0]);
    blind_set_release(&half[1]);
    material_release(&g.material);
    store_close(store);
    return ok;
}

/* ---- Beginning ---- */

struct last_model {
    char digest[32], parent[32];
};

static bool take_model(void *context, const struct store_model *model, struct vouch_error *err)
{
    struct last_model *last = context;
    (void)err;
    snprintf(last->digest, sizeof last->digest, "%s", model->digest);
    snprintf(last->parent, sizeof last->parent, "%s", model->parent ? model->parent : "");
    return true;
}

/* The model that was learned last, if its file is still that one and it went on from the given one; else NULL. */
static struct answerer *learned_last(struct desk *desk)
{
    struct last_model last = {0};
    vouch_model *model = NULL;
    if (!store_models(desk->store, take_model, &last, NULL) || !last.digest[0] ||
        (desk->base && strcmp(last.parent, desk->parent) != 0) || access(desk->model_path, R_OK) != 0 || !(model = vouch_model_open(desk->model_path, NULL)))
        return NULL;
    struct answerer *a = answerer_new(model, desk->options.threshold, NULL);
    if (a && strcmp(a->digest, last.digest) == 0 && a->model->trees == desk->trees)
        return a;
    answerer_free(a);
    return NULL;
}

static bool any_given(const struct desk *desk)
{
    for (size_t i = 0; i < desk->places; i++)
        if (desk->place[i].given && !desk->place[i].blind)
            return true;
    return false;
}

/* Without a model, the corpora's own labels are learned first, and everybody waits for it. */
static bool learn_given(struct desk *desk, struct vouch_error *err)
{
    const struct vouch_watch *outer = desk->options.work.watch;
    struct vouch_watch watch = {.size = sizeof watch};
    if (outer)
        watch = (struct vouch_watch){.size = sizeof watch, .context = outer->context, .stop = outer->stop};
    watch_say(outer, VOUCH_EVENT_NOTE, "learning from %s as --task %s", desk->document[0].name, desk->task);
    return learn_round(desk, &watch, err) || fail_within(err, "learning from the corpus");
}

/* Takes the model over, also on failure. */
static bool begin_with(struct desk *desk, struct answerer *answerer, struct vouch_error *err)
{
    struct ranking *ranking = answerer ? ranking_new(desk, answerer, desk->store, err) : NULL;
    if (ranking)
        install(desk, answerer, ranking);
    else
        answerer_free(answerer);
    return ranking != NULL;
}

bool rounds_begin(struct desk *desk, vouch_model *model, struct vouch_error *err)
{
    desk->student = (struct student){.name = "the desk", .context = desk, .round = learn_round};
    desk->forecaster = (struct student){.name = "the desk's forecast", .context = desk, .round = forecast};
    if (model) {
        desk->before = json_number_value(json_object_get(json_object_get(model->header, "training"), "sentences"));
        snprintf(desk->parent, sizeof desk->parent, "%016llx", (unsigned long long)model_file_digest(&model->file));
    }
    struct answerer *last = learned_last(desk);
    if (last) {
        vouch_model_close(model);
        watch_say(desk->options.work.watch, VOUCH_EVENT_NOTE, "opened %s, which was learned last",
                  path_name(desk->model_path));
        return begin_with(desk, last, err) && publish(desk, err);
    }
    if (model)
        return begin_with(desk, answerer_new(model, desk->options.threshold, err), err);
    return !any_given(desk) || learn_given(desk, err);
}

/* ---- Asking ---- */

void rounds_count(struct desk *desk, bool blind)
{
    desk->fresh += !blind;
    if (desk->options.every == 0 || desk->fresh < desk->options.every)
        return;
    desk->fresh = 0;
    learner_ask(desk->learner, &desk->student);
}

json_t *desk_learn(struct desk *desk, struct vouch_error *err)
{
    learner_ask(desk->learner, &desk->student);
    struct student_state state = learner_state(desk->learner, &desk->student);
    json_t *result = json_pack("{s:s, s:I}", "learning", learning_state_name(state.state), "rounds",
                               (json_int_t)state.rounds);
    if (!result)
        fail_memory(err);
    return result;
}
