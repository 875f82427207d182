/*
 * Whether probabilities can be believed: of things that a model put a probability on, how many were right.
 *
 * Things are divided into bins of about equally many by their probability, so that no bin is thin. A bin has its mean
 * probability, and the share that was right with an interval that holds it with a probability of 0.9; things of one
 * sentence are not independent, so sentences are the units of the sample (measure/intervals.h). Too few things have no
 * bins. O(n log n).
 */
#ifndef VOUCH_DESK_RELIABILITY_H
#define VOUCH_DESK_RELIABILITY_H

#include "base/error.h"
#include "desk/outlook.h"

/* A thing that a model put a probability on: a chunk, a word's label or its head. */
struct rated {
    uint32_t sentence; /* things of one sentence stand together */
    uint32_t type;
    double shown; /* the probability */
    bool right;
};

/* Types that are none, and all of them. */
#define RATED_OTHER (UINT32_MAX - 1)
#define RATED_ALL UINT32_MAX

/* Fewer things have no figures; a bin has at least so many. */
enum { LEAST_RATED = 30, LEAST_IN_BIN = 15, MOST_BINS = 5 };

struct rated_bin {
    size_t things;
    double shown; /* mean probability */
    struct figure right;
};

struct rated_summary {
    size_t things, missing; /* how many more it takes until there are figures */
    struct rated_bin all, bin[MOST_BINS];
    size_t bins;
};

/* Measures the things of a type, or RATED_ALL. False without memory. */
bool rated_summarise(const struct rated *rated, size_t count, uint32_t type, struct rated_summary *to,
                      struct vouch_error *err);

#endif
