/* Sheets: see sheet.h. */
#include "report/sheet.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

/* A copy, or NULL with the table broken. */
static char *copy(struct sheet *sheet, const char *text)
{
    char *own = new_string(text, strlen(text), NULL);
    sheet->broken |= !own;
    return own;
}

void sheet_init(struct sheet *sheet, const char *name, const char *title, const char *corner, enum better better)
{
    *sheet = (struct sheet){.better = better};
    sheet->name = copy(sheet, name);
    sheet->title = copy(sheet, title);
    sheet->corner = copy(sheet, corner);
}

void sheet_release(struct sheet *sheet)
{
    for (size_t i = 0; i < sheet->rows; i++) {
        for (size_t j = 0; j < sheet->columns; j++)
            free(sheet->row[i].cell[j].text);
        free(sheet->row[i].cell);
        free(sheet->row[i].name);
    }
    for (size_t j = 0; j < sheet->columns; j++) {
        free((char *)sheet->column[j].name);
        free((char *)sheet->column[j].group);
    }
    free(sheet->row);
    free(sheet->column);
    free(sheet->name);
    free(sheet->title);
    free(sheet->corner);
    free(sheet->says);
    *sheet = (struct sheet){0};
}

void sheet_add_column(struct sheet *sheet, struct sheet_column column)
{
    if (sheet->broken || !RESERVE(sheet->column, sheet->column_capacity, sheet->columns + 1, NULL)) {
        sheet->broken = true;
        return;
    }
    column.name = copy(sheet, column.name);
    column.group = copy(sheet, column.group ? column.group : "");
    sheet->column[sheet->columns++] = column;
}

void sheet_add_row(struct sheet *sheet, const char *name, bool other)
{
    if (sheet->broken || !RESERVE(sheet->row, sheet->row_capacity, sheet->rows + 1, NULL)) {
        sheet->broken = true;
        return;
    }
    struct sheet_row row = {.other = other};
    row.cell = new_array(sheet->columns, sizeof *row.cell, NULL);
    row.name = row.cell ? copy(sheet, name) : NULL;
    if (!row.name) {
        free(row.cell);
        sheet->broken = true;
        return;
    }
    for (size_t j = 0; j < sheet->columns; j++)
        row.cell[j] = (struct sheet_cell){NAN, NAN, NAN, NULL};
    sheet->row[sheet->rows++] = row;
}

static struct sheet_cell *last_cell(struct sheet *sheet, size_t column)
{
    return !sheet->broken && sheet->rows && column < sheet->columns ? &sheet->row[sheet->rows - 1].cell[column] : NULL;
}

void sheet_put(struct sheet *sheet, size_t column, double number)
{
    struct sheet_cell *cell = last_cell(sheet, column);
    if (cell)
        cell->number = number;
}

void sheet_put_published(struct sheet *sheet, size_t column, double number)
{
    struct sheet_cell *cell = last_cell(sheet, column);
    if (cell)
        cell->published = number;
}

void sheet_put_p(struct sheet *sheet, size_t column, double p)
{
    struct sheet_cell *cell = last_cell(sheet, column);
    if (cell)
        cell->p = p;
}

void sheet_put_text(struct sheet *sheet, size_t column, const char *text)
{
    struct sheet_cell *cell = last_cell(sheet, column);
    if (cell) {
        free(cell->text);
        cell->text = copy(sheet, text);
    }
}

/* Means of the first `rows` rows of a column; NAN if any is missing, or measured on other data. */
static struct sheet_cell mean_of(const struct sheet *sheet, size_t column, size_t rows)
{
    double number = 0, published = 0;
    for (size_t i = 0; i < rows; i++) {
        number += sheet->row[i].cell[column].number;
        published += sheet->row[i].other ? NAN : sheet->row[i].cell[column].published;
    }
    return (struct sheet_cell){number / (double)rows, published / (double)rows, NAN, NULL};
}

void sheet_add_means(struct sheet *sheet, const char *name)
{
    size_t rows = sheet->rows;
    if (rows < 2)
        return;
    sheet_add_row(sheet, name, false);
    if (sheet->broken)
        return;
    sheet->row[rows].mean = true;
    for (size_t j = 0; j < sheet->columns; j++)
        sheet->row[rows].cell[j] = mean_of(sheet, j, rows);
}

void sheet_set_says(struct sheet *sheet, char *says)
{
    free(sheet->says);
    sheet->says = says;
    sheet->broken |= !says;
}

bool sheet_is_empty(const struct sheet *sheet, size_t column)
{
    for (size_t i = 0; i < sheet->rows; i++)
        if (!isnan(sheet->row[i].cell[column].number) || sheet->row[i].cell[column].text)
            return false;
    return true;
}

/* As it is written, so that what looks the same is the same. */
static double rounded(const struct sheet *sheet, const struct sheet_row *row, size_t column)
{
    return nearbyint(row->cell[column].number * pow(10, sheet->column[column].digits));
}

static bool competes(const struct sheet *sheet, const struct sheet_row *row, size_t column)
{
    return sheet->better != BETTER_NEITHER && sheet->column[column].rival && !isnan(row->cell[column].number);
}

static bool beats(const struct sheet *sheet, double a, double b)
{
    return sheet->better == BETTER_HIGHER ? a > b : a < b;
}

/* Whether no rival of its group is better; *others counts them. */
static bool is_unbeaten(const struct sheet *sheet, const struct sheet_row *row, size_t column, size_t *others)
{
    *others = 0;
    for (size_t j = 0; j < sheet->columns; j++) {
        bool together = strcmp(sheet->column[j].group, sheet->column[column].group) == 0;
        if (j == column || !together || !competes(sheet, row, j))
            continue;
        if (beats(sheet, rounded(sheet, row, j), rounded(sheet, row, column)))
            return false;
        ++*others;
    }
    return true;
}

bool sheet_is_best(const struct sheet *sheet, size_t row, size_t column)
{
    size_t others;
    const struct sheet_row *r = &sheet->row[row];
    return competes(sheet, r, column) && is_unbeaten(sheet, r, column, &others) && others > 0;
}

size_t sheet_best_of(const struct sheet *sheet, const struct sheet_row *row)
{
    size_t others;
    for (size_t j = 0; j < sheet->columns; j++)
        if (competes(sheet, row, j) && is_unbeaten(sheet, row, j, &others) && others > 0)
            return j;
    return sheet->columns;
}

size_t sheet_wins(const struct sheet *sheet, size_t column, size_t *of)
{
    size_t wins = 0;
    *of = 0;
    for (size_t i = 0; i < sheet->rows; i++) {
        const struct sheet_row *row = &sheet->row[i];
        if (row->mean || sheet_best_of(sheet, row) == sheet->columns)
            continue;
        ++*of;
        wins += sheet_is_best(sheet, i, column);
    }
    return wins;
}

const struct sheet_row *sheet_means(const struct sheet *sheet)
{
    return sheet->rows && sheet->row[sheet->rows - 1].mean ? &sheet->row[sheet->rows - 1] : NULL;
}

bool sheet_whole(const struct sheet *sheet, struct vouch_error *err)
{
    return !sheet->broken || fail_memory(err);
}

const char *stars_of(double p)
{
    return p < 0.001 ? "***" : p < 0.01 ? "**" : p < 0.05 ? "*" : "";
}
