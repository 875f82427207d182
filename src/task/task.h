/*
 * A task has a name, features and a kind of answers. Whether it finds labels or trees is stored here, and decides where
 * the two ways part: see "The seams" in ARCHITECTURE.md.
 */
#ifndef VOUCH_TASK_TASK_H
#define VOUCH_TASK_TASK_H

#include "base/text.h"

#include <stdbool.h>

struct task {
    const char *name;
    const char *features; /* its built-in feature set; NULL: features of arcs */
    const char *only;     /* the one chunk type that it keeps, or NULL: all labels as they are */
    const char *about;
    bool trees; /* it finds a tree; else a label for every word */
};

/* Every task, those that label first; the last has no name. */
extern const struct task tasks[];

/* Returns the task of that name, or NULL. */
const struct task *task_named(const char *name);

/* Returns the same for a model's task; an unknown task takes labels as they are. */
const struct task *task_or_any(const char *name);

/* Returns the gold label as the task sees it: for `np`, every label of another type is O. */
struct text task_gold(const struct task *task, struct text label);

#endif
