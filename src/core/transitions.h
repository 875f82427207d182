/*
 * Transitions are the steps from one label to the next that a scheme writes: in IOB2 no I-X after O.
 *
 * A model that answers within its scheme scores all other steps -inf, as it does before the first word and after the
 * last one, which count as O. Every decoder then gives what holds among the labelings that are left, and need not know
 * of it: the best, the K best, marginals, margins, draws.
 */
#ifndef VOUCH_CORE_TRANSITIONS_H
#define VOUCH_CORE_TRANSITIONS_H

#include "core/scheme.h"
#include "core/scores.h"

/* Index `labels` stands for the outside of the sentence. */
struct transitions {
    uint32_t labels; /* Y */
    bool *allowed;   /* [Y + 1][Y + 1] whether the right label may follow the left; NULL: all may */
};

bool transitions_init(struct transitions *t, enum scheme scheme, const struct text *label, uint32_t labels,
                      struct vouch_error *err);
void transitions_release(struct transitions *t);

/*
 * Whether the labels suffice to write every text in the scheme: O, and for each type what begins and ends a chunk. Then
 * a word of a longer sentence always has several labels that can be completed.
 */
bool transitions_suffice(enum scheme scheme, const struct text *label, uint32_t labels);

/* Rules out what is not allowed: -inf for these steps. Chains of several words need edges. O(Y^2) a block of edges. */
void transitions_rule_out(const struct transitions *t, struct scores *scores);

/*
 * Whether a labeling is allowed that has these labels, or any where they are OPEN_CHOICE (core/sentence.h). O(N) where
 * none is open, else O(N Y^2).
 */
bool transitions_allow(const struct transitions *t, const uint32_t *known, uint32_t N, bool *allowed,
                       struct vouch_error *err);

#endif
