/*
 * Finds what the synthetic corpus has of its words beyond their forms: the
 * lemma, the universal part of speech and features, and the prepositions they
 * prefer.
 *
 * Private to sample*.c.
 */
#ifndef VOUCH_SAMPLE_SAMPLE_LEXICON_H
#define VOUCH_SAMPLE_SAMPLE_LEXICON_H

#include "base/random.h"
#include "base/text.h"

/*
 * Returns the base of a verb's form, the singular of a plural, "a" for "an"; empty for other words, and unknown ones.
 */
struct text lexicon_lemma(struct text form, const char *tag);

/*
 * Returns the universal part of speech of the word: that of its Penn tag, except for a few words for which the tag is
 * not enough.
 */
const char *lexicon_upos(struct text form, const char *tag);

/* Returns the universal features that follow from the Penn tag, or "_". */
const char *lexicon_features(const char *tag);

/* A word that a prepositional phrase may depend on. */
struct governor {
    struct text form;
    const char *tag;
};

/*
 * Draws whether the phrase depends on `near`, a noun just before it, and not on
 * `far`. Where one prefers the preposition and the other does not it is most
 * often that one; otherwise the preposition has a probability of its own.
 */
bool draw_nearer(struct rng *rng, struct text preposition, struct governor near, struct governor far);

#endif
