/*
 * Collects words worth a look: those that a model is least sure of, and those that it is sure of and wrong.
 *
 * The lists are kept up to date while a file is answered, each word with its context; among equals the first is kept.
 * O(words * LISTED_WORDS).
 */
#ifndef VOUCH_CLI_EVAL_WORDS_H
#define VOUCH_CLI_EVAL_WORDS_H

#include "answer/answer_stream.h"

enum { LISTED_WORDS = 20 };

struct eval_word {
    double confidence;
    bool right;
    const char *file;            /* of struct eval_words */
    uint64_t line;               /* of the sentence */
    char *before, *word, *after; /* as they stand in the sentence */
    char *answer, *gold;         /* labels, or the heads' words */
};

struct eval_list {
    bool surest; /* the most confident first; else the least */
    size_t count;
    struct eval_word word[LISTED_WORDS];
};

/* Zero it before first use. */
struct eval_words {
    const char *file; /* the caller's: the file being answered; NULL if there is only one */
    struct eval_list doubtful, mistaken;
};

/* Considers all words of an answer, labels or heads, by the first method of its estimator. `gold` [N] are labels. */
bool eval_words_take(struct eval_words *words, const struct sentence *sentence, const struct text *gold,
                     const struct answer *answer, struct vouch_error *err);
void eval_words_release(struct eval_words *words);

#endif
