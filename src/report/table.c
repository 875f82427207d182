/* Builds tables: see table.h. */
#include "report/table.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

/* Returns a copy, or NULL with the table broken. */
static char *copy(struct table *table, const char *text)
{
    char *own = new_string(text, strlen(text), NULL);
    table->broken |= !own;
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
    for (size_t i = 0; i < table->rows; i++) {
        for (size_t j = 0; j < table->columns; j++)
            free(table->row[i].cell[j].text);
        free(table->row[i].cell);
        free(table->row[i].name);
    }
    for (size_t i = 0; i < 2 * table->columns; i++)
        free(table->column_text[i]);
    free(table->column_text);
    free(table->row);
    free(table->column);
    free(table->name);
    free(table->title);
    free(table->corner);
    free(table->says);
    *table = (struct table){0};
}

void table_add_column(struct table *table, struct table_column column)
{
    size_t text = 2 * table->columns;
    if (table->broken || !RESERVE(table->column, table->column_capacity, table->columns + 1, NULL) ||
        !RESERVE(table->column_text, table->column_text_capacity, text + 2, NULL)) {
        table->broken = true;
        return;
    }
    column.name = table->column_text[text] = copy(table, column.name);
    column.group = table->column_text[text + 1] = copy(table, column.group ? column.group : "");
    table->column[table->columns++] = column;
}

void table_add_row(struct table *table, const char *name, bool other)
{
    if (table->broken || !RESERVE(table->row, table->row_capacity, table->rows + 1, NULL)) {
        table->broken = true;
        return;
    }
    struct table_row row = {.other = other};
    row.cell = new_array(table->columns, sizeof *row.cell, NULL);
    row.name = row.cell ? copy(table, name) : NULL;
    if (!row.name) {
        free(row.cell);
        table->broken = true;
        return;
    }
    for (size_t j = 0; j < table->columns; j++)
        row.cell[j] = (struct table_cell){NAN, NAN, NAN, NULL};
    table->row[table->rows++] = row;
}

static struct table_cell *last_cell(struct table *table, size_t column)
{
    return !table->broken && table->rows && column < table->columns ? &table->row[table->rows - 1].cell[column] : NULL;
}

void table_put(struct table *table, size_t column, double number)
{
    struct table_cell *cell = last_cell(table, column);
    if (cell)
        cell->number = number;
}

void table_put_published(struct table *table, size_t column, double number)
{
    struct table_cell *cell = last_cell(table, column);
    if (cell)
        cell->published = number;
}

void table_put_p(struct table *table, size_t column, double p)
{
    struct table_cell *cell = last_cell(table, column);
    if (cell)
        cell->p = p;
}

void table_put_text(struct table *table, size_t column, const char *text)
{
    struct table_cell *cell = last_cell(table, column);
    if (cell) {
        free(cell->text);
        cell->text = copy(table, text);
    }
}

/* Returns the means of the first `rows` rows of a column; NAN if any is missing, or measured on other data. */
static struct table_cell mean_of(const struct table *table, size_t column, size_t rows)
{
    double number = 0, published = 0;
    for (size_t i = 0; i < rows; i++) {
        number += table->row[i].cell[column].number;
        published += table->row[i].other ? NAN : table->row[i].cell[column].published;
    }
    return (struct table_cell){number / (double)rows, published / (double)rows, NAN, NULL};
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
    for (size_t j = 0; j < table->columns; j++)
        table->row[rows].cell[j] = mean_of(table, j, rows);
}

void table_set_says(struct table *table, char *says)
{
    free(table->says);
    table->says = says;
    table->broken |= !says;
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
    return nearbyint(row->cell[column].number * pow(10, table->column[column].digits));
}

static bool competes(const struct table *table, const struct table_row *row, size_t column)
{
    return table->better != BETTER_NEITHER && table->column[column].rival && !isnan(row->cell[column].number);
}

static bool beats(const struct table *table, double a, double b)
{
    return table->better == BETTER_HIGHER ? a > b : a < b;
}

/* Whether no rival of its group is better; *others becomes their number. */
static bool is_unbeaten(const struct table *table, const struct table_row *row, size_t column, size_t *others)
{
    *others = 0;
    for (size_t j = 0; j < table->columns; j++) {
        bool together = strcmp(table->column[j].group, table->column[column].group) == 0;
        if (j == column || !together || !competes(table, row, j))
            continue;
        if (beats(table, rounded(table, row, j), rounded(table, row, column)))
            return false;
        ++*others;
    }
    return true;
}

bool table_is_best(const struct table *table, size_t row, size_t column)
{
    size_t others;
    const struct table_row *r = &table->row[row];
    return competes(table, r, column) && is_unbeaten(table, r, column, &others) && others > 0;
}

size_t table_best_of(const struct table *table, const struct table_row *row)
{
    size_t others;
    for (size_t j = 0; j < table->columns; j++)
        if (competes(table, row, j) && is_unbeaten(table, row, j, &others) && others > 0)
            return j;
    return table->columns;
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
        wins += table_is_best(table, i, column);
    }
    return wins;
}

const struct table_row *table_means(const struct table *table)
{
    return table->rows && table->row[table->rows - 1].mean ? &table->row[table->rows - 1] : NULL;
}

bool table_whole(const struct table *table, struct vouch_error *err)
{
    return !table->broken || fail_memory(err);
}

const char *stars_of(double p)
{
    return p < 0.001 ? "***" : p < 0.01 ? "**" : p < 0.05 ? "*" : "";
}
