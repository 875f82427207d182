/*
 * Answers one sentence, by labels or by a tree, whichever the model gives.
 */
#ifndef VOUCH_ANSWER_PREDICTOR_H
#define VOUCH_ANSWER_PREDICTOR_H

#include "answer/estimator.h"

/* A model's answer to a sentence. */
struct answer {
    const struct text *label; /* [N] labels, or relations; NULL if the model has none, and for a document mark */
    const uint32_t *head;     /* [N] 0 the root, else a word from 1; NULL if the model labels */
    const struct confidences *confidences; /* NULL if there is no estimator */
    const struct expected_counts *promise; /* what probabilities promise; all 0 if not asked for; or NULL */
};

/* An answer and all that it points to. Zero it before first use; it is used again for the next sentence. */
struct prediction {
    struct answer answer;
    struct text *label;
    uint32_t *head;
    struct estimates estimates;
    size_t label_capacity, head_capacity;
};
void prediction_release(struct prediction *prediction);

/*
 * One thread's working memory over a model, and an estimator or NULL. Both must
 * outlive it, and answers point to labels of the model.
 */
struct predictor;
struct predictor *predictor_new(const struct vouch_model *model, const struct estimator *estimator,
                                struct vouch_error *err);
void predictor_free(struct predictor *predictor);

/* From now on, methods that use the text take this one, which has counted the sentences that are answered. */
struct text_lexicon;
void predictor_use_text(struct predictor *predictor, const struct text_lexicon *text);

/* From now on, answers are counted, without confidence, and are empty; NULL: no longer. */
void predictor_count(struct predictor *predictor, struct text_lexicon *counted);

/* Answers into `prediction`, which must not be moved. The estimates of a document mark are all NAN. */
bool predictor_answer(struct predictor *predictor, const struct sentence *sentence, struct prediction *prediction,
                      struct vouch_error *err);

/* Makes an answer to N words without the model: no labels, and estimates that are all NAN. */
bool predictor_abstain(const struct predictor *predictor, uint32_t N, struct prediction *prediction,
                       struct vouch_error *err);

#endif
