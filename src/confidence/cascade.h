/*
 * A cascade finds what need not be drawn, before anything is: words whose
 * choice hardly any draw would change, and arcs that hardly any would take.
 */
#ifndef VOUCH_CONFIDENCE_CASCADE_H
#define VOUCH_CONFIDENCE_CASCADE_H

#include "confidence/noise.h"

/* The standard deviations of the noise that count as beyond doubt: for margins, and for differences of scores. */
struct cascade_limits {
    double margin, score;
};
extern const struct cascade_limits default_cascade_limits;

/* A sentence before it is drawn. */
struct undrawn {
    const struct drawing *drawing;
    const struct parts *parts;
    const struct scores *scores;
    const uint32_t *best; /* [N] the best answer */
    const double *margin; /* [N] how far it is ahead, of either sign, if cascade_needs_margins() */
};

/* Whether looking for what need not be drawn costs less than drawing it, and whether margins are needed for that. */
bool cascade_pays(const struct parts *parts, const struct scores *scores, bool own_variances);
bool cascade_needs_margins(const struct scores *scores);

/* Sets drawn[g] of every group; returns how many are to be drawn: all, where limits are infinite. */
size_t cascade_settle(const struct undrawn *sentence, struct cascade_limits limits, bool *drawn /* [G] */);

#endif
