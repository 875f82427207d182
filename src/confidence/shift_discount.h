/*
 * The shift discount lowers the confidence in sentences that look as if they came from text of another kind.
 *
 * A committee is calibrated on sentences of the training text. On other text its probabilities are too high, above all
 * those of the chunks that it finds there. Simulated sentences (train/losses.h) show by how much. So a word's
 * probability p is a mixture of its value in text like the training text, and of that in simulated text:
 *
 *     p' = (1 - d) p + d min(p, q(p, profile))
 *     log-odds d = log-odds of a small share of other text + log of how many times likelier simulated sentences are
 *                  to look like this one
 *
 * d is given by a forecaster of the sentence's profile (committee_profile()), q by a logistic model of the profile and
 * p. A sentence like those of training has d near 0, and its confidence stays what it is.
 */
#ifndef VOUCH_CONFIDENCE_SHIFT_DISCOUNT_H
#define VOUCH_CONFIDENCE_SHIFT_DISCOUNT_H

#include "confidence/committee.h"
#include "fit/forecaster.h"

enum { UNLIKE_FEATURES = PROFILE_SIGNALS - PROFILE_LENGTH + 2 * COUNT_KINDS, OTHER_FEATURES = 1 + UNLIKE_FEATURES };

struct shift_discount {
    bool fitted;
    struct forecaster unlike; /* the probability that a sentence is a simulated one, among those it was fitted on */
    double balance;           /* what to add to its log-odds for the share of other text that is expected */
    struct logistic other;    /* q */
};

/* Words; those of a sentence are neighbours. */
struct discount_rows {
    const double *p;          /* [n] their probabilities; looked at by discount_fit_other() alone */
    const double *profile;    /* [n][PROFILE_SIGNALS] */
    const bool *right;        /* [n] */
    const uint32_t *sentence; /* [n] */
    size_t n;
};

/*
 * Fit discount, zero at first: what tells simulated sentences from real ones, then q. Nothing is fitted if there are no
 * rows of one kind. Release in any case.
 */
bool discount_fit_unlike(struct shift_discount *discount, const struct discount_rows *real,
                         const struct discount_rows *simulated, uint64_t seed, uint32_t threads,
                         struct vouch_error *err);
bool discount_fit_other(struct shift_discount *discount, const struct discount_rows *simulated,
                        struct vouch_error *err);

/* What the words of one sentence share: d, and their part of the log-odds of q. */
struct sentence_discount {
    double d, odds;
};
struct sentence_discount discount_of_sentence(const struct shift_discount *discount,
                                              const double *profile /* [PROFILE_SIGNALS] */);

/* Lowers the probability p of a word for which committee_concerns(); does nothing if discount was not fitted. */
double discount_word(const struct shift_discount *discount, const struct sentence_discount *sentence, double p);

void discount_release(struct shift_discount *discount);

#endif
