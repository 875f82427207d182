/*
 * Learns every voice of every layer of a corpus, layers at the same time if there are threads: see training.h. Going on
 * from a model averages the new steps only: counting the old average as a pass, or as all of its steps, learns more
 * slowly and forgets no less (docs/MEASUREMENTS.md).
 */
#include "train/training.h"

#include "base/order.h"
#include "base/watch.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "core/voice.h"
#include "train/cross_validation.h"
#include "model/records.h"

#include <stdio.h>
#include <string.h>

/* One voice being learned. */
struct voice_run {
    const struct learning *plan;
    struct learned_voices *learned;
    const struct vouch_watch *watch; /* of the layer */
    uint32_t layer, voice;
    char title[40]; /* "cw", or "cw relation" where there are several layers */
    int width;      /* of the longest title */
    float *weights; /* room for averaged weights, to measure with */
    double pass_started;
    struct best pass; /* the pass that is kept so far, by its score; only with best_pass */
    struct checkpoint_voice kept;
    json_t *told; /* [passes] what the watch was told, for the checkpoint; NULL: there is none */
    struct vouch_error *err;
    bool failed;
};

static const struct trial *trial_of(const struct voice_run *run)
{
    return &run->learned->trial[run->layer][run->voice];
}

static struct model_voice *own_voice(const struct voice_run *run)
{
    return &run->learned->layer[run->layer].voice[run->voice];
}

/* Returns what the checkpoint has: of the voice, or of the choice of its parameter. */
static struct checkpoint_voice kept_of(const struct voice_run *run, const char *what)
{
    const struct learning *plan = run->plan;
    const struct examples *examples = &plan->dataset->layer[run->layer].examples;
    struct training_options options = learning_options(plan, trial_of(run), plan->passes, false);
    char name[64];
    snprintf(name, sizeof name, "model-%s-%s%s", plan->dataset->layer[run->layer].name, options.learner->name, what);
    return checkpoint_voice(plan->checkpoint, name, &options, (struct subset){NULL, examples->count}, &examples->space);
}

/* Chooses the learner's parameter, unless the checkpoint has the choice, and records what was tried. */
static bool tune(struct voice_run *run, json_t *record)
{
    struct trial *trial = &run->learned->trial[run->layer][run->voice];
    struct checkpoint_voice kept = kept_of(run, "-tuned");
    struct voice_state state = {0};
    struct learning learning = *run->plan;
    struct tuned tuned = {0};
    learning.work.watch = run->watch;
    if (!voice_state_recall(&kept, &state, run->err))
        return false;
    bool known = state.note && tuned_recall(&tuned, trial, state.note, run->watch);
    json_decref(state.note);
    if (!known && !parameter_search(trial, &learning, run->layer, &tuned, run->err))
        return false;
    if (!tuned.name)
        return true;
    state = (struct voice_state){.note = tuned_json(&tuned)};
    bool ok = (state.note && json_object_set(record, "tuned", state.note) == 0) || fail_memory(run->err);
    ok = ok && (known || voice_state_keep(&kept, &state, run->err));
    checkpoint_warn(run->plan->checkpoint, run->watch);
    json_decref(state.note);
    return ok;
}

/* Keeps the voice as it is after this pass if none before was as good. */
static bool keep_if_best(struct voice_run *run, const struct training *now, double figure)
{
    if (!best_offer(&run->pass, now->pass, figure))
        return false;
    model_voice_release(own_voice(run));
    bool ok = model_voice_keep(own_voice(run), now->voice, trial_of(run)->learner->name, run->err);
    run->failed = run->failed || !ok;
    return ok;
}

/* Measures on the development set; `said` gets a few words about the result. */
static void measure_dev(struct voice_run *run, const struct training *now, json_t *record, char *said, size_t room)
{
    const struct dataset *dataset = run->plan->dataset;
    struct test_set dev = {.layer = run->layer, .dev = true};
    struct layer_score score = {0};
    voice_average(now->voice, run->weights);
    if (!dataset->measure(dataset->self, &dev, run->weights, &score, run->err)) {
        run->failed = true;
        return;
    }
    if (score.chunks)
        snprintf(said, room, "  dev P %.2f R %.2f F1 %.2f accuracy %.2f", score.precision, score.recall, score.f1,
                 score.accuracy);
    else
        snprintf(said, room, "  dev accuracy %.2f", score.accuracy);
    json_t *measured = layer_score_json(&score);
    json_object_set(record, "dev", measured);
    bool kept = !run->plan->best_pass || keep_if_best(run, now, score.figure);
    if (kept && json_object_set(run->learned->record[run->layer].dev_scores, run->title, measured) != 0) {
        fail_memory(run->err);
        run->failed = true;
    }
    json_decref(measured);
}

/* Tells of a pass; the record is taken over. */
static void tell_pass(const struct voice_run *run, uint32_t pass, double loss, const char *line, json_t *record)
{
    watch_record(run->watch,
                 (struct vouch_event){.kind = VOUCH_EVENT_PASS,
                                      .what = run->title,
                                      .done = pass,
                                      .of = run->plan->passes,
                                      .number = loss,
                                      .text = line},
                 record);
}

/* Measures after a pass, and tells the watch. */
static void report_pass(struct voice_run *run, const struct training *now)
{
    char said[80] = "", line[200];
    json_t *record = json_pack("{s:s, s:s, s:i, s:f, s:f}", "event", "pass", "voice", run->title, "pass",
                               (int)now->pass, "loss", now->loss, "seconds", seconds_now() - run->pass_started);
    if (run->plan->measure)
        measure_dev(run, now, record, said, sizeof said);
    snprintf(line, sizeof line, "%-*s pass %2u/%u  loss %.5f%s", run->width, run->title, now->pass, now->passes,
             now->loss, said);
    if (run->told)
        json_array_append_new(run->told,
                              json_pack("{s:f, s:s, s:O}", "loss", now->loss, "line", line, "record", record));
    tell_pass(run, now->pass, now->loss, line, record);
    run->pass_started = seconds_now();
}

/* Is called by the training loop. */
static bool follow(void *context, const struct training *now)
{
    struct voice_run *run = context;
    const struct vouch_watch *watch = run->watch;
    if (now->seen == now->examples)
        report_pass(run, now);
    else {
        char what[80], note[64];
        snprintf(what, sizeof what, "%-*s pass %2u/%u", run->width, run->title, now->pass, now->passes);
        snprintf(note, sizeof note, " loss %.5f", now->loss);
        watch_tell(watch, (struct vouch_event){.kind = VOUCH_EVENT_LEARNING,
                                               .what = what,
                                               .done = now->seen,
                                               .of = now->examples,
                                               .number = now->loss,
                                               .note = note});
    }
    return !run->failed && !watch_stops(watch);
}

/* Tells which pass was kept, with best_pass. */
static bool tell_kept(const struct voice_run *run, json_t *record)
{
    char line[80];
    uint32_t pass = (uint32_t)run->pass.row;
    snprintf(line, sizeof line, "%-*s kept pass %u", run->width, run->title, pass);
    watch_record(run->watch,
                 (struct vouch_event){.kind = VOUCH_EVENT_KEPT,
                                      .what = run->title,
                                      .done = pass,
                                      .of = run->plan->passes,
                                      .number = run->pass.score,
                                      .text = line},
                 json_pack("{s:s, s:s, s:i}", "event", "kept", "voice", run->title, "pass", (int)pass));
    return json_object_set_new(record, "pass", json_integer(pass)) == 0 || fail_memory(run->err);
}

/* ---- Checkpoints ---- */

/* Returns what a checkpoint must have beside the voice: what was told, and of the pass that is kept, which it is. */
static json_t *note_of(const struct voice_run *run)
{
    json_t *dev = json_object_get(run->learned->record[run->layer].dev_scores, run->title);
    json_t *note = json_pack("{s:O}", "told", run->told);
    bool ok = note && (!dev || json_object_set(note, "dev", dev) == 0);
    if (ok && run->pass.any)
        ok = json_object_set_new(note, "best",
                                 json_pack("{s:i, s:f, s:f}", "pass", (int)run->pass.row, "score", run->pass.score,
                                           "step", (double)own_voice(run)->steps.step)) == 0;
    if (ok)
        return note;
    json_decref(note);
    fail_memory(run->err);
    return NULL;
}

/* Is called by the training loop, after follow(). */
static bool keep_voice(void *self, struct voice *voice, uint32_t pass, struct vouch_error *err)
{
    struct voice_run *run = self;
    if (run->failed)
        return true; /* the error is told already, and the pass was not measured */
    bool earlier = run->pass.any && run->pass.row != pass;
    struct voice_state state = {.voice = voice,
                                .best = earlier ? own_voice(run) : NULL,
                                .last = pass == run->plan->passes,
                                .pass = pass,
                                .note = note_of(run)};
    bool ok = state.note && voice_state_keep(&run->kept, &state, err);
    checkpoint_warn(run->plan->checkpoint, run->watch);
    json_decref(state.note);
    return ok;
}

/* Restores which pass is the best so far; its weights were found, unless they are those of the last pass. */
static bool recall_best(struct voice_run *run, const struct voice_state *state, struct vouch_error *err)
{
    const json_t *best = json_object_get(state->note, "best");
    struct model_voice *kept = own_voice(run);
    const char *name = trial_of(run)->learner->name;
    if (best)
        run->pass = (struct best){.row = (size_t)json_integer_value(json_object_get(best, "pass")),
                                  .score = json_real_value(json_object_get(best, "score")),
                                  .any = true};
    if (!best || run->pass.row == state->pass) {
        model_voice_release(kept); /* the file may have weights of which its note does not speak */
        return !best || model_voice_keep(kept, state->voice, name, err);
    }
    snprintf(kept->name, sizeof kept->name, "%s", name);
    kept->steps.step = (float)json_real_value(json_object_get(best, "step"));
    return kept->own_mean || fail(err, VOUCH_ERR_FORMAT, "%s: expected the best pass, found none", run->kept.name);
}

/* Tells again what was told before, so that a log is whole. */
static void tell_again(const struct voice_run *run)
{
    for (size_t i = 0; i < json_array_size(run->told); i++) {
        const json_t *pass = json_array_get(run->told, i);
        const char *line = json_string_value(json_object_get(pass, "line"));
        tell_pass(run, (uint32_t)i + 1, json_real_value(json_object_get(pass, "loss")), line,
                  json_incref(json_object_get(pass, "record")));
    }
}

static bool recall_voice(void *self, struct voice *voice, uint32_t *pass, struct vouch_error *err)
{
    struct voice_run *run = self;
    struct voice_state state = {.voice = voice, .best = run->plan->best_pass ? own_voice(run) : NULL};
    if (!voice_state_recall(&run->kept, &state, err))
        return false;
    *pass = state.pass;
    if (!state.note)
        return true;
    json_t *dev = json_object_get(state.note, "dev"), *told = json_object_get(state.note, "told");
    bool ok = (json_is_array(told) ||
               fail(err, VOUCH_ERR_FORMAT, "%s: expected a note on its passes, found none", run->kept.name)) &&
              recall_best(run, &state, err);
    if (ok && dev && json_object_set(run->learned->record[run->layer].dev_scores, run->title, dev) != 0)
        ok = fail_memory(err);
    if (ok && json_array_extend(run->told, told) != 0)
        ok = fail_memory(err);
    if (ok)
        tell_again(run);
    json_decref(state.note);
    return ok;
}

/* Starts a voice from the weights of the model to go on from, if that has the voice. */
static void recall(const struct voice_run *run, struct voice *voice)
{
    const struct model_layer *layer = run->plan->corpus.from ? &run->plan->corpus.from->layer[run->layer] : NULL;
    if (!layer || run->voice >= layer->voices)
        return;
    const struct model_voice *known = &layer->voice[run->voice];
    voice_resume(voice, learner_named(known->name), &layer->space, known->mean, known->var);
}

/* Learns the voice and keeps it. */
static bool learn(struct voice_run *run)
{
    const struct learning *plan = run->plan;
    const struct trial *trial = trial_of(run);
    const struct examples *examples = &plan->dataset->layer[run->layer].examples;
    struct training_options options = learning_options(plan, trial, plan->passes, false);
    struct voice_checkpoint checkpoint = {run, recall_voice, keep_voice};
    struct voice voice;
    options.tell = follow;
    options.context = run;
    if (plan->checkpoint)
        options.checkpoint = &checkpoint;
    run->kept = kept_of(run, "");
    if (!voice_start(examples, &options, &voice, run->err))
        return false;
    recall(run, &voice);
    run->pass_started = seconds_now();
    bool *stopped = &run->learned->record[run->layer].stopped;
    bool ok = (*stopped || /* nothing was learned: the model's own voice is kept */
               train_on(examples, (struct subset){NULL, examples->count}, &options, &voice, stopped, run->err)) &&
              !run->failed &&
              (run->pass.any || /* the best pass is kept already */
               model_voice_keep(own_voice(run), &voice, trial->learner->name, run->err));
    voice_release(&voice);
    return ok;
}

/* Chooses the voice's parameter if the plan asks for it, learns it, and records what it was learned with. */
static bool learn_voice(struct voice_run *run, json_t *records)
{
    const struct learner *learner = trial_of(run)->learner;
    json_t *record = json_object();
    if (json_object_set_new(records, learner->name, record) != 0)
        return fail_memory(run->err);
    bool ok = !run->plan->tune || tune(run, record);
    trial_describe(trial_of(run), record);
    if (!ok || !learn(run))
        return false;
    run->learned->layer[run->layer].voices = run->voice + 1;
    return !run->pass.any || tell_kept(run, record);
}

/*
 * Whether to learn the next voice. Voices not begun when training is stopped are left out, unless the model to go on
 * from has them.
 */
static bool goes_on(const struct learning *plan, const struct layer_record *record)
{
    return !record->stopped || plan->corpus.from;
}

/* Writes the title of a voice. Returns its length. */
static int write_title(const struct learning *plan, uint32_t l, uint32_t v, char title[40])
{
    bool several = plan->dataset->layers > 1 || strcmp(plan->dataset->layer[0].name, FIRST_STAGE) == 0;
    return snprintf(title, 40, "%s%s%s", plan->trial[l][v].learner->name, several ? " " : "",
                    several ? plan->dataset->layer[l].name : "");
}

/*
 * Returns the width of the longest title, and at least that of the longest learner, so that lines are aligned; those of
 * a first stage, too, with those of the layers that are learned after it.
 */
static int title_width(const struct learning *plan)
{
    char title[40];
    int width = 10;
    for (uint32_t l = 0; l < MAX_LAYERS && plan->dataset->layer[l].name; l++)
        for (uint32_t v = 0; v < plan->voices; v++) {
            int length = write_title(plan, l, v, title);
            width = length > width ? length : width;
        }
    return width;
}

/* Learns the voices of a layer, and counts its words. */
static bool learn_layer(const struct learning *plan, struct learned_voices *learned, uint32_t l,
                        const struct vouch_watch *watch, struct vouch_error *err)
{
    struct model_layer *layer = &learned->layer[l];
    struct layer_record *record = &learned->record[l];
    record->stopped = l > 0 && watch_stops(watch);
    if (!goes_on(plan, record))
        return true;
    snprintf(layer->name, sizeof layer->name, "%s", plan->dataset->layer[l].name);
    layer->space = plan->dataset->layer[l].examples.space;
    float *weights = new_array(plan->measure ? space_size(&layer->space) + SLACK : 0, sizeof *weights, err);
    bool ok = weights != NULL;
    for (uint32_t v = 0; ok && v < plan->voices && goes_on(plan, record); v++) {
        struct voice_run run = {
            .plan = plan, .learned = learned, .watch = watch, .layer = l, .voice = v, .weights = weights, .err = err};
        write_title(plan, l, v, run.title);
        run.width = title_width(plan);
        run.told = plan->checkpoint ? json_array() : NULL;
        ok = learn_voice(&run, record->parameters);
        json_decref(run.told);
    }
    free(weights);
    return ok &&
           (!plan->corpus.from || l >= plan->corpus.from->layers ||
            answer_counts_add_all(&layer->counts, &plan->corpus.from->layer[l].counts, err)) &&
           count_all_words(plan->dataset, l, &layer->counts, err) && answer_counts_close(&layer->counts, err);
}

bool learn_voices_begin(const struct learning *plan, struct learned_voices *learned, struct vouch_error *err)
{
    *learned = (struct learned_voices){.parameters = json_object(), .dev_scores = json_object()};
    learned->watches = watches_open(plan->work.watch, plan->dataset->layers, err);
    bool ok = learned->parameters && learned->dev_scores;
    for (uint32_t l = 0; l < plan->dataset->layers; l++) {
        memcpy(learned->trial[l], plan->trial[l], sizeof learned->trial[l]);
        learned->record[l] = (struct layer_record){.parameters = json_object(), .dev_scores = json_object()};
        ok = ok && learned->record[l].parameters && learned->record[l].dev_scores;
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
        if (json_object_set(learned->parameters, plan->dataset->layer[l].name, learned->record[l].parameters) != 0 ||
            json_object_update(learned->dev_scores, learned->record[l].dev_scores) != 0)
            return fail_memory(err);
    return true;
}

bool learn_voices_end(const struct learning *plan, struct learned_voices *learned, bool ok, struct vouch_error *err)
{
    while (learned->layers < plan->dataset->layers && learned->layer[learned->layers].voices)
        learned->layers++;
    for (uint32_t l = 0; l < plan->dataset->layers; l++)
        learned->stopped = learned->stopped || learned->record[l].stopped;
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
        answer_counts_release(&learned->layer[l].counts);
    }
    for (uint32_t l = 0; l < MAX_LAYERS; l++) {
        json_decref(learned->record[l].parameters);
        json_decref(learned->record[l].dev_scores);
    }
    watches_close(learned->watches);
    json_decref(learned->parameters);
    json_decref(learned->dev_scores);
    *learned = (struct learned_voices){0};
}
