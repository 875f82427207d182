/*
 * The command line: the only part that prints, exits and catches signals.
 *
 * Results go to standard output, messages and progress to standard error. Exit
 * status: 0 done, 1 failed, 2 misuse, 3 interrupted with the work saved.
 */
#ifndef VOUCH_CLI_CLI_H
#define VOUCH_CLI_CLI_H

#include "base/error.h"
#include "cli/show.h"

#include <stddef.h>
#include <stdint.h>

enum exit_status { EXIT_DONE = 0, EXIT_FAILED = 1, EXIT_MISUSE = 2, EXIT_INTERRUPTED = 3 };

/* The values of all options of all commands; command_defaults() fills in those that are not given. */
struct settings {
    const char *task, *features, *template, *algorithm, *covariance, *learn_as, *dev, *log, *from;
    const char *model, *output, *format, *confidence, *kind, *multi_root, *draw, *replace, *csv, *grid, *draw_list,
        *column, *on_error, *plot, *direction, *unit, *by, *k_list, *level, *inspect, *as, *apply, *pool, *test, *rest,
        *report;
    double C, phi, variance, rate, l2, noise, threshold, epsilon, delta, precision, recall, diversity, share;
    int64_t passes, k_best, cutoff, bits, gold, seed, threads, folds, sentences, first, alternatives, draws, resamples,
        words, initial, candidates, choose, every, most, repeats, number, count, tuning;
    bool tune, best_pass, no_calibrate, unlabelled, unseen_names, raw, header, json, verify, show_template, colour,
        quiet, verbose, merge_types, operating_point, scratch, predict, new_labels, dry_run, help, short_help;

    char **argument; /* what is left after the options: files */
    size_t arguments;
    uint64_t given; /* bit i: option i of the command's table */
};

enum option_kind { OPTION_FLAG, OPTION_TEXT, OPTION_INTEGER, OPTION_REAL };

struct option_spec {
    const char *name; /* long, without dashes */
    char letter;      /* or 0 */
    enum option_kind kind;
    size_t offset;        /* of its field in struct settings */
    const char *argument; /* what to call its value */
    double least, most;   /* range of a number */
    bool incidental;      /* does not change the result, such as the output file: left out of a model's provenance */
    const char *help;
};

/* Options that help shows together, under the title that the command's manual page has for them,
 * but for its capital. */
struct option_group {
    const char *title;
    const char *names; /* long names of its options, in order, separated by blanks */
};

struct command {
    const char *name;
    const char *arguments; /* after the options, in the usage line */
    const char *summary;   /* one line, for the list of commands */
    const char *about;     /* a paragraph */
    const char *example;
    const struct option_spec *option;          /* the last has no name */
    const struct option_group *group;          /* the last has no title; NULL if help shows one list */
    void (*adjust)(struct settings *settings); /* sets the defaults that differ from other commands'; may be NULL */
    int (*run)(const struct command *command, struct settings *settings);
};

extern const struct command train_command, tune_command, tag_command, parse_command, eval_command, trade_command,
    review_command, active_command, draws_command, sample_command, split_command, experiment_command, info_command,
    dump_command, load_command;

/* The values of the command's options if they are not given. */
struct settings command_defaults(const struct command *command);

/* Reads argv into *settings; EXIT_DONE, or the status to leave with after a message. */
int options_parse(const struct command *command, int argc, char **argv, struct settings *settings);

/* Whether the option of that name was on the command line, even if with its default. */
bool option_given(const struct command *command, const struct settings *settings, const char *name);

/* Whether the name is in the list, the last of which is NULL. */
bool option_among(const char *name, const char *const *list);

/* Refuses standard input and pipes among the files of a command that reads them more than once. EXIT_DONE or
 * EXIT_MISUSE. */
int files_check(const struct command *command, const struct settings *settings);

/* Prints the command's help, in full or only its usage. */
void options_help(const struct command *command, bool full);

/*
 * The options that differ from their defaults and the arguments, as one line to free(). With --from, where defaults are
 * the model's, those that were given.
 */
char *options_provenance(const struct command *command, const struct settings *settings);

/* "vouch COMMAND: message" on standard error; returns EXIT_FAILED, or EXIT_MISUSE for misuse(). */
int failed(const struct command *command, const struct vouch_error *err);
int misuse(const struct command *command, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* misuse() for a value of an option that is none of those expected, such as "conll, plain or jsonl". */
int misuse_value(const struct command *command, const char *option, const char *expected, const char *found);

/* Ctrl-C, SIGTERM and SIGHUP: the first sets a flag, the second ends the program. */
void interrupt_catch(void);
bool interrupt_seen(void);

/* A line on standard error that is redrawn on a terminal, and is not printed elsewhere. */
struct progress {
    bool live;
    double started, drawn; /* seconds */
};
void progress_start(struct progress *progress, const struct settings *settings);
void progress_draw(struct progress *progress, const char *what, uint64_t done, uint64_t of, const char *note);
void progress_clear(struct progress *progress);

/* Options that mean the same everywhere. */
#define AT(field) offsetof(struct settings, field)
#define OPTION_QUIET                                                                                                   \
    {                                                                                                                  \
        "quiet", 'q', OPTION_FLAG, AT(quiet), NULL, 0, 0, true, "say nothing but errors"                               \
    }
#define OPTION_VERBOSE                                                                                                 \
    {                                                                                                                  \
        "verbose", 'v', OPTION_FLAG, AT(verbose), NULL, 0, 0, true, "say more"                                         \
    }
#define OPTION_HELP                                                                                                    \
    {"help", 0, OPTION_FLAG, AT(help), NULL, 0, 0, true, "print this help and exit"},                                  \
    {                                                                                                                  \
        "usage", 'h', OPTION_FLAG, AT(short_help), NULL, 0, 0, true, "print the usage line and exit"                   \
    }
#define OPTION_OUTPUT                                                                                                  \
    {                                                                                                                  \
        "output", 'o', OPTION_TEXT, AT(output), "FILE", 0, 0, true,                                                    \
            "write here instead of standard output; appears whole or not at all"                                       \
    }
#define OPTION_MODEL                                                                                                   \
    {                                                                                                                  \
        "model", 'm', OPTION_TEXT, AT(model), "FILE", 0, 0, false, "the model to use"                                  \
    }
#define OPTION_THREADS                                                                                                 \
    {                                                                                                                  \
        "threads", 'j', OPTION_INTEGER, AT(threads), "N", 1, 256, true, "work on N threads; the output is the same"    \
    }
#define OPTION_SEED                                                                                                    \
    {                                                                                                                  \
        "seed", 0, OPTION_INTEGER, AT(seed), "N", 0, 9e15, false, "seed of all random choices"                         \
    }
#define OPTION_FORMAT                                                                                                  \
    {                                                                                                                  \
        "format", 0, OPTION_TEXT, AT(format), "NAME", 0, 0, false,                                                     \
            "input format: conll, crfsuite, plain, jsonl, conllu; auto recognises it"                                  \
    }
#define OPTION_COLUMN                                                                                                  \
    {                                                                                                                  \
        "column", 0, OPTION_TEXT, AT(column), "NAME", 0, 0, false,                                                     \
            "column of the labels in CoNLL-U: upos, xpos, feats, lemma, deprel, ..., or a number from 1"               \
    }
#define OPTION_GOLD                                                                                                    \
    OPTION_COLUMN,                                                                                                     \
    {                                                                                                                  \
        "gold", 0, OPTION_INTEGER, AT(gold), "N", 0, 65536, false,                                                     \
            "column of the gold label, from 1 (CoNLL columns); 0 is the last"                                          \
    }
#define OPTION_JSON                                                                                                    \
    {                                                                                                                  \
        "json", 0, OPTION_FLAG, AT(json), NULL, 0, 0, false, "print the result as JSON"                                \
    }

#endif
