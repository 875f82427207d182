/*
 * Fits methods on held-out scores: words first, then chunks by the probabilities of their words, then sentences by
 * those of their chunks.
 *
 * Each step learns from the probabilities that the one before gives to answers that it has not learned from; the
 * figures that are kept are of such probabilities, too. Those of words that a forecaster has learned from are too good,
 * and chunks would look surer than they are: the ECE with 200 sentences of names was 0.11 then, and is 0.06 so.
 */
#ifndef VOUCH_TRAIN_METHOD_FIT_H
#define VOUCH_TRAIN_METHOD_FIT_H

#include "train/held_out_scores.h"
#include "model/confidence_model.h"

/* What to fit on. */
struct method_rows {
    const struct held_out_scores *committee; /* has the committee's signals */
    const struct held_out_scores *methods;   /* has the methods' numbers, of all these sentences or some of them */
    const struct work *work;
};

/*
 * Fits all methods of the model, of which one is the committee. The values of number `b` are column `b` of the scores
 * if it is a method's; the committee's are the signals. The committee with the text learns from the committee's words.
 * loss [count] is the mean log loss, in nats, of those held-out words that methods are fitted on; NAN with the text and
 * without words.
 */
bool methods_fit(struct confidence_model *confidence_model, const struct method_rows *rows, double *loss,
                 struct vouch_error *err);

/*
 * Finds the mean log loss, in nats, of held-out words if one column of their values is calibrated; NAN without words.
 */
bool calibrated_loss(const struct score_rows *words, uint32_t column, uint64_t seed, double *loss,
                     struct vouch_error *err);

#endif
