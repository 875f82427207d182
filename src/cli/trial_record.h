/*
 * A learner's parameters as a model's header keeps them, and back.
 */
#ifndef VOUCH_CLI_TRIAL_RECORD_H
#define VOUCH_CLI_TRIAL_RECORD_H

#include "cli/cli.h"
#include "train/cross_validation.h"

#include <jansson.h>

/* The covariance of that name, or -1. */
int covariance_parse(const char *name);

/* Adds the parameters that the learner reads to `record`. */
void trial_describe(const struct trial *trial, json_t *record);

/*
 * Sets the parameters that `record` has, except those that the command line gives; all others stay as they are. A
 * record may come from a file made by hand, so values are bounded as options are.
 */
bool trial_recall(struct trial *trial, const json_t *record, const struct command *command,
                  const struct settings *settings, struct vouch_error *err);

#endif
