/*
 * Scores all arcs of a sentence by the weights of a finished model.
 *
 * The score of an arc is the sum of the weights of its features, arc_features.c's. Such weights are multiples of one
 * power of two, w = q * step with |q| <= 2^15, and an arc has at most ROW_ROOM < 2^8 features. So sums of floats are
 * exact, whatever their order, and the sum of the integers q, times the step, is the same to the last bit. Three things
 * follow from it:
 *
 * - Tables of q are half as large as those of floats.
 * - What depends on one word, the direction and the distance is summed once for each word.
 * - A template that sees nothing can be summed like all others, with a weight of 0 from the slack behind the table.
 *
 * No rows are written: an arc's numbers of features stay in a ring of a few arcs. Lines of the table are prefetched two
 * arcs ahead, once for a feature and the same with the distance, which lies beside it.
 *
 * Time: features of all arcs.
 */
#include "task/arc_codes.h"

enum {
    RING = 4,
    AHEAD = 2, /* arcs whose weights are prefetched, before the one that is summed */
    MORE_STEP = 2,
    MORE_ROOM = MAX_BETWEEN + MORPH_PAIRED * MORPH_PAIRED + MORPH_PAIRED + COUNTS
};

/* The features of an arc. */
struct arc_blocks {
    uint32_t pair[PAIR_ROOM]; /* over both words, without the distance; then as many numbers as fill a STEP */
    uint32_t more[MORE_ROOM]; /* others; then as many as fill a MORE_STEP */
    uint32_t pairs, mores, distance;
    int32_t alone; /* the sum of what is over one word */
};

/* The weights that are summed: whole numbers of steps. */
struct sums {
    const struct layout *layout;
    const int16_t *steps;
    float step;
};

SIMD_BODY uint32_t no_block(const struct layout *layout)
{
    return UINT32_C(1) << (32 - layout->shift);
}

/* Writes the numbers of features over both words; a template that sees nothing gets a number whose weight is 0. */
SIMD_BODY void pair_blocks(const struct layout *layout, const struct arc *arc, uint32_t *restrict out)
{
    const uint32_t *head = arc->head->head, *modifier = arc->modifier->modifier;
    const uint32_t none = no_block(layout), sure = layout->sure / STEP * STEP;
    for (uint32_t b = 0; b < sure; b += STEP)
        for (uint32_t k = b; k < b + STEP; k++)
            out[k] = block_of(head[k] + modifier[k] + arc->way, arc->shift);
    for (uint32_t b = sure; b < layout->listed; b += STEP)
        for (uint32_t k = b; k < b + STEP; k++) {
            uint32_t seen = -(uint32_t)(head[k] != 0) & -(uint32_t)(modifier[k] != 0);
            out[k] = (block_of(head[k] + modifier[k] + arc->way, arc->shift) & seen) | (none & ~seen);
        }
}

/* Returns where the sums of arcs in that direction and distance are. */
SIMD_BODY uint32_t alone_at(uint32_t h, uint32_t m, uint32_t distance)
{
    return h < m ? distance : DISTANCES + distance;
}

SIMD_BODY void arc_blocks(const struct layout *layout, uint32_t h, uint32_t m, struct arc_blocks *blocks)
{
    uint32_t count = 0, none = no_block(layout);
    blocks->pairs = blocks->distance = 0;
    blocks->alone = 0;
    if (h != m) {
        struct arc arc = arc_of(layout, h, m);
        uint32_t at = alone_at(h, m, arc.distance);
        blocks->pairs = layout->listed;
        blocks->distance = arc.distance;
        blocks->alone = layout->alone[h].sum[at] + layout->alone[layout->N + 1 + m].sum[at];
        pair_blocks(layout, &arc, blocks->pair);
        if (h) {
            uint32_t low = h < m ? h : m, high = h < m ? m : h;
            count += between_row(&arc, &layout->token[low], high, blocks->more);
            count += morph_row(&arc, blocks->more + count);
            count += count_row(&arc, &layout->token[low], &layout->token[high], blocks->more + count);
        }
    }
    blocks->mores = count;
    for (uint32_t k = 0; k < MORE_STEP; k++)
        blocks->more[count + k] = none;
}

SIMD_BODY void prefetch_arc(const struct arc_blocks *blocks, const int16_t *steps)
{
    for (const uint32_t *x = blocks->pair; x < blocks->pair + blocks->pairs; x += STEP)
        for (uint32_t k = 0; k < STEP; k++)
            __builtin_prefetch(steps + x[k]);
}

/* Sums up the features of an arc, those over both words also with the distance, if there is one. */
SIMD_BODY int32_t arc_total(const struct arc_blocks *blocks, const int16_t *steps)
{
    const uint32_t *end = blocks->pair + blocks->pairs, distance = blocks->distance;
    int32_t even = blocks->alone, odd = 0, even_distant = 0, odd_distant = 0;
    for (const uint32_t *x = blocks->pair; x < end && distance; x += STEP)
        for (uint32_t k = 0; k < STEP; k += 2) {
            even += steps[x[k]];
            even_distant += steps[x[k] ^ distance];
            odd += steps[x[k + 1]];
            odd_distant += steps[x[k + 1] ^ distance];
        }
    for (const uint32_t *x = blocks->pair; x < end && !distance; x += STEP)
        for (uint32_t k = 0; k < STEP; k++)
            even += steps[x[k]];
    for (const uint32_t *x = blocks->more; x < blocks->more + blocks->mores; x += MORE_STEP)
        for (uint32_t k = 0; k < MORE_STEP; k++)
            odd += steps[x[k]];
    return even + odd + even_distant + odd_distant;
}

SIMD_BODY void sum_arcs(const struct sums *sums, float *score)
{
    const struct layout *layout = sums->layout;
    const int16_t *steps = sums->steps;
    uint32_t N = layout->N, arcs = N * (N + 1), h = 0, m = 1;
    struct arc_blocks ring[RING];
    for (uint32_t g = 0; g < arcs + AHEAD; g++) {
        if (g < arcs) {
            struct arc_blocks *blocks = &ring[g % RING];
            arc_blocks(layout, h, m, blocks);
            prefetch_arc(blocks, steps);
            m += h == N;
            h = h == N ? 0 : h + 1;
        }
        if (g >= AHEAD)
            score[g - AHEAD] = (float)arc_total(&ring[(g - AHEAD) % RING], steps) * sums->step;
    }
}

SIMD_KERNEL(sum_arcs, (const struct sums *sums, float *score), (sums, score))

/* Sums up what is over one word, for arcs in one direction and of all distances up to `far`, from 1 or the root's 0. */
static void sum_alone(const struct sums *sums, const uint32_t *code, uint32_t count, uint32_t way, uint32_t far,
                      int32_t *sum)
{
    uint32_t block[SINGLES];
    for (uint32_t k = 0; k < count; k++)
        block[k] = block_of(code[k] + ways[way], sums->layout->shift);
    for (uint32_t d = way != 0; d <= far; d++) {
        sum[d] = 0;
        for (uint32_t k = 0; k < count; k++)
            sum[d] += sums->steps[block[k] ^ d];
    }
}

/* Sums up what is over one word, for all words and all arcs that they can have. */
static void sum_words(const struct sums *sums)
{
    const struct layout *layout = sums->layout;
    uint32_t N = layout->N;
    struct alone *heads = layout->alone, *modifiers = layout->alone + N + 1;
    sum_alone(sums, layout->token[0].head_alone, layout->token[0].alone, 0, 0, heads[0].sum);
    for (uint32_t t = 1; t <= N; t++) {
        const struct token *token = &layout->token[t];
        uint32_t count = token->alone, left = arc_distance(1, t), right = arc_distance(t, N);
        sum_alone(sums, token->head_alone, count, 1, right, heads[t].sum);
        sum_alone(sums, token->head_alone, count, 2, left, heads[t].sum + DISTANCES);
        sum_alone(sums, token->modifier_alone, count, 0, 0, modifiers[t].sum);
        sum_alone(sums, token->modifier_alone, count, 1, left, modifiers[t].sum);
        sum_alone(sums, token->modifier_alone, count, 2, right, modifiers[t].sum + DISTANCES);
    }
}

void arc_sum(void *maker, const struct weight_steps *weights, float *score)
{
    const struct layout *layout = maker;
    struct sums sums = {layout, weights->steps, weights->step};
    sum_words(&sums);
    sum_arcs_for[layout->set](&sums, score);
}
