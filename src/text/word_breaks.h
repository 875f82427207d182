/*
 * Cuts raw text into words and sentences by rule. Words are the segments between Unicode's default word boundaries
 * (UAX 29), without white space; sentences end after punctuation. Both rules know no language: word_breaks.c has them.
 */
#ifndef VOUCH_TEXT_WORD_BREAKS_H
#define VOUCH_TEXT_WORD_BREAKS_H

#include "base/error.h"
#include "base/text.h"

/* The word of the bytes from `from` to before `to`. */
struct word_cut {
    size_t from, to;
    bool ends_sentence; /* the last word always does */
};

/* Zero it before first use; it may be used for text after text. */
struct word_cuts {
    struct word_cut *word; /* [words], in the order of the text, without overlap */
    size_t words, capacity;
};

/* Replaces the words in `cuts` by those of a text, which may be none. Linear in the text. Refuses invalid UTF-8. */
bool cut_words(struct text text, struct word_cuts *cuts, struct vouch_error *err);

void word_cuts_release(struct word_cuts *cuts);

/* Whether a well-formed text has a character that is seen: neither white space of any kind nor a control. */
bool text_is_visible(struct text text);

/* Returns where the segment ends that begins at `from`, a boundary of a well-formed text; white space is one, too. */
size_t word_boundary(struct text text, size_t from);

#endif
