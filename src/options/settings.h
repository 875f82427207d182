/*
 * One table for each command holds the names, kinds, ranges, defaults and help of its options. The command line is
 * parsed, the help printed, a model's provenance written, and the library's options are set by the same tables.
 */
#ifndef VOUCH_OPTIONS_SETTINGS_H
#define VOUCH_OPTIONS_SETTINGS_H

#include "base/ranks.h"

#include <stddef.h>
#include <stdint.h>

/* The values of an option that can be given more than once, in the order in which they were. */
enum { MOST_IN_LIST = 64 };
struct text_list {
    const char *item[MOST_IN_LIST]; /* the rest is NULL */
    size_t count;
};

/* Every option of every command has its place here; settings_usual() gives the defaults. */
struct settings {
    const char *task, *features, *template, *algorithm, *covariance, *learn_as, *dev, *log, *from;
    const char *model, *output, *format, *confidence, *cost, *kind, *multi_root, *draw, *replace, *csv, *grid,
        *draw_list, *column, *on_error, *plot, *direction, *unit, *by, *k_list, *level, *inspect, *as, *apply, *pool,
        *test, *rest, *report, *answers, *columns, *rows, *scores, *offsets, *transitions, *labels, *arcs, *root,
        *scheme, *gold_file, *vectors, *checkpoint;
    double C, phi, variance, rate, l2, noise, threshold, epsilon, delta, precision, recall, diversity, share, guarantee,
        coverage, scale, vector_length;
    int64_t passes, k_best, cutoff, bits, gold, seed, threads, folds, sentences, first, alternatives, draws, resamples,
        words, initial, candidates, choose, every, most, repeats, number, count, tuning, vector_window, shards;
    bool tune, best_pass, no_calibrate, unlabelled, unseen_names, raw, header, json, verify, show_template, colour,
        quiet, verbose, consistency, merge_types, operating_point, sets, scratch, predict, new_labels, dry_run, help,
        short_help, padded, constraints, resume;

    struct text_list decided;

    char **argument; /* what follows the options: files */
    size_t arguments;
    uint64_t given; /* bit i: option i of the command's table */

    const struct ranks *ranks; /* the processes that do the work together; NULL: one */
};

enum option_kind { OPTION_FLAG, OPTION_TEXT, OPTION_INTEGER, OPTION_REAL };

/* The roles of an option, as bits. */
enum option_role {
    OPTION_MATTERS = 0,    /* it matters to the result */
    OPTION_INCIDENTAL = 1, /* it tells where and how, not what: left out of a model's provenance */
    OPTION_OF_PROGRAM = 2, /* the program's own, such as --quiet: no option of the library's */
    OPTION_REPEATS = 4     /* a text that may be given more than once: its field is a struct text_list */
};

struct option_spec {
    const char *name; /* long, without dashes */
    char letter;      /* or 0 */
    enum option_kind kind;
    size_t offset;        /* of its field in struct settings */
    const char *argument; /* what help calls its value */
    double least, most;   /* range of a number */
    unsigned role;        /* enum option_role */
    const char *help;
};

enum { MAX_OPTIONS = 64 }; /* of a table: settings->given has a bit for each */

/* Options that help shows together, under the title that the manual page has for them, in lower case. */
struct option_group {
    const char *title;
    const char *names; /* of its options, in order, separated by blanks */
};

/* The options of one command. */
struct option_table {
    const char *command;
    const struct option_spec *option;          /* the last has no name */
    void (*adjust)(struct settings *settings); /* sets the defaults that differ from the usual ones; may be NULL */
    const struct option_group *group;          /* the last has no title; NULL: help shows one list */
};

/* The commands that the library has as well. */
extern const struct option_table train_options, tune_options, tag_options, parse_options, eval_options, trade_options,
    forecast_options, review_options, active_options;

/* The values that 0 stands for, chosen on dev files (docs/MEASUREMENTS.md): labels and trees need different steps. */
#define PHI_OF_LABELS 2
#define PHI_OF_TREES 0.3
#define RATE_OF_LABELS 0.25
#define RATE_OF_TREES 0.1

/* Returns the options of a command with their defaults. */
struct settings settings_usual(const struct option_table *table);

/* Writes ": did you mean '--NAME'?" into `hint` [room], if an option is spelled nearly so, else an empty string. */
const char *option_hint(const struct option_table *table, const char *name, char *hint, size_t room);

/* Returns the option of that name; NULL with an error that suggests another spelling if there is none. */
const struct option_spec *option_named(const struct option_table *table, const char *name, struct vouch_error *err);

/*
 * Sets an option to what was typed; a text stays the caller's. A flag is set by NULL, as it has no value on the command
 * line, or by "true" or "false". Fails if the value is not in its range.
 */
bool settings_set(struct settings *settings, const struct option_table *table, const struct option_spec *spec,
                  const char *value, struct vouch_error *err);

/* Sets an option of kind OPTION_TEXT back to its default. */
void settings_unset(struct settings *settings, const struct option_table *table, const struct option_spec *text);

/* Whether the option of that name was set, even if to its default. */
bool settings_given(const struct settings *settings, const struct option_table *table, const char *name);

/* Writes the value as it would be typed: empty for flags, and for texts that are not set. */
void settings_text(const struct settings *settings, const struct option_spec *spec, char *text, size_t room);

/* Whether the value is one that could be typed; 0 folds, say, is not. */
bool settings_in_range(const struct settings *settings, const struct option_spec *spec);

/*
 * Returns the options that differ from their defaults and the arguments, as one line to free(). With --from, where
 * defaults are the model's, those that were given.
 */
char *settings_provenance(const struct settings *settings, const struct option_table *table);

/* Fails with "--OPTION: expected EXPECTED, found 'FOUND'", and a suggestion if one of the expected words is near. */
bool fail_value(struct vouch_error *err, const char *option, const char *expected, const char *found);

#endif
