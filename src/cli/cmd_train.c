/*
 * vouch train: from labelled files to a model.
 */
#include "cli/answering.h"
#include "cli/saving.h"
#include "cli/training.h"
#include "cli/trial_record.h"

#include "base/clock.h"
#include "calibrate/calibration.h"

#include <stdio.h>

static const struct option_spec options[] = {
    {"task", 't', OPTION_TEXT, AT(task), "NAME", 0, 0, false,
     "what to learn: np, chunk, ner, pos, or dep for trees; sets features and labels"},
    OPTION_OUTPUT_MODEL,
    {"from", 0, OPTION_TEXT, AT(from), "MODEL", 0, 0, false,
     "go on from MODEL, which decides what is learned and how; 3 passes by default"},
    OPTIONS_LEARNING,
    {"dev", 'd', OPTION_TEXT, AT(dev), "FILE", 0, 0, false, "measure on FILE after every pass"},
    {"best-pass", 0, OPTION_FLAG, AT(best_pass), NULL, 0, 0, false,
     "keep each voice as it was after the pass that does best on --dev, not the last"},
    {"log", 0, OPTION_TEXT, AT(log), "FILE", 0, 0, true, "write a log of the passes to FILE, as JSON lines"},
    {"no-calibrate", 0, OPTION_FLAG, AT(no_calibrate), NULL, 0, 0, false, "do not calibrate confidence after training"},
    {"grid", 0, OPTION_TEXT, AT(grid), "NAME", 0, 0, false,
     "values to try for the methods of confidence: quick, a few; full, as many as in the paper, in units of the "
     "weights; paper, the paper's own"},
    OPTION_FORMAT,
    OPTION_GOLD,
    OPTION_SEED,
    OPTION_THREADS,
    OPTION_QUIET,
    OPTION_VERBOSE,
    OPTION_HELP,
    {0},
};

static const struct option_group option_groups[] = {
    {"what to learn", "task output from features template cutoff learn-as unlabelled multi-root bits"},
    {"how to learn", "algorithm passes k-best C phi covariance variance rate l2 tune no-calibrate grid seed"},
    {"reading and reporting", "dev best-pass log format column gold threads quiet verbose help usage"},
    {0},
};

/* Training is done often, so calibration tries few values unless told otherwise. */
static void adjust(struct settings *settings)
{
    settings->grid = "quick";
}

/* Chooses the learner's parameter and records what was tried. */
static bool tune_voice(struct training_run *run, struct trial *chosen, json_t *record)
{
    struct trial_plan plan = {.dataset = &run->corpus.dataset,
                              .layer = run->current_layer,
                              .passes = (uint32_t)run->settings->passes,
                              .seed = (uint64_t)run->settings->seed,
                              .threads = (uint32_t)run->settings->threads,
                              .tell = training_tell_tuning,
                              .context = run,
                              .stop = interrupt_seen};
    struct tuned tuned;
    if (!learning_tune(chosen, &plan, &tuned, &run->err))
        return false;
    progress_clear(&run->progress);
    tuned_say(&tuned, chosen, run->settings);
    if (!tuned.name)
        return true;
    json_t *result = tuned_json(&tuned);
    training_log(run, json_pack("{s:s, s:s, s:O}", "event", "tuned", "voice", chosen->learner->name, "result", result));
    json_object_set_new(record, "tuned", result);
    return true;
}

/* Chooses its parameter if asked to, learns one voice of the current layer, and keeps it. */
static bool learn_voice(struct training_run *run, json_t *records)
{
    struct trial *trial = &run->chosen[run->current_layer][run->current];
    const struct examples *examples = &run->corpus.dataset.layer[run->current_layer].examples;
    json_t *record = json_object();
    bool ok = !run->settings->tune || tune_voice(run, trial, record);
    trial_describe(trial, record);
    json_object_set_new(records, trial->learner->name, record);
    struct training_options training = {.learner = trial->learner,
                                        .parameters = trial->parameters,
                                        .passes = (uint32_t)run->settings->passes,
                                        .seed = (uint64_t)run->settings->seed,
                                        .tell = training_tell,
                                        .context = run};
    struct voice voice;
    if (!ok || !voice_start(examples, &training, &voice, &run->err))
        return false;
    training_recall(run, &voice);
    run->pass_started = seconds_now();
    run->best_pass = 0;
    struct model_layer *layer = &run->layer[run->current_layer];
    ok = (run->interrupted || /* then what is known is kept as it is */
          train_on(examples, NULL, examples->count, &training, &voice, &run->interrupted, &run->err)) &&
         (run->best_pass || /* then it is kept already */
          model_voice_keep(&layer->voice[run->current], &voice, trial->learner->name, &run->err)) &&
         run->err.status == VOUCH_OK;
    voice_release(&voice);
    if (ok)
        layer->voices = run->current + 1;
    if (ok && run->best_pass)
        training_tell_kept(run, record);
    return ok;
}

/* Voices not begun when Ctrl-C comes are left out, unless a model knows them. */
static bool goes_on(const struct training_run *run)
{
    return !run->interrupted || run->from;
}

/* Every voice of every layer, until Ctrl-C. */
static bool learn_all(struct training_run *run)
{
    const struct dataset *dataset = &run->corpus.dataset;
    size_t largest = 0;
    for (uint32_t l = 0; l < dataset->layers; l++)
        if (space_size(&dataset->layer[l].examples.space) > largest)
            largest = space_size(&dataset->layer[l].examples.space);
    run->weights = new_array(run->settings->dev ? largest + SLACK : 0, sizeof *run->weights, &run->err);
    run->parameters = json_object();
    run->dev_scores = json_object();
    bool ok = run->weights != NULL;
    for (uint32_t l = 0; ok && l < dataset->layers && goes_on(run); l++) {
        json_t *records = json_object();
        json_object_set_new(run->parameters, dataset->layer[l].name, records);
        snprintf(run->layer[l].name, sizeof run->layer[l].name, "%s", dataset->layer[l].name);
        run->layer[l].space = dataset->layer[l].examples.space;
        run->current_layer = l;
        for (run->current = 0; ok && run->current < run->learning.trials && goes_on(run); run->current++)
            ok = learn_voice(run, records);
        if (run->layer[l].voices)
            run->layers = l + 1;
    }
    /* Interrupted while choosing a parameter: what was learned before is kept. */
    if (!ok && run->err.status == VOUCH_ERR_STOPPED && run->layers) {
        run->err = (struct vouch_error){0};
        ok = run->interrupted = true;
    }
    return ok;
}

static void release(struct training_run *run)
{
    for (uint32_t l = 0; l < MAX_MODEL_LAYERS; l++)
        for (uint32_t v = 0; v < MAX_VOICES; v++)
            model_voice_release(&run->layer[l].voice[v]);
    free(run->weights);
    json_decref(run->header);
    json_decref(run->confidence);
    json_decref(run->parameters);
    json_decref(run->dev_scores);
    learned_corpus_release(&run->corpus);
    learning_release(&run->learning);
    vouch_model_close(run->from);
    if (run->log)
        fclose(run->log);
}

static int run_training(struct training_run *run)
{
    const struct settings *s = run->settings;
    struct reading_watch watch = {training_tell_reading, run};
    double started = seconds_now();
    if (!saving_model_possible(s->output, s, &run->err) ||
        (s->log && (!saving_possible(s->log, s, &run->err) || !training_log_open(run))))
        return failed(run->command, &run->err);
    progress_start(&run->progress, s);
    if (!learning_read(&run->learning, s, s->dev, &watch, &run->corpus, &run->err))
        return failed(run->command, &run->err);
    progress_clear(&run->progress);
    if (!s->quiet)
        learned_corpus_say(&run->learning, &run->corpus);
    if (!s->quiet && run->from)
        training_say_new(run);
    if (s->dev)
        answering_warn_of_seen(s, run->corpus.tags.dev_seen + run->corpus.trees.dev_seen,
                               run->corpus.dataset.layer[0].dev.count, s->dev,
                               "scores and confidence on it will look better than they are");
    if (!learn_all(run) || !training_calibrate(run) || !training_save(run)) {
        progress_clear(&run->progress);
        return failed(run->command, &run->err);
    }
    training_log(run, json_pack("{s:s, s:s, s:f, s:b}", "event", "saved", "model", s->output, "seconds",
                                seconds_now() - started, "interrupted", run->interrupted));
    if (!training_log_close(run))
        return failed(run->command, &run->err);
    if (!s->quiet) {
        showf(stderr, "%s %s, %.1f s\n", run->interrupted ? "interrupted: saved what was learned so far to" : "wrote",
              s->output, seconds_now() - started);
        training_say_confidence(run);
    }
    return run->interrupted ? EXIT_INTERRUPTED : EXIT_DONE;
}

int training_prepare(struct training_run *run)
{
    int status = learning_prepare(&run->learning, run->command, run->settings, '+', MAX_VOICES);
    for (uint32_t l = 0; l < MAX_MODEL_LAYERS; l++)
        for (uint32_t v = 0; v < run->learning.trials; v++)
            run->chosen[l][v] = run->learning.trial[v];
    return status;
}

static int train(const struct command *command, struct settings *settings)
{
    struct training_run run = {.command = command, .settings = settings};
    if (!settings->output)
        return misuse(command, "expected -o MODEL, the file to write");
    if (settings->arguments == 0)
        return misuse(command, "expected at least one training file");
    if (!grids_named(settings->grid))
        return misuse_value(command, "grid", "quick, full or paper", settings->grid);
    if (settings->best_pass && !settings->dev)
        return misuse(command, "--best-pass: expected --dev FILE to choose by");
    int status = settings->from ? training_from(&run, settings) : training_prepare(&run);
    if (status == EXIT_DONE) {
        interrupt_catch();
        status = run_training(&run);
    }
    release(&run);
    return status;
}

const struct command train_command = {
    .name = "train",
    .arguments = "{--task TASK | --from MODEL} -o MODEL TRAIN...",
    .summary = "learn a model from labelled files",
    .about =
        "Learns to label from TRAIN and writes the model to a file. Algorithms: cw (confidence-weighted), pa "
        "(passive-aggressive), perceptron, crf (conditional log-likelihood), or several voices in one model, as in "
        "cw+crf, of which the first predicts. With --from it goes on from an existing model. Ctrl-C once "
        "saves what was learned so far and exits with status 3.",
    .example = "  vouch train --task ner --dev testa.txt -o ner.vouch train.txt\n"
               "  vouch train --from ner.vouch -o more.vouch new.txt\n",
    .option = options,
    .group = option_groups,
    .adjust = adjust,
    .run = train,
};
