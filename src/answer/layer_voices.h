/*
 * Finds the decoder of a model's layer, and makes a voice set of it that can judge answers.
 */
#ifndef VOUCH_ANSWER_LAYER_VOICES_H
#define VOUCH_ANSWER_LAYER_VOICES_H

#include "confidence/evidence.h"
#include "model/model.h"

/* Returns how a layer is decoded: arcs as a tree, labels and relations as a chain. */
const struct structure *layer_structure(const struct vouch_model *model, uint32_t layer);

/* Makes a view: layer, params, noise and rules must outlive it. `params` [voices]. */
void layer_voice_set(const struct model_layer *layer, uint32_t number, const struct structure *structure,
                     const struct method_params *params, const struct noise *noise, const struct span_rules *rules,
                     struct voice_set *voice_set);

#endif
