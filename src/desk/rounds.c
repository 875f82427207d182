/*
 * Learning from decisions, round by round, in the background.
 *
 * A round learns from all that was decided until then, never from blind sentences, and does not depend on the rounds
 * before: it goes on from the model that was given (train --from), or learns anew from the corpora's own labels with
 * what was decided in their place: in a sentence that a corpus labels wholly, the words that nobody decided on keep
 * their labels. So the same decisions give the same bytes, whenever they were learned from. Learning on from the model
 * of the round before was left out for that reason; both take about the same time (docs/MEASUREMENTS.md).
 *
 * Then the new model answers and ranks every sentence, is measured on the blind ones, and takes the place of the old.
 * The store gets it with its parent and the last decision that it learned from, and a point of each curve. The model's
 * file is the last one. An earlier one is learned again from the decisions up to that one, and is known by its digest;
 * it then stays, and learning waits until it is asked for.
 *
 * When there are blind sentences enough to calibrate on, confidence is calibrated on them: they are what the text is
 * like, while sentences that were chosen for being doubtful are not.
 *
 * The forecast (outlook.h) is a student of its own, so that the new model does not wait for it; it is given up when the
 * next round is asked for. It learns from either half of what was decided, sentence by sentence in turns.
 */
#include "desk/desk_room.h"

#include "base/watch.h"

#include <stdio.h>
#include <unistd.h>

enum { CALIBRATE_FROM = 100, FORECAST_FROM = 40 }; /* blind sentences; decided ones */

#define IN_USE "model in use" /* the setting of the store that has its digest */

/* ---- What to learn from ---- */

/* What is put together to learn from. */
struct gathering {
    const struct desk *desk;
    struct material material;
    bool *decided;      /* [places] decided with a suggestion in sight */
    bool partly;        /* some of these in parts */
    int64_t upto;       /* the last decision */
    uint64_t sentences; /* that were decided on, */
    uint64_t words;     /* words in them; */
    uint64_t given;     /* that have the corpora's own labels, */
    uint64_t given_words;
    uint64_t blind;     /* are not learned from */
};

/* Whether an answer is learned from: one that waits for its second annotator is not. */
static bool is_learned(void *context, const struct stored_answer *a)
{
    const struct gathering *g = context;
    uint32_t place;
    return desk_find(g->desk, a->sentence, &place, NULL) && !waits_for_second(g->desk, place, a->annotators);
}

static bool note_decided(void *context, const struct stored_answer *a, struct vouch_error *err)
{
    struct gathering *g = context;
    uint32_t place;
    if (!desk_find(g->desk, a->sentence, &place, err))
        return false;
    if (!is_learned(g, a))
        return true;
    g->decided[place] = true;
    g->sentences++;
    for (uint32_t i = 0; i < a->decided->words; i++) {
        bool open = !g->desk->place[place].given && answer_open(a->decided, i);
        g->partly = g->partly || open;
        g->words += !open;
    }
    return true;
}

static bool count_blind(void *context, const struct stored_answer *a, struct vouch_error *err)
{
    struct gathering *g = context;
    (void)err;
    g->blind += is_learned(g, a);
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
    g->given_words += p->words;
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
        struct store_export what = {
            .decided_only = true, .open = "_", .completed = true, .wanted = is_learned, .context = g};
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

/* Gathers what was decided; if a model is wanted, what was when that one was learned: none is -1. */
static bool gather(struct gathering *g, struct store *store, const struct wanted *wanted, struct vouch_error *err)
{
    const struct desk *desk = g->desk;
    uint64_t count;
    g->upto = wanted->upto ? wanted->upto : -1;
    if ((!wanted->digest[0] && !store_last_decision(store, &g->upto, &count, err)) ||
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
    struct wanted wanted;
};

static bool record(struct desk *desk, const struct gathering *g, const struct outcome *o, struct vouch_error *err)
{
    char details[200];
    const char *name[2];
    snprintf(details, sizeof details, "{\"decided\": %llu, \"given\": %.0f, \"blind\": %zu, \"seconds\": %.3f}",
             (unsigned long long)g->sentences, desk->before + (double)g->given, o->set.sentences, o->seconds);
    struct store_model model = {.digest = o->answerer->digest,
                                .file = desk->model_path,
                                .parent = desk->base ? desk->parent : NULL,
                                .upto = g->upto,
                                .details = details};
    bool ok = store_set(desk->store, IN_USE, o->answerer->digest, err) &&
              (o->wanted.digest[0] || store_add_model(desk->store, &model, err));
    size_t figures = o->wanted.digest[0] ? 0 : figure_names(desk, name);
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

/* Lets a model, its ranking and what was measured take the place of those before. */
static void install(struct desk *desk, const struct outcome *o)
{
    struct answerer *old = desk->answerer;
    struct ranking *before = desk->ranking;
    o->ranking->number = before ? before->number + 1 : 1;
    desk->answerer = o->answerer;
    desk->ranking = o->ranking;
    answerer_free(old);
    ranking_free(before);
    blind_set_release(&desk->measured);
    desk->measured = o->set;
}

static bool publish(const struct desk *desk, struct vouch_error *err)
{
    const struct desk_options *o = &desk->options;
    return !o->publish || o->publish(o->context, desk->served_as, desk->model_path, err);
}

/* Whether this is the model that is wanted, if one is. */
static bool is_wanted(const vouch_model *model, const struct wanted *wanted, struct vouch_error *err)
{
    char digest[32];
    snprintf(digest, sizeof digest, "%016llx", (unsigned long long)model_file_digest(&model->file));
    return !wanted->digest[0] || strcmp(digest, wanted->digest) == 0 ||
           fail(err, VOUCH_ERR_ARGUMENT,
                "the model %s cannot be had again: learned from the same decisions it came out as %s, as the program, "
                "its options or the model to go on from have changed",
                wanted->digest, digest);
}

/* Learns, answers and ranks every sentence, and measures. */
static bool learn(struct desk *desk, struct store *store, const struct material *material, struct outcome *to,
                  const struct vouch_watch *watch, struct vouch_error *err)
{
    double began = seconds_now();
    vouch_model *model = material_learn(material, desk->stem, watch, err);
    if (model &&
        (!is_wanted(model, &to->wanted, err) || vouch_model_save(model, desk->model_path, err) != VOUCH_OK)) {
        vouch_model_close(model);
        model = NULL;
    }
    to->seconds = seconds_now() - began;
    return model && (to->answerer = answerer_new(model, desk->options.threshold, err)) &&
           (to->ranking = ranking_new(desk, to->answerer, store, err)) &&
           blind_measure(desk, store, to->answerer, NULL, &to->set, err);
}

/* One round: from what was decided to a model that is published. */
static bool learn_round(void *context, const struct vouch_watch *watch, struct vouch_error *err)
{
    struct desk *desk = context;
    struct gathering g = {.desk = desk};
    struct outcome outcome = {0};
    struct store *store = store_open(desk->path, STORE_READ, err);
    size_t blind = 0;
    desk_enter(desk);
    outcome.wanted = desk->wanted;
    desk->wanted = (struct wanted){0};
    desk_leave(desk);
    bool ok = store && gather(&g, store, &outcome.wanted, err), learns = ok && !is_empty(&g.material);
    if (learns && !(ok = learn(desk, store, &g.material, &outcome, watch, err))) {
        answerer_free(outcome.answerer);
        ranking_free(outcome.ranking);
        blind_set_release(&outcome.set);
    } else if (learns) {
        blind = outcome.set.sentences;
        desk_enter(desk);
        ok = record(desk, &g, &outcome, err);
        install(desk, &outcome);
        desk->learned_upto = g.upto;
        desk->pinned = outcome.wanted.digest[0] && !outcome.wanted.newest;
        desk_leave(desk);
        ok = publish(desk, ok ? err : NULL) && ok; /* what the store could not take is served all the same */
    }
    if (ok && blind >= LEAST_BLIND && g.sentences >= FORECAST_FROM && !outcome.wanted.digest[0])
        learner_ask(desk->learner, &desk->forecaster);
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
    bool ok = answerer && blind_measure(desk, store, answerer, NULL, set, err);
    answerer_free(answerer);
    return ok;
}

/* Measures the model of all that was decided: the one in use, if that is it, as calibrating changes no answer. */
static bool measure_whole(struct desk *desk, const struct gathering *g, struct store *store, struct blind_set *set,
                          const struct vouch_watch *watch, struct vouch_error *err)
{
    desk_enter(desk);
    bool same = desk->learned_upto == g->upto && g->upto > 0;
    bool ok = same && blind_measure(desk, store, desk->answerer, &desk->measured, set, err);
    desk_leave(desk);
    return same ? ok : measure_one_of(desk, store, &g->material, set, watch, err);
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

/* After how many decisions the words learned from are twice as many, or nothing is left. */
static double how_far(const struct outlook *o)
{
    double left = (double)o->next->count + o->next->blinds, far = 0;
    while (far < left && upcoming_words(o->next, far + 1) <= o->labelled)
        far++;
    return far;
}

/* With the lock. */
static void look_ahead(struct desk *desk, const struct gathering *g, struct outlook *o)
{
    struct foresight *f = &desk->foresight;
    *f = (struct foresight){.gain = outlook_gain(o), .blind = o->sentences, .decided = g->sentences};
    f->far = how_far(o);
    f->worth = outlook_worth(o, f->far);
    for (int i = 0; i < AHEAD; i++) {
        o->more = f->far * (i + 1) / AHEAD;
        f->ahead[i] = outlook_gain(o);
        f->learned[i] = upcoming_sentences(o->next, o->more);
    }
}

static bool look_ahead_from(struct desk *desk, const struct gathering *g, const struct blind_set *whole,
                            const struct blind_set half[2], struct vouch_error *err)
{
    struct upcoming next;
    double *words = NULL;
    desk_enter(desk);
    double before = desk->words_before + (double)g->given_words;
    struct outlook o = {.all = whole->count[0],
                        .half = {half[0].count[0], half[1].count[0]},
                        .sentences = whole->sentences,
                        .labelled = before + (double)g->words,
                        .labelled_half = before + (double)g->words / 2,
                        .next = &next,
                        .more = 100};
    bool ok = queue_ahead(desk, &words, &next, err);
    if (ok)
        look_ahead(desk, g, &o);
    desk_leave(desk);
    free(words);
    return ok;
}

/* A forecast is given up when there is more to learn, so that the next model does not wait for it. */
struct forecasting {
    struct desk *desk;
    const struct vouch_watch *watch;
};

static int is_overtaken(void *context)
{
    const struct forecasting *f = context;
    return watch_stops(f->watch) || learner_state(f->desk->learner, &f->desk->student).state == LEARNING_WAITING;
}

static bool forecast(void *context, const struct vouch_watch *outer, struct vouch_error *err)
{
    struct desk *desk = context;
    struct forecasting forecasting = {desk, outer};
    const struct vouch_watch own = {.size = sizeof own, .context = &forecasting, .stop = is_overtaken};
    const struct vouch_watch *watch = &own;
    struct gathering g = {.desk = desk};
    struct blind_set whole = {0}, half[2] = {0};
    struct store *store = store_open(desk->path, STORE_READ, err);
    bool ok = store && gather(&g, store, &(struct wanted){0}, err);
    g.material.calibrate.length = 0;
    if (ok && !is_empty(&g.material)) {
        ok = buffer_print(&g.material.options, err, "no-calibrate=true&") &&
             measure_whole(desk, &g, store, &whole, watch, err) &&
             measure_half(desk, store, &g.material, 0, &half[0], watch, err) &&
             measure_half(desk, store, &g.material, 1, &half[1], watch, err);
        if (ok && whole.sentences == half[0].sentences && whole.sentences == half[1].sentences)
            ok = look_ahead_from(desk, &g, &whole, half, err);
    }
    blind_set_release(&whole);
    blind_set_release(&half[0]);
    blind_set_release(&half[1]);
    material_release(&g.material);
    store_close(store);
    if (ok || err->status != VOUCH_ERR_STOPPED)
        return ok;
    *err = (struct vouch_error){0};
    return true;
}

/* ---- Beginning ---- */

/* The model that was learned last: its digest, and that of the one it went on from. */
struct last_model {
    char digest[32], parent[32];
};

static bool take_last(void *context, const struct store_model *model, struct vouch_error *err)
{
    struct last_model *last = context;
    (void)err;
    snprintf(last->digest, sizeof last->digest, "%s", model->digest);
    snprintf(last->parent, sizeof last->parent, "%s", model->parent ? model->parent : "");
    return true;
}

/* The model that was in use, if its file is still that one and it went on from the given one; else NULL. */
static struct answerer *used_last(struct desk *desk)
{
    struct last_model last = {0};
    vouch_model *model = NULL;
    char *used = NULL;
    if (!store_models(desk->store, take_last, &last, NULL) || !last.digest[0] ||
        (desk->base && strcmp(last.parent, desk->parent) != 0) || !store_setting(desk->store, IN_USE, &used, NULL) ||
        access(desk->model_path, R_OK) != 0 || !(model = vouch_model_open(desk->model_path, NULL))) {
        free(used);
        return NULL;
    }
    struct answerer *a = answerer_new(model, desk->options.threshold, NULL);
    bool same = a && strcmp(a->digest, used ? used : last.digest) == 0 && a->model->trees == desk->trees;
    desk->pinned = same && strcmp(a->digest, last.digest) != 0;
    free(used);
    if (same)
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
    struct outcome o = {.answerer = answerer,
                        .ranking = answerer ? ranking_new(desk, answerer, desk->store, err) : NULL};
    if (o.ranking)
        install(desk, &o);
    else
        answerer_free(answerer);
    return o.ranking != NULL;
}

bool rounds_begin(struct desk *desk, vouch_model *model, struct vouch_error *err)
{
    desk->student = (struct student){.name = "the desk", .context = desk, .round = learn_round};
    desk->forecaster = (struct student){.name = "the desk's forecast", .context = desk, .round = forecast};
    if (model) {
        const json_t *training = json_object_get(model->header, "training");
        const json_t *labelled = json_object_get(training, "labelled"); /* if some words were not */
        desk->before = json_number_value(json_object_get(training, "sentences"));
        desk->words_before = json_number_value(labelled ? labelled : json_object_get(training, "words"));
        snprintf(desk->parent, sizeof desk->parent, "%016llx", (unsigned long long)model_file_digest(&model->file));
    }
    struct answerer *last = used_last(desk);
    if (last) {
        vouch_model_close(model);
        watch_say(desk->options.work.watch, VOUCH_EVENT_NOTE, "opened %s, which was used last",
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
    if (desk->options.every == 0 || desk->fresh < desk->options.every || desk->pinned)
        return;
    desk->fresh = 0;
    learner_ask(desk->learner, &desk->student);
}

static json_t *ask_learner(struct desk *desk, struct vouch_error *err)
{
    learner_ask(desk->learner, &desk->student);
    struct student_state state = learner_state(desk->learner, &desk->student);
    json_t *result = json_pack("{s:s, s:I}", "learning", learning_state_name(state.state), "rounds",
                               (json_int_t)state.rounds);
    if (!result)
        fail_memory(err);
    return result;
}

json_t *desk_learn(struct desk *desk, struct vouch_error *err)
{
    return ask_learner(desk, err);
}

/* Looks for the model of a digest; `newest` if it is the last one. */
static bool find_model(void *context, const struct store_model *model, struct vouch_error *err)
{
    struct wanted *wanted = context;
    (void)err;
    wanted->newest = strcmp(model->digest, wanted->digest) == 0;
    if (wanted->newest)
        wanted->upto = model->upto;
    return true;
}

json_t *desk_use(struct desk *desk, const char *digest, struct vouch_error *err)
{
    struct wanted wanted = {.upto = INT64_MIN};
    snprintf(wanted.digest, sizeof wanted.digest, "%s", digest);
    desk_enter(desk);
    bool ok = store_models(desk->store, find_model, &wanted, err) &&
              (wanted.upto != INT64_MIN ||
               fail(err, VOUCH_ERR_ARGUMENT, "no model with the digest '%.40s' was learned here", digest));
    if (ok)
        desk->wanted = wanted;
    desk_leave(desk);
    return ok ? ask_learner(desk, err) : NULL;
}
