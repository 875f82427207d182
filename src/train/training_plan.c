/* Checks the options of vouch train, and fills in what a model to go on from settles: see training.h. */
#include "train/training.h"

#include "answer/model_input.h"
#include "train/calibration.h"

#include <stdio.h>
#include <string.h>

enum { PASSES_FROM = 3 }; /* passes when learning goes on, if not given */

static bool given(const struct training_plan *plan, const char *option)
{
    return option_given(&plan->settings, option);
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
    const struct settings *s = &plan->settings;
    const struct vouch_model *model = plan->from;
    if (s->learner.task && strcmp(s->learner.task, model->task) != 0)
        return fail(err, VOUCH_ERR_ARGUMENT, "--task: expected %s, as in %s, found '%s'", model->task, s->from,
                    s->learner.task);
    if (s->learner.features || s->learner.template)
        return fail(err, VOUCH_ERR_ARGUMENT, "features are those of %s: expected neither --features nor --template",
                    s->from);
    if (given(plan, "algorithm") && strcmp(s->learner.algorithm, plan->voices) != 0)
        return fail(err, VOUCH_ERR_ARGUMENT, "--algorithm: expected %s, as in %s, found '%s'", plan->voices, s->from,
                    s->learner.algorithm);
    if (model->trees && given(plan, "bits") && s->learner.bits != model->bits[0])
        return fail(err, VOUCH_ERR_ARGUMENT, "--bits: expected %u, as in %s, found %lld", model->bits[0], s->from,
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
    option_text(&plan->settings, option_named(&train_options, "learn-as", err), typed, sizeof typed);
    return fail(err, VOUCH_ERR_ARGUMENT, "--learn-as: expected the scheme of %s, %s, found '%s'", plan->settings.from,
                scheme_name(labels->inner), typed);
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
            if (!trial_recall(trial, json_object_get(records, trial->learner->name), &plan->settings, err))
                return fail_within(err, "%s", model->file.name);
        }
    }
    return true;
}

/* Prepares the plan by the options as they are now. */
static bool prepare(struct training_plan *plan, struct vouch_error *err)
{
    if (!plan->settings.reading.vectors && (given(plan, "vector-window") || given(plan, "vector-length")))
        return fail(err, VOUCH_ERR_ARGUMENT, "--%s says how vectors are used: expected --vectors FILE with it",
                    given(plan, "vector-window") ? "vector-window" : "vector-length");
    return learning_prepare(&plan->learning, &plan->settings.learner, &plan->settings.reading,
                            &plan->settings.common.work, '+', err);
}

/* Does the same with --from, whose model fills in what is not given. */
static bool prepare_from(struct training_plan *plan, struct vouch_error *err)
{
    struct settings *settings = &plan->settings;
    struct learning *learning = &plan->learning;
    plan->from = vouch_model_open(settings->from, err);
    if (!plan->from || !name_voices(plan, err) || !check_options(plan, err))
        return false;
    settings->learner.task = plan->from->task;
    settings->learner.algorithm = plan->voices;
    settings->learner.passes = given(plan, "passes") ? settings->learner.passes : PASSES_FROM;
    if (!prepare(plan, err) || !check_scheme(plan, err))
        return false;
    learning->corpus.from = plan->from;
    model_input_settle(plan->from, &learning->corpus.reading);
    return recall_trials(plan, err);
}

bool training_prepare(struct training_plan *plan, const struct settings *settings, struct vouch_error *err)
{
    const struct ranks *ranks = settings->common.work.ranks;
    struct learning *learning = &plan->learning;
    *plan = (struct training_plan){.settings = *settings};
    if (settings->common.arguments == 0)
        return fail(err, VOUCH_ERR_ARGUMENT, "expected at least one training file");
    if (!grids_named(settings->grid))
        return fail_value(err, "grid", "quick, full or paper", settings->grid);
    if (settings->best_pass && !settings->dev)
        return fail(err, VOUCH_ERR_ARGUMENT, "--best-pass: expected --dev FILE to choose by");
    if (settings->shards < ranks_count(ranks))
        return fail(err, VOUCH_ERR_ARGUMENT, "--shards: expected a shard at least for each of the %u ranks, found %lld",
                    ranks_count(ranks), (long long)settings->shards);
    if (!(settings->from ? prepare_from(plan, err) : prepare(plan, err)))
        return false;
    learning->shards = (uint32_t)settings->shards;
    learning->measure = settings->dev != NULL;
    learning->best_pass = settings->best_pass;
    learning->corpus.own = (struct own_sentences){.ranks = ranks, .shards = learning->shards};
    return true;
}

void training_plan_release(struct training_plan *plan)
{
    learning_release(&plan->learning);
    vouch_model_close(plan->from);
    *plan = (struct training_plan){0};
}
