/*
 * A forecaster makes one probability of a row of signals.
 *
 * It is a logistic model, boosted trees that are added to its log-odds, and a calibration of the result of both. The
 * strength of the logistic model's prior grows with the number of errors: signals that are nearly the same then share
 * the weight, which ranks errors better (average precision 0.344 instead of 0.335 on held-out noun phrases, 0.536
 * instead of 0.531 on Spanish names); the calibration corrects probabilities that the prior keeps too close to the
 * mean.
 *
 * The signals of the counts, which tell how training labelled the word, interact with the others: trees that start
 * from the log-odds of the logistic model gain twice as much by them as that model alone (docs/MEASUREMENTS.md). Trees
 * and their number are cross-fitted.
 */
#ifndef VOUCH_FIT_FORECASTER_H
#define VOUCH_FIT_FORECASTER_H

#include "base/memory.h"
#include "fit/calibrate.h"
#include "fit/logistic.h"

/* ---- Boosted trees ---- */

/*
 * Boosting finds the probability of being right from a few numbers whose effects need be neither linear nor
 * independent. It is a sum of small trees, added to log-odds that the caller has already:
 *
 *     log-odds(x) = start(x) + sum over trees of the leaf that x falls into
 *
 * A tree is complete and lies flat: node i has the children 2i + 1 (taken if x[feature] <= threshold, or not a number)
 * and 2i + 2 (taken if x[feature] > threshold). A node that is not worth splitting has the same leaves on either side.
 */
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

/* ---- Forests ---- */

/*
 * A forest is boosted trees laid out for many rows at once: it gives
 * the same sums, to the last bit, as boost_apply() row by row.
 */
enum {
    FOREST_ROWS = 32, /* rows that are handled together */
    FOREST_DEPTH = 4, /* of all trees, as boost_defaults has it */
    FOREST_COLUMNS = 128
};

struct forest {
    uint32_t trees, columns;
    uint32_t *feature;  /* [columns] whose values are ranked; of a feature with very many cuts, several columns */
    uint32_t *first;    /* [columns + 1] of its cuts */
    double *cut;        /* the thresholds of the trees, each once: of each column ascending */
    uint8_t *column;    /* [trees][15] of a node */
    int8_t *below;      /* [trees][15] rows of a rank below this one go left */
    double *leaf;       /* [trees][16] */
    struct arena arena; /* of all these */
};

/* Lays the trees out. The forest is left empty, without trees, if their depth is another or they need more columns. */
bool forest_init(struct forest *forest, const struct boost *boost, struct vouch_error *err);

/* Adds the leaves of the first `count` rows, whose signals are x [features][FOREST_ROWS], to score [FOREST_ROWS]. */
void forest_add(const struct forest *forest, const double *x, size_t count, double *score);

void forest_release(struct forest *forest);

/* ---- Forecasters ---- */

struct forecaster {
    bool fitted;
    struct logistic logistic;
    struct boost boost;       /* added to its log-odds */
    struct calibration after; /* CALIBRATE_NONE: none is needed */
    struct forest forest;     /* `boost`, laid out by forecaster_prepare(); empty before */
};

/*
 * Learns from all rows, and is calibrated on the numbers that it gives to rows that it has not seen. held [n] are the
 * probabilities of a calibrated forecaster for rows that neither it nor its calibration has seen.
 */
bool forecaster_fit(struct forecaster *forecaster, const struct logistic_rows *rows, uint64_t seed, uint32_t threads,
                    double *held, struct vouch_error *err);

/*
 * Does the same for rows whose first signal is the log-odds of a held-out probability that is good already: the
 * logistic model passes these on, and trees correct them by the other signals, as far as that helps.
 */
bool forecaster_correct(struct forecaster *forecaster, const struct logistic_rows *rows, uint64_t seed,
                        uint32_t threads, double *held, struct vouch_error *err);
double forecaster_apply(const struct forecaster *forecaster, const double *signal);

/* Finds the probabilities p [n] of rows of signals: the same numbers, several times faster after forecaster_prepare().
 */
void forecaster_apply_rows(const struct forecaster *forecaster, const double *signal, size_t n, double *p);
bool forecaster_prepare(struct forecaster *forecaster, struct vouch_error *err);
void forecaster_release(struct forecaster *forecaster);

#endif
