/*
 * A view turns one cell into a string:
 *
 *   x         the cell itself
 *   lower     in lower case
 *   X         with A to Z in lower case and all else as it is, as the command of that name in Wapiti's patterns
 *   prefixN   its first N characters, suffixN its last N (N = 1 .. 9); nothing if it is not longer than that
 *   shape     each character's class: X upper case, x lower case, d digit, c other letters and marks; the rest as it is
 *   brief     shape with runs shortened to one: "Xx" for "Paris", "d.d" for "12.50"
 *
 * Characters are Unicode code points.
 */
#ifndef VOUCH_TASK_VIEW_H
#define VOUCH_TASK_VIEW_H

#include "base/memory.h"
#include "base/text.h"

enum view_kind { VIEW_CELL, VIEW_LOWER, VIEW_LOWER_ASCII, VIEW_PREFIX, VIEW_SUFFIX, VIEW_SHAPE, VIEW_BRIEF };

struct view {
    enum view_kind kind;
    uint32_t length; /* of a prefix or suffix */
    uint32_t column;
};

/* Memory for a view's string; only grows. */
struct view_buffer {
    char *bytes;
    size_t capacity;
};

/* Reads a view's name ("suffix3"); false if there is none of that name. */
bool view_parse(struct text name, struct view *view);

/* Applies the view: *seen points into `cell` or `buffer`; its `at` is NULL if there is nothing to see. */
bool view_apply(const struct view *view, struct text cell, struct view_buffer *buffer, struct text *seen,
                struct vouch_error *err);

#endif
