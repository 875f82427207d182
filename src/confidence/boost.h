/*
 * Boosting: the probability of being right, from a few numbers whose effects
 * need be neither straight nor independent. A sum of small trees:
 *
 *     p(x) = sigmoid(base + sum over trees of the leaf that x falls into)
 *
 * A tree is complete and lies flat: node i has the children 2i + 1 (taken if
 * x[feature] <= threshold, or not a number) and 2i + 2 (taken if x[feature] >
 * threshold). A node that is not worth splitting has the same leaves on either
 * side.
 */
#ifndef VOUCH_CONFIDENCE_BOOST_H
#define VOUCH_CONFIDENCE_BOOST_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

enum { BOOST_DEEPEST = 6 };

struct boost {
    uint32_t features, trees, depth;
    double base;
    uint32_t *feature; /* [trees][2^depth - 1] */
    double *threshold; /* [trees][2^depth - 1] finite */
    double *leaf;      /* [trees][2^depth] */
};

/* What to learn from. */
struct boost_rows {
    const double *x;       /* [n][features] infinite and NAN allowed */
    const bool *right;     /* [n] */
    const uint32_t *group; /* [n] rows that are held out together; NULL: each on its own */
    size_t n;
    uint32_t features;
};

struct boost_options {
    uint32_t trees;    /* at most */
    uint32_t depth;    /* 1 .. BOOST_DEEPEST */
    uint32_t patience; /* trees without a gain on the held-out rows before stopping */
    uint32_t least;    /* rows in a leaf */
    double rate;       /* how much of each tree is added */
    double l2;         /* prior on the leaves, > 0 */
    uint64_t seed;     /* of the choice of what is held out */
};

#define BOOST_DEFAULTS                                                                                                 \
    (struct boost_options)                                                                                             \
    {                                                                                                                  \
        .trees = 100, .depth = 3, .patience = 10, .least = 20, .rate = 0.1, .l2 = 1, .seed = 1                         \
    }

/*
 * Fits to four fifths of the groups and keeps as many trees as the last fifth
 * likes best, perhaps none. With one group nothing is held out and all trees are
 * kept. Deterministic.
 */
bool boost_fit(const struct boost_rows *rows, const struct boost_options *options, struct boost *boost,
               struct vouch_error *err);

double boost_apply(const struct boost *boost, const double *x /* [features] */);

void boost_release(struct boost *boost);

#endif
