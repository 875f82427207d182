/*
 * What the commands that answer a stream of sentences share.
 */
#ifndef VOUCH_CLI_ANSWERING_H
#define VOUCH_CLI_ANSWERING_H

#include "cli/cli.h"
#include "corpus/reader.h"

/* Checks -m, the one input and the options of reading; EXIT_DONE or EXIT_MISUSE after a message. */
int answering_prepare(struct reader_options *reading, const struct command *command, const struct settings *settings);

/* The input's path; NULL is standard input. */
const char *answering_input(const struct settings *settings);

/* Whether somebody may wait for each answer before asking on: the input is a pipe or a terminal. */
bool answers_are_awaited(const struct settings *settings);

#endif
