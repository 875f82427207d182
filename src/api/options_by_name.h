/*
 * Declares what vouch_options is inside: the options of a command, set by name.
 */
#ifndef VOUCH_API_OPTIONS_BY_NAME_H
#define VOUCH_API_OPTIONS_BY_NAME_H

#include "options/settings.h"

/* Returns the job's struct as it is now, and the table that it belongs to. Owned by `options`. */
const void *vouch_options_values(const vouch_options *options);
const struct option_table *vouch_options_table(const vouch_options *options);

#endif
