/*
 * A document is one page of chapters with tables and figures, each of which can also be a file of its own, and the same
 * as Markdown, with figures by their names.
 *
 * Failures are noted and reported by document_end(); until then no part of the page can be seen.
 */
#ifndef VOUCH_REPORT_DOCUMENT_H
#define VOUCH_REPORT_DOCUMENT_H

#include "report/chart.h"
#include "report/prose.h"
#include "report/table.h"

/* One or several charts under one heading. Zero it before first use. */
struct figure {
    const char *title; /* the caller's */
    struct prose says; /* what it shows */
    struct chart *chart;
    size_t charts, capacity;
    bool broken;        /* an allocation failed */
    struct chart spare; /* takes charts that are added after that */
};

/* Returns a new chart; texts are copied. Valid until the next one is added. */
struct chart *figure_add(struct figure *figure, const char *name, const char *title, const char *x_label,
                         const char *y_label);

struct document {
    struct output *page;
    struct output *text; /* the Markdown; NULL: none */
    const char *folder;  /* the caller's */
    bool figures;        /* they can be drawn */
    unsigned drawn;
    bool ok;
    struct vouch_error *err; /* the caller's */
};

/*
 * Begins a page in the file `path`. `folder` is where tables/NAME.md, tables/NAME.csv, figures/NAME.svg,
 * figures/NAME.dat and report.md go, or NULL: these are not written.
 */
void document_begin(struct document *document, const char *path, const char *folder, const char *title,
                    const char *lead, struct vouch_error *err);

/* Adds a heading; `id` is NULL if nothing links to it. */
void document_heading(struct document *document, const char *id, const char *text);

/* Adds a paragraph; `style` is a class of the page, or NULL. */
void document_say(struct document *document, const char *style, const char *text);

/*
 * Do the same with prose, which is empty afterwards; empty prose makes no paragraph. A point begins with a word or two
 * in bold.
 */
void document_say_prose(struct document *document, const char *style, struct prose *prose);
void document_point_prose(struct document *document, const char *lead, struct prose *prose);

/* Begins or ends a row of tables that stand side by side where there is room. */
void document_beside(struct document *document, bool begin);

/* Add a table or figures; those without numbers are left out. Both are released. */
void document_table(struct document *document, struct table *table);
void document_figure(struct document *document, struct figure *figure);

/* Writes the files of a table and its Markdown, but nothing on the page; it stays the caller's. */
void document_table_files(struct document *document, const struct table *table);

/* Ends the page; false if something failed, and then there is no page. */
bool document_end(struct document *document);

#endif
