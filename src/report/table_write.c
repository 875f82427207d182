/*
 * Writes tables as Markdown, CSV and HTML: see table.h.
 *
 * Published numbers are in brackets in Markdown, in columns of their own in CSV, and below ours, small, in HTML; those
 * measured on other data are in italics, and marked in CSV.
 */
#include "report/table.h"

#include "report/markdown.h"
#include "report/page.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char dash[] = "\xe2\x80\x93";

/* Whether any cell has a published number, or a p. */
static bool any_published(const struct table *table, size_t column)
{
    for (size_t i = 0; i < table->rows; i++)
        if (!isnan(table->row[i].cell[column].published))
            return true;
    return false;
}

static bool any_p(const struct table *table, size_t column)
{
    for (size_t i = 0; i < table->rows; i++)
        if (!isnan(table->row[i].cell[column].p))
            return true;
    return false;
}

/* Whether any cell of the column is text: words are set from the left, numbers from the right. */
static bool any_text(const struct table *table, size_t column)
{
    for (size_t i = 0; i < table->rows; i++)
        if (table->row[i].cell[column].text)
            return true;
    return false;
}

/* Whether the row of means has means of published numbers. */
static bool published_means(const struct table *table)
{
    for (size_t j = 0; j < table->columns; j++)
        if (!isnan(table_means(table)->cell[j].published))
            return true;
    return false;
}

static bool in_any_column(const struct table *table, bool (*asks)(const struct table *table, size_t column))
{
    for (size_t j = 0; j < table->columns; j++)
        if (!table_is_empty(table, j) && asks(table, j))
            return true;
    return false;
}

static bool any_best(const struct table *table, size_t column)
{
    for (size_t i = 0; i < table->rows; i++)
        if (table_is_best(table, i, column))
            return true;
    return false;
}

static bool any_row_of_other_data(const struct table *table)
{
    for (size_t i = 0; i < table->rows; i++)
        for (size_t j = 0; j < table->columns; j++)
            if (table->row[i].other && !isnan(table->row[i].cell[j].published))
                return true;
    return false;
}

enum { NUMBER_SIZE = 512 };

/* Writes a number for readers, with thousands set apart. */
static void format_number(char text[NUMBER_SIZE], double number, int digits)
{
    char plain[NUMBER_SIZE / 2];
    size_t to = 0;
    snprintf(plain, sizeof plain, "%.*f", digits, number);
    size_t sign = plain[0] == '-', whole = strcspn(plain + sign, ".");
    for (size_t i = 0; plain[i] && to + 2 < NUMBER_SIZE; i++) {
        if (i > sign && i < sign + whole && (sign + whole - i) % 3 == 0)
            text[to++] = ',';
        text[to++] = plain[i];
    }
    text[to] = '\0';
}

typedef void put_function(struct output *out, const char *text);

/* Explains the signs, a sentence for each that is used. */
static void put_legend(const struct table *table, struct output *out, put_function *put, const char *published)
{
    if (in_any_column(table, any_best))
        put(out, table->better == BETTER_HIGHER ? "Bold: the best of its row, the highest. "
                                                : "Bold: the best of its row, the lowest. ");
    if (in_any_column(table, any_p))
        put(out, "Stars: differs from the first column by a paired t-test, * with p < 0.05, ** 0.01, *** 0.001. ");
    if (!in_any_column(table, any_published))
        return;
    put(out, published);
    put(out, any_row_of_other_data(table) ? ": as published, in italics if measured on other data" : ": as published");
    put(out, table_means(table) && published_means(table) ? "; in the last row, the means of those." : ".");
}

/* Markdown. */

static void put_heading_marked_down(const struct table *table, size_t column, struct output *out)
{
    const struct table_column *c = &table->column[column];
    markdown_text(out, c->group);
    output_printf(out, "%s", c->group[0] ? ": " : "");
    markdown_text(out, c->name);
}

static void put_cell_marked_down(const struct table *table, size_t row, size_t column, struct output *out)
{
    const struct table_cell *cell = &table->row[row].cell[column];
    const char *bold = table_is_best(table, row, column) ? "**" : "";
    char number[NUMBER_SIZE];
    output_printf(out, " ");
    if (cell->text) {
        markdown_text(out, cell->text);
    } else if (isnan(cell->number)) {
        output_printf(out, "%s", dash);
    } else {
        format_number(number, cell->number, table->column[column].digits);
        output_printf(out, "%s%s%s", bold, number, bold);
        markdown_text(out, stars_of(cell->p));
    }
    if (!isnan(cell->published)) {
        const char *slant = table->row[row].other ? "*" : "";
        format_number(number, cell->published, table->column[column].published_digits);
        output_printf(out, " (%s%s%s)", slant, number, slant);
    }
    output_printf(out, " |");
}

static void put_row_marked_down(const struct table *table, size_t row, struct output *out)
{
    output_printf(out, "| ");
    markdown_text(out, table->row[row].name);
    output_printf(out, " |");
    for (size_t j = 0; j < table->columns; j++)
        if (!table_is_empty(table, j))
            put_cell_marked_down(table, row, j, out);
    output_printf(out, "\n");
}

void table_write_markdown(const struct table *table, struct output *out)
{
    output_printf(out, "**");
    markdown_text(out, table->title);
    output_printf(out, "**\n\n| ");
    markdown_text(out, table->corner);
    output_printf(out, " |");
    for (size_t j = 0; j < table->columns; j++)
        if (!table_is_empty(table, j)) {
            output_printf(out, " ");
            put_heading_marked_down(table, j, out);
            output_printf(out, " |");
        }
    output_printf(out, "\n|---|");
    for (size_t j = 0; j < table->columns; j++)
        if (!table_is_empty(table, j))
            output_printf(out, any_text(table, j) ? "---|" : "--:|");
    output_printf(out, "\n");
    for (size_t i = 0; i < table->rows; i++)
        put_row_marked_down(table, i, out);
    if (table->says) {
        output_printf(out, "\n");
        markdown_text(out, table->says);
        output_printf(out, "\n");
    }
    output_printf(out, "\n");
    put_legend(table, out, markdown_text, "In brackets");
    output_printf(out, "\n");
}

/* CSV: RFC 4180, except that lines end in LF. */

static void put_field(struct output *out, const char *text)
{
    bool quoted = strpbrk(text, ",\"\r\n") != NULL;
    if (quoted)
        output_write(out, "\"", 1);
    for (; *text; text++) {
        if (*text == '"')
            output_write(out, "\"", 1);
        output_write(out, text, 1);
    }
    if (quoted)
        output_write(out, "\"", 1);
}

/* Writes a heading with an addition, as one field. */
static void put_field_heading(const struct table *table, size_t column, const char *addition, struct output *out)
{
    char heading[512];
    const struct table_column *c = &table->column[column];
    snprintf(heading, sizeof heading, "%s%s%s%s", c->group, c->group[0] ? ": " : "", c->name, addition);
    output_printf(out, ",");
    put_field(out, heading);
}

static void put_field_number(struct output *out, double number)
{
    output_printf(out, ",");
    if (!isnan(number))
        output_printf(out, "%.9g", number);
}

static void put_fields(const struct table *table, const struct table_row *row, struct output *out)
{
    put_field(out, row->name);
    for (size_t j = 0; j < table->columns; j++) {
        if (table_is_empty(table, j))
            continue;
        if (row->cell[j].text) {
            output_printf(out, ",");
            put_field(out, row->cell[j].text);
        } else {
            put_field_number(out, row->cell[j].number);
        }
        if (any_published(table, j))
            put_field_number(out, row->cell[j].published);
        if (any_p(table, j))
            put_field_number(out, row->cell[j].p);
    }
}

/* Returns what the published numbers of a row were measured on, if it has any. */
static const char *published_on(const struct table *table, const struct table_row *row)
{
    for (size_t j = 0; j < table->columns; j++)
        if (!table_is_empty(table, j) && !isnan(row->cell[j].published))
            return row->other ? "other data" : "the same data";
    return "";
}

void table_write_csv(const struct table *table, struct output *out)
{
    bool published = in_any_column(table, any_published);
    put_field(out, table->corner);
    for (size_t j = 0; j < table->columns; j++) {
        if (table_is_empty(table, j))
            continue;
        put_field_heading(table, j, "", out);
        if (any_published(table, j))
            put_field_heading(table, j, " (published)", out);
        if (any_p(table, j))
            put_field_heading(table, j, " (p)", out);
    }
    output_printf(out, "%s\n", published ? ",published on" : "");
    for (size_t i = 0; i < table->rows; i++) {
        put_fields(table, &table->row[i], out);
        output_printf(out, published ? ",%s\n" : "\n", published_on(table, &table->row[i]));
    }
}

/* HTML. */

static void put_text(struct output *out, const char *text)
{
    page_text(out, text_of(text));
}

/* Writes a heading, which may be broken between words but not within them. */
static void put_column_name(struct output *out, const char *text)
{
    for (const char *dash_at; (dash_at = strchr(text, '-')); text = dash_at + 1) {
        page_text(out, (struct text){text, (uint32_t)(dash_at - text)});
        output_printf(out, "\xe2\x80\x91");
    }
    put_text(out, text);
}

static bool same_group(const struct table *table, size_t a, size_t b)
{
    return strcmp(table->column[a].group, table->column[b].group) == 0;
}

/* Writes the line of groups, if there are any; empty columns do not count. */
static void put_groups(const struct table *table, struct output *out)
{
    bool any = false;
    for (size_t j = 0; j < table->columns; j++)
        any |= !table_is_empty(table, j) && table->column[j].group[0];
    if (!any)
        return;
    output_printf(out, "<tr><th></th>");
    for (size_t j = 0, next; j < table->columns; j = next) {
        size_t span = 0;
        for (next = j; next < table->columns && same_group(table, j, next); next++)
            span += !table_is_empty(table, next);
        if (!span)
            continue;
        output_printf(out, "<th class=\"group\" colspan=\"%zu\" scope=\"colgroup\">", span);
        put_text(out, table->column[j].group);
        output_printf(out, "</th>");
    }
    output_printf(out, "</tr>\n");
}

static void put_head(const struct table *table, struct output *out)
{
    output_printf(out, "<thead>\n");
    put_groups(table, out);
    output_printf(out, "<tr><th scope=\"col\">");
    put_text(out, table->corner);
    output_printf(out, "</th>");
    for (size_t j = 0; j < table->columns; j++)
        if (!table_is_empty(table, j)) {
            output_printf(out, "<th class=\"number\" scope=\"col\">");
            put_column_name(out, table->column[j].name);
            output_printf(out, "</th>");
        }
    output_printf(out, "</tr>\n</thead>\n");
}

static void put_cell(const struct table *table, size_t row, size_t column, struct output *out)
{
    const struct table_cell *cell = &table->row[row].cell[column];
    bool best = table_is_best(table, row, column);
    char number[NUMBER_SIZE];
    output_printf(out, "<td class=\"number\">");
    if (cell->text) {
        put_text(out, cell->text);
    } else if (isnan(cell->number)) {
        output_printf(out, "%s", dash);
    } else {
        format_number(number, cell->number, table->column[column].digits);
        output_printf(out, "%s%s%s", best ? "<b>" : "", number, best ? "</b>" : "");
        if (stars_of(cell->p)[0])
            output_printf(out, "<sup>%s</sup>", stars_of(cell->p));
    }
    if (!isnan(cell->published)) {
        format_number(number, cell->published, table->column[column].published_digits);
        output_printf(out, "<span class=\"published\">%s%s%s</span>", table->row[row].other ? "<i>" : "", number,
                      table->row[row].other ? "</i>" : "");
    }
    output_printf(out, "</td>");
}

void table_write_html(const struct table *table, struct output *out)
{
    output_printf(out, "<figure class=\"table\" id=\"table-%s\">\n<figcaption><b>", table->name);
    put_text(out, table->title);
    output_printf(out, "</b>");
    if (table->says) {
        output_printf(out, " ");
        put_text(out, table->says);
    }
    output_printf(out, "</figcaption>\n<div class=\"scroll\">\n<table>\n");
    put_head(table, out);
    output_printf(out, "<tbody>\n");
    for (size_t i = 0; i < table->rows; i++) {
        output_printf(out, "<tr%s><th scope=\"row\">", table->row[i].mean ? " class=\"mean\"" : "");
        put_text(out, table->row[i].name);
        output_printf(out, "</th>");
        for (size_t j = 0; j < table->columns; j++)
            if (!table_is_empty(table, j))
                put_cell(table, i, j, out);
        output_printf(out, "</tr>\n");
    }
    output_printf(out, "</tbody>\n</table>\n</div>\n<p class=\"soft\">");
    put_legend(table, out, put_text, "Small, below");
    output_printf(out, "</p>\n</figure>\n");
}
