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
 * Another kind shows the classes that a lexicon (lexicon.h) has for the word in the cell, and is named after it:
 *
 *   NAME         the class in the first column of lexicon NAME; nothing if it has none
 *   NAME.C       that in column C, from 1
 *   NAME:P       its first P characters, or all if it is shorter; NAME.C:P
 *
 * Words of a phrase of several words show B- before the class, if they are its first, or I-. Characters are Unicode
 * code points.
 */
#ifndef VOUCH_TASK_VIEW_H
#define VOUCH_TASK_VIEW_H

#include "base/memory.h"
#include "base/text.h"

enum view_kind {
    VIEW_CELL,
    VIEW_LOWER,
    VIEW_LOWER_ASCII,
    VIEW_PREFIX,
    VIEW_SUFFIX,
    VIEW_SHAPE,
    VIEW_BRIEF,
    VIEW_CLASS
};

struct view {
    enum view_kind kind;
    uint32_t length; /* of a prefix or suffix; of a class, 0: all of it */
    uint32_t column;
    uint32_t lookup; /* of a class: number of the look-up that finds it, and the column of its lexicon, from 0 */
    uint32_t class_column;
};

/* Memory for a view's string; only grows. */
struct view_buffer {
    char *bytes;
    size_t capacity;
};

/* Reads a view's name ("suffix3"); false if there is none of that name. Those of classes are not known here. */
bool view_parse(struct text name, struct view *view);

/*
 * Applies the view: *seen points into `cell` or `buffer`; its `at` is NULL if there is nothing to see. For classes the
 * cell is a character of enum lexicon_place and a row of classes.
 */
bool view_apply(const struct view *view, struct text cell, struct view_buffer *buffer, struct text *seen,
                struct vouch_error *err);

#endif
