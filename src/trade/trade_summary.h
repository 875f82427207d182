/*
 * Summarises curves of precision against recall.
 */
#ifndef VOUCH_TRADE_TRADE_SUMMARY_H
#define VOUCH_TRADE_TRADE_SUMMARY_H

#include "trade/trade.h"

#include <jansson.h>

enum { TRADE_ROWS = 11 };

/* Returns the unchanged answer, which is where all curves start. */
const struct trade_point *trade_unchanged(const struct trade *trade);

/* Returns the point that is furthest along a curve and has lost at most one point of F1. */
const struct trade_point *trade_within_a_point(const struct trade *trade, const struct trade_curve *curve);

/* Finds the points of a curve that are worth a row, [TRADE_ROWS]; returns how many there are. */
size_t trade_rows(const struct trade_curve *curve, const struct trade_point **row);

/* Returns the mean of a method's numbers for words rightly, or wrongly, outside of entities; NAN: there are none. */
double trade_mean_outside(const struct trade *trade, uint32_t method, bool rightly);

/* Returns the summary and the curves. */
json_t *trade_json(const struct trade *trade);

#endif
