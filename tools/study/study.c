/* Makes lists of strings, and releases what a study owns: see study.h. */
#include "study/study.h"

#include "base/buffer.h"

bool strings_add_list(struct strings *list, struct vouch_error *err, const char *format, va_list args)
{
    struct buffer text = {0};
    if (!RESERVE(list->at, list->capacity, list->count + 1, err) || !buffer_print_list(&text, err, format, args))
        return false;
    list->at[list->count++] = text.bytes;
    return true;
}

bool strings_add(struct strings *list, struct vouch_error *err, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    bool ok = strings_add_list(list, err, format, args);
    va_end(args);
    return ok;
}

void strings_release(struct strings *list)
{
    for (size_t i = 0; i < list->count; i++)
        free(list->at[i]);
    free(list->at);
    *list = (struct strings){0};
}

const char *const experiment_names[EXPERIMENTS] = {"data",        "prediction", "ranking", "calibration",
                                                   "effect-of-k", "tradeoff",   "active"};

void study_release(struct study *study)
{
    for (struct study_dataset *d = study->dataset; d && d < study->dataset + study->datasets; d++) {
        char *const texts[] = {d->key, d->name, d->task, d->paper, d->dev, d->test};
        for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
            free(texts[i]);
        strings_release(&d->corpus);
        strings_release(&d->train);
    }
    for (struct step *s = study->step; s && s < study->step + study->steps; s++) {
        free(s->name);
        strings_release(&s->argument);
        strings_release(&s->outside);
        strings_release(&s->makes);
        json_decref(s->record);
    }
    free(study->dataset);
    free(study->step);
    *study = (struct study){0};
}
