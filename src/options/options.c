/*
 * Sets options by name, checks them and writes them as text. A value is found by the offset of its row, so that one
 * piece of code serves the structs of all jobs; what a choice is called is looked up in the row's list of words, whose
 * order is that of the enum.
 */
#include "options/options.h"

#include "base/spelling.h"
#include "base/text.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void options_init(const struct option_table *table, void *options)
{
    memcpy(options, table->usual, table->size);
    ((struct options *)options)->table = table;
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

static void *field(void *options, const struct option_spec *spec)
{
    return (char *)options + spec->offset;
}

static const void *value_of(const void *options, const struct option_spec *spec)
{
    return (const char *)options + spec->offset;
}

/* Steps to the next word of "skip, keep or attach"; the length of the last is 0. */
static size_t next_word(const char **words)
{
    *words += strspn(*words, ", ");
    if (strncmp(*words, "or ", 3) == 0)
        *words += 3;
    return strcspn(*words, ", ");
}

/* Returns the place of a word among the choices, or -1. */
static int find_choice(const char *choices, const char *word)
{
    size_t length;
    for (int i = 0; (length = next_word(&choices)) > 0; i++, choices += length)
        if (strlen(word) == length && strncmp(choices, word, length) == 0)
            return i;
    return -1;
}

static int64_t integer_of(const void *options, const struct option_spec *spec)
{
    int32_t narrow;
    int64_t wide;
    if (spec->size == sizeof wide) {
        memcpy(&wide, value_of(options, spec), sizeof wide);
        return wide;
    }
    memcpy(&narrow, value_of(options, spec), sizeof narrow);
    return narrow;
}

static void store_integer(void *options, const struct option_spec *spec, int64_t wide)
{
    int32_t narrow = (int32_t)wide;
    if (spec->size == sizeof wide)
        memcpy(field(options, spec), &wide, sizeof wide);
    else
        memcpy(field(options, spec), &narrow, sizeof narrow);
}

static bool store(void *options, const struct option_spec *spec, const char *value, struct vouch_error *err)
{
    char *end;
    errno = 0;
    switch (spec->kind) {
    case OPTION_FLAG:
        if (value && strcmp(value, "true") != 0 && strcmp(value, "false") != 0)
            return fail_value(err, spec->name, "true or false", value);
        *(bool *)field(options, spec) = !value || strcmp(value, "true") == 0;
        return true;
    case OPTION_TEXT:
        if (spec->choices && find_choice(spec->choices, value) < 0)
            return fail_value(err, spec->name, spec->choices, value);
        if (spec->role & OPTION_REPEATS) {
            struct text_list *list = field(options, spec);
            if (list->count == MOST_IN_LIST)
                return fail(err, VOUCH_ERR_ARGUMENT, "--%s: expected at most %d of them, found more", spec->name,
                            MOST_IN_LIST);
            list->item[list->count++] = value;
        } else
            *(const char **)field(options, spec) = value;
        return true;
    case OPTION_INTEGER: {
        long long number = strtoll(value, &end, 10);
        if (errno || *end || end == value || (double)number < spec->least || (double)number > spec->most)
            return fail(err, VOUCH_ERR_ARGUMENT, "--%s: expected a whole number from %.0f to %.0f, found '%s'",
                        spec->name, spec->least, spec->most, value);
        store_integer(options, spec, number);
        return true;
    }
    case OPTION_REAL: {
        double number = strtod(value, &end);
        if (*end || end == value || !isfinite(number) || number < spec->least || number > spec->most)
            return fail(err, VOUCH_ERR_ARGUMENT, "--%s: expected a number from %g to %g, found '%s'", spec->name,
                        spec->least, spec->most, value);
        *(double *)field(options, spec) = number;
        return true;
    }
    case OPTION_CHOICE: {
        int place = find_choice(spec->choices, value);
        if (place < 0)
            return fail_value(err, spec->name, spec->choices, value);
        store_integer(options, spec, (int64_t)spec->least + place);
        return true;
    }
    }
    return false;
}

static uint64_t bit_of(const struct options *common, const struct option_spec *spec)
{
    return UINT64_C(1) << (spec - common->table->option);
}

bool option_set(void *options, const struct option_spec *spec, const char *value, struct vouch_error *err)
{
    struct options *common = options;
    if (!store(options, spec, value, err))
        return false;
    common->given |= bit_of(common, spec);
    return true;
}

void option_unset(void *options, const struct option_spec *spec)
{
    struct options *common = options;
    memcpy(field(options, spec), value_of(common->table->usual, spec), spec->size);
    common->given &= ~bit_of(common, spec);
}

static bool is_word(const char *word, size_t length, const char *other)
{
    return strlen(other) == length && strncmp(word, other, length) == 0;
}

/* Whether a word of a rule holds: see struct option_rule. */
static bool holds(const struct options *common, const char *word, size_t length)
{
    const char *equals = memchr(word, '=', length);
    size_t name = equals ? (size_t)(equals - word) : length;
    char now[256];
    if (is_word(word, length, "ranks"))
        return common->work.ranks != NULL;
    if (is_word(word, length, "files"))
        return common->arguments > 1;
    if (is_word(word, name, "file")) {
        if (common->arguments == 0)
            return false;
        snprintf(now, sizeof now, "%s", common->argument[0]);
    } else {
        const struct option_spec *spec = common->table->option;
        while (spec->name && !is_word(word, name, spec->name))
            spec++;
        if (!spec->name || !(common->given & bit_of(common, spec)))
            return false;
        option_text(common, spec, now, sizeof now);
    }
    return !equals || is_word(equals + 1, length - name - 1, now);
}

bool option_given(const void *options, const char *name)
{
    return holds(options, name, strlen(name));
}

const char *option_path(const void *options, const struct option_spec *spec)
{
    return *(const char *const *)value_of(options, spec);
}

const char *option_file(const void *options, const struct option_spec *spec, size_t i)
{
    const struct text_list *list = spec->role & OPTION_REPEATS ? value_of(options, spec) : NULL;
    const char *path = list     ? (i < list->count ? list->item[i] : NULL)
                       : i == 0 ? option_path(options, spec)
                                : NULL;
    const char *name_end = path && strcmp(spec->argument, "NAME=FILE") == 0 ? strchr(path, '=') : NULL;
    return name_end ? name_end + 1 : path;
}

void option_text(const void *options, const struct option_spec *spec, char *text, size_t room)
{
    char number[NUMBER_ROOM];
    text[0] = '\0';
    if (spec->kind == OPTION_TEXT && option_path(options, spec))
        snprintf(text, room, "%s", option_path(options, spec));
    else if (spec->kind == OPTION_INTEGER)
        snprintf(text, room, "%lld", (long long)integer_of(options, spec));
    else if (spec->kind == OPTION_REAL) {
        spell_number(*(const double *)value_of(options, spec), number);
        snprintf(text, room, "%s", number);
    } else if (spec->kind == OPTION_CHOICE) {
        const char *word = spec->choices;
        size_t length = next_word(&word);
        for (int64_t i = integer_of(options, spec) - (int64_t)spec->least; i > 0; i--) {
            word += length;
            length = next_word(&word);
        }
        snprintf(text, room, "%.*s", option_in_range(options, spec) ? (int)length : 0, word);
    }
}

bool option_in_range(const void *options, const struct option_spec *spec)
{
    double value = spec->kind == OPTION_INTEGER || spec->kind == OPTION_CHOICE ? (double)integer_of(options, spec)
                   : spec->kind == OPTION_REAL ? *(const double *)value_of(options, spec)
                                               : spec->least;
    return value >= spec->least && (spec->kind == OPTION_CHOICE || value <= spec->most);
}

/* Returns the first word of a list that holds, with what follows it; NULL: none does. */
static const char *first_held(const struct options *common, const char *list)
{
    while (list && *list && !holds(common, list, strcspn(list, " "))) {
        list += strcspn(list, " ");
        list += strspn(list, " ");
    }
    return list && *list ? list : NULL;
}

static bool word_is(const char *list, const char *word)
{
    return is_word(list, strcspn(list, " "), word);
}

/* Writes what a message says was found, for the word of a list that holds, or "files". */
static void found_text(const struct options *common, const char *word, char *text, size_t room)
{
    size_t length = strcspn(word, " ");
    const char *equals = memchr(word, '=', length);
    if (word_is(word, "file"))
        snprintf(text, room, "%s", common->argument[0]);
    else if (word_is(word, "files"))
        snprintf(text, room, "%zu", common->arguments);
    else if (equals)
        snprintf(text, room, "%.*s", (int)(word + length - equals - 1), equals + 1);
    else
        snprintf(text, room, "%.*s", (int)length, word);
}

bool options_agree(const void *options, struct vouch_error *err)
{
    const struct options *common = options;
    for (const struct option_rule *rule = common->table->rule; rule && rule->message; rule++) {
        const char *with = first_held(common, rule->with), *excluded = first_held(common, rule->excludes);
        if ((rule->with && !with) || (!excluded && (!rule->needs || first_held(common, rule->needs))))
            continue;
        char found[500];
        bool files = excluded && (word_is(excluded, "file") || word_is(excluded, "files"));
        found_text(common, files ? excluded : with ? with : "files", found, sizeof found);
        return fail(err, VOUCH_ERR_ARGUMENT, rule->message, found);
    }
    return true;
}

/* Whether a model was given that has the defaults of the other options. */
static bool model_decides(const struct options *common)
{
    for (const struct option_spec *spec = common->table->option; spec->name; spec++)
        if ((spec->role & OPTION_DECIDES) && (common->given & bit_of(common, spec)))
            return true;
    return false;
}

char *options_provenance(const void *options)
{
    const struct options *common = options;
    const struct option_table *table = common->table;
    bool by_model = model_decides(common);
    char *line = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&line, &length);
    if (!out)
        return NULL;
    fprintf(out, "vouch %s", table->command);
    for (const struct option_spec *spec = table->option; spec->name; spec++) {
        char now[256], usual[256];
        bool given = common->given & bit_of(common, spec);
        if ((spec->role & OPTION_INCIDENTAL) || (spec->kind == OPTION_FLAG && !*(const bool *)value_of(options, spec)))
            continue;
        option_text(options, spec, now, sizeof now);
        option_text(table->usual, spec, usual, sizeof usual);
        if (spec->kind == OPTION_FLAG)
            fprintf(out, " --%s", spec->name);
        else if (by_model ? !given : strcmp(now, usual) == 0)
            continue;
        else if (spec->role & OPTION_REPEATS) {
            const struct text_list *list = value_of(options, spec);
            for (size_t i = 0; i < list->count; i++)
                fprintf(out, " --%s %s", spec->name, list->item[i]);
        } else
            fprintf(out, " --%s %s", spec->name, spec->kind == OPTION_TEXT ? option_path(options, spec) : now);
    }
    for (size_t i = 0; i < common->arguments; i++)
        fprintf(out, " %s", common->argument[i]);
    bool whole = !ferror(out);
    if (fclose(out) == 0 && whole)
        return line;
    free(line);
    return NULL;
}
