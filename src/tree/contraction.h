/*
 * Contraction finds the best one-root tree, and keeps the intermediate results, from which trees without a given arc
 * are found quickly. It is shared by the files of this folder; contraction.c describes the algorithm.
 *
 * Nodes are numbered: 0 is the root, 1 .. N the words, and from N + 1 on sets of nodes. A set has a higher number than
 * its members. Words and heads have the same numbers, so a head is 0 .. N and arrays of heads leave out [0].
 */
#ifndef VOUCH_TREE_CONTRACTION_H
#define VOUCH_TREE_CONTRACTION_H

#include "tree/tree.h"

struct node {
    double pick;      /* reduced score of the arc taken into it */
    uint32_t head;    /* where that arc comes from: the root or a word */
    uint32_t parent;  /* the set it is a member of; 0 if none, itself if it is a set that was dissolved */
    uint32_t member;  /* first member of a set */
    uint32_t sibling; /* the next member of its parent, 0 after the last */
};

struct contraction {
    const struct scores *scores;
    uint32_t N, nodes, roots;
    size_t stride;      /* of a row: 1 + N heads and padding, which is -inf */
    double score;       /* of `heads` */
    double penalty;     /* the cost of an arc from the root at which one of them is best */
    double *row;        /* [3N][stride] for node v and every head, the reduced score of its best arc into v */
    double *root_score; /* [N + 1] of the arcs from the root */
    double *loss;       /* [N] of root[i]: how much less its best arc from elsewhere scores */
    double *hidden;     /* [N + 1] what rows held while an arc is hidden */
    struct node *node;  /* [3N] */
    struct node *kept;  /* [3N] */
    uint32_t *top;      /* [3N] for every word, the largest set it is in, or itself */
    uint32_t *kept_top; /* [3N] */
    uint32_t *mark;     /* [3N] */
    uint32_t *root;     /* [N] the largest nodes that depend on the root */
    uint32_t *heads;    /* [N + 1] the best tree */
    uint32_t *entered;  /* [N + 1] for every word, the largest node that is entered there */
    char *rest;         /* memory left to the caller, aligned for doubles */
};

/* Lays out `c` in `scratch`, with `more` bytes for the caller after it; N > 0. */
bool contraction_open(struct contraction *c, const struct scores *scores, size_t more, struct scratch *scratch,
                      struct vouch_error *err);

/* Fills the rows of the words from the scores. O(N^2). */
void contraction_fill(struct contraction *c);

/*
 * Finds the best one-root tree for the rows of the words, which stay as they
 * are. False if all are -inf: `heads` is then a chain under the first word. O(N^2).
 */
bool contraction_solve(struct contraction *c);

/* Prepares `c`, solved, for the next two functions. O(N). */
void contraction_ready(struct contraction *c);

/*
 * Finds the best one-root tree in which word v has another head than in c->heads. False if there is none; perhaps also,
 * without having looked, if none scores more than `least`. `c` is left as it was. O(N) in most cases, at most O(N^2).
 */
bool contraction_exclude(struct contraction *c, uint32_t v, double least, uint32_t *heads /* [N + 1] */);

/*
 * Finds the best tree other than c->heads, among those in which the same word depends on the root. Returns a word that
 * has another head there, 0 if no tree scores more than `least`. `fixed` words are known to have no other head. O(N^2).
 */
uint32_t contraction_exchange(struct contraction *c, const bool *fixed /* [N + 1] */, double least,
                              uint32_t *heads /* [N + 1] */);

/* Returns the score of `heads`, summed from the first word to the last. */
double contraction_score(const struct contraction *c, const uint32_t *heads);

/* Whether `choice` is legal and has exactly this score, unless that is not finite; for assertions. */
bool tree_verified(const struct scores *scores, const uint32_t *choice, double score, struct scratch *scratch);

/* Returns the row of node v > 0. */
static inline double *row_of(const struct contraction *c, uint32_t v)
{
    return c->row + (size_t)(v - 1) * c->stride;
}

static inline double larger(double a, double b)
{
    return a > b ? a : b;
}

#endif
