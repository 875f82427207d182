/*
 * Declares the two ways of tree_marginals() one by one, for its tests. Both
 * take scores that have passed its checks (N > 0, R > 0, 0 <= scale <= 1e100).
 */
#ifndef VOUCH_TREE_MARGINALS_H
#define VOUCH_TREE_MARGINALS_H

#include "tree/tree.h"

/* Computes without logarithms. Also fails where the result could not be trusted. */
bool tree_marginals_linear(const struct scores *scores, double scale, struct scratch *scratch, struct scores *marginal,
                           double *log_z, struct vouch_error *err);

/* Computes by logarithms: takes any scores, but is slower. */
bool tree_marginals_logarithmic(const struct scores *scores, double scale, struct scratch *scratch,
                                struct scores *marginal, double *log_z, struct vouch_error *err);

#endif
