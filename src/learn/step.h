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
    FOR_BLOCKS(diff, blocks, b)
    {
        const float *coef = block_lane(diff, blocks, b, lane);
        size_t at = block_at(blocks, b);
        for (uint32_t j = 0; j < blocks->width; j++)
            voice_change(voice, at + j, (float)by * coef[j]);
    }
}

#endif
