/*
 * Answers a stream of sentences, by labels or by trees: in bounded memory, on
 * several threads, in input order.
 *
 * Whatever the number of threads, the sink gets the same answers, and the error
 * is the first in input order: all sentences before a line that cannot be read,
 * a sentence that cannot be answered or an answer that the sink refuses have
 * been handed on. Nothing is held back while the input waits for more, unless confidence is estimated with the text
 * around: then answers are handed on by stretches (text_window.h).
 *
 * Ranks share a stream that all of them can read: each answers its own sentences, and all exchange what they have after
 * every round (dealing.h). The answers are the same, however many ranks there are.
 */
#ifndef VOUCH_ANSWER_ANSWER_STREAM_H
#define VOUCH_ANSWER_ANSWER_STREAM_H

#include "text/reader.h"
#include "answer/dealing.h"
#include "answer/predictor.h"

/* Called in the thread that called answer_stream(). Only `take` must be there. */
struct answer_sink {
    /* Called for every sentence that this process answers, in input order. */
    bool (*take)(void *context, const struct sentence *sentence, const struct answer *answer, struct vouch_error *err);
    void *context;
    bool (*stop)(void *context); /* asked whether to give up while answers are counted */
    void (*see)(void *context, const struct sentence *sentence); /* called for every sentence as it is read */

    /*
     * The ranks that share the stream; NULL: this process works alone. With ranks, `exchange` is called on each of them
     * after every round, which says who has answered what. An answer of this rank may have `failed`: those before it
     * were taken, and the call must fail on this rank and on the first.
     */
    const struct ranks *ranks;
    bool (*exchange)(void *context, const struct dealing *round, const struct vouch_error *failed /* NULL: none has */,
                     struct vouch_error *err);
};

/*
 * Answers all sentences of the reader. `threads` counts the caller's: with one, none is started. `estimator` may be
 * NULL. The estimates of a document mark are all NAN.
 */
bool answer_stream(const struct vouch_model *model, const struct estimator *estimator, struct reader *reader,
                   uint32_t threads, const struct answer_sink *sink, struct vouch_error *err);

#endif
