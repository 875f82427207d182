/*
 * Decides what is doubtful, by the same rule everywhere.
 *
 * The confidence of the first method that was asked for counts. For a label outside of chunks that is its own; for
 * every word of a chunk, the least of the chunk's confidence and those of its words; for an arc, the lesser of its
 * head's and its relation's. An answer is doubtful if its confidence is below the threshold; one without a confidence
 * never is.
 *
 * Writers get plain marks (text/writer.h); colours and operating points compare with limits of their own.
 */
#ifndef VOUCH_ANSWER_DOUBT_H
#define VOUCH_ANSWER_DOUBT_H

#include "core/confidences.h"
#include "text/writer.h"

/* Find the confidence that counts for each word; NAN if none was computed. */
void doubt_of_labels(const struct confidences *confidences, uint32_t N, double *least /* [N] */);
void doubt_of_arcs(const struct confidences *confidences, uint32_t N, double *least /* [N] */);

static inline bool is_doubtful(double least, double threshold)
{
    return least < threshold; /* false of NAN */
}

/* The threshold of doubt and what happens to doubtful answers, with memory that only grows. */
struct doubts {
    double threshold;        /* answers of less confidence are doubtful; NAN: none are */
    struct text replacement; /* to write in place of a doubtful label or relation; empty: it is flagged */
    double *least;           /* [N] */
    bool *doubtful;          /* [N] */
    struct text *answer;     /* [N] */
    size_t least_capacity, doubtful_capacity, answer_capacity;
};
void doubts_release(struct doubts *doubts);

/*
 * Mark the answer of one sentence, and replace *label [N], or tree->relation, by what to write; both are valid until
 * the next call. `confidences` is NULL if there is no confidence; then nothing is doubtful.
 */
bool doubts_mark_labels(struct doubts *doubts, const struct sentence *sentence, const struct confidences *confidences,
                        const struct text **label, struct marks *marks, struct vouch_error *err);
bool doubts_mark_tree(struct doubts *doubts, const struct sentence *sentence, const struct confidences *confidences,
                      struct tree_answer *tree, struct marks *marks, struct vouch_error *err);

#endif
