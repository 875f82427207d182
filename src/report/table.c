/*
 * Builds tables and writes them as Markdown, CSV and HTML: see table.h. All texts are kept in one list, which is freed
 * at once.
 *
 * Published numbers are in brackets in Markdown, in columns of their own in CSV, and below ours, small, in HTML; those
 * measured on other data are in italics, and marked in CSV.
 */
#include "report/table.h"

#include "base/elementary.h"
#include "base/memory.h"
#include "report/page.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Returns a copy, or NULL with the table broken. */
static char *copy(struct table *table, const char *text)
{
    char *own = RESERVE(table->text, table->text_capacity, table->texts + 1, NULL)
                    ? new_string(text, strlen(text), NULL)
                    : NULL;
    table->broken |= !own;
    if (own)
        table->text[table->texts++] = own;
    return own;
}

void table_init(struct table *table, const char *name, const char *title, const char *corner, enum better better)
{
    *table = (struct table){.better = better};
    table->name = copy(table, name);
    table->title = copy(table, title);
    table->corner = copy(table, corner);
}

void table_release(struct table *table)
{
    for (size_t i = 0; i < table->rows; i++)
        free(table->row[i].cell);
    for (size_t i = 0; i < table->texts; i++)
        free(table->text[i]);
    free(table->text);
    free(table->row);
    free(table->column);
    prose_release(&table->says);
    *table = (struct table){0};
}

void table_add_column(struct table *table, struct table_column column)
{
    table->broken |= !RESERVE(table->column, table->column_capacity, table->columns + 1, NULL);
    if (table->broken)
        return;
    column.name = copy(table, column.name);
    column.group = copy(table, column.group ? column.group : "");
    table->column[table->columns++] = column;
}

void table_add_row(struct table *table, const char *name, bool other)
{
    table->broken |= !RESERVE(table->row, table->row_capacity, table->rows + 1, NULL);
    struct table_row row = {.name = copy(table, name), .other = other};
    row.cell = table->broken ? NULL : new_array(table->columns, sizeof *row.cell, NULL);
    table->broken |= !row.cell;
    if (table->broken)
        return;
    for (size_t j = 0; j < table->columns; j++)
        row.cell[j] = (struct table_cell){NAN, NAN, NAN, NULL};
    table->row[table->rows++] = row;
}

struct table_cell *table_cell(struct table *table, size_t column)
{
    bool there = !table->broken && table->rows && column < table->columns;
    return there ? &table->row[table->rows - 1].cell[column] : &table->spare;
}

void table_put(struct table *table, size_t column, double number)
{
    table_cell(table, column)->number = number;
}

void table_put_text(struct table *table, size_t column, const char *text)
{
    table_cell(table, column)->text = copy(table, text);
}

void table_add_means(struct table *table, const char *name)
{
    size_t rows = table->rows;
    if (rows < 2)
        return;
    table_add_row(table, name, false);
    if (table->broken)
        return;
    table->row[rows].mean = true;
    for (size_t j = 0; j < table->columns; j++) {
        double number = 0, published = 0;
        for (size_t i = 0; i < rows; i++) {
            number += table->row[i].cell[j].number;
            published += table->row[i].other ? NAN : table->row[i].cell[j].published;
        }
        table->row[rows].cell[j] = (struct table_cell){number / (double)rows, published / (double)rows, NAN, NULL};
    }
}

bool table_is_empty(const struct table *table, size_t column)
{
    for (size_t i = 0; i < table->rows; i++)
        if (!isnan(table->row[i].cell[column].number) || table->row[i].cell[column].text)
            return false;
    return true;
}

/* Returns the number rounded as it is written, so that numbers that look equal are equal. */
static double rounded(const struct table *table, const struct table_row *row, size_t column)
{
    return nearbyint(row->cell[column].number * ten_to(table->column[column].digits));
}

static bool competes(const struct table *table, const struct table_row *row, size_t column)
{
    return table->better != BETTER_NEITHER && table->column[column].rival && !isnan(row->cell[column].number);
}

/* Whether it takes part, with others of its group, of which none is better. */
static bool is_best(const struct table *table, const struct table_row *row, size_t column)
{
    size_t others = 0;
    double sign = table->better == BETTER_HIGHER ? 1 : -1, mine = sign * rounded(table, row, column);
    if (!competes(table, row, column))
        return false;
    for (size_t j = 0; j < table->columns; j++) {
        bool together = strcmp(table->column[j].group, table->column[column].group) == 0;
        if (j == column || !together || !competes(table, row, j))
            continue;
        if (sign * rounded(table, row, j) > mine)
            return false;
        others++;
    }
    return others > 0;
}

size_t table_best_of(const struct table *table, const struct table_row *row)
{
    size_t j = 0;
    while (j < table->columns && !is_best(table, row, j))
        j++;
    return j;
}

size_t table_wins(const struct table *table, size_t column, size_t *of)
{
    size_t wins = 0;
    *of = 0;
    for (size_t i = 0; i < table->rows; i++) {
        const struct table_row *row = &table->row[i];
        if (row->mean || table_best_of(table, row) == table->columns)
            continue;
        ++*of;
        wins += is_best(table, row, column);
    }
    return wins;
}

const struct table_row *table_means(const struct table *table)
{
    return table->rows && table->row[table->rows - 1].mean ? &table->row[table->rows - 1] : NULL;
}

bool table_whole(const struct table *table, struct vouch_error *err)
{
    return (!table->broken && !table->says.broken) || fail_memory(err);
}

const char *stars_of(double p)
{
    return p < 0.001 ? "***" : p < 0.01 ? "**" : p < 0.05 ? "*" : "";
}

/* Writing. */

/* Goes through the columns that have something in them: the others are not written. */
static size_t column_from(const struct table *table, size_t column)
{
    while (column < table->columns && table_is_empty(table, column))
        column++;
    return column;
}
#define EACH_COLUMN(j, table)                                                                                          \
    size_t j = column_from(table, 0);                                                                                  \
    j < (table)->columns;                                                                                              \
    j = column_from(table, j + 1)

/* Parts of a cell that only some cells have. */
enum trait { PUBLISHED, PUBLISHED_ON_OTHER_DATA, TEST, TEXT, BEST };

static bool has(const struct table *table, const struct table_row *row, size_t column, enum trait trait)
{
    const struct table_cell *cell = &row->cell[column];
    return trait == PUBLISHED                 ? !isnan(cell->published)
           : trait == PUBLISHED_ON_OTHER_DATA ? !isnan(cell->published) && row->other
           : trait == TEST                    ? !isnan(cell->p)
           : trait == TEXT                    ? cell->text != NULL
                                              : is_best(table, row, column);
}

static bool any_in_column(const struct table *table, size_t column, enum trait trait)
{
    for (size_t i = 0; i < table->rows; i++)
        if (has(table, &table->row[i], column, trait))
            return true;
    return false;
}

static bool any(const struct table *table, enum trait trait)
{
    for (EACH_COLUMN(j, table))
        if (any_in_column(table, j, trait))
            return true;
    return false;
}

static bool any_published(const struct table *table, const struct table_row *row)
{
    for (EACH_COLUMN(j, table))
        if (row && !isnan(row->cell[j].published))
            return true;
    return false;
}

/* What differs between Markdown and HTML: how text is written, and what is before and after. */
typedef void put_function(struct output *out, const char *before, const char *text, const char *after);
static const struct markup {
    put_function *put;
    const char *cell[2], *bold[2], *stars[2], *published[2], *slant[2];
} markdown = {markdown_put, {" ", " |"}, {"**", "**"}, {"", ""}, {" (", ")"}, {"*", "*"}},
  html = {page_put,
          {"<td class=\"number\">", "</td>"},
          {"<b>", "</b>"},
          {"<sup>", "</sup>"},
          {"<span class=\"published\">", "</span>"},
          {"<i>", "</i>"}};

static void put_cell(const struct table *table, size_t row, size_t column, struct output *out, const struct markup *m)
{
    const struct table_cell *cell = &table->row[row].cell[column];
    bool best = is_best(table, &table->row[row], column), slant = table->row[row].other;
    struct shown_number room;
    output_printf(out, "%s", m->cell[0]);
    if (cell->text) {
        m->put(out, "", cell->text, "");
    } else if (isnan(cell->number)) {
        output_printf(out, "\xe2\x80\x93");
    } else {
        output_printf(out, "%s%s%s", best ? m->bold[0] : "",
                      prose_number(&room, cell->number, table->column[column].digits), best ? m->bold[1] : "");
        if (stars_of(cell->p)[0])
            m->put(out, m->stars[0], stars_of(cell->p), m->stars[1]);
    }
    if (!isnan(cell->published)) {
        output_printf(out, "%s%s%s%s%s", m->published[0], slant ? m->slant[0] : "",
                      prose_number(&room, cell->published, table->column[column].published_digits),
                      slant ? m->slant[1] : "", m->published[1]);
    }
    output_printf(out, "%s", m->cell[1]);
}

/* Explains the signs, a sentence for each that is used. */
static void put_legend(const struct table *table, struct output *out, put_function *put, const char *published)
{
    if (any(table, BEST))
        put(out, "",
            table->better == BETTER_HIGHER ? "Bold: the best of its row, the highest. "
                                           : "Bold: the best of its row, the lowest. ",
            "");
    if (any(table, TEST))
        put(out, "", "Stars: differs from the first column by a paired t-test, * with p < 0.05, ** 0.01, *** 0.001. ",
            "");
    if (!any(table, PUBLISHED))
        return;
    put(out, "", published, ": as published");
    put(out, "", any(table, PUBLISHED_ON_OTHER_DATA) ? ", in italics if measured on other data" : "", "");
    put(out, "", any_published(table, table_means(table)) ? "; in the last row, the means of those." : ".", "");
}

/* Markdown. */

void table_write_markdown(const struct table *table, struct output *out)
{
    markdown_put(out, "**", table->title, "**\n\n");
    markdown_put(out, "| ", table->corner, " |");
    for (EACH_COLUMN(j, table)) {
        markdown_put(out, " ", table->column[j].group, table->column[j].group[0] ? ": " : "");
        markdown_put(out, "", table->column[j].name, " |");
    }
    output_printf(out, "\n|---|");
    for (EACH_COLUMN(j, table))
        output_printf(out, any_in_column(table, j, TEXT) ? "---|" : "--:|");
    output_printf(out, "\n");
    for (size_t i = 0; i < table->rows; i++) {
        markdown_put(out, "| ", table->row[i].name, " |");
        for (EACH_COLUMN(j, table))
            put_cell(table, i, j, out, &markdown);
        output_printf(out, "\n");
    }
    if (table->says.text)
        markdown_put(out, "\n", table->says.text, "\n");
    output_printf(out, "\n");
    put_legend(table, out, markdown_put, "In brackets");
    output_printf(out, "\n");
}

/* CSV: RFC 4180, except that lines end in LF. */

static void put_field(struct output *out, const char *before, const char *text)
{
    const char *quote = strpbrk(text, ",\"\r\n") ? "\"" : "";
    output_printf(out, "%s%s", before, quote);
    for (; *text; text++)
        output_printf(out, *text == '"' ? "\"\"" : "%c", *text);
    output_printf(out, "%s", quote);
}

/* Writes a heading with an addition, as one field. */
static void put_field_heading(const struct table *table, size_t column, const char *addition, struct output *out)
{
    char heading[512];
    const struct table_column *c = &table->column[column];
    snprintf(heading, sizeof heading, "%s%s%s%s", c->group, c->group[0] ? ": " : "", c->name, addition);
    put_field(out, ",", heading);
}

static void put_field_number(struct output *out, double number)
{
    output_printf(out, isnan(number) ? "," : ",%.9g", number);
}

void table_write_csv(const struct table *table, struct output *out)
{
    bool published = any(table, PUBLISHED);
    put_field(out, "", table->corner);
    for (EACH_COLUMN(j, table)) {
        put_field_heading(table, j, "", out);
        if (any_in_column(table, j, PUBLISHED))
            put_field_heading(table, j, " (published)", out);
        if (any_in_column(table, j, TEST))
            put_field_heading(table, j, " (p)", out);
    }
    output_printf(out, "%s\n", published ? ",published on" : "");
    for (const struct table_row *row = table->row; row < table->row + table->rows; row++) {
        put_field(out, "", row->name);
        for (EACH_COLUMN(j, table)) {
            if (row->cell[j].text)
                put_field(out, ",", row->cell[j].text);
            else
                put_field_number(out, row->cell[j].number);
            if (any_in_column(table, j, PUBLISHED))
                put_field_number(out, row->cell[j].published);
            if (any_in_column(table, j, TEST))
                put_field_number(out, row->cell[j].p);
        }
        const char *on = !any_published(table, row) ? "" : row->other ? "other data" : "the same data";
        output_printf(out, published ? ",%s\n" : "\n", on);
    }
}

/* HTML. */

/* Writes a heading, which may be broken between words but not within them. */
static void put_column_name(struct output *out, const char *text)
{
    for (const char *dash_at; (dash_at = strchr(text, '-')); text = dash_at + 1) {
        page_text(out, (struct text){text, (uint32_t)(dash_at - text)});
        output_printf(out, "\xe2\x80\x91");
    }
    page_put(out, "", text, "");
}

/* Writes the line of groups, if there are any; empty columns do not count. */
static void put_groups(const struct table *table, struct output *out)
{
    bool any = false;
    for (EACH_COLUMN(j, table))
        any |= table->column[j].group[0] != '\0';
    if (!any)
        return;
    output_printf(out, "<tr><td></td>");
    for (size_t j = 0, next; j < table->columns; j = next) {
        const char *group = table->column[j].group;
        size_t span = 0;
        for (next = j; next < table->columns && strcmp(table->column[next].group, group) == 0; next++)
            span += !table_is_empty(table, next);
        if (!span)
            continue;
        output_printf(out, "<th class=\"group\" colspan=\"%zu\" scope=\"colgroup\"", span);
        page_put(out, ">", group, "</th>");
    }
    output_printf(out, "</tr>\n");
}

void table_write_html(const struct table *table, struct output *out)
{
    output_printf(out, "<figure class=\"table\" id=\"table-%s\">\n", table->name);
    page_put(out, "<figcaption><b>", table->title, "</b>");
    if (table->says.text)
        page_put(out, " ", table->says.text, "");
    output_printf(out, "</figcaption>\n<div class=\"scroll\" tabindex=\"0\" role=\"region\"");
    page_put(out, " aria-label=\"", table->title, "\">\n<table>\n<thead>\n");
    put_groups(table, out);
    page_put(out, "<tr><th scope=\"col\">", table->corner, "</th>");
    for (EACH_COLUMN(j, table)) {
        output_printf(out, "<th class=\"number\" scope=\"col\">");
        put_column_name(out, table->column[j].name);
        output_printf(out, "</th>");
    }
    output_printf(out, "</tr>\n</thead>\n<tbody>\n");
    for (size_t i = 0; i < table->rows; i++) {
        page_put(out, table->row[i].mean ? "<tr class=\"mean\"><th scope=\"row\">" : "<tr><th scope=\"row\">",
                 table->row[i].name, "</th>");
        for (EACH_COLUMN(j, table))
            put_cell(table, i, j, out, &html);
        output_printf(out, "</tr>\n");
    }
    output_printf(out, "</tbody>\n</table>\n</div>\n<p class=\"soft\">");
    put_legend(table, out, page_put, "Small, below");
    output_printf(out, "</p>\n</figure>\n");
}
