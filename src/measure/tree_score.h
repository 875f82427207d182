/*
 * A tree score tells how well parsed trees agree with gold ones.
 *
 * Attachment is counted over all words, as the UD scorer does, and over the words that are not punctuation, as the
 * CoNLL-X scorer does. A relation is right if it is the same to the letter; `universal` compares only the part before
 * the colon (nsubj:pass as nsubj), as the UD scorer does.
 */
#ifndef VOUCH_MEASURE_TREE_SCORE_H
#define VOUCH_MEASURE_TREE_SCORE_H

#include "measure/tag_score.h"

struct attachment {
    uint64_t words, heads, labelled, universal; /* all; right head; and right relation; and right universal relation */
};

enum { DISTANCES = 8 }; /* to the root; 1, 2, 3, 4-6, 7-10, 11-20, 21 and more words */

struct tree_score {
    uint64_t sentences, complete, complete_labelled; /* all; every head right; and every relation */
    uint64_t right_roots;                            /* sentences whose root words are the right ones */
    uint64_t one_root;                               /* guessed trees with exactly one root child */
    struct attachment all, words_only;               /* words_only: without punctuation */
    struct attachment distance[DISTANCES];           /* by length of the gold arc */
    struct tag_row *row;                             /* [rows] by name */
    size_t rows, row_capacity;
};

/* One parsed sentence; relations may be NULL for unlabelled trees. */
struct tree_pair {
    uint32_t N;
    const uint32_t *gold_head, *head;            /* [N] 0 the root, else a word from 1 */
    const struct text *gold_relation, *relation; /* [N] */
    const bool *punctuation;                     /* [N] */
};

bool tree_score_add(struct tree_score *score, const struct tree_pair *pair, struct vouch_error *err);

extern const char *const tree_distance_name[DISTANCES]; /* of the rows of `distance` */

void tree_score_release(struct tree_score *score);

#endif
