/*
 * Declares what commands do with the answers of other programs: vouch tune --answers and vouch tag --answers.
 */
#ifndef VOUCH_CLI_ANSWERS_CALIBRATED_H
#define VOUCH_CLI_ANSWERS_CALIBRATED_H

#include "cli/cli.h"

int tune_answers(const struct command *command, const struct settings *settings);
struct answer_options;
int tag_answers(const struct command *command, const struct answer_options *settings);

#endif
