/*
 * How to read files, as the options --format, --gold and --column say.
 */
#ifndef VOUCH_PREDICT_READING_OPTIONS_H
#define VOUCH_PREDICT_READING_OPTIONS_H

#include "corpus/reader.h"
#include "options/settings.h"

/* A wrong option is VOUCH_ERR_ARGUMENT. */
bool reading_prepare(struct reader_options *reading, const struct settings *settings, struct vouch_error *err);

#endif
