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

bool asked_take(struct asked *asked, const vouch_options *options, const struct option_table *table,
                const char *const *files, size_t count, struct vouch_error *err)
{
    *asked = (struct asked){0};
    if (count && !is_given(files, "files", err))
        return false;
    if (options && vouch_options_table(options) != table)
        return fail(err, VOUCH_ERR_ARGUMENT, "expected options of '%s', found those of '%s'", table->command,
                    vouch_options_table(options)->command);
    asked->file = new_array(count, sizeof *asked->file, err);
    asked->count = asked->file ? count : 0;
    for (size_t i = 0; i < asked->count; i++) {
        if (!is_given(files[i], "the name of a file", err))
            return false;
        asked->file[i] = new_string(files[i], strlen(files[i]), err);
        if (!asked->file[i])
            return false;
    }
    struct options *own = asked->options = asked->file ? new_block(table->size, err) : NULL;
    if (!own)
        return false;
    if (options)
        memcpy(own, vouch_options_values(options), table->size);
    else
        options_init(table, own);
    own->argument = asked->file;
    own->arguments = asked->count;
    return true;
}

bool watch_is_whole(const struct vouch_watch *watch, struct vouch_error *err)
{
    return !watch || is_whole(watch->size, sizeof *watch, "vouch_watch", err);
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

char *json_text(json_t *json, int digits, struct vouch_error *err)
{
    char *text = json ? json_dumps(json, JSON_INDENT(2) | JSON_REAL_PRECISION(digits)) : NULL;
    json_decref(json);
    if (!text)
        fail_memory(err);
    return text;
}
