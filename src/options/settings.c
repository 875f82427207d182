/* Sets options by name, and writes them as text: see settings.h. */
#include "options/settings.h"

#include "base/memory.h"
#include "base/spelling.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The values of options that are not given, unless a command has its own. */
static const struct settings defaults = {
    .task = NULL,
    .features = NULL,
    .algorithm = "crf",
    .covariance = "full",
    .learn_as = "iob2",
    .format = "auto",
    .rows = "apart",
    .on_error = "stop",
    .threshold = -1,
    .precision = -1,
    .recall = -1,
    .direction = "both",
    .unit = "entities",
    .by = "entities",
    .k_list = "0,1",
    .resamples = 200,
    .kind = "ner",
    .grid = "full",
    .share = 0.8,
    .tuning = 2000,
    .multi_root = "skip",
    .bits = 21,
    .C = 0.05,
    .variance = 1,
    .l2 = 0.05,
    .vector_window = 1,
    .vector_length = 2,
    .passes = 10,
    .shards = 1,
    .cutoff = 1,
    .seed = 1,
    .threads = 1,
    .sentences = 1000,
    .initial = 50,
    .candidates = 1000,
    .choose = 10,
    .every = 100,
    .most = 5000,
    .repeats = 1,
    .number = 20,
    .cost = "13,3.8,5.4",
    .words = 1,
    .epsilon = 0.05,
    .delta = 0.05,
    .draw_list = "50",
    .level = "word",
    .inspect = "1%",
    .as = "tsv",
};

struct settings settings_usual(const struct option_table *table)
{
    struct settings settings = defaults;
    if (table->adjust)
        table->adjust(&settings);
    return settings;
}

bool fail_value(struct vouch_error *err, const char *option, const char *expected, const char *found)
{
    struct spelling spelling = {.typed = found};
    char hint[SPELLING_HINT];
    spelling_try_words(&spelling, expected);
    return fail(err, VOUCH_ERR_ARGUMENT, "--%s: expected %s, found '%s'%s", option, expected, found,
                spelling_hint(&spelling, "", hint, sizeof hint));
}

const char *option_hint(const struct option_table *table, const char *name, char *hint, size_t room)
{
    struct spelling spelling = {.typed = name};
    for (const struct option_spec *spec = table->option; spec->name; spec++)
        spelling_try(&spelling, spec->name, strlen(spec->name));
    return spelling_hint(&spelling, "--", hint, room);
}

const struct option_spec *option_named(const struct option_table *table, const char *name, struct vouch_error *err)
{
    char hint[SPELLING_HINT];
    for (const struct option_spec *spec = table->option; spec->name; spec++)
        if (strcmp(spec->name, name) == 0)
            return spec;
    fail(err, VOUCH_ERR_ARGUMENT, "unknown option '--%s'%s", name, option_hint(table, name, hint, sizeof hint));
    return NULL;
}

static void *field(struct settings *settings, const struct option_spec *spec)
{
    return (char *)settings + spec->offset;
}

static bool add_to_list(struct text_list *list, const struct option_spec *spec, const char *value,
                        struct vouch_error *err)
{
    if (list->count == MOST_IN_LIST)
        return fail(err, VOUCH_ERR_ARGUMENT, "--%s: expected at most %d of them, found more", spec->name, MOST_IN_LIST);
    list->item[list->count++] = value;
    return true;
}

static bool store(struct settings *settings, const struct option_spec *spec, const char *value, struct vouch_error *err)
{
    char *end;
    errno = 0;
    switch (spec->kind) {
    case OPTION_FLAG:
        if (value && strcmp(value, "true") != 0 && strcmp(value, "false") != 0)
            return fail_value(err, spec->name, "true or false", value);
        *(bool *)field(settings, spec) = !value || strcmp(value, "true") == 0;
        return true;
    case OPTION_TEXT:
        if (spec->role & OPTION_REPEATS)
            return add_to_list(field(settings, spec), spec, value, err);
        *(const char **)field(settings, spec) = value;
        return true;
    case OPTION_INTEGER: {
        long long number = strtoll(value, &end, 10);
        if (errno || *end || end == value || (double)number < spec->least || (double)number > spec->most)
            return fail(err, VOUCH_ERR_ARGUMENT, "--%s: expected a whole number from %.0f to %.0f, found '%s'",
                        spec->name, spec->least, spec->most, value);
        *(int64_t *)field(settings, spec) = number;
        return true;
    }
    case OPTION_REAL: {
        double number = strtod(value, &end);
        if (*end || end == value || !isfinite(number) || number < spec->least || number > spec->most)
            return fail(err, VOUCH_ERR_ARGUMENT, "--%s: expected a number from %g to %g, found '%s'", spec->name,
                        spec->least, spec->most, value);
        *(double *)field(settings, spec) = number;
        return true;
    }
    }
    return false;
}

bool settings_set(struct settings *settings, const struct option_table *table, const struct option_spec *spec,
                  const char *value, struct vouch_error *err)
{
    if (!store(settings, spec, value, err))
        return false;
    settings->given |= UINT64_C(1) << (spec - table->option);
    return true;
}

void settings_unset(struct settings *settings, const struct option_table *table, const struct option_spec *text)
{
    struct settings usual = settings_usual(table);
    if (text->role & OPTION_REPEATS)
        *(struct text_list *)field(settings, text) = (struct text_list){0};
    else
        *(const char **)field(settings, text) = *(const char **)field(&usual, text);
    settings->given &= ~(UINT64_C(1) << (text - table->option));
}

bool settings_given(const struct settings *settings, const struct option_table *table, const char *name)
{
    for (int i = 0; table->option[i].name; i++)
        if (strcmp(table->option[i].name, name) == 0)
            return settings->given >> i & 1;
    return false;
}

void settings_text(const struct settings *settings, const struct option_spec *spec, char *text, size_t room)
{
    const void *at = (const char *)settings + spec->offset;
    const char *word = spec->kind == OPTION_TEXT ? *(const char *const *)at : NULL;
    text[0] = '\0';
    if (word)
        snprintf(text, room, "%s", word);
    else if (spec->kind == OPTION_INTEGER)
        snprintf(text, room, "%lld", (long long)*(const int64_t *)at);
    else if (spec->kind == OPTION_REAL)
        snprintf(text, room, "%g", *(const double *)at);
}

bool settings_in_range(const struct settings *settings, const struct option_spec *spec)
{
    const void *at = (const char *)settings + spec->offset;
    double value = spec->kind == OPTION_INTEGER ? (double)*(const int64_t *)at
                   : spec->kind == OPTION_REAL  ? *(const double *)at
                                                : spec->least;
    return value >= spec->least && value <= spec->most;
}

char *settings_provenance(const struct settings *settings, const struct option_table *table)
{
    struct settings if_not_given = settings_usual(table);
    char *line = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&line, &length);
    if (!out)
        return NULL;
    fprintf(out, "vouch %s", table->command);
    for (const struct option_spec *spec = table->option; spec->name; spec++) {
        char now[256], usual[256];
        const bool *flag = (const bool *)((const char *)settings + spec->offset);
        bool given = settings->given >> (spec - table->option) & 1;
        if ((spec->role & OPTION_INCIDENTAL) || (spec->kind == OPTION_FLAG && !*flag))
            continue;
        settings_text(settings, spec, now, sizeof now);
        settings_text(&if_not_given, spec, usual, sizeof usual);
        if (spec->kind == OPTION_FLAG)
            fprintf(out, " --%s", spec->name);
        else if (settings->from ? !given : strcmp(now, usual) == 0)
            continue;
        else if (spec->role & OPTION_REPEATS)
            for (const char *const *item = (const char *const *)((const char *)settings + spec->offset); *item; item++)
                fprintf(out, " --%s %s", spec->name, *item);
        else if (spec->kind == OPTION_TEXT)
            fprintf(out, " --%s %s", spec->name, *(const char *const *)((const char *)settings + spec->offset));
        else
            fprintf(out, " --%s %s", spec->name, now);
    }
    for (size_t i = 0; i < settings->arguments; i++)
        fprintf(out, " %s", settings->argument[i]);
    bool whole = !ferror(out);
    if (fclose(out) == 0 && whole)
        return line;
    free(line);
    return NULL;
}
