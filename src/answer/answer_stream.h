/*
 * Answers a stream of sentences, by labels or by trees: in bounded memory, on several threads, in input order. It is
 * the one loop of answering: files, standard input and batches of the caller's sentences go through it.
 *
 * Whatever the number of threads, the sink gets the same answers, and the error is the first in input order: all
 * sentences before a line that cannot be read, a sentence that cannot be answered or an answer that the sink refuses
 * have been handed on. Nothing is held back while the input waits for more, unless confidence is estimated with the
 * text around: then answers are handed on block by block (text_window.h).
 *
 * Ranks share a stream that all of them can read: each answers its own sentences, and all exchange what they have after
 * every round. The answers are the same, however many ranks there are.
 */
#ifndef VOUCH_ANSWER_ANSWER_STREAM_H
#define VOUCH_ANSWER_ANSWER_STREAM_H

#include "answer/predictor.h"
#include "text/reader.h"

/*
 * A round: which rank answers each of its sentences.
 *
 * Every rank reads all sentences and shares them out in the same way, so that none has to be told what it is to answer.
 * A sentence goes to the rank that has the least to do in this round, to the first of them if there are several: labels
 * cost time by the word, trees by the square of the words. A round is long enough for the ranks to be done with it at
 * about the same time, and short enough to be kept in memory; where it ends depends on the sentences and on the number
 * of ranks alone. Ranks could read different ranges of bytes instead; but then a rank would not know where sentences,
 * lines and blocks begin, and reading takes a small part of the time.
 */
struct rank_round {
    const struct ranks *ranks;
    bool trees;      /* what is answered */
    uint32_t *owner; /* [count] the rank that answers each sentence of this round */
    size_t count, capacity;
    uint64_t *load; /* [ranks] what each has to do in this round */
    uint64_t words; /* of this round */
};

/* Begins with an empty round; release in any case. */
bool rank_round_init(struct rank_round *round, const struct ranks *ranks, bool trees, struct vouch_error *err);
void rank_round_release(struct rank_round *round);
void rank_round_begin(struct rank_round *round);
bool rank_round_is_full(const struct rank_round *round);

/* Gives the next sentence to a rank; and one of N words to the rank that has the least to do. */
bool rank_round_give(struct rank_round *round, uint32_t rank, struct vouch_error *err);
bool rank_round_add(struct rank_round *round, uint32_t N, struct vouch_error *err);

/* Called in the thread that called answer_stream(). Only `take` must be there. */
struct answer_sink {
    /* Called for every sentence that this process answers, in input order. */
    bool (*take)(void *context, const struct sentence *sentence, const struct vouch_answer *answer,
                 struct vouch_error *err);
    void *context;
    const struct vouch_watch *watch; /* asked after every sentence whether to stop; may be NULL */
    void (*see)(void *context, const struct sentence *sentence); /* called for every sentence as it is read */
    void (*begin)(void *context, const char *path);              /* called by answer_files() before a file is read */

    /*
     * The ranks that share the stream; NULL: this process works alone. With ranks, `exchange` is called on each of them
     * after every round, which says which rank has answered which sentence. An answer of this rank may have `failed`:
     * those before it were taken, and the call must fail on this rank and on the first.
     */
    const struct ranks *ranks;
    bool (*exchange)(void *context, const struct rank_round *round,
                     const struct vouch_error *failed /* NULL: none has */, struct vouch_error *err);
};

/*
 * Answers all sentences of the reader, on the request's threads, of which one is the caller's. The estimates of a
 * document mark are all NAN; a faulty sentence has an empty answer.
 */
bool answer_stream(const struct vouch_request *request, struct reader *reader, const struct answer_sink *sink,
                   struct vouch_error *err);

/* Answers the caller's sentences. If a method uses the text, that is all of them. */
bool answer_batch(const struct vouch_request *request, vouch_sentence *const *sentence, size_t count,
                  const struct answer_sink *sink, struct vouch_error *err);

/*
 * Answers labelled files, one after the other, or standard input if there is no path; `reading` was settled by
 * model_input_settle(). Fails where the model would look at the gold column.
 */
bool answer_files(const struct vouch_request *request, const struct reader_options *reading, char *const *path,
                  size_t paths, const struct answer_sink *sink, struct vouch_error *err);

#endif
