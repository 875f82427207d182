/*
 * The labelling tasks: what each is called, sees and answers.
 */
#ifndef VOUCH_TASK_TAG_TASK_H
#define VOUCH_TASK_TAG_TASK_H

#include "base/text.h"

struct tag_task {
    const char *name;
    const char *features; /* its built-in feature set */
    const char *only;     /* the one chunk type that it keeps, or NULL: all labels as they are */
    const char *about;
};

/* Every task; the last has no name. */
extern const struct tag_task tag_tasks[];

/* The task of that name, or NULL. */
const struct tag_task *tag_task_named(const char *name);

/* The same for a model's task; an unknown task takes labels as they are. */
const struct tag_task *tag_task_or_any(const char *name);

/* The gold label as the task sees it: for `np`, every label of another type is O. */
struct text tag_task_gold(const struct tag_task *task, struct text label);

#endif
