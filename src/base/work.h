/*
 * How a job is to be run: seed, threads, ranks and watch, as one struct that is passed from the options down to the
 * loops. Of these, results depend on the seed alone.
 */
#ifndef VOUCH_BASE_WORK_H
#define VOUCH_BASE_WORK_H

#include "base/ranks.h"
#include "base/watch.h"

struct work {
    uint64_t seed;                   /* of all random choices */
    uint32_t threads;                /* at most so many, the caller's included */
    const struct ranks *ranks;       /* the processes that do the work together; NULL: this one alone */
    const struct vouch_watch *watch; /* gets events, and may stop the work; NULL: there is none */
};

#endif
