/*
 * Span rules tell which choices of neighbouring words open and close a chunk,
 * so that chunks can be compared without the names of labels.
 */
#ifndef VOUCH_CORE_SPAN_RULES_H
#define VOUCH_CORE_SPAN_RULES_H

#include "base/memory.h"
#include "base/text.h"

/* Words from .. to - 1. */
struct extent {
    uint32_t from, to;
};

/* Index `labels` stands for the outside of the sentence. */
struct span_rules {
    uint32_t labels; /* Y */
    bool *opens;     /* [Y + 1][Y]: a chunk starts at a word labelled [left][here] */
    bool *closes;    /* [Y][Y + 1]: a chunk ends at a word labelled [here][right] */
    uint32_t *type;  /* [Y]: the same number for labels of one type of chunk; Y for those outside */
    bool respelled;  /* the corpus writes chunks in another scheme, IOB1 or IOB2, in which labels may look alike */
};

/*
 * Whether the corpus writes labels `a` and `b` alike for a word after one labelled `before`: both start a chunk of one
 * type there, or both continue it.
 */
static inline bool span_alike(const struct span_rules *rules, uint32_t before, uint32_t a, uint32_t b)
{
    const bool *opens = rules->opens + (size_t)before * rules->labels;
    return a == b || (rules->respelled && rules->type[a] == rules->type[b] && opens[a] == opens[b]);
}

bool span_rules_init(struct span_rules *rules, const struct text *label, uint32_t labels, struct vouch_error *err);
void span_rules_release(struct span_rules *rules);

/* Finds the next chunk that starts at or after word `from`; false if there is none. */
bool span_next(const struct span_rules *rules, const uint32_t *choice, uint32_t N, uint32_t from, struct extent *span);

/*
 * Whether `other` has the same chunk as `choice` there: the same words and the same type, however it is spelled.
 * Choices that are no label agree with none.
 */
bool span_agrees(const struct span_rules *rules, const uint32_t *choice, const uint32_t *other, uint32_t N,
                 struct extent span);

#endif
