/*
 * Decides what is doubtful, by the same rule everywhere.
 *
 * The confidence of the first method that was asked for counts. For a label outside of chunks that is its own; for
 * every word of a chunk, the least of the chunk's confidence and those of its words; for an arc, the lesser of its
 * head's and its relation's. An answer is doubtful if its confidence is below the threshold; one without a confidence
 * never is.
 *
 * Marking is the last step of answering. Writers get plain marks (text/writer.h) and decide nothing; colours and
 * operating points compare with limits of their own.
 */
#ifndef VOUCH_ANSWER_DOUBT_H
#define VOUCH_ANSWER_DOUBT_H

#include "answer/answer.h"

/* Finds the confidence that counts for each word: `least` [N]; NAN if none was computed. */
void least_confidence(const struct confidences *confidences, uint32_t N, double *least);

static inline bool is_doubtful(double least, double threshold)
{
    return least < threshold; /* false of NAN */
}

/* The threshold of doubt, and what happens to doubtful answers. */
struct doubt_rule {
    bool marks;              /* else nothing is doubtful */
    double threshold;        /* answers of less confidence are */
    const char *replacement; /* in place of a doubtful label or relation; NULL: it is only marked */
};

/* Marks the words of an answer, and replaces the labels of doubtful ones; nothing if it has no confidences. */
bool doubt_mark(const struct doubt_rule *rule, struct vouch_answer *answer, struct vouch_error *err);

#endif
