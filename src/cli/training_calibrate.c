/*
 * After learning: how far can the model's answers be trusted?
 */
#include "cli/training.h"

#include "calibrate/calibration.h"
#include "cli/calibrated.h"

#include <math.h>
#include <stdio.h>

/* Answers that were held out: the development set's, or by learning anew on parts of the corpus. */
static bool hold_out_answers(struct training_run *run, struct held_out *held)
{
    const struct dataset *dataset = &run->corpus.dataset;
    if (run->settings->dev)
        return held_out_dev(held, dataset, run->layer, &run->err);
    struct cut cut = calibration_cut(dataset);
    struct held_out_plan plan = {.dataset = dataset,
                                 .trial = (const struct trial(*)[MAX_VOICES])run->chosen,
                                 .voices = run->learning.trials,
                                 .passes = (uint32_t)run->settings->passes,
                                 .seed = (uint64_t)run->settings->seed,
                                 .threads = (uint32_t)run->settings->threads,
                                 .parts = cut.parts,
                                 .held = cut.held,
                                 .tell = training_tell_held_out,
                                 .context = run,
                                 .stop = interrupt_seen};
    return held_out_learn(held, &plan, &run->err);
}

static void log_tried(void *context, const struct tried *tried)
{
    json_t *event = json_pack("{s:s, s:s, s:s, s:s, s:f}", "event", "tried", "layer", tried->layer, "voice",
                              tried->voice, "parameter", tried->parameter, "value", tried->value);
    if (!isnan(tried->average_precision))
        json_object_set_new(event, "average_precision", json_real(tried->average_precision));
    if (!isnan(tried->risk_coverage))
        json_object_set_new(event, "area_under_risk_coverage", json_real(tried->risk_coverage));
    if (!isnan(tried->loss))
        json_object_set_new(event, "log_loss", json_real(tried->loss));
    training_log(context, event);
}

/* What was found, in a line a layer. */
static void say_calibrated(const struct training_run *run, const struct confidence_model *confidence_model)
{
    for (uint32_t l = 0; l < run->layers && !run->settings->quiet; l++) {
        const struct method_model *best = &confidence_model[l].method_model[confidence_model[l].preferred];
        const double *figure = best->figure[UNIT_WORD];
        showf(stderr, "calibrated %s confidence on %.0f held-out words, %.0f wrong: %s", run->layer[l].name,
              figure[FIGURE_COUNT], figure[FIGURE_ERRORS], best->name);
        if (!isnan(figure[FIGURE_AP])) /* without errors there is none */
            showf(stderr, ", average precision %.3f", figure[FIGURE_AP]);
        fputc('\n', stderr);
        calibrated_warn(run->layer[l].name, &confidence_model[l]);
    }
}

bool training_calibrate(struct training_run *run)
{
    run->learned = !run->interrupted;
    if (run->settings->no_calibrate || run->interrupted || (run->from && !run->settings->dev))
        return !run->from || training_keep_confidence(run);
    if (!run->settings->dev && !calibration_cut(&run->corpus.dataset).held) {
        if (!run->settings->quiet)
            showf(stderr, "too few sentences to calibrate confidence on\n");
        return true;
    }
    struct held_out held = {0};
    struct confidence_model confidence_model[MAX_MODEL_LAYERS];
    struct calibration_plan plan = {.held = &held,
                                    .grids = grids_named(run->settings->grid),
                                    .seed = (uint64_t)run->settings->seed,
                                    .threads = (uint32_t)run->settings->threads,
                                    .tell = training_tell_calibrating,
                                    .tried = log_tried,
                                    .context = run,
                                    .stop = interrupt_seen};
    for (uint32_t l = 0; l < MAX_MODEL_LAYERS; l++)
        confidence_model_init(&confidence_model[l]);
    bool ok = hold_out_answers(run, &held) && calibration_run(&plan, confidence_model, &run->err);
    progress_clear(&run->progress);
    if (ok) {
        say_calibrated(run, confidence_model);
        run->confidence = calibration_json(&plan, confidence_model);
        ok = run->confidence || fail_memory(&run->err);
    } else if (run->err.status == VOUCH_ERR_STOPPED) {
        run->err = (struct vouch_error){0};
        run->interrupted = true;
        ok = !run->from || training_keep_confidence(run);
    }
    for (uint32_t l = 0; l < MAX_MODEL_LAYERS; l++)
        confidence_model_release(&confidence_model[l]);
    held_out_release(&held);
    return ok;
}
