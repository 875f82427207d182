/* Declares what the files of other programs' scores share inside: see score_files.h. */
#ifndef VOUCH_SCORES_SCORE_BLOCKS_H
#define VOUCH_SCORES_SCORE_BLOCKS_H

#include "arrays/array_file.h"
#include "scores/score_files.h"

struct score_files {
    struct score_layout layout; /* without its `edge` */
    char *name;                 /* of the scores, for messages */
    struct array_file *file, *offsets_file, *edge_file;
    struct number_lines *lines; /* JSON lines; else NULL */
    const struct array *array;  /* packed or padded; else NULL */
    const struct array **each;  /* [sentences] by name; else NULL */
    bool padded;
    uint32_t sets;
    uint64_t *start;                  /* [sentences + 1] words before each sentence; NULL: lengths are not given */
    uint64_t sentences;               /* S, of a packed array 0 unless lengths are given */
    float *edge;                      /* [K][Y][Y] transitions of all words; NULL: none, or some for each word */
    const struct array *edge_of_word; /* [T][Y][Y], or of K sets; NULL: none */
    bool edge_of_line;                /* lines have transitions of their own */
    bool edge_expected;               /* lines must have some: those that the model was made for had */
    struct score_rules rules;         /* of the model that the files suit */
};

/* A place for messages: the sentence, from 1. */
static inline unsigned long long place_number(const struct sentence_place *at)
{
    return (unsigned long long)at->sentences + 1;
}

#endif
