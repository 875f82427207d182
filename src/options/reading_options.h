/*
 * Settles how to read files, by the options --format, --column, --gold,
 * --vectors and --on-error.
 */
#ifndef VOUCH_OPTIONS_READING_OPTIONS_H
#define VOUCH_OPTIONS_READING_OPTIONS_H

#include "text/reader.h"
#include "options/settings.h"

/* Fills in the fields of `reading` that the options decide about; the others are zero. */
bool reading_options(const struct settings *settings, struct reader_options *reading, struct vouch_error *err);

/* Does the same for commands that answer: there are no gold labels, every column describes the word. */
bool reading_options_to_answer(const struct settings *settings, struct reader_options *reading,
                               struct vouch_error *err);

#endif
