/*
 * The command line is the only part that prints, exits and catches signals.
 *
 * Results go to standard output, messages and progress to standard error. Exit
 * status: 0 done, 1 failed, 2 misuse, 3 interrupted with the work saved.
 *
 * Most commands call the functions behind vouch.h instead of vouch.h itself. vouch tag and parse complete a file as it
 * was read, which needs the bytes around the words. vouch train and tune write a model from the weights that were
 * learned, without a second copy in memory. The reports of eval, forecast, trade, review and active show more than the
 * results of vouch.h carry: single words and heads on a page, every threshold of a curve. Comparing answers in files,
 * simulating active learning, correcting a corpus, split, dump, load and draws are not in vouch.h; reports, the sample
 * and the study are the program's own.
 */
#ifndef VOUCH_CLI_CLI_H
#define VOUCH_CLI_CLI_H

#include "base/error.h"
#include "cli/show.h"
#include "options/rows.h"

#include <stddef.h>
#include <stdint.h>

enum exit_status { EXIT_DONE = 0, EXIT_FAILED = 1, EXIT_MISUSE = 2, EXIT_INTERRUPTED = 3 };

struct command {
    const char *name;
    const char *arguments; /* after the options, in the usage line */
    const char *summary;   /* one line, for the list of commands */
    const char *about;     /* a paragraph */
    const char *example;
    const struct option_table *table;
    int (*run)(const struct command *command, void *options); /* the struct of the table */
    bool on_ranks;                                            /* several processes can do it together */
};

extern const struct command train_command, tune_command, tag_command, parse_command, eval_command, trade_command,
    forecast_command, review_command, active_command, draws_command, sample_command, split_command, experiment_command,
    info_command, dump_command, load_command, import_command, judge_command;

/* Returns the command of that name; NULL: there is none. */
const struct command *command_named(const char *name);

/* Does what the command line says, in one process or as one of several. Returns the exit status. */
int program_run(int argc, char **argv, const struct ranks *ranks /* NULL: alone */);

/* Runs the command that argv[0] names, to the last byte that it prints. Returns the exit status. */
int command_run(int argc, char **argv, const struct ranks *ranks);

/* Runs one step of a study for `vouch experiment`: not in the table, as it is not for people. */
int step_run(int argc, char **argv);

/* Reads argv into the options; returns EXIT_DONE, or the status to exit with after a message. */
int options_parse(const struct command *command, int argc, char **argv, void *options);

/* Whether the name is in the list, the last of which is NULL. */
bool option_among(const char *name, const char *const *list);

/*
 * Refuses options that would do nothing: given ones that are not in the list, or, with `among`, those that are. The
 * message is --NAME and then `why`. Returns EXIT_DONE or EXIT_MISUSE.
 */
int options_refuse(const struct command *command, const void *options, const char *const *list, bool among,
                   const char *why);

/*
 * Refuses standard input and pipes among the files of a command that reads them
 * more than once. Returns EXIT_DONE or EXIT_MISUSE.
 */
int files_check(const struct command *command, const void *options);

/* Prints the command's help, in full or only its usage. */
void options_help(const struct command *command, bool full);

/* Print "vouch COMMAND: message" on standard error; return EXIT_FAILED, or EXIT_MISUSE for misuse(). */
int failed(const struct command *command, const struct vouch_error *err);
int misused(const struct command *command, const struct vouch_error *err); /* misuse() for a wrong argument */
int misuse(const struct command *command, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Calls misuse() for a value of an option that is none of those expected, such as "conll, plain or jsonl". */
int misuse_value(const struct command *command, const char *option, const char *expected, const char *found);

/* Catches Ctrl-C, SIGTERM and SIGHUP: the first sets a flag, the second ends the program. */
void interrupt_catch(void);
bool interrupt_seen(void);
void interrupt_leave(void); /* from now on they are not caught, but end the program at once */

/* A line on standard error that is redrawn on a terminal, and not printed elsewhere. */
struct progress {
    bool live;
    double started, drawn; /* seconds */
};
void progress_start(struct progress *progress, bool quiet);
void progress_draw(struct progress *progress, const char *what, uint64_t done, uint64_t of, const char *note);
void progress_clear(struct progress *progress);

#endif
