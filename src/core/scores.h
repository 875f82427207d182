/*
 * Scores are what every decoder reads, and all that it reads.
 *
 * A chain of N words has G = N groups of width Y, "which label here?", and
 * edges between neighbours: one block of Y*Y for all positions (edge_step 0),
 * or one for each pair of neighbours (edge_step Y*Y). A tree has one group for
 * every (head, modifier) pair and no edges.
 *
 * Marginals and difference coefficients have the same shape as the scores they
 * come from, so they are `struct scores` too.
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

/* Returns the edge block between words `right - 1` and `right`, right >= 1. */
static inline const float *scores_edge(const struct scores *s, uint32_t right)
{
    return s->edge + (size_t)(right - 1) * s->edge_step;
}

#endif
