/*
 * Draws dependency trees, as SVG for a page or as text for a terminal.
 *
 * The functions are pure; the same tree gives the same bytes. Any arcs can be drawn: several roots, crossing arcs, even
 * a cycle.
 */
#ifndef VOUCH_REPORT_ARC_DIAGRAM_H
#define VOUCH_REPORT_ARC_DIAGRAM_H

#include "base/buffer.h"

/* The tree to draw, in memory of the caller. Text is UTF-8; other bytes are shown as U+FFFD. */
struct arc_diagram {
    uint32_t N;
    const struct text *form;     /* [N] */
    const struct text *tag;      /* [N], shown with the word; or NULL */
    const uint32_t *head;        /* [N] number of the word it depends on, from 1; 0 for the root */
    const struct text *relation; /* [N]; or NULL */
    const double *confidence;    /* [N] of the arcs, NAN where there is none; or NULL: */
    double threshold;            /* those below this are drawn as doubtful, with their number */
    bool colour;                 /* of text: doubtful ones are in colour, too */
};

/*
 * Appends an <svg> element: the words in a line, arcs above them with arrow heads at the dependents, relations on the
 * arcs. Words of a script that runs from right to left begin at the right. It has no background, and colours for light
 * pages and for dark ones; arcs that cross others by not covering words of their own have a colour of their own, and
 * doubtful ones are dashed. An inline <style> touches nothing outside the class vouch-tree.
 *
 * False, with nothing appended, if a head is not in 0 .. N or a word is its own head.
 */
bool arc_diagram_svg(const struct arc_diagram *tree, struct buffer *out, struct vouch_error *err);

/*
 * Appends a line for each word: arcs in columns on the left, then number, form, tag, relation and head. An arc leaves
 * the line of its head and ends in an arrow on the line of the dependent; a root's line starts with a dot; where an arc
 * interrupts a line of words, they cross. A doubtful arc has a question mark and its number at the end. Fails as above.
 */
bool arc_diagram_text(const struct arc_diagram *tree, struct buffer *out, struct vouch_error *err);

#endif
