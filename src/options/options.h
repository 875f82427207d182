/*
 * The options of a job are one table: names, kinds, ranges, defaults, help, and which options need or exclude each
 * other. The command line is parsed, help is printed, a model's provenance is written, and the library's options are
 * set by the same tables, so that Python and MPI need no second list. The tables lie below everything that a job does.
 *
 * A job has a struct of its own for the values, which begins with a `struct options common`; a row says where in it the
 * value is. The functions below take any such struct.
 */
#ifndef VOUCH_OPTIONS_OPTIONS_H
#define VOUCH_OPTIONS_OPTIONS_H

#include "base/work.h"

#include <stddef.h>

/* What the options of every job begin with. */
struct options {
    const struct option_table *table;
    struct work work; /* --seed and --threads; the program or the library adds ranks and the watch */
    char **argument;  /* what follows the options: files */
    size_t arguments;
    uint64_t given; /* bit i: option i of the table was set, even if to its default */
    bool quiet, verbose, help, short_help;
};

/* The values of an option that can be set more than once, in the order in which they were. */
enum { MOST_IN_LIST = 64 };
struct text_list {
    const char *item[MOST_IN_LIST]; /* the rest is NULL */
    size_t count;
};

/* The kind of an option, and what its value is stored as. */
enum option_kind {
    OPTION_FLAG,    /* bool */
    OPTION_TEXT,    /* const char *, or struct text_list with OPTION_REPEATS */
    OPTION_INTEGER, /* an integer of four or eight bytes */
    OPTION_REAL,    /* double */
    OPTION_CHOICE   /* an enum: the first of the choices is `least`, a value below that is none of them */
};

/* The roles of an option, as bits. */
enum option_role {
    OPTION_MATTERS = 0,     /* it matters to the result */
    OPTION_INCIDENTAL = 1,  /* it tells where and how, not what: left out of a model's provenance */
    OPTION_OF_PROGRAM = 2,  /* the program's own, such as --quiet: no option of the library's */
    OPTION_REPEATS = 4,     /* a text that may be given more than once */
    OPTION_READ = 8,        /* a file that is read */
    OPTION_WRITTEN = 16,    /* a file that is written */
    OPTION_FOLDER = 32,     /* with OPTION_WRITTEN: a folder of files */
    OPTION_FIGURE = 64,     /* with OPTION_WRITTEN: a figure, whose numbers are written beside it */
    OPTION_ALL_RANKS = 128, /* with OPTION_WRITTEN: all ranks need its name, though the first alone writes */
    OPTION_REPLACED = 256,  /* a model: one that is written may replace the one that is read, which it is made from */
    OPTION_DECIDES = 512    /* with OPTION_READ: a model that has the defaults of other options */
};

struct option_spec {
    const char *name; /* long, without dashes */
    char letter;      /* or 0 */
    enum option_kind kind;
    size_t offset, size;  /* of its value in the job's struct */
    const char *argument; /* what help calls its value */
    const char *choices;  /* "skip, keep or attach"; of a text, too, that must be one of some words */
    double least, most;   /* range of a number */
    unsigned role;        /* enum option_role */
    const char *help;
};

enum { MAX_OPTIONS = 64 }; /* of a table: options.given has a bit for each */

/* Options that help shows together, under the title that the manual page has for them, in lower case. */
struct option_group {
    const char *title;
    const char *names; /* of its options, in order, separated by blanks */
};

/*
 * What a command line must have, and what it must not: if one of `with` is there, or `with` is NULL, so must be one of
 * `needs`, and none of `excludes`. Rules are checked in order. The three are lists, separated by blanks, of
 *
 *     NAME         the option is set
 *     NAME=VALUE   it is set to that value
 *     file         there is an argument after the options; file=VALUE: and the first is that
 *     files        there are several
 *     ranks        several processes share the work
 *
 * `message` says what was expected. %s in it is what was found: the NAME or VALUE of `with`; where files are too many,
 * the first of them (file) or their number (files), which it is without `with`, too.
 *
 * The library has no such rules: its callers hand it models and files, and get the results.
 */
struct option_rule {
    const char *with, *needs, *excludes, *message;
};

/* The options of one job. */
struct option_table {
    const char *command;
    const struct option_spec *option; /* the last has no name */
    const void *usual;                /* the job's struct, with the defaults */
    size_t size;                      /* of that struct */
    const struct option_group *group; /* the last has no title; NULL: help shows one list */
    const struct option_rule *rule;   /* the last has no message; NULL: there is none */
};

/* Sets all options to their defaults. */
void options_init(const struct option_table *table, void *options);

/* Writes ": did you mean '--NAME'?" into `hint` [room], if an option is spelled nearly so, else an empty string. */
const char *option_hint(const struct option_table *table, const char *name, char *hint, size_t room);

/* Returns the option of that name; NULL with an error that suggests another spelling if there is none. */
const struct option_spec *option_named(const struct option_table *table, const char *name, struct vouch_error *err);

/*
 * Sets an option to what was typed; a text stays the caller's. A flag is set by NULL, as it has no value on the command
 * line, or by "true" or "false". Fails if the value is not in its range, or not among its choices.
 */
bool option_set(void *options, const struct option_spec *spec, const char *value, struct vouch_error *err);

/* Sets an option back to its default. */
void option_unset(void *options, const struct option_spec *spec);

/* Whether the option of that name was set, even if to its default. */
bool option_given(const void *options, const char *name);

/* Writes the value as it would be typed: empty for flags, and for texts and choices that are not set. */
void option_text(const void *options, const struct option_spec *spec, char *text, size_t room);

/* Whether the value is one that could be typed; 0 folds, say, is not. */
bool option_in_range(const void *options, const struct option_spec *spec);

/* Returns the value of a text that is not a list. */
const char *option_path(const void *options, const struct option_spec *spec);

/* Returns file i that a text or a list names, by FILE or by NAME=FILE; NULL: it names no more. */
const char *option_file(const void *options, const struct option_spec *spec, size_t i);

/* Fails if the command line breaks a rule of the table. */
bool options_agree(const void *options, struct vouch_error *err);

/*
 * Returns the options that differ from their defaults and the arguments, as one line to free(). With --from, where
 * defaults are the model's, those that were given.
 */
char *options_provenance(const void *options);

/* Fails with "--OPTION: expected EXPECTED, found 'FOUND'", and a suggestion if one of the expected words is near. */
bool fail_value(struct vouch_error *err, const char *option, const char *expected, const char *found);

#endif
