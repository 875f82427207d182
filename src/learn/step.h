/*
 * Defines the step that every additive learner takes.
 */
#ifndef VOUCH_LEARN_STEP_H
#define VOUCH_LEARN_STEP_H

#include "core/diff.h"
#include "core/voice.h"

/* Makes mean += by * list. */
static inline void step_along(struct voice *voice, const struct entry *entry, size_t count, double by)
{
    for (size_t i = 0; i < count; i++)
        voice_change(voice, entry[i].at, (float)by * entry[i].coef);
}

#endif
