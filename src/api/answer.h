/*
 * An answer of the public interface is the answer to a sentence, and the chunks that its labels spell.
 *
 * Names are the model's, which are terminated. A label that is not the model's, because an operating point or a
 * replacement put it there, must be terminated by the code that made it.
 */
#ifndef VOUCH_API_ANSWER_H
#define VOUCH_API_ANSWER_H

#include "answer/answer_stream.h"

struct vouch_answer {
    const struct vouch_model *model; /* owns the names of labels */
    uint32_t N;
    struct answer answer; /* views of memory that a prediction or a request owns */
    const double *least;  /* [N] what the threshold is compared with; NULL: nothing is doubtful */
    double threshold;
    struct answer_span {
        uint32_t from, to;
        uint32_t judged; /* its number among the chunks that were judged; NO_SPAN: none of them */
    } * span;            /* [spans] of the labels, in memory of its own */
    uint32_t spans;
    size_t span_capacity;
};

#define NO_SPAN UINT32_MAX

/* Takes an answer to N words, and finds the chunks of its labels; nothing is doubtful. Zero `into` before first use. */
bool answer_take(struct vouch_answer *into, const struct vouch_model *model, const struct answer *answer, uint32_t N,
                 struct vouch_error *err);
void answer_release(struct vouch_answer *answer);

#endif
