/* Learns every voice: see learn_voices.h. */
#include "train/learn_voices.h"

#include "base/best.h"
#include "base/clock.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/watch_in_turn.h"
#include "core/voice.h"
#include "train/count_words.h"
#include "train/parameter_search.h"
#include "train/records.h"
#include "train/trial_record.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* One voice being learned. */
struct lesson {
    const struct voices_plan *plan;
    struct learned_voices *learned;
    const struct vouch_watch *watch; /* of the layer */
    uint32_t layer, voice;
    char title[40]; /* "cw", or "cw relation" where there are several layers */
    float *weights; /* room for averaged weights, to measure with */
    double pass_started;
    struct best pass; /* the pass that is kept so far, by its score; only with best_pass */
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

/* Chooses the learner's parameter and records what was tried. */
static bool tune(struct lesson *lesson, json_t *record)
{
    const struct voices_plan *plan = lesson->plan;
    struct trial_plan trying = {.dataset = plan->dataset,
                                .layer = lesson->layer,
                                .passes = plan->passes,
                                .shards = plan->shards,
                                .seed = plan->seed,
                                .threads = plan->threads};
    struct tuned tuned;
    return parameter_search(&lesson->learned->trial[lesson->layer][lesson->voice], &trying, lesson->watch, &tuned,
                            lesson->err) &&
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
    struct portion dev = {.layer = lesson->layer, .dev = true};
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
    watch_record(lesson->watch,
                 (struct vouch_event){.kind = VOUCH_EVENT_PASS,
                                      .what = lesson->title,
                                      .done = now->pass,
                                      .of = now->passes,
                                      .number = now->loss,
                                      .text = line},
                 record);
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

/* Starts a voice from the weights of the model to go on from, if that has the voice. */
static void recall(const struct lesson *lesson, struct voice *voice)
{
    const struct model_layer *layer = lesson->plan->from ? &lesson->plan->from->layer[lesson->layer] : NULL;
    if (!layer || lesson->voice >= layer->voices)
        return;
    const struct model_voice *known = &layer->voice[lesson->voice];
    voice_resume(voice, learner_named(known->name), &layer->space, known->mean, known->var);
}

/* Learns the voice and keeps it. */
static bool learn(struct lesson *lesson)
{
    const struct voices_plan *plan = lesson->plan;
    const struct trial *trial = trial_of(lesson);
    const struct examples *examples = &plan->dataset->layer[lesson->layer].examples;
    struct training_options options = {.learner = trial->learner,
                                       .parameters = trial->parameters,
                                       .passes = plan->passes,
                                       .seed = plan->seed,
                                       .shards = plan->shards,
                                       .threads = plan->threads,
                                       .tell = follow,
                                       .context = lesson};
    struct voice voice;
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
static bool goes_on(const struct voices_plan *plan, const struct layer_lessons *lessons)
{
    return !lessons->stopped || plan->from;
}

/* Learns the voices of a layer, and counts its words. */
static bool learn_layer(const struct voices_plan *plan, struct learned_voices *learned, uint32_t l,
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
        ok = learn_voice(&lesson, lessons->parameters);
    }
    free(weights);
    return ok &&
           (!plan->from || l >= plan->from->layers ||
            lexicon_add_all(&layer->lexicon, &plan->from->layer[l].lexicon, err)) &&
           count_all_words(plan->dataset, l, &layer->lexicon, err) &&
           lexicon_close(&layer->lexicon, err);
}

bool learn_voices_begin(const struct voices_plan *plan, struct learned_voices *learned, struct vouch_error *err)
{
    *learned = (struct learned_voices){.parameters = json_object(), .dev_scores = json_object()};
    learned->watches = watches_open(plan->watch, plan->dataset->layers, err);
    bool ok = learned->parameters && learned->dev_scores;
    for (uint32_t l = 0; l < plan->dataset->layers; l++) {
        memcpy(learned->trial[l], plan->trial[l], sizeof learned->trial[l]);
        learned->lessons[l] = (struct layer_lessons){.parameters = json_object(), .dev_scores = json_object()};
        ok = ok && learned->lessons[l].parameters && learned->lessons[l].dev_scores;
    }
    return learned->watches && (ok || fail_memory(err));
}

bool learn_voices_of(const struct voices_plan *plan, struct learned_voices *learned, uint32_t layer,
                     struct vouch_error *err)
{
    bool ok = learn_layer(plan, learned, layer, watches_of(learned->watches, layer), err);
    watches_end(learned->watches, layer);
    return ok;
}

/* Joins what was noted of the layers. */
static bool join_records(const struct voices_plan *plan, struct learned_voices *learned, struct vouch_error *err)
{
    for (uint32_t l = 0; l < learned->layers; l++)
        if (json_object_set(learned->parameters, plan->dataset->layer[l].name, learned->lessons[l].parameters) != 0 ||
            json_object_update(learned->dev_scores, learned->lessons[l].dev_scores) != 0)
            return fail_memory(err);
    return true;
}

bool learn_voices_end(const struct voices_plan *plan, struct learned_voices *learned, bool ok, struct vouch_error *err)
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
    const struct voices_plan *plan;
    struct learned_voices *learned;
};

static bool learn_job(void *context, uint32_t job, uint32_t thread, struct vouch_error *err)
{
    const struct layers_at_once *all = context;
    (void)thread;
    return learn_voices_of(all->plan, all->learned, job, err);
}

bool learn_voices(const struct voices_plan *plan, struct learned_voices *learned, struct vouch_error *err)
{
    struct layers_at_once all = {plan, learned};
    uint32_t threads = plan->tune || plan->shards > 1 ? 1 : plan->threads; /* layers use the threads themselves */
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
