/*
 * Joint probabilities tell how likely all parts of a chunk or of a sentence are right.
 *
 *     P(all) = P(least) * P(the others | least),      P(the others | least) = sigmoid(signals)
 *
 * The first factor, the probability of the least sure part, is a ceiling by construction: a chunk is never surer than
 * one of its words, a sentence never surer than one of its chunks. The second is fitted on held-out answers, whose
 * parts' probabilities must be held out as well: those of rows that a calibration has learned from are too good, and
 * chunks look surer than they are (ECE with 200 sentences 0.11 then, 0.06 so, on English and Spanish names).
 *
 * Signals are the method's own number for the whole, and then, from its parts: the least, the product of all (as if
 * parts were independent), the product of the others, their number, and what is around them.
 */
#ifndef VOUCH_CONFIDENCE_JOINT_H
#define VOUCH_CONFIDENCE_JOINT_H

#include "fit/logistic.h"
#include "confidence/evidence.h"

enum { JOINT_SIGNALS = 5 }; /* from the parts */

/*
 * Computes the signals [JOINT_SIGNALS] of chunk `span` in a sentence of N words with probabilities `word`; returns the
 * least of the chunk's. A chunk is right only if its neighbours are rightly outside of it, so they are signals, too.
 */
double joint_of_span(const double *word, uint32_t N, struct extent span, double *signal);

/* Does the same for the sentence: its parts are the chunks, with probabilities `whole`, and the words between. */
double joint_of_sentence(const double *word, uint32_t N, const struct extent *span, const double *whole, uint32_t spans,
                         double *signal);

/* Returns a method's number of the whole, on the scale of log-odds; 0 if it has none (NAN). */
double joint_own(const struct method *method, double raw);

/*
 * Learns from all rows, the ceiling of each being its least part; `held` [n] becomes the probability of each row by a
 * model that learned from other groups. The prior weighs as much as a few rows: where there are few rows, the signals
 * count little and the result is near the base rate.
 */
bool joint_fit(const struct logistic_rows *rows, uint64_t seed, struct logistic *fitted, double *held,
               struct vouch_error *err);

/* Returns the probability, not above `least`; signals are those of the method, then those of the parts. */
double joint_apply(const struct logistic *fitted, double least, const double *signal);

#endif
