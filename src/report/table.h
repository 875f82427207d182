/*
 * A table holds measurements, and is written as Markdown, as CSV and as HTML.
 *
 * A cell holds a number, and maybe a published one to compare it with and the p
 * of a test. Columns of one group that are rivals compete in every row, and the
 * best is in bold. A number that was not measured is NAN inside and a dash
 * outside; a column without a number is left out.
 *
 * A failed allocation is noted and reported by table_whole().
 */
#ifndef VOUCH_REPORT_TABLE_H
#define VOUCH_REPORT_TABLE_H

#include "base/output.h"

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
    char *text;       /* instead of a number, or NULL */
};

struct table_row {
    char *name;
    bool other; /* what is published was measured on other data */
    bool mean;  /* of the rows above */
    struct table_cell *cell;
};

struct table {
    char *name, *title, *corner; /* of its files; above it; above the names of the rows */
    char *says;                  /* what it shows, a sentence or two; or NULL */
    enum better better;
    struct table_column *column;
    char **column_text; /* [columns][2] the columns' names and groups, which are the table's own */
    size_t columns, column_capacity, column_text_capacity;
    struct table_row *row;
    size_t rows, row_capacity;
    bool broken; /* an allocation failed */
};

/* Texts are copied. Release in any case. */
void table_init(struct table *table, const char *name, const char *title, const char *corner, enum better better);
void table_release(struct table *table);

/* Adds a column. All columns must be added before the first row. */
void table_add_column(struct table *table, struct table_column column);

/* Add a row without numbers, and cells of the last row. `other`: see struct table_row. */
void table_add_row(struct table *table, const char *name, bool other);
void table_put(struct table *table, size_t column, double number);
void table_put_published(struct table *table, size_t column, double number);
void table_put_p(struct table *table, size_t column, double p);
void table_put_text(struct table *table, size_t column, const char *text);

/* Adds a last row with the means of all rows, if there are at least two, for columns and published numbers without
 * gaps. */
void table_add_means(struct table *table, const char *name);

/* Sets the sentence; takes over `says`, which may be NULL if memory was short. */
void table_set_says(struct table *table, char *says);

bool table_is_empty(const struct table *table, size_t column);            /* nothing in this column */
bool table_is_best(const struct table *table, size_t row, size_t column); /* as written, of two rivals or more */
size_t table_wins(const struct table *table, size_t column, size_t *of);  /* rows, of those with a comparison */
const struct table_row *table_means(const struct table *table);           /* NULL: none */
size_t table_best_of(const struct table *table,
                     const struct table_row *r); /* the first that is best; `columns`: none */

/* Fails if an allocation failed. */
bool table_whole(const struct table *table, struct vouch_error *err);

/* Returns the p of a test as stars: *** below 0.001, ** below 0.01, * below 0.05. */
const char *stars_of(double p);

void table_write_markdown(const struct table *table, struct output *out);
void table_write_csv(const struct table *table, struct output *out);
void table_write_html(const struct table *table, struct output *out); /* a <figure>, for pages of page.h */

#endif
