/* All results of a study in one file: see keep.h. */
#include "study/keep.h"

static json_t *settings_json(const struct protocol *p)
{
    return json_pack("{s:I, s:I, s:I, s:I, s:I, s:I, s:s}", "folds", (json_int_t)p->folds, "passes",
                     (json_int_t)p->passes, "repeats", (json_int_t)p->repeats, "most", (json_int_t)p->most,
                     "tuning_sentences", (json_int_t)p->tuning, "seed", (json_int_t)p->seed, "grid", p->grid);
}

/* Experiments that have steps, all of which are done. */
static json_t *complete_experiments(const struct study *study, const struct progress_of_step *of)
{
    json_t *names = json_array();
    for (int e = 0; e < EXPERIMENTS; e++) {
        size_t steps = 0, done = 0;
        for (size_t i = 0; i < study->steps; i++)
            if (study->step[i].wanted_by >> e & 1) {
                steps++;
                done += of[i].record != NULL;
            }
        if (steps && done == steps)
            json_array_append_new(names, json_string(experiment_names[e]));
    }
    return names;
}

static json_t *datasets_json(const struct study *study)
{
    json_t *datasets = json_array();
    for (size_t i = 0; i < study->datasets; i++) {
        const struct dataset *d = &study->dataset[i];
        json_array_append_new(datasets, json_pack("{s:s, s:s, s:s, s:s, s:s?, s:b}", "key", d->key, "name", d->name,
                                                  "task", d->task, "kind", d->trees ? "tree" : "chain", "paper",
                                                  d->paper, "same", d->same));
    }
    return datasets;
}

static json_t *steps_json(const struct study *study, const struct progress_of_step *of)
{
    static const char *const keys[] = {"command", "seconds", "cpu_seconds", "result"};
    json_t *steps = json_object();
    for (size_t i = 0; i < study->steps; i++) {
        json_t *step = of[i].record ? json_object() : NULL;
        for (size_t k = 0; step && k < sizeof keys / sizeof *keys; k++)
            json_object_set(step, keys[k], json_object_get(of[i].record, keys[k]));
        if (step)
            json_object_set_new(steps, study->step[i].name, step);
    }
    return steps;
}

bool study_keep_results(const struct study *study, const char *out, const struct progress_of_step *of,
                        struct vouch_error *err)
{
    json_t *results =
        json_pack("{s:s, s:s, s:o, s:o, s:o, s:o}", "program", "vouch", "version", vouch_version(), "settings",
                  settings_json(&study->protocol), "experiments", complete_experiments(study, of), "datasets",
                  datasets_json(study), "steps", steps_json(study, of));
    bool ok = results ? keep_json(out, "results.json", results, err) : fail_memory(err);
    json_decref(results);
    return ok;
}
