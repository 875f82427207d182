/*
 * Finds an operating point whose precision, or recall, on text from the same source is at least a target, with a given
 * probability. See guarantee.c.
 */
#ifndef VOUCH_TRADE_GUARANTEE_H
#define VOUCH_TRADE_GUARANTEE_H

#include "measure/interval.h"
#include "trade/trade.h"

struct guarantee {
    enum direction wanted;    /* the figure to guarantee, */
    double target;            /* which must be at least this, from 0 to 1, */
    double level;             /* but for an error of this probability, */
    bool towards[DIRECTIONS]; /* by thresholds in these directions */
};

/* The point that was found, and its figures on all sentences. */
struct guaranteed {
    uint32_t method;
    enum direction direction;
    double threshold;
    struct tag_counts counts;
    uint32_t cap; /* at most so many errors of one sentence count */
    bool found;   /* if not, only this is known: */
    double best;  /* about the largest target that would have been met; 0: none */
};

/* Finds the point with the most of the other figure. */
bool guarantee_find(const struct trade *trade, const struct guarantee *asked, struct guaranteed *found,
                    struct vouch_error *err);

/* Finds the 90 % interval of a figure at a threshold, by sentences: from 0 to 1. */
bool guarantee_interval(const struct trade *trade, const struct guaranteed *at, enum direction which,
                        struct interval *interval, struct vouch_error *err);

#endif
