/*
 * Declares what commands do with the answers of other programs: vouch tune --answers and vouch tag --answers.
 */
#ifndef VOUCH_CLI_ANSWERS_CALIBRATED_H
#define VOUCH_CLI_ANSWERS_CALIBRATED_H

#include "cli/cli.h"

#include "eval/file_comparison.h"

/*
 * Refuses files and options that make no sense for answers in files; returns EXIT_DONE, or EXIT_MISUSE after a message.
 */
int answers_prepare(struct file_comparison *comparison, const struct command *command);

/* Opens the files that the settings name. */
bool answers_open(struct file_comparison *comparison, struct vouch_error *err);

int tune_answers(const struct command *command, const struct settings *settings);
int tag_answers(const struct command *command, const struct settings *settings);

#endif
