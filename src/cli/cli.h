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
#include "base/text.h"
#include "options/rows.h"

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum exit_status { EXIT_DONE = 0, EXIT_FAILED = 1, EXIT_MISUSE = 2, EXIT_INTERRUPTED = 3 };

struct command {
    const char *name;
    const char *arguments; /* after the options, in the usage line */
    const char *summary;   /* one line, for the list of commands */
    const char *about;     /* a paragraph */
    const char *example;
    const struct option_table *table; /* NULL: this build does not have the command, and `about` says why */
    /*
     * Does it by the struct of the table, which keeps to the rules. Returns an exit status: EXIT_MISUSE for a wrong
     * argument that the rules do not know, EXIT_FAILED for any other error, which program.c then prints.
     */
    int (*run)(void *options, struct vouch_error *err);
    bool on_ranks;    /* several processes can do it together */
    bool reads_twice; /* its files: none may be a pipe or standard input */
};

static inline int done_if(bool ok)
{
    return ok ? EXIT_DONE : EXIT_FAILED;
}

extern const struct command train_command, tune_command, tag_command, parse_command, eval_command, trade_command,
    forecast_command, review_command, active_command, draws_command, sample_command, split_command, experiment_command,
    info_command, dump_command, load_command, import_command, judge_command, vote_command, serve_command,
    cluster_command, convert_command, agree_command, store_command;

/* Returns the command of that name; NULL: there is none. */
const struct command *command_named(const char *name);

/* Does what the command line says, in one process or as one of several. Returns the exit status. */
int program_run(int argc, char **argv, const struct ranks *ranks /* NULL: alone */);

/* Runs the command that argv[0] names, to the last byte that it prints. Returns the exit status. */
int command_run(int argc, char **argv, const struct ranks *ranks);

/* Runs one step of a study for `vouch experiment`: not in the table, as it is not for people. */
int step_run(int argc, char **argv);

/* Reads argv into the options of the table. */
bool options_parse(const struct option_table *table, int argc, char **argv, void *options, struct vouch_error *err);

/* Prints the command's help, in full or only its usage. */
void options_help(const struct command *command, bool full);

/* Catches Ctrl-C, SIGTERM and SIGHUP: the first sets a flag, the second ends the program. */
void interrupt_catch(void);
bool interrupt_seen(void);
void interrupt_leave(void); /* from now on they are not caught, but end the program at once */

/*
 * Shows the library's events: a line of progress that is redrawn on a terminal, lines on standard error, and the log of
 * --log. The options of every command have such a printer as their watch: see program.c.
 */
struct event_printer {
    const struct options *options;
    const char *log_name;
    FILE *log;    /* JSON lines; NULL: none */
    bool live;    /* there is a line of progress */
    double drawn; /* when it was, in seconds */
};

/* Returns a watch that shows events as the options ask for, and stops at Ctrl-C once interrupt_catch() was called. */
struct vouch_watch event_printer_watch(struct event_printer *printer, const struct options *options);

/* Removes the line of progress. */
void progress_clear(const struct options *options);

/* Opens the file of --log, if it is given (else NULL); false: it cannot be written. */
bool event_log_open(const struct options *options, const char *path, struct vouch_error *err);

/* Adds a line to it, and closes it; does nothing if there is none. False: not all of it was written. */
bool event_log_close(const struct options *options, const char *last, struct vouch_error *err);

/*
 * Text on a terminal. Words, labels, file names and texts in a model are not the user's own, and may hold sequences
 * that move the cursor, change the title or hide what follows: their control characters are shown as U+FFFD, as in the
 * drawings of vouch parse. Output that is data (columns, JSON, tables of points) is written as it is, by base/output.h.
 *
 * Every message goes through these functions, and tests/layers refuses code that prints one in another way.
 */

/* Prints to a stream as printf() does; of the control characters only ends of lines and tabs stay as they are. */
void showf(FILE *to, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Writes a text; of its control characters only those in `kept` stay as they are. */
void show_text(FILE *to, struct text text, const char *kept);

/* Columns of names: the characters of a name as it is shown; a name, and blanks up to `width` characters. */
int name_width(struct text name);
void show_name(FILE *to, struct text name, int width);

/* Prints a result, which is taken over, as JSON on standard output, with that many digits. */
void show_json(json_t *result, int digits);

/* Fails if two of the outputs that the options name are one file, even if it does not exist yet. */
bool saving_apart(const void *options, struct vouch_error *err);

/*
 * Whether all outputs that the options name can be written, and none is one of the inputs: the arguments, and the files
 * that options name. Called before the work, so that a missing folder is not found an hour later. An output of the role
 * OPTION_REPLACED is a model, and may replace the one that it is made from. What the library writes itself, such as a
 * checkpoint, it tries itself.
 */
bool saving_possible(const void *options, struct vouch_error *err);

/* Does the same for a model, whatever option names it; NULL: there is none. */
bool saving_model_possible(const char *path, const void *options, struct vouch_error *err);

/*
 * Reports and headers are built from many small JSON values, whose allocation is not checked one by one. Failures are
 * recorded instead: after saving_watch_memory(), saving_whole() is false if an allocation has failed.
 */
void saving_watch_memory(void);
bool saving_whole(struct vouch_error *err);

/*
 * Returns a string for the header; a byte that is not UTF-8 (file names may have some) becomes '?'. NULL if memory is
 * short.
 */
json_t *saving_text(const char *string);

#endif
