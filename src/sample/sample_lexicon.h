/*
 * What the synthetic corpus knows of its words beyond their forms: the lemma,
 * the universal part of speech and features, and the prepositions they like.
 *
 * Private to sample*.c.
 */
#ifndef VOUCH_SAMPLE_SAMPLE_LEXICON_H
#define VOUCH_SAMPLE_SAMPLE_LEXICON_H

#include "base/random.h"
#include "base/text.h"

/* The base of a verb's form, the singular of a plural, "a" for "an"; empty for other words, and unknown ones. */
struct text lexicon_lemma(struct text form, const char *tag);

/* The universal part of speech of the word: that of its Penn tag, except for a few words for which the tag is not
 * enough. */
const char *lexicon_upos(struct text form, const char *tag);

/* The universal features that the Penn tag tells, or "_". */
const char *lexicon_features(const char *tag);

/* A word that a prepositional phrase may depend on. */
struct governor {
    struct text form;
    const char *tag;
};

/*
 * Draws whether the phrase depends on `near`, a noun just in front of it, and
 * not on `far`. Where one likes the preposition and the other does not it is
 * most often that one; otherwise the preposition has a habit of its own.
 */
bool draw_nearer(struct rng *rng, struct text preposition, struct governor near, struct governor far);

#endif
