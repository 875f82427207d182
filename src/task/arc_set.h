/*
 * An arc set is an encoded treebank: what learning reads instead of words.
 *
 * Every word is a few hashes; the rows of arcs are built anew at each visit, so
 * memory grows with the words and not with the arcs.
 */
#ifndef VOUCH_TASK_ARC_SET_H
#define VOUCH_TASK_ARC_SET_H

#include "core/examples.h"
#include "task/stacked_arcs.h"
#include "task/tag_labels.h"

#define NO_RELATION UINT32_MAX /* a relation that was not seen in training */

struct arc_item {
    uint32_t N;
    size_t first; /* its first word */
};

struct arc_set {
    struct arc_item *item; /* [count] of the sentences that are here */
    uint32_t count;
    size_t words;                     /* of these */
    uint32_t sentences;               /* of the corpus; more than `count` if other ranks have some */
    uint64_t all_words;               /* of the corpus */
    struct own_sentences own;         /* which of them are here; set it before the first is added */
    struct arc_word *word;            /* [words] */
    bool partial;                     /* heads and relations may be open; set it before the first is added */
    uint64_t open;                    /* words of the corpus whose head is */
    uint32_t *head, *relation;        /* [words] gold; a relation is open where the head is */
    bool *punctuation;                /* [words] */
    struct score_list outside_scores; /* of all sentences, from elsewhere, in place of features; or empty */
    uint32_t arc_bits, relation_bits; /* features are hashed into 2^bits blocks */
    struct first_tree **first;        /* [count] what a first stage says, for arcs of a second; NULL: there is none */
    uint32_t second_bits;
    size_t item_capacity, word_capacity, head_capacity, relation_capacity, punctuation_capacity, first_capacity;
};

/* Appends a sentence with its gold tree. With `grow`, relations that are new are added to `relations`. */
bool arc_set_add(struct arc_set *set, const struct sentence *sentence, struct dictionary *relations, bool grow,
                 struct vouch_error *err);

/* Counts a sentence that another rank holds, and its relations. */
bool arc_set_pass(struct arc_set *set, const struct sentence *sentence, struct dictionary *relations,
                  struct vouch_error *err);

/* Returns a sentence of the corpus, which must be here. */
const struct arc_item *arc_set_item(const struct arc_set *set, uint32_t sentence);

/* Makes room for what a first stage says of every sentence that is here; nothing is said yet. */
bool arc_set_stack(struct arc_set *set, struct vouch_error *err);

/* Has a first stage answer a sentence, which must be here: on several threads, if each has other sentences. */
bool arc_set_answer(struct arc_set *set, uint32_t sentence, const struct first_stage *stage, struct first_work *work,
                    struct vouch_error *err);

/* Sends sentences to the first rank, except those that it holds already. */
bool arc_set_send(struct arc_set *set, const uint32_t *sentence, uint32_t count, struct vouch_error *err);

/*
 * Returns the two layers as learning sees them: views that must not outlive the set. Arcs are those of the second stage
 * if there is a first one.
 */
struct examples arc_set_arcs(const struct arc_set *set, const struct structure *trees);
struct examples arc_set_relations(const struct arc_set *set, uint32_t relations, const struct structure *chains);

/* The relations given other arcs than gold's, such as those that were chosen; a view like the others. */
struct chosen_arcs {
    const struct arc_set *set;
    const uint32_t *head; /* [words] */
};
struct examples chosen_arcs_relations(const struct chosen_arcs *chosen, uint32_t relations,
                                      const struct structure *chains);

void arc_set_release(struct arc_set *set);

#endif
