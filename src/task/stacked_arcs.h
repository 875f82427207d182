/*
 * The second stage of parsing: arcs that are scored again by features of a whole tree, that of a first stage (stacking:
 * Martins, Das, Smith and Xing, "Stacking dependency parsers", 2008).
 *
 * A first-order model scores an arc by the two words and what surrounds them. The second stage is first order, too, and
 * so decodes, learns and judges as the first does; but its features look at the neighbours that the arc has in the
 * first stage's tree: siblings, children, grandparent, valency. Only likely arcs have such features, some four or five
 * a word: those whose probability by the first stage is at least 0.002, and those of its tree.
 *
 *     score(m, h) = offset(m, h) + w . f(m, h, tree)
 *     offset      = s(m, h) - max over h' of s(m, h')     of a likely arc, s the first stage's score
 *                   -8                                  of any other; f then has one feature, that it is unlikely
 *
 * With w = 0 the answer is the first stage's, but where arcs of -8 make up for likely ones. What is unlikely is not
 * impossible: every tree has a score and a probability, so that heads that are known, or given to be judged, may be
 * any, and gold arcs can be learned from without adding them. Scores of -inf would save no time, as decoding looks at
 * all pairs of words, and keeping all the first stage's scores would take memory that grows with the arcs.
 *
 * For learning, sentences must have been answered by a first stage that has not learned from them
 * (train/cross_fitting.h).
 */
#ifndef VOUCH_TASK_STACKED_ARCS_H
#define VOUCH_TASK_STACKED_ARCS_H

#include "task/arc_features.h"

/* An arc that the first stage finds likely. */
struct likely_arc {
    uint32_t head;
    float offset;
    uint32_t odds; /* its probability, in steps of log-odds */
};

/*
 * What the first stage says of a sentence. One block of memory, to free(): behind the heads of its tree are where each
 * word's likely arcs start, start [N + 1], and these, by word and head, arc [arcs].
 */
struct first_tree {
    uint32_t N, arcs;
    uint32_t head[]; /* [N] */
};

/* The scores of a first stage, and the memory that answering takes: zero it before first use. */
struct first_work {
    struct scratch encoding, decoding;
    struct scores scores, marginal;
};
void first_work_release(struct first_work *work);

/* A first stage: the weights of arcs, whose features are hashed into 2^bits blocks. */
struct first_stage {
    uint32_t bits;
    const struct space *space;
    const float *mean;
    const struct weight_steps *steps;
};

/* Returns what the first stage says of a sentence, to free(). O(N^3), as marginals are. */
struct first_tree *first_tree_find(const struct first_stage *stage, const struct arc_word *word, uint32_t N,
                                   struct first_work *work, struct vouch_error *err);

/* Returns the bytes of the block; the same of one that begins at `bytes`, at any address. */
size_t first_tree_size(const struct first_tree *tree);
size_t first_tree_sent(const char *bytes);

/* Makes the parts of all arcs for the second stage, whose features are hashed into 2^bits blocks, in `scratch`. */
bool stacked_parts(const struct arc_word *word, const struct first_tree *tree, uint32_t bits, struct scratch *scratch,
                   struct parts *parts, struct vouch_error *err);

#endif
