/*
 * A request holds the options of answering, made once and never changed.
 *
 * The estimator computes how far answers can be trusted; the operating point, if there is one, changes them
 * accordingly; the threshold decides which of them are doubtful, and the replacement is written in their place.
 */
#ifndef VOUCH_API_REQUESTS_H
#define VOUCH_API_REQUESTS_H

#include "api/answer.h"
#include "options/settings.h"
#include "answer/operating_point.h"

struct vouch_request {
    const struct vouch_model *model;
    struct estimator *estimator; /* NULL: answers have no confidence */
    bool pointed;                /* answers are changed by the operating point: */
    struct operating_point point;
    double threshold;  /* answers with less confidence are doubtful; NAN: none are */
    char *replacement; /* the label of doubtful words; NULL: their own */
    uint32_t draws;    /* as the options have it; 0: as the model has it */
    uint32_t threads;
};

/* Fails if options contradict each other, whatever the model. */
bool request_options_agree(const struct settings *settings, struct vouch_error *err);

/* Returns the options of the command that the model is for: vouch tag or vouch parse. */
const struct option_table *request_options(const struct vouch_model *model);

/*
 * Returns a request by the settings of vouch tag or vouch parse, which agree. With `words_only`, chunks and sentences
 * are not judged, which is faster. Free with vouch_request_free().
 */
struct vouch_request *request_new(const struct vouch_model *model, const struct settings *settings, bool words_only,
                                  struct vouch_error *err);

/* One thread's memory for answers that are changed. Zero it before first use. */
struct changing {
    struct changed_labels by_point;
    struct text *label; /* [N] */
    double *least;      /* [N] */
    size_t label_capacity, least_capacity;
};
void changing_release(struct changing *changing);

/* Changes the labels of an answer to N words by the operating point, in memory of `changing`. */
bool request_change(const struct vouch_request *request, uint32_t N, struct changing *changing, struct answer *answer,
                    struct vouch_error *err);

/* Does the same, then replaces doubtful labels if the request has a replacement, and makes a public answer. */
bool request_settle(const struct vouch_request *request, uint32_t N, struct changing *changing,
                    const struct answer *answer, struct vouch_answer *into, struct vouch_error *err);

/* Answers all sentences of the reader, as answer_stream() does, by the operating point if there is one. */
bool request_stream(const struct vouch_request *request, struct reader *reader, const struct answer_sink *sink,
                    struct vouch_error *err);

#endif
