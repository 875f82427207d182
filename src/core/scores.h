/*
 * Scores are what every decoder reads, and all that it reads.
 *
 * A chain of N words has G = N groups of width Y, "which label here?", and edges between neighbours: one block of Y*Y
 * for all positions (edge_step 0), or one for each pair of neighbours (edge_step Y*Y). A tree has one group for every
 * (head, modifier) pair and no edges.
 *
 * Marginals and difference coefficients have the same shape as the scores they come from, so they are `struct scores`
 * too.
 */
#ifndef VOUCH_CORE_SCORES_H
#define VOUCH_CORE_SCORES_H

#include "base/memory.h"

#include <stdint.h>

struct scores {
    uint32_t N;         /* words */
    uint32_t G;         /* groups */
    uint32_t width;     /* scores in a group: Y for chains, R for trees */
    uint32_t E;         /* edge blocks: 0, 1 (shared by all positions) or N - 1 */
    uint32_t edge_step; /* from one position's edge block to the next: 0 or Y*Y */
    float *node;        /* [G][width] */
    float *edge;        /* [E][Y][Y], from the left label to the right one */
    size_t node_capacity, edge_capacity;
};

/* The rows of parts in which two choices differ, in order. */
struct contrast {
    uint32_t *node; /* [nodes] groups; at most two for each word */
    uint32_t *edge; /* [edges] edge blocks; at most one for each word */
    uint32_t nodes, edges;
};

/* Gives `scores` a shape; the contents are undefined. */
bool scores_shape(struct scores *scores, uint32_t N, uint32_t G, uint32_t width, uint32_t E, struct vouch_error *err);

/* Gives `scores` the shape of `like`, all zero. */
bool scores_zero_like(struct scores *scores, const struct scores *like, struct vouch_error *err);

/* Makes `scores` a copy of `from`. */
bool scores_copy(struct scores *scores, const struct scores *from, struct vouch_error *err);

void scores_release(struct scores *scores);

/*
 * Rules out every answer that contradicts what is known: -inf for all other choices of a known word. known [N] has
 * choices, or OPEN_CHOICE (core/sentence.h) for a word of which nothing is known. Every decoder then gives what holds
 * among the other answers, and need not know of it. O(G * width).
 */
void scores_rule_out(struct scores *scores, const uint32_t *known);

/* Returns the edge block between words `right - 1` and `right`, right >= 1. */
static inline const float *scores_edge(const struct scores *s, uint32_t right)
{
    return s->edge + (size_t)(right - 1) * s->edge_step;
}

/*
 * Score sets are scores that another model gave to one sentence, once or K times (an ensemble, passes of dropout).
 *
 * The answer is that of the mean of the sets: it is better than any one of them on average, and does not depend on
 * their order beyond rounding. A part that is impossible (-inf) in one set is impossible in the mean, so that an answer
 * which is possible in the mean is possible in every set. The sets themselves are K models drawn elsewhere, and vote as
 * drawn models do.
 */
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
