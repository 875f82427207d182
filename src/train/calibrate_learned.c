/* Finds how far answers can be trusted: see calibrate_learned.h. */
#include "train/calibrate_learned.h"

#include "train/shift.h"
#include "model/records.h"

#include <math.h>
#include <stdio.h>

/*
 * Held-out models share what they learn, and make fewer passes than the model that they stand for: first over what none
 * of them holds out, then over what each may learn besides. More passes find errors no better.
 *
 * A part that is held out alone has nobody to share with. Where all fifths are held out, the corpus is small
 * (calibration_cut()) and soon learned as often as it takes. Where all tenths are, from 100,000 to 111,000 words, there
 * is nothing to begin with either, but lessons are shared all the same: in all passes, ten models would learn nine
 * times the corpus, and now they learn 3.4 times the corpus in three fifths of the passes.
 */
static void share_lessons(struct held_out_plan *lessons)
{
    if (lessons->held == 1 || (lessons->held == 5 && lessons->parts == 5))
        return;
    lessons->passes = lessons->further = (3 * lessons->passes + 4) / 5;
}

bool hold_out_answers(const struct confidence_plan *plan, struct held_out *held, struct vouch_error *err)
{
    if (plan->layer)
        return held_out_dev(held, plan->dataset, plan->layer, err);
    struct step_watch step = {plan->watch, VOUCH_EVENT_HOLDING_OUT, "learning on parts, to calibrate"};
    struct cut cut = calibration_cut(plan->dataset);
    struct held_out_plan lessons = plan->lessons;
    lessons.dataset = plan->dataset;
    lessons.seed = plan->seed;
    lessons.threads = plan->threads;
    lessons.parts = cut.parts;
    lessons.held = cut.held;
    share_lessons(&lessons);
    lessons.tell = step_tell;
    lessons.stop = step_stop;
    lessons.context = &step;
    return held_out_learn(held, &lessons, err);
}

static void tell_tried(void *context, const struct tried *tried)
{
    const struct step_watch *step = context;
    json_t *record = json_pack("{s:s, s:s, s:s, s:s, s:f}", "event", "tried", "layer", tried->layer, "voice",
                               tried->voice, "parameter", tried->parameter, "value", tried->value);
    if (!isnan(tried->average_precision))
        json_object_set_new(record, "average_precision", json_real(tried->average_precision));
    if (!isnan(tried->risk_coverage))
        json_object_set_new(record, "area_under_risk_coverage", json_real(tried->risk_coverage));
    if (!isnan(tried->loss))
        json_object_set_new(record, "log_loss", json_real(tried->loss));
    watch_record(step->watch,
                 (struct vouch_event){.kind = VOUCH_EVENT_TRIED, .what = tried->parameter, .number = tried->value},
                 record);
}

void calibration_watched(struct calibration_plan *plan, struct step_watch *step)
{
    plan->tell = step_tell;
    plan->tried = tell_tried;
    plan->stop = step_stop;
    plan->context = step;
}

/* Adds to the header's confidence how figures follow probabilities on text that is unlike this. */
static bool add_forecast(const struct confidence_plan *plan, const struct held_out *held,
                         struct found_confidence *found, struct vouch_error *err)
{
    struct forecast_model model;
    struct shift_plan shift = {held, found->model[0].params, plan->seed, plan->threads};
    if (!shift_fit(&shift, &model, err))
        return false;
    return !model.fitted || json_object_set_new(found->json, "forecast", forecast_model_json(&model)) == 0 ||
           fail_memory(err);
}

bool calibrate_learned(const struct confidence_plan *plan, const struct held_out *held, struct found_confidence *found,
                       struct vouch_error *err)
{
    struct step_watch step = {plan->watch, VOUCH_EVENT_CALIBRATING, plan->what};
    struct calibration_plan calibration = {
        .held = held, .grids = plan->grids, .seed = plan->seed, .threads = plan->threads};
    calibration_watched(&calibration, &step);
    *found = (struct found_confidence){.layers = plan->dataset->layers};
    for (uint32_t l = 0; l < MAX_MODEL_LAYERS; l++)
        confidence_model_init(&found->model[l]);
    if (!calibration_run(&calibration, found->model, err))
        return false;
    found->json = calibration_json(&calibration, found->model);
    return (found->json || fail_memory(err)) && add_forecast(plan, held, found, err);
}

void found_confidence_release(struct found_confidence *found)
{
    for (uint32_t l = 0; l < MAX_MODEL_LAYERS; l++)
        confidence_model_release(&found->model[l]);
    json_decref(found->json);
    *found = (struct found_confidence){0};
}

void warn_of_few_errors(const struct vouch_watch *watch, const char *layer,
                        const struct confidence_model *confidence_model)
{
    static const char *const names[UNITS][2] = {{"word", "words"}, {"chunk", "chunks"}, {"sentence", "sentences"}};
    const struct method_model *most = &confidence_model->method_model[0]; /* the method that has judged most answers */
    for (uint32_t b = 0; b < confidence_model->count; b++)
        if (confidence_model->method_model[b].figure[UNIT_WORD][FIGURE_COUNT] > most->figure[UNIT_WORD][FIGURE_COUNT])
            most = &confidence_model->method_model[b];
    char counts[UNITS * 40] = "";
    for (enum unit u = 0; confidence_model->count && u < UNITS; u++)
        if (method_model_is_weak(most, u)) {
            double errors = most->figure[u][FIGURE_ERRORS];
            size_t used = strlen(counts);
            snprintf(counts + used, sizeof counts - used, "%s %.0f wrong %s", used ? "," : "", errors,
                     names[u][errors != 1]);
        }
    if (*counts)
        watch_say(watch, VOUCH_EVENT_WARNING,
                  "warning: too few errors to calibrate %s confidence on:%s; with fewer than %d the numbers stay "
                  "near the share of right answers",
                  layer, counts, ERRORS_ENOUGH);
}
