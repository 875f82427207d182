/*
 * Defines the step that every additive learner takes.
 */
#ifndef VOUCH_LEARN_STEP_H
#define VOUCH_LEARN_STEP_H

#include "core/diff.h"
#include "core/voice.h"

/* Makes mean += by * lane. */
static inline void step_along(struct voice *voice, const struct diff *diff, uint32_t lane, double by)
{
    for (size_t b = 0; b < diff->count; b++) {
        const struct block *block = &diff->block[b];
        const float *coef = diff_lane(diff, block, lane);
        for (uint32_t j = 0; j < block->width; j++)
            voice_change(voice, block->at + j, (float)by * coef[j]);
    }
}

#endif
