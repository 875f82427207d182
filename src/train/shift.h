/*
 * Finds how figures follow the model's own probabilities when text is unlike the training text.
 *
 * Held-out sentences are answered as they are, and again with more and more losses, as the model knows less of new
 * text. Two kinds of loss are simulated: features are forgotten, wherever they occur, like those of words that were
 * never seen; and words are mistaken for others with all of their features (losses.h). For every figure y (a share of
 * right answers) and the share x that probabilities promise,
 *
 *     logit y = logit y0 + slope * (logit x - logit x0),
 *
 * where (x0, y0) are those of the sentences as they are, and each kind has a slope of its own, by least squares over
 * its levels. Cf. Guillory et al. 2021, who forecast by differences of confidences.
 */
#ifndef VOUCH_TRAIN_SHIFT_H
#define VOUCH_TRAIN_SHIFT_H

#include "model/forecast_model.h"
#include "train/held_out.h"

/* Fits on the answers of the first layer, whose voices have `params`. */
bool shift_fit(const struct held_out *held, const struct method_params *params, const struct work *work,
               struct forecast_model *model, struct vouch_error *err);

#endif
