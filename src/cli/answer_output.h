/*
 * The output of commands that answer a stream: a file or standard output, written by one process alone or for several
 * ranks by the first of them.
 *
 * On ranks, answers are written into memory. After every round the first rank collects them, and writes them in the
 * order of the sentences, up to the first that failed on any rank. So the output, what is told of it and the error are
 * those of one process.
 */
#ifndef VOUCH_CLI_ANSWER_OUTPUT_H
#define VOUCH_CLI_ANSWER_OUTPUT_H

#include "base/output.h"
#include "answer/answer_stream.h"

struct answer_note;

struct answer_output {
    struct output *out;             /* where to write answers */
    struct expected_counts promise; /* of all answers; on ranks, the first one's is */

    const struct ranks *ranks;
    struct output *file;      /* of the first rank; NULL if a process works alone: then `out` is the file */
    struct answer_note *note; /* [notes] of this rank's answers of this round */
    size_t notes, capacity;
};

/* Opens the output; `path` is as in output_open(). Close it in any case. */
bool answer_output_open(struct answer_output *output, const char *path, const struct ranks *ranks,
                        struct vouch_error *err);

/* Ends the text of an answer; `promise` may be NULL. */
bool answer_output_end(struct answer_output *output, const struct expected_counts *promise, struct vouch_error *err);

/* Collects the answers of a round: see struct answer_sink. */
bool answer_output_exchange(struct answer_output *output, const struct rank_round *round,
                            const struct vouch_error *failed, struct vouch_error *err);

/* Commits if `ok`, else drops; returns whether all succeeded. */
bool answer_output_close(struct answer_output *output, bool ok, struct vouch_error *err);

#endif
