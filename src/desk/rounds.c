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

/* A text that is put together. */
struct gathering {
    const struct desk *desk;
    struct material *material;
    bool *decided; /* [places] decided with a suggestion in sight */
    bool partly;   /* some of these in parts */
    uint64_t given, blind;
};

static bool note_decided(void *context, const struct stored_answer *a, struct vouch_error *err)
{
    struct gathering *g = context;
    uint32_t place;
    if (!desk_find(g->desk, a->sentence, &place, err))
        return false;
    g->decided[place] = true;
    g->material->sentences++;
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
    return buffer_add(&g->material->text, s->bytes, err) && end_sentence(&g->material->text, err);
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

static bool add_documents(struct gathering *g, struct store *store, int64_t upto, struct vouch_error *err)
{
    struct material *material = g->material;
    for (size_t i = 0; i < g->desk->documents; i++) {
        struct store_export what = {.decided_only = true, .open = "_"};
        what.answers =
            (struct answer_query){.document = g->desk->document[i].id, .blind = DECIDED_SEEN, .upto = upto};
        if (!export_to(store, &what, &material->more, err))
            return false;
        what.answers.blind = DECIDED_BLIND;
        if (g->blind >= CALIBRATE_FROM && !export_to(store, &what, &material->calibrate, err))
            return false;
    }
    return g->desk->base || store_sentences(store, 0, add_given, g, err);
}

static bool gather(struct gathering *g, struct store *store, struct vouch_error *err)
{
    const struct desk *desk = g->desk;
    struct material *material = g->material;
    uint64_t count;
    if (!store_last_decision(store, &material->upto, &count, err) ||
        !(g->decided = new_array(desk->places, sizeof *g->decided, err)))
        return false;
    struct answer_query seen = {.blind = DECIDED_SEEN, .upto = material->upto}, blind = seen;
    blind.blind = DECIDED_BLIND;
    bool ok = (material->upto == 0 || (store_answers(store, &seen, note_decided, g, err) &&
                                     store_answers(store, &blind, count_blind, g, err))) &&
              add_documents(g, store, material->upto, err);
    free(g->decided);
    material->base = desk->base;
    material->nothing = !material->text.length && !material->more.length;
    return ok && (desk->base || buffer_print(&material->options, err, "task=%s&", desk->task)) &&
           (!g->partly || buffer_print(&material->options, err, "partial=true&"));
}

static bool prepare(void *context, struct material *material, struct vouch_error *err)
{
    struct desk *desk = context;
    struct gathering g = {.desk = desk, .material = material};
    struct store *store = store_open(desk->path, STORE_READ, err);
    bool ok = store && gather(&g, store, err);
    store_close(store);
    return ok;
}

/* ---- What becomes of the model ---- */

static bool record(struct desk *desk, const struct material *material, const struct learned *learned,
                   const struct blind_set *set, struct vouch_error *err)
{
    char details[200];
    const char *name[2];
    snprintf(details, sizeof details, "{\"decided\": %llu, \"blind\": %zu, \"seconds\": %.3f}",
             (unsigned long long)material->sentences, set->sentences, learned->seconds);
    struct store_model model = {.digest = learned->digest,
                                .file = learned->path,
                                .parent = learned->parent[0] ? learned->parent : NULL,
                                .upto = material->upto,
                                .details = details};
    bool ok = store_add_model(desk->store, &model, err);
    size_t figures = figure_names(desk, name);
    for (size_t k = 0; ok && k < figures; k++) {
        struct figure f = blind_share(set->count[k], set->sentences);
        struct store_point point = {.decisions = (int64_t)material->sentences,
                                    .name = name[k],
                                    .value = f.value,
                                    .low = f.low,
                                    .high = f.high,
                                    .items = set->sentences,
                                    .model = learned->digest};
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

static bool learned(void *context, const struct material *material, struct learned *result, struct vouch_error *err)
{
    struct desk *desk = context;
    struct blind_set set = {0};
    struct ranking *ranking = NULL;
    struct store *store = NULL;
    struct answerer *answerer = answerer_new(result->model, desk->options.threshold, err);
    bool ok = answerer && (store = store_open(desk->path, STORE_READ, err)) &&
              (ranking = ranking_new(desk, answerer, store, err)) && blind_measure(desk, store, answerer, &set, err);
    store_close(store);
    if (ok) {
        desk_enter(desk);
        ok = record(desk, material, result, &set, err);
        install(desk, answerer, ranking);
        desk_leave(desk);
    } else {
        answerer_free(answerer);
        ranking_free(ranking);
    }
    bool forecasts = ok && set.sentences >= LEAST_BLIND && material->sentences >= FORECAST_FROM;
    blind_set_release(&set);
    return ok && (!forecasts || learner_ask(desk->learner, desk->forecaster.name, err));
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

static bool measure_half(struct desk *desk, struct store *store, const struct material *all, int half,
                         struct blind_set *set, struct vouch_error *err)
{
    struct material material = {.base = all->base};
    struct answerer *answerer = NULL;
    bool lines = buffer_text(&all->more).at[0] == '{';
    bool ok = buffer_add_bytes(&material.text, buffer_text(&all->text).at, all->text.length, err) &&
              add_half(&all->more, half, lines, &material.more, err) &&
              buffer_print(&material.options, err, "%sno-calibrate=true", buffer_text(&all->options).at);
    vouch_model *model =
        ok ? material_learn(&material, desk->folder, desk->forecaster.name, learner_watch(desk->learner), err) : NULL;
    ok = model && (answerer = answerer_new(model, desk->options.threshold, err)) &&
         blind_measure(desk, store, answerer, set, err);
    answerer_free(answerer);
    material_release(&material);
    return ok;
}

static bool forecast_by(struct desk *desk, struct store *store, const struct material *all, uint64_t given,
                        struct vouch_error *err)
{
    struct blind_set whole = {0}, half[2] = {0};
    vouch_model *model = all->nothing ? NULL : material_learn(all, desk->folder, desk->forecaster.name,
                                                            learner_watch(desk->learner), err);
    struct answerer *answerer = model ? answerer_new(model, desk->options.threshold, err) : NULL;
    bool ok = answerer && blind_measure(desk, store, answerer, &whole, err) &&
              measure_half(desk, store, all, 0, &half[0], err) && measure_half(desk, store, all, 1, &half[1], err);
    answerer_free(answerer);
    if (ok && whole.sentences == half[0].sentences && whole.sentences == half[1].sentences) {
        desk_enter(desk);
        double before = desk->before + (double)given, decided = (double)all->sentences;
        desk->gain = outlook_gain(&(struct outlook){.all = whole.count[0],
                                                    .half = {half[0].count[0], half[1].count[0]},
                                                    .sentences = whole.sentences,
                                                    .labelled = before + decided,
                                                    .labelled_half = before + decided / 2,
                                                    .more = 100});
        desk->gain_blind = whole.sentences;
        desk->gain_decided = all->sentences;
        desk_leave(desk);
    }
    blind_set_release(&whole);
    blind_set_release(&half[0]);
    blind_set_release(&half[1]);
    return ok;
}

/* The student that only finds this out: it never has anything to learn. */
static bool forecast(void *context, struct material *material, struct vouch_error *err)
{
    struct desk *desk = context;
    struct material all = {0};
    struct gathering g = {.desk = desk, .material = &all};
    struct store *store = store_open(desk->path, STORE_READ, err);
    material->nothing = true;
    bool ok = store && gather(&g, store, err);
    free(all.calibrate.bytes);
    all.calibrate = (struct buffer){0};
    ok = ok && buffer_print(&all.options, err, "no-calibrate=true&") && forecast_by(desk, store, &all, g.given, err);
    material_release(&all);
    store_close(store);
    return ok;
}

/* ---- Beginning ---- */

struct last_model {
    char digest[32];
};

static bool take_model(void *context, const struct store_model *model, struct vouch_error *err)
{
    struct last_model *last = context;
    (void)err;
    snprintf(last->digest, sizeof last->digest, "%s", model->digest);
    return true;
}

/* The model that was learned last, if its file is still that one; else NULL. */
static struct answerer *learned_last(struct desk *desk, const char *path)
{
    struct last_model last = {0};
    vouch_model *model = NULL;
    if (!store_models(desk->store, take_model, &last, NULL) || !last.digest[0] || access(path, R_OK) != 0 ||
        !(model = vouch_model_open(path, NULL)))
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

/* Without a model, the corpora's own labels are learned first. */
static bool learn_given(struct desk *desk, struct vouch_error *err)
{
    struct student_state state = {0};
    if (!learner_ask(desk->learner, desk->name, err))
        return false;
    watch_say(desk->options.work.watch, VOUCH_EVENT_NOTE, "learning from %s as --task %s", desk->document[0].name,
              desk->task);
    learner_wait(desk->learner);
    learner_state(desk->learner, desk->name, &state);
    return !state.trouble[0] || fail(err, VOUCH_ERR_FORMAT, "learning from the corpus: %.400s", state.trouble);
}

static bool introduce(struct desk *desk, struct vouch_error *err)
{
    const struct desk_options *o = &desk->options;
    const char *source = desk->base ? desk->base : o->corpora ? o->corpus[0] : NULL;
    const char *file = source ? path_name(source) : NULL, *end = file ? strstr(file, ".vouch") : NULL;
    struct buffer name = {0};
    if (!buffer_print(&name, err, "%s-forecast", desk->name))
        return false;
    desk->forecaster_name = name.bytes;
    if (file && !(desk->serve_as = new_string(file, end && end > file ? (size_t)(end - file) : strlen(file), err)))
        return false;
    desk->student = (struct student){
        .name = desk->name, .serve_as = desk->serve_as, .context = desk, .prepare = prepare, .learned = learned};
    desk->forecaster = (struct student){.name = desk->forecaster_name, .context = desk, .prepare = forecast};
    return learner_add(desk->learner, &desk->student, err) && learner_add(desk->learner, &desk->forecaster, err);
}

bool rounds_begin(struct desk *desk, vouch_model *model, struct vouch_error *err)
{
    char *path = NULL;
    struct answerer *answerer = NULL;
    if (!introduce(desk, err) || !(path = path_in(desk->folder, err, "%s.vouch", desk->name))) {
        vouch_model_close(model);
        return false;
    }
    if (model)
        desk->before =
            json_number_value(json_object_get(json_object_get(model->header, "training"), "sentences"));
    bool ok = true;
    answerer = learned_last(desk, path);
    if (answerer) {
        vouch_model_close(model);
        watch_say(desk->options.work.watch, VOUCH_EVENT_NOTE, "opened %s, which was learned last", path_name(path));
        ok = learner_publish(desk->learner, &desk->student, path, err);
    } else if (model)
        ok = (answerer = answerer_new(model, desk->options.threshold, err)) != NULL;
    free(path);
    if (ok && answerer) {
        struct ranking *ranking = ranking_new(desk, answerer, desk->store, err);
        if (ranking)
            install(desk, answerer, ranking);
        else
            answerer_free(answerer);
        return ranking != NULL;
    }
    return ok && (!any_given(desk) || learn_given(desk, err));
}

bool rounds_count(struct desk *desk, bool blind, struct vouch_error *err)
{
    desk->fresh += !blind;
    if (desk->options.every == 0 || desk->fresh < desk->options.every)
        return true;
    desk->fresh = 0;
    return learner_ask(desk->learner, desk->name, err);
}

json_t *desk_learn(struct desk *desk, struct vouch_error *err)
{
    struct student_state state = {0};
    bool ok = learner_ask(desk->learner, desk->name, err);
    learner_state(desk->learner, desk->name, &state);
    json_t *result = ok ? json_pack("{s:s, s:I}", "learning", learning_state_name(state.state), "rounds",
                                    (json_int_t)state.rounds)
                        : NULL;
    return result;
}
