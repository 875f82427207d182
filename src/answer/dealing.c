/* Deals sentences out to ranks: see dealing.h. Linear in the ranks for each sentence. */
#include "answer/dealing.h"

#include "base/memory.h"

#include <string.h>

enum { ROUND = 512, ROUND_WORDS = 1 << 16 }; /* sentences and words of a round, for each rank */

bool dealing_init(struct dealing *d, const struct ranks *ranks, bool trees, struct vouch_error *err)
{
    *d = (struct dealing){.ranks = ranks, .trees = trees};
    d->load = new_array(ranks_count(ranks), sizeof *d->load, err);
    return d->load != NULL;
}

void dealing_release(struct dealing *d)
{
    free(d->owner);
    free(d->load);
    *d = (struct dealing){0};
}

void dealing_begin_round(struct dealing *d)
{
    memset(d->load, 0, ranks_count(d->ranks) * sizeof *d->load);
    d->dealt = 0;
    d->words = 0;
}

bool dealing_round_is_full(const struct dealing *d)
{
    uint64_t ranks = ranks_count(d->ranks);
    return d->dealt >= ranks * ROUND || d->words >= ranks * ROUND_WORDS;
}

bool dealing_give(struct dealing *d, uint32_t rank, struct vouch_error *err)
{
    if (!RESERVE(d->owner, d->capacity, d->dealt + 1, err))
        return false;
    d->owner[d->dealt++] = rank;
    return true;
}

bool dealing_deal(struct dealing *d, uint32_t N, struct vouch_error *err)
{
    uint32_t idlest = 0;
    for (uint32_t r = 1; r < ranks_count(d->ranks); r++)
        if (d->load[r] < d->load[idlest])
            idlest = r;
    d->load[idlest] += 1 + (uint64_t)N * (d->trees ? N : 1);
    d->words += N;
    return dealing_give(d, idlest, err);
}

bool dealing_last_is_own(const struct dealing *d)
{
    return d->owner[d->dealt - 1] == ranks_own(d->ranks);
}
