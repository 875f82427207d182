/*
 * A request holds what is asked of answers, made once and never changed.
 *
 * The estimator computes how far answers can be trusted; the operating point, if there is one, changes them
 * accordingly; the rule of doubt says which of them are doubtful, and what is written in their place.
 */
#ifndef VOUCH_ANSWER_REQUEST_H
#define VOUCH_ANSWER_REQUEST_H

#include "answer/doubt.h"
#include "options/rows.h"

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

/* The options of vouch tag, vouch parse and vouch judge. */
struct answer_options {
    struct options common;
    struct reading_values reading;
    struct confidence_values confidence;
    struct doubt_values doubt;
    struct score_values source;
    bool operating_point;

    /* Of the program alone. */
    const char *model, *output, *answers, *columns;
    bool log;
    enum picture { DRAW_NOTHING, DRAW_TEXT, DRAW_SVG } draw;
    bool header, colour;

    /* Of vouch judge alone: what the scores are of, and how to judge them. */
    struct judge_values {
        const char *labels, *scheme, *gold;
        enum arc_order { NO_ARCS, HEAD_FIRST, MODIFIER_FIRST } arcs;
        enum root_place { ROOT_FIRST, ROOT_DIAGONAL } root;
        double scale, noise;
        uint32_t k_best;
        bool padded, constraints, json;
    } judge;
};
#define USUAL_ANSWERING .common = USUAL_COMMON, .doubt = USUAL_DOUBT
extern const struct option_table tag_options, parse_options;

/* Fails if options contradict each other, whatever the model. */
bool request_options_agree(const struct answer_options *options, struct vouch_error *err);

/* Returns the options of the command that the model is for: vouch tag or vouch parse. */
const struct option_table *request_options(const struct vouch_model *model);

/*
 * Requests the committee with the text if --consistency is given, by which confidence is also estimated by what the
 * same words are called in the text around; methods that are named must then include it.
 */
bool consistency_ask(const struct confidence_values *values, struct estimate_request *request, struct vouch_error *err);

/*
 * Returns a request by the options of vouch tag or vouch parse, which agree; `more` is what they do not say (NULL:
 * nothing): that words alone are judged, which is faster, and the method if the model prefers none. Free with
 * vouch_request_free().
 */
struct vouch_request *request_new(const struct vouch_model *model, const struct answer_options *options,
                                  const struct estimate_request *more, struct vouch_error *err);

#endif
