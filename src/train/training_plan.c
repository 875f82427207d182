/*
 * Checks the options of vouch train, and fills in what a model to go on from settles: see training.h.
 *
 * With --from, the task, algorithms, features and scheme are the model's, and an option that says otherwise is an
 * error; parameters are the model's unless they are given. Only options that were given count: a default contradicts
 * nothing.
 */
#include "train/training.h"

#include "answer/model_input.h"
#include "train/calibration.h"

#include <stdio.h>
#include <string.h>

#define OPTIONS struct train_options
static const struct option_spec train[] = {
    TEXT("task", 't', learner.task, "NAME", OPTION_MATTERS,
         "what to learn: np, chunk, ner, pos, or dep for trees; sets features and labels"),
    TEXT("output", 'o', output, "FILE",
         OPTION_INCIDENTAL | OPTION_OF_PROGRAM | OPTION_WRITTEN | OPTION_ALL_RANKS | OPTION_REPLACED,
         "the model file to write; appears whole or not at all"),
    TEXT("from", 0, from, "MODEL", OPTION_READ | OPTION_REPLACED | OPTION_DECIDES,
         "go on from MODEL, which decides what is learned and how; 3 passes by default"),
    OPTIONS_LEARNING,
    FLAG("partial", 0, partial, OPTION_MATTERS,
         "labels may be open, ? or _, in JSON null: learn from those that are there"),
    INTEGER("context", 0, context, "N", 0, MAX_CONTEXT, OPTION_MATTERS,
            "of labels: look at what a first stage calls the same words in N sentences before and after; 0: do not"),
    INTEGER("shards", 0, shards, "S", 1, 4096, OPTION_MATTERS,
            "cut the corpus into S shards that learn side by side, on --threads, and are mixed after every pass"),
    INTEGER("stages", 0, stages, "N", 1, 2, OPTION_MATTERS,
            "stages of parsing by crf: the second looks at the tree that the first has found"),
    TEXT("dev", 'd', dev, "FILE", OPTION_READ, "measure on FILE after every pass"),
    FLAG("best-pass", 0, best_pass, OPTION_MATTERS,
         "keep each voice as it was after the pass that does best on --dev, not the last"),
    TEXT("log", 0, log, "FILE", OPTION_INCIDENTAL | OPTION_OF_PROGRAM | OPTION_WRITTEN,
         "write a log of the passes to FILE, as JSON lines"),
    TEXT("checkpoint", 0, checkpoint, "FOLDER", OPTION_INCIDENTAL | OPTION_WRITTEN | OPTION_FOLDER | OPTION_ALL_RANKS,
         "keep what was learned in FOLDER after every pass, until the model is written"),
    FLAG("resume", 0, resume, OPTION_INCIDENTAL,
         "go on with what --checkpoint has, MODEL.checkpoint by default; the model is the same"),
    FLAG("no-calibrate", 0, no_calibrate, OPTION_MATTERS, "do not calibrate confidence after training"),
    WORD("grid", 0, grid, "NAME", GRID_NAMES, OPTION_MATTERS,
         "values to try for the methods of confidence: quick, a few; full, as many as in the paper, in units of the "
         "weights; paper, the paper's own"),
    OPTION_PLAIN_DRAWS(plain_draws),
    OPTIONS_READING,
    OPTIONS_WORK,
    OPTIONS_END_VERBOSE,
};

static const struct option_group train_groups[] = {
    {"what to learn", "task output from features template lexicon use vectors vector-window vector-length cutoff "
                      "learn-as no-constraints context unlabelled multi-root bits"},
    {"how to learn", "algorithm passes k-best C phi covariance variance rate l2 tune shards stages no-calibrate grid "
                     "plain-draws seed"},
    {"reading and reporting",
     "partial dev best-pass log checkpoint resume format column gold threads quiet verbose help usage"},
    {0},
};

static const struct option_rule train_rules[] = {
    {.needs = "output", .message = "expected -o MODEL, the file to write"},
    {.with = "plain-draws grid",
     .excludes = "no-calibrate",
     .message = "--%s says how confidence is calibrated: expected no --no-calibrate"},
    {0},
};

/* Training is done often, so it tries only a few values. */
static const struct train_options usual = {
    .common = USUAL_COMMON, .learner = {USUAL_LEARNER("crf", 10)}, .grid = "quick", .shards = 1, .stages = 2};

const struct option_table train_options = {"train", train, &usual, sizeof usual, train_groups, train_rules};

enum { PASSES_FROM = 3 }; /* passes when learning goes on, if not given */

static bool given(const struct training_plan *plan, const char *option)
{
    return option_given(&plan->options, option);
}

/* Reads the names of the voices into plan->voices, as --algorithm has them; the layers must have the same, if any. */
static bool name_voices(struct training_plan *plan, struct vouch_error *err)
{
    const struct vouch_model *model = plan->from;
    bool sound = task_named(model->task) != NULL;
    for (uint32_t v = 0; v < model->layer[0].voices; v++) {
        const char *name = model->layer[0].voice[v].name;
        sound = sound && learner_named(name);
        for (uint32_t u = 0; u < v; u++)
            sound = sound && strcmp(model->layer[0].voice[u].name, name) != 0;
        for (uint32_t l = 1; l < model->layers && v < model->layer[l].voices; l++)
            sound = sound && strcmp(model->layer[l].voice[v].name, name) == 0;
        size_t used = strlen(plan->voices);
        snprintf(plan->voices + used, sizeof plan->voices - used, "%s%s", v ? "+" : "", name);
    }
    for (uint32_t l = 1; l < model->layers; l++)
        sound = sound && model->layer[l].voices <= model->layer[0].voices;
    return sound || fail(err, VOUCH_ERR_FORMAT, "%s: expected a task and voices that can be learned, found '%s' by %s",
                         model->file.name, model->task, plan->voices);
}

/* Fails if options contradict the model to go on from. */
static bool check_options(const struct training_plan *plan, struct vouch_error *err)
{
    const struct train_options *s = &plan->options;
    const struct vouch_model *model = plan->from;
    if (s->learner.task && strcmp(s->learner.task, model->task) != 0)
        return fail(err, VOUCH_ERR_ARGUMENT, "--task: expected %s, as in %s, found '%s'", model->task, s->from,
                    s->learner.task);
    if (model->context.sentences)
        return fail(err, VOUCH_ERR_ARGUMENT,
                    "--from: %s has two stages, which are learned anew: expected a model of one", s->from);
    if (s->learner.features || s->learner.template || s->learner.use)
        return fail(err, VOUCH_ERR_ARGUMENT,
                    "features are those of %s: expected none of --features, --template and --use", s->from);
    if (s->learner.lexicons.count)
        return fail(err, VOUCH_ERR_ARGUMENT, "lexicons are those of %s: expected no --lexicon", s->from);
    if (given(plan, "algorithm") && strcmp(s->learner.algorithm, plan->voices) != 0)
        return fail(err, VOUCH_ERR_ARGUMENT, "--algorithm: expected %s, as in %s, found '%s'", plan->voices, s->from,
                    s->learner.algorithm);
    uint32_t bits = model_has_first(model) ? model->first_bits : model->bits[0];
    if (model->trees && given(plan, "bits") && s->learner.bits != bits)
        return fail(err, VOUCH_ERR_ARGUMENT, "--bits: expected %u, as in %s, found %lld", bits, s->from,
                    (long long)s->learner.bits);
    if (s->learner.unlabelled && model->layers > 1)
        return fail(err, VOUCH_ERR_ARGUMENT, "--unlabelled: %s knows relations, expected to go on with them", s->from);
    if (given(plan, "vector-window") || given(plan, "vector-length"))
        return fail(err, VOUCH_ERR_ARGUMENT,
                    "vectors are used as in %s: expected neither --vector-window nor --vector-length", s->from);
    if (s->learner.tune)
        return fail(err, VOUCH_ERR_ARGUMENT, "--tune needs sentences that were not learned from: expected no --from");
    return true;
}

/* Checks --learn-as, which has been read by now. */
static bool check_scheme(const struct training_plan *plan, struct vouch_error *err)
{
    const struct tag_labels *labels = &plan->from->labels;
    if (!given(plan, "learn-as") || labels_scheme(labels->outer, plan->learning.corpus.inner) == labels->inner)
        return true;
    char typed[16];
    option_text(&plan->options, option_named(&train_options, "learn-as", err), typed, sizeof typed);
    return fail(err, VOUCH_ERR_ARGUMENT, "--learn-as: expected the scheme of %s, %s, found '%s'", plan->options.from,
                scheme_name(labels->inner), typed);
}

/* Fails if two stages are asked for where there cannot be two. A model to go on from has what it has. */
static bool check_stages(const struct training_plan *plan, struct vouch_error *err)
{
    const struct learning *learning = &plan->learning;
    if (!given(plan, "stages") || (plan->options.stages == 1 && !(plan->from && model_has_first(plan->from))))
        return true;
    if (plan->from)
        return model_has_first(plan->from) == (plan->options.stages == 2) ||
               fail(err, VOUCH_ERR_ARGUMENT, "--stages: expected as many as %s has, %d, found %u", plan->options.from,
                    model_has_first(plan->from) ? 2 : 1, plan->options.stages);
    if (!learning->corpus.task->trees)
        return fail(err, VOUCH_ERR_ARGUMENT, "--stages 2: expected --task dep: labels have two stages with --context");
    return can_be_first(learning) ||
           fail(err, VOUCH_ERR_ARGUMENT,
                "--stages 2: expected --algorithm crf, whose probabilities tell which arcs to look at again");
}

/* Sets the parameters of every voice: the model's, except those that are given. */
static bool recall_trials(struct training_plan *plan, struct vouch_error *err)
{
    const struct vouch_model *model = plan->from;
    const json_t *parameters = json_object_get(model->header, "parameters");
    for (uint32_t l = 0; l < model->layers; l++) {
        const json_t *records = json_object_get(parameters, model->layer[l].name);
        for (uint32_t v = 0; v < plan->learning.voices; v++) {
            struct trial *trial = &plan->learning.trial[l][v];
            if (!trial_recall(trial, json_object_get(records, trial->learner->name), &plan->options, err))
                return fail_within(err, "%s", model->file.name);
        }
    }
    return true;
}

/* Prepares the plan by the options as they are now. */
static bool prepare(struct training_plan *plan, struct vouch_error *err)
{
    if (!plan->options.reading.vectors && (given(plan, "vector-window") || given(plan, "vector-length")))
        return fail(err, VOUCH_ERR_ARGUMENT, "--%s says how vectors are used: expected --vectors FILE with it",
                    given(plan, "vector-window") ? "vector-window" : "vector-length");
    return learning_prepare(&plan->learning, &plan->options.learner, &plan->options.reading, &plan->options.common.work,
                            '+', err);
}

/* Does the same with --from, whose model fills in what is not given. */
static bool prepare_from(struct training_plan *plan, struct vouch_error *err)
{
    struct train_options *options = &plan->options;
    struct learning *learning = &plan->learning;
    plan->from = vouch_model_open(options->from, err);
    if (!plan->from || !name_voices(plan, err) || !check_options(plan, err))
        return false;
    options->learner.task = plan->from->task;
    options->learner.algorithm = plan->voices;
    options->learner.passes = given(plan, "passes") ? options->learner.passes : PASSES_FROM;
    if (!prepare(plan, err) || !check_scheme(plan, err))
        return false;
    learning->corpus.from = plan->from;
    model_input_settle(plan->from, &learning->corpus.reading);
    return recall_trials(plan, err);
}

bool training_prepare(struct training_plan *plan, const struct train_options *options, struct vouch_error *err)
{
    const struct ranks *ranks = options->common.work.ranks;
    struct learning *learning = &plan->learning;
    *plan = (struct training_plan){.options = *options};
    if (options->common.arguments == 0)
        return fail(err, VOUCH_ERR_ARGUMENT, "expected at least one training file");
    if (options->best_pass && !options->dev)
        return fail(err, VOUCH_ERR_ARGUMENT, "--best-pass: expected --dev FILE to choose by");
    if (options->partial && options->learner.multi_root == MULTI_ROOT_KEEP)
        return fail(err, VOUCH_ERR_ARGUMENT,
                    "--partial: expected --multi-root skip or attach, since no predicted tree agrees with several "
                    "roots, found keep");
    if (options->context && (options->from || ranks))
        return fail(err, VOUCH_ERR_ARGUMENT,
                    "--context has two stages, learned on one machine and anew: expected no %s",
                    options->from ? "--from" : "ranks");
    if (options->shards < ranks_count(ranks))
        return fail(err, VOUCH_ERR_ARGUMENT, "--shards: expected a shard at least for each of the %u ranks, found %lld",
                    ranks_count(ranks), (long long)options->shards);
    if (!(options->from ? prepare_from(plan, err) : prepare(plan, err)) || !check_stages(plan, err))
        return false;
    if (options->context && learning->corpus.task->trees)
        return fail(err, VOUCH_ERR_ARGUMENT, "--context: expected a task that labels words, not dep");
    learning->corpus.reading.partial = options->partial;
    learning->shards = (uint32_t)options->shards;
    learning->measure = options->dev != NULL;
    learning->best_pass = options->best_pass;
    learning->corpus.own = (struct own_sentences){.ranks = ranks, .shards = learning->shards};
    return true;
}

void training_plan_release(struct training_plan *plan)
{
    learning_release(&plan->learning);
    vouch_model_close(plan->from);
    *plan = (struct training_plan){0};
}
