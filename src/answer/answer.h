/*
 * What goes into the one path of answering and what comes out of it, as vouch.h names them: a sentence of the caller,
 * and the answer to a sentence. The path is
 *
 *     request.h        what is asked: methods, operating point, threshold; made once, shared by threads
 *     answer_stream.h  sentences of a reader or of the caller, on several threads, answers in order
 *     predictor.h      words -> parts -> scores -> choices, for one sentence
 *     estimator.h      evidence -> methods -> calibration -> confidences
 *     operating_point.h, doubt.h   change labels, and mark and replace those that are doubtful
 */
#ifndef VOUCH_ANSWER_ANSWER_H
#define VOUCH_ANSWER_ANSWER_H

#include "answer/estimator.h"
#include "answer/operating_point.h"
#include "core/sentence.h"

/* A sentence of the public interface: the caller's own, or one that a stream has read. */
struct vouch_sentence {
    const struct sentence *view; /* the sentence itself: `own`, or one of a stream */
    struct sentence own;
    bool cells; /* filled by the caller, cell by cell; else it was read */
    char *gold_bytes;
    size_t gold_bytes_capacity;
    struct known_answer {
        const struct text *label; /* [N] labels or relations, empty where they are not known; NULL: none is */
        const uint32_t *head;     /* [N] heads, OPEN_CHOICE where they are not known; NULL: none is */
    } known; /* of the answer, which must agree with it */
    struct arena known_arena; /* of these arrays, where vouch_sentence_set_known() made them */
};

/* A chunk that the labels of an answer spell: words from .. to - 1. */
struct answer_chunk {
    uint32_t from, to;
    uint32_t judged; /* its number among the chunks that were judged; NO_CHUNK: none of them */
};
#define NO_CHUNK UINT32_MAX

/*
 * The answer to a sentence, and memory for what it points to, which is used again for the next sentence. Zero it before
 * first use, and do not move it.
 *
 * Names are the model's, which are terminated; so must be a label that an operating point or a replacement put there.
 */
struct vouch_answer {
    const struct vouch_model *model; /* owns the names of labels */
    uint32_t N;
    const struct text *label; /* [N] labels, or relations; NULL if the model has none, and for a document mark */
    const uint32_t *head;     /* [N] 0 the root, else a word from 1; NULL if the model labels */
    const struct confidences *confidences; /* NULL if there is no estimator */
    const struct expected_counts *expected; /* what probabilities promise; all 0 if not asked for; or NULL */
    const bool *doubtful;                  /* [N] trusted less than the threshold; NULL: there is none */
    bool replaced;                         /* the labels of doubtful words have been replaced */
    const struct answer_chunk *chunk;      /* [chunks] if the request asks for them */
    uint32_t chunks;

    struct estimates estimates; /* whose arena has all arrays but those of: */
    struct changed_labels by_point;
};
void answer_release(struct vouch_answer *answer);

#endif
