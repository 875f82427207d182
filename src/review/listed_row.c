/* Prepares one item of a list of suspects to be shown: see listing.h. */
#include "review/listing.h"

#include <inttypes.h>
#include <stdio.h>

void listed_row_release(struct listed_row *row)
{
    for (enum row_part p = ROW_TEXT; p < ROW_PARTS; p++)
        free(row->part[p].bytes);
    free(row->context.bytes);
    free(row->others.bytes);
}

/* Joins one of the texts of all words, separated by blanks. */
static bool join(const struct listing *listing, const struct listed *item, enum row_part part, struct buffer *into,
                 struct vouch_error *err)
{
    for (uint32_t i = 0; i < listed_words(item); i++) {
        const struct listed_word *word = &listing->word[item->first + i];
        struct piece piece = part == ROW_TEXT ? word->form : part == ROW_GIVEN ? word->given : word->proposed;
        if ((i > 0 && !buffer_put(into, ' ', err)) || !buffer_add(into, listing_text(listing, piece), err))
            return false;
    }
    return true;
}

/* Writes the sentence, with the item in brackets. */
static bool fill_context(const struct listing *listing, const struct listed *item, struct buffer *into,
                         struct vouch_error *err)
{
    return buffer_add(into, listing_text(listing, item->before), err) &&
           buffer_add(into, text_of(item->before.length ? " [" : "["), err) &&
           join(listing, item, ROW_TEXT, into, err) &&
           buffer_add(into, text_of(item->after.length ? "] " : "]"), err) &&
           buffer_add(into, listing_text(listing, item->after), err);
}

/* Writes the arcs that change with the item, as in "7:0:root->3:obj": word 7 moves from the root to word 3. */
static bool fill_others(const struct listing *listing, const struct listed *item, struct buffer *into,
                        struct vouch_error *err)
{
    const struct listed_word *word = listing->word + item->first + listed_words(item);
    for (uint32_t i = 0; i < item->others; i++) {
        char number[16];
        snprintf(number, sizeof number, "%s%" PRIu32 ":", i ? " " : "", word[i].number);
        if (!buffer_add(into, text_of(number), err) || !buffer_add(into, listing_text(listing, word[i].given), err) ||
            !buffer_add(into, text_of("->"), err) || !buffer_add(into, listing_text(listing, word[i].proposed), err))
            return false;
    }
    return true;
}

bool listed_row_fill(struct listed_row *row, const struct listing *listing, size_t i, struct vouch_error *err)
{
    const struct listed *item = row->item = &listing->item[i];
    const struct finding *worst = listed_worst(listing, item);
    row->rank = i + 1;
    row->measure[ROW_ERROR] = item->suspect->error;
    row->measure[ROW_CONFIDENCE] = (double)worst->probability;
    row->measure[ROW_MARGIN] = (double)worst->margin;
    row->measure[ROW_VOTES] = (double)worst->votes;
    row->measure[ROW_LEARNED] = (double)worst->learned;
    row->layer = listing->source->corpus->dataset.layer[item->suspect->layer].name;
    listed_why(listing, item, row->why);
    row->context.length = row->others.length = 0;
    bool ok = fill_context(listing, item, &row->context, err) && fill_others(listing, item, &row->others, err);
    for (enum row_part p = ROW_TEXT; ok && p < ROW_PARTS; p++) {
        row->part[p].length = 0;
        ok = join(listing, item, p, &row->part[p], err);
    }
    return ok;
}
