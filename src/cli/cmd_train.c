/*
 * Implements vouch train: from labelled files to a model.
 *
 * Outputs are tried before training begins, so that hours are not lost for a wrong name. Interrupted once, training
 * saves what was learned so far, with a status of its own. A checkpoint is removed only when the model is safe in its
 * file.
 */
#include "cli/cli.h"

#include "base/watch.h"
#include "train/training.h"

#include <stdio.h>

/* Whether the model and the log can be written, as the first rank does: checked before the work. */
static bool outputs_possible(const struct train_options *s, struct vouch_error *err)
{
    if (!ranks_first(s->common.work.ranks))
        return true;
    return saving_possible(s, err) && event_log_open(&s->common, s->log, err);
}

static bool save(const struct training_plan *plan, const struct training_result *result, struct vouch_error *err)
{
    if (!ranks_first(plan->options.common.work.ranks))
        return true;
    struct output *out = saving_whole(err) ? output_open(plan->options.output, err) : NULL;
    return output_close(out, out && training_write(plan, result, out, err), err);
}

/* Writes the last line of the log. */
static bool log_saved(const struct train_options *s, double seconds, bool stopped, struct vouch_error *err)
{
    json_t *event = json_pack("{s:s, s:s, s:f, s:b}", "event", "saved", "model", s->output, "seconds", seconds,
                              "interrupted", stopped);
    char *line = event ? json_dumps(event, JSON_COMPACT | JSON_REAL_PRECISION(6)) : NULL;
    bool ok = event_log_close(&s->common, line, err);
    free(line);
    json_decref(event);
    return ok;
}

/* Prints what was written, and what to do about confidence that is outdated. */
static void say_saved(const struct training_plan *plan, const struct training_result *result, double seconds)
{
    const char *output = plan->options.output, *outdated = outdated_words(result->outdated);
    showf(stderr, "%s %s, %.1f s\n", result->stopped ? "interrupted: saved what was learned so far to" : "wrote",
          output, seconds);
    if (result->stopped && result->checkpoint && result->checkpoint->written)
        showf(stderr, "to go on from there, give the same command with --resume\n");
    if (plan->from && json_object_get(plan->from->header, "operating_point"))
        showf(stderr,
              "the operating point was removed, since the answers have changed: choose it again with vouch trade\n");
    if (plan->from && json_object_get(plan->from->header, "coverage"))
        showf(stderr, "the thresholds of sets were removed, since the answers have changed: find them again with vouch "
                      "tune --coverage\n");
    if (outdated)
        showf(stderr, "%s; run 'vouch tune -m %s --in-place FILE' on labelled sentences that it has not learned from\n",
              outdated, output);
}

static int run_training(const struct training_plan *plan, struct vouch_error *err)
{
    const struct train_options *s = &plan->options;
    struct training_result result = {0};
    double started = seconds_now();
    bool ok = outputs_possible(s, err) && training_run(plan, s->common.work.watch, &result, err);
    progress_clear(&s->common);
    ok = ok && save(plan, &result, err) && log_saved(s, seconds_now() - started, result.stopped, err);
    if (ok)
        training_saved(&result);
    if (ok && !s->common.quiet)
        say_saved(plan, &result, seconds_now() - started);
    int status = !ok ? EXIT_FAILED : result.stopped ? EXIT_INTERRUPTED : EXIT_DONE;
    event_log_close(&s->common, NULL, NULL);
    training_result_release(&result);
    return status;
}

static int train(void *options, struct vouch_error *err)
{
    const struct train_options *asked = options;
    struct training_plan plan;
    int status;
    if (training_prepare(&plan, asked, err)) {
        interrupt_catch();
        status = run_training(&plan, err);
    } else
        status = EXIT_MISUSE;
    training_plan_release(&plan);
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
    .table = &train_options,
    .run = train,
    .on_ranks = true,
};
