/* Implements the functions of vouch.h that review a labelled corpus. */
#include "api/asked.h"
#include "base/status.h"
#include "review/reviewing.h"

#include <math.h>
#include <string.h>

/* A suspect has all of its strings in one block. */
struct vouch_suspects {
    struct vouch_suspect *item; /* [count] */
    char **block;               /* [count] */
    size_t count;
    struct vouch_review_totals totals;
};

void vouch_suspects_free(vouch_suspects *suspects)
{
    if (!suspects)
        return;
    for (size_t i = 0; suspects->block && i < suspects->count; i++)
        free(suspects->block[i]);
    free(suspects->block);
    free(suspects->item);
    free(suspects);
}

static double known(double number)
{
    return isfinite(number) ? number : NAN;
}

/* The strings of a row, one after the other in a block, each terminated. */
enum { STRINGS = ROW_PARTS + 5 };

static bool add_strings(struct buffer *block, const struct listed_row *row, size_t at[STRINGS], struct vouch_error *err)
{
    const struct text string[STRINGS] = {text_of(row->item->file),
                                         buffer_text(&row->part[ROW_TEXT]),
                                         buffer_text(&row->part[ROW_GIVEN]),
                                         buffer_text(&row->part[ROW_PROPOSED]),
                                         text_of(row->layer),
                                         text_of(row->why),
                                         buffer_text(&row->context),
                                         buffer_text(&row->others)};
    block->length = 0;
    for (int i = 0; i < STRINGS; i++) {
        at[i] = block->length;
        if (!buffer_add(block, string[i], err) || !buffer_put(block, '\0', err))
            return false;
    }
    return true;
}

static void fill_in(struct vouch_suspect *into, const struct listed_row *row, const char *block,
                    const size_t at[STRINGS])
{
    *into = (struct vouch_suspect){.size = sizeof *into,
                                   .file = block + at[0],
                                   .line = row->item->line,
                                   .word = row->item->suspect->from,
                                   .words = listed_words(row->item),
                                   .text = block + at[1],
                                   .given = block + at[2],
                                   .proposed = block + at[3],
                                   .error = known(row->measure[ROW_ERROR]),
                                   .confidence = known(row->measure[ROW_CONFIDENCE]),
                                   .margin = known(row->measure[ROW_MARGIN]),
                                   .votes = known(row->measure[ROW_VOTES]),
                                   .learned = known(row->measure[ROW_LEARNED]),
                                   .layer = block + at[4],
                                   .why = block + at[5],
                                   .context = block + at[6],
                                   .also = block + at[7]};
}

static bool take_rows(vouch_suspects *suspects, const struct listing *listing, struct vouch_error *err)
{
    struct listed_row row = {0};
    struct buffer block = {0};
    size_t at[STRINGS];
    bool ok = true;
    for (size_t i = 0; ok && i < suspects->count; i++) {
        ok = listed_row_fill(&row, listing, i, err) && add_strings(&block, &row, at, err) &&
             (suspects->block[i] = new_string(block.bytes, block.length, err)) != NULL;
        if (ok)
            fill_in(&suspects->item[i], &row, suspects->block[i], at);
    }
    free(block.bytes);
    listed_row_release(&row);
    return ok;
}

static vouch_suspects *suspects_of(const struct reviewing *r, struct vouch_error *err)
{
    struct vouch_suspects *suspects = new_array(1, sizeof *suspects, err);
    if (!suspects)
        return NULL;
    suspects->count = r->source.count;
    suspects->item = new_array(suspects->count, sizeof *suspects->item, err);
    suspects->block = new_array(suspects->count, sizeof *suspects->block, err);
    suspects->totals = (struct vouch_review_totals){.size = sizeof suspects->totals,
                                                    .judged = r->suspects.count,
                                                    .listed = r->source.count,
                                                    .among = r->among.count,
                                                    .among_least = r->among.least,
                                                    .among_most = r->among.most,
                                                    .all = r->all.count,
                                                    .all_least = r->all.least,
                                                    .all_most = r->all.most};
    if (suspects->item && suspects->block && take_rows(suspects, &r->listing, err))
        return suspects;
    vouch_suspects_free(suspects);
    return NULL;
}

/* Fails unless there is either a model that judges, or a task to learn models for. */
static bool judges_are_known(const vouch_model *model, const struct settings *settings, struct vouch_error *err)
{
    if (model && settings->task)
        return fail(err, VOUCH_ERR_ARGUMENT, "expected a model or the option \"task\", not both");
    return model || settings->task ||
           fail(err, VOUCH_ERR_ARGUMENT, "expected a model, or the option \"task\": np, chunk, ner, pos or dep");
}

vouch_suspects *vouch_review(const vouch_model *model, const vouch_options *options, const char *const *files,
                             size_t count, const struct vouch_watch *watch, struct vouch_error *err)
{
    struct asked asked;
    struct reviewing r = {.settings = &asked.settings, .model = model, .watch = watch};
    bool ok = asked_take(&asked, options, &review_options, files, count, err) && watch_is_whole(watch, err) &&
              judges_are_known(model, &asked.settings, err);
    if (ok && count == 0)
        ok = fail(err, VOUCH_ERR_ARGUMENT, "expected at least one labelled file");
    ok = ok && reviewing_prepare(&r, err) && reviewing_read(&r, err) && reviewing_judge(&r, err);
    vouch_suspects *suspects = ok ? suspects_of(&r, err) : NULL;
    reviewing_release(&r);
    asked_release(&asked);
    return suspects;
}

size_t vouch_suspects_count(const vouch_suspects *suspects)
{
    return suspects->count;
}

static bool get(const vouch_suspects *suspects, size_t index, struct vouch_suspect *into, struct vouch_error *err)
{
    if (!is_given(suspects, "suspects", err) || !is_given(into, "a suspect to fill in", err) ||
        !is_whole(into->size, sizeof *into, "vouch_suspect", err))
        return false;
    if (index >= suspects->count)
        return fail(err, VOUCH_ERR_ARGUMENT, "expected the number of a suspect below %zu, found %zu", suspects->count,
                    index);
    size_t size = into->size;
    *into = suspects->item[index];
    into->size = size;
    return true;
}

enum vouch_status vouch_suspects_get(const vouch_suspects *suspects, size_t index, struct vouch_suspect *suspect,
                                     struct vouch_error *err)
{
    struct vouch_error own = {0};
    err = err ? err : &own;
    return status_of(get(suspects, index, suspect, err), err);
}

enum vouch_status vouch_suspects_totals(const vouch_suspects *suspects, struct vouch_review_totals *totals,
                                        struct vouch_error *err)
{
    struct vouch_error own = {0};
    err = err ? err : &own;
    bool ok = is_given(suspects, "suspects", err) && is_given(totals, "totals to fill in", err) &&
              is_whole(totals->size, sizeof *totals, "vouch_review_totals", err);
    size_t size = ok ? totals->size : 0;
    if (ok) {
        *totals = suspects->totals;
        totals->size = size;
    }
    return status_of(ok, err);
}
