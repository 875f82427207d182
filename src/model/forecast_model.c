/*
 * Applies a forecast model, reads and writes it: see forecast_model.h.
 *
 * A figure follows the share that probabilities lead to expect, on the scale of log-odds (train/shift.c), with a slope
 * between those of the two kinds of simulated loss. The interval is made of how far the two slopes are apart, of
 * chance, and of how much sources of text differ, which was measured (docs/MEASUREMENTS.md).
 */
#include "model/forecast_model.h"

#include "base/elementary.h"

#include <math.h>

/* The deviation of log-odds between sources of text, beyond that within one source (docs/MEASUREMENTS.md). */
#define OTHER_SOURCE 0.15

#define NINETY 1.645     /* deviations of the normal distribution around its mean with a probability of 0.9 */
#define CLEARLY_UNLIKE 4 /* deviations beyond which text counts as unlike */
#define BLOCKS_ENOUGH 5  /* blocks of text that are needed to judge it */

const char *const share_keys[SHARES] = {"accuracy", "precision", "recall", "f1"};
const char *const likeness_keys[LIKENESSES] = {"features", "doubt"};

static double logit(double p)
{
    p = fmin(fmax(p, 1e-6), 1 - 1e-6);
    return log_of(p / (1 - p));
}

static double sigmoid(double x)
{
    return 1 / (1 + exp_of(-x));
}

/* Returns how many sentences must be labelled to know the share within `half` of itself. */
static double sentences_to_label(const struct forecast_line *line, const struct expected_counts *t, double value,
                                 double count, double half)
{
    double answers = NINETY * NINETY * line->spread * value * (1 - value) / (half * half);
    return count > 0 && half > 0 ? ceil(answers * t->sentences / count) : NAN;
}

/*
 * Takes the slope half way between those of the two kinds of simulated loss, as a ratio, and an interval that reaches
 * half of that way to either side: real text both lacks features and misleads, in unknown proportions, and the two
 * kinds are the extremes.
 */
static void find_slope(const struct forecast_line *line, double *slope, double *reach)
{
    double sum = 0, apart = 0;
    for (int k = 0; k < SHIFTS; k++)
        sum += log_of(line->slope[k]) / SHIFTS;
    for (int k = 0; k < SHIFTS; k++)
        apart = fmax(apart, fabs(log_of(line->slope[k]) - sum));
    *slope = exp_of(sum);
    *reach = exp_of(apart / 2);
}

struct forecast forecast_apply(const struct forecast_model *model, const struct expected_counts *t, enum share share)
{
    const struct forecast_line *line = &model->line[share];
    double count, expected = expected_share(t, share, &count);
    if (!(line->count > 0) || isnan(expected))
        return (struct forecast){NAN, NAN, NAN, NAN, NAN};
    double away = logit(expected) - line->expected, slope = 1, reach = 1;
    if (away < 0)
        find_slope(line, &slope, &reach);
    double y = line->measured + slope * away, value = sigmoid(y), before = sigmoid(line->measured);
    double luck = line->spread / (count * value * (1 - value)) + line->spread / (line->count * before * (1 - before));
    double chance = NINETY * sqrt(luck + line->drift * line->drift + OTHER_SOURCE * OTHER_SOURCE);
    double low = y + slope * (reach - 1) * away - chance, high = y + slope * (1 / reach - 1) * away + chance;
    struct forecast f = {expected, value, sigmoid(low), sigmoid(high), NAN};
    f.to_label = sentences_to_label(line, t, value, count, (f.high - f.low) / 4);
    return f;
}

double likeness_of(const struct expected_counts *t, enum likeness likeness)
{
    if (!(t->words > 0))
        return NAN;
    return likeness == LIKENESS_FEATURES ? t->features / t->words : log_of(fmax(1 - t->words_right / t->words, 1e-6));
}

double forecast_unlikeness(const struct forecast_model *model, const struct expected_counts *t, enum likeness likeness)
{
    const struct forecast_norm *norm = &model->norm[likeness];
    double away = likeness_of(t, likeness) - norm->mean;
    if (!(norm->deviation > 0) || isnan(away))
        return 0;
    return fmax(0, (likeness == LIKENESS_FEATURES ? -away : away) / norm->deviation);
}

bool forecast_is_unlike(const struct forecast_model *model, const struct expected_counts *t)
{
    if (!model->fitted || t->words < BLOCKS_ENOUGH * model->block)
        return false;
    for (enum likeness l = 0; l < LIKENESSES; l++)
        if (forecast_unlikeness(model, t, l) > CLEARLY_UNLIKE)
            return true;
    return false;
}

json_t *forecast_model_json(const struct forecast_model *model)
{
    json_t *json = json_pack("{s:f}", "block", model->block);
    for (enum likeness l = 0; l < LIKENESSES; l++)
        json_object_set_new(json, likeness_keys[l], json_pack("[ff]", model->norm[l].mean, model->norm[l].deviation));
    for (enum share f = 0; f < SHARES; f++) {
        const struct forecast_line *line = &model->line[f];
        if (line->count > 0)
            json_object_set_new(json, share_keys[f],
                                json_pack("[fffffff]", line->expected, line->measured, line->count, line->spread,
                                          line->drift, line->slope[0], line->slope[1]));
    }
    return json;
}

/* Reads exactly `n` finite numbers. */
static bool read_list(const json_t *array, size_t n, double *x)
{
    if (!json_is_array(array) || json_array_size(array) != n)
        return false;
    for (size_t i = 0; i < n; i++) {
        x[i] = json_number_value(json_array_get(array, i));
        if (!json_is_number(json_array_get(array, i)) || !(fabs(x[i]) < 1e12))
            return false;
    }
    return true;
}

bool forecast_model_read(struct forecast_model *model, const json_t *header, const char *name, struct vouch_error *err)
{
    const json_t *json = json_object_get(json_object_get(header, "confidence"), "forecast"), *found;
    *model = (struct forecast_model){.fitted = json != NULL};
    bool ok = true;
    double x[5 + SHIFTS] = {0};
    for (enum likeness l = 0; ok && json && l < LIKENESSES; l++) {
        ok = read_list(json_object_get(json, likeness_keys[l]), 2, x);
        model->norm[l] = (struct forecast_norm){x[0], x[1]};
    }
    for (enum share f = 0; ok && json && f < SHARES; f++)
        if ((found = json_object_get(json, share_keys[f]))) {
            ok = read_list(found, 5 + SHIFTS, x) && x[2] > 0 && x[3] > 0 && x[4] >= 0 && x[5] > 0 && x[6] > 0;
            model->line[f] = (struct forecast_line){x[0], x[1], x[2], x[3], x[4], {x[5], x[6]}};
        }
    model->block = json_number_value(json_object_get(json, "block"));
    return ok || fail(err, VOUCH_ERR_FORMAT, "%s: the header's forecast is damaged", name);
}
