/*
 * A table holds measurements, and is written as Markdown, as CSV and as HTML.
 *
 * A cell holds a number, and maybe a published one to compare it with and the p of a test. Columns of one group that
 * are rivals compete in every row, and the best is in bold. A number that was not measured is NAN inside and a dash
 * outside; a column without a number is left out.
 *
 * A failed allocation is noted and reported by table_whole().
 */
#ifndef VOUCH_REPORT_TABLE_H
#define VOUCH_REPORT_TABLE_H

#include "base/output.h"
#include "report/prose.h"

enum better { BETTER_NEITHER, BETTER_HIGHER, BETTER_LOWER };

struct table_column {
    const char *name;
    const char *group;            /* a heading above neighbours of the same group; NULL: none */
    int digits, published_digits; /* after the point */
    bool rival;                   /* takes part in the comparison of its row and group */
};

struct table_cell {
    double number;    /* NAN: not measured */
    double published; /* a published number to compare with; NAN: none */
    double p;         /* of a test against another column; NAN: none */
    const char *text; /* instead of a number, or NULL */
};

struct table_row {
    const char *name;
    bool other; /* what is published was measured on other data */
    bool mean;  /* of the rows above */
    struct table_cell *cell;
};

struct table {
    const char *name, *title, *corner; /* of its files; above it; above the names of the rows */
    struct prose says;                 /* what it shows, a sentence or two */
    enum better better;
    struct table_column *column;
    size_t columns, column_capacity;
    struct table_row *row;
    size_t rows, row_capacity;
    char **text; /* [texts] all that is copied */
    size_t texts, text_capacity;
    struct table_cell spare; /* takes what is put where there is no cell */
    bool broken;             /* an allocation failed */
};

/* Texts are copied. Release in any case. */
void table_init(struct table *table, const char *name, const char *title, const char *corner, enum better better);
void table_release(struct table *table);

/* Adds a column. All columns must be added before the first row. */
void table_add_column(struct table *table, struct table_column column);

/* Adds a row without numbers. `other`: see struct table_row. */
void table_add_row(struct table *table, const char *name, bool other);

/* Returns a cell of the last row, to be filled in; put a number, or a text. */
struct table_cell *table_cell(struct table *table, size_t column);
void table_put(struct table *table, size_t column, double number);
void table_put_text(struct table *table, size_t column, const char *text);

/* Adds a last row with the means of all rows, if there are at least two, for columns and published numbers without
 * gaps. */
void table_add_means(struct table *table, const char *name);

bool table_is_empty(const struct table *table, size_t column);           /* nothing in this column */
size_t table_wins(const struct table *table, size_t column, size_t *of); /* rows, of those with a comparison */
const struct table_row *table_means(const struct table *table);          /* NULL: none */

/* Returns the first column that is best in a row, as written, of two rivals or more; `columns`: none. */
size_t table_best_of(const struct table *table, const struct table_row *row);

/* Fails if an allocation failed. */
bool table_whole(const struct table *table, struct vouch_error *err);

/* Returns the p of a test as stars: *** below 0.001, ** below 0.01, * below 0.05. */
const char *stars_of(double p);

void table_write_markdown(const struct table *table, struct output *out);
void table_write_csv(const struct table *table, struct output *out);
void table_write_html(const struct table *table, struct output *out); /* a <figure>, for pages of page.h */

#endif
