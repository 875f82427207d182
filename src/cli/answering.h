/*
 * Shared by vouch tag, parse and judge, which answer a file or a stream, and by vouch trade.
 */
#ifndef VOUCH_CLI_ANSWERING_H
#define VOUCH_CLI_ANSWERING_H

#include "answer/request.h"
#include "cli/cli.h"
#include "text/reader.h"

/*
 * Labels or parses the input with a model, and the scores of one without weights, as vouch tag and vouch parse do.
 * Returns the exit status.
 */
struct score_files;
int answer_with(const struct command *command, const struct answer_options *settings, const struct vouch_model *model,
                const struct score_files *scores, struct reader_options *reading);

/* Prints which methods' numbers will be written, and whether they are probabilities. */
void answering_say_methods(const struct options *options, const struct estimator *estimator);

#endif
