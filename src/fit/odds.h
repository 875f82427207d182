/* Probabilities, their odds and log-odds, and how near to certainty each of them may come. */
#ifndef VOUCH_FIT_ODDS_H
#define VOUCH_FIT_ODDS_H

#include <stdint.h>

/* Returns 1 / (1 + exp(-z)), which is non-decreasing to the last bit, and 0 and 1 for infinite z. */
double sigmoid(double z);

/* Return the inverse of sigmoid(); p counts as no nearer to 0 or 1 than 1e-6, in fine_log_odds() than 1e-9. */
double log_odds(double p);
double fine_log_odds(double p);

/* Returns p / (1 - p), bounded as in fine_log_odds(), of which it is the exponential. */
double fine_odds(double p);

/* Returns fine_log_odds(sigmoid(z)), without the digits that a probability near 1 would lose. */
double within_fine_odds(double z);

/* Returns p, drawn in by a millionth, as no finite sample gives certainty. Strictly ascending: no order is lost. */
double short_of_certainty(double p);

/* Returns the log-odds of a share of K votes, with half a vote more on both sides: all votes are not certainty. */
double vote_odds(double share, uint32_t K);

/* Returns log(1 + exp(z)), without overflow. */
double softplus(double z);

#endif
