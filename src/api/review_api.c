/*
 * Implements the functions of vouch.h that review a labelled corpus.
 *
 * They run the stages of review/review.h, as vouch review does, and keep the list alone: a suspect is a view of a row
 * of it. Numbers that were not computed are NAN.
 */
#include "api/asked.h"
#include "base/error.h"
#include "review/review.h"
#include "scores/score_files.h"

#include <math.h>

struct vouch_suspects {
    struct review_list list;
};

void vouch_suspects_free(vouch_suspects *suspects)
{
    if (suspects)
        review_list_release(&suspects->list);
    free(suspects);
}

/* Fails unless there is either a model that judges, or a task to learn models for. */
static bool judges_are_known(const vouch_model *model, const struct review_options *options, struct vouch_error *err)
{
    if (model && options->learner.task)
        return fail(err, VOUCH_ERR_ARGUMENT, "expected a model or the option \"task\", not both");
    return model || options->learner.task ||
           fail(err, VOUCH_ERR_ARGUMENT, "expected a model, or the option \"task\": np, chunk, ner, pos or dep");
}

vouch_suspects *vouch_review(const vouch_model *model, const vouch_options *options, const char *const *files,
                             size_t count, const struct vouch_watch *watch, struct vouch_error *err)
{
    struct asked asked;
    struct passed passed = {options, files, count, watch, &review_options, "labelled file"};
    vouch_suspects *suspects = new_array(1, sizeof *suspects, err);
    bool ok = asked_take(&asked, &passed, err) && suspects && judges_are_known(model, asked.options, err);
    struct score_files *scores = NULL;
    struct review r = {.options = asked.options, .model = model};
    ok = ok && review_prepare(&r, err) && (!model || score_files_open_for(model, &r.options->source, &scores, err));
    r.scores = scores;
    ok = ok && review_read(&r, err) && review_judge(&r, err);
    if (ok) {
        suspects->list = r.list;
        r.list = (struct review_list){0};
    }
    review_release(&r);
    score_files_free(scores);
    asked_release(&asked);
    if (!ok)
        vouch_suspects_free(suspects);
    return ok ? suspects : NULL;
}

size_t vouch_suspects_count(const vouch_suspects *suspects)
{
    return suspects->list.count;
}

static double known(double number)
{
    return isfinite(number) ? number : NAN;
}

enum vouch_status vouch_suspects_get(const vouch_suspects *suspects, size_t index, struct vouch_suspect *suspect,
                                     struct vouch_error *err)
{
    err = err ? err : &(struct vouch_error){0};
    if (!is_given(suspects, "suspects", err) || !is_given(suspect, "a suspect to fill in", err) ||
        !is_whole(suspect->size, sizeof *suspect, "vouch_suspect", err))
        return err->status;
    if (index >= suspects->list.count) {
        fail(err, VOUCH_ERR_ARGUMENT, "expected the number of a suspect below %zu, found %zu", suspects->list.count,
             index);
        return err->status;
    }
    const struct row *row = &suspects->list.row[index];
    const char *string[ROW_STRINGS];
    for (int s = 0; s < ROW_STRINGS; s++)
        string[s] = list_text(&suspects->list, row->string[s]).at;
    *suspect = (struct vouch_suspect){.size = suspect->size,
                                      .file = string[ROW_FILE],
                                      .line = row->line,
                                      .word = row->word,
                                      .words = row->words,
                                      .text = string[ROW_TEXT],
                                      .given = string[ROW_GIVEN],
                                      .proposed = string[ROW_PROPOSED],
                                      .error = known(row->measure[ROW_ERROR]),
                                      .confidence = known(row->measure[ROW_CONFIDENCE]),
                                      .margin = known(row->measure[ROW_MARGIN]),
                                      .votes = known(row->measure[ROW_VOTES]),
                                      .learned = known(row->measure[ROW_LEARNED]),
                                      .layer = string[ROW_LAYER],
                                      .why = string[ROW_WHY],
                                      .context = string[ROW_CONTEXT],
                                      .also = string[ROW_ALSO],
                                      .audit = string[ROW_AUDIT]};
    return VOUCH_OK;
}

enum vouch_status vouch_suspects_totals(const vouch_suspects *suspects, struct vouch_review_totals *totals,
                                        struct vouch_error *err)
{
    err = err ? err : &(struct vouch_error){0};
    if (!is_given(suspects, "suspects", err) || !is_given(totals, "totals to fill in", err) ||
        !is_whole(totals->size, sizeof *totals, "vouch_review_totals", err))
        return err->status;
    const struct review_list *list = &suspects->list;
    bool audited = list->errors.items > 0;
    *totals = (struct vouch_review_totals){.size = totals->size,
                                           .judged = list->judged,
                                           .listed = list->count,
                                           .audited = list->errors.items,
                                           .drawn = list->errors.drawn,
                                           .decided = list->errors.decided,
                                           .errors = audited ? list->errors.count : NAN,
                                           .errors_least = audited ? list->errors.least : NAN,
                                           .errors_most = audited ? list->errors.most : NAN};
    return VOUCH_OK;
}
