/*
 * What every job needs to know of how it is to be done, and what no result depends on but for the seed: it travels as
 * one struct from the options down to the loops.
 */
#ifndef VOUCH_BASE_WORK_H
#define VOUCH_BASE_WORK_H

#include "base/ranks.h"
#include "base/watch.h"

struct work {
    uint64_t seed;                   /* of all random choices */
    uint32_t threads;                /* at most so many, the caller's included */
    const struct ranks *ranks;       /* the processes that do the work together; NULL: this one alone */
    const struct vouch_watch *watch; /* is told of progress, and may stop the work; NULL: nobody watches */
};

#endif
