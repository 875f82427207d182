/* Calibrates a model anew: see tuning.h. */
#include "tune/tuning.h"

#include "options/settings.h"
#include "answer/model_input.h"
#include "model/records.h"

bool tuning_prepare(struct tuning_plan *plan, const struct settings *settings, struct vouch_error *err)
{
    const struct grids *grids = grids_named(settings->grid);
    *plan = (struct tuning_plan){.settings = settings};
    if (settings->common.arguments == 0)
        return fail(err, VOUCH_ERR_ARGUMENT, "expected at least one labelled file");
    if (settings->coverage >= 1)
        return fail(err, VOUCH_ERR_ARGUMENT, "nothing is ever quite sure: expected --coverage below 1");
    if (settings->coverage > 0 && (option_given(settings, "grid") || settings->confidence.draws))
        return fail(err, VOUCH_ERR_ARGUMENT,
                    "--coverage leaves the model's confidence as it is: expected no --grid or --draws");
    if (!grids)
        return fail_value(err, "grid", "quick, full or paper", settings->grid);
    plan->grids = *grids;
    plan->grids.words[0] = plan->grids.words[1] = 0; /* methods are compared: each is fitted on all words */
    if (settings->confidence.draws)
        plan->grids.draws = (uint32_t)settings->confidence.draws;
    return reading_options(&settings->reading, &plan->reading, err);
}

bool tuning_read(const struct tuning_plan *plan, const struct vouch_model *model, const struct vouch_watch *watch,
                 struct tuning_result *result, struct vouch_error *err)
{
    const struct settings *s = plan->settings;
    struct reader_options reading = plan->reading;
    *result = (struct tuning_result){0};
    warn_of_training(watch, model, s->common.argument, s->common.arguments,
                     "answers it better than other files: its confidence in those will be too high");
    return corpus_read_for(&result->corpus, model, NULL, &reading, s->common.argument, s->common.arguments, watch, err);
}

/* Adds what was found to a copy of the model's header. */
static bool describe(const struct tuning_plan *plan, const struct vouch_model *model, struct tuning_result *result,
                     struct vouch_error *err)
{
    const struct settings *s = plan->settings;
    char *line = options_provenance(s);
    json_t *confidence = result->found.json, *header = result->header = json_copy(model->header);
    bool ok = json_object_set_new(confidence, "files", header_files(s->common.argument, s->common.arguments)) == 0 &&
              json_object_set_new(confidence, "command", header_text(line)) == 0 &&
              json_object_set(header, "confidence", confidence) == 0;
    free(line);
    result->point_gone = ok && json_object_del(header, "operating_point") == 0;
    result->coverage_gone = ok && json_object_del(header, "coverage") == 0;
    return ok || fail_memory(err);
}

bool tuning_run(const struct tuning_plan *plan, const struct vouch_model *model, const struct vouch_watch *watch,
                struct tuning_result *result, struct vouch_error *err)
{
    struct held_out held = {0};
    struct calibration_plan calibration = {
        .held = &held, .grids = &plan->grids, .work = plan->settings->common.work, .what = "tuning"};
    calibration.work.watch = watch;
    bool ok = held_out_dev(&held, &result->corpus.dataset, model->layer, err) &&
              find_confidence(&calibration, &result->found, err) && describe(plan, model, result, err);
    held_out_release(&held);
    return ok;
}

void tuning_result_release(struct tuning_result *result)
{
    corpus_release(&result->corpus);
    found_confidence_release(&result->found);
    json_decref(result->header);
    *result = (struct tuning_result){0};
}
