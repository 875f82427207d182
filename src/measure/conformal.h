/*
 * Conformal risk control finds the largest threshold at which sets miss no more than is allowed, in the mean over later
 * sentences. See conformal.c.
 */
#ifndef VOUCH_MEASURE_CONFORMAL_H
#define VOUCH_MEASURE_CONFORMAL_H

#include <stdbool.h>
#include <stddef.h>

/* Something that a set misses if the threshold is above its score, or if that is 0; `share` of a sentence's things. */
struct miss {
    double score, share;
};

/*
 * Returns the threshold for `sentences` sentences, whose losses lie between 0 and 1, and a mean loss of at most `risk`;
 * 1 if any would do. Sorts the misses. *reached is `risk`; or, if no threshold keeps that, the least mean loss that can
 * be promised.
 */
double conformal_threshold(struct miss *miss, size_t misses, size_t sentences, double risk, double *reached);

#endif
