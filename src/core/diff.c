/*
 * Builds difference vectors, their inner products and lists of their coefficients.
 *
 * Blocks of one weight, the features of arcs, come by the thousand and lie anywhere in memory: the slots of a row are
 * all prefetched before the first is read, and whether a feature is new is computed without a branch, which the
 * processor could not predict. Where most coefficients of a row are zero, as few of forty relations are likely, only
 * the others are added.
 *
 * Of wider blocks most have a feature that one row alone has, once and with the value 1: their coefficients are the
 * row's, and are kept once for all of them. A block gets coefficients of its own when another row adds to it. Time:
 * linear in the blocks touched.
 *
 * Dense features (dense.h) are the first blocks, in their order, as soon as a row is added: their coefficients are one
 * array, to which every row adds a product of its vectors and its coefficients.
 */
#include "core/diff.h"

#include <string.h>

#define NO_ROW UINT32_MAX

static bool blocks_init(struct blocks *blocks, size_t features, uint32_t width, struct vouch_error *err)
{
    blocks->width = width;
    blocks->stride = width == 1 ? 1 : (width + DIFF_STEP - 1) / DIFF_STEP * DIFF_STEP;
    blocks->words = width == 1 ? 0 : (width + 63) / 64;
    blocks->slot = new_large_array(features, sizeof *blocks->slot, err);
    return blocks->slot != NULL;
}

bool diff_init(struct diff *diff, const struct space *space, struct vouch_error *err)
{
    *diff = (struct diff){.lanes = 1};
    diff->kind[1].at = space_edge(space, 0);
    size_t most = (size_t)space->width * (space->edges ? space->width : 1);
    diff->mask = new_array((most + 63) / 64, sizeof *diff->mask, err);
    diff->padded = new_array((size_t)space->width + DIFF_STEP, sizeof *diff->padded, err);
    if (diff->mask && diff->padded && blocks_init(&diff->kind[0], space->nodes, space->width, err) &&
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
        free(diff->kind[i].mask);
        free(diff->kind[i].vector);
        free(diff->kind[i].owner);
        free(diff->kind[i].of_row);
        free(diff->kind[i].slot);
    }
    free(diff->mask);
    free(diff->padded);
    *diff = (struct diff){0};
}

void diff_clear(struct diff *diff, uint32_t lanes)
{
    for (size_t i = 0; i < 2; i++) {
        struct blocks *blocks = &diff->kind[i];
        for (uint32_t b = 0; b < blocks->count; b++)
            blocks->slot[blocks->feature[b]] = 0;
        for (uint32_t v = 0; v < blocks->vectors; v++)
            if (blocks->owner[v] != NO_ROW)
                blocks->of_row[blocks->owner[v]] = 0;
        blocks->count = blocks->vectors = 0;
    }
    diff->lanes = lanes;
}

/* A row to be added to a lane. */
struct addend {
    const struct rows *rows;
    uint32_t g;    /* its number in `rows` */
    uint32_t name; /* its number in the sentence */
    uint32_t lane;
    const float *coefficient; /* [width] */
    uint64_t *mask;           /* those that are not zero */
    bool sparse;              /* they are few */
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

/* Makes coefficients for all lanes: those of another, or zeros if `like` is NO_ROW. */
static uint32_t new_vector(struct blocks *blocks, uint32_t lanes, uint32_t like)
{
    size_t room = (size_t)lanes * blocks->stride, words = (size_t)lanes * blocks->words;
    uint32_t v = blocks->vectors++;
    float *coef = blocks->coef + v * room;
    uint64_t *mask = blocks->mask + v * words;
    if (like == NO_ROW) {
        memset(coef, 0, sizeof *coef * room);
        memset(mask, 0, sizeof *mask * words);
    } else {
        memcpy(coef, blocks->coef + like * room, sizeof *coef * room);
        memcpy(mask, blocks->mask + like * words, sizeof *mask * words);
    }
    blocks->owner[v] = NO_ROW;
    return v;
}

static void add_to_vector(struct blocks *blocks, uint32_t lanes, uint32_t v, const struct addend *row, float value)
{
    size_t at = (size_t)v * lanes + row->lane;
    float *coef = blocks->coef + at * blocks->stride;
    uint64_t *mask = blocks->mask + at * blocks->words;
    for (uint32_t w = 0; w < blocks->words; w++) {
        mask[w] |= row->mask[w];
        for (uint64_t some = row->sparse ? row->mask[w] : 0; some; some &= some - 1) {
            size_t j = w * 64 + (size_t)__builtin_ctzll(some);
            coef[j] += value * row->coefficient[j];
        }
    }
    for (uint32_t j = 0; !row->sparse && j < blocks->width; j++)
        coef[j] += value * row->coefficient[j];
}

static void add_block(struct blocks *blocks, uint32_t feature, uint32_t vector)
{
    blocks->feature[blocks->count] = feature;
    blocks->vector[blocks->count] = vector;
    blocks->slot[feature] = ++blocks->count;
}

/* Adds a row whose features have values. */
static void add_values(struct blocks *blocks, uint32_t lanes, const struct addend *row)
{
    const struct rows *rows = row->rows;
    for (uint32_t i = rows->start[row->g]; i < rows->start[row->g + 1]; i++) {
        if (!blocks->slot[rows->feature[i]])
            add_block(blocks, rows->feature[i], new_vector(blocks, lanes, NO_ROW));
        add_to_vector(blocks, lanes, blocks->vector[blocks->slot[rows->feature[i]] - 1], row, rows->value[i]);
    }
}

/* Adds a row to its own coefficients, and to those of the blocks that do not share them. */
static void add_shared(struct blocks *blocks, uint32_t lanes, const struct addend *row)
{
    bool first = !blocks->of_row[row->name];
    if (first) {
        blocks->of_row[row->name] = 1 + new_vector(blocks, lanes, NO_ROW);
        blocks->owner[blocks->of_row[row->name] - 1] = row->name;
    }
    uint32_t shared = blocks->of_row[row->name] - 1;
    add_to_vector(blocks, lanes, shared, row, 1);
    for (uint32_t i = row->rows->start[row->g]; i < row->rows->start[row->g + 1]; i++) {
        uint32_t feature = row->rows->feature[i], slot = blocks->slot[feature];
        if (!slot) {
            add_block(blocks, feature, shared);
            continue;
        }
        uint32_t *vector = &blocks->vector[slot - 1];
        if (*vector == shared && !first)
            continue; /* it was added above; in the row's first lane the feature occurs again */
        if (blocks->owner[*vector] != NO_ROW)
            *vector = new_vector(blocks, lanes, *vector);
        add_to_vector(blocks, lanes, *vector, row, 1);
    }
}

/* Makes room for a row, all of whose features may be new. */
static bool reserve_row(struct blocks *blocks, uint32_t lanes, const struct addend *row, struct vouch_error *err)
{
    size_t features = row->rows->start[row->g + 1] - row->rows->start[row->g];
    size_t most = blocks->count + features, vectors = blocks->vectors + features + 1;
    if (!RESERVE(blocks->feature, blocks->feature_capacity, most, err))
        return false;
    if (blocks->width == 1)
        return RESERVE(blocks->coef, blocks->coef_capacity, most * lanes, err);
    size_t rows = blocks->row_capacity;
    if (!RESERVE(blocks->of_row, blocks->row_capacity, (size_t)row->name + 1, err))
        return false;
    memset(blocks->of_row + rows, 0, (blocks->row_capacity - rows) * sizeof *blocks->of_row);
    return RESERVE(blocks->vector, blocks->vector_capacity, most, err) &&
           RESERVE(blocks->owner, blocks->owner_capacity, vectors, err) &&
           RESERVE(blocks->coef, blocks->coef_capacity, vectors * lanes * blocks->stride, err) &&
           RESERVE(blocks->mask, blocks->mask_capacity, vectors * lanes * blocks->words, err);
}

/* Adds a row that is not zero. */
static bool add_row(struct blocks *blocks, uint32_t lanes, const struct addend *row, struct vouch_error *err)
{
    if (!reserve_row(blocks, lanes, row, err))
        return false;
    if (blocks->width == 1)
        add_singles(blocks, lanes, row);
    else if (row->rows->value)
        add_values(blocks, lanes, row);
    else
        add_shared(blocks, lanes, row);
    return true;
}

/* Makes the blocks of dense features, whose coefficients are zero. There are no others. */
static bool begin_dense(struct blocks *blocks, uint32_t lanes, uint32_t features, struct vouch_error *err)
{
    size_t coefs = (size_t)features * lanes * blocks->stride, masks = (size_t)features * lanes * blocks->words;
    if (!RESERVE(blocks->feature, blocks->feature_capacity, features, err) ||
        !RESERVE(blocks->vector, blocks->vector_capacity, features, err) ||
        !RESERVE(blocks->owner, blocks->owner_capacity, features, err) ||
        !RESERVE(blocks->coef, blocks->coef_capacity, coefs, err) ||
        !RESERVE(blocks->mask, blocks->mask_capacity, masks + 1, err))
        return false;
    memset(blocks->coef, 0, sizeof *blocks->coef * coefs);
    memset(blocks->mask, 0, sizeof *blocks->mask * masks);
    for (uint32_t f = 0; f < features; f++) {
        blocks->feature[f] = blocks->vector[f] = f;
        blocks->owner[f] = NO_ROW;
        blocks->slot[f] = f + 1;
    }
    blocks->count = features;
    blocks->vectors = blocks->width == 1 ? 0 : features;
    return true;
}

/* Adds a row's vectors times its coefficients. */
static void add_dense(struct diff *diff, const struct parts *parts, const struct addend *row)
{
    struct blocks *blocks = &diff->kind[0];
    const struct dense *dense = &parts->dense;
    memcpy(diff->padded, row->coefficient, sizeof *diff->padded * blocks->width);
    memset(diff->padded + blocks->width, 0, sizeof *diff->padded * (blocks->stride - blocks->width));
    for (uint32_t place = 0; place <= 2 * dense->window; place++) {
        const float *vector = dense_vector(dense, parts->N, row->name, place);
        size_t at = (size_t)place * dense->D * diff->lanes + row->lane;
        if (!vector)
            continue;
        dense_outer(&(struct dense_outer){blocks->coef + at * blocks->stride, (size_t)diff->lanes * blocks->stride,
                                          blocks->stride, dense->D, vector, diff->padded});
        uint64_t *mask = blocks->mask + at * blocks->words;
        for (uint32_t d = 0; d < dense->D; d++, mask += (size_t)diff->lanes * blocks->words)
            for (uint32_t w = 0; w < blocks->words; w++)
                mask[w] |= row->mask[w];
    }
}

/* Notes which coefficients of a row are not zero; false if all are. */
static bool note_some(struct addend *row, uint32_t width)
{
    uint32_t count = 0;
    for (uint32_t from = 0; from < width; from += 64) {
        uint32_t many = width - from < 64 ? width - from : 64;
        uint64_t mask = 0;
        for (uint32_t j = 0; j < many; j++) {
            uint64_t some = row->coefficient[from + j] != 0;
            mask |= some << j;
            count += (uint32_t)some;
        }
        row->mask[from / 64] = mask;
    }
    row->sparse = count < width / DIFF_STEP;
    return count > 0;
}

/* Adds row g of the sentence; those of zeros, and of no features, are left out. */
static bool add_node_row(struct diff *diff, uint32_t lane, const struct parts *parts, uint32_t g,
                         const struct scores *coefficient, struct vouch_error *err)
{
    uint32_t width = diff->kind[0].width;
    struct addend row = {
        .lane = lane, .name = g, .mask = diff->mask, .coefficient = coefficient->node + (size_t)g * width};
    if (!note_some(&row, width))
        return true;
    struct rows rows = parts_rows(parts, g, g + 1);
    row.rows = &rows;
    if (parts->dense.D) {
        if (diff->kind[0].count == 0 && !begin_dense(&diff->kind[0], diff->lanes, dense_features(&parts->dense), err))
            return false;
        add_dense(diff, parts, &row);
    }
    return add_row(&diff->kind[0], diff->lanes, &row, err);
}

static bool add_edge_row(struct diff *diff, uint32_t lane, const struct parts *parts, uint32_t g,
                         const struct scores *coefficient, struct vouch_error *err)
{
    uint32_t width = diff->kind[1].width;
    struct addend row = {.lane = lane,
                         .name = g,
                         .g = g,
                         .rows = &parts->edge,
                         .mask = diff->mask,
                         .coefficient = coefficient->edge + (size_t)g * width};
    if (parts->edge.start[g] == parts->edge.start[g + 1])
        return true; /* no features of edges, no room in `mask` for the coefficients of such rows */
    return !note_some(&row, width) || add_row(&diff->kind[1], diff->lanes, &row, err);
}

bool diff_add(struct diff *diff, uint32_t lane, const struct parts *parts, const struct scores *coefficient,
              struct vouch_error *err)
{
    bool ok = true;
    for (uint32_t g = 0; ok && g < parts->node.count; g++)
        ok = add_node_row(diff, lane, parts, g, coefficient, err);
    for (uint32_t g = 0; ok && g < parts->edge.count; g++)
        ok = add_edge_row(diff, lane, parts, g, coefficient, err);
    return ok;
}

bool diff_add_some(struct diff *diff, uint32_t lane, const struct parts *parts, const struct scores *coefficient,
                   const struct contrast *rows, struct vouch_error *err)
{
    bool ok = true;
    for (uint32_t i = 0; ok && i < rows->nodes; i++)
        ok = add_node_row(diff, lane, parts, rows->node[i], coefficient, err);
    for (uint32_t i = 0; ok && i < rows->edges; i++)
        ok = add_edge_row(diff, lane, parts, rows->edge[i], coefficient, err);
    return ok;
}

/* Returns where the blocks end that share the coefficients of block b. */
static uint32_t run_end(const struct blocks *blocks, uint32_t b)
{
    uint32_t end = b + 1;
    while (end < blocks->count && blocks->vector[end] == blocks->vector[b])
        end++;
    return end;
}

/* Adds the products of two lanes, `times` over, to `sum`, one after the other, where both have a bit. */
static double add_products(double sum, const float *left, const float *right, uint64_t both, double times)
{
    for (; both; both &= both - 1) {
        int j = __builtin_ctzll(both);
        sum += times * ((double)left[j] * right[j]);
    }
    return sum;
}

/* Adds the inner products of the lanes of vector v, `times` over; lanes in which it is zero are passed over. */
static void add_vector_gram(const struct diff *diff, const struct blocks *blocks, uint32_t v, double times,
                            double *gram)
{
    size_t K = diff->lanes, words = blocks->words;
    const uint64_t *mask = blocks->mask + v * K * words;
    const float *coef = blocks->coef + v * K * blocks->stride;
    for (uint32_t w = 0; w < words; w++)
        for (uint32_t k = 0; k < K; k++) {
            uint64_t own = mask[k * words + w];
            for (uint32_t j = 0; own && j <= k; j++)
                gram[k * K + j] = add_products(gram[k * K + j], coef + k * blocks->stride + w * 64,
                                               coef + j * blocks->stride + w * 64, own & mask[j * words + w], times);
        }
}

/* Adds the inner products of blocks of one weight. */
static void add_single_gram(const struct diff *diff, const struct blocks *blocks, double *gram)
{
    size_t K = diff->lanes;
    for (uint32_t b = 0; b < blocks->count; b++) {
        const float *coef = blocks->coef + b * K;
        for (uint32_t k = 0; k < K; k++)
            for (uint32_t j = 0; j <= k; j++)
                gram[k * K + j] += (double)coef[k] * coef[j];
    }
}

void diff_gram(const struct diff *diff, double *gram)
{
    size_t K = diff->lanes;
    memset(gram, 0, K * K * sizeof *gram);
    for (const struct blocks *blocks = diff->kind; blocks < diff->kind + 2; blocks++) {
        if (blocks->width == 1)
            add_single_gram(diff, blocks, gram);
        else
            for (uint32_t b = 0, end; b < blocks->count; b = end) {
                end = run_end(blocks, b);
                add_vector_gram(diff, blocks, blocks->vector[b], end - b, gram);
            }
    }
    for (uint32_t k = 0; k < K; k++)
        for (uint32_t j = 0; j < k; j++)
            gram[j * K + k] = gram[k * K + j];
}

/* Lists a vector's coefficients in one lane that are not zero, for weights that start at `at`. */
static size_t list_vector(const struct blocks *blocks, size_t lane_of_vector, size_t at, struct entry *list)
{
    const float *coef = blocks->coef + lane_of_vector * blocks->stride;
    const uint64_t *mask = blocks->mask + lane_of_vector * blocks->words;
    size_t count = 0;
    for (size_t w = 0; w < blocks->words; w++)
        for (uint64_t some = mask[w]; some; some &= some - 1) {
            size_t j = w * 64 + (size_t)__builtin_ctzll(some);
            list[count] = (struct entry){at + j, coef[j]};
            count += coef[j] != 0;
        }
    return count;
}

static size_t list_wide(const struct diff *diff, const struct blocks *blocks, uint32_t lane, struct entry *list)
{
    size_t count = 0;
    for (uint32_t b = 0, end; b < blocks->count; b = end) {
        const struct entry *first = list + count;
        size_t at = block_at(blocks, b);
        size_t each = list_vector(blocks, (size_t)blocks->vector[b] * diff->lanes + lane, at, list + count);
        end = run_end(blocks, b);
        count += each;
        for (uint32_t other = b + 1; each && other < end; other++) {
            size_t by = block_at(blocks, other) - at;
            for (size_t i = 0; i < each; i++)
                list[count++] = (struct entry){first[i].at + by, first[i].coef};
        }
    }
    return count;
}

static size_t list_singles(const struct diff *diff, const struct blocks *blocks, uint32_t lane, struct entry *list)
{
    size_t count = 0;
    for (uint32_t b = 0; b < blocks->count; b++) {
        float coef = blocks->coef[(size_t)b * diff->lanes + lane];
        list[count] = (struct entry){block_at(blocks, b), coef};
        count += coef != 0;
    }
    return count;
}

size_t diff_entries(const struct diff *diff, uint32_t lane, struct entry *list)
{
    size_t count = 0;
    for (const struct blocks *blocks = diff->kind; blocks < diff->kind + 2; blocks++)
        count += (blocks->width == 1 ? list_singles : list_wide)(diff, blocks, lane, list + count);
    return count;
}

double entries_dot(const struct entry *entry, size_t count, const float *weight)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += (double)entry[i].coef * weight[entry[i].at];
    return sum;
}
