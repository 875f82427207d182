/*
 * Defines the tasks, one row each: see task.h. A task that has no row learns the labels as they are.
 */
#include "task/task.h"

#include "core/scheme.h"

const struct task tasks[] = {
    {"np", "np", "NP", "noun-phrase chunks: other chunks count as O", false},
    {"chunk", "chunk", NULL, "all chunks", false},
    {"ner", "ner", NULL, "named entities", false},
    {"pos", "pos", NULL, "parts of speech, from the word alone", false},
    {"dep", NULL, NULL, "dependency trees", true},
    {0},
};

const struct task *task_named(const char *name)
{
    for (const struct task *task = tasks; task->name; task++)
        if (strcmp(task->name, name) == 0)
            return task;
    return NULL;
}

const struct task *task_or_any(const char *name)
{
    static const struct task as_it_is = {.name = ""};
    const struct task *task = task_named(name);
    return task ? task : &as_it_is;
}

struct text task_gold(const struct task *task, struct text label)
{
    struct text type;
    if (!task->only || text_is(label, "?") || (scheme_split(label, &type) && text_is(type, task->only)))
        return label;
    return text_of("O");
}
