/* A voice: see voice.h. */
#include "core/voice.h"

#include <string.h>

static float *filled(size_t count, float with, struct vouch_error *err)
{
    float *array = new_large_array(count, sizeof *array, err);
    for (size_t i = 0; array && with != 0 && i < count; i++)
        array[i] = with;
    return array;
}

bool voice_init(struct voice *voice, const struct space *space, const struct voice_needs *needs,
                struct vouch_error *err)
{
    size_t size = space_size(space);
    *voice = (struct voice){.space = *space, .size = size};
    voice->mean = filled(size + SLACK, 0, err);
    voice->late = filled(size, 0, err);
    if (needs->variance)
        voice->var = filled(size, needs->variance_start, err);
    if (needs->squares)
        voice->square = filled(size, needs->squares_start, err);
    bool ok = voice->mean && voice->late && (voice->var || !needs->variance) && (voice->square || !needs->squares);
    if (!ok)
        voice_release(voice);
    return ok;
}

void voice_release(struct voice *voice)
{
    free(voice->mean);
    free(voice->late);
    free(voice->var);
    free(voice->square);
    *voice = (struct voice){0};
}

void voice_average(const struct voice *voice, float *average)
{
    float share = voice->steps ? 1.0f / (float)voice->steps : 0;
    for (size_t i = 0; i < voice->size; i++)
        average[i] = voice->mean[i] - voice->late[i] * share;
    memset(average + voice->size, 0, sizeof *average * SLACK);
}

void voice_settle(struct voice *voice)
{
    voice_average(voice, voice->mean);
    memset(voice->late, 0, sizeof *voice->late * voice->size);
    voice->steps = 0;
    voice->now = 0;
}
