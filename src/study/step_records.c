/* Records of steps: see step_records.h. */
#include "study/step_records.h"

#include "base/hash.h"
#include "base/memory.h"
#include "base/output.h"
#include "base/path.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

bool make_folders(const char *path, struct vouch_error *err)
{
    char *copy = new_string(path, strlen(path), err);
    bool ok = copy != NULL;
    for (char *slash = copy; ok && (slash = strchr(slash + 1, '/')) != NULL; *slash = '/') {
        *slash = '\0';
        if (mkdir(copy, 0777) != 0 && errno != EEXIST)
            ok = fail(err, VOUCH_ERR_IO, "%s: cannot make the folder: %s", copy, strerror(errno));
    }
    free(copy);
    return ok;
}

bool study_lock(const char *out, int *lock, struct vouch_error *err)
{
    char *folder = path_in(out, err, "%s", "");
    bool ok = folder && make_folders(folder, err);
    *lock = ok ? open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    free(folder);
    if (ok && *lock < 0)
        return fail(err, VOUCH_ERR_IO, "%s: cannot open the folder: %s", out, strerror(errno));
    if (ok && flock(*lock, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
        close(*lock);
        ok = fail(err, VOUCH_ERR_IO, "%s: is being written by another run", out);
    }
    return ok;
}

bool record_json(const char *out, const char *name, const json_t *value, struct vouch_error *err)
{
    char *path = path_in(out, err, "%s", name);
    char *text = json_dumps(value, JSON_INDENT(1) | JSON_REAL_PRECISION(9));
    bool ok = path && (text || fail_memory(err)) && make_folders(path, err);
    struct output *to = ok ? output_open(path, err) : NULL;
    if (to) {
        output_write(to, text, strlen(text));
        output_write(to, "\n", 1);
    }
    free(text);
    free(path);
    return output_close(to, to != NULL, err);
}

/* Digests. */

static uint64_t mix_text(uint64_t digest, const char *text)
{
    return hash_mix(digest, hash_bytes(text, strlen(text)));
}

/* All bytes of a file. */
static bool mix_file(uint64_t *digest, const char *path, struct vouch_error *err)
{
    enum { BLOCK = 1 << 18 };
    char *block = new_array(BLOCK, 1, err);
    FILE *file = block ? fopen(path, "rb") : NULL;
    bool ok = file || (block && fail(err, VOUCH_ERR_IO, "%s: cannot read: %s", path, strerror(errno)));
    for (size_t got; ok && (got = fread(block, 1, BLOCK, file)) > 0;)
        *digest = hash_mix(*digest, hash_bytes(block, got));
    if (ok && ferror(file))
        ok = fail(err, VOUCH_ERR_IO, "%s: cannot read", path);
    if (file)
        fclose(file);
    free(block);
    return ok;
}

static bool find_digest(const struct study *study, size_t step, struct progress_of_step *of, struct vouch_error *err)
{
    const struct step *s = &study->step[step];
    uint64_t digest = mix_text(0, vouch_version());
    for (size_t i = 0; i < of[step].argument.count; i++)
        digest = mix_text(digest, of[step].argument.at[i]);
    for (size_t i = 0; i < s->needs; i++)
        digest = hash_mix(digest, of[s->need[i]].digest);
    for (size_t i = 0; i < s->outside.count; i++)
        if (!mix_file(&digest, s->outside.at[i], err))
            return false;
    of[step].digest = digest;
    return true;
}

/* Command lines. */

/* The name of the parameter that a step chose, and its value; NULL: it chose none. */
static const char *chosen(const json_t *record, double *value)
{
    const json_t *tuned = json_object_get(json_object_get(record, "result"), "tuned");
    const json_t *number = json_object_get(tuned, "value");
    *value = json_number_value(number);
    return json_is_number(number) ? json_string_value(json_object_get(tuned, "parameter")) : NULL;
}

/* "--phi 0.3", as a step before this one found out. */
static bool add_tuned(struct strings *argument, const struct step *step, const json_t *record, struct vouch_error *err)
{
    double value;
    const char *name = chosen(record, &value);
    if (!name)
        return fail(err, VOUCH_ERR_FORMAT, "%s: expected it to choose a parameter", step->name);
    return strings_add(argument, err, "--%s", name) && strings_add(argument, err, "%.9g", value);
}

/* The arguments of the step, and after the first, the name of the command, the parameters that others chose. */
static bool complete_arguments(const struct study *study, size_t step, struct progress_of_step *of,
                               struct vouch_error *err)
{
    const struct step *s = &study->step[step];
    struct strings *argument = &of[step].argument;
    strings_release(argument);
    bool ok = true;
    for (size_t i = 0; ok && i < s->argument.count; i++) {
        ok = strings_add(argument, err, "%s", s->argument.at[i]);
        for (size_t t = 0; ok && i == 0 && t < s->tunings; t++)
            ok = add_tuned(argument, &study->step[s->tuned_by[t]], of[s->tuned_by[t]].record, err);
    }
    return ok;
}

/* Records. */

static char *record_name(const struct step *step, struct vouch_error *err)
{
    return path_in("steps", err, "%s.json", step->name);
}

static char *record_path(const char *out, const struct step *step, struct vouch_error *err)
{
    return path_in(out, err, "steps/%s.json", step->name);
}

static void digest_text(uint64_t digest, char text[17])
{
    snprintf(text, 17, "%016llx", (unsigned long long)digest);
}

/* The size of OUT/NAME; -1: it is not there. */
static json_int_t size_in(const char *out, const char *name)
{
    struct stat about;
    char *path = path_in(out, NULL, "%s", name);
    bool there = path && stat(path, &about) == 0;
    free(path);
    return there ? (json_int_t)about.st_size : -1;
}

/* Whether others take the parameter that a step chooses. */
static bool is_to_choose(const struct study *study, size_t step)
{
    for (size_t i = step + 1; i < study->steps; i++)
        for (size_t t = 0; t < study->step[i].tunings; t++)
            if (study->step[i].tuned_by[t] == step)
                return true;
    return false;
}

static bool record_holds(const json_t *record, const char *out, const struct step *step, uint64_t digest)
{
    const char *made_from = json_string_value(json_object_get(record, "made_from"));
    const json_t *made = json_object_get(record, "made");
    char expected[17];
    digest_text(digest, expected);
    if (!made_from || strcmp(made_from, expected) != 0 || !json_object_get(record, "result"))
        return false;
    for (size_t i = 0; i < step->makes.count; i++) {
        const json_t *size = json_object_get(made, step->makes.at[i]);
        if (!json_is_integer(size) || json_integer_value(size) != size_in(out, step->makes.at[i]))
            return false;
    }
    return true;
}

/* The record on the disk, if it holds; what is not there or damaged is NULL. */
static bool find_record(const struct study *study, size_t step, const char *out, struct progress_of_step *of,
                        struct vouch_error *err)
{
    const struct step *s = &study->step[step];
    char *path = record_path(out, s, err);
    json_t *record = path ? json_load_file(path, 0, NULL) : NULL;
    double value;
    if (record &&
        (!record_holds(record, out, s, of->digest) || (is_to_choose(study, step) && !chosen(record, &value)))) {
        json_decref(record);
        record = NULL;
    }
    of->record = record;
    bool ok = path != NULL;
    free(path);
    return ok;
}

bool step_settle(const struct study *study, const char *out, size_t step, struct progress_of_step *of,
                 struct vouch_error *err)
{
    return complete_arguments(study, step, of, err) && find_digest(study, step, of, err) &&
           find_record(study, step, out, &of[step], err);
}

bool step_forget(const struct study *study, const char *out, size_t step, struct vouch_error *err)
{
    char *path = record_path(out, &study->step[step], err);
    bool ok = path && (remove(path) == 0 || errno == ENOENT ||
                       fail(err, VOUCH_ERR_IO, "%s: cannot remove: %s", path, strerror(errno)));
    free(path);
    return ok;
}

/* The command as one would type it in OUT. */
static json_t *command_json(const struct strings *argument)
{
    json_t *command = json_pack("[s]", "vouch");
    for (size_t i = 0; i < argument->count; i++)
        json_array_append_new(command, json_string(argument->at[i]));
    return command;
}

/* The files that a step made, with their sizes; an error if one is not there. */
static json_t *made_json(const struct step *step, const char *out, struct vouch_error *err)
{
    json_t *made = json_object();
    for (size_t i = 0; i < step->makes.count; i++) {
        json_int_t size = size_in(out, step->makes.at[i]);
        if (size < 0) {
            fail(err, VOUCH_ERR_IO, "%s: expected it to make %s", step->name, step->makes.at[i]);
            json_decref(made);
            return NULL;
        }
        json_object_set_new(made, step->makes.at[i], json_integer(size));
    }
    if (!made)
        fail_memory(err);
    return made;
}

bool step_record_write(const struct study *study, const char *out, size_t step, struct progress_of_step *of,
                       const struct outcome_of_step *outcome, struct vouch_error *err)
{
    const struct step *s = &study->step[step];
    char digest[17];
    digest_text(of[step].digest, digest);
    json_t *made = made_json(s, out, err);
    if (!made) {
        json_decref(outcome->result);
        return false;
    }
    of[step].record = json_pack("{s:s, s:o, s:s, s:o, s:f, s:f, s:o}", "step", s->name, "command",
                                command_json(&of[step].argument), "made_from", digest, "made", made, "seconds",
                                outcome->seconds, "cpu_seconds", outcome->cpu_seconds, "result", outcome->result);
    char *name = record_name(s, err);
    bool ok = name && (of[step].record || fail_memory(err)) && record_json(out, name, of[step].record, err);
    free(name);
    return ok;
}
