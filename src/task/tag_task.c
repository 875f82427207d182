/* The labelling tasks: see tag_task.h. */
#include "task/tag_task.h"

#include "core/scheme.h"

const struct tag_task tag_tasks[] = {
    {"np", "np", "NP", "noun-phrase chunks: other chunks count as O"},
    {"chunk", "chunk", NULL, "all chunks"},
    {"ner", "ner", NULL, "named entities"},
    {"pos", "pos", NULL, "parts of speech, from the word alone"},
    {NULL, NULL, NULL, NULL},
};

const struct tag_task *tag_task_named(const char *name)
{
    for (const struct tag_task *task = tag_tasks; task->name; task++)
        if (strcmp(task->name, name) == 0)
            return task;
    return NULL;
}

const struct tag_task *tag_task_or_any(const char *name)
{
    static const struct tag_task as_it_is = {"", "", NULL, ""};
    const struct tag_task *task = tag_task_named(name);
    return task ? task : &as_it_is;
}

struct text tag_task_gold(const struct tag_task *task, struct text label)
{
    struct text type;
    if (!task->only || (scheme_split(label, &type) && text_is(type, task->only)))
        return label;
    return text_of("O");
}
