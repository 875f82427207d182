/*
 * From a model's layer to a panel that can be asked about answers.
 */
#ifndef VOUCH_PREDICT_PANELS_H
#define VOUCH_PREDICT_PANELS_H

#include "confidence/panel.h"
#include "model/model.h"

/* A view: layer, knobs, noise and rules must outlive it. `knobs` [voices]. */
void layer_panel(const struct model_layer *layer, uint32_t number, const struct structure *structure,
                 const struct knobs *knobs, const struct noise *noise, const struct span_rules *rules,
                 struct panel *panel);

#endif
