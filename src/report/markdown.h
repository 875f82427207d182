/*
 * Writes text within Markdown.
 */
#ifndef VOUCH_REPORT_MARKDOWN_H
#define VOUCH_REPORT_MARKDOWN_H

#include "base/output.h"

/* Writes text with a backslash before characters that have a meaning in Markdown; a line stays one line. */
void markdown_text(struct output *out, const char *text);

/* Writes a paragraph, without its end, that begins with a word or two in bold. */
void markdown_point(struct output *out, const char *lead, const char *text);

#endif
