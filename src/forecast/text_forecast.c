/*
 * Forecasts the figures of a model on unlabelled text: one pass over the files adds up the counts that the model's
 * probabilities lead to expect, and the model's record of how such expectations were met corrects the sums.
 * A second pass, over labelled sentences if there are any, notes for each what was expected and what is right.
 */
#include "forecast/text_forecast.h"

#include "answer/model_input.h"
#include "base/watch.h"
#include "core/scheme.h"
#include "task/dictionary.h"

#include <math.h>
#include <stdlib.h>

/* clang-format off */
#define OPTIONS struct forecast_options
static const struct option_spec option[] = {
    OPTION_MODEL,
    TEXT("labelled", 0, labelled, "FILE", OPTION_READ,
     "labelled sentences of the same text, chosen at random: some fifty make the intervals narrower"),
    OPTION_VECTORS, OPTION_FORMAT, OPTION_COLUMN, OPTION_JSON, OPTION_THREADS, OPTIONS_END,
};
/* clang-format on */

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

/* Counts the labels of a sentence that the model knows; all that it does not know are answered wrongly. */
static void note_labels(struct text_forecast *f, const struct sentence *sentence)
{
    struct text type;
    for (uint32_t i = 0; !f->model->trees && i < sentence->N; i++) {
        struct text gold = task_gold(f->evaluation.task, sentence->gold[i]);
        if (f->evaluation.score.unit == TAG_CHUNKS && scheme_split(gold, &type) == 'O')
            continue;
        f->all_labels++;
        f->known_labels += dictionary_find(&f->model->labels.written, gold) != 0;
    }
}

/* Returns what an evaluation has counted so far. */
static struct expected_counts counted(const struct evaluation *e)
{
    const struct tag_counts *chunks = &e->score.all;
    bool has_chunks = e->score.unit == TAG_CHUNKS;
    return (struct expected_counts){.sentences = (double)e->sentences,
                                    .words = (double)(e->score.words + e->trees.all.words),
                                    .words_right = (double)(e->score.right_words + e->trees.all.heads),
                                    .chunks = has_chunks ? (double)chunks->guessed : 0,
                                    .chunks_right = has_chunks ? (double)chunks->correct : 0,
                                    .chunks_gold = has_chunks ? (double)chunks->gold : 0};
}

static bool take_labelled(void *context, const struct sentence *sentence, const struct vouch_answer *answer,
                          struct vouch_error *err)
{
    struct text_forecast *f = context;
    if (sentence->boundary || sentence->N == 0)
        return true;
    struct vouch_answer plain = *answer;
    plain.confidences = NULL;
    struct expected_counts before = counted(&f->evaluation);
    if (!RESERVE(f->sentence, f->capacity, f->sentences + 1, err) ||
        !evaluation_take(&f->evaluation, sentence, &plain, err))
        return false;
    struct expected_counts measured = counted(&f->evaluation);
    measured.sentences -= before.sentences;
    measured.words -= before.words;
    measured.words_right -= before.words_right;
    measured.chunks -= before.chunks;
    measured.chunks_right -= before.chunks_right;
    measured.chunks_gold -= before.chunks_gold;
    f->sentence[f->sentences++] = (struct labelled_sentence){*answer->expected, measured};
    note_labels(f, sentence);
    return true;
}

/* Answers the labelled sentences, and corrects the forecasts by them. */
static bool use_labelled(struct text_forecast *f, const struct vouch_request *request, struct vouch_error *err)
{
    const struct forecast_options *s = f->options;
    struct reader_options reading;
    struct answer_sink sink = {.take = take_labelled, .context = f, .watch = s->common.work.watch};
    f->evaluation.model = f->model;
    f->evaluation.task = task_or_any(f->model->task);
    f->evaluation.parses = f->model->trees;
    tag_score_init(&f->evaluation.score, tag_unit_of(f->model->labels.outer));
    if (!reading_options(&s->reading, &reading, err) || !measured_text_init(&f->evaluation.text, f->model, err))
        return false;
    measured_text_begin(&f->evaluation.text, s->labelled);
    reading.trees = f->model->trees;
    model_input_settle(f->model, &reading);
    struct reader *reader = reader_open(s->labelled, &reading, err);
    bool ok = reader && model_input_gold_apart(f->model, reader, reading.gold, err) &&
              answer_stream(request, reader, &sink, err);
    reader_close(reader);
    if (!ok || !measured_text_end(&f->evaluation.text, err))
        return false;
    if (f->sentences < 2)
        return fail(err, VOUCH_ERR_FORMAT, "%s: expected at least two labelled sentences, found %zu", s->labelled,
                    f->sentences);
    if (f->all_labels && !f->known_labels)
        return fail(err, VOUCH_ERR_FORMAT, "%s: the model knows none of these labels: expected those of its training",
                    s->labelled);
    if (f->known_labels < f->all_labels)
        watch_say(s->common.work.watch, VOUCH_EVENT_WARNING,
                  "warning: %llu words of %s have labels that the model does not know: its answers count as wrong",
                  (unsigned long long)(f->all_labels - f->known_labels), s->labelled);
    measured_text_warn(&f->evaluation.text, s->common.work.watch,
                       "other sentences will be answered less well");
    for (enum share share = 0; share < SHARES; share++) {
        f->by_labels[share] = labelled_forecast(f->sentence, f->sentences, &f->counts, share);
        f->forecast[share] = forecast_joined(&f->without[share], &f->by_labels[share]);
    }
    return true;
}

void text_forecast_release(struct text_forecast *f)
{
    evaluation_release(&f->evaluation);
    free(f->sentence);
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
    if (ok && !(f->counts.words > 0))
        ok = fail(err, VOUCH_ERR_FORMAT, "%s: expected sentences, found none",
                  s->common.arguments ? s->common.argument[0] : "-");
    for (enum share share = 0; ok && share < SHARES; share++)
        f->forecast[share] = f->without[share] = forecast_apply(&f->calibrated, &f->counts, share);
    for (enum likeness l = 0; ok && l < LIKENESSES; l++)
        f->unlike[l] = forecast_unlikeness(&f->calibrated, &f->counts, l);
    f->is_unlike = ok && forecast_is_unlike(&f->calibrated, &f->counts);
    ok = ok && (!s->labelled || use_labelled(f, &request, err));
    estimator_free(estimator);
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

/* Adds what is known without labels, and by labels without what was found in calibration. */
static void add_labelled(const struct text_forecast *f, enum share share, json_t *one)
{
    const struct labelled_forecast *by = &f->by_labels[share];
    const struct forecast *without = &f->without[share];
    json_object_set_new(one, "without_labels",
                        json_pack("{s:f, s:f, s:f}", "forecast", 100 * without->value, "low", 100 * without->low,
                                  "high", 100 * without->high));
    if (!isnan(by->value))
        json_object_set_new(one, "by_labels",
                            json_pack("{s:f, s:f, s:f, s:f}", "forecast", 100 * by->value, "low", 100 * by->low, "high",
                                      100 * by->high, "labelled_alone", 100 * by->alone));
}

json_t *text_forecast_json(const struct text_forecast *f)
{
    json_t *unlike = json_object();
    json_t *json =
        json_pack("{s:I, s:I}", "sentences", (json_int_t)f->counts.sentences, "words", (json_int_t)f->counts.words);
    if (f->options->labelled)
        json_object_set_new(json, "labelled_sentences", json_integer((json_int_t)f->sentences));
    for (enum share share = 0; share < SHARES; share++) {
        const struct forecast *of = &f->forecast[share];
        if (isnan(of->value))
            continue;
        json_t *one = json_pack("{s:f, s:f, s:f, s:f}", "forecast", 100 * of->value, "low", 100 * of->low, "high",
                                100 * of->high, "mean_probability", 100 * of->expected);
        if (f->options->labelled)
            add_labelled(f, share, one);
        else if (isfinite(of->to_label))
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
