/*
 * Sets options by name, from the tables of the command line: see vouch.h.
 *
 * An object has the options of one command, and a copy of every text that was set, in the row of its option. Options
 * of the program alone, such as --quiet, are left out: they are not counted, and setting one is an error.
 */
#include "api/asked.h"

#include "answer/request.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/spelling.h"
#include "active/next_sentences.h"
#include "agree/agree.h"
#include "cluster/cluster.h"
#include "convert/conversion.h"
#include "eval/evaluation.h"
#include "forecast/text_forecast.h"
#include "review/review.h"
#include "trade/trade.h"
#include "train/training.h"
#include "tune/tuning.h"
#include "vote/vote.h"

#include <string.h>

_Static_assert((int)VOUCH_OPTION_FLAG == OPTION_FLAG && (int)VOUCH_OPTION_TEXT == OPTION_TEXT &&
                   (int)VOUCH_OPTION_INTEGER == OPTION_INTEGER && (int)VOUCH_OPTION_REAL == OPTION_REAL,
               "kinds are handed out as they are");

static const struct option_table *const tables[] = {
    &tag_options,      &parse_options,   &train_options,  &tune_options,   &eval_options,
    &forecast_options, &review_options,  &trade_options,  &active_options, &vote_options,
    &agree_options,    &convert_options, &cluster_options};
enum { TABLES = sizeof tables / sizeof *tables };

static const struct option_table *table_named(const char *command, struct vouch_error *err)
{
    struct spelling spelling = {.typed = command};
    char hint[SPELLING_HINT];
    if (!is_given(command, "the name of a command", err))
        return NULL;
    for (size_t i = 0; i < TABLES; i++) {
        if (strcmp(tables[i]->command, command) == 0)
            return tables[i];
        spelling_try(&spelling, tables[i]->command, strlen(tables[i]->command));
    }
    fail(err, VOUCH_ERR_ARGUMENT, "the library has no options for '%s'%s", command,
         spelling_hint(&spelling, "", hint, sizeof hint));
    return NULL;
}

static bool is_ours(const struct option_spec *spec)
{
    return !(spec->role & OPTION_OF_PROGRAM);
}

/* Returns the option of that name, if it is the library's. */
static const struct option_spec *spec_named(const struct option_table *table, const char *name, struct vouch_error *err)
{
    const struct option_spec *spec =
        is_given(name, "the name of an option", err) ? option_named(table, name, err) : NULL;
    if (!spec || is_ours(spec))
        return spec;
    fail(err, VOUCH_ERR_ARGUMENT, "--%s of vouch %s is an option of the program, not of the library", name,
         table->command);
    return NULL;
}

vouch_options *vouch_options_new(const char *command, struct vouch_error *err)
{
    const struct option_table *table = table_named(command, err);
    struct vouch_options *options = table ? new_array(1, sizeof *options, err) : NULL;
    if (!options)
        return NULL;
    options->table = table;
    options->values = new_block(table->size, err);
    if (options->values) {
        options_init(table, options->values);
        return options;
    }
    vouch_options_free(options);
    return NULL;
}

void vouch_options_free(vouch_options *options)
{
    if (!options)
        return;
    for (int i = 0; i < MAX_OPTIONS; i++)
        free(options->text[i]);
    for (size_t i = 0; i < options->listed_count; i++)
        free(options->listed[i].text);
    free(options->listed);
    free(options->values);
    free(options);
}

/* Frees the earlier values of an option. */
static void forget_listed(vouch_options *options, const struct option_spec *spec)
{
    size_t kept = 0;
    for (size_t i = 0; i < options->listed_count; i++)
        if (options->listed[i].spec == spec)
            free(options->listed[i].text);
        else
            options->listed[kept++] = options->listed[i];
    options->listed_count = kept;
}

static bool set(vouch_options *options, const char *name, const char *value, struct vouch_error *err)
{
    if (!is_given(options, "options", err) || !is_given(value, "a value", err))
        return false;
    const struct option_spec *spec = spec_named(options->table, name, err);
    if (!spec)
        return false;
    char **kept = &options->text[spec - options->table->option];
    if ((spec->kind == OPTION_TEXT || spec->kind == OPTION_CHOICE) && !*value) {
        option_unset(options->values, spec);
        forget_listed(options, spec);
        free(*kept);
        *kept = NULL;
        return true;
    }
    char *copy = new_string(value, strlen(value), err);
    if (!copy || !RESERVE(options->listed, options->listed_capacity, options->listed_count + 1, err) ||
        !option_set(options->values, spec, copy, err)) {
        free(copy);
        return false;
    }
    if (*kept && spec->role & OPTION_REPEATS)
        options->listed[options->listed_count++] = (struct listed_text){spec, *kept};
    else
        free(*kept);
    *kept = copy;
    return true;
}

enum vouch_status vouch_options_set(vouch_options *options, const char *name, const char *value,
                                    struct vouch_error *err)
{
    err = err ? err : &(struct vouch_error){0};
    return status_of(set(options, name, value, err), err);
}

/* Writes the value of an option as it would be set; false if there is no room for it. */
static bool value_text(const void *values, const struct option_spec *spec, char *text, size_t room)
{
    const void *at = (const char *)values + spec->offset;
    char number[64] = "";
    const char *word = spec->kind == OPTION_TEXT   ? *(const char *const *)at
                       : spec->kind == OPTION_FLAG ? (*(const bool *)at ? "true" : "false")
                                                   : number;
    if (word == number)
        option_text(values, spec, number, sizeof number);
    size_t length = word ? strlen(word) : 0;
    if (length < room)
        memcpy(text, word ? word : "", length + 1);
    return length < room;
}

enum vouch_status vouch_options_get(const vouch_options *options, const char *name, char *text, size_t room,
                                    struct vouch_error *err)
{
    err = err ? err : &(struct vouch_error){0};
    bool given = is_given(options, "options", err) && is_given(text, "room for a value", err);
    const struct option_spec *spec = given ? spec_named(options->table, name, err) : NULL;
    bool ok = spec && (value_text(options->values, spec, text, room) ||
                       fail(err, VOUCH_ERR_ARGUMENT, "--%s: the value does not fit into %zu bytes", name, room));
    return status_of(ok, err);
}

size_t vouch_options_count(const char *command)
{
    const struct option_table *table = table_named(command, NULL);
    size_t count = 0;
    for (const struct option_spec *spec = table ? table->option : NULL; spec && spec->name; spec++)
        count += is_ours(spec);
    return count;
}

/* Returns option number `index` of the library's; NULL if there are fewer. */
static const struct option_spec *spec_at(const struct option_table *table, size_t index)
{
    for (const struct option_spec *spec = table->option; spec->name; spec++)
        if (is_ours(spec) && index-- == 0)
            return spec;
    return NULL;
}

static bool describe(const char *command, size_t index, struct vouch_option *into, struct vouch_error *err)
{
    const struct option_table *table = is_given(into, "an option to fill in", err) ? table_named(command, err) : NULL;
    if (!table || !is_whole(into->size, sizeof *into, "vouch_option", err))
        return false;
    const struct option_spec *spec = spec_at(table, index);
    if (!spec)
        return fail(err, VOUCH_ERR_ARGUMENT, "expected the number of an option from 0 to %zu, found %zu",
                    vouch_options_count(command) - 1, index);
    *into = (struct vouch_option){.size = into->size,
                                  .name = spec->name,
                                  .kind = spec->kind == OPTION_CHOICE ? VOUCH_OPTION_TEXT
                                                                      : (enum vouch_option_kind)spec->kind,
                                  .argument = spec->argument,
                                  .help = spec->help,
                                  .least = spec->least,
                                  .most = spec->most,
                                  .choices = spec->choices};
    if (!option_in_range(table->usual, spec) || !value_text(table->usual, spec, into->usual, sizeof into->usual))
        into->usual[0] = '\0';
    return true;
}

enum vouch_status vouch_options_describe(const char *command, size_t index, struct vouch_option *option,
                                         struct vouch_error *err)
{
    err = err ? err : &(struct vouch_error){0};
    return status_of(describe(command, index, option, err), err);
}
