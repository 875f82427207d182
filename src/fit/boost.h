/*
 * Boosting finds the probability of being right from a few numbers whose effects need be neither linear nor
 * independent. It is a sum of small trees, added to log-odds that the caller has already:
 *
 *     log-odds(x) = start(x) + sum over trees of the leaf that x falls into
 *
 * A tree is complete and lies flat: node i has the children 2i + 1 (taken if x[feature] <= threshold, or not a number)
 * and 2i + 2 (taken if x[feature] > threshold). A node that is not worth splitting has the same leaves on either side.
 */
#ifndef VOUCH_FIT_BOOST_H
#define VOUCH_FIT_BOOST_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

enum { BOOST_DEEPEST = 6 };

struct boost {
    uint32_t features, trees, depth;
    uint32_t *feature; /* [trees][2^depth - 1] */
    double *threshold; /* [trees][2^depth - 1] finite */
    double *leaf;      /* [trees][2^depth] */
};

/* The rows to learn from. */
struct boost_rows {
    const double *x;      /* [n][features] infinite and NAN allowed */
    const bool *right;    /* [n] */
    const double *start;  /* [n] log-odds that the trees are added to */
    const float *weight;  /* [n] how often a row counts; 0: it is not learned from */
    const uint32_t *part; /* [n] from 0: rows of a part are held out together */
    size_t n;
    uint32_t features, parts;
};

struct boost_options {
    uint32_t trees;    /* at most */
    uint32_t depth;    /* 1 .. BOOST_DEEPEST */
    uint32_t patience; /* trees without a gain on the held-out rows before stopping */
    double least;      /* curvature in a leaf: rows count by how unsure they are */
    double rate;       /* how much of each tree is added */
    double l2;         /* prior on the leaves, > 0 */
};

extern const struct boost_options boost_defaults;

/*
 * Cross-fits, then fits. Each part is held out once, and the trees of all parts grow side by side, until more of them
 * do not help the rows held out; held [n] are the log-odds of each row by the trees that have not seen its part. As
 * many trees are then learned from all rows, perhaps none. Deterministic.
 */
bool boost_fit(const struct boost_rows *rows, const struct boost_options *options, uint32_t threads,
               struct boost *boost, double *held, struct vouch_error *err);

/* Returns the log-odds of a row: `start`, and what the trees add. */
double boost_apply(const struct boost *boost, double start, const double *x /* [features] */);

void boost_release(struct boost *boost);

#endif
