/*
 * Writes a learner's parameters as a model's header keeps them, and reads them
 * back.
 */
#ifndef VOUCH_TRAIN_TRIAL_RECORD_H
#define VOUCH_TRAIN_TRIAL_RECORD_H

#include "options/settings.h"
#include "train/cross_validation.h"

#include <jansson.h>

/* Returns the covariance of that name, or -1. */
int covariance_parse(const char *name);

/* Adds the parameters that the learner reads to `record`. */
void trial_describe(const struct trial *trial, json_t *record);

/*
 * Sets the parameters that `record` has, except those that the options of training give; parameters that are in neither
 * stay as they are. A record may come from a damaged file: values are bounded as options are.
 */
bool trial_recall(struct trial *trial, const json_t *record, const struct settings *settings, struct vouch_error *err);

#endif
