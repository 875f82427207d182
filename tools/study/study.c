/*
 * Reads the plan of a study, and releases all that a study owns: see study.h.
 *
 *     {"datasets": [
 *        {"key": "np", "name": "NP chunking", "task": "np", "files": ["train.txt", "test.txt"],
 *         "paper": "NP chunking", "same": true},
 *        {"key": "da", "name": "Danish", "task": "dep", "train": ["da.train"], "dev": "da.dev", "test": "da.test"}]}
 *
 * A key that is not known is an error: a misspelled one would be ignored otherwise.
 */
#define _XOPEN_SOURCE 700 /* realpath() */
#include "study/study.h"

#include "base/buffer.h"
#include "base/text.h"
#include "study/paper.h"
#include "task/task.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Lists of strings. */

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

json_t *strings_json(const struct strings *list)
{
    json_t *array = json_array();
    for (size_t i = 0; i < list->count; i++)
        json_array_append_new(array, json_string(list->at[i]));
    return array;
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

/* Plans. */

/* A dataset while it is read. */
struct reading {
    json_t *object;
    const char *folder; /* names of files are relative to this */
    char *place;        /* for messages: "plan.json: dataset 2" */
    struct vouch_error *err;
};

static bool expect(const struct reading *r, bool so, const char *format, const char *name)
{
    if (so)
        return true;
    fail(r->err, VOUCH_ERR_FORMAT, format, name);
    return fail_within(r->err, "%s", r->place);
}

static bool keys_are_known(const struct reading *r)
{
    static const char *const known[] = {"key", "name", "task",  "files", "train",
                                        "dev", "test", "paper", "same",  "gold"};
    const char *key;
    json_t *value;
    json_object_foreach(r->object, key, value)
    {
        bool found = false;
        for (size_t i = 0; i < sizeof known / sizeof *known; i++)
            found = found || strcmp(known[i], key) == 0;
        if (!expect(r, found, "expected key, name, task, files, train, dev, test, paper, same or gold, found \"%s\"",
                    key))
            return false;
    }
    return true;
}

/* Reads the string under `key` as *text; NULL if it is not there, which is an error if it is `needed`. */
static bool read_text(const struct reading *r, const char *key, bool needed, char **text)
{
    const json_t *value = json_object_get(r->object, key);
    if (!needed && (!value || json_is_null(value)))
        return true;
    if (!expect(r, json_is_string(value) && json_string_length(value) > 0, "expected \"%s\", a text", key))
        return false;
    *text = new_string(json_string_value(value), json_string_length(value), r->err);
    return *text != NULL;
}

/* Adds the whole path of a file, which must be there, and be a line of text for build.ninja and JSON. */
static bool add_file(const struct reading *r, const char *name, struct strings *files)
{
    struct strings path = {0};
    bool whole = name[0] == '/' || !r->folder[0], line = true;
    if (!strings_add(&path, r->err, "%s%s%s", whole ? "" : r->folder, whole ? "" : "/", name))
        return false;
    char *found = realpath(path.at[0], NULL);
    FILE *file = found ? fopen(found, "rb") : NULL;
    bool ok = file;
    if (file) {
        fclose(file);
    } else {
        fail(r->err, VOUCH_ERR_IO, "%s: cannot read: %s", path.at[0], strerror(errno));
        fail_within(r->err, "%s", r->place);
    }
    for (const char *c = found; ok && *c; c++)
        line = line && (unsigned char)*c >= ' ';
    ok = ok &&
         expect(r, line && utf8_check(found, strlen(found)) == strlen(found),
                "%s: expected a name in UTF-8, without control characters", found) &&
         strings_add(files, r->err, "%s", found);
    free(found);
    strings_release(&path);
    return ok;
}

/* Reads one file name, or an array of them. */
static bool read_files(const struct reading *r, const char *key, struct strings *files)
{
    const json_t *value = json_object_get(r->object, key);
    bool list = json_is_array(value),
         ok = !list || expect(r, json_array_size(value) > 0, "expected \"%s\" to name at least one file", key);
    for (size_t i = 0; ok && value && i < (list ? json_array_size(value) : 1); i++) {
        const json_t *name = list ? json_array_get(value, i) : value;
        ok = expect(r, json_is_string(name), "expected \"%s\" to be the name of a file, or an array of names", key) &&
             add_file(r, json_string_value(name), files);
    }
    return ok;
}

static bool read_file(const struct reading *r, const char *key, char **file)
{
    struct strings files = {0};
    bool ok = read_files(r, key, &files) && expect(r, files.count <= 1, "expected \"%s\" to be one file", key);
    if (ok && files.count)
        *file = files.at[--files.count];
    strings_release(&files);
    return ok;
}

static bool check(const struct reading *r, const struct study_dataset *d)
{
    const json_t *same = json_object_get(r->object, "same"), *gold = json_object_get(r->object, "gold");
    bool corpus = d->corpus.count > 0, parted = d->train.count > 0 && d->test;
    size_t length = strlen(d->key); /* it becomes part of file names */
    bool is_key = length > 0 && length <= 32 &&
                  strspn(d->key, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_") == length;
    return expect(r, is_key, "expected \"key\" to be of at most 32 letters, digits, '-' and '_', found \"%s\"",
                  d->key) &&
           expect(r, task_named(d->task) != NULL, "expected \"task\" to be np, chunk, ner, pos or dep, found \"%s\"",
                  d->task) &&
           expect(r, corpus != (d->train.count > 0 || d->dev || d->test) && (corpus || parted),
                  "expected \"files\", to be divided, or \"train\" and \"test\"%s", "") &&
           expect(r, !d->paper || !isnan(paper_number(d->trees ? 3 : 2, d->paper, "words")),
                  d->trees ? "expected \"paper\" to be a row of the paper's Table 3, as Danish, found \"%s\""
                           : "expected \"paper\" to be a row of the paper's Table 2, as NER English, found \"%s\"",
                  d->paper) &&
           expect(r, !same || json_is_boolean(same), "expected \"%s\" to be true or false", "same") &&
           expect(r, !d->same || d->paper, "expected \"paper\", a row of its tables, beside \"%s\": true", "same") &&
           expect(r, !gold || (json_is_integer(gold) && json_integer_value(gold) > 0 && !d->trees),
                  "expected \"%s\" to be the number of a column, from 1", "gold");
}

static bool read_dataset(const struct reading *r, struct study_dataset *d)
{
    if (!expect(r, json_is_object(r->object), "expected an object%s", "") || !keys_are_known(r) ||
        !read_text(r, "key", true, &d->key) || !read_text(r, "name", false, &d->name) ||
        !read_text(r, "task", true, &d->task) || !read_text(r, "paper", false, &d->paper) ||
        !read_files(r, "files", &d->corpus) || !read_files(r, "train", &d->train) || !read_file(r, "dev", &d->dev) ||
        !read_file(r, "test", &d->test))
        return false;
    d->trees = task_or_any(d->task)->trees;
    d->same = json_is_true(json_object_get(r->object, "same"));
    d->gold = json_integer_value(json_object_get(r->object, "gold"));
    if (!d->name)
        d->name = new_string(d->key, strlen(d->key), r->err);
    return d->name && check(r, d);
}

static bool add_dataset(struct study *study, struct reading *r, const char *path, size_t number)
{
    struct strings place = {0};
    if (!RESERVE(study->dataset, study->dataset_capacity, study->datasets + 1, r->err) ||
        !strings_add(&place, r->err, "%s: dataset %zu", path, number)) {
        strings_release(&place);
        return false;
    }
    struct study_dataset *d = &study->dataset[study->datasets++];
    *d = (struct study_dataset){0};
    r->place = place.at[0];
    bool ok = read_dataset(r, d);
    for (size_t i = 0; ok && i + 1 < study->datasets; i++)
        ok = expect(r, strcmp(study->dataset[i].key, d->key) != 0, "expected a key of its own, found \"%s\" again",
                    d->key);
    strings_release(&place);
    return ok;
}

bool study_take_plan(struct study *study, const json_t *plan, const char *folder, const char *path,
                     struct vouch_error *err)
{
    const json_t *datasets = json_object_get(plan, "datasets");
    if (json_is_array(datasets) && json_array_size(datasets) == 0)
        return fail(err, VOUCH_ERR_FORMAT, "%s: expected at least one dataset in \"datasets\", found none", path);
    if (!json_is_array(datasets) || json_object_size(plan) != 1)
        return fail(err, VOUCH_ERR_FORMAT, "%s: expected {\"datasets\": [...]} and nothing else", path);
    for (size_t i = 0; i < json_array_size(datasets); i++) {
        struct reading r = {.object = json_array_get(datasets, i), .folder = folder, .err = err};
        if (!add_dataset(study, &r, path, i + 1))
            return false;
    }
    return true;
}

bool study_read_plan(struct study *study, const char *path, struct vouch_error *err)
{
    json_error_t error;
    FILE *file = fopen(path, "rb");
    if (!file)
        return fail(err, VOUCH_ERR_IO, "%s: cannot read: %s", path, strerror(errno));
    json_t *plan = json_loadf(file, JSON_REJECT_DUPLICATES, &error);
    fclose(file);
    if (!plan)
        return fail(err, VOUCH_ERR_FORMAT, "%s:%d: expected a plan in JSON, or --task for a corpus: %s", path,
                    error.line, error.text);
    const char *slash = strrchr(path, '/');
    char *folder = new_string(path, slash ? (size_t)(slash - path) + (slash == path) : 0, err);
    bool ok = folder && study_take_plan(study, plan, folder, path, err);
    free(folder);
    json_decref(plan);
    return ok;
}

bool study_plan_files(struct study *study, const char *task, char *const *file, size_t files, struct vouch_error *err)
{
    json_t *names = json_array();
    for (size_t i = 0; i < files; i++)
        json_array_append_new(names, json_string(file[i]));
    if (json_array_size(names) != files) {
        json_decref(names);
        return fail(err, VOUCH_ERR_ARGUMENT, "expected names of files in UTF-8");
    }
    json_t *plan =
        json_pack("{s:[{s:s, s:s, s:s, s:o}]}", "datasets", "key", task, "name", task, "task", task, "files", names);
    bool ok = plan ? study_take_plan(study, plan, "", "command line", err) : fail_memory(err);
    json_decref(plan);
    return ok;
}

json_t *study_plan_json(const struct study *study)
{
    json_t *datasets = json_array();
    for (size_t i = 0; i < study->datasets; i++) {
        const struct study_dataset *d = &study->dataset[i];
        json_t *object = json_pack("{s:s, s:s, s:s, s:s?, s:b}", "key", d->key, "name", d->name, "task", d->task,
                                   "paper", d->paper, "same", d->same);
        if (d->gold)
            json_object_set_new(object, "gold", json_integer(d->gold));
        if (d->corpus.count)
            json_object_set_new(object, "files", strings_json(&d->corpus));
        else
            json_object_set_new(object, "train", strings_json(&d->train));
        if (d->dev)
            json_object_set_new(object, "dev", json_string(d->dev));
        if (d->test)
            json_object_set_new(object, "test", json_string(d->test));
        json_array_append_new(datasets, object);
    }
    return json_pack("{s:o}", "datasets", datasets);
}
