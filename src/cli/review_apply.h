/*
 * Runs vouch review --apply, which writes decisions made in a list into the
 * corpus.
 */
#ifndef VOUCH_CLI_REVIEW_APPLY_H
#define VOUCH_CLI_REVIEW_APPLY_H

#include "cli/cli.h"

/* Returns the exit status. */
int review_apply(const struct command *command, const struct settings *settings);

#endif
