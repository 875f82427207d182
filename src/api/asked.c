/*
 * Checks options and files that were passed: see asked.h. What was passed is copied, so that a job may fill in its
 * options without changing the caller's; without options, those of the command's table are taken.
 */
#include "api/asked.h"

#include "base/error.h"
#include "base/memory.h"

#include <string.h>

void asked_release(struct asked *asked)
{
    for (size_t i = 0; asked->file && i < asked->count; i++)
        free(asked->file[i]);
    free(asked->file);
    free(asked->options);
}

static bool check(const struct passed *passed, struct vouch_error *err)
{
    const struct option_table *found = passed->options ? passed->options->table : passed->table;
    const struct vouch_watch *watch = passed->watch;
    if (passed->count && !is_given(passed->files, "files", err))
        return false;
    if (found != passed->table)
        return fail(err, VOUCH_ERR_ARGUMENT, "expected options of '%s', found those of '%s'", passed->table->command,
                    found->command);
    if (passed->least && passed->count == 0)
        return fail(err, VOUCH_ERR_ARGUMENT, "expected at least one %s", passed->least);
    return !watch || is_whole(watch->size, sizeof *watch, "vouch_watch", err);
}

bool asked_take(struct asked *asked, const struct passed *passed, struct vouch_error *err)
{
    *asked = (struct asked){0};
    asked->file = check(passed, err) ? new_array(passed->count, sizeof *asked->file, err) : NULL;
    asked->count = asked->file ? passed->count : 0;
    for (size_t i = 0; i < asked->count; i++) {
        const char *name = passed->files[i];
        if (!is_given(name, "the name of a file", err) || !(asked->file[i] = new_string(name, strlen(name), err)))
            return false;
    }
    struct options *own = asked->options = asked->file ? new_block(passed->table->size, err) : NULL;
    if (!own)
        return false;
    if (passed->options)
        memcpy(own, passed->options->values, passed->table->size);
    else
        options_init(passed->table, own);
    own->argument = asked->file;
    own->arguments = asked->count;
    own->work.watch = passed->watch;
    return true;
}

bool asks_a_model(const char *columns, bool log, struct vouch_error *err)
{
    return (!columns && !log) || fail(err, VOUCH_ERR_ARGUMENT,
                                      "--%s is about a file of another program's answers, not about a model's",
                                      columns ? "columns" : "log");
}

vouch_model *model_written(struct output *out, bool written, struct vouch_error *err)
{
    size_t length = 0;
    const char *bytes = written ? output_text(out, &length) : NULL;
    vouch_model *model = bytes ? vouch_model_open_memory(bytes, length, err) : NULL;
    if (written && !bytes)
        fail_memory(err);
    output_discard(out);
    return model;
}

char *written_text(struct output *out, bool written, struct vouch_error *err)
{
    size_t length = 0;
    const char *bytes = written ? output_text(out, &length) : NULL;
    char *text = bytes ? new_string(bytes, length, err) : NULL;
    if (written && !bytes)
        fail_memory(err);
    output_discard(out);
    return text;
}

char *json_text(json_t *json, int digits, struct vouch_error *err)
{
    char *text = json ? json_dumps(json, JSON_INDENT(2) | JSON_REAL_PRECISION(digits)) : NULL;
    json_decref(json);
    if (!text)
        fail_memory(err);
    return text;
}
