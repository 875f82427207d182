/*
 * Reports what an evaluation found, on standard output and in the files that the options name.
 */
#ifndef VOUCH_CLI_EVAL_OUTPUT_H
#define VOUCH_CLI_EVAL_OUTPUT_H

#include "cli/cli.h"
#include "cli/eval_words.h"
#include "answers/answer_file.h"
#include "eval/evaluation.h"

/* Release the words in any case. */
struct eval_output {
    const struct command *command;
    const struct settings *settings;
    const char *name;                /* of what was measured */
    struct eval_words words;         /* for the page */
    const struct answer_file *table; /* that was measured; NULL: it was something else */
};

/* Whether the files that the settings name can be written; called before any work is done. */
bool eval_output_possible(const struct settings *settings, struct vouch_error *err);

/* Keeps the words that are worth a look: the `look` of an evaluation whose `context` is an output. */
bool eval_output_look(void *context, const struct sentence *sentence, const struct text *gold,
                      const struct answer *answer, struct vouch_error *err);

/* Writes the usual report, or JSON, and the files that the options name. */
bool eval_output_write(const struct eval_output *output, const struct evaluation *evaluation, struct vouch_error *err);

/* Prints a result, which is taken over. */
void print_json(json_t *result);

/* Measure a model, answers in files, or algorithms. Each returns the exit status. */
int eval_model(const struct command *command, const struct settings *settings);
int eval_files(const struct command *command, const struct settings *settings);
int eval_folds(const struct command *command, const struct settings *settings);

#endif
