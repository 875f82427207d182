/*
 * Memory of voices, their averages, and voices that continue from the weights of a model.
 *
 * The weights of a model are copied block by block, since it may have fewer features and narrower blocks than the voice
 * that continues from it. The steps are then counted from 0: only what is learned from there on is averaged.
 */
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
    voice->late = filled(size + SLACK, 0, err);
    if (needs->variance)
        voice->var = filled(size + SLACK, needs->variance_start, err);
    if (needs->squares)
        voice->square = filled(size + SLACK, needs->squares_start, err);
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

static float *copied(const float *from, size_t count, struct vouch_error *err)
{
    float *array = from ? new_block(sizeof *array * count, err) : NULL;
    if (array)
        memcpy(array, from, sizeof *array * count);
    return array;
}

bool voice_go_on(struct voice *voice, const struct voice *from, struct vouch_error *err)
{
    *voice = (struct voice){.space = from->space, .size = from->size};
    voice->mean = copied(from->mean, from->size + SLACK, err);
    voice->late = filled(from->size + SLACK, 0, err);
    voice->var = copied(from->var, from->size + SLACK, err);
    voice->square = copied(from->square, from->size + SLACK, err);
    bool ok = voice->mean && voice->late && (voice->var || !from->var) && (voice->square || !from->square);
    if (!ok)
        voice_release(voice);
    return ok;
}

void voice_restart(struct voice *voice)
{
    memset(voice->late, 0, sizeof *voice->late * voice->size);
    voice->steps = 0;
    voice->now = 0;
}

void voice_average(const struct voice *voice, float *average)
{
    float share = voice->steps ? 1.0f / (float)voice->steps : 0;
    for (size_t i = 0; i < voice->size; i++)
        average[i] = voice->mean[i] - voice->late[i] * share;
    memset(average + voice->size, 0, sizeof *average * SLACK);
}

/* Copies the blocks of every feature: its weights lie together, but blocks may have become wider. */
static void lay_out(const struct space *from, const float *weight, const struct space *to, float *into)
{
    for (uint32_t f = 0; f < from->nodes; f++)
        memcpy(into + space_node(to, f), weight + space_node(from, f), sizeof *into * from->width);
    for (uint32_t f = 0; f < from->edges; f++)
        for (size_t left = 0; left < from->width; left++)
            memcpy(into + space_edge(to, f) + left * to->width, weight + space_edge(from, f) + left * from->width,
                   sizeof *into * from->width);
}

void voice_recall(struct voice *voice, const struct space *from, const float *mean, const float *var)
{
    lay_out(from, mean, &voice->space, voice->mean);
    if (var && voice->var)
        lay_out(from, var, &voice->space, voice->var);
    voice_restart(voice);
}

void voice_settle(struct voice *voice)
{
    voice_average(voice, voice->mean);
    voice_restart(voice);
}
