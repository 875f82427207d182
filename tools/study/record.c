/*
 * Writes and reads records of steps, and gathers them in OUT/results.json. The record of a step holds what was run, and
 * its result:
 *
 *     OUT/steps/NAME.json = {"step", "command", "seconds", "cpu_seconds", "result"}
 *
 * The result is the JSON that the command printed; for one that writes a training log it is {"passes", "tuned",
 * "tried"}, made of the log's events.
 */
#include "study/study.h"

#include "base/output.h"
#include "base/buffer.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool study_write_json(const char *out, const char *name, const json_t *value, struct vouch_error *err)
{
    char *path = path_in(out, err, "%s", name);
    char *text = json_dumps(value, JSON_INDENT(1) | JSON_REAL_PRECISION(9));
    struct output *to = path && (text || fail_memory(err)) ? output_open(path, err) : NULL;
    if (to) {
        output_write(to, text, strlen(text));
        output_write(to, "\n", 1);
    }
    free(text);
    free(path);
    return output_close(to, to != NULL, err);
}

json_t *record_read(const char *out, const char *step)
{
    char *path = path_in(out, NULL, "steps/%s.json", step);
    json_t *record = path ? json_load_file(path, 0, NULL) : NULL;
    free(path);
    return record;
}

bool record_add_chosen(const json_t *record, const char *step, struct strings *argument, struct vouch_error *err)
{
    const json_t *tuned = json_object_get(json_object_get(record, "result"), "tuned");
    const json_t *value = json_object_get(tuned, "value");
    const char *name = json_string_value(json_object_get(tuned, "parameter"));
    if (!name || !json_is_number(value))
        return fail(err, VOUCH_ERR_FORMAT, "%s: expected it to choose a parameter", step);
    return strings_add(argument, err, "--%s", name) && strings_add(argument, err, "%.9g", json_number_value(value));
}

/* Returns the object that a member is, adding it if it is missing; NULL if there is no memory. */
static json_t *object_in(json_t *of, const char *name)
{
    if (!json_object_get(of, name))
        json_object_set_new(of, name, json_object());
    return json_object_get(of, name);
}

/* Notes the least and the greatest value of a method's parameter that was tried: {VOICE: {PARAMETER: [LOW, HIGH]}}. */
static void add_tried(json_t *result, const json_t *event)
{
    const char *voice = json_string_value(json_object_get(event, "voice"));
    const char *parameter = json_string_value(json_object_get(event, "parameter"));
    double value = json_number_value(json_object_get(event, "value"));
    if (!voice || !parameter)
        return;
    json_t *own = object_in(object_in(result, "tried"), voice);
    json_t *ends = json_object_get(own, parameter);
    double low = ends ? json_number_value(json_array_get(ends, 0)) : value;
    double high = ends ? json_number_value(json_array_get(ends, 1)) : value;
    json_object_set_new(own, parameter, json_pack("[f, f]", fmin(low, value), fmax(high, value)));
}

/* Adds one event of a training log to the result. */
static void add_event(json_t *result, json_t *event)
{
    const char *kind = json_string_value(json_object_get(event, "event"));
    if (kind && strcmp(kind, "tried") == 0)
        add_tried(result, event);
    if (kind && strcmp(kind, "tuned") == 0)
        json_object_set(result, "tuned", json_object_get(event, "result"));
    if (!kind || strcmp(kind, "pass") != 0)
        return;
    json_t *pass = json_copy(event);
    json_t *dev = json_object_get(event, "dev");
    json_object_del(pass, "event");
    json_object_del(pass, "dev");
    if (dev)
        json_object_update(pass, dev);
    json_array_append_new(json_object_get(result, "passes"), pass);
}

/* Reads all events of a log, each a line; one that is cut short is no event. */
static json_t *read_log(const char *path, struct vouch_error *err)
{
    FILE *log = fopen(path, "rb");
    json_t *result = json_pack("{s:[]}", "passes");
    json_error_t error;
    char *line = NULL;
    size_t room = 0, number = 0;
    bool ok = log ? result || fail_memory(err) : fail(err, VOUCH_ERR_IO, "%s: cannot read: %s", path, strerror(errno));
    for (ssize_t length; ok && (length = getline(&line, &room, log)) >= 0;) {
        number++;
        if (strspn(line, " \t\r\n") == (size_t)length)
            continue;
        json_t *event = json_loadb(line, (size_t)length, 0, &error);
        ok = event || fail(err, VOUCH_ERR_FORMAT, "%s:%zu: expected an event as JSON: %s", path, number, error.text);
        if (event)
            add_event(result, event);
        json_decref(event);
    }
    if (ok && ferror(log))
        ok = fail(err, VOUCH_ERR_IO, "%s: cannot read", path);
    if (log)
        fclose(log);
    free(line);
    if (ok)
        return result;
    json_decref(result);
    return NULL;
}

json_t *record_result(FILE *printed, const char *log, struct vouch_error *err)
{
    json_error_t error;
    if (log)
        return read_log(log, err);
    rewind(printed);
    json_t *result = json_loadf(printed, 0, &error);
    if (!result)
        fail(err, VOUCH_ERR_FORMAT, "expected JSON: line %d: %s", error.line, error.text);
    return result;
}

bool record_write(const char *out, const char *step, const struct strings *argument, const double seconds[2],
                  json_t *result, struct vouch_error *err)
{
    char *name = path_in("steps", err, "%s.json", step);
    json_t *command = strings_json(argument);
    json_array_insert_new(command, 0, json_string("vouch")); /* as it would be typed in OUT */
    json_t *record = json_pack("{s:s, s:o, s:f, s:f, s:O}", "step", step, "command", command, "seconds", seconds[0],
                               "cpu_seconds", seconds[1], "result", result);
    bool ok = name && (record || fail_memory(err)) && study_write_json(out, name, record, err);
    json_decref(record);
    free(name);
    return ok;
}

/* All results. */

static json_t *settings_json(const struct protocol *p)
{
    char k_best[32 * (STUDY_OTHERS + 1)]; /* "0,1": the number of answers that are learned from, then for comparison */
    int used = snprintf(k_best, sizeof k_best, "%lld", (long long)p->k_best);
    for (size_t i = 0; i < p->others && used > 0; i++)
        used += snprintf(k_best + used, sizeof k_best - (size_t)used, ",%lld", (long long)p->other_k[i]);
    return json_pack("{s:s, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:s}", "k_best", k_best, "folds", (json_int_t)p->folds,
                     "passes", (json_int_t)p->passes, "seeds", (json_int_t)p->seeds, "repeats",
                     (json_int_t)p->repeats, "most", (json_int_t)p->most,
                     "tuning_sentences", (json_int_t)p->tuning, "seed", (json_int_t)p->seed, "grid", p->grid);
}

/* Lists experiments that have steps, all of which are done. */
static json_t *complete_experiments(const struct study *study)
{
    json_t *names = json_array();
    for (int e = 0; e < EXPERIMENTS; e++) {
        size_t steps = 0, done = 0;
        for (size_t i = 0; i < study->steps; i++)
            if (study->step[i].wanted_by >> e & 1) {
                steps++;
                done += study->step[i].record != NULL;
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

static json_t *steps_json(const struct study *study)
{
    static const char *const keys[] = {"command", "seconds", "cpu_seconds", "result"};
    json_t *steps = json_object();
    for (size_t i = 0; i < study->steps; i++) {
        const struct step *done = &study->step[i];
        json_t *step = done->record ? json_object() : NULL;
        for (size_t k = 0; step && k < sizeof keys / sizeof *keys; k++)
            json_object_set(step, keys[k], json_object_get(done->record, keys[k]));
        if (step)
            json_object_set_new(steps, done->name, step);
    }
    return steps;
}

bool study_write_results(const struct study *study, const struct study_run *run, struct vouch_error *err)
{
    json_t *results = json_pack("{s:s, s:s, s:o, s:o, s:o, s:o}", "program", "vouch", "version", vouch_version(),
                                "settings", settings_json(&study->protocol), "experiments", complete_experiments(study),
                                "datasets", datasets_json(study), "steps", steps_json(study));
    if (run->left.count)
        json_object_set_new(results, "left_out", strings_json(&run->left));
    bool ok = results ? study_write_json(run->out, "results.json", results, err) : fail_memory(err);
    json_decref(results);
    return ok;
}
