/*
 * Computes the committee's signals of a head: how an arc fits into the tree around it.
 *
 * The model scores arcs one by one. These signals tell whether they fit together: the contexts of the arc (what
 * training had beside such arcs, core/tree_context.h), those of the arc to the likeliest other head, the arcs that it
 * crosses, and how sure the arcs beside it are.
 *
 * Cost: O(N^2) for a sentence, and 28 look-ups for each word.
 */
#ifndef VOUCH_CONFIDENCE_TREE_SIGNALS_H
#define VOUCH_CONFIDENCE_TREE_SIGNALS_H

#include "confidence/voice_set.h"

enum {
    TREE_SEEN = 3,     /* how often training saw the arc, the lemma of the head, the word with the tag of its head */
    TREE_OF_RIVAL = 2, /* the probability of the likeliest other head, and where it is */
    TREE_OF_SHAPE = 6, /* length, crossed arcs, the head's odds, dependents, their least odds, those of siblings */
    TREE_SIGNALS = 2 * TREE_CONTEXTS + TREE_SEEN + TREE_OF_RIVAL + TREE_OF_SHAPE
};

/* A number for every word, in rows that lie `stride` apart. */
struct column {
    const double *first;
    size_t stride;
};

/*
 * Computes those of all words: the first TREE_SIGNALS of every row of `signal`, which are as far apart as those of
 * odds. The workspace has looked at the first voice's marginals, of which odds are made.
 */
void tree_signals(const struct workspace *workspace, struct column odds, double *signal);

#endif
