/*
 * This is the seam between readers of corpora and vectors of words from elsewhere: a reader asks for a vector for every
 * word that it reads, and does not know where it comes from (text/word_vectors.h).
 */
#ifndef VOUCH_TEXT_VECTOR_SOURCE_H
#define VOUCH_TEXT_VECTOR_SOURCE_H

#include "base/error.h"
#include "base/text.h"

struct vector_source {
    /* Opens the vectors called `name` for a corpus file; NULL on failure. A source that is open has one user. */
    void *(*open)(const char *name, const char *corpus, struct vouch_error *err);
    void (*close)(void *self); /* NULL is allowed */

    /* Return the dimensions; the digest of a table in which words are looked up, else 0; a name for messages. */
    uint32_t (*dimensions)(const void *self);
    uint64_t (*digest)(const void *self);
    const char *(*path)(const void *self);

    /* Returns the number of vectors where each belongs to one word of the corpus in turn; UINT64_MAX for a table. */
    uint64_t (*rows)(const void *self);

    /* Fills in vector [dimensions] of word number `row` of the corpus, from 0. Zeros if a table does not have it. */
    bool (*fetch)(void *self, uint64_t row, struct text word, float *vector, struct vouch_error *err);
};

#endif
