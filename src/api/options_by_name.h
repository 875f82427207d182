/*
 * Declares what vouch_options is inside: the options of a command, set by name.
 */
#ifndef VOUCH_API_OPTIONS_BY_NAME_H
#define VOUCH_API_OPTIONS_BY_NAME_H

#include "options/settings.h"

/* Returns the settings as they are now, and the table that they belong to. Owned by `options`. */
const struct settings *vouch_options_settings(const vouch_options *options);
const struct option_table *vouch_options_table(const vouch_options *options);

#endif
