/*
 * Vectors of words, from a file that another program wrote, for readers of corpora:
 *
 *     an array   [T, D] in .npy, .npz or safetensors, the only one of its file: row t is the vector of word t of the
 *                corpus. Document marks are no words.
 *     a table    lines of text, a word and D numbers each, separated by blanks, as word2vec and GloVe write them; a
 *                first line of two whole numbers, which word2vec has, is passed over. A word is looked up as it is
 *                written, then in lower case; one that is in neither form in the table has a vector of zeros.
 *
 * The name of the file may have a '%', which stands for the corpus: with "%.npy", train.txt has its vectors in
 * train.txt.npy, so that several corpora can have vectors of their own.
 *
 * Files are mapped. Opening a table finds the words in its lines, at some hundred megabytes a second; numbers are read
 * when their word is met for the first time.
 */
#ifndef VOUCH_TEXT_WORD_VECTORS_H
#define VOUCH_TEXT_WORD_VECTORS_H

#include "arrays/array_file.h"

struct word_slot {
    uint64_t line; /* 1 + where its line begins, 0 if the slot is empty */
    uint64_t kept; /* 1 + the number of its vector among those kept, 0: it has not been read */
};

/* Has one user at a time. */
struct word_vectors {
    char *path; /* for messages */
    uint32_t D;
    uint64_t digest; /* of a table in which words are looked up, else 0 */
    uint64_t rows;   /* of an array: vectors, one for each word of the corpus; UINT64_MAX: a table */
    struct array_file *file;
    const struct array *array; /* NULL: a table */

    struct mapped_file map; /* of a table */
    uint64_t mask;          /* of slots */
    struct word_slot *slot;
    float *vector; /* [kept][D] */
    size_t kept, vector_capacity;
    char *lower;
    size_t lower_capacity;
};

/* Opens the vectors called `name` for a corpus file (NULL: standard input, or memory); NULL on failure. */
struct word_vectors *word_vectors_open(const char *name, const char *corpus, struct vouch_error *err);
void word_vectors_close(struct word_vectors *vectors); /* NULL is allowed */

/* Fills in vector [D] of word number `row` of the corpus, from 0. Zeros if a table does not have it. */
bool word_vectors_fetch(struct word_vectors *vectors, uint64_t row, struct text word, float *vector,
                        struct vouch_error *err);

/* Finds the vector of a word in a table, as it is or else in lower case; *vector is NULL if there is none. */
bool word_vectors_find(struct word_vectors *vectors, struct text word, const float **vector, struct vouch_error *err);

/* ---- A line of a table, for whoever reads all of them ---- */

/* Takes the next field off a line; empty at its end. */
struct text table_field(struct text *line);

/* Whether a line has two whole numbers, and nothing else: the first line of word2vec and fastText. */
bool table_counts(struct text line);

/* Reads the numbers behind a word: vector [D]; *found is the field that is wrong. */
enum table_fault { TABLE_SOUND, TABLE_SHORT, TABLE_NO_NUMBER, TABLE_LONG };
enum table_fault table_numbers(struct text rest, uint32_t D, float *vector, struct text *found);

#endif
