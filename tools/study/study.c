/* Releases what a study owns: see study.h. */
#include "study/study.h"

#include <stdlib.h>

const char *const experiment_names[EXPERIMENTS] = {"data",        "prediction", "ranking", "calibration",
                                                   "effect-of-k", "tradeoff",   "active"};

static void dataset_release(struct study_dataset *d)
{
    free(d->key);
    free(d->name);
    free(d->task);
    free(d->paper);
    free(d->dev);
    free(d->test);
    strings_release(&d->corpus);
    strings_release(&d->train);
}

static void step_release(struct step *s)
{
    free(s->name);
    strings_release(&s->argument);
    strings_release(&s->outside);
    strings_release(&s->makes);
}

void study_release(struct study *study)
{
    for (size_t i = 0; i < study->datasets; i++)
        dataset_release(&study->dataset[i]);
    for (size_t i = 0; i < study->steps; i++)
        step_release(&study->step[i]);
    free(study->dataset);
    free(study->step);
    *study = (struct study){0};
}
