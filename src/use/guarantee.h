/*
 * A guarantee: an operating point whose precision, or recall, on text from the same source is at least what was asked
 * for, with a probability that was asked for. See guarantee.c.
 */
#ifndef VOUCH_USE_GUARANTEE_H
#define VOUCH_USE_GUARANTEE_H

#include "measure/interval.h"
#include "use/trade.h"

struct guarantee {
    enum direction wanted;    /* which figure is to be */
    double target;            /* at least this, from 0 to 1, */
    double level;             /* but for this probability, */
    bool towards[DIRECTIONS]; /* by thresholds in these directions */
};

/* The point that was found, and what it has on all sentences. */
struct guaranteed {
    uint32_t method;
    enum direction direction;
    double threshold;
    struct tag_counts counts;
    uint32_t cap; /* errors of one sentence that count at most */
    bool found;   /* else nothing is known but */
    double best;  /* the largest target that would have been met, about; 0: none */
};

/* Looks for the point of the most of the other figure. */
bool guarantee_find(const struct trade *trade, const struct guarantee *asked, struct guaranteed *found,
                    struct vouch_error *err);

/* The interval of 0.9 of a figure at a threshold, by sentences: from 0 to 1. */
bool guarantee_interval(const struct trade *trade, const struct guaranteed *at, enum direction which,
                        struct interval *interval, struct vouch_error *err);

#endif
