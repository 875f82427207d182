/*
 * Scores of Python as scores of the library.
 */
#ifndef PY_SCORES_H
#define PY_SCORES_H

#include "py_floats.h"

/* The scores of one sentence: [sets][words][width] of nodes, or [sets][words+1][words+1] of arcs. */
struct sentence_scores {
    size_t words, width, sets;
    size_t before; /* the words of all sentences before it */
    struct floats part, edge; /* edge.at is NULL if there are none, or if they are the same for all sentences */
};

struct all_scores {
    bool trees;
    struct sentence_scores *at; /* [count] */
    size_t count, words;
    struct floats edge; /* the same for all sentences; edge.at is NULL if there are none */
};

/*
 * Takes a tuple of sentences, each a tuple (words, width, sets, pieces, pieces of edges or None), and the pieces of
 * edges that all sentences share, or None. False with an exception; release them in any case, with the GIL.
 */
bool scores_take(struct all_scores *scores, bool trees, PyObject *sentences, PyObject *edge);
void scores_release(struct all_scores *scores);

/* Return the scores of a sentence as the library takes them. */
struct vouch_chain_scores chain_scores(const struct all_scores *scores, size_t sentence);
struct vouch_tree_scores tree_scores(const struct all_scores *scores, size_t sentence);

#endif
