/*
 * A tag set is an encoded labelled corpus: what learning reads instead of words.
 *
 * Rows are stored once, so a pass touches no string. Memory: four bytes for each feature of a word.
 */
#ifndef VOUCH_TASK_TAG_SET_H
#define VOUCH_TASK_TAG_SET_H

#include "core/examples.h"
#include "task/common_numbering.h"
#include "task/tag_labels.h"

/* The place of one sentence in the arrays of the set. */
struct tag_item {
    uint32_t N, edge_rows, document;
    size_t word, node_start, node_feature, edge_start, edge_feature;
};

struct tag_set {
    struct tag_item *item; /* [count] of the sentences that are here */
    uint32_t count;
    uint64_t words;           /* of these */
    uint32_t sentences;       /* of the corpus; more than `count` if other ranks have some */
    uint64_t all_words;       /* of the corpus */
    struct own_sentences own; /* which of them are here; set it before the first is added */
    bool partial;             /* labels may be open; set it before the first is added */
    uint64_t open;            /* words of the corpus whose label is */
    uint32_t document;        /* the number of the one whose sentences are being added */
    uint32_t *raw;            /* [words] gold labels as they were read: numbers in `raw_names`, 0 if they are open */
    uint32_t *gold;           /* [words] choices, after tag_set_close() */
    uint32_t *node_start, *node_feature, *edge_start, *edge_feature;
    float *node_value; /* as node_feature, once a sentence was weighted */
    float *vector;     /* [words][D], if words have vectors */
    uint32_t D, window;
    uint32_t *name; /* [words][WORD_NAMES], if every sentence had them */
    bool nameless;  /* one sentence had none */
    size_t node_starts, node_features, edge_starts, edge_features;
    bool weighted;
    const struct transitions *transitions; /* that answers may have; NULL: any */
    struct score_list outside_scores;      /* of all sentences, in place of features; empty: there are features */
    struct dictionary raw_names;
    struct scheme_watch scheme;
    struct label_work work;
    size_t item_capacity, raw_capacity, gold_capacity, node_start_capacity, node_feature_capacity, edge_start_capacity,
        edge_feature_capacity, node_value_capacity, name_capacity, vector_capacity;
};

/* Appends a sentence: its parts, and its gold labels as the corpus spells them; empty ones are open. */
bool tag_set_add(struct tag_set *set, const struct parts *parts, const struct text *gold, struct vouch_error *err);

/* Counts a sentence of N words that another rank holds, and its gold labels. */
bool tag_set_pass(struct tag_set *set, const struct text *gold, uint32_t N, struct vouch_error *err);

/* Returns a sentence of the corpus, which must be here. */
const struct tag_item *tag_set_item(const struct tag_set *set, uint32_t sentence);

/* Gives features the same numbers on all ranks; all ranks then agree on whether sentences have values and names. */
bool tag_set_number_alike(struct tag_set *set, struct vocabulary_growth *growth, struct vouch_error *err);

/*
 * Puts further features behind those of every word: `find` tells which, for the sentence at each place, in the order of
 * places.
 */
bool tag_set_extend(struct tag_set *set,
                    bool (*find)(void *context, uint32_t place, struct further_rows *rows, struct vouch_error *err),
                    void *context, struct vouch_error *err);

/* Sends sentences, which are in ascending order, to the first rank, except those that it holds already. */
bool tag_set_send(struct tag_set *set, const uint32_t *sentence, uint32_t count, struct vouch_error *err);

/*
 * Multiplies all vectors by one number, so that the root of their mean square length is `length`: *scale, which is 1 if
 * all are zero. Words whose vector is zero do not count.
 */
bool tag_set_scale(struct tag_set *set, double length, float *scale, struct vouch_error *err);

/*
 * Drops features that occur fewer than `cutoff` times (a plain B stays) and numbers the rest anew. Those that a
 * vocabulary `known` has, of which this one is a grown copy, keep their numbers; it may be NULL.
 */
bool tag_set_cut(struct tag_set *set, struct vocabulary *vocabulary, const struct vocabulary *known, uint32_t cutoff,
                 struct vouch_error *err);

/* Decides the labels: the corpus's scheme is recognised, `inner` is the one to learn in (labels_scheme()). */
bool tag_set_close(struct tag_set *set, enum scheme inner, struct tag_labels *labels, struct vouch_error *err);

/*
 * Call it instead of closing, for a set that continues the labels of another (labels_copy()): new ones are added at the
 * end. The corpus may be in another scheme of chunks than theirs.
 */
bool tag_set_join(struct tag_set *set, struct tag_labels *labels, struct vouch_error *err);

/* Call it instead of closing, if the labels were decided by another set: unknown ones become NO_LABEL. */
bool tag_set_resolve(struct tag_set *set, const struct tag_labels *labels, struct vouch_error *err);

/* Returns the gold label of a word as the corpus spells it; empty if it is open. */
struct text tag_set_gold(const struct tag_set *set, uint32_t sentence, uint32_t word);

/* Returns the set as learning sees it: a view that must not outlive the set. */
struct examples tag_set_examples(const struct tag_set *set, const struct vocabulary *vocabulary,
                                 const struct tag_labels *labels, const struct structure *structure);

void tag_set_release(struct tag_set *set);

#endif
