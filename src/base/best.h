/*
 * Keeps the best of what is tried: rows come one after the other, each with a score, and the greatest score wins. Of
 * equal scores the first wins, and one that was not measured (NAN) never does. For a loss, offer it with its sign
 * changed. Zero it before first use; `row` may be set to a default for when nothing is offered.
 */
#ifndef VOUCH_BASE_BEST_H
#define VOUCH_BASE_BEST_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

struct best {
    size_t row;
    double score;
    bool any; /* a row has been offered */
};

/* Offers a row; true if it is now the best. */
static inline bool best_offer(struct best *best, size_t row, double score)
{
    if (isnan(score) || (best->any && score <= best->score))
        return false;
    *best = (struct best){row, score, true};
    return true;
}

#endif
