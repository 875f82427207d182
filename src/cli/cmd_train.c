/*
 * vouch train: from labelled files to a model.
 */
#include "cli/cli.h"
#include "cli/learning.h"
#include "cli/saving.h"

#include "apply/calibration.h"
#include "apply/experiment.h"
#include "model/model.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const struct option_spec options[] = {
    {"task", 't', OPTION_TEXT, AT(task), "NAME", 0, 0, false,
     "what to learn: np, chunk, ner, pos, or dep for trees; sets features and labels"},
    OPTION_OUTPUT_MODEL,
    OPTIONS_LEARNING,
    {"dev", 'd', OPTION_TEXT, AT(dev), "FILE", 0, 0, false, "measure on FILE after every pass"},
    {"log", 0, OPTION_TEXT, AT(log), "FILE", 0, 0, true, "write what happens to FILE, as JSON lines"},
    {"no-calibrate", 0, OPTION_FLAG, AT(no_calibrate), NULL, 0, 0, false, "train and nothing more"},
    {"grid", 0, OPTION_TEXT, AT(training_grid), "NAME", 0, 0, false,
     "values to try for the methods of confidence: quick, or the paper's, which take longer"},
    OPTION_FORMAT,
    OPTION_GOLD,
    OPTION_SEED,
    OPTION_THREADS,
    OPTION_QUIET,
    OPTION_VERBOSE,
    OPTION_HELP,
    {0},
};

/* One run of the command. */
struct run {
    const struct command *command;
    const struct settings *settings;
    struct learning learning;
    struct learned_corpus corpus;
    float *weights; /* room for averaged weights, while a voice is being learned */
    struct model_layer layer[MAX_MODEL_LAYERS];
    uint32_t layers;
    struct trial chosen[MAX_MODEL_LAYERS][MAX_VOICES]; /* what they were learned with */
    json_t *confidence;                                /* what was found out about their reliability, or NULL */
    json_t *header, *parameters, *dev_scores;
    FILE *log;
    struct progress progress;
    double pass_started;
    uint32_t current_layer, current; /* layer and voice that is being learned */
    bool interrupted, learned;       /* by Ctrl-C; all of it, before any Ctrl-C */
    struct vouch_error err;
};

static void log_event(struct run *run, json_t *event)
{
    char *line = event ? json_dumps(event, JSON_COMPACT | JSON_REAL_PRECISION(6)) : NULL;
    if (run->log && line)
        fprintf(run->log, "%s\n", line), fflush(run->log);
    free(line);
    json_decref(event);
}

/* "cw", or "cw relation" where a model has several layers. */
static const char *voice_title(const struct run *run, char *title, size_t room)
{
    const char *name = run->learning.trial[run->current].learner->name;
    const char *layer = run->corpus.subject.layers > 1 ? run->corpus.subject.layer[run->current_layer].name : "";
    snprintf(title, room, "%s%s%s", name, layer[0] ? " " : "", layer);
    return title;
}

static json_t *score_as_json(const struct layer_score *score)
{
    if (!score->chunks)
        return json_pack("{s:f}", "accuracy", score->accuracy);
    return json_pack("{s:f, s:f, s:f, s:f}", "precision", score->precision, "recall", score->recall, "f1", score->f1,
                     "accuracy", score->accuracy);
}

/* Measures on the development set; a few words for the user in `said`. */
static void measure_dev(struct run *run, const struct training *now, json_t *event, char *said, size_t room)
{
    const struct subject *subject = &run->corpus.subject;
    struct layer_score score = {0};
    voice_average(now->voice, run->weights);
    if (!subject->measure_dev(subject->self, run->current_layer, run->weights, &score, &run->err))
        return;
    if (score.chunks)
        snprintf(said, room, "  dev P %.2f R %.2f F1 %.2f accuracy %.2f", score.precision, score.recall, score.f1,
                 score.accuracy);
    else
        snprintf(said, room, "  dev accuracy %.2f", score.accuracy);
    char title[40];
    json_t *measured = score_as_json(&score);
    json_object_set(event, "dev", measured);
    json_object_set_new(run->dev_scores, voice_title(run, title, sizeof title), measured);
}

/* After a pass: the dev score, a line for the user, an event for the log. */
static void report_pass(struct run *run, const struct training *now)
{
    char said[80] = "", title[40];
    voice_title(run, title, sizeof title);
    json_t *event = json_pack("{s:s, s:s, s:i, s:f, s:f}", "event", "pass", "voice", title, "pass", (int)now->pass,
                              "loss", now->loss, "seconds", seconds_now() - run->pass_started);
    if (run->settings->dev)
        measure_dev(run, now, event, said, sizeof said);
    log_event(run, event);
    progress_clear(&run->progress);
    if (!run->settings->quiet)
        fprintf(stderr, "%-10s pass %2u/%u  loss %.5f%s\n", title, now->pass, now->passes, now->loss, said);
    run->pass_started = seconds_now();
}

static bool tell_training(void *context, const struct training *now)
{
    struct run *run = context;
    char what[80], note[64], title[40];
    snprintf(what, sizeof what, "%-10s pass %2u/%u", voice_title(run, title, sizeof title), now->pass, now->passes);
    snprintf(note, sizeof note, " loss %.5f", now->loss);
    if (now->seen == now->examples)
        report_pass(run, now);
    else
        progress_draw(&run->progress, what, now->seen, now->examples, note);
    return !interrupt_seen() && run->err.status == VOUCH_OK;
}

static bool tell_reading(void *context, uint64_t sentences)
{
    struct run *run = context;
    progress_draw(&run->progress, "reading", sentences, 0, "sentences");
    return !interrupt_seen();
}

static void tell_tuning(void *context, uint32_t done, uint32_t of)
{
    struct run *run = context;
    progress_draw(&run->progress, "tuning", done, of, "");
}

/* Chooses the learner's parameter and records what was tried. */
static bool tune_voice(struct run *run, struct trial *chosen, json_t *record)
{
    struct trial_plan plan = {.subject = &run->corpus.subject,
                              .layer = run->current_layer,
                              .passes = (uint32_t)run->settings->passes,
                              .seed = (uint64_t)run->settings->seed,
                              .threads = (uint32_t)run->settings->threads,
                              .tell = tell_tuning,
                              .context = run,
                              .stop = interrupt_seen};
    struct tuned tuned;
    if (!learning_tune(chosen, &plan, &tuned, &run->err))
        return false;
    progress_clear(&run->progress);
    tuned_say(&tuned, chosen, run->settings);
    if (!tuned.name)
        return true;
    json_t *tried = json_array();
    for (uint32_t i = 0; i < tuned.count; i++)
        json_array_append_new(tried, json_pack("{s:f, s:f}", "value", tuned.value[i], "score", tuned.figure[i]));
    json_t *result =
        json_pack("{s:s, s:f, s:o}", "parameter", tuned.name, "value", tuned.value[tuned.best], "tried", tried);
    log_event(run, json_pack("{s:s, s:s, s:O}", "event", "tuned", "voice", chosen->learner->name, "result", result));
    json_object_set_new(record, "tuned", result);
    return true;
}

/* Chooses its parameter if asked to, learns one voice of the current layer, and keeps it. */
static bool learn_voice(struct run *run, json_t *records)
{
    struct trial trial = run->learning.trial[run->current];
    const struct examples *examples = &run->corpus.subject.layer[run->current_layer].examples;
    json_t *record = json_object();
    bool ok = !run->settings->tune || tune_voice(run, &trial, record);
    run->chosen[run->current_layer][run->current] = trial;
    learning_describe(&trial, record);
    json_object_set_new(records, trial.learner->name, record);
    struct training_options training = {.learner = trial.learner,
                                        .parameters = trial.parameters,
                                        .passes = (uint32_t)run->settings->passes,
                                        .seed = (uint64_t)run->settings->seed,
                                        .tell = tell_training,
                                        .context = run};
    struct voice voice;
    run->pass_started = seconds_now();
    ok = ok && train_voice(examples, NULL, examples->count, &training, &voice, &run->interrupted, &run->err);
    if (!ok)
        return false;
    struct model_layer *layer = &run->layer[run->current_layer];
    ok = model_voice_keep(&layer->voice[run->current], &voice, trial.learner->name, &run->err) &&
         run->err.status == VOUCH_OK;
    voice_release(&voice);
    if (ok)
        layer->voices = run->current + 1;
    return ok;
}

/* Where the model comes from. */
static bool describe(struct run *run)
{
    const struct settings *s = run->settings;
    const struct learned_corpus *c = &run->corpus;
    bool parses = run->learning.parses;
    char digest[24];
    char *line = options_provenance(run->command, s);
    snprintf(digest, sizeof digest, "%016llx", (unsigned long long)(parses ? c->trees.digest : c->tags.digest));
    run->header = json_pack(
        "{s:s, s:s, s:o, s:I, s:I, s:{s:o, s:I, s:I, s:s}, s:O}", "program", "vouch", "version", vouch_version(),
        "command", saving_text(line), "seed", (json_int_t)s->seed, "passes", (json_int_t)s->passes, "training", "files",
        saving_files(s), "sentences", (json_int_t)c->subject.layer[0].examples.count, "words",
        (json_int_t)(parses ? c->trees.set.words : c->tags.set.words), "digest", digest, "parameters", run->parameters);
    free(line);
    if (!run->header)
        return fail_memory(&run->err);
    if (s->dev)
        json_object_set(run->header, "dev", run->dev_scores);
    if (s->gold)
        json_object_set_new(run->header, "gold", json_integer(s->gold));
    if (!run->learned)
        json_object_set_new(run->header, "interrupted", json_true());
    if (run->confidence)
        json_object_set(run->header, "confidence", run->confidence);
    return true;
}

static bool save(struct run *run)
{
    const struct learned_corpus *c = &run->corpus;
    bool parses = run->learning.parses;
    struct output *out = describe(run) ? output_open(run->settings->output, &run->err) : NULL;
    struct model_content content = {.header = run->header,
                                    .task = run->settings->task,
                                    .template = c->tags.template,
                                    .labels = parses ? &c->trees.relations : &c->tags.labels,
                                    .vocabulary = parses ? NULL : &c->tags.vocabulary,
                                    .layer = run->layer,
                                    .layers = run->layers};
    if (!out || !model_write(out, &content, &run->err)) {
        output_discard(out);
        return false;
    }
    return output_commit(out, &run->err);
}

/* Every voice of every layer, until Ctrl-C. */
static bool learn_all(struct run *run)
{
    const struct subject *subject = &run->corpus.subject;
    size_t largest = 0;
    for (uint32_t l = 0; l < subject->layers; l++)
        if (space_size(&subject->layer[l].examples.space) > largest)
            largest = space_size(&subject->layer[l].examples.space);
    run->weights = new_array(run->settings->dev ? largest + SLACK : 0, sizeof *run->weights, &run->err);
    run->parameters = json_object();
    run->dev_scores = json_object();
    bool ok = run->weights != NULL;
    for (uint32_t l = 0; ok && l < subject->layers && !run->interrupted; l++) {
        json_t *records = json_object();
        json_object_set_new(run->parameters, subject->layer[l].name, records);
        snprintf(run->layer[l].name, sizeof run->layer[l].name, "%s", subject->layer[l].name);
        run->layer[l].space = subject->layer[l].examples.space;
        run->current_layer = l;
        for (run->current = 0; ok && run->current < run->learning.trials && !run->interrupted; run->current++)
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

static void tell_held_out(void *context, uint32_t done, uint32_t of)
{
    struct run *run = context;
    progress_draw(&run->progress, "learning on parts, to calibrate", done, of, "");
}

static void tell_calibrating(void *context, uint32_t done, uint32_t of)
{
    struct run *run = context;
    progress_draw(&run->progress, "calibrating", done, of, "");
}

/* Answers that were held out: the development set's, or by learning anew on parts of the corpus. */
static bool hold_out_answers(struct run *run, struct held_out *held)
{
    const struct subject *subject = &run->corpus.subject;
    if (run->settings->dev)
        return held_out_dev(held, subject, run->layer, &run->err);
    struct held_out_plan plan = {.subject = subject,
                                 .trial = (const struct trial(*)[MAX_VOICES])run->chosen,
                                 .voices = run->learning.trials,
                                 .passes = (uint32_t)run->settings->passes,
                                 .seed = (uint64_t)run->settings->seed,
                                 .threads = (uint32_t)run->settings->threads,
                                 .parts = CALIBRATION_PARTS,
                                 .held = calibration_parts(subject),
                                 .tell = tell_held_out,
                                 .context = run,
                                 .stop = interrupt_seen};
    return held_out_learn(held, &plan, &run->err);
}

/* What was found, in a line a layer. */
static void say_calibrated(const struct run *run, const struct beliefs *beliefs)
{
    for (uint32_t l = 0; l < run->layers && !run->settings->quiet; l++) {
        const struct belief *best = &beliefs[l].belief[beliefs[l].preferred];
        double ap = belief_figure(best, UNIT_WORD, "ap");
        fprintf(stderr, "calibrated %s confidence on %.0f held-out words, %.0f wrong: %s", run->layer[l].name,
                belief_figure(best, UNIT_WORD, "count"), belief_figure(best, UNIT_WORD, "errors"), best->name);
        if (!isnan(ap)) /* without errors there is none */
            fprintf(stderr, ", average precision %.3f", ap);
        fputc('\n', stderr);
    }
}

/* Finds out how far the model's answers can be trusted. Ctrl-C leaves it at what was learned. */
static bool calibrate(struct run *run)
{
    run->learned = !run->interrupted;
    if (run->settings->no_calibrate || run->interrupted)
        return true;
    if (!run->settings->dev && !calibration_parts(&run->corpus.subject)) {
        if (!run->settings->quiet)
            fprintf(stderr, "too few sentences to calibrate confidence on\n");
        return true;
    }
    struct held_out held = {0};
    struct beliefs beliefs[MAX_MODEL_LAYERS];
    struct calibration_plan plan = {.held = &held,
                                    .grids = strcmp(run->settings->training_grid, "paper") == 0 ? &paper_grids
                                                                                                : &quick_grids,
                                    .seed = (uint64_t)run->settings->seed,
                                    .threads = (uint32_t)run->settings->threads,
                                    .tell = tell_calibrating,
                                    .context = run,
                                    .stop = interrupt_seen};
    for (uint32_t l = 0; l < MAX_MODEL_LAYERS; l++)
        beliefs_init(&beliefs[l]);
    bool ok = hold_out_answers(run, &held) && calibration_run(&plan, beliefs, &run->err);
    progress_clear(&run->progress);
    if (ok) {
        say_calibrated(run, beliefs);
        run->confidence = calibration_json(&plan, beliefs);
        ok = run->confidence || fail_memory(&run->err);
    } else if (run->err.status == VOUCH_ERR_STOPPED) {
        run->err = (struct vouch_error){0};
        ok = run->interrupted = true;
    }
    for (uint32_t l = 0; l < MAX_MODEL_LAYERS; l++)
        beliefs_release(&beliefs[l]);
    held_out_release(&held);
    return ok;
}

static void release(struct run *run)
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
    if (run->log)
        fclose(run->log);
}

/* The log must have arrived on the disk, too. */
static bool close_log(struct run *run)
{
    bool ok = !run->log || (fflush(run->log) == 0 && !ferror(run->log));
    return ok || fail(&run->err, VOUCH_ERR_IO, "%s: cannot write the log", run->settings->log);
}

static bool open_log(struct run *run)
{
    const char *path = run->settings->log;
    run->log = fopen(path, "w");
    return run->log || fail(&run->err, VOUCH_ERR_IO, "%s: cannot write: %s", path, strerror(errno));
}

static int run_training(struct run *run)
{
    const struct settings *s = run->settings;
    struct reading_watch watch = {tell_reading, run};
    double started = seconds_now();
    if (!saving_possible(s->output, s, &run->err) || (s->log && !open_log(run)))
        return failed(run->command, &run->err);
    progress_start(&run->progress, s);
    if (!learning_read(&run->learning, s, s->dev, &watch, &run->corpus, &run->err))
        return failed(run->command, &run->err);
    progress_clear(&run->progress);
    if (!s->quiet)
        learned_corpus_say(&run->learning, &run->corpus);
    if (!learn_all(run) || !calibrate(run) || !save(run)) {
        progress_clear(&run->progress);
        return failed(run->command, &run->err);
    }
    log_event(run, json_pack("{s:s, s:s, s:f, s:b}", "event", "saved", "model", s->output, "seconds",
                             seconds_now() - started, "interrupted", run->interrupted));
    if (!close_log(run))
        return failed(run->command, &run->err);
    if (!s->quiet)
        fprintf(stderr, "%s %s, %.1f s\n", run->interrupted ? "interrupted: saved what was learned so far to" : "wrote",
                s->output, seconds_now() - started);
    return run->interrupted ? EXIT_INTERRUPTED : EXIT_DONE;
}

static int train(const struct command *command, struct settings *settings)
{
    struct run run = {.command = command, .settings = settings};
    if (!settings->output)
        return misuse(command, "expected -o MODEL, the file to write");
    if (settings->arguments == 0)
        return misuse(command, "expected at least one training file");
    if (strcmp(settings->training_grid, "quick") != 0 && strcmp(settings->training_grid, "paper") != 0)
        return misuse(command, "--grid: expected quick or paper, found '%s'", settings->training_grid);
    int status = learning_prepare(&run.learning, command, settings, '+', MAX_VOICES);
    if (status == EXIT_DONE) {
        interrupt_catch();
        status = run_training(&run);
    }
    release(&run);
    return status;
}

const struct command train_command = {
    .name = "train",
    .arguments = "--task TASK -o MODEL TRAIN...",
    .summary = "learn a model from labelled files",
    .about =
        "Learns to label from TRAIN and writes the model to a file. Algorithms: cw (confidence-weighted), pa "
        "(passive-aggressive), perceptron, crf (conditional log-likelihood), or several voices in one model, as in "
        "cw+crf, of which the first predicts. Ctrl-C once saves what was learned so far and exits with status 3.",
    .example = "  vouch train --task ner --dev testa.txt -o ner.vouch train.txt\n",
    .option = options,
    .run = train,
};
