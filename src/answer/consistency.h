/*
 * Implements the option --consistency: confidence is also estimated by what the same words are called in the text
 * around.
 */
#ifndef VOUCH_ANSWER_CONSISTENCY_H
#define VOUCH_ANSWER_CONSISTENCY_H

#include "options/settings.h"
#include "answer/estimator.h"

/* Requests the committee with the text if the option is given; methods that are named must then include it. */
bool consistency_ask(const struct settings *settings, struct estimate_request *request, struct vouch_error *err);

#endif
