/*
 * Answers one sentence, by labels or by a tree, whichever the model gives: with confidence, changed by the operating
 * point, and with doubtful words marked, as the request asks.
 */
#ifndef VOUCH_ANSWER_PREDICTOR_H
#define VOUCH_ANSWER_PREDICTOR_H

#include "answer/request.h"

/* One thread's working memory over a request, which must outlive it. Answers point to labels of the model. */
struct predictor;
struct predictor *predictor_new(const struct vouch_request *request, struct vouch_error *err);
void predictor_free(struct predictor *predictor);

/* From now on, methods that use the text take this one, which has counted the sentences that are answered. */
struct text_counts;
void predictor_use_text(struct predictor *predictor, const struct text_counts *text);

/* From now on, answers are counted, without confidence, and are empty; NULL: no longer. */
void predictor_count(struct predictor *predictor, struct text_counts *counted);

/* Whether the model can answer such a sentence of the caller; fails with an argument error if not. */
bool sentence_fits(const struct vouch_model *model, const vouch_sentence *sentence, struct vouch_error *err);

/*
 * From now on, sentences have these further features, of what a first stage calls the words around; NULL: their own, if
 * they were read through a context_window, else none.
 */
void predictor_give(struct predictor *predictor, const struct further_rows *further);

/* Answers a sentence that was read. The estimates of a document mark are all NAN. */
bool predictor_answer(struct predictor *predictor, const struct sentence *sentence, struct vouch_answer *answer,
                      struct vouch_error *err);

/* Answers a sentence of the caller, which may be one that the model cannot answer. */
bool predictor_answer_caller(struct predictor *predictor, const vouch_sentence *sentence, struct vouch_answer *answer,
                             struct vouch_error *err);

/* Answers by scores from elsewhere, for a model without weights. */
bool predictor_answer_scores(struct predictor *predictor, const struct score_sets *scores, struct vouch_answer *answer,
                             struct vouch_error *err);

/*
 * The best whole answers to a sentence by the first voice, best first: labelings as they are written, or trees, each
 * with the best relations of its arcs. Zero it before first use.
 *
 * With s(k) the score of answer k, its probability is
 *
 *     P(k) = exp(c s(k)) / Z(c),    Z(c) the sum over all answers
 *
 * where c is such that P(1) is the calibrated confidence in the whole answer, by the first method: the surer that is,
 * the less is left for all others, and as many are right as these numbers say (docs/MEASUREMENTS.md). Without a
 * calibrated method, c is that of the model's marginals. Cost: twenty times that of marginals.
 */
struct vouch_best {
    const struct vouch_model *model;
    uint32_t N, count;
    struct text *label;         /* [count][N]; NULL: trees without relations */
    uint32_t *head;             /* [count][N]; NULL: labelings */
    double *probability;        /* [count] that all labels are right, or all heads */
    struct vouch_answer answer; /* the first of them, judged */
    struct arena arena;         /* of the arrays */
};
void best_release(struct vouch_best *best);

/* Finds up to K of them, K > 0, for a sentence of the caller and a model with weights. */
bool predictor_best(struct predictor *predictor, const vouch_sentence *sentence, uint32_t K, struct vouch_best *best,
                    struct vouch_error *err);

/* Makes an answer to N words without the model: no labels, and estimates that are all NAN. */
bool predictor_abstain(struct predictor *predictor, uint32_t N, struct vouch_answer *answer, struct vouch_error *err);

/* A worker of the public interface, and its latest answers. */
struct vouch_worker {
    struct predictor *predictor;
    struct vouch_answer answer;
    struct vouch_best best;
};

#endif
