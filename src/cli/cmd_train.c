/*
 * vouch train: from labelled files to a model.
 */
#include "cli/cli.h"
#include "cli/learning.h"

#include "apply/experiment.h"
#include "chain/chain.h"
#include "model/model.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static const struct option_spec options[] = {
    {"task", 't', OPTION_TEXT, AT(task), "NAME", 0, 0, false,
     "what to learn: np, chunk, ner or pos; sets features and labels"},
    OPTION_OUTPUT_MODEL,
    OPTIONS_LEARNING,
    {"dev", 'd', OPTION_TEXT, AT(dev), "FILE", 0, 0, false, "measure on FILE after every pass"},
    {"log", 0, OPTION_TEXT, AT(log), "FILE", 0, 0, true, "write what happens to FILE, as JSON lines"},
    {"no-calibrate", 0, OPTION_FLAG, AT(no_calibrate), NULL, 0, 0, false, "train and nothing more"},
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
    struct tag_corpus corpus;
    struct tag_set dev;
    float *weights; /* room for averaged weights, while a voice is being learned */
    struct model_voice voice[MAX_VOICES];
    float *mean[MAX_VOICES], *var[MAX_VOICES];
    json_t *header, *parameters, *dev_scores;
    FILE *log;
    struct progress progress;
    double pass_started;
    uint32_t current; /* voice */
    bool interrupted;
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

/* After a pass: the dev score, a line for the user, an event for the log. */
static void report_pass(struct run *run, const struct training *now)
{
    const char *name = run->learning.trial[run->current].learner->name;
    double seconds = seconds_now() - run->pass_started;
    char scored[80] = "";
    json_t *event = json_pack("{s:s, s:s, s:i, s:f, s:f}", "event", "pass", "voice", name, "pass", (int)now->pass,
                              "loss", now->loss, "seconds", seconds);
    if (run->settings->dev) {
        struct tag_score score;
        tag_score_init(&score, tag_unit_of(run->corpus.labels.outer));
        voice_average(now->voice, run->weights);
        if (!tag_corpus_score(&run->corpus, &run->dev, NULL, run->dev.count, run->weights, &score, &run->err))
            run->interrupted = true;
        struct tag_rates rates = tag_rates(score.all);
        double accuracy = tag_percent(score.right_words, score.words);
        snprintf(scored, sizeof scored, "  dev P %.2f R %.2f F1 %.2f accuracy %.2f", rates.precision, rates.recall,
                 rates.f1, accuracy);
        json_t *measured = json_pack("{s:f, s:f, s:f, s:f}", "precision", rates.precision, "recall", rates.recall, "f1",
                                     rates.f1, "accuracy", accuracy);
        json_object_set(event, "dev", measured);
        json_object_set_new(run->dev_scores, name, measured);
        tag_score_release(&score);
    }
    log_event(run, event);
    progress_clear(&run->progress);
    if (!run->settings->quiet)
        fprintf(stderr, "%-10s pass %2u/%u  loss %.5f%s\n", name, now->pass, now->passes, now->loss, scored);
    run->pass_started = seconds_now();
}

static bool tell_training(void *context, const struct training *now)
{
    struct run *run = context;
    char what[64], note[64];
    snprintf(what, sizeof what, "%-10s pass %2u/%u", run->learning.trial[run->current].learner->name, now->pass,
             now->passes);
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
    struct trial_plan plan = {.corpus = &run->corpus,
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

/* Learns one voice and keeps its averaged mean, and its variance if it has one. */
static bool learn_voice(struct run *run, uint32_t number)
{
    struct trial *trial = &run->learning.trial[number];
    json_t *record = json_object();
    run->current = number;
    if (run->settings->tune && !tune_voice(run, trial, record)) {
        json_decref(record);
        return false;
    }
    learning_describe(trial, record);
    json_object_set_new(run->parameters, trial->learner->name, record);

    const struct tag_corpus *corpus = &run->corpus;
    struct examples examples = tag_set_examples(&corpus->set, &corpus->vocabulary, &corpus->labels, &chain_structure);
    struct training_options training = {.learner = trial->learner,
                                        .parameters = trial->parameters,
                                        .passes = (uint32_t)run->settings->passes,
                                        .seed = (uint64_t)run->settings->seed,
                                        .tell = tell_training,
                                        .context = run};
    uint32_t *all = new_array(corpus->set.count, sizeof *all, &run->err);
    for (uint32_t i = 0; all && i < corpus->set.count; i++)
        all[i] = i;
    struct voice voice;
    bool stopped = false;
    run->pass_started = seconds_now();
    bool ok = all && train_voice(&examples, all, corpus->set.count, &training, &voice, &stopped, &run->err);
    free(all);
    if (!ok)
        return false;
    run->mean[number] = new_array(voice.size + SLACK, sizeof(float), &run->err);
    ok = run->mean[number] != NULL;
    if (ok)
        voice_average(&voice, run->mean[number]);
    if (ok && voice.var) {
        run->var[number] = new_array(voice.size + SLACK, sizeof(float), &run->err);
        ok = run->var[number] != NULL;
        if (ok)
            memcpy(run->var[number], voice.var, sizeof(float) * voice.size);
    }
    voice_release(&voice);
    struct model_voice *kept = &run->voice[number];
    kept->mean = run->mean[number];
    kept->var = run->var[number];
    snprintf(kept->name, sizeof kept->name, "%s", trial->learner->name);
    run->interrupted = stopped;
    return ok && run->err.status == VOUCH_OK;
}

static bool describe(struct run *run, uint32_t voices)
{
    const struct settings *s = run->settings;
    char digest[24];
    char *line = options_provenance(run->command, s);
    snprintf(digest, sizeof digest, "%016llx", (unsigned long long)run->corpus.digest);
    json_t *files = json_array();
    for (size_t i = 0; i < s->arguments; i++)
        json_array_append_new(files, json_string(s->argument[i]));
    run->header =
        json_pack("{s:s, s:s, s:s, s:I, s:I, s:{s:o, s:I, s:I, s:s}, s:O}", "program", "vouch", "version",
                  vouch_version(), "command", line ? line : "", "seed", (json_int_t)s->seed, "passes",
                  (json_int_t)s->passes, "training", "files", files, "sentences", (json_int_t)run->corpus.set.count,
                  "words", (json_int_t)run->corpus.set.words, "digest", digest, "parameters", run->parameters);
    free(line);
    if (!run->header)
        return fail_memory(&run->err);
    if (s->dev)
        json_object_set(run->header, "dev", run->dev_scores);
    if (run->interrupted)
        json_object_set_new(run->header, "interrupted", json_true());
    return model_describe(run->header, run->corpus.task->name, run->corpus.template, &run->corpus.labels, run->voice,
                          voices, &run->err);
}

static bool save(struct run *run, uint32_t voices)
{
    const struct tag_corpus *corpus = &run->corpus;
    struct output *out = output_open(run->settings->output, &run->err);
    if (!out || !describe(run, voices)) {
        output_discard(out);
        return false;
    }
    struct model_content content = {
        .header = run->header,
        .vocabulary = &corpus->vocabulary,
        .space = {.width = labels_count(&corpus->labels),
                  .nodes = feature_index_count(&corpus->vocabulary.node),
                  .edges = feature_index_count(&corpus->vocabulary.edge)},
        .voice = run->voice,
        .voices = voices,
    };
    if (!model_write(out, &content, &run->err)) {
        output_discard(out);
        return false;
    }
    return output_commit(out, &run->err);
}

static void say_what_was_read(const struct run *run)
{
    const struct tag_corpus *c = &run->corpus;
    if (run->settings->quiet)
        return;
    fprintf(stderr, "read %u sentences, %llu words (%s); %u labels, scheme %s", c->set.count,
            (unsigned long long)c->set.words, format_name(c->format), labels_count(&c->labels),
            scheme_name(c->labels.outer));
    if (c->labels.inner != c->labels.outer)
        fprintf(stderr, " (learned as %s)", scheme_name(c->labels.inner));
    fprintf(stderr, "; %u features\n", feature_index_count(&c->vocabulary.node));
}

static bool learn_all(struct run *run, uint32_t *voices)
{
    size_t size = 0;
    if (run->settings->dev) {
        struct space space = {.width = labels_count(&run->corpus.labels),
                              .nodes = feature_index_count(&run->corpus.vocabulary.node),
                              .edges = feature_index_count(&run->corpus.vocabulary.edge)};
        size = space_size(&space) + SLACK;
        if (!tag_corpus_read_other(&run->corpus, &run->learning.plan, run->settings->dev, &run->dev, &run->err))
            return false;
    }
    run->weights = new_array(size, sizeof *run->weights, &run->err);
    run->parameters = json_object();
    run->dev_scores = json_object();
    if (!run->weights)
        return false;
    for (*voices = 0; *voices < run->learning.trials && !run->interrupted; ++*voices)
        if (!learn_voice(run, *voices))
            return false;
    return true;
}

static void release(struct run *run)
{
    for (uint32_t i = 0; i < MAX_VOICES; i++)
        free(run->mean[i]), free(run->var[i]);
    free(run->weights);
    json_decref(run->header);
    json_decref(run->parameters);
    json_decref(run->dev_scores);
    tag_set_release(&run->dev);
    tag_corpus_release(&run->corpus);
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

/* Whether there is any use in training: nobody wants to learn of a missing folder after an hour. */
static bool can_write(const char *path, struct vouch_error *err)
{
    struct output *probe = output_open(path, err);
    output_discard(probe);
    return probe != NULL;
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
    uint32_t voices = 0;
    double started = seconds_now();
    if (!can_write(s->output, &run->err) || (s->log && !open_log(run)))
        return failed(run->command, &run->err);
    progress_start(&run->progress, s);
    if (!tag_corpus_read(&run->corpus, &run->learning.plan, s->argument, s->arguments, &watch, &run->err))
        return failed(run->command, &run->err);
    progress_clear(&run->progress);
    say_what_was_read(run);
    if (!learn_all(run, &voices) || !save(run, voices)) {
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
