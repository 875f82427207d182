/*
 * Score sets are scores that another model gave to one sentence, once or K
 * times (an ensemble, passes of dropout).
 *
 * The answer is that of the mean of the sets: it is better than any one of them
 * on average, and does not depend on their order beyond rounding. A part that
 * is impossible (-inf) in one set is impossible in the mean, so that an answer
 * which is possible in the mean is possible in every set. The sets themselves
 * are K models drawn elsewhere, and vote as drawn models do.
 */
#ifndef VOUCH_CORE_SCORE_SETS_H
#define VOUCH_CORE_SCORE_SETS_H

#include "core/scores.h"

struct score_sets {
    uint32_t sets;      /* K */
    struct scores mean; /* the sentence's scores if there is one set */
    struct scores *set; /* [sets] if there are several, all of the mean's shape; else NULL */
};

/* Makes an object for `sets` sets, which is empty at first. Release in any case. */
bool score_sets_init(struct score_sets *sets, uint32_t count, struct vouch_error *err);
void score_sets_release(struct score_sets *sets);

/* Gives all of them one shape, as scores_shape() does; to be filled in with score_sets_at(). */
bool score_sets_shape(struct score_sets *sets, uint32_t N, uint32_t G, uint32_t width, uint32_t E,
                      struct vouch_error *err);

/* Returns where the scores of set k go. */
static inline struct scores *score_sets_at(struct score_sets *sets, uint32_t k)
{
    return sets->set ? &sets->set[k] : &sets->mean;
}

/* The scores of many sentences. Zero it before first use. */
struct score_list {
    struct score_sets *sentence; /* [count]; NULL: none */
    uint32_t count;
    size_t capacity;
};
void score_list_release(struct score_list *list);

/* Computes the mean once all sets are filled in. O(K) for each score. */
void score_sets_average(struct score_sets *sets);

#endif
