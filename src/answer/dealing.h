/*
 * Deals the sentences of a stream out to ranks, round by round.
 *
 * Every rank reads all sentences and deals them in the same way, so that none has to be told what it is to answer. A
 * sentence goes to the rank that has the least to do in this round, to the first of them if there are several: labels
 * cost time by the word, trees by the square of the words. A round is long enough for the ranks to be done with it at
 * about the same time, and short enough to be kept in memory; where it ends depends on the sentences and on the number
 * of ranks alone.
 */
#ifndef VOUCH_ANSWER_DEALING_H
#define VOUCH_ANSWER_DEALING_H

#include "base/ranks.h"

struct dealing {
    const struct ranks *ranks;
    bool trees;      /* what is answered */
    uint32_t *owner; /* [dealt] the rank that answers each sentence of this round */
    size_t dealt, capacity;
    uint64_t *load; /* [ranks] what each has to do in this round */
    uint64_t words; /* of this round */
};

/* Begins with an empty round; release in any case. */
bool dealing_init(struct dealing *dealing, const struct ranks *ranks, bool trees, struct vouch_error *err);
void dealing_release(struct dealing *dealing);

void dealing_begin_round(struct dealing *dealing);
bool dealing_round_is_full(const struct dealing *dealing);

/* Deals out the next sentence, of N words: to the rank that has the least to do, or to a given one. */
bool dealing_deal(struct dealing *dealing, uint32_t N, struct vouch_error *err);
bool dealing_give(struct dealing *dealing, uint32_t rank, struct vouch_error *err);

/* Whether this rank answers the sentence that was dealt out last. */
bool dealing_last_is_own(const struct dealing *dealing);

#endif
