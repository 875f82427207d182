/*
 * The committee: how far all voices of a model agree, each with itself, with
 * its own draws, and with the others.
 *
 * What they say of a word, a chunk or a sentence is a row of signals; a small
 * model fitted on held-out answers makes one probability of them (Kuleshov and
 * Liang 2015: a forecaster for each kind of event). Signals are on the scale
 * of log-odds where they can be, so that a linear model suits them.
 */
#ifndef VOUCH_CONFIDENCE_COMMITTEE_H
#define VOUCH_CONFIDENCE_COMMITTEE_H

#include "confidence/voice_set.h"

enum {
    COMMITTEE_VOICES = 3, /* voices that are heard: the first ones */
    MAX_SIGNALS = 48
};

/* What to look at for it: looks [voices]. */
void committee_looks(const struct voice_set *voice_set, unsigned *looks);

/* How many signals there are of a word, of a chunk and of a sentence. */
uint32_t committee_word_signals(const struct voice_set *voice_set);
uint32_t committee_span_signals(const struct voice_set *voice_set);
uint32_t committee_sentence_signals(const struct voice_set *voice_set);

/* Of all words: signal [N][committee_word_signals()]. */
void committee_words(const struct workspace *workspace, double *signal);

/* Of one chunk, and of the sentence as a whole. */
bool committee_span(struct workspace *workspace, struct extent span, double *signal, struct vouch_error *err);
void committee_sentence(const struct workspace *workspace, double *signal);

/* What the same words are called elsewhere in workspace->text: signal [N][TEXT_SIGNALS], behind the other signals. */
bool committee_text(struct workspace *workspace, double *signal, struct vouch_error *err);

/* That all words are right, by the first voice: the share of its draws, or its probability. */
double committee_whole(const struct workspace *workspace);

/* Without a fitted model: the mean, over voices, of marginals, and of votes if draws are heard. */
void committee_plain(const struct workspace *workspace, double *confidence /* [N] */);

/* What that looks at: looks [voices]. */
void committee_plain_looks(const struct voice_set *voice_set, unsigned *looks);

#endif
