/*
 * Forecasts the figures of a model on unlabelled text: one pass over the files adds up the counts that the model's
 * probabilities lead to expect, and the model's record of how such expectations were met corrects the sums.
 */
#include "forecast/text_forecast.h"

#include "answer/model_input.h"
#include "task/dictionary.h"

#include <math.h>

#define OPTIONS struct forecast_options
static const struct option_spec option[] = {
    OPTION_MODEL, OPTION_VECTORS, OPTION_FORMAT, OPTION_JSON, OPTION_THREADS, OPTIONS_END,
};

static const struct option_rule rules[] = {{.needs = "model", .message = "expected -m MODEL"}, {0}};

static const struct forecast_options usual = {.common = USUAL_COMMON};

const struct option_table forecast_options = {"forecast", option, &usual, sizeof usual, NULL, rules};

static bool take(void *context, const struct sentence *sentence, const struct vouch_answer *answer,
                 struct vouch_error *err)
{
    struct text_forecast *f = context;
    (void)err;
    if (!sentence->boundary && sentence->N > 0)
        expected_counts_add(&f->counts, answer->expected);
    for (uint32_t i = 0; !f->model->trees && !sentence->boundary && i < sentence->N; i++)
        f->unknown += dictionary_find(&f->model->vocabulary.strings, sentence_form(sentence, i)) == 0;
    return true;
}

bool text_forecast_run(struct text_forecast *f, struct vouch_error *err)
{
    const struct forecast_options *s = f->options;
    struct reader_options reading;
    struct answer_sink sink = {.take = take, .context = f, .watch = s->common.work.watch};
    struct estimate_request wanted = {.methods = gamma_method.name, .words_only = true, .expected = EXPECT_ALL};
    if (!forecast_model_read(&f->calibrated, f->model->header, f->model->file.name, err) ||
        !reading_options_to_answer(&s->reading, &reading, err))
        return false;
    if (!f->calibrated.fitted)
        return fail(err, VOUCH_ERR_ARGUMENT,
                    "%s: nothing is known of how this model's probabilities hold: expected one calibrated by vouch "
                    "train or vouch tune",
                    f->model->file.name);
    reading.trees = f->model->trees;
    model_input_settle(f->model, &reading);
    struct estimator *estimator = estimator_new(f->model, &wanted, err);
    struct vouch_request request = {.model = f->model, .estimator = estimator, .threads = s->common.work.threads};
    bool ok = estimator != NULL;
    for (size_t i = 0; ok && i < (s->common.arguments ? s->common.arguments : 1); i++) {
        struct reader *reader = reader_open(s->common.arguments ? s->common.argument[i] : NULL, &reading, err);
        ok = reader && answer_stream(&request, reader, &sink, err);
        reader_close(reader);
    }
    estimator_free(estimator);
    if (ok && !(f->counts.words > 0))
        ok = fail(err, VOUCH_ERR_FORMAT, "%s: expected sentences, found none",
                  s->common.arguments ? s->common.argument[0] : "-");
    for (enum share share = 0; ok && share < SHARES; share++)
        f->forecast[share] = forecast_apply(&f->calibrated, &f->counts, share);
    for (enum likeness l = 0; ok && l < LIKENESSES; l++)
        f->unlike[l] = forecast_unlikeness(&f->calibrated, &f->counts, l);
    f->is_unlike = ok && forecast_is_unlike(&f->calibrated, &f->counts);
    return ok;
}

const char *forecast_name(const struct vouch_model *model, enum share share)
{
    return model->trees && share == SHARE_ACCURACY ? "UAS" : share_keys[share];
}

enum share forecast_main(const struct text_forecast *f)
{
    return isnan(f->forecast[SHARE_F1].value) ? SHARE_ACCURACY : SHARE_F1;
}

json_t *text_forecast_json(const struct text_forecast *f)
{
    json_t *unlike = json_object();
    json_t *json =
        json_pack("{s:I, s:I}", "sentences", (json_int_t)f->counts.sentences, "words", (json_int_t)f->counts.words);
    for (enum share share = 0; share < SHARES; share++) {
        const struct forecast *of = &f->forecast[share];
        if (isnan(of->value))
            continue;
        json_t *one = json_pack("{s:f, s:f, s:f, s:f}", "forecast", 100 * of->value, "low", 100 * of->low, "high",
                                100 * of->high, "mean_probability", 100 * of->promised);
        if (isfinite(of->to_label))
            json_object_set_new(one, "sentences_to_label", json_integer((json_int_t)of->to_label));
        json_object_set_new(json, forecast_name(f->model, share), one);
    }
    for (enum likeness l = 0; l < LIKENESSES; l++) {
        double found = likeness_of(&f->counts, l);
        if (isfinite(found))
            json_object_set_new(unlike, likeness_keys[l],
                                json_pack("{s:f, s:f, s:f}", "found", found, "calibrated_on",
                                          f->calibrated.norm[l].mean, "deviations", f->unlike[l]));
    }
    if (!f->model->trees)
        json_object_set_new(unlike, "unknown_words", json_real((double)f->unknown / f->counts.words));
    json_object_set_new(json, "likeness", unlike);
    json_object_set_new(json, "unlike", json_boolean(f->is_unlike));
    return json;
}
