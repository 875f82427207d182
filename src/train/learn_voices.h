/*
 * Learns every voice of every layer of a corpus, layers at the same time if there are threads, from nothing or from the
 * weights of a model.
 */
#ifndef VOUCH_TRAIN_LEARN_VOICES_H
#define VOUCH_TRAIN_LEARN_VOICES_H

#include "train/checkpoint.h"
#include "train/learning.h"

/*
 * What was learned. Voices that were not begun when the watch stopped it are missing, unless the model to go on from
 * has them.
 */
struct learned_voices {
    struct layer_record {
        json_t *parameters, *dev_scores;
        bool stopped;
    } record[MAX_LAYERS]; /* what becomes of each layer, until all have been learned */
    struct watches *watches;
    struct model_layer layer[MAX_MODEL_LAYERS];
    uint32_t layers;
    struct trial trial[MAX_LAYERS][MAX_VOICES]; /* with the parameters that were chosen */
    json_t *parameters;                         /* the same, by layer and voice, as a header keeps them */
    json_t *dev_scores;                         /* of each voice, as it was kept */
    bool stopped;
};

/* Fails with VOUCH_ERR_STOPPED if it was stopped before there was anything to keep. Release in any case. */
bool learn_voices(const struct learning *learning, struct learned_voices *learned, struct vouch_error *err);

/*
 * The same in steps: after the beginning, layers may be learned on different threads; what they tell comes in their
 * order. A layer that is not begun is left out. At the end, `ok` says whether all went well, and *err why not.
 */
bool learn_voices_begin(const struct learning *learning, struct learned_voices *learned, struct vouch_error *err);
bool learn_voices_of(const struct learning *learning, struct learned_voices *learned, uint32_t layer,
                     struct vouch_error *err);
bool learn_voices_end(const struct learning *learning, struct learned_voices *learned, bool ok,
                      struct vouch_error *err);
void learned_voices_release(struct learned_voices *learned);

#endif
