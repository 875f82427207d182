/*
 * A forest is boosted trees (boost.h) laid out for many rows at once: it gives
 * the same sums, to the last bit, as boost_apply() row by row.
 */
#ifndef VOUCH_FIT_FOREST_H
#define VOUCH_FIT_FOREST_H

#include "fit/boost.h"
#include "core/simd.h"

enum {
    FOREST_ROWS = 32, /* rows that are handled together */
    FOREST_DEPTH = 4, /* of all trees, as boost_defaults has it */
    FOREST_COLUMNS = 128
};

struct forest {
    uint32_t trees, columns;
    uint32_t *feature; /* [columns] whose values are ranked; of a feature with very many cuts, several columns */
    uint32_t *first;   /* [columns + 1] of its cuts */
    double *cut;       /* the thresholds of the trees, each once: of each column ascending */
    uint8_t *column;   /* [trees][15] of a node */
    int8_t *below;     /* [trees][15] rows of a rank below this one go left */
    double *leaf;      /* [trees][16] */
};

/* Lays the trees out. The forest is left empty, without trees, if their depth is another or they need more columns. */
bool forest_init(struct forest *forest, const struct boost *boost, struct vouch_error *err);

/*
 * Adds the trees' leaves to score [FOREST_ROWS], of which `count` rows count, whose signals are
 * x [features][FOREST_ROWS]; by the best instruction set there is, or by one.
 */
void forest_add(const struct forest *forest, const double *x, size_t count, double *score);
void forest_add_with(enum simd set, const struct forest *forest, const double *x, size_t count, double *score);

void forest_release(struct forest *forest);

#endif
