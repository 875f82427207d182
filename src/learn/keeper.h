/*
 * This is the seam of checkpoints: where a voice that is being learned is kept after every pass, and found again.
 *
 * Learning looks for what was kept before its first pass, and then makes those passes that are left. A keeper must give
 * back all of the voice, to the last bit: then the result is that of learning without a break. Ranks that learn
 * together must all recall the same pass.
 */
#ifndef VOUCH_LEARN_KEEPER_H
#define VOUCH_LEARN_KEEPER_H

#include "core/voice.h"

struct lesson_keeper {
    void *self;

    /* Sets *pass to the last pass that was kept and the voice to what it was then; 0 leaves the voice as it is. */
    bool (*recall)(void *self, struct voice *voice, uint32_t *pass, struct vouch_error *err);

    /* Keeps the voice, which it does not change, after this pass, about which the caller was told before. */
    bool (*keep)(void *self, struct voice *voice, uint32_t pass, struct vouch_error *err);
};

/* The same for a keeper that may be NULL, which keeps nothing. */
bool lesson_recall(const struct lesson_keeper *keeper, struct voice *voice, uint32_t *pass, struct vouch_error *err);
bool lesson_keep(const struct lesson_keeper *keeper, struct voice *voice, uint32_t pass, struct vouch_error *err);

#endif
