/* Panels over a model: see panels.h. Every voice of every layer has noise of its own. */
#include "predict/panels.h"

#include "base/hash.h"

_Static_assert((int)MAX_VOICES <= (int)MAX_SEATS, "every voice of a layer has a seat");

void layer_panel(const struct model_layer *layer, uint32_t number, const struct structure *structure,
                 const struct knobs *knobs, const struct noise *noise, const struct span_rules *rules,
                 struct panel *panel)
{
    *panel = (struct panel){.witnesses = layer->voices, .rules = rules};
    for (uint32_t v = 0; v < layer->voices; v++) {
        panel->witness[v] = (struct witness){.structure = structure,
                                             .space = &layer->space,
                                             .mean = layer->voice[v].mean,
                                             .var = layer->voice[v].var,
                                             .noise = noise,
                                             .key = hash_mix(number, v),
                                             .knobs = knobs[v]};
        if (noise)
            witness_suit(&panel->witness[v]);
    }
}
