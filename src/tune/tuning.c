/* Calibrates a model anew: see tuning.h. */
#include "tune/tuning.h"

#include "options/rows.h"
#include "answer/model_input.h"
#include "model/records.h"

#define OPTIONS struct tune_options
static const struct option_spec tune[] = {
    TEXT("answers", 0, answers, "FILE", OPTION_INCIDENTAL | OPTION_OF_PROGRAM | OPTION_READ,
         "calibrate another program's numbers instead: FILE holds gold, guess and confidence, or answers to the file "
         "GOLD"),
    OPTION_COLUMNS,
    OPTION_ROWS,
    TEXT("model", 'm', model, "FILE", OPTION_INCIDENTAL | OPTION_OF_PROGRAM | OPTION_READ, "the model to tune"),
    OPTION_SCORES,
    TEXT(
        "output", 'o', output, "FILE", OPTION_INCIDENTAL | OPTION_OF_PROGRAM | OPTION_WRITTEN,
        "the model file to write, whole or not at all; if not given, the model itself is replaced; with --answers, the "
        "calibration to write"),
    TEXT("grid", 0, grid, "NAME", OPTION_MATTERS,
         "values to try: full, as many as in the paper, in units of the weights; paper, the paper's own; or quick, a "
         "few, as training does"),
    INTEGER("draws", 0, draws, "K", 0, MAX_DRAWS, OPTION_MATTERS, "models to draw for kd-fix and kd-pc; 0 is 50"),
    REAL("coverage", 0, coverage, "C", 0, 1, OPTION_MATTERS,
         "instead: find out how large sets of choices must be to hold the right one with the probability C, for 'vouch "
         "tag "
         "--sets' and 'vouch parse --sets'; 0 is no"),
    OPTION_VECTORS,
    OPTION_FORMAT,
    OPTION_GOLD,
    OPTION_JSON,
    OPTION_SEED,
    OPTION_THREADS,
    OPTION_QUIET,
    OPTION_HELP,
    {0},
};

static const struct tune_options usual = {.common = USUAL_COMMON, .grid = "full"};

const struct option_table tune_options = {"tune", tune, &usual, sizeof usual, NULL, NULL};

bool tuning_prepare(struct tuning_plan *plan, const struct tune_options *options, struct vouch_error *err)
{
    const struct grids *grids = grids_named(options->grid);
    *plan = (struct tuning_plan){.options = options};
    if (options->common.arguments == 0)
        return fail(err, VOUCH_ERR_ARGUMENT, "expected at least one labelled file");
    if (options->coverage >= 1)
        return fail(err, VOUCH_ERR_ARGUMENT, "nothing is ever quite sure: expected --coverage below 1");
    if (options->coverage > 0 && (option_given(options, "grid") || options->draws))
        return fail(err, VOUCH_ERR_ARGUMENT,
                    "--coverage leaves the model's confidence as it is: expected no --grid or --draws");
    if (!grids)
        return fail_value(err, "grid", "quick, full or paper", options->grid);
    plan->grids = *grids;
    plan->grids.words[0] = plan->grids.words[1] = 0; /* methods are compared: each is fitted on all words */
    if (options->draws)
        plan->grids.draws = (uint32_t)options->draws;
    return reading_options(&options->reading, &plan->reading, err);
}

bool tuning_read(const struct tuning_plan *plan, const struct vouch_model *model, const struct vouch_watch *watch,
                 struct tuning_result *result, struct vouch_error *err)
{
    const struct tune_options *s = plan->options;
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
    const struct tune_options *s = plan->options;
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
        .held = &held, .grids = &plan->grids, .work = plan->options->common.work, .what = "tuning"};
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
