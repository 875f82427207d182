/*
 * A table of vectors as text: a line for each word, with as many numbers for all of them. See word_vectors.h.
 *
 * Opening goes through the lines once and notes where the words are, in a table with open addresses, of two slots for
 * each line; a word that is there twice is taken where it is first. The numbers of a line are read when its word is
 * first looked up, and kept.
 */
#ifndef VOUCH_TEXT_WORD_TABLE_H
#define VOUCH_TEXT_WORD_TABLE_H

#include "base/mapped_file.h"
#include "base/text.h"

#include <stdint.h>

struct word_slot {
    uint64_t line; /* 1 + where its line begins, 0 if the slot is empty */
    uint64_t kept; /* 1 + the number of its vector among those kept, 0: it has not been read */
};

struct word_table {
    const char *name; /* for messages; the caller's */
    struct mapped_file map;
    uint32_t D;
    uint64_t digest, mask; /* of slots */
    struct word_slot *slot;
    float *vector; /* [kept][D] */
    size_t kept, vector_capacity;
    char *lower;
    size_t lower_capacity;
};

/* Opens a table. Release in any case. */
bool word_table_init(struct word_table *table, const char *path, struct vouch_error *err);
void word_table_release(struct word_table *table);

/* Finds the vector of a word, as it is or else in lower case; *vector is NULL if there is none. */
bool word_table_find(struct word_table *table, struct text word, const float **vector, struct vouch_error *err);

#endif
