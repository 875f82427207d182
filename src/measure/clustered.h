/*
 * Computes a share of things that come in clusters, such as entities in sentences, and its interval: see clustered.c.
 */
#ifndef VOUCH_MEASURE_CLUSTERED_H
#define VOUCH_MEASURE_CLUSTERED_H

#include "measure/interval.h"

/* Sums over clusters of `of` things, `right` of which count. Zero it before first use. */
struct clustered {
    double clusters, right, of, right_square, cross, of_square;
};

void clustered_add(struct clustered *sum, double right, double of);

/* Return the share, and the interval that holds it with a probability of 0.9; NAN, and 0 to 1, if there is nothing. */
double clustered_share(const struct clustered *sum);
struct interval clustered_interval(const struct clustered *sum);

#endif
