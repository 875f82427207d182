/*
 * The limit of draws: the share of drawn models that agree on a word if there were any number of them, without drawing.
 *
 * A drawn model gives word n another label y if some answer with y gets ahead of the best answer a. For each y take the
 * one that is closest, y's rival: it lies m behind, and the difference of the two has the noise A of a's parts where
 * they differ, and B of its own (chain/rivals.c), so that y wins if m + A - B < 0. Rivals share the noise of a's part
 * at word n. With A = sqrt(var A) z for one common z, and B independent, the probability that none wins is
 *
 *     P = E_z  prod_y  Phi((m_y + sqrt(var A_y) z) / sqrt(var B_y)),       z ~ N(0, 1)
 *
 * by Gauss and Hermite's rule of ten points. Where the closest rival is far, 1 - P is the sum of the rivals' tails. A
 * word that the cascade settled (evidence.h) has one rival, as far behind as its margin.
 *
 * It leaves out labellings that are second best for their label, and correlations of B, and is right on the mean: the
 * share of votes of 1,000 draws differs from it by little in either direction (docs/MEASUREMENTS.md). It has no luck
 * and no ties. Trees have no such limit: the closest rival alone ranks no better than the margin.
 *
 * Cost: O(n Y^2) for the n words that are not settled, and ten values of Phi for each of their labels.
 */
#ifndef VOUCH_CONFIDENCE_DRAW_LIMIT_H
#define VOUCH_CONFIDENCE_DRAW_LIMIT_H

#include "confidence/evidence.h"

/* Finds limit[n] of all words of an evidence; the deviation of `sentence` counts where words were settled. */
bool draw_limit(struct evidence *evidence, const struct undrawn *sentence, double *limit /* [N] */,
                struct vouch_error *err);

/* Returns the probability that a standard normal number exceeds x. */
double normal_tail(double x);

#endif
