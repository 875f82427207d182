/*
 * Counts of answers: how often training saw a word, and how often with which answer.
 *
 * A model that has seen a word a hundred times as a place, and now labels it a person, is wrong more often than its
 * scores tell. For a label, we count the word, the word in lower case, and the word together with either
 * neighbour, each alone and with the type of its label. For an arc, we count the word and its lemma with the tag of
 * the head, the tag with the tag and the distance of the head, and the word with the head itself; and the arc in its
 * contexts.
 *
 *     share = (times with this answer + prior) / (times + 1)
 *
 * The contexts of an arc are what an arc-factored model does not see: the head of its head, the nearest dependent of
 * the same head on either side, how many dependents the head has, which kind of word a head's lemma takes, the head of
 * the head for this word, and the outermost dependents of the word itself. An arc in a context that is rare for
 * it is wrong more often than its score tells. The parts are those of second-order parsing (McDonald and Pereira 2006;
 * Carreras 2007): trees are found by first-order parts, which is fast and exact, and judged by second-order ones.
 *
 * Words come as hashes (struct word_names), so that no string is kept, and confidence need not know strings. There is
 * one table of 64-bit slots: 44 bits of the hash, 20 of the count. Once closed, its layout is a function of what was
 * counted, not of the order. Pairs of neighbours that were seen once are not kept: there are very many of them, and
 * they tell little. Held-out models have the counts of all sentences without those of their own part (`except`): two
 * look-ups instead of a table for each.
 *
 * Cost: sixteen look-ups for each word; for the contexts of an arc, fourteen, and O(N).
 */
#ifndef VOUCH_CORE_ANSWER_COUNTS_H
#define VOUCH_CORE_ANSWER_COUNTS_H

#include "core/parts.h"
#include "core/scheme.h"

enum tree_context {
    CONTEXT_GRANDPARENT,      /* tags of word and head; with the tag of the head's head */
    CONTEXT_INNER,            /* the same; with the tag of the nearest dependent between word and head */
    CONTEXT_OUTER,            /* the same; with that of the nearest one beyond the word */
    CONTEXT_VALENCY,          /* tag of the head; with how many dependents it has on its left and right */
    CONTEXT_LEMMA,            /* lemma of the head; with the tag of the word */
    CONTEXT_WORD_GRANDPARENT, /* the word and the tag of its head; with the tag of the head's head */
    CONTEXT_DEPENDENTS,       /* tags of word and head; with those of the word's outermost dependents */
    TREE_CONTEXTS
};

/* Hashes of the arc's own tags or words, and of these with the context. */
struct context_hashes {
    uint64_t alone[TREE_CONTEXTS], with[TREE_CONTEXTS];
};

enum {
    COUNT_BITS = 20, /* of a slot: the lowest ones are the count */
    COUNT_KINDS = 4,
    TEXT_KINDS = 2, /* in a text: without pairs */
    COUNT_SIGNALS = 2 * COUNT_KINDS,
    TEXT_SIGNALS = 2 * TEXT_KINDS
};

struct answer_counts {
    const uint64_t *slot; /* [mask + 1] 0 is free; NULL: nothing was counted */
    uint64_t mask;
    size_t count;                       /* slots that are taken */
    const struct answer_counts *except; /* what to leave out of the counts; NULL: nothing */
    bool text;                          /* it counts a text that is being answered: TEXT_KINDS, and times are limited */
    uint64_t *own;                      /* the same slots */
};

/* An answer to count, or to look up. */
struct counted_answer {
    struct word_names names;
    uint32_t N;
    const uint32_t *choice;         /* [N] labels; or heads: 0 is the root, i + 1 word i. Open ones are not counted */
    const struct span_rules *rules; /* labels of one type of chunk count together; NULL: every label by itself */
};

bool answer_counts_add(struct answer_counts *counts, const struct counted_answer *answer, struct vouch_error *err);

/* Adds other counts. */
bool answer_counts_add_all(struct answer_counts *counts, const struct answer_counts *other, struct vouch_error *err);

/*
 * Makes room for so many more keys. Those of other counts come in the order of their slots, which in a smaller table
 * would all crowd into one place after the other. In empty counts, the slots of closed ones, added in ascending
 * order, then lie as in those.
 */
bool answer_counts_expect(struct answer_counts *counts, size_t more, struct vouch_error *err);

/*
 * answer_counts_next() gives the slots that are taken, one after the other: *at begins at 0; false at the end.
 * answer_counts_add_slot() adds one of them again.
 */
bool answer_counts_next(const struct answer_counts *counts, uint64_t *at, uint64_t *slot);
bool answer_counts_add_slot(struct answer_counts *counts, uint64_t slot, struct vouch_error *err);

/* Lays the table out anew, without pairs that were seen once. */
bool answer_counts_close(struct answer_counts *counts, struct vouch_error *err);

/*
 * Computes for each word and every kind log(1 + times) and the log-odds of the share. Rows of signals lie `stride`
 * apart. For a text there are TEXT_SIGNALS, and times beyond 7 count as 7: larger counts depend on the length of the
 * text.
 */
void answer_counts_signals(const struct answer_counts *counts, const struct counted_answer *answer, double *signal,
                           size_t stride);

/* Finds the hashes of the contexts of word n if its head were `head`, all other words keeping theirs. */
void tree_context(const struct counted_answer *tree, uint32_t n, uint32_t head, struct context_hashes *hashes);

/*
 * Finds the contexts of an arc from word n to `head`, where the other words have the answer's heads: their keys, whose
 * slots are on their way from memory when answer_counts_contexts() is called a little later.
 */
void answer_counts_find_contexts(const struct answer_counts *counts, const struct counted_answer *answer, uint32_t n,
                                 uint32_t head, struct context_hashes *keys);

/* Counts how often training saw the arc of each context, and finds the odds of its share; 1 without words. */
struct context_signals {
    uint32_t times[TREE_CONTEXTS];
    double odds[TREE_CONTEXTS];
};
struct context_signals answer_counts_contexts(const struct answer_counts *counts, const struct context_hashes *keys);

/* Fetches the memory of a slot that is to be added soon. */
void answer_counts_prefetch(const struct answer_counts *counts, uint64_t slot);

/* Empties the counts, and keeps their memory if that is little. */
void answer_counts_clear(struct answer_counts *counts);
void answer_counts_release(struct answer_counts *counts);

#endif
