/*
 * A page is self-contained HTML in one style, for light and dark screens and for paper.
 *
 * The style covers headings, paragraphs, tables (class "number" for figures), pre, figure and mark, and the classes
 * note (a box), soft (beside the point), label with warm or cool, pair (a word with labels, kept together), bar (a
 * length of --share percent) and, for ol, items: long lists of a narrow and a wide part; for reports, nav, figures with
 * panels, tables that scroll, and lists of claims.
 */
#ifndef VOUCH_REPORT_PAGE_H
#define VOUCH_REPORT_PAGE_H

#include "base/output.h"
#include "base/text.h"

/* Writes everything up to the first paragraph: style, title as heading, and a line under it. */
void page_begin(struct output *out, const char *title, const char *lead);
void page_end(struct output *out);

/* Writes text; characters that have a meaning in HTML are escaped. */
void page_text(struct output *out, struct text text);

/* Writes text like that between two pieces of HTML. */
void page_put(struct output *out, const char *before, const char *text, const char *after);

/*
 * Writes a figure of chart.h into the page itself. Names inside it get `prefix`, which must differ for every figure of
 * a page, and the page's colours replace its own.
 */
void page_svg(struct output *out, const char *svg, const char *prefix);

/*
 * Writes text between two pieces of Markdown, with a backslash before characters that have a meaning there; a line
 * stays one line. Without an output nothing is written.
 */
void markdown_put(struct output *out, const char *before, const char *text, const char *after);

#endif
