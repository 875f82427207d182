/*
 * Options: each command has one table of them, from which parsing, help, ranges and provenance follow.
 */
#define _GNU_SOURCE /* getopt_long */
#include "cli/cli.h"

#include "base/spelling.h"

#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MAX_OPTIONS = 64, FIRST_LONG = 256 }; /* settings->given has one bit for each option */

/* The defaults of all options; a command may have its own. */
static const struct settings defaults = {
    .task = NULL,
    .features = NULL,
    .algorithm = "cw",
    .covariance = "full",
    .learn_as = "iob2",
    .format = "auto",
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
    .passes = 10,
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
    .words = 1,
    .epsilon = 0.05,
    .delta = 0.05,
    .draw_list = "50",
    .level = "word",
    .inspect = "1%",
    .as = "tsv",
};

struct settings command_defaults(const struct command *command)
{
    struct settings settings = defaults;
    if (command->adjust)
        command->adjust(&settings);
    return settings;
}

int failed(const struct command *command, const struct vouch_error *err)
{
    fflush(stdout);
    showf(stderr, "vouch %s: ", command->name);
    show_text(stderr, text_of(err->message), "");
    fputc('\n', stderr);
    return EXIT_FAILED;
}

int misuse(const struct command *command, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fflush(stdout);
    showf(stderr, "vouch %s: ", command->name);
    show_list(stderr, format, args);
    showf(stderr, "\ntry 'vouch %s --help'\n", command->name);
    va_end(args);
    return EXIT_MISUSE;
}

int misuse_value(const struct command *command, const char *option, const char *expected, const char *found)
{
    struct spelling spelling = {.typed = found};
    char hint[SPELLING_HINT];
    spelling_try_words(&spelling, expected);
    return misuse(command, "--%s: expected %s, found '%s'%s", option, expected, found,
                  spelling_hint(&spelling, "", hint, sizeof hint));
}

/* `found` is what was typed, with its dashes and perhaps a value. */
static int misuse_option(const struct command *command, const char *found)
{
    char typed[64], hint[SPELLING_HINT];
    snprintf(typed, sizeof typed, "%.*s", (int)strcspn(found, "="), found);
    struct spelling spelling = {.typed = typed + strspn(typed, "-")};
    for (const struct option_spec *spec = command->option; spec->name; spec++)
        spelling_try(&spelling, spec->name, strlen(spec->name));
    return misuse(command, "unknown option '%s'%s", found, spelling_hint(&spelling, "--", hint, sizeof hint));
}

static void *field(struct settings *settings, const struct option_spec *spec)
{
    return (char *)settings + spec->offset;
}

static int store(const struct command *command, const struct option_spec *spec, const char *value,
                 struct settings *settings)
{
    char *end;
    errno = 0;
    switch (spec->kind) {
    case OPTION_FLAG:
        *(bool *)field(settings, spec) = true;
        return EXIT_DONE;
    case OPTION_TEXT:
        *(const char **)field(settings, spec) = value;
        return EXIT_DONE;
    case OPTION_INTEGER: {
        long long number = strtoll(value, &end, 10);
        if (errno || *end || end == value || (double)number < spec->least || (double)number > spec->most)
            return misuse(command, "--%s: expected a whole number from %.0f to %.0f, found '%s'", spec->name,
                          spec->least, spec->most, value);
        *(int64_t *)field(settings, spec) = number;
        return EXIT_DONE;
    }
    case OPTION_REAL: {
        double number = strtod(value, &end);
        if (*end || end == value || !isfinite(number) || number < spec->least || number > spec->most)
            return misuse(command, "--%s: expected a number from %g to %g, found '%s'", spec->name, spec->least,
                          spec->most, value);
        *(double *)field(settings, spec) = number;
        return EXIT_DONE;
    }
    }
    return EXIT_MISUSE;
}

/* --color is --colour; as both have one value, what abbreviates both is not ambiguous. */
static void add_other_spelling(struct option long_option[MAX_OPTIONS])
{
    const struct option *colour = NULL;
    int count = 0;
    for (; long_option[count].name; count++)
        if (strcmp(long_option[count].name, "colour") == 0)
            colour = &long_option[count];
    if (colour && count < MAX_OPTIONS - 1) {
        long_option[count] = *colour;
        long_option[count].name = "color";
    }
}

int options_parse(const struct command *command, int argc, char **argv, struct settings *settings)
{
    struct option long_option[MAX_OPTIONS] = {{0}};
    char letters[2 * MAX_OPTIONS + 2] = ":";
    size_t used = 1;
    for (int i = 0; command->option[i].name && i < MAX_OPTIONS - 1; i++) {
        const struct option_spec *spec = &command->option[i];
        long_option[i] = (struct option){spec->name, spec->kind != OPTION_FLAG, NULL, FIRST_LONG + i};
        if (spec->letter) {
            letters[used++] = spec->letter;
            if (spec->kind != OPTION_FLAG)
                letters[used++] = ':';
        }
    }
    add_other_spelling(long_option);
    *settings = command_defaults(command);
    opterr = 0;
    optind = 0; /* glibc: forget what is left of another command line */
    int found;
    while ((found = getopt_long(argc, argv, letters, long_option, NULL)) != -1) {
        const struct option_spec *spec = NULL;
        if (found == '?' && optopt > 0 && optopt < FIRST_LONG)
            return misuse(command, "unknown option '-%c'", optopt);
        if (found == '?')
            return misuse_option(command, argv[optind - 1]);
        if (found == ':')
            return misuse(command, "option '%s' expects a value", argv[optind - 1]);
        for (int i = 0; command->option[i].name; i++)
            if (found == FIRST_LONG + i || found == command->option[i].letter)
                spec = &command->option[i];
        int status = store(command, spec, optarg, settings);
        if (status != EXIT_DONE)
            return status;
        settings->given |= UINT64_C(1) << (spec - command->option);
    }
    settings->argument = argv + optind;
    settings->arguments = (size_t)(argc - optind);
    return EXIT_DONE;
}

bool option_given(const struct command *command, const struct settings *settings, const char *name)
{
    for (int i = 0; command->option[i].name; i++)
        if (strcmp(command->option[i].name, name) == 0)
            return settings->given >> i & 1;
    return false;
}

bool option_among(const char *name, const char *const *list)
{
    while (*list && strcmp(*list, name) != 0)
        list++;
    return *list != NULL;
}

int files_check(const struct command *command, const struct settings *settings)
{
    struct stat about;
    for (size_t i = 0; i < settings->arguments; i++) {
        const char *path = settings->argument[i];
        if (strcmp(path, "-") == 0 || (stat(path, &about) == 0 && !S_ISREG(about.st_mode)))
            return misuse(command, "expected files that can be read twice, found '%s'", path);
    }
    return EXIT_DONE;
}

/* The default as it would be typed; empty for flags and what has none. */
static void default_text(const struct option_spec *spec, const struct settings *from, char *text, size_t room)
{
    const void *at = (const char *)from + spec->offset;
    const char *word = spec->kind == OPTION_TEXT ? *(const char *const *)at : NULL;
    text[0] = '\0';
    if (word)
        snprintf(text, room, "%s", word);
    else if (spec->kind == OPTION_INTEGER)
        snprintf(text, room, "%lld", (long long)*(const int64_t *)at);
    else if (spec->kind == OPTION_REAL)
        snprintf(text, room, "%g", *(const double *)at);
}

/* Whether the default is a value that could be given; 0 for --folds, for example, is not. */
static bool default_in_range(const struct option_spec *spec, const struct settings *usual)
{
    const void *at = (const char *)usual + spec->offset;
    double value = spec->kind == OPTION_INTEGER ? (double)*(const int64_t *)at
                   : spec->kind == OPTION_REAL  ? *(const double *)at
                                                : spec->least;
    return value >= spec->least && value <= spec->most;
}

/* Prints `text` in lines of at most 80 columns, each after `indent` blanks; the first is under way at `column`. */
static void wrap(const char *text, int indent, int column)
{
    for (bool first = true; *text; first = false) {
        int length = (int)strcspn(text, " ");
        if (!first && column + 1 + length > 80) {
            printf("\n%*s", indent, "");
            column = indent;
        } else if (!first) {
            putchar(' ');
            column++;
        }
        printf("%.*s", length, text);
        column += length;
        text += length;
        text += *text == ' ';
    }
    putchar('\n');
}

static void print_option(const struct option_spec *spec, const struct settings *usual)
{
    char left[64], value[64], line[512], letter[8] = "    ";
    if (spec->letter)
        snprintf(letter, sizeof letter, "-%c, ", spec->letter);
    snprintf(left, sizeof left, "  %s--%s%s%s", letter, spec->name, spec->argument ? " " : "",
             spec->argument ? spec->argument : "");
    default_text(spec, usual, value, sizeof value);
    if (!default_in_range(spec, usual))
        value[0] = '\0';
    printf("%-27s ", left);
    snprintf(line, sizeof line, "%s%s%s%s", spec->help, value[0] ? " [" : "", value, value[0] ? "]" : "");
    wrap(line, 28, 28);
}

static void print_group(const struct command *command, const char *names, const struct settings *usual)
{
    while (*names) {
        size_t length = strcspn(names, " ");
        for (const struct option_spec *spec = command->option; spec->name; spec++)
            if (strlen(spec->name) == length && strncmp(spec->name, names, length) == 0)
                print_option(spec, usual);
        names += length + strspn(names + length, " ");
    }
}

void options_help(const struct command *command, bool full)
{
    printf("usage: vouch %s [options]%s%s\n", command->name, command->arguments[0] ? " " : "", command->arguments);
    if (!full) {
        printf("       vouch %s --help says more\n", command->name);
        return;
    }
    struct settings usual = command_defaults(command);
    printf("\n");
    wrap(command->about, 0, 0);
    if (!command->group)
        printf("\noptions:\n");
    for (const struct option_spec *spec = command->option; spec->name && !command->group; spec++)
        print_option(spec, &usual);
    for (const struct option_group *group = command->group; group && group->title; group++) {
        printf("\n%s:\n", group->title);
        print_group(command, group->names, &usual);
    }
    printf("\nexample:\n%s", command->example);
}

char *options_provenance(const struct command *command, const struct settings *settings)
{
    struct settings if_not_given = command_defaults(command);
    char *line = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&line, &length);
    if (!out)
        return NULL;
    fprintf(out, "vouch %s", command->name);
    for (const struct option_spec *spec = command->option; spec->name; spec++) {
        char now[256], usual[256];
        const bool *flag = (const bool *)((const char *)settings + spec->offset);
        bool given = settings->given >> (spec - command->option) & 1;
        if (spec->incidental || (spec->kind == OPTION_FLAG && !*flag))
            continue;
        default_text(spec, settings, now, sizeof now);
        default_text(spec, &if_not_given, usual, sizeof usual);
        if (spec->kind == OPTION_FLAG)
            fprintf(out, " --%s", spec->name);
        else if (settings->from ? !given : strcmp(now, usual) == 0)
            continue;
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
