/* Writes and reads records of steps: see record.h. */
#include "study/record.h"

#include "base/output.h"
#include "base/buffer.h"

#include <errno.h>
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

/* Adds one event of a training log to the result. */
static void add_event(json_t *result, json_t *event)
{
    const char *kind = json_string_value(json_object_get(event, "event"));
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

/* Reads all lines of a log; one that is cut short is no event. */
static bool read_events(FILE *log, const char *path, json_t *result, struct vouch_error *err)
{
    json_error_t error;
    char *line = NULL;
    size_t room = 0, number = 0;
    bool ok = true;
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
    free(line);
    return ok;
}

static json_t *read_log(const char *path, struct vouch_error *err)
{
    FILE *log = fopen(path, "rb");
    json_t *result = json_pack("{s:[]}", "passes");
    bool ok = result || fail_memory(err);
    if (!log)
        ok = fail(err, VOUCH_ERR_IO, "%s: cannot read: %s", path, strerror(errno));
    ok = ok && read_events(log, path, result, err);
    if (log)
        fclose(log);
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

/* Returns the command as it would be typed in OUT. */
static json_t *command_json(const struct strings *argument)
{
    json_t *command = json_pack("[s]", "vouch");
    for (size_t i = 0; i < argument->count; i++)
        json_array_append_new(command, json_string(argument->at[i]));
    return command;
}

bool record_write(const char *out, const struct step_done *step, struct vouch_error *err)
{
    char *name = path_in("steps", err, "%s.json", step->name);
    json_t *record = json_pack("{s:s, s:o, s:f, s:f, s:O}", "step", step->name, "command", command_json(step->argument),
                               "seconds", step->seconds, "cpu_seconds", step->cpu_seconds, "result", step->result);
    bool ok = name && (record || fail_memory(err)) && study_write_json(out, name, record, err);
    json_decref(record);
    free(name);
    return ok;
}
