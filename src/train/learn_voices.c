/* Learns every voice: see learn_voices.h. */
#include "train/learn_voices.h"

#include "base/order.h"
#include "base/watch.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "core/voice.h"
#include "train/cross_validation.h"
#include "model/records.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* One voice being learned. */
struct lesson {
    const struct learning *plan;
    struct learned_voices *learned;
    const struct vouch_watch *watch; /* of the layer */
    uint32_t layer, voice;
    char title[40]; /* "cw", or "cw relation" where there are several layers */
    float *weights; /* room for averaged weights, to measure with */
    double pass_started;
    struct best pass; /* the pass that is kept so far, by its score; only with best_pass */
    struct kept_lesson kept;
    json_t *told; /* [passes] what the watch was told, for the checkpoint; NULL: there is none */
    struct vouch_error *err;
    bool failed;
};

static const struct trial *trial_of(const struct lesson *lesson)
{
    return &lesson->learned->trial[lesson->layer][lesson->voice];
}

static struct model_voice *kept_voice(const struct lesson *lesson)
{
    return &lesson->learned->layer[lesson->layer].voice[lesson->voice];
}

static struct training_options options_of(const struct lesson *lesson)
{
    const struct learning *plan = lesson->plan;
    return (struct training_options){.learner = trial_of(lesson)->learner,
                                     .parameters = trial_of(lesson)->parameters,
                                     .passes = plan->passes,
                                     .seed = plan->work.seed,
                                     .shards = plan->shards,
                                     .threads = plan->work.threads};
}

/* Returns what the checkpoint has of the lesson: of the voice, or of the choice of its parameter. */
static struct kept_lesson kept_of(const struct lesson *lesson, const char *what)
{
    const struct learning *plan = lesson->plan;
    const struct examples *examples = &plan->dataset->layer[lesson->layer].examples;
    struct training_options options = options_of(lesson);
    char name[64];
    snprintf(name, sizeof name, "model-%s-%s%s", plan->dataset->layer[lesson->layer].name, options.learner->name, what);
    return kept_lesson(plan->checkpoint, name, &options, (struct subset){NULL, examples->count}, &examples->space);
}

/* Chooses the learner's parameter. */
static bool search(struct lesson *lesson, struct tuned *tuned)
{
    const struct learning *plan = lesson->plan;
    struct trial *trial = &lesson->learned->trial[lesson->layer][lesson->voice];
    struct kept_lesson kept = kept_of(lesson, "-tuned");
    struct lesson_state state = {0};
    struct learning learning = *plan;
    learning.work.watch = lesson->watch;
    if (!lesson_state_recall(&kept, &state, lesson->err))
        return false;
    bool known = state.note && tuned_recall(tuned, trial, state.note, lesson->watch);
    json_decref(state.note);
    if (known)
        return true;
    if (!parameter_search(trial, &learning, lesson->layer, tuned, lesson->err))
        return false;
    if (!tuned->name || !plan->checkpoint)
        return true;
    state = (struct lesson_state){.note = tuned_json(tuned)};
    bool ok = (state.note || fail_memory(lesson->err)) && lesson_state_keep(&kept, &state, lesson->err);
    json_decref(state.note);
    return ok;
}

/* Does so and records what was tried. */
static bool tune(struct lesson *lesson, json_t *record)
{
    struct tuned tuned = {0};
    return search(lesson, &tuned) &&
           (!tuned.name || json_object_set_new(record, "tuned", tuned_json(&tuned)) == 0 || fail_memory(lesson->err));
}

/* Keeps the voice as it is after this pass if none before was as good. */
static bool keep_if_best(struct lesson *lesson, const struct training *now, double figure)
{
    if (!best_offer(&lesson->pass, now->pass, figure))
        return false;
    model_voice_release(kept_voice(lesson));
    bool ok = model_voice_keep(kept_voice(lesson), now->voice, trial_of(lesson)->learner->name, lesson->err);
    lesson->failed = lesson->failed || !ok;
    return ok;
}

/* Measures on the development set; `said` gets a few words about the result. */
static void measure_dev(struct lesson *lesson, const struct training *now, json_t *record, char *said, size_t room)
{
    const struct dataset *dataset = lesson->plan->dataset;
    struct test_set dev = {.layer = lesson->layer, .dev = true};
    struct layer_score score = {0};
    voice_average(now->voice, lesson->weights);
    if (!dataset->measure(dataset->self, &dev, lesson->weights, &score, lesson->err)) {
        lesson->failed = true;
        return;
    }
    if (score.chunks)
        snprintf(said, room, "  dev P %.2f R %.2f F1 %.2f accuracy %.2f", score.precision, score.recall, score.f1,
                 score.accuracy);
    else
        snprintf(said, room, "  dev accuracy %.2f", score.accuracy);
    json_t *measured = layer_score_json(&score);
    json_object_set(record, "dev", measured);
    bool kept = !lesson->plan->best_pass || keep_if_best(lesson, now, score.figure);
    if (kept && json_object_set(lesson->learned->lessons[lesson->layer].dev_scores, lesson->title, measured) != 0) {
        fail_memory(lesson->err);
        lesson->failed = true;
    }
    json_decref(measured);
}

/* Tells of a pass; the record is taken over. */
static void tell_pass(const struct lesson *lesson, uint32_t pass, double loss, const char *line, json_t *record)
{
    watch_record(lesson->watch,
                 (struct vouch_event){.kind = VOUCH_EVENT_PASS,
                                      .what = lesson->title,
                                      .done = pass,
                                      .of = lesson->plan->passes,
                                      .number = loss,
                                      .text = line},
                 record);
}

/* Measures after a pass, and tells the watch. */
static void report_pass(struct lesson *lesson, const struct training *now)
{
    char said[80] = "", line[200];
    json_t *record = json_pack("{s:s, s:s, s:i, s:f, s:f}", "event", "pass", "voice", lesson->title, "pass",
                               (int)now->pass, "loss", now->loss, "seconds", seconds_now() - lesson->pass_started);
    if (lesson->plan->measure)
        measure_dev(lesson, now, record, said, sizeof said);
    snprintf(line, sizeof line, "%-10s pass %2u/%u  loss %.5f%s", lesson->title, now->pass, now->passes, now->loss,
             said);
    if (lesson->told)
        json_array_append_new(lesson->told,
                              json_pack("{s:f, s:s, s:O}", "loss", now->loss, "line", line, "record", record));
    tell_pass(lesson, now->pass, now->loss, line, record);
    lesson->pass_started = seconds_now();
}

/* Is called by the training loop. */
static bool follow(void *context, const struct training *now)
{
    struct lesson *lesson = context;
    const struct vouch_watch *watch = lesson->watch;
    if (now->seen == now->examples)
        report_pass(lesson, now);
    else {
        char what[80], note[64];
        snprintf(what, sizeof what, "%-10s pass %2u/%u", lesson->title, now->pass, now->passes);
        snprintf(note, sizeof note, " loss %.5f", now->loss);
        watch_tell(watch, (struct vouch_event){.kind = VOUCH_EVENT_LEARNING,
                                               .what = what,
                                               .done = now->seen,
                                               .of = now->examples,
                                               .number = now->loss,
                                               .note = note});
    }
    return !lesson->failed && !watch_stops(watch);
}

/* Tells which pass was kept, with best_pass. */
static bool tell_kept(const struct lesson *lesson, json_t *record)
{
    char line[80];
    uint32_t pass = (uint32_t)lesson->pass.row;
    snprintf(line, sizeof line, "%-10s kept pass %u", lesson->title, pass);
    watch_record(lesson->watch,
                 (struct vouch_event){.kind = VOUCH_EVENT_KEPT,
                                      .what = lesson->title,
                                      .done = pass,
                                      .of = lesson->plan->passes,
                                      .number = lesson->pass.score,
                                      .text = line},
                 json_pack("{s:s, s:s, s:i}", "event", "kept", "voice", lesson->title, "pass", (int)pass));
    return json_object_set_new(record, "pass", json_integer(pass)) == 0 || fail_memory(lesson->err);
}

/* ---- Checkpoints ---- */

/* Returns what a checkpoint must have beside the voice: what was told, and of the pass that is kept, which it is. */
static json_t *note_of(const struct lesson *lesson)
{
    json_t *dev = json_object_get(lesson->learned->lessons[lesson->layer].dev_scores, lesson->title);
    json_t *note = json_pack("{s:O}", "told", lesson->told);
    bool ok = note && (!dev || json_object_set(note, "dev", dev) == 0);
    if (ok && lesson->pass.any)
        ok = json_object_set_new(note, "best",
                                 json_pack("{s:i, s:f, s:f}", "pass", (int)lesson->pass.row, "score",
                                           lesson->pass.score, "step", (double)kept_voice(lesson)->steps.step)) == 0;
    if (ok)
        return note;
    json_decref(note);
    fail_memory(lesson->err);
    return NULL;
}

/* Is called by the training loop, after follow(). */
static bool keep_voice(void *self, struct voice *voice, uint32_t pass, struct vouch_error *err)
{
    struct lesson *lesson = self;
    if (lesson->failed)
        return true; /* the error is told already, and the pass was not measured */
    bool earlier = lesson->pass.any && lesson->pass.row != pass;
    struct lesson_state state = {.voice = voice,
                                 .best = earlier ? kept_voice(lesson) : NULL,
                                 .last = pass == lesson->plan->passes,
                                 .pass = pass,
                                 .note = note_of(lesson)};
    bool ok = state.note && lesson_state_keep(&lesson->kept, &state, err);
    json_decref(state.note);
    return ok;
}

/* Restores which pass is the best so far; its weights were found, unless they are those of the last pass. */
static bool recall_best(struct lesson *lesson, const struct lesson_state *state, struct vouch_error *err)
{
    const json_t *best = json_object_get(state->note, "best");
    struct model_voice *kept = kept_voice(lesson);
    const char *name = trial_of(lesson)->learner->name;
    if (best)
        lesson->pass = (struct best){.row = (size_t)json_integer_value(json_object_get(best, "pass")),
                                     .score = json_real_value(json_object_get(best, "score")),
                                     .any = true};
    if (!best || lesson->pass.row == state->pass) {
        model_voice_release(kept); /* the file may have weights of which its note does not speak */
        return !best || model_voice_keep(kept, state->voice, name, err);
    }
    snprintf(kept->name, sizeof kept->name, "%s", name);
    kept->steps.step = (float)json_real_value(json_object_get(best, "step"));
    return kept->own_mean || fail(err, VOUCH_ERR_FORMAT, "%s: expected the best pass, found none", lesson->kept.name);
}

/* Tells again what was told before, so that a log is whole. */
static void tell_again(const struct lesson *lesson)
{
    for (size_t i = 0; i < json_array_size(lesson->told); i++) {
        const json_t *pass = json_array_get(lesson->told, i);
        const char *line = json_string_value(json_object_get(pass, "line"));
        tell_pass(lesson, (uint32_t)i + 1, json_real_value(json_object_get(pass, "loss")), line,
                  json_incref(json_object_get(pass, "record")));
    }
}

static bool recall_voice(void *self, struct voice *voice, uint32_t *pass, struct vouch_error *err)
{
    struct lesson *lesson = self;
    struct lesson_state state = {.voice = voice, .best = lesson->plan->best_pass ? kept_voice(lesson) : NULL};
    if (!lesson_state_recall(&lesson->kept, &state, err))
        return false;
    *pass = state.pass;
    if (!state.note)
        return true;
    json_t *dev = json_object_get(state.note, "dev"), *told = json_object_get(state.note, "told");
    bool ok = (json_is_array(told) ||
               fail(err, VOUCH_ERR_FORMAT, "%s: expected a note on its passes, found none", lesson->kept.name)) &&
              recall_best(lesson, &state, err);
    if (ok && dev && json_object_set(lesson->learned->lessons[lesson->layer].dev_scores, lesson->title, dev) != 0)
        ok = fail_memory(err);
    if (ok && json_array_extend(lesson->told, told) != 0)
        ok = fail_memory(err);
    if (ok)
        tell_again(lesson);
    json_decref(state.note);
    return ok;
}

/* Starts a voice from the weights of the model to go on from, if that has the voice. */
static void recall(const struct lesson *lesson, struct voice *voice)
{
    const struct model_layer *layer =
        lesson->plan->corpus.from ? &lesson->plan->corpus.from->layer[lesson->layer] : NULL;
    if (!layer || lesson->voice >= layer->voices)
        return;
    const struct model_voice *known = &layer->voice[lesson->voice];
    voice_resume(voice, learner_named(known->name), &layer->space, known->mean, known->var);
}

/* Learns the voice and keeps it. */
static bool learn(struct lesson *lesson)
{
    const struct learning *plan = lesson->plan;
    const struct trial *trial = trial_of(lesson);
    const struct examples *examples = &plan->dataset->layer[lesson->layer].examples;
    struct training_options options = options_of(lesson);
    struct voice_checkpoint checkpoint = {lesson, recall_voice, keep_voice};
    struct voice voice;
    options.tell = follow;
    options.context = lesson;
    if (plan->checkpoint)
        options.checkpoint = &checkpoint;
    lesson->kept = kept_of(lesson, "");
    if (!voice_start(examples, &options, &voice, lesson->err))
        return false;
    recall(lesson, &voice);
    lesson->pass_started = seconds_now();
    bool *stopped = &lesson->learned->lessons[lesson->layer].stopped;
    bool ok = (*stopped || /* nothing was learned: the model's own voice is kept */
               train_on(examples, (struct subset){NULL, examples->count}, &options, &voice, stopped, lesson->err)) &&
              !lesson->failed &&
              (lesson->pass.any || /* the best pass is kept already */
               model_voice_keep(kept_voice(lesson), &voice, trial->learner->name, lesson->err));
    voice_release(&voice);
    return ok;
}

/* Chooses the voice's parameter if the plan asks for it, learns it, and records what it was learned with. */
static bool learn_voice(struct lesson *lesson, json_t *records)
{
    const struct learner *learner = trial_of(lesson)->learner;
    json_t *record = json_object();
    if (json_object_set_new(records, learner->name, record) != 0)
        return fail_memory(lesson->err);
    bool ok = !lesson->plan->tune || tune(lesson, record);
    trial_describe(trial_of(lesson), record);
    if (!ok || !learn(lesson))
        return false;
    lesson->learned->layer[lesson->layer].voices = lesson->voice + 1;
    return !lesson->pass.any || tell_kept(lesson, record);
}

/*
 * Whether to learn the next voice. Voices not begun when training is stopped are left out, unless the model to go on
 * from has them.
 */
static bool goes_on(const struct learning *plan, const struct layer_lessons *lessons)
{
    return !lessons->stopped || plan->corpus.from;
}

/* Learns the voices of a layer, and counts its words. */
static bool learn_layer(const struct learning *plan, struct learned_voices *learned, uint32_t l,
                        const struct vouch_watch *watch, struct vouch_error *err)
{
    const char *name = plan->dataset->layer[l].name;
    struct model_layer *layer = &learned->layer[l];
    struct layer_lessons *lessons = &learned->lessons[l];
    lessons->stopped = l > 0 && watch_stops(watch);
    if (!goes_on(plan, lessons))
        return true;
    snprintf(layer->name, sizeof layer->name, "%s", name);
    layer->space = plan->dataset->layer[l].examples.space;
    float *weights = new_array(plan->measure ? space_size(&layer->space) + SLACK : 0, sizeof *weights, err);
    bool ok = weights != NULL;
    for (uint32_t v = 0; ok && v < plan->voices && goes_on(plan, lessons); v++) {
        struct lesson lesson = {
            .plan = plan, .learned = learned, .watch = watch, .layer = l, .voice = v, .weights = weights, .err = err};
        bool several = plan->dataset->layers > 1;
        snprintf(lesson.title, sizeof lesson.title, "%s%s%s", learned->trial[l][v].learner->name, several ? " " : "",
                 several ? name : "");
        lesson.told = plan->checkpoint ? json_array() : NULL;
        ok = learn_voice(&lesson, lessons->parameters);
        json_decref(lesson.told);
    }
    free(weights);
    return ok &&
           (!plan->corpus.from || l >= plan->corpus.from->layers ||
            lexicon_add_all(&layer->lexicon, &plan->corpus.from->layer[l].lexicon, err)) &&
           count_all_words(plan->dataset, l, &layer->lexicon, err) && lexicon_close(&layer->lexicon, err);
}

bool learn_voices_begin(const struct learning *plan, struct learned_voices *learned, struct vouch_error *err)
{
    *learned = (struct learned_voices){.parameters = json_object(), .dev_scores = json_object()};
    learned->watches = watches_open(plan->work.watch, plan->dataset->layers, err);
    bool ok = learned->parameters && learned->dev_scores;
    for (uint32_t l = 0; l < plan->dataset->layers; l++) {
        memcpy(learned->trial[l], plan->trial[l], sizeof learned->trial[l]);
        learned->lessons[l] = (struct layer_lessons){.parameters = json_object(), .dev_scores = json_object()};
        ok = ok && learned->lessons[l].parameters && learned->lessons[l].dev_scores;
    }
    return learned->watches && (ok || fail_memory(err));
}

bool learn_voices_of(const struct learning *plan, struct learned_voices *learned, uint32_t layer,
                     struct vouch_error *err)
{
    bool ok = learn_layer(plan, learned, layer, watches_of(learned->watches, layer), err);
    watches_end(learned->watches, layer);
    return ok;
}

/* Joins what was noted of the layers. */
static bool join_records(const struct learning *plan, struct learned_voices *learned, struct vouch_error *err)
{
    for (uint32_t l = 0; l < learned->layers; l++)
        if (json_object_set(learned->parameters, plan->dataset->layer[l].name, learned->lessons[l].parameters) != 0 ||
            json_object_update(learned->dev_scores, learned->lessons[l].dev_scores) != 0)
            return fail_memory(err);
    return true;
}

bool learn_voices_end(const struct learning *plan, struct learned_voices *learned, bool ok, struct vouch_error *err)
{
    while (learned->layers < plan->dataset->layers && learned->layer[learned->layers].voices)
        learned->layers++;
    for (uint32_t l = 0; l < plan->dataset->layers; l++)
        learned->stopped = learned->stopped || learned->lessons[l].stopped;
    watches_close(learned->watches);
    learned->watches = NULL;
    /* If it was stopped while choosing a parameter, what was learned before is kept. */
    if (!ok && err->status == VOUCH_ERR_STOPPED && learned->layers) {
        *err = (struct vouch_error){0};
        ok = learned->stopped = true;
    }
    return ok && join_records(plan, learned, err);
}

struct layers_at_once {
    const struct learning *plan;
    struct learned_voices *learned;
};

static bool learn_job(void *context, uint32_t job, uint32_t thread, struct vouch_error *err)
{
    const struct layers_at_once *all = context;
    (void)thread;
    return learn_voices_of(all->plan, all->learned, job, err);
}

bool learn_voices(const struct learning *plan, struct learned_voices *learned, struct vouch_error *err)
{
    struct layers_at_once all = {plan, learned};
    uint32_t threads = plan->tune || plan->shards > 1 ? 1 : plan->work.threads; /* layers use the threads themselves */
    return learn_voices_begin(plan, learned, err) &&
           learn_voices_end(plan, learned, parallel_run(threads, plan->dataset->layers, learn_job, &all, err), err);
}

void learned_voices_release(struct learned_voices *learned)
{
    for (uint32_t l = 0; l < MAX_MODEL_LAYERS; l++) {
        for (uint32_t v = 0; v < MAX_VOICES; v++)
            model_voice_release(&learned->layer[l].voice[v]);
        lexicon_release(&learned->layer[l].lexicon);
    }
    for (uint32_t l = 0; l < MAX_LAYERS; l++) {
        json_decref(learned->lessons[l].parameters);
        json_decref(learned->lessons[l].dev_scores);
    }
    watches_close(learned->watches);
    json_decref(learned->parameters);
    json_decref(learned->dev_scores);
    *learned = (struct learned_voices){0};
}
