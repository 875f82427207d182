/*
 * The codes of words of which the features of arcs are made (arc_features.c describes them). Two files use them:
 * arc_features.c makes rows of features, arc_scores.c adds up weights without making rows.
 */
#ifndef VOUCH_TASK_ARC_CODES_H
#define VOUCH_TASK_ARC_CODES_H

#include "task/arc_features.h"

enum {
    PAIRS = 38,    /* templates over both words */
    SINGLES = 8,   /* templates over one word */
    DISTANCES = 8, /* of arc_distance(), and the root's 0 */
    STEP = 8,      /* templates that are gone through at a time */
    PAIR_ROOM = (PAIRS + STEP - 1) / STEP * STEP,
    MAX_BETWEEN = 12, /* distinct tags between two words that are looked at */
    ROW_ROOM = 2 * PAIRS + 2 * SINGLES + MAX_BETWEEN + MAX_MORPH * MAX_MORPH,
    SPILL = 16 /* numbers that may be written past a row */
};

/* Codes of the direction: from the root, to a word on the right, to one on the left. */
static const uint32_t ways[] = {0x7FEB352Du, 0x2C1B3C6Du, 0xA6D5F0B9u};

/* Returns the number of a feature. */
SIMD_BODY uint32_t block_of(uint32_t x, uint32_t shift)
{
    return ((x ^ (x >> 15)) * UINT32_C(0x9E3779B1)) >> shift;
}

/* A word, or the root, as the templates see it. */
struct token {
    uint32_t head[PAIR_ROOM], modifier[PAIR_ROOM];                /* codes of the listed templates; 0: nothing to see */
    uint32_t head_alone[SINGLES], modifier_alone[SINGLES], alone; /* of the templates over one word, so many */
    uint32_t head_morph[MAX_MORPH], modifier_morph[MAX_MORPH], morphs;
    uint32_t head_tag, modifier_tag; /* at the ends of an arc with others between */
    uint32_t fresh[MAX_BETWEEN];     /* the next words whose tags are new from here on; then UINT32_MAX */
    uint32_t between[MAX_BETWEEN];   /* the codes of their tags */
};

/* The sums of a word's weights of templates over one word, by direction and distance: see arc_scores.c. */
struct alone {
    int32_t sum[2 * DISTANCES];
};

/* The arrays of a call, in the caller's scratch, which begins with it. */
struct layout {
    enum simd set;
    uint32_t N, shift;
    uint32_t listed, sure; /* templates over both words; the first of them, which all arcs have */
    struct token *token;   /* [N + 1] the root, then every word */
    uint64_t *code;        /* [N + 1][CODES] */
    struct alone *alone;   /* [2][N + 1] as heads, as modifiers; of arc_parts() */
    uint32_t *start;       /* [rows + 1] */
    uint32_t *feature;     /* [rows][ROW_ROOM] at most, and SPILL */
};

/* Returns the distance in steps: 1, 2, 3, 4, 5, 6-10, more. */
static inline uint32_t arc_distance(uint32_t a, uint32_t b)
{
    uint32_t d = a > b ? a - b : b - a;
    return d <= 5 ? d : d <= 10 ? 6 : 7;
}

struct arc {
    const struct token *head, *modifier;
    uint32_t way;      /* code of the direction */
    uint32_t distance; /* 0 from the root */
    uint32_t shift;
};

static inline struct arc arc_of(const struct layout *layout, uint32_t head, uint32_t modifier)
{
    return (struct arc){.head = &layout->token[head],
                        .modifier = &layout->token[modifier],
                        .way = ways[head == 0         ? 0
                                    : head < modifier ? 1
                                                      : 2],
                        .distance = head == 0 ? 0 : arc_distance(head, modifier),
                        .shift = layout->shift};
}

/* Writes features of the tags between the words `low` and `high`, each tag once. */
SIMD_BODY uint32_t between_row(const struct arc *arc, const struct token *low, uint32_t high, uint32_t *restrict out)
{
    uint32_t ends = arc->head->head_tag + arc->modifier->modifier_tag + arc->way, count = 0;
    for (uint32_t i = 0; i < MAX_BETWEEN; i++)
        out[i] = block_of(ends + low->between[i], arc->shift);
    for (uint32_t i = 0; i < MAX_BETWEEN; i++)
        count += low->fresh[i] < high;
    return count;
}

/* Writes every pair of morphological features of the two words: agreement. */
SIMD_BODY uint32_t morph_row(const struct arc *arc, uint32_t *restrict out)
{
    const struct token *head = arc->head, *modifier = arc->modifier;
    uint32_t count = 0;
    for (uint32_t a = 0; a < head->morphs; a++, count += modifier->morphs)
        for (uint32_t b = 0; b < MAX_MORPH; b++)
            out[count + b] = block_of(head->head_morph[a] + modifier->modifier_morph[b] + arc->way, arc->shift);
    return count;
}

/* Implements `sum` of struct parts: see arc_scores.c. */
void arc_sum(void *maker, const struct weight_steps *weights, float *score);

#endif
