/*
 * The committee measures how far all voices of a model agree, each with itself, with its own draws, and with the
 * others.
 *
 * Each word, chunk and sentence has a row of signals; a small model fitted on held-out answers makes one probability of
 * them (Kuleshov and Liang 2015: a forecaster for each kind of event). Signals are on the scale of log-odds where they
 * can be, so that a linear model suits them.
 */
#ifndef VOUCH_CONFIDENCE_COMMITTEE_H
#define VOUCH_CONFIDENCE_COMMITTEE_H

#include "confidence/evidence.h"

enum {
    COMMITTEE_VOICES = 3, /* it uses at most so many voices: the first ones */
    MAX_SIGNALS = 64
};

/* The profile of a word's sentence: see committee_profile(). All but the first are the same for all its words. */
enum {
    PROFILE_CONCERNED, /* 1: the word is labelled as part of a chunk, or the answers have no chunks; else 0 */
    PROFILE_LENGTH,    /* the logarithm of the number of words */
    PROFILE_ODDS,      /* the mean of their log-odds, by the first voice */
    PROFILE_COUNTED,   /* words that are not labelled as part of a chunk; all, if the answers have no chunks */
    PROFILE_UNKNOWN,   /* of these, how many training never saw, by each kind of the counts */
    PROFILE_SEEN = PROFILE_UNKNOWN + COUNT_KINDS, /* the sum of log(1 + times seen) of these, likewise */
    PROFILE_SIGNALS = PROFILE_SEEN + COUNT_KINDS
};

/* Finds the kinds of evidence that its signals need, by voice. */
void committee_needs(const struct voice_set *voice_set, unsigned *needs);

/* Returns how many signals there are of a word, of a chunk and of a sentence. */
uint32_t committee_word_signals(const struct voice_set *voice_set);
uint32_t committee_span_signals(const struct voice_set *voice_set);
uint32_t committee_sentence_signals(const struct voice_set *voice_set);

/* Computes the signals of all words: signal [N][committee_word_signals()]. */
void committee_words(const struct workspace *workspace, double *signal);

/* Computes the sentence's profile [N][PROFILE_SIGNALS] from the signals of its words. */
void committee_profile(const struct workspace *workspace, const double *signal, double *profile);

/* Computes it once [PROFILE_SIGNALS], but for PROFILE_CONCERNED, which committee_concerns() tells of each word. */
void committee_sentence_profile(const struct workspace *workspace, const double *signal, double *profile);
bool committee_concerns(const struct workspace *workspace, uint32_t n);

/* Compute the signals of one chunk, and of the sentence as a whole. */
bool committee_span(struct workspace *workspace, struct extent span, double *signal, struct vouch_error *err);
void committee_sentence(const struct workspace *workspace, double *signal);

/* Finds what the same words are called elsewhere in workspace->text: called [N][TEXT_SIGNALS]. */
bool committee_text(struct workspace *workspace, double *called, struct vouch_error *err);

/* Makes the row of a word whose probability by the committee is `p`: row [COMMITTEE_TEXT_SIGNALS]. */
enum { COMMITTEE_TEXT_SIGNALS = 1 + TEXT_SIGNALS };
void committee_text_row(double p, const double *called, double *row);

/* Returns the first voice's number for a whole answer: the share of its draws, or its probability. */
double committee_whole(const struct workspace *workspace);

/* Computes confidence without a fitted model: the mean, over voices, of marginals, and of votes if draws are used. */
void committee_plain(const struct workspace *workspace, double *confidence /* [N] */);

/* Finds the kinds of evidence that committee_plain() needs, by voice. */
void committee_plain_needs(const struct voice_set *voice_set, unsigned *needs);

/* ---- Signals of heads ---- */

/*
 * Computes the committee's signals of a head: how an arc fits into the tree around it.
 *
 * The model scores arcs one by one. These signals tell whether they fit together: the contexts of the arc (what
 * training had beside such arcs, core/answer_counts.h), those of the arc to the likeliest other head, the arcs that it
 * crosses, and how sure the arcs beside it are.
 *
 * Cost: O(N^2) for a sentence, and 28 look-ups for each word.
 */
enum {
    TREE_SEEN = 3,     /* how often training saw the arc, the lemma of the head, the word with the tag of its head */
    TREE_OF_RIVAL = 2, /* the probability of the likeliest other head, and where it is */
    TREE_OF_SHAPE = 6, /* length, crossed arcs, the head's odds, dependents, their least odds, those of siblings */
    TREE_SIGNALS = 2 * TREE_CONTEXTS + TREE_SEEN + TREE_OF_RIVAL + TREE_OF_SHAPE
};

/*
 * Computes those of all words: the first TREE_SIGNALS of every row of `signal`. Its rows lie `stride` apart, as those
 * of `odds` do, of the first voice's marginals.
 */
void tree_signals(const struct workspace *workspace, const double *odds, size_t stride, double *signal);

#endif
