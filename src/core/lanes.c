/* Lanes: see lanes.h. */
#include "core/lanes.h"

bool lanes_shape(struct lanes *lanes, uint32_t N, uint32_t G, uint32_t width, uint32_t E, uint32_t K,
                 struct vouch_error *err)
{
    if (K == 0 || K > MAX_DRAWS)
        return fail(err, VOUCH_ERR_ARGUMENT, "%u draws, expected 1 to %d", (unsigned)K, MAX_DRAWS);
    size_t square = (size_t)width * width, stride = lanes_stride(K), nodes, edges;
    if (__builtin_mul_overflow((size_t)G, width * stride, &nodes) ||
        __builtin_mul_overflow((size_t)E, square * stride, &edges))
        return fail_memory(err);
    lanes->N = N;
    lanes->G = G;
    lanes->width = width;
    lanes->E = E;
    lanes->edge_step = E > 1 ? (uint32_t)square : 0;
    lanes->K = K;
    lanes->stride = (uint32_t)stride;
    if (!RESERVE_ALIGNED(lanes->node, lanes->node_capacity, nodes, err) ||
        !RESERVE_ALIGNED(lanes->edge, lanes->edge_capacity, edges, err))
        return false;
    return true;
}

void lanes_release(struct lanes *lanes)
{
    free(lanes->node);
    free(lanes->edge);
    *lanes = (struct lanes){0};
}

/* Four rows at once: the best so far is read and written once for all of them. */
SIMD_BODY void take_four(const float *restrict rows, uint32_t number, size_t stride, float *restrict top,
                         uint32_t *restrict at)
{
    for (size_t k = 0; k < LANE_STEP; k++) {
        float best = top[k];
        uint32_t which = at[k];
        for (uint32_t i = 0; i < 4; i++) {
            float score = rows[i * stride + k];
            which = score > best ? number + i : which;
            best = score > best ? score : best;
        }
        top[k] = best;
        at[k] = which;
    }
}

SIMD_BODY void take_one(const float *restrict row, uint32_t number, float *restrict top, uint32_t *restrict at)
{
    for (size_t k = 0; k < LANE_STEP; k++) {
        at[k] = row[k] > top[k] ? number : at[k];
        top[k] = row[k] > top[k] ? row[k] : top[k];
    }
}

SIMD_BODY void argmax(const float *rows, uint32_t from, uint32_t to, size_t stride, float *top, uint32_t *at)
{
    for (size_t b = 0; b < stride; b += LANE_STEP) {
        uint32_t i = from;
        for (; i < to && to - i >= 4; i += 4)
            take_four(rows + i * stride + b, i, stride, top + b, at + b);
        for (; i < to; i++)
            take_one(rows + i * stride + b, i, top + b, at + b);
    }
}

SIMD_KERNEL(argmax, (const float *rows, uint32_t from, uint32_t to, size_t stride, float *top, uint32_t *at),
            (rows, from, to, stride, top, at))

void lanes_argmax(enum simd set, const float *rows, uint32_t from, uint32_t to, uint32_t stride, float *top,
                  uint32_t *at)
{
    argmax_for[set](rows, from, to, stride, top, at);
}
