/*
 * A voice is a weight vector over the parts, as it is being learned.
 *
 * Averaging is lazy and costs one more addition for each update. With T steps
 * done, a change of d at step t is in the weights of steps t .. T, hence
 *
 *     average = mean - (1/T) * sum over changes of (t - 1) * d
 *
 * and `late` collects that sum. (Daume 2006 describes the trick.) Steps are
 * counted in float: beyond 2^24 of them the average's weights are rounded.
 */
#ifndef VOUCH_CORE_VOICE_H
#define VOUCH_CORE_VOICE_H

#include "core/parts.h"

struct voice {
    struct space space;
    size_t size;    /* space_size(), without the slack */
    float *mean;    /* [size + SLACK] */
    float *late;    /* [size + SLACK] the sum above */
    float *var;     /* [size + SLACK] variance of each weight, or NULL */
    float *square;  /* [size + SLACK] sum of squared gradients, or NULL */
    uint64_t steps; /* T */
    float now;      /* t - 1 of the current step */
};

struct voice_needs {
    bool variance; /* starts at `variance_start` */
    bool squares;  /* start at `squares_start` */
    float variance_start, squares_start;
};

bool voice_init(struct voice *voice, const struct space *space, const struct voice_needs *needs,
                struct vouch_error *err);
void voice_release(struct voice *voice);

/* Makes a voice that continues from the present weights of another, not from their average; averaging starts anew. */
bool voice_go_on(struct voice *voice, const struct voice *from, struct vouch_error *err);

/* Forgets the steps so far: averaging starts anew, from the present weights. */
void voice_restart(struct voice *voice);

/*
 * Replaces its weights by stored ones, and its variances, if it keeps any and `var` is not NULL. They are laid out as
 * in `from`, whose labels and features, no more than the voice's own, have the same numbers here. New weights stay as
 * they were, and averaging begins with the stored ones.
 */
void voice_recall(struct voice *voice, const struct space *from, const float *mean, const float *var);

/* Opens the next step: every change until the next call belongs to it. */
static inline void voice_tick(struct voice *voice)
{
    voice->now = (float)voice->steps++;
}

static inline void voice_change(struct voice *voice, size_t at, float by)
{
    voice->mean[at] += by;
    voice->late[at] += voice->now * by;
}

/* Computes the averaged weights, slack included, in `average` [size + SLACK]. */
void voice_average(const struct voice *voice, float *average);

/* Replaces the weights by their average, and restarts averaging from there. */
void voice_settle(struct voice *voice);

#endif
