/*
 * vouch train --from: going on from a model.
 *
 * The model settles what is learned: task, features, labels with their scheme, voices and their parameters. Options
 * may set other parameters, and must not contradict the rest. Weights and variances are where they were; averaging
 * begins with them, so that the average is over the new steps alone.
 */
#include "cli/saving.h"
#include "cli/training.h"
#include "cli/trial_record.h"

#include "predict/model_input.h"

#include <stdio.h>
#include <string.h>

enum { PASSES = 3 }; /* if not given */

static bool given(const struct training_run *run, const char *option)
{
    return option_given(run->command, run->settings, option);
}

/* Reads the names of the voices into run->voices, as --algorithm has them; the layers must have the same, if any. */
static bool name_voices(struct training_run *run, struct vouch_error *err)
{
    const struct vouch_model *model = run->from;
    bool sound = model_parses(model) || tag_task_named(model->task);
    for (uint32_t v = 0; v < model->layer[0].voices; v++) {
        const char *name = model->layer[0].voice[v].name;
        sound = sound && learner_named(name);
        for (uint32_t u = 0; u < v; u++)
            sound = sound && strcmp(model->layer[0].voice[u].name, name) != 0;
        for (uint32_t l = 1; l < model->layers && v < model->layer[l].voices; l++)
            sound = sound && strcmp(model->layer[l].voice[v].name, name) == 0;
        size_t used = strlen(run->voices);
        snprintf(run->voices + used, sizeof run->voices - used, "%s%s", v ? "+" : "", name);
    }
    for (uint32_t l = 1; l < model->layers; l++)
        sound = sound && model->layer[l].voices <= model->layer[0].voices;
    return sound || fail(err, VOUCH_ERR_FORMAT, "%s: expected a task and voices that can be learned, found '%s' by %s",
                         model->file.name, model->task, run->voices);
}

/* What the options may not change; EXIT_DONE, or EXIT_MISUSE after a message. */
static int check_options(const struct training_run *run)
{
    const struct settings *s = run->settings;
    const struct vouch_model *model = run->from;
    bool parses = model_parses(model);
    if (s->task && strcmp(s->task, model->task) != 0)
        return misuse(run->command, "--task: expected %s, as in %s, found '%s'", model->task, s->from, s->task);
    if (s->features || s->template)
        return misuse(run->command, "features are those of %s: expected neither --features nor --template", s->from);
    if (given(run, "algorithm") && strcmp(s->algorithm, run->voices) != 0)
        return misuse(run->command, "--algorithm: expected %s, as in %s, found '%s'", run->voices, s->from,
                      s->algorithm);
    if (parses && given(run, "bits") && s->bits != model->bits[0])
        return misuse(run->command, "--bits: expected %u, as in %s, found %lld", model->bits[0], s->from,
                      (long long)s->bits);
    if (parses && s->unlabelled && model->layers > 1)
        return misuse(run->command, "--unlabelled: %s knows relations, expected to go on with them", s->from);
    if (s->tune)
        return misuse(run->command, "--tune needs sentences that were not learned from: expected no --from");
    return EXIT_DONE;
}

/* --learn-as, which has been read by now. */
static int check_scheme(const struct training_run *run)
{
    const struct tag_labels *labels = &run->from->labels;
    if (!given(run, "learn-as") || run->learning.parses ||
        labels_scheme(labels->outer, run->learning.plan.inner) == labels->inner)
        return EXIT_DONE;
    return misuse(run->command, "--learn-as: expected the scheme of %s, %s, found '%s'", run->settings->from,
                  scheme_name(labels->inner), run->settings->learn_as);
}

/* The parameters of every voice: the model's, but for those that are given. */
static bool recall_trials(struct training_run *run, struct vouch_error *err)
{
    const json_t *parameters = json_object_get(run->from->header, "parameters");
    for (uint32_t l = 0; l < run->from->layers; l++) {
        const json_t *records = json_object_get(parameters, run->from->layer[l].name);
        for (uint32_t v = 0; v < run->learning.trials; v++) {
            struct trial *trial = &run->chosen[l][v];
            if (!trial_recall(trial, json_object_get(records, trial->learner->name), run->command, run->settings, err))
                return fail_within(err, "%s", run->from->file.name);
        }
    }
    return true;
}

int training_from(struct training_run *run, struct settings *settings)
{
    struct learning *learning = &run->learning;
    run->from = vouch_model_open(settings->from, &run->err);
    if (!run->from || !name_voices(run, &run->err))
        return failed(run->command, &run->err);
    int status = check_options(run);
    if (status != EXIT_DONE)
        return status;
    settings->task = run->from->task;
    settings->algorithm = run->voices;
    settings->passes = given(run, "passes") ? settings->passes : PASSES;
    status = training_prepare(run);
    if (status == EXIT_DONE)
        status = check_scheme(run);
    if (status != EXIT_DONE)
        return status;
    learning->plan.from = learning->trees.from = run->from;
    model_input_settle(run->from, &learning->plan.reading);
    learning->trees.reading = learning->plan.reading;
    return recall_trials(run, &run->err) ? EXIT_DONE : failed(run->command, &run->err);
}

void training_recall(const struct training_run *run, struct voice *voice)
{
    const struct model_layer *layer = run->from ? &run->from->layer[run->current_layer] : NULL;
    if (!layer || run->current >= layer->voices)
        return;
    const struct model_voice *known = &layer->voice[run->current];
    voice_resume(voice, learner_named(known->name), &layer->space, known->mean, known->var);
}

/* Labels that the model did not know; relations, where it knows any. */
static uint32_t new_labels(const struct training_run *run)
{
    const struct learned_corpus *c = &run->corpus;
    if (run->learning.parses && c->trees.unlabelled)
        return 0;
    return labels_count(run->learning.parses ? &c->trees.relations : &c->tags.labels) -
           labels_count(&run->from->labels);
}

void training_say_new(const struct training_run *run)
{
    showf(stderr, "going on from %s; new %s: %u", run->settings->from, run->learning.parses ? "relations" : "labels",
          new_labels(run));
    if (!run->learning.parses)
        showf(stderr, ", new features: %u",
              feature_index_count(&run->corpus.tags.vocabulary.node) - run->from->layer[0].space.nodes);
    fputc('\n', stderr);
}

static bool same_voices(const struct training_run *run)
{
    bool same = run->layers == run->from->layers;
    for (uint32_t l = 0; same && l < run->layers; l++)
        same = run->layer[l].voices == run->from->layer[l].voices;
    return same;
}

/*
 * What was found out about the model holds, more or less, for one that has learned a little more. It does not where
 * there are labels that it was never asked about, and a committee hears each voice.
 */
bool training_keep_confidence(struct training_run *run)
{
    const json_t *known = json_object_get(run->from->header, "confidence");
    run->outdated = !json_is_object(known) ? OUTDATED_NONE
                    : new_labels(run) > 0  ? OUTDATED_LABELS
                    : !same_voices(run)    ? OUTDATED_VOICES
                                           : OUTDATED_KEPT;
    if (run->outdated != OUTDATED_KEPT)
        return true;
    run->confidence = json_copy((json_t *)(uintptr_t)known); /* which it does not change */
    return (run->confidence && json_object_set_new(run->confidence, "carried_over", json_true()) == 0) ||
           fail_memory(&run->err);
}

void training_say_confidence(const struct training_run *run)
{
    static const char *const said[] = {
        [OUTDATED_NONE] = "there is no calibrated confidence, as before",
        [OUTDATED_KEPT] = "confidence is kept as it was calibrated before",
        [OUTDATED_LABELS] = "confidence was dropped: it was calibrated when there were fewer labels",
        [OUTDATED_VOICES] = "confidence was dropped: it was calibrated when there were fewer voices"};
    if (run->from && json_object_get(run->from->header, "operating_point"))
        showf(stderr,
              "the operating point was removed, since the answers have changed: choose it again with vouch trade\n");
    if (run->outdated != OUTDATED_NOT)
        showf(stderr, "%s; run 'vouch tune -m %s FILE' on labelled sentences that it has not learned from\n",
              said[run->outdated], run->settings->output);
}

/* Sentences learned from until then, each as often as it was in a file. */
static json_int_t learned_in_all(const json_t *header)
{
    const json_t *training = json_object_get(header, "training");
    const json_t *in_all = json_object_get(training, "in_all");
    return json_integer_value(in_all ? in_all : json_object_get(training, "sentences"));
}

/* The trainings before, the oldest first. */
static json_t *history(const json_t *header)
{
    static const char *const keys[] = {"command", "seed", "passes", "training"};
    json_t *list = json_copy(json_object_get(json_object_get(header, "from"), "history")), *last = json_object();
    if (!json_is_array(list)) {
        json_decref(list);
        list = json_array();
    }
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (json_object_get(header, keys[i]))
            json_object_set(last, keys[i], json_object_get(header, keys[i]));
    json_array_append_new(list, last);
    return list;
}

bool training_describe_from(const struct training_run *run, json_t *header)
{
    json_t *training = json_object_get(header, "training");
    json_int_t sentences = json_integer_value(json_object_get(training, "sentences"));
    char digest[24];
    snprintf(digest, sizeof digest, "%016llx", (unsigned long long)model_file_digest(&run->from->file));
    json_t *from = json_pack("{s:o, s:s, s:o}", "file", saving_text(run->settings->from), "digest", digest, "history",
                             history(run->from->header));
    return json_object_set_new(header, "from", from) == 0 &&
           json_object_set_new(training, "in_all", json_integer(learned_in_all(run->from->header) + sentences)) == 0;
}
