/* Applies methods of confidence in worlds whose answers can all be listed. */
#ifndef VOUCH_TESTS_METHOD_WORLDS_H
#define VOUCH_TESTS_METHOD_WORLDS_H

#include "confidence/committee.h"

#include "worlds.h"

#include "must.h"
#include "test.h"

enum { EVERYTHING = EVIDENCE_MARGIN | EVIDENCE_MARGINALS | EVIDENCE_KBEST | EVIDENCE_FIX | EVIDENCE_PC, ROUNDS = 300 };

static struct noise *noise;

FIXTURE(make_noise)
{
    return (noise = noise_new(7, &err)) ? 0 : -1;
}

FIXTURE(drop_noise)
{
    noise_free(noise);
    return 0;
}

static const struct evidence *evidence_of(const struct world *w, uint32_t v)
{
    return &w->workspace.evidence[v];
}

static inline void must_be_near(double got, double expected, double by, const char *what)
{
    if (!(got == expected || fabs(got - expected) <= by))
        fail_msg("%s is %.12g, not %.12g", what, got, expected);
}

/* Margins. */

static inline double best_score(const struct world *w, uint32_t v)
{
    double best = -INFINITY;
    for (uint32_t i = 0; i < w->answers; i++)
        best = fmax(best, w->all[i].score[v]);
    return best;
}

#endif
