/*
 * A list of suspects as a table, and as JSON lines: see review_list.h.
 *
 * Both have the same columns; lists of trees have one more, the arcs that
 * change with a proposal so that the tree stays a tree. Fields of the table
 * hold no tab and no end of a line: where a corpus has them they become blanks.
 * A field that starts with a quote is quoted, since spreadsheets would otherwise
 * read everything up to the next quote as one field.
 */
#include "cli/review_list.h"

#include "base/output.h"
#include "cli/saving.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

enum part { FORM, GIVEN, PROPOSED, PARTS };
enum measure { ERROR, CONFIDENCE, MARGIN, VOTES, LEARNED, MEASURES };

static const char *const part_names[PARTS] = {"text", "given", "proposed"};
static const char *const measure_names[MEASURES] = {"error", "confidence", "margin", "votes", "learned"};

/* One item, ready to be written; its memory is used again for the next. */
struct row {
    const struct listed *item;
    size_t rank;
    struct buffer part[PARTS], context, others;
    double measure[MEASURES]; /* NAN, or infinite: not known */
    const char *layer;
    char why[WHY_ROOM];
};

static void row_release(struct row *row)
{
    for (enum part p = FORM; p < PARTS; p++)
        free(row->part[p].bytes);
    free(row->context.bytes);
    free(row->others.bytes);
}

/* One of the texts of all words, separated by blanks. */
static bool join(const struct listing *listing, const struct listed *item, enum part part, struct buffer *into,
                 struct vouch_error *err)
{
    for (uint32_t i = 0; i < listed_words(item); i++) {
        const struct listed_word *word = &listing->word[item->first + i];
        struct piece piece = part == FORM ? word->form : part == GIVEN ? word->given : word->proposed;
        if ((i > 0 && !buffer_put(into, ' ', err)) || !buffer_add(into, listing_text(listing, piece), err))
            return false;
    }
    return true;
}

/* The sentence, with the item in brackets. */
static bool fill_context(const struct listing *listing, const struct listed *item, struct buffer *into,
                         struct vouch_error *err)
{
    return buffer_add(into, listing_text(listing, item->before), err) &&
           buffer_add(into, text_of(item->before.length ? " [" : "["), err) && join(listing, item, FORM, into, err) &&
           buffer_add(into, text_of(item->after.length ? "] " : "]"), err) &&
           buffer_add(into, listing_text(listing, item->after), err);
}

/* The arcs that change with the item, as in "7:0:root->3:obj": word 7 moves from the root to word 3. */
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

static bool fill_row(const struct listing *listing, size_t i, struct row *row, struct vouch_error *err)
{
    const struct listed *item = row->item = &listing->item[i];
    const struct finding *worst = listed_worst(listing, item);
    row->rank = i + 1;
    row->measure[ERROR] = item->suspect->error;
    row->measure[CONFIDENCE] = (double)worst->probability;
    row->measure[MARGIN] = (double)worst->margin;
    row->measure[VOTES] = (double)worst->votes;
    row->measure[LEARNED] = (double)worst->learned;
    row->layer = listing->source->corpus->dataset.layer[item->suspect->layer].name;
    listed_why(listing, item, row->why);
    row->context.length = row->others.length = 0;
    bool ok = fill_context(listing, item, &row->context, err) && fill_others(listing, item, &row->others, err);
    for (enum part p = FORM; ok && p < PARTS; p++) {
        row->part[p].length = 0;
        ok = join(listing, item, p, &row->part[p], err);
    }
    return ok;
}

/* A tab, and the text. If it starts with a quote it is put in quotes, and its own are doubled. */
static void write_field(struct output *out, struct text text)
{
    bool quoted = text.length > 0 && text.at[0] == '"';
    output_write(out, "\t\"", quoted ? 2 : 1);
    for (uint32_t i = 0; i < text.length; i++) {
        output_write(out, (unsigned char)text.at[i] < ' ' ? " " : text.at + i, 1);
        output_write(out, "\"", quoted && text.at[i] == '"');
    }
    output_write(out, "\"", quoted);
}

static void write_tsv_row(const struct row *row, bool trees, struct output *out)
{
    output_printf(out, "%zu", row->rank);
    write_field(out, text_of(row->item->file));
    output_printf(out, "\t%llu\t%u\t%u", (unsigned long long)row->item->line, row->item->suspect->from + 1,
                  listed_words(row->item));
    for (enum part p = FORM; p < PARTS; p++)
        write_field(out, buffer_text(&row->part[p]));
    write_field(out, text_of("")); /* the decision */
    for (enum measure m = ERROR; m < MEASURES; m++)
        output_printf(out, isfinite(row->measure[m]) ? "\t%.4g" : "\t", row->measure[m]);
    write_field(out, text_of(row->layer));
    write_field(out, text_of(row->why));
    write_field(out, buffer_text(&row->context));
    if (trees)
        write_field(out, buffer_text(&row->others));
    output_write(out, "\n", 1);
}

bool listing_write_tsv(const struct listing *listing, struct output *out, struct vouch_error *err)
{
    struct row row = {0};
    bool ok = true;
    output_printf(out, "rank\tfile\tline\tword\twords");
    for (enum part p = FORM; p < PARTS; p++)
        write_field(out, text_of(part_names[p]));
    write_field(out, text_of("decision"));
    for (enum measure m = ERROR; m < MEASURES; m++)
        write_field(out, text_of(measure_names[m]));
    output_printf(out, "\tlayer\twhy\tcontext%s\n", listing->source->parses ? "\talso" : "");
    for (size_t i = 0; ok && i < listing->source->count; i++) {
        ok = fill_row(listing, i, &row, err);
        if (ok)
            write_tsv_row(&row, listing->source->parses, out);
    }
    row_release(&row);
    return ok;
}

static json_t *json_buffer(const struct buffer *buffer)
{
    return json_stringn(buffer_text(buffer).at, buffer->length);
}

static json_t *json_row(const struct row *row, bool trees)
{
    json_t *object = json_pack("{s:I, s:o, s:I, s:I, s:I}", "rank", (json_int_t)row->rank, "file",
                               saving_text(row->item->file), "line", (json_int_t)row->item->line, "word",
                               (json_int_t)row->item->suspect->from + 1, "words", (json_int_t)listed_words(row->item));
    bool ok = object != NULL;
    for (enum part p = FORM; ok && p < PARTS; p++)
        ok = json_object_set_new(object, part_names[p], json_buffer(&row->part[p])) == 0;
    for (enum measure m = ERROR; ok && m < MEASURES; m++)
        ok = json_object_set_new(object, measure_names[m],
                                 isfinite(row->measure[m]) ? json_real(row->measure[m]) : json_null()) == 0;
    ok = ok && json_object_set_new(object, "layer", json_string(row->layer)) == 0 &&
         json_object_set_new(object, "why", json_string(row->why)) == 0 &&
         json_object_set_new(object, "context", json_buffer(&row->context)) == 0 &&
         (!trees || json_object_set_new(object, "also", json_buffer(&row->others)) == 0);
    if (!ok)
        json_decref(object);
    return ok ? object : NULL;
}

bool listing_write_jsonl(const struct listing *listing, struct output *out, struct vouch_error *err)
{
    struct row row = {0};
    bool ok = true;
    for (size_t i = 0; ok && i < listing->source->count; i++) {
        ok = fill_row(listing, i, &row, err);
        json_t *object = ok ? json_row(&row, listing->source->parses) : NULL;
        char *line = object ? json_dumps(object, JSON_REAL_PRECISION(4)) : NULL;
        if (line)
            output_printf(out, "%s\n", line);
        else if (ok)
            ok = fail_memory(err);
        free(line);
        json_decref(object);
    }
    row_release(&row);
    return ok;
}
