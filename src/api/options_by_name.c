/*
 * Options by name, from the tables of the command line: see vouch.h.
 */
#include "api/options_by_name.h"

#include "api/status.h"
#include "base/memory.h"
#include "base/output.h"
#include "model/model.h"

#include <string.h>

struct vouch_options {
    const struct option_table *table;
    struct settings settings;
    char *text[MAX_OPTIONS]; /* what settings of kind OPTION_TEXT point to, once they are set */
};

vouch_options *vouch_options_new(const char *command, struct vouch_error *err)
{
    static const struct option_table *const tables[] = {&train_options, &tune_options, &eval_options};
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        if (strcmp(tables[i]->command, command) == 0) {
            struct vouch_options *options = new_array(1, sizeof *options, err);
            if (options)
                *options = (struct vouch_options){.table = tables[i], .settings = settings_usual(tables[i])};
            return options;
        }
    fail(err, VOUCH_ERR_ARGUMENT, "the library has no options for '%s'", command);
    return NULL;
}

void vouch_options_free(vouch_options *options)
{
    for (int i = 0; options && i < MAX_OPTIONS; i++)
        free(options->text[i]);
    free(options);
}

static bool set(vouch_options *options, const char *name, const char *value, struct vouch_error *err)
{
    const struct option_spec *spec = option_named(options->table, name, err);
    if (!spec)
        return false;
    if (spec->role & OPTION_OF_PROGRAM)
        return fail(err, VOUCH_ERR_ARGUMENT, "--%s of vouch %s is an option of the program, not of the library", name,
                    options->table->command);
    char *copy = new_string(value, strlen(value), err);
    char **kept = &options->text[spec - options->table->option];
    if (!copy || !settings_set(&options->settings, options->table, spec, copy, err)) {
        free(copy);
        return false;
    }
    free(*kept);
    *kept = copy;
    return true;
}

enum vouch_status vouch_options_set(vouch_options *options, const char *name, const char *value,
                                    struct vouch_error *err)
{
    struct vouch_error own = {0};
    err = err ? err : &own;
    return status_of(set(options, name, value, err), err);
}

const struct settings *vouch_options_settings(const vouch_options *options)
{
    return &options->settings;
}

const struct option_table *vouch_options_table(const vouch_options *options)
{
    return options->table;
}

enum vouch_status vouch_model_save(const vouch_model *model, const char *path, struct vouch_error *err)
{
    struct vouch_error own = {0};
    err = err ? err : &own;
    struct output *out = output_open(path, err);
    if (out)
        output_write(out, model->file.bytes, model->file.size);
    return status_of(output_close(out, out != NULL, err), err);
}
