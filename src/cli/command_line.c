/* Parses options and prints help, both by the one table of each command. */
#define _GNU_SOURCE /* getopt_long */
#include "cli/cli.h"

#include "base/spelling.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>

enum { FIRST_LONG = 256 };

/* Fails for an unknown option; `found` is what was typed, with its dashes and perhaps a value. */
static bool fail_option(const struct option_table *table, const char *found, struct vouch_error *err)
{
    char typed[64], hint[SPELLING_HINT];
    snprintf(typed, sizeof typed, "%.*s", (int)strcspn(found, "="), found);
    return fail(err, VOUCH_ERR_ARGUMENT, "unknown option '%s'%s", found,
                option_hint(table, typed + strspn(typed, "-"), hint, sizeof hint));
}

/* Adds --color beside --colour; as both have one value, an abbreviation of both is not ambiguous. */
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

bool options_parse(const struct option_table *table, int argc, char **argv, void *options, struct vouch_error *err)
{
    struct option long_option[MAX_OPTIONS] = {{0}};
    char letters[2 * MAX_OPTIONS + 2] = ":";
    size_t used = 1;
    for (int i = 0; table->option[i].name && i < MAX_OPTIONS - 1; i++) {
        const struct option_spec *spec = &table->option[i];
        long_option[i] = (struct option){spec->name, spec->kind != OPTION_FLAG, NULL, FIRST_LONG + i};
        if (spec->letter) {
            letters[used++] = spec->letter;
            if (spec->kind != OPTION_FLAG)
                letters[used++] = ':';
        }
    }
    add_other_spelling(long_option);
    options_init(table, options);
    opterr = 0;
    optind = 0; /* glibc: forget what is left of another command line */
    int found;
    while ((found = getopt_long(argc, argv, letters, long_option, NULL)) != -1) {
        const struct option_spec *spec = NULL;
        if (found == '?' && optopt > 0 && optopt < FIRST_LONG)
            return fail(err, VOUCH_ERR_ARGUMENT, "unknown option '-%c'", optopt);
        if (found == '?')
            return fail_option(table, argv[optind - 1], err);
        if (found == ':')
            return fail(err, VOUCH_ERR_ARGUMENT, "option '%s' expects a value", argv[optind - 1]);
        for (int i = 0; table->option[i].name; i++)
            if (found == FIRST_LONG + i || found == table->option[i].letter)
                spec = &table->option[i];
        if (!option_set(options, spec, optarg, err))
            return false;
    }
    struct options *common = options;
    common->argument = argv + optind;
    common->arguments = (size_t)(argc - optind);
    return true;
}

/* Prints `text` in lines of at most 80 columns, each after `indent` blanks; the first continues at `column`. */
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

static void print_option(const struct option_spec *spec, const void *usual)
{
    char left[64], value[64], line[512], letter[8] = "    ";
    if (spec->letter)
        snprintf(letter, sizeof letter, "-%c, ", spec->letter);
    snprintf(left, sizeof left, "  %s--%s%s%s", letter, spec->name, spec->argument ? " " : "",
             spec->argument ? spec->argument : "");
    option_text(usual, spec, value, sizeof value);
    if (!option_in_range(usual, spec))
        value[0] = '\0';
    printf("%-27s ", left);
    snprintf(line, sizeof line, "%s%s%s%s", spec->help, value[0] ? " [" : "", value, value[0] ? "]" : "");
    wrap(line, 28, 28);
}

static void print_group(const struct option_table *table, const char *names, const void *usual)
{
    while (*names) {
        size_t length = strcspn(names, " ");
        for (const struct option_spec *spec = table->option; spec->name; spec++)
            if (strlen(spec->name) == length && strncmp(spec->name, names, length) == 0)
                print_option(spec, usual);
        names += length + strspn(names + length, " ");
    }
}

void options_help(const struct command *command, bool full)
{
    const struct option_table *table = command->table;
    printf("usage: vouch %s [options]%s%s\n", command->name, command->arguments[0] ? " " : "", command->arguments);
    if (!full) {
        printf("       vouch %s --help says more\n", command->name);
        return;
    }
    printf("\n");
    wrap(command->about, 0, 0);
    if (!table->group)
        printf("\noptions:\n");
    for (const struct option_spec *spec = table->option; spec->name && !table->group; spec++)
        print_option(spec, table->usual);
    for (const struct option_group *group = table->group; group && group->title; group++) {
        printf("\n%s:\n", group->title);
        print_group(table, group->names, table->usual);
    }
    printf("\nexample:\n%s", command->example);
}
