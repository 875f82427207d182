/*
 * A request holds what is asked of answers, made once and never changed.
 *
 * The estimator computes how far answers can be trusted; the operating point, if there is one, changes them
 * accordingly; the rule of doubt says which of them are doubtful, and what is written in their place.
 */
#ifndef VOUCH_ANSWER_REQUEST_H
#define VOUCH_ANSWER_REQUEST_H

#include "answer/doubt.h"
#include "options/settings.h"

struct score_files;

/* Whoever needs a model, its scores, an estimator and threads alone fills in these; all else may be 0. */
struct vouch_request {
    const struct vouch_model *model;
    const struct score_files *scores; /* of a model without weights (scores/score_files.h); NULL: it has weights */
    struct estimator *estimator;      /* NULL: answers have no confidence */
    uint32_t threads;
    bool pointed; /* answers are changed by the operating point: */
    struct operating_point point;
    struct doubt_rule doubt;
    bool chunks;       /* the chunks of the labels are found as well */
    char *replacement; /* that of `doubt`, to be freed */
    uint32_t draws;    /* as the options have it; 0: as the model has it */
};

/* Fails if options contradict each other, whatever the model. */
bool request_options_agree(const struct settings *settings, struct vouch_error *err);

/* Returns the options of the command that the model is for: vouch tag or vouch parse. */
const struct option_table *request_options(const struct vouch_model *model);

/*
 * Requests the committee with the text if --consistency is given, by which confidence is also estimated by what the
 * same words are called in the text around; methods that are named must then include it.
 */
bool consistency_ask(const struct settings *settings, struct estimate_request *request, struct vouch_error *err);

/*
 * Returns a request by the settings of vouch tag or vouch parse, which agree; `more` is what they do not say (NULL:
 * nothing): that words alone are judged, which is faster, and the method if the model prefers none. Free with
 * vouch_request_free().
 */
struct vouch_request *request_new(const struct vouch_model *model, const struct settings *settings,
                                  const struct estimate_request *more, struct vouch_error *err);

#endif
