/*
 * Lanes: the scores of K drawn models at once.
 *
 * The same parts as `struct scores`, with K scores each: lane k of every part
 * is the score under draw k, so that one vector instruction serves many
 * draws. Rows of lanes are padded to a whole number of vectors; the lanes
 * beyond K hold scores like any other and are never looked at.
 */
#ifndef VOUCH_CORE_LANES_H
#define VOUCH_CORE_LANES_H

#include "base/memory.h"
#include "core/simd.h"

#include <stdint.h>

enum { LANE_STEP = 32, MAX_DRAWS = 1024 };

struct lanes {
    uint32_t N, G, width, E, edge_step; /* as in struct scores; edge_step in parts: 0 or Y*Y */
    uint32_t K;                         /* draws */
    uint32_t stride;                    /* K rounded up to LANE_STEP */
    float *node;                        /* [G][width][stride], 64-byte aligned */
    float *edge;                        /* [E][Y][Y][stride], 64-byte aligned */
    size_t node_capacity, edge_capacity;
};

/* Gives `lanes` a shape; the contents are undefined. */
bool lanes_shape(struct lanes *lanes, uint32_t N, uint32_t G, uint32_t width, uint32_t E, uint32_t K,
                 struct vouch_error *err);
void lanes_release(struct lanes *lanes);

/* K rounded up to LANE_STEP. */
static inline uint32_t lanes_stride(uint32_t K)
{
    return (K + LANE_STEP - 1) / LANE_STEP * LANE_STEP;
}

/*
 * For every lane, the first of the largest among rows `from` .. `to` - 1, where it is larger than `top`: its score
 * goes to `top`, its number to `at`. NaN is never larger.
 */
void lanes_argmax(enum simd set, const float *rows /* [..][stride] */, uint32_t from, uint32_t to, uint32_t stride,
                  float *top /* [stride] */, uint32_t *at /* [stride] */);

#endif
