/*
 * Declares what commands do with the answers of other programs: vouch tune --answers and vouch tag --answers.
 */
#ifndef VOUCH_CLI_ANSWERS_CALIBRATED_H
#define VOUCH_CLI_ANSWERS_CALIBRATED_H

#include "cli/cli.h"

struct tune_options;
int tune_answers(const struct command *command, const struct tune_options *options);
struct answer_options;
int tag_answers(const struct command *command, const struct answer_options *options);

#endif
