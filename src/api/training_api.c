/* Implements the functions of vouch.h that train, tune and cross-validate. */
#include "api/asked.h"
#include "cluster/cluster.h"
#include "base/error.h"
#include "base/watch.h"
#include "eval/algorithm_folds.h"
#include "scores/score_files.h"
#include "train/training.h"
#include "tune/tuning.h"

/* Tells what became of the operating point and the confidence of the model that learning went on from. */
static void tell_outdated(const struct training_plan *plan, enum outdated outdated, const struct vouch_watch *watch)
{
    if (plan->from && json_object_get(plan->from->header, "operating_point"))
        watch_say(watch, VOUCH_EVENT_NOTE, "the operating point was removed, since the answers have changed");
    if (plan->from && json_object_get(plan->from->header, "coverage"))
        watch_say(watch, VOUCH_EVENT_NOTE, "the thresholds of sets were removed, since the answers have changed");
    if (outdated_words(outdated))
        watch_say(watch, VOUCH_EVENT_NOTE, "%s", outdated_words(outdated));
}

/* Trains, and frees what was learned before the model is opened, so that memory does not hold it three times. */
static bool train_into(struct output *out, const struct train_options *settings, const struct vouch_watch *watch,
                       bool *stopped, struct vouch_error *err)
{
    struct training_plan plan;
    struct training_result result = {0};
    bool ok = training_prepare(&plan, settings, err) && training_run(&plan, watch, &result, err) &&
              training_write(&plan, &result, out, err);
    *stopped = result.stopped;
    if (ok)
        training_saved(&result);
    if (ok)
        tell_outdated(&plan, result.outdated, watch);
    training_result_release(&result);
    training_plan_release(&plan);
    return ok;
}

vouch_model *vouch_train(const vouch_options *options, const char *const *files, size_t count,
                         const struct vouch_watch *watch, struct vouch_error *err)
{
    struct asked asked;
    struct passed passed = {options, files, count, watch, &train_options, NULL};
    bool stopped = false;
    err = err ? err : &(struct vouch_error){0};
    struct output *out = asked_take(&asked, &passed, err) ? output_open_memory(err) : NULL;
    vouch_model *model = model_written(out, out && train_into(out, asked.options, watch, &stopped, err), err);
    if (model && stopped)
        fail(err, VOUCH_ERR_STOPPED, "stopped: this is what was learned so far");
    asked_release(&asked);
    return model;
}

/* Calibrates the model's confidence anew. */
static bool tune_into(struct output *out, const vouch_model *model, const struct tuning_plan *plan,
                      const struct vouch_watch *watch, struct vouch_error *err)
{
    struct tuning_result result = {0};
    bool ok = tuning_read(plan, model, watch, &result, err) && tuning_run(plan, model, watch, &result, err) &&
              model_write_again(out, model, result.header, err);
    for (uint32_t l = 0; ok && l < model->layers; l++)
        warn_of_few_errors(watch, model->layer[l].name, &result.found.model[l]);
    if (ok && result.point_gone)
        watch_say(watch, VOUCH_EVENT_NOTE, "the operating point was removed, since confidence has changed");
    if (ok && result.coverage_gone)
        watch_say(watch, VOUCH_EVENT_NOTE, "the thresholds of sets were removed, since confidence has changed");
    tuning_result_release(&result);
    return ok;
}

/* Fails for a model without weights, which is calibrated with the scores that it judges. */
static bool can_be_tuned(const vouch_model *model, const struct tuning_plan *plan, struct vouch_error *err)
{
    return plan->options->coverage > 0 || !model_lacks_weights(model) ||
           fail(err, VOUCH_ERR_ARGUMENT,
                "%s: this model has no weights: expected the option \"coverage\", or vouch_judge_calibrate()",
                model->file.name);
}

/* Finds the thresholds of sets, as vouch tune --coverage does. */
static bool cover_into(struct output *out, const vouch_model *model, const struct tuning_plan *plan,
                       const struct vouch_watch *watch, struct vouch_error *err)
{
    struct score_files *scores = NULL;
    bool ok = score_files_open_for(model, &plan->options->source, &scores, err);
    struct covering covering = {.options = plan->options, .model = model, .scores = scores, .watch = watch};
    ok = ok && covering_run(&covering, err) && model_write_again(out, model, covering.header, err);
    covering_release(&covering);
    score_files_free(scores);
    return ok;
}

vouch_model *vouch_tune(const vouch_model *model, const vouch_options *options, const char *const *files, size_t count,
                        const struct vouch_watch *watch, struct vouch_error *err)
{
    struct asked asked;
    struct passed passed = {options, files, count, watch, &tune_options, NULL};
    err = err ? err : &(struct vouch_error){0};
    bool ok = asked_take(&asked, &passed, err) && is_given(model, "a model", err);
    struct tuning_plan plan;
    const struct tune_options *given = asked.options;
    ok = ok && asks_a_model(given->columns, given->log, err) && tuning_prepare(&plan, given, err) &&
         can_be_tuned(model, &plan, err);
    struct output *out = ok ? output_open_memory(err) : NULL;
    ok = out && (plan.options->coverage > 0 ? cover_into : tune_into)(out, model, &plan, watch, err);
    vouch_model *tuned = model_written(out, ok, err);
    asked_release(&asked);
    return tuned;
}

static char *cross_validation(const struct eval_options *settings, const struct vouch_watch *watch,
                              struct vouch_error *err)
{
    struct algorithm_folds folds;
    char *text = NULL;
    if (algorithm_folds_prepare(&folds, settings, err) && algorithm_folds_read(&folds, settings, watch, err) &&
        algorithm_folds_run(&folds, true, watch, err))
        text = json_text(algorithm_folds_json(&folds), 6, err);
    algorithm_folds_release(&folds);
    return text;
}

enum vouch_status vouch_cross_validate(const vouch_options *options, const char *const *files, size_t count,
                                       const struct vouch_watch *watch, char **json, struct vouch_error *err)
{
    struct asked asked;
    struct passed passed = {options, files, count, watch, &eval_options, NULL};
    err = err ? err : &(struct vouch_error){0};
    bool ok = asked_take(&asked, &passed, err) && is_given(json, "room for the result", err);
    char *text = ok ? cross_validation(asked.options, watch, err) : NULL;
    if (json)
        *json = text;
    asked_release(&asked);
    return status_of(text != NULL, err);
}

void vouch_free(void *text)
{
    free(text);
}

enum vouch_status vouch_cluster(const vouch_options *options, const char *const *files, size_t count,
                                const struct vouch_watch *watch, char **text, struct vouch_error *err)
{
    struct asked asked;
    struct passed passed = {options, files, count, watch, &cluster_options, NULL};
    err = err ? err : &(struct vouch_error){0};
    if (text)
        *text = NULL;
    bool ok = asked_take(&asked, &passed, err) && is_given(text, "room for the result", err);
    const struct cluster_options *own = asked.options;
    if (ok && (own->vectors != NULL) == (count > 0))
        ok = fail(err, VOUCH_ERR_ARGUMENT, "expected files of text, or the option \"vectors\", not both");
    struct output *out = ok ? output_open_memory(err) : NULL;
    if (out)
        *text = written_text(out, clusters_write(own, out, err), err);
    asked_release(&asked);
    return status_of(out && *text, err);
}
