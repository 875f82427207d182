/*
 * Scores parts: sums of blocks of weights, in loops for rows of one part, of few and of many.
 *
 * Lane j of an accumulator is part j of the group, so the order of additions, and with it every bit of the result, does
 * not depend on the vector width. Narrow rows keep their accumulators in registers: the number of vectors is a constant
 * in each specialisation. Reads and writes may run past a block by up to three floats, into the next block or the
 * slack; rows are written in ascending order, so what spills is overwritten. Rows of one part (arcs) are summed in four
 * strands.
 */
#include "core/parts.h"

#include <string.h>

enum {
    AHEAD = 3,        /* rows of one part whose weights are prefetched, with the row that is summed */
    BLOCKS_AHEAD = 8, /* wide blocks that are prefetched */
    LINE = 16         /* floats of a cache line */
};

typedef float lanes __attribute__((vector_size(16)));

static inline lanes load(const float *from)
{
    lanes v;
    memcpy(&v, from, sizeof v);
    return v;
}

static inline void narrow_row(const struct rows *rows, uint32_t g, const float *base, uint32_t width, int vectors,
                              float *out)
{
    lanes sum[4] = {{0}};
    for (uint32_t i = rows->start[g]; i < rows->start[g + 1]; i++) {
        const float *block = base + (size_t)rows->feature[i] * width;
        float value = rows->value ? rows->value[i] : 1;
        for (int v = 0; v < vectors; v++)
            sum[v] += load(block + 4 * v) * value;
    }
    memcpy(out, sum, sizeof *sum * (size_t)vectors);
}

/* Scores a row whose values are all 1: the common case, without the multiplication. */
static inline void narrow_plain_row(const struct rows *rows, uint32_t g, const float *base, uint32_t width, int vectors,
                                    float *out)
{
    lanes sum[4] = {{0}};
    const uint32_t *feature = rows->feature;
    for (uint32_t i = rows->start[g]; i < rows->start[g + 1]; i++) {
        const float *block = base + (size_t)feature[i] * width;
        for (int v = 0; v < vectors; v++)
            sum[v] += load(block + 4 * v);
    }
    memcpy(out, sum, sizeof *sum * (size_t)vectors);
}

/* Scores a group of one part, in four sums of every fourth feature, so that additions need not wait. */
static float single_row(const struct rows *rows, uint32_t g, const float *base)
{
    float sum[4] = {0};
    const uint32_t *feature = rows->feature;
    uint32_t i = rows->start[g], end = rows->start[g + 1];
    if (rows->value) {
        for (uint32_t k = 0; i < end; i++, k = (k + 1) & 3)
            sum[k] += base[feature[i]] * rows->value[i];
    } else {
        for (; end - i >= 4; i += 4)
            for (uint32_t k = 0; k < 4; k++)
                sum[k] += base[feature[i + k]];
        for (uint32_t k = 0; i < end; i++, k++)
            sum[k] += base[feature[i]];
    }
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

/* Scores groups of one part. The weights of a row are prefetched while those of the rows before it are summed. */
static void score_singles(const struct rows *rows, const float *base, float *out)
{
    uint32_t fetched = rows->count ? rows->start[0] : 0;
    for (uint32_t g = 0; g < rows->count; g++) {
        uint32_t ahead = rows->start[g + AHEAD < rows->count ? g + AHEAD : rows->count];
        for (; fetched < ahead; fetched++)
            __builtin_prefetch(base + rows->feature[fetched]);
        out[g] = single_row(rows, g, base);
    }
}

/* Prefetches the weights of block i, which may not exist. */
SIMD_BODY void prefetch_block(const struct rows *rows, uint32_t i, const float *base, size_t width)
{
    if (i < rows->start[rows->count]) {
        const float *block = base + rows->feature[i] * width;
        for (size_t j = 0; j < width; j += LINE)
            __builtin_prefetch(block + j);
        __builtin_prefetch(block + width - 1);
    }
}

/* Scores groups of many parts. Blocks are prefetched some time before they are added. */
SIMD_BODY void score_wide(const struct rows *rows, const float *base, size_t width, float *restrict out)
{
    for (uint32_t g = 0; g < rows->count; g++, out += width) {
        memset(out, 0, sizeof *out * width);
        for (uint32_t i = rows->start[g]; i < rows->start[g + 1]; i++) {
            const float *block = base + rows->feature[i] * width;
            prefetch_block(rows, i + BLOCKS_AHEAD, base, width);
            if (rows->value) {
                float value = rows->value[i];
                for (size_t j = 0; j < width; j++)
                    out[j] += block[j] * value;
            } else
                for (size_t j = 0; j < width; j++)
                    out[j] += block[j];
        }
    }
}

SIMD_KERNEL(score_wide, (const struct rows *rows, const float *base, size_t width, float *out),
            (rows, base, width, out))

#define SCORE_NARROW(vectors)                                                                                          \
    for (uint32_t g = 0; g < rows->count; g++) {                                                                       \
        if (rows->value)                                                                                               \
            narrow_row(rows, g, base, (uint32_t)width, vectors, out + g * width);                                      \
        else                                                                                                           \
            narrow_plain_row(rows, g, base, (uint32_t)width, vectors, out + g * width);                                \
    }                                                                                                                  \
    return

static void score_rows(const struct rows *rows, const float *base, size_t width, float *out)
{
    if (width == 1) {
        score_singles(rows, base, out);
        return;
    }
    if (width <= 4) {
        SCORE_NARROW(1);
    }
    if (width <= 8) {
        SCORE_NARROW(2);
    }
    if (width <= 12) {
        SCORE_NARROW(3);
    }
    if (width <= 16) {
        SCORE_NARROW(4);
    }
    score_wide_for[simd_best()](rows, base, width, out);
}

/* Scores the parts, whatever is known of their choices. */
static bool score(const struct parts *parts, const struct space *space, const float *weight, struct scores *scores,
                  struct vouch_error *err)
{
    if (parts->score_source)
        return scores_copy(scores, &parts->score_source->mean, err);
    if (!scores_shape(scores, parts->N, parts->node.count, space->width, parts->edge.count, err))
        return false;
    struct rows rows;
    for (uint32_t g = 0; g < parts->node.count; g += rows.count) {
        rows = parts_rows(parts, g, parts->node.count);
        score_rows(&rows, weight, space->width, scores->node + (size_t)g * space->width);
    }
    if (parts->dense.D)
        dense_score(&parts->dense, parts->N, weight, space->width, scores->node);
    for (uint32_t g = 0; parts->offset && g < parts->node.count; g++)
        scores->node[g] += parts->offset[g];
    score_rows(&parts->edge, weight + space_edge(space, 0), (size_t)space->width * space->width, scores->edge);
    return true;
}

void parts_restrict(struct parts *parts, const struct transitions *transitions)
{
    static const uint32_t nothing[2] = {0, 0};
    parts->transitions = transitions && transitions->allowed ? transitions : NULL;
    if (parts->transitions && parts->edge.count == 0)
        parts->edge = (struct rows){.count = 1, .start = nothing};
}

/* Rules out what is known to be wrong. */
static void rule_out(const struct parts *parts, struct scores *scores)
{
    if (parts->known)
        scores_rule_out(scores, parts->known);
    if (parts->transitions)
        transitions_rule_out(parts->transitions, scores);
}

bool parts_score(const struct parts *parts, const struct space *space, const float *weight, struct scores *scores,
                 struct vouch_error *err)
{
    if (!score(parts, space, weight, scores, err))
        return false;
    rule_out(parts, scores);
    return true;
}

bool parts_score_steps(const struct parts *parts, const struct space *space, const float *weight,
                       const struct weight_steps *steps, struct scores *scores, struct vouch_error *err)
{
    if (!parts->sum || !steps->steps)
        return parts_score(parts, space, weight, scores, err);
    if (!scores_shape(scores, parts->N, parts->node.count, space->width, 0, err))
        return false;
    parts->sum(parts->maker, steps, scores->node);
    rule_out(parts, scores);
    return true;
}
