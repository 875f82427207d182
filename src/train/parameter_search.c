/* Chooses a learner's parameter: see parameter_search.h. */
#include "train/parameter_search.h"

#include "model/records.h"

#include <stdio.h>

static double *field_C(struct learner_options *options)
{
    return &options->C;
}

static double *field_phi(struct learner_options *options)
{
    return &options->phi;
}

static double *field_rate(struct learner_options *options)
{
    return &options->rate;
}

/* The parameter that is chosen for each learner, and the values that are tried. */
static const struct grid {
    const struct learner *learner;
    const char *name;
    double *(*field)(struct learner_options *options);
    double value[MAX_GRID];
    uint32_t count;
} grids[] = {
    {&passive_aggressive, "C", field_C, {0.003, 0.01, 0.03, 0.1, 0.3, 1}, 6},
    {&confidence_weighted, "phi", field_phi, {0.1, 0.3, 1, 2, 4, 8}, 6},
    {&log_likelihood, "rate", field_rate, {0.05, 0.1, 0.15, 0.25, 0.4, 0.6}, 6},
};

static void tell(const struct tuned *tuned, const char *learner, const struct vouch_watch *watch)
{
    char line[120];
    struct vouch_event event = {.kind = VOUCH_EVENT_TRIED, .what = learner, .of = tuned->count, .text = line};
    for (uint32_t i = 0; i < tuned->count; i++) {
        event.done = i + 1;
        event.number = tuned->value[i];
        snprintf(line, sizeof line, "%-10s %s %-8g held out %.3f", learner, tuned->name, tuned->value[i],
                 tuned->figure[i]);
        watch_tell(watch, event);
    }
    event.kind = VOUCH_EVENT_TUNED;
    event.number = tuned->value[tuned->best.row];
    snprintf(line, sizeof line, "%-10s tuned: %s %g (held out %.2f)", learner, tuned->name, event.number,
             tuned->figure[tuned->best.row]);
    watch_record(watch, event,
                 json_pack("{s:s, s:s, s:o}", "event", "tuned", "voice", learner, "result", tuned_json(tuned)));
}

/* Returns the grid of a learner; NULL: there is nothing to choose. */
static const struct grid *grid_of(const struct learner *learner)
{
    for (size_t i = 0; i < sizeof grids / sizeof *grids; i++)
        if (grids[i].learner == learner)
            return &grids[i];
    return NULL;
}

bool parameter_search(struct trial *chosen, const struct trial_plan *plan, const struct vouch_watch *watch,
                      struct tuned *tuned, struct vouch_error *err)
{
    const struct grid *grid = grid_of(chosen->learner);
    *tuned = (struct tuned){0};
    if (!grid)
        return true;
    struct trial trial[MAX_GRID];
    struct layer_score result[MAX_GRID];
    for (uint32_t i = 0; i < grid->count; i++) {
        trial[i] = *chosen;
        *grid->field(&trial[i].parameters) = grid->value[i];
    }
    struct step_watch step = {watch, VOUCH_EVENT_TUNING, "tuning"};
    struct trial_plan trying = *plan;
    trying.trial = trial;
    trying.trials = grid->count;
    trying.tell = step_tell;
    trying.stop = step_stop;
    trying.context = &step;
    if (!hold_out(&trying, result, err))
        return false;
    tuned->name = grid->name;
    tuned->count = grid->count;
    for (uint32_t i = 0; i < grid->count; i++) {
        tuned->value[i] = grid->value[i];
        tuned->figure[i] = result[i].figure;
        best_offer(&tuned->best, i, result[i].figure);
    }
    *chosen = trial[tuned->best.row];
    tell(tuned, chosen->learner->name, watch);
    return true;
}

bool tuned_recall(struct tuned *tuned, struct trial *chosen, const json_t *found, const struct vouch_watch *watch)
{
    const struct grid *grid = grid_of(chosen->learner);
    const json_t *tried = json_object_get(found, "tried");
    if (!grid || json_array_size(tried) != grid->count)
        return false;
    *tuned = (struct tuned){.name = grid->name, .count = grid->count};
    for (uint32_t i = 0; i < grid->count; i++) {
        tuned->value[i] = grid->value[i];
        tuned->figure[i] = json_real_value(json_object_get(json_array_get(tried, i), "score"));
        best_offer(&tuned->best, i, tuned->figure[i]);
    }
    *grid->field(&chosen->parameters) = tuned->value[tuned->best.row];
    tell(tuned, chosen->learner->name, watch);
    return true;
}

json_t *tuned_json(const struct tuned *tuned)
{
    json_t *tried = json_array();
    for (uint32_t i = 0; i < tuned->count; i++)
        json_array_append_new(tried, json_pack("{s:f, s:f}", "value", tuned->value[i], "score", tuned->figure[i]));
    if (json_array_size(tried) != tuned->count) {
        json_decref(tried);
        return NULL;
    }
    return json_pack("{s:s, s:f, s:o}", "parameter", tuned->name, "value", tuned->value[tuned->best.row], "tried",
                     tried);
}
