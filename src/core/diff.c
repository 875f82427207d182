/*
 * Builds difference vectors: see diff.h.
 *
 * Blocks of one weight, the features of arcs, come by the thousand and lie
 * anywhere in memory: the slots of a row are all asked for before the first is
 * read, and whether a feature is new is no branch, since it could not be
 * foreseen. Where most coefficients of a row are zero, as few of forty relations
 * are likely, only the others are added. Time: linear in the blocks touched.
 */
#include "core/diff.h"

#include <string.h>

static bool blocks_init(struct blocks *blocks, size_t features, uint32_t width, struct vouch_error *err)
{
    blocks->width = width;
    blocks->stride = width == 1 ? 1 : (width + DIFF_STEP - 1) / DIFF_STEP * DIFF_STEP;
    blocks->slot = new_large_array(features, sizeof *blocks->slot, err);
    return blocks->slot != NULL;
}

bool diff_init(struct diff *diff, const struct space *space, struct vouch_error *err)
{
    *diff = (struct diff){.lanes = 1};
    diff->kind[1].at = space_edge(space, 0);
    diff->some = new_array((size_t)space->width * (space->edges ? space->width : 1), sizeof *diff->some, err);
    if (diff->some && blocks_init(&diff->kind[0], space->nodes, space->width, err) &&
        blocks_init(&diff->kind[1], space->edges, space->width * space->width, err))
        return true;
    diff_release(diff);
    return false;
}

void diff_release(struct diff *diff)
{
    for (size_t i = 0; i < 2; i++) {
        free(diff->kind[i].feature);
        free(diff->kind[i].coef);
        free(diff->kind[i].slot);
    }
    free(diff->some);
    *diff = (struct diff){0};
}

void diff_clear(struct diff *diff, uint32_t lanes)
{
    for (size_t i = 0; i < 2; i++) {
        struct blocks *blocks = &diff->kind[i];
        for (uint32_t b = 0; b < blocks->count; b++)
            blocks->slot[blocks->feature[b]] = 0;
        blocks->count = 0;
    }
    diff->lanes = lanes;
}

/* A row to be added to a lane. */
struct addend {
    const struct rows *rows;
    uint32_t g; /* its number in `rows` */
    uint32_t lane;
    const float *coefficient; /* [width] */
    uint32_t *some;           /* [some_count] those that are not zero */
    uint32_t some_count;
};

static inline float value_of(const struct rows *rows, uint32_t i)
{
    return rows->value ? rows->value[i] : 1;
}

/* Adds a row of features of one weight each. There is room for all of them. */
static void add_singles(struct blocks *blocks, uint32_t lanes, const struct addend *row)
{
    uint32_t from = row->rows->start[row->g], to = row->rows->start[row->g + 1], count = blocks->count;
    const uint32_t *feature = row->rows->feature;
    float *coef = blocks->coef + row->lane;
    for (uint32_t i = from; i < to; i++)
        __builtin_prefetch(blocks->slot + feature[i], 1);
    memset(blocks->coef + (size_t)count * lanes, 0, sizeof *blocks->coef * lanes * (to - from));
    for (uint32_t i = from; i < to; i++) {
        uint32_t f = feature[i], slot = blocks->slot[f], b = slot ? slot - 1 : count;
        blocks->slot[f] = b + 1;
        blocks->feature[b] = f;
        coef[(size_t)b * lanes] += value_of(row->rows, i) * row->coefficient[0];
        count += !slot;
    }
    blocks->count = count;
}

/* Returns the coefficients of a feature's block, in all lanes, made if it is not there yet. */
static float *find_block(struct blocks *blocks, uint32_t lanes, uint32_t feature)
{
    size_t room = (size_t)lanes * blocks->stride;
    uint32_t *slot = &blocks->slot[feature];
    if (!*slot) {
        memset(blocks->coef + blocks->count * room, 0, sizeof *blocks->coef * room);
        blocks->feature[blocks->count++] = feature;
        *slot = blocks->count;
    }
    return blocks->coef + (*slot - 1) * room;
}

static void add_blocks(struct blocks *blocks, uint32_t lanes, const struct addend *row)
{
    const struct rows *rows = row->rows;
    bool sparse = row->some_count < blocks->width / DIFF_STEP;
    for (uint32_t i = rows->start[row->g]; i < rows->start[row->g + 1]; i++) {
        float *coef = find_block(blocks, lanes, rows->feature[i]) + (size_t)row->lane * blocks->stride;
        float value = value_of(rows, i);
        for (uint32_t k = 0; sparse && k < row->some_count; k++)
            coef[row->some[k]] += value * row->coefficient[row->some[k]];
        for (uint32_t j = 0; !sparse && j < blocks->width; j++)
            coef[j] += value * row->coefficient[j];
    }
}

/* Adds a row that is not zero. */
static bool add_row(struct blocks *blocks, uint32_t lanes, const struct addend *row, struct vouch_error *err)
{
    size_t most = (size_t)blocks->count + row->rows->start[row->g + 1] - row->rows->start[row->g];
    if (!RESERVE(blocks->feature, blocks->feature_capacity, most, err) ||
        !RESERVE(blocks->coef, blocks->coef_capacity, most * lanes * blocks->stride, err))
        return false;
    (blocks->width == 1 ? add_singles : add_blocks)(blocks, lanes, row);
    return true;
}

/* Lists the coefficients that are not zero. */
static uint32_t list_some(const float *coefficient, uint32_t width, uint32_t *some)
{
    uint32_t count = 0;
    for (uint32_t j = 0; j < width; j++) {
        some[count] = j;
        count += coefficient[j] != 0;
    }
    return count;
}

bool diff_add(struct diff *diff, uint32_t lane, const struct parts *parts, const struct scores *coefficient,
              struct vouch_error *err)
{
    struct addend row = {.lane = lane, .some = diff->some};
    for (uint32_t g = 0; g < parts->node.count; g++) {
        row.coefficient = coefficient->node + (size_t)g * diff->kind[0].width;
        row.some_count = list_some(row.coefficient, diff->kind[0].width, row.some);
        if (!row.some_count)
            continue;
        struct rows rows = parts_rows(parts, g, g + 1);
        row.rows = &rows;
        if (!add_row(&diff->kind[0], diff->lanes, &row, err))
            return false;
    }
    for (row.rows = &parts->edge, row.g = 0; row.g < parts->edge.count; row.g++) {
        if (parts->edge.start[row.g] == parts->edge.start[row.g + 1])
            continue; /* no features of edges, no room in `some` for the coefficients of such rows */
        row.coefficient = coefficient->edge + (size_t)row.g * diff->kind[1].width;
        row.some_count = list_some(row.coefficient, diff->kind[1].width, row.some);
        if (row.some_count && !add_row(&diff->kind[1], diff->lanes, &row, err))
            return false;
    }
    return true;
}

double diff_dot(const struct diff *diff, uint32_t lane, const float *weight)
{
    double sum = 0;
    FOR_BLOCKS(diff, blocks, b)
    {
        const float *coef = block_lane(diff, blocks, b, lane), *at = weight + block_at(blocks, b);
        for (uint32_t j = 0; j < blocks->width; j++)
            sum += (double)coef[j] * at[j];
    }
    return sum;
}

double diff_inner(const struct diff *diff, uint32_t a, uint32_t b)
{
    double sum = 0;
    FOR_BLOCKS(diff, blocks, i)
    {
        const float *left = block_lane(diff, blocks, i, a), *right = block_lane(diff, blocks, i, b);
        for (uint32_t j = 0; j < blocks->width; j++)
            sum += (double)left[j] * right[j];
    }
    return sum;
}

size_t diff_entries(const struct diff *diff, uint32_t lane, struct entry *list)
{
    size_t count = 0;
    FOR_BLOCKS(diff, blocks, b)
    {
        const float *coef = block_lane(diff, blocks, b, lane);
        uint32_t step = blocks->width == 1 ? 1 : DIFF_STEP;
        size_t at = block_at(blocks, b);
        for (uint32_t from = 0; from < blocks->stride; from += step)
            for (uint32_t j = from; j < from + step && (step == 1 || any_in_step(coef + from)); j++) {
                list[count] = (struct entry){at + j, coef[j]};
                count += coef[j] != 0;
            }
    }
    return count;
}
