/*
 * Refits a ranking to decisions: finds what to add to log-odds that are there already.
 */
#ifndef VOUCH_REVIEW_REFIT_H
#define VOUCH_REVIEW_REFIT_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

/* A feature of a row. Features with the same key have the same weight, and must have the same spread. */
struct refit_feature {
    uint64_t key;
    double value;
    double spread; /* the prior standard deviation of its weight: above 0 */
};

/* Rows that were decided: features of row i are feature[start[i]] .. feature[start[i + 1] - 1]. */
struct refit_rows {
    const double *offset; /* [n] log-odds that it is wrong, before the decisions */
    const bool *wrong;    /* [n] what was decided */
    const size_t *start;  /* [n + 1] */
    const struct refit_feature *feature;
    size_t n;
};

/* Weights of the features that occurred. */
struct refit {
    uint64_t *key; /* [count] ascending */
    double *weight;
    size_t count;
};

/* Fits the weights. Release them in any case. */
bool refit_fit(struct refit *refit, const struct refit_rows *rows, struct vouch_error *err);
void refit_release(struct refit *refit);

/* Returns what is to be added to the log-odds of a row with these features; 0 if none of them ever occurred. */
double refit_apply(const struct refit *refit, const struct refit_feature *feature, size_t count);

#endif
