/* Builds difference vectors: see diff.h. Time: linear in the blocks touched. */
#include "core/diff.h"

#include <string.h>

bool diff_init(struct diff *diff, const struct space *space, struct vouch_error *err)
{
    *diff = (struct diff){.space = *space, .lanes = 1};
    diff->slot = new_array((size_t)space->nodes + space->edges, sizeof *diff->slot, err);
    return diff->slot != NULL;
}

void diff_release(struct diff *diff)
{
    free(diff->block);
    free(diff->coef);
    free(diff->slot);
    *diff = (struct diff){0};
}

void diff_clear(struct diff *diff, uint32_t lanes)
{
    for (size_t b = 0; b < diff->count; b++)
        diff->slot[diff->block[b].key] = 0;
    diff->count = 0;
    diff->coefs = 0;
    diff->lanes = lanes;
}

/* Returns the coefficients of the block of `key`, made if it is not there yet; NULL out of memory. */
static float *coefficients(struct diff *diff, uint32_t key, size_t at, uint32_t width, struct vouch_error *err)
{
    if (diff->slot[key])
        return diff->coef + diff->block[diff->slot[key] - 1].from;
    size_t room = (size_t)width * diff->lanes;
    if (!RESERVE(diff->block, diff->block_capacity, diff->count + 1, err) ||
        !RESERVE(diff->coef, diff->coef_capacity, diff->coefs + room, err))
        return NULL;
    float *coef = diff->coef + diff->coefs;
    memset(coef, 0, sizeof *coef * room);
    diff->block[diff->count++] = (struct block){.at = at, .from = diff->coefs, .width = width, .key = key};
    diff->coefs += room;
    diff->slot[key] = (uint32_t)diff->count;
    return coef;
}

static bool all_zero(const float *row, uint32_t width)
{
    for (uint32_t j = 0; j < width; j++)
        if (row[j] != 0)
            return false;
    return true;
}

/* The place of the blocks of one kind of rows, and the lane that they are added to. */
struct kind {
    uint32_t lane;
    uint32_t key, width; /* slot of feature 0, weights of each block */
    size_t at;           /* weights of feature 0 */
};

/* Adds row g, times its coefficients. */
static bool add_row(struct diff *diff, const struct kind *kind, const struct rows *rows, uint32_t g,
                    const float *coefficient, struct vouch_error *err)
{
    uint32_t width = kind->width;
    for (uint32_t i = rows->start[g]; i < rows->start[g + 1]; i++) {
        uint32_t f = rows->feature[i];
        float *coef = coefficients(diff, kind->key + f, kind->at + (size_t)f * width, width, err);
        if (!coef)
            return false;
        coef += (size_t)kind->lane * width;
        float value = rows->value ? rows->value[i] : 1;
        for (uint32_t j = 0; j < width; j++)
            coef[j] += value * coefficient[j];
    }
    return true;
}

bool diff_add(struct diff *diff, uint32_t lane, const struct parts *parts, const struct scores *coefficient,
              struct vouch_error *err)
{
    const struct space *space = &diff->space;
    struct kind node = {.lane = lane, .key = 0, .width = space->width, .at = 0};
    struct kind edge = {
        .lane = lane, .key = space->nodes, .width = space->width * space->width, .at = space_edge(space, 0)};
    for (uint32_t g = 0; g < parts->node.count; g++) {
        const float *row = coefficient->node + (size_t)g * node.width;
        if (all_zero(row, node.width))
            continue;
        struct rows rows = parts_rows(parts, g, g + 1);
        if (!add_row(diff, &node, &rows, 0, row, err))
            return false;
    }
    for (uint32_t e = 0; e < parts->edge.count; e++) {
        const float *row = coefficient->edge + (size_t)e * edge.width;
        if (!all_zero(row, edge.width) && !add_row(diff, &edge, &parts->edge, e, row, err))
            return false;
    }
    return true;
}

double diff_dot(const struct diff *diff, uint32_t lane, const float *weight)
{
    double sum = 0;
    for (size_t b = 0; b < diff->count; b++) {
        const struct block *block = &diff->block[b];
        const float *coef = diff_lane(diff, block, lane);
        for (uint32_t j = 0; j < block->width; j++)
            sum += (double)coef[j] * weight[block->at + j];
    }
    return sum;
}

double diff_inner(const struct diff *diff, uint32_t a, uint32_t b)
{
    double sum = 0;
    for (size_t i = 0; i < diff->count; i++) {
        const struct block *block = &diff->block[i];
        const float *left = diff_lane(diff, block, a);
        const float *right = diff_lane(diff, block, b);
        for (uint32_t j = 0; j < block->width; j++)
            sum += (double)left[j] * right[j];
    }
    return sum;
}

double diff_quadratic(const struct diff *diff, uint32_t lane, const float *weight)
{
    double sum = 0;
    for (size_t b = 0; b < diff->count; b++) {
        const struct block *block = &diff->block[b];
        const float *coef = diff_lane(diff, block, lane);
        for (uint32_t j = 0; j < block->width; j++)
            sum += (double)coef[j] * coef[j] * weight[block->at + j];
    }
    return sum;
}
