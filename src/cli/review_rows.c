/*
 * Writes a list of suspects as a table, and as JSON lines: see review_list.h.
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

static const char *const part_names[ROW_PARTS] = {"text", "given", "proposed"};
static const char *const measure_names[ROW_MEASURES] = {"error", "confidence", "margin", "votes", "learned"};

/* Writes a tab, and the text. If it starts with a quote it is put in quotes, and its own are doubled. */
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

static void write_tsv_row(const struct listed_row *row, bool trees, struct output *out)
{
    output_printf(out, "%zu", row->rank);
    write_field(out, text_of(row->item->file));
    output_printf(out, "\t%llu\t%u\t%u", (unsigned long long)row->item->line, row->item->suspect->from + 1,
                  listed_words(row->item));
    for (enum row_part p = ROW_TEXT; p < ROW_PARTS; p++)
        write_field(out, buffer_text(&row->part[p]));
    write_field(out, text_of("")); /* the decision */
    for (enum row_measure m = ROW_ERROR; m < ROW_MEASURES; m++)
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
    struct listed_row row = {0};
    bool ok = true;
    output_printf(out, "rank\tfile\tline\tword\twords");
    for (enum row_part p = ROW_TEXT; p < ROW_PARTS; p++)
        write_field(out, text_of(part_names[p]));
    write_field(out, text_of("decision"));
    for (enum row_measure m = ROW_ERROR; m < ROW_MEASURES; m++)
        write_field(out, text_of(measure_names[m]));
    output_printf(out, "\tlayer\twhy\tcontext%s\n", listing->source->parses ? "\talso" : "");
    for (size_t i = 0; ok && i < listing->source->count; i++) {
        ok = listed_row_fill(&row, listing, i, err);
        if (ok)
            write_tsv_row(&row, listing->source->parses, out);
    }
    listed_row_release(&row);
    return ok;
}

static json_t *json_buffer(const struct buffer *buffer)
{
    return json_stringn(buffer_text(buffer).at, buffer->length);
}

static json_t *json_row(const struct listed_row *row, bool trees)
{
    json_t *object = json_pack("{s:I, s:o, s:I, s:I, s:I}", "rank", (json_int_t)row->rank, "file",
                               saving_text(row->item->file), "line", (json_int_t)row->item->line, "word",
                               (json_int_t)row->item->suspect->from + 1, "words", (json_int_t)listed_words(row->item));
    bool ok = object != NULL;
    for (enum row_part p = ROW_TEXT; ok && p < ROW_PARTS; p++)
        ok = json_object_set_new(object, part_names[p], json_buffer(&row->part[p])) == 0;
    for (enum row_measure m = ROW_ERROR; ok && m < ROW_MEASURES; m++)
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
    struct listed_row row = {0};
    bool ok = true;
    for (size_t i = 0; ok && i < listing->source->count; i++) {
        ok = listed_row_fill(&row, listing, i, err);
        json_t *object = ok ? json_row(&row, listing->source->parses) : NULL;
        char *line = object ? json_dumps(object, JSON_REAL_PRECISION(4)) : NULL;
        if (line)
            output_printf(out, "%s\n", line);
        else if (ok)
            ok = fail_memory(err);
        free(line);
        json_decref(object);
    }
    listed_row_release(&row);
    return ok;
}
