/*
 * What tests of decoders do with a problem. Include it after `struct problem`, which each of them has of its own, with
 * fields `scores` and `scratch`.
 */
#ifndef VOUCH_TESTS_SCORED_PROBLEM_H
#define VOUCH_TESTS_SCORED_PROBLEM_H

#include "test.h"

static inline struct problem *new_problem(void)
{
    struct problem *p = calloc(1, sizeof *p);
    assert_non_null(p);
    return p;
}

static inline void release(struct problem *p)
{
    scores_release(&p->scores);
    scratch_release(&p->scratch);
    free(p);
}

/* Working memory that is full of NaN patterns, so that no code can rely on what an earlier call left there. */
static inline struct scratch *dirty(struct problem *p)
{
    if (p->scratch.bytes)
        memset(p->scratch.bytes, 0xFF, p->scratch.capacity);
    return &p->scratch;
}

#endif
