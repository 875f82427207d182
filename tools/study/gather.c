/* Gathers all results of a study in one file: see record.h. */
#include "study/record.h"

#include <stdio.h>

/* Returns "0,1": the number of answers that are learned from, then others for comparison. */
static json_t *k_best_json(const struct protocol *p)
{
    char text[32 * (STUDY_OTHERS + 1)];
    int used = snprintf(text, sizeof text, "%lld", (long long)p->k_best);
    for (size_t i = 0; i < p->others && used > 0; i++)
        used += snprintf(text + used, sizeof text - (size_t)used, ",%lld", (long long)p->other_k[i]);
    return json_string(text);
}

static json_t *settings_json(const struct protocol *p)
{
    return json_pack("{s:o, s:I, s:I, s:I, s:I, s:I, s:I, s:s}", "k_best", k_best_json(p), "folds",
                     (json_int_t)p->folds, "passes", (json_int_t)p->passes, "repeats", (json_int_t)p->repeats, "most",
                     (json_int_t)p->most, "tuning_sentences", (json_int_t)p->tuning, "seed", (json_int_t)p->seed,
                     "grid", p->grid);
}

/* Lists experiments that have steps, all of which are done. */
static json_t *complete_experiments(const struct study *study, json_t *const *record)
{
    json_t *names = json_array();
    for (int e = 0; e < EXPERIMENTS; e++) {
        size_t steps = 0, done = 0;
        for (size_t i = 0; i < study->steps; i++)
            if (study->step[i].wanted_by >> e & 1) {
                steps++;
                done += record[i] != NULL;
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
        const struct study_dataset *d = &study->dataset[i];
        json_array_append_new(datasets, json_pack("{s:s, s:s, s:s, s:s, s:s?, s:b}", "key", d->key, "name", d->name,
                                                  "task", d->task, "kind", d->trees ? "tree" : "chain", "paper",
                                                  d->paper, "same", d->same));
    }
    return datasets;
}

static json_t *steps_json(const struct study *study, json_t *const *record)
{
    static const char *const keys[] = {"command", "seconds", "cpu_seconds", "result"};
    json_t *steps = json_object();
    for (size_t i = 0; i < study->steps; i++) {
        json_t *step = record[i] ? json_object() : NULL;
        for (size_t k = 0; step && k < sizeof keys / sizeof *keys; k++)
            json_object_set(step, keys[k], json_object_get(record[i], keys[k]));
        if (step)
            json_object_set_new(steps, study->step[i].name, step);
    }
    return steps;
}

bool study_write_results(const struct study *study, const struct study_run *run, json_t *const *record,
                         struct vouch_error *err)
{
    json_t *results =
        json_pack("{s:s, s:s, s:o, s:o, s:o, s:o}", "program", "vouch", "version", vouch_version(), "settings",
                  settings_json(&study->protocol), "experiments", complete_experiments(study, record), "datasets",
                  datasets_json(study), "steps", steps_json(study, record));
    json_t *left = json_array();
    for (size_t i = 0; i < run->left.count; i++)
        json_array_append_new(left, json_string(run->left.at[i]));
    if (run->left.count)
        json_object_set(results, "left_out", left);
    json_decref(left);
    bool ok = results ? study_write_json(run->out, "results.json", results, err) : fail_memory(err);
    json_decref(results);
    return ok;
}
