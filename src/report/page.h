/*
 * A page is self-contained HTML in one style, for light and dark screens and for paper.
 *
 * The style covers headings, paragraphs, tables (class "number" for figures), pre, figure and mark, and the classes
 * note (a box), soft (beside the point), label with warm or cool, pair (a word with labels, kept together), bar (a
 * length of --share percent) and, for ol, items: long lists of a narrow and a wide part. Further styles for reports are
 * in report_style.c: nav, figures with panels, tables that scroll, and lists of claims.
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

/*
 * Writes a figure of plot.h into the page itself. Names inside it get `prefix`, which must differ for every figure of a
 * page, and the page's colours of ground and text replace its own.
 */
void page_svg(struct output *out, const char *svg, const char *prefix);

#endif
