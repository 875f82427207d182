/*
 * Runs vouch active next: which sentences of a file to label next.
 */
#ifndef VOUCH_CLI_ACTIVE_NEXT_H
#define VOUCH_CLI_ACTIVE_NEXT_H

#include "cli/cli.h"

/* Returns the exit status. The arguments are "next" and the files that are labelled already. */
int active_next(const struct command *command, struct settings *settings);

#endif
