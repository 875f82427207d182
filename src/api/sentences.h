/*
 * A sentence of the public interface is the caller's own, or one that a stream has read.
 */
#ifndef VOUCH_API_SENTENCES_H
#define VOUCH_API_SENTENCES_H

#include "core/sentence.h"

struct vouch_sentence {
    const struct sentence *view; /* the sentence itself: `own`, or one of a stream */
    struct sentence own;
    bool given; /* filled by the caller, cell by cell; else it was read */
    char *gold_bytes;
    size_t gold_bytes_capacity;
};

/* Trees have ten columns, ID to MISC. The caller gives up to five of them, from FORM on. */
enum { COLUMNS_OF_TREES = 10, FIRST_GIVEN_COLUMN = 1, MOST_GIVEN_COLUMNS = 5 };

/*
 * Makes a tree, without heads, of a sentence of cells: FORM, LEMMA, UPOS, XPOS and FEATS as far as there are columns,
 * "_" for the rest. The cells stay where they are; release `tree` in any case.
 */
bool sentence_as_tree(const struct sentence *cells, struct sentence *tree, struct vouch_error *err);

#endif
