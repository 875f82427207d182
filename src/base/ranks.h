/*
 * Ranks are processes that do one piece of work together, on one machine or on several.
 *
 * All of them run the same command on the same files: they parse the options, open the model and read the input, and
 * the first one speaks and writes. They call the functions below in the same order, each with its own share of the
 * numbers. What is added up are integers, so that the sums depend neither on how many ranks there are nor on the order
 * in which they are added.
 *
 * After a loop, ranks exchange the results of its jobs, not sums of real numbers, which would depend on the order. So
 * every rank has the same numbers from then on, and runs the same code as a process that works alone.
 *
 * A rank that fails ends all the others (src/ranks/), so callers need not tell each other about failures. NULL means
 * that the process works alone; the functions then do nothing, at no cost.
 */
#ifndef VOUCH_BASE_RANKS_H
#define VOUCH_BASE_RANKS_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

/* The ranks and, behind the seam, what joins them. */
struct ranks {
    uint32_t rank, count; /* this one of so many */
    void *self;

    /* Adds up, number by number, what the ranks have; each gets the sums. */
    bool (*sum)(void *self, int64_t *number, size_t count, struct vouch_error *err);

    /* Does the same with bits and "or". */
    bool (*unite)(void *self, uint64_t *bits, size_t count, struct vouch_error *err);

    /* Puts the bytes of all ranks one after the other into `all`, on the rank `to` or on all (FOR_ALL). */
    bool (*gather)(void *self, const char *own, const uint64_t *size /* [count] */, uint32_t to, char *all,
                   struct vouch_error *err);
};

static inline uint32_t ranks_count(const struct ranks *ranks)
{
    return ranks ? ranks->count : 1;
}

static inline uint32_t ranks_own(const struct ranks *ranks)
{
    return ranks ? ranks->rank : 0;
}

/* Whether this is the rank that speaks and writes for all. */
static inline bool ranks_first(const struct ranks *ranks)
{
    return ranks_own(ranks) == 0;
}

bool ranks_sum(const struct ranks *ranks, int64_t *number, size_t count, struct vouch_error *err);
bool ranks_unite(const struct ranks *ranks, uint64_t *bits, size_t count, struct vouch_error *err);

/* The bytes of every rank: those of rank r are bytes + start[r] .. bytes + start[r + 1]. Release in any case. */
struct gathered {
    char *bytes;
    uint64_t *start; /* [count + 1] */
    uint32_t count;
};

/*
 * Collects the bytes of all ranks on the rank `to`, where the others get nothing, or on all of them (FOR_ALL). A
 * process that works alone gets a copy of its own bytes.
 */
#define FOR_FIRST 0
#define FOR_ALL UINT32_MAX
bool ranks_gather(const struct ranks *ranks, const void *own, size_t size, uint32_t to, struct gathered *gathered,
                  struct vouch_error *err);
void gathered_release(struct gathered *gathered);

/* Whether this rank does a job, where rank r of R does the jobs r, r + R, r + 2R and so on. */
static inline bool ranks_do(const struct ranks *ranks, uint32_t job)
{
    return job % ranks_count(ranks) == ranks_own(ranks);
}

/* Returns how many of `jobs` jobs this rank does. */
static inline uint32_t ranks_share(const struct ranks *ranks, uint32_t jobs)
{
    return (jobs + ranks_count(ranks) - 1 - ranks_own(ranks)) / ranks_count(ranks);
}

/* Gives all ranks the results of all jobs, `size` bytes each, of which each rank has filled in its own. */
bool ranks_exchange(const struct ranks *ranks, void *result, uint32_t jobs, size_t size, struct vouch_error *err);

#endif
