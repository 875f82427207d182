/*
 * Memory of lanes, and the best row of each lane.
 *
 * Groups that are kept already are not computed again; others overwrite them in the same memory. The decoder chooses
 * how many by their bytes (lanes_at_a_time()), so that memory does not grow with the sentence.
 */
#include "core/lanes.h"

/* Makes room for so many groups and edges. */
static bool make_room(struct lanes *lanes, size_t groups, size_t edges, struct vouch_error *err)
{
    size_t width = lanes->width;
    if (__builtin_mul_overflow(groups, width * lanes->stride, &groups) ||
        __builtin_mul_overflow(edges, width * width * lanes->stride, &edges))
        return fail_memory(err);
    return RESERVE_ALIGNED(lanes->node, lanes->node_capacity, groups, err) &&
           RESERVE_ALIGNED(lanes->edge, lanes->edge_capacity, edges, err);
}

bool lanes_shape(struct lanes *lanes, const struct lanes *shape, struct vouch_error *err)
{
    struct lanes room = *lanes;
    *lanes = *shape;
    lanes->node = room.node;
    lanes->edge = room.edge;
    lanes->node_capacity = room.node_capacity;
    lanes->edge_capacity = room.edge_capacity;
    lanes->at_a_time = room.at_a_time;
    lanes->from = lanes->base = 0;
    lanes->to = shape->fill ? 0 : shape->G;
    lanes->stride = lanes_stride(shape->K);
    lanes->edge_step = shape->E > 1 ? shape->width * shape->width : 0;
    if (shape->K == 0 || shape->K > MAX_DRAWS)
        return fail(err, VOUCH_ERR_ARGUMENT, "%u draws, expected 1 to %d", (unsigned)shape->K, MAX_DRAWS);
    return make_room(lanes, lanes->to, shape->fill ? shape->E == 1 : shape->E, err);
}

bool lanes_bring(struct lanes *lanes, uint32_t from, uint32_t to, struct vouch_error *err)
{
    if (lanes->from <= from && to <= lanes->to)
        return true;
    if (!make_room(lanes, to - from, lanes->E > 1 ? to - from : lanes->E, err))
        return false;
    lanes->from = from;
    lanes->to = to;
    if (lanes->fill(lanes, lanes->filler, err))
        return true;
    lanes->from = lanes->to = 0;
    return false;
}

void lanes_narrow(struct lanes *lanes, uint32_t from, uint32_t to)
{
    lanes->base = from;
    lanes->N = to - from;
    lanes->from = lanes->to = 0;
}

uint32_t lanes_at_a_time(const struct lanes *lanes, uint32_t groups, size_t bytes)
{
    size_t parts = ((size_t)lanes->width + lanes->edge_step) * groups, word = parts * lanes->stride * sizeof(float);
    size_t count = lanes->at_a_time ? lanes->at_a_time : bytes / (word ? word : 1);
    return count == 0 ? 1 : count < lanes->N ? (uint32_t)count : lanes->N;
}

void lanes_release(struct lanes *lanes)
{
    free(lanes->node);
    free(lanes->edge);
    *lanes = (struct lanes){0};
}

/* Takes four rows at once: the best so far is read and written once for all of them. */
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

void lanes_argmax(const struct lane_rows *rows, float *top, uint32_t *at)
{
    argmax_for[simd_best()](rows->row, rows->from, rows->to, rows->stride, top, at);
}
