/* Implements the functions of vouch.h that evaluate, forecast, trade and choose what to label next. */
#include "api/asked.h"
#include "base/error.h"
#include "base/buffer.h"
#include "options/rows.h"
#include "eval/evaluation.h"
#include "forecast/text_forecast.h"
#include "active/next_sentences.h"
#include "scores/score_files.h"
#include "trade/trade.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

static double share(uint64_t part, uint64_t whole)
{
    return whole ? 100 * (double)part / (double)whole : NAN;
}

/* Returns the first method's ECE of one kind of answers; NAN if there are none. */
static double calibration_error(const struct evaluation *e, enum aspect aspect)
{
    const struct confidence_eval_rows *rows = &e->confidence_eval.rows[aspect];
    return e->judged && rows->present ? rows->method_eval[0].quality.reliability.ece : NAN;
}

/*
 * Copies the usual figures of an evaluation, which has a score of labels or one of trees, as far as the caller has room
 * for them.
 */
static void fill_in(struct vouch_evaluation *result, const struct evaluation *e)
{
    struct tag_rates rates = tag_rates(e->score.all);
    const struct attachment *heads = &e->trees.all;
    uint64_t words = e->score.words + heads->words;
    bool chunks = e->score.unit == TAG_CHUNKS;
    const struct quality *quality = e->judged ? &e->confidence_eval.rows[ASPECT_WORDS].method_eval[0].quality : NULL;
    struct vouch_evaluation all = {.size = result->size,
                                   .sentences = e->sentences,
                                   .words = words,
                                   .accuracy = share(e->score.right_words + heads->heads, words),
                                   .labelled_accuracy = e->labelled ? share(heads->labelled, heads->words) : NAN,
                                   .precision = chunks ? rates.precision : NAN,
                                   .recall = chunks ? rates.recall : NAN,
                                   .f1 = chunks ? rates.f1 : NAN,
                                   .average_precision = quality ? quality->ranking.average_precision : NAN,
                                   .risk_coverage = quality ? quality->ranking.area_under_risk_coverage : NAN,
                                   .calibration_error = calibration_error(e, ASPECT_WORDS),
                                   .calibration_error_inside = calibration_error(e, ASPECT_INSIDE),
                                   .calibration_error_chunks = calibration_error(e, ASPECT_SPANS)};
    memcpy(result, &all, result->size < sizeof all ? result->size : sizeof all);
}

static bool evaluate(const vouch_model *model, const struct eval_options *options, struct vouch_evaluation *result,
                     char **json, struct vouch_error *err)
{
    struct score_files *scores = NULL;
    bool ok = asks_a_model(options->columns, options->log, err) &&
              score_files_open_for(model, &options->source, &scores, err);
    struct evaluation e = {.options = options, .scores = scores};
    ok = ok && evaluation_run(&e, model, err);
    if (ok && e.sentences == 0)
        ok = fail(err, VOUCH_ERR_FORMAT, "%s: expected sentences, found none", options->common.argument[0]);
    if (ok && result)
        fill_in(result, &e);
    if (ok && json)
        ok = (*json = json_text(evaluation_json(&e), 6, err)) != NULL;
    evaluation_release(&e);
    score_files_free(scores);
    return ok;
}

enum vouch_status vouch_evaluate(const vouch_model *model, const vouch_options *options, const char *const *files,
                                 size_t count, const struct vouch_watch *watch, struct vouch_evaluation *result,
                                 char **json, struct vouch_error *err)
{
    struct asked asked;
    struct passed passed = {options, files, count, watch, &eval_options, "labelled file"};
    err = err ? err : &(struct vouch_error){0};
    if (json)
        *json = NULL;
    bool ok = asked_take(&asked, &passed, err) && is_given(model, "a model", err) &&
              (!result || is_whole(result->size, offsetof(struct vouch_evaluation, calibration_error_inside),
                                   "vouch_evaluation", err));
    if (ok && ((const struct eval_options *)asked.options)->folds)
        ok = fail(err, VOUCH_ERR_ARGUMENT, "--folds is for vouch_cross_validate()");
    ok = ok && evaluate(model, asked.options, result, json, err);
    asked_release(&asked);
    return status_of(ok, err);
}

static struct vouch_expected expected(const struct forecast *forecast)
{
    return (struct vouch_expected){100 * forecast->value, 100 * forecast->low, 100 * forecast->high};
}

enum vouch_status vouch_forecast(const vouch_model *model, const vouch_options *options, const char *const *files,
                                 size_t count, const struct vouch_watch *watch, struct vouch_outlook *result,
                                 char **json, struct vouch_error *err)
{
    struct asked asked;
    struct passed passed = {options, files, count, watch, &forecast_options, "file"};
    err = err ? err : &(struct vouch_error){0};
    if (json)
        *json = NULL;
    bool ok = asked_take(&asked, &passed, err) && is_given(model, "a model", err) &&
              (!result || is_whole(result->size, sizeof *result, "vouch_outlook", err));
    struct text_forecast f = {.options = asked.options, .model = model};
    ok = ok && text_forecast_run(&f, err);
    double to_label = ok ? f.forecast[forecast_main(&f)].to_label : NAN;
    if (ok && result)
        *result = (struct vouch_outlook){.size = result->size,
                                         .sentences = (uint64_t)f.counts.sentences,
                                         .words = (uint64_t)f.counts.words,
                                         .accuracy = expected(&f.forecast[SHARE_ACCURACY]),
                                         .precision = expected(&f.forecast[SHARE_PRECISION]),
                                         .recall = expected(&f.forecast[SHARE_RECALL]),
                                         .f1 = expected(&f.forecast[SHARE_F1]),
                                         .sentences_to_label = isfinite(to_label) ? (uint64_t)to_label : 0,
                                         .unlike = f.is_unlike};
    ok = ok && (!json || (*json = json_text(text_forecast_json(&f), 6, err)));
    text_forecast_release(&f);
    asked_release(&asked);
    return status_of(ok, err);
}

/* Returns the model with its operating point. */
static vouch_model *keep_point(const struct vouch_model *model, json_t *record, struct vouch_error *err)
{
    json_t *header = operating_point_header(model, record, err);
    struct output *out = header ? output_open_memory(err) : NULL;
    vouch_model *chosen = model_written(out, out && model_write_again(out, model, header, err), err);
    json_decref(header);
    return chosen;
}

/* Hands on the results for which the caller has passed a pointer. */
static bool hand_out(const struct trade *t, vouch_model **chosen, char **json, struct vouch_error *err)
{
    json_t *record = t->chosen ? trade_record(t, err) : NULL;
    bool ok = (record || !t->chosen) && (!json || (*json = json_text(trade_json(t, record), 9, err))) &&
              (!chosen || !record || (*chosen = keep_point(t->model, record, err)));
    json_decref(record);
    return ok;
}

enum vouch_status vouch_trade(const vouch_model *model, const vouch_options *options, const char *const *files,
                              size_t count, const struct vouch_watch *watch, vouch_model **chosen, char **json,
                              struct vouch_error *err)
{
    struct asked asked;
    struct passed passed = {options, files, count, watch, &trade_options, "labelled file"};
    err = err ? err : &(struct vouch_error){0};
    if (json)
        *json = NULL;
    if (chosen)
        *chosen = NULL;
    bool ok = asked_take(&asked, &passed, err) && is_given(model, "a model", err);
    struct score_files *scores = NULL;
    struct trade t = {.options = asked.options, .model = model};
    ok = ok && asks_a_model(t.options->columns, t.options->log, err) && trade_prepare(&t, err) &&
         score_files_open_for(model, &t.options->source, &scores, err);
    t.scores = scores;
    ok = ok && trade_open(&t, err) && trade_run(&t, err) && hand_out(&t, chosen, json, err);
    if (!ok && json) {
        free(*json);
        *json = NULL;
    }
    trade_release(&t);
    score_files_free(scores);
    asked_release(&asked);
    return status_of(ok, err);
}

/* Returns all sentences that were chosen, one after the other. */
static char *chosen_text(const struct next_sentences *next, struct vouch_error *err)
{
    struct buffer all = {0};
    bool ok = buffer_add(&all, (struct text){"", 0}, err);
    for (uint32_t i = 0; ok && i < next->count; i++) {
        size_t length;
        const char *text = shortlist_text(next->list, i, &length);
        ok = buffer_add(&all, (struct text){text, (uint32_t)length}, err);
    }
    if (ok)
        return all.bytes;
    free(all.bytes);
    return NULL;
}

enum vouch_status vouch_choose_next(const vouch_model *model, const vouch_options *options, const char *pool,
                                    const char *const *labelled, size_t count, const struct vouch_watch *watch,
                                    size_t *chosen, char **text, struct vouch_error *err)
{
    struct asked asked;
    struct passed passed = {options, labelled, count, watch, &active_options, NULL};
    err = err ? err : &(struct vouch_error){0};
    if (text)
        *text = NULL;
    bool ok = asked_take(&asked, &passed, err) && is_given(model, "a model", err);
    struct score_files *scores = NULL;
    struct next_sentences next = {.options = asked.options, .model = model};
    ok = ok && is_given(pool, "the file to choose from", err) && is_given(text, "room for the result", err) &&
         reading_options_to_answer(&next.options->reading, &next.reading, err) &&
         score_files_open_for(model, &next.options->source, &scores, err);
    next.scores = scores;
    ok = ok && next_sentences_choose(&next, pool, asked.file, asked.count, err) &&
         (*text = chosen_text(&next, err)) != NULL;
    if (ok && chosen)
        *chosen = next.count;
    next_sentences_release(&next);
    score_files_free(scores);
    asked_release(&asked);
    return status_of(ok, err);
}
