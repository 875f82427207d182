/*
 * The codes of words of which the features of arcs are made (arc_features.c describes them). arc_features.c makes rows
 * of features, relation_features.c has some of them beside its own, arc_scores.c adds up weights without making rows.
 */
#ifndef VOUCH_TASK_ARC_CODES_H
#define VOUCH_TASK_ARC_CODES_H

#include "task/arc_features.h"

enum {
    PAIRS = 46,    /* templates over both words */
    SINGLES = 8,   /* templates over one word */
    DISTANCES = 8, /* of arc_distance(), and the root's 0 */
    STEP = 8,      /* templates that are gone through at a time */
    PAIR_ROOM = (PAIRS + STEP - 1) / STEP * STEP,
    MAX_BETWEEN = 12,           /* distinct tags between two words that are looked at */
    COUNTS = COUNTED_KINDS + 1, /* features of how many words of each kind lie between two others */
    MOST_COUNTED = 3,
    ROW_ROOM = 2 * PAIRS + 2 * SINGLES + MAX_BETWEEN + MORPH_PAIRED * MORPH_PAIRED + COUNTS,
    SPILL = 16 /* numbers that may be written past a row */
};

/* Returns a code of two codes. */
static inline uint64_t mix(uint64_t a, uint64_t b)
{
    uint64_t h = (a ^ (b + UINT64_C(0x9E3779B97F4A7C15))) * UINT64_C(0xD6E8FEB86659FD93);
    return h ^ (h >> 32);
}

/* Returns the names of words, which lie one after the other: form, lemma, tag, fine tag. */
static inline struct word_names arc_names(const struct arc_word *word, bool heads)
{
    return (struct word_names){.name = &word->form, .stride = sizeof *word / sizeof word->form, .heads = heads};
}

/* Features that are hashed one by one, of words in a tree. */
struct hashed_row {
    uint32_t *out;
    uint32_t count, shift;
};

/* Adds the feature of kind `kind` that sees these. */
static inline void add_hashed(struct hashed_row *row, uint32_t kind, uint64_t a, uint64_t b, uint64_t c)
{
    uint64_t code = mix(mix(mix(kind, a), b), c);
    row->out[row->count++] = ((uint32_t)(code >> 32) * UINT32_C(0x9E3779B1)) >> row->shift;
}

/* Returns a word; number 0 is the root, or a neighbour that is not there. */
static inline const struct arc_word *word_at(const struct arc_word *word, uint32_t t)
{
    static const struct arc_word root = {.form = 2, .lemma = 2, .tag = 2, .fine = 2};
    return t ? &word[t - 1] : &root;
}

/* Returns what tells a word: its lemma, or its form where there is none. */
static inline uint64_t name_of(const struct arc_word *word)
{
    return word->lemma ? word->lemma : word->form;
}

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
    uint32_t head_morph[MORPH_PAIRED], modifier_morph[MORPH_PAIRED], morphs;
    uint32_t head_tag, modifier_tag; /* at the ends of an arc with others between */
    uint32_t fresh[MAX_BETWEEN];     /* the next words whose tags are new from here on; then UINT32_MAX */
    uint32_t between[MAX_BETWEEN];   /* the codes of their tags */
    uint32_t counted[COUNTED_KINDS]; /* words of each kind from the first to this one */
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
    uint32_t *feature;     /* [rows][features] at most, and SPILL */
    void *more;            /* what arc_room asks for */
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

/* Writes features of how many words of each kind lie between the words `low` and `high`, and of all these numbers. */
SIMD_BODY uint32_t count_row(const struct arc *arc, const struct token *low, const struct token *high,
                             uint32_t *restrict out)
{
    uint32_t ends = arc->head->head_tag + arc->modifier->modifier_tag + arc->way, all = COUNTED_KINDS;
    for (uint32_t k = 0; k < COUNTED_KINDS; k++) {
        uint32_t count = high[-1].counted[k] - low->counted[k];
        count = count < MOST_COUNTED ? count : MOST_COUNTED;
        all = all * (MOST_COUNTED + 1) + count;
        out[k] = block_of(ends + (k * (MOST_COUNTED + 1) + count + 1) * UINT32_C(0x85EBCA6B), arc->shift);
    }
    out[COUNTED_KINDS] = block_of(ends + (all + 1) * UINT32_C(0xC2B2AE35), arc->shift);
    return COUNTS;
}

/* Writes every pair of morphological features of the two words: agreement. */
SIMD_BODY uint32_t morph_row(const struct arc *arc, uint32_t *restrict out)
{
    const struct token *head = arc->head, *modifier = arc->modifier;
    uint32_t count = 0;
    for (uint32_t a = 0; a < head->morphs; a++, count += modifier->morphs)
        for (uint32_t b = 0; b < MORPH_PAIRED; b++)
            out[count + b] = block_of(head->head_morph[a] + modifier->modifier_morph[b] + arc->way, arc->shift);
    return count;
}

/* Writes the features of templates over both words, then the same with the distance; returns how many. */
SIMD_BODY uint32_t pair_row(const struct layout *layout, const struct arc *arc, uint32_t *restrict out)
{
    uint32_t block[PAIR_ROOM], count = layout->sure;
    const uint32_t *head = arc->head->head, *modifier = arc->modifier->modifier;
    for (uint32_t b = 0; b < layout->listed; b += STEP)
        for (uint32_t k = b; k < b + STEP; k++)
            block[k] = block_of(head[k] + modifier[k] + arc->way, arc->shift);
    for (uint32_t k = layout->sure; k < layout->listed; k++) {
        block[count] = block[k];
        count += head[k] && modifier[k];
    }
    for (uint32_t b = 0; b < count; b += STEP)
        for (uint32_t k = b; k < b + STEP; k++)
            out[k] = block[k];
    if (!arc->distance)
        return count;
    out += count;
    for (uint32_t b = 0; b < count; b += STEP)
        for (uint32_t k = b; k < b + STEP; k++)
            out[k] = block[k] ^ arc->distance;
    return 2 * count;
}

/* Writes the features of templates over one word of the arc. */
SIMD_BODY uint32_t single_row(const struct arc *arc, const uint32_t *alone, uint32_t count, uint32_t *restrict out)
{
    for (uint32_t k = 0; k < SINGLES; k++)
        out[k] = block_of(alone[k] + arc->way, arc->shift) ^ arc->distance;
    return count;
}

SIMD_BODY uint32_t arc_row(const struct layout *layout, const struct arc *arc, uint32_t *out)
{
    uint32_t count = pair_row(layout, arc, out);
    count += single_row(arc, arc->head->head_alone, arc->head->alone, out + count);
    count += single_row(arc, arc->modifier->modifier_alone, arc->modifier->alone, out + count);
    return count;
}

/* What a layout is to have room for. */
struct arc_room {
    size_t rows, features; /* at a time; of a row, at most */
    bool all;              /* for all arcs, not for one of each word */
    size_t more;           /* bytes for the caller */
};

/* Makes room, and the codes of all words, in `scratch`. NULL out of memory. */
struct layout *arc_lay_out(const struct arc_word *word, uint32_t N, uint32_t bits, const struct arc_room *room,
                           struct scratch *scratch, struct vouch_error *err);

/* Implements `sum` of struct parts: see arc_scores.c. */
void arc_sum(void *maker, const struct weight_steps *weights, float *score);

#endif
