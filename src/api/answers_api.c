/* Implements the functions of vouch.h about answers of other programs. */
#include "api/asked.h"

#include "base/error.h"
#include "eval/file_comparison.h"
#include "trade/trade.h"
#include "tune/tuning.h"
#include "vote/vote.h"

#include <string.h>

/* What the functions about one file of answers are passed. */
struct given_answers {
    struct asked asked;
    struct answer_calibration calibration; /* if there is one */
};

static bool take_answers(struct given_answers *g, const vouch_options *options, const struct option_table *table,
                         const char *answers, const char *gold, const char *calibration,
                         const struct vouch_watch *watch, struct vouch_error *err)
{
    const char *const files[] = {gold};
    struct passed passed = {options, files, gold ? 1 : 0, watch, table, NULL};
    *g = (struct given_answers){0};
    return asked_take(&g->asked, &passed, err) && is_given(answers, "a file of answers", err) &&
           (!calibration || answer_calibration_parse(&g->calibration, calibration, err));
}

static enum vouch_status release_answers(struct given_answers *g, bool ok, struct vouch_error *err)
{
    answer_calibration_release(&g->calibration);
    asked_release(&g->asked);
    return status_of(ok, err);
}

static bool measure(const struct eval_options *options, const struct answer_calibration *calibration, char **json,
                    struct vouch_error *err)
{
    struct file_comparison c = {.e = {.options = options}, .calibration = calibration};
    bool ok = file_comparison_prepare(&c, err) && file_comparison_open(&c, err);
    if (ok && !c.gold && c.answers->alone)
        ok = fail(err, VOUCH_ERR_ARGUMENT, "%s: expected the gold file, too", c.answers->path);
    ok = ok && file_comparison_run(&c, err);
    if (ok && c.e.score.words + c.e.trees.all.words == 0)
        ok = fail(err, VOUCH_ERR_FORMAT, "%s: expected answers, found none", c.answers->path);
    ok = ok && (*json = json_text(evaluation_json(&c.e), 6, err)) != NULL;
    file_comparison_release(&c);
    return ok;
}

enum vouch_status vouch_answers_measure(const vouch_options *options, const char *answers, const char *gold,
                                        const char *calibration, const struct vouch_watch *watch, char **json,
                                        struct vouch_error *err)
{
    struct given_answers g;
    err = err ? err : &(struct vouch_error){0};
    if (json)
        *json = NULL;
    bool ok = take_answers(&g, options, &eval_options, answers, gold, calibration, watch, err) &&
              is_given(json, "room for the result", err);
    if (ok) {
        ((struct eval_options *)g.asked.options)->answers = answers;
        ok = measure(g.asked.options, calibration ? &g.calibration : NULL, json, err);
    }
    return release_answers(&g, ok, err);
}

enum vouch_status vouch_answers_tune(const vouch_options *options, const char *answers, const char *gold,
                                     const struct vouch_watch *watch, char **calibration, struct vouch_error *err)
{
    struct given_answers g;
    err = err ? err : &(struct vouch_error){0};
    if (calibration)
        *calibration = NULL;
    bool ok = take_answers(&g, options, &tune_options, answers, gold, NULL, watch, err) &&
              is_given(calibration, "room for the result", err);
    struct output *out = ok ? output_open_memory(err) : NULL;
    if (out) {
        ((struct tune_options *)g.asked.options)->answers = answers;
        ok = answers_tune(g.asked.options, &g.calibration, err) &&
             answer_calibration_write(&g.calibration, answers, "vouch_answers_tune", out, err);
        *calibration = written_text(out, ok, err);
    }
    return release_answers(&g, out && ok && *calibration, err);
}

enum vouch_status vouch_answers_apply(const vouch_options *options, const char *answers, const char *calibration,
                                      char **text, struct vouch_error *err)
{
    struct given_answers g;
    err = err ? err : &(struct vouch_error){0};
    if (text)
        *text = NULL;
    bool ok = is_given(calibration, "a calibration", err) && is_given(text, "room for the result", err);
    ok = take_answers(&g, options, &tag_options, answers, NULL, calibration, NULL, err) && ok;
    struct output *out = ok ? output_open_memory(err) : NULL;
    if (out) {
        ((struct answer_options *)g.asked.options)->answers = answers;
        ok = answers_complete(g.asked.options, &g.calibration, "the calibration", out, err);
        *text = written_text(out, ok, err);
    }
    return release_answers(&g, out && ok && *text, err);
}

static bool trade(const struct trade_options *options, const struct answer_calibration *calibration, char **chosen,
                  char **json, struct vouch_error *err)
{
    struct trade t = {.options = options, .calibration = calibration};
    bool ok = trade_prepare(&t, err) && trade_open_spans(&t, err) && trade_run(&t, err);
    json_t *record = ok && t.chosen ? trade_record(&t, err) : NULL;
    ok = ok && (record || !t.chosen) && (!json || (*json = json_text(trade_json(&t, record), 9, err)));
    if (ok && chosen && record && calibration) {
        struct output *out = output_open_memory(err);
        *chosen = written_text(out, out && answer_calibration_keep(calibration, record, out, err), err);
        ok = *chosen != NULL;
    }
    json_decref(record);
    trade_release(&t);
    return ok;
}

enum vouch_status vouch_answers_trade(const vouch_options *options, const char *answers, const char *gold,
                                      const char *calibration, const struct vouch_watch *watch, char **chosen,
                                      char **json, struct vouch_error *err)
{
    struct given_answers g;
    err = err ? err : &(struct vouch_error){0};
    if (json)
        *json = NULL;
    if (chosen)
        *chosen = NULL;
    bool ok = take_answers(&g, options, &trade_options, answers, gold, calibration, watch, err);
    if (ok) {
        ((struct trade_options *)g.asked.options)->answers = answers;
        ok = trade(g.asked.options, calibration ? &g.calibration : NULL, chosen, json, err);
    }
    if (!ok && json) {
        free(*json);
        *json = NULL;
    }
    return release_answers(&g, ok, err);
}

enum vouch_status vouch_vote(const vouch_options *options, const char *const *files, size_t count, char **text,
                             struct vouch_error *err)
{
    struct asked asked;
    struct passed passed = {options, files, count, NULL, &vote_options, "file of answers"};
    err = err ? err : &(struct vouch_error){0};
    if (text)
        *text = NULL;
    bool ok = asked_take(&asked, &passed, err) && is_given(text, "room for the result", err);
    struct output *out = ok ? output_open_memory(err) : NULL;
    if (out)
        *text = written_text(out, votes_write(asked.options, out, err), err);
    asked_release(&asked);
    return status_of(out && *text, err);
}
