/* Makes voice sets over a model: see layer_voices.h. Every voice of every layer has noise of its own. */
#include "answer/layer_voices.h"

#include "base/hash.h"
#include "learn/learn.h"
#include "chain/chain.h"
#include "tree/tree.h"

_Static_assert((int)MAX_VOICES <= (int)MAX_VOICE_VIEWS, "every voice of a layer has a view");

const struct structure *layer_structure(const struct vouch_model *model, uint32_t layer)
{
    return model->trees && layer == 0 ? &tree_structure : &chain_structure;
}

/* Whether any of the voices was learned by its likelihood. */
static bool has_probable(const struct model_layer *layer)
{
    const struct learner *learner[MAX_VOICES];
    for (uint32_t v = 0; v < layer->voices; v++)
        learner[v] = learner_named(layer->voice[v].name);
    return probable_voice(learner, layer->voices) < layer->voices;
}

void layer_voice_set(const struct model_layer *layer, uint32_t number, const struct structure *structure,
                     const struct method_params *params, const struct noise *noise, const struct span_rules *rules,
                     struct voice_set *voice_set)
{
    *voice_set = (struct voice_set){.voices = layer->voices,
                                    .rules = rules,
                                    .counts = &layer->counts,
                                    .heads = structure == &tree_structure,
                                    .draws = !has_probable(layer)};
    for (uint32_t v = 0; v < layer->voices; v++) {
        voice_set->voice[v] = (struct voice_view){.structure = structure,
                                                  .space = &layer->space,
                                                  .mean = layer->voice[v].mean,
                                                  .var = layer->voice[v].var,
                                                  .steps = layer->voice[v].steps,
                                                  .sets = layer->voice[v].sets,
                                                  .noise = noise,
                                                  .key = hash_mix(number, v),
                                                  .params = params[v]};
        if (noise)
            voice_view_suit(&voice_set->voice[v]);
    }
}
