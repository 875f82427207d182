/*
 * Sheets: tables of measurements, one structure, written as Markdown, as CSV and as HTML.
 *
 * A cell holds a number, and maybe a published one to compare it with and the p of a test. Columns of one group that
 * are rivals compete in every row, and the best is in bold. What was not measured is NAN inside and a dash outside; a
 * column without a number is left out.
 *
 * Memory that could not be had is remembered and reported by sheet_whole().
 */
#ifndef VOUCH_REPORT_SHEET_H
#define VOUCH_REPORT_SHEET_H

#include "base/output.h"

enum better { BETTER_NEITHER, BETTER_HIGHER, BETTER_LOWER };

struct sheet_column {
    const char *name;
    const char *group;            /* a heading above neighbours of the same group; NULL: none */
    int digits, published_digits; /* after the point */
    bool rival;                   /* takes part in the contest of its row and group */
};

struct sheet_cell {
    double number;    /* NAN: not measured */
    double published; /* somebody else's, to stand beside it; NAN: none */
    double p;         /* of a test against another column; NAN: none */
    char *text;       /* instead of a number, or NULL */
};

struct sheet_row {
    char *name;
    bool other; /* what is published was measured on other data */
    bool mean;  /* of the rows above */
    struct sheet_cell *cell;
};

struct sheet {
    char *name, *title, *corner; /* of its files; above it; above the names of the rows */
    char *says;                  /* what it shows, a sentence or two; or NULL */
    enum better better;
    struct sheet_column *column; /* their texts are ours */
    size_t columns, column_capacity;
    struct sheet_row *row;
    size_t rows, row_capacity;
    bool broken; /* memory was missing */
};

/* Texts are copied. Release in any case. */
void sheet_init(struct sheet *sheet, const char *name, const char *title, const char *corner, enum better better);
void sheet_release(struct sheet *sheet);

/* All columns come before the first row. */
void sheet_add_column(struct sheet *sheet, struct sheet_column column);

/* A row without numbers, and what is in it: cells of the last row. `other`: see struct sheet_row. */
void sheet_add_row(struct sheet *sheet, const char *name, bool other);
void sheet_put(struct sheet *sheet, size_t column, double number);
void sheet_put_published(struct sheet *sheet, size_t column, double number);
void sheet_put_p(struct sheet *sheet, size_t column, double p);
void sheet_put_text(struct sheet *sheet, size_t column, const char *text);

/* A last row with the means of all rows, if there are two: of columns, and of published numbers, that miss none. */
void sheet_add_means(struct sheet *sheet, const char *name);

/* The sentence; takes `says`, which may be NULL for want of memory. */
void sheet_set_says(struct sheet *sheet, char *says);

bool sheet_is_empty(const struct sheet *sheet, size_t column);            /* nothing in this column */
bool sheet_is_best(const struct sheet *sheet, size_t row, size_t column); /* as written, of two rivals or more */
size_t sheet_wins(const struct sheet *sheet, size_t column, size_t *of);  /* rows, of those with a contest */
const struct sheet_row *sheet_means(const struct sheet *sheet);           /* NULL: none */
size_t sheet_best_of(const struct sheet *sheet,
                     const struct sheet_row *r); /* the first that is best; `columns`: none */

/* False, with the error set, if memory was missing. */
bool sheet_whole(const struct sheet *sheet, struct vouch_error *err);

/* The p of a test as stars: *** below 0.001, ** below 0.01, * below 0.05. */
const char *stars_of(double p);

void sheet_write_markdown(const struct sheet *sheet, struct output *out);
void sheet_write_csv(const struct sheet *sheet, struct output *out);
void sheet_write_html(const struct sheet *sheet, struct output *out); /* a <figure>, for pages of page.h */

#endif
