/* Builds tables: see table.h. All texts are kept in one list, which is freed at once. */
#include "report/table.h"

#include "base/memory.h"

#include <math.h>
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
    return nearbyint(row->cell[column].number * pow(10, table->column[column].digits));
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

bool table_is_best(const struct table *table, size_t row, size_t column)
{
    return is_best(table, &table->row[row], column);
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
