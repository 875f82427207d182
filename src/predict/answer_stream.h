/*
 * Answers a stream of sentences, by labels or by trees: in bounded memory, on
 * several threads, in input order.
 *
 * Whatever the number of threads, the sink gets the same answers, and the error
 * is the first in input order: all sentences before a line that cannot be read,
 * a sentence that cannot be answered or an answer that the sink refuses have
 * been handed on. Nothing is held back while the input waits for more, unless confidence is estimated with the text
 * around: then answers are handed on by stretches (text_window.h).
 */
#ifndef VOUCH_PREDICT_ANSWER_STREAM_H
#define VOUCH_PREDICT_ANSWER_STREAM_H

#include "corpus/reader.h"
#include "predict/predictor.h"

/* Called for every sentence, in input order, in the thread that called answer_stream(). */
struct answer_sink {
    bool (*take)(void *context, const struct sentence *sentence, const struct answer *answer, struct vouch_error *err);
    void *context;
    bool (*stop)(void *context); /* asked whether to give up while answers are counted; may be NULL */
};

/*
 * Answers all sentences of the reader. `threads` counts the caller's: with one, none is started. `estimator` may be
 * NULL. The estimates of a document mark are all NAN.
 */
bool answer_stream(const struct vouch_model *model, const struct estimator *estimator, struct reader *reader,
                   uint32_t threads, const struct answer_sink *sink, struct vouch_error *err);

#endif
