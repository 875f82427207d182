/*
 * Vectors of words, from a file that another program wrote, for readers of corpora (text/vector_source.h):
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

#include "text/vector_source.h"

extern const struct vector_source word_vectors;

#endif
