/*
 * Finds the name of a list that a misspelt word is nearest to, for "did you mean":
 *
 *     struct spelling spelling = {.typed = word};
 *     for every name of the list:
 *         spelling_try(&spelling, name, strlen(name));
 *     if (spelling.name)
 *         the first of the nearest is spelling.name, of spelling.length bytes
 */
#ifndef VOUCH_BASE_SPELLING_H
#define VOUCH_BASE_SPELLING_H

#include <stddef.h>

enum { SPELLING_HINT = 80 }; /* room for a hint */

struct spelling {
    const char *typed;
    const char *name; /* the nearest so far that is near enough; NULL: none is */
    size_t length;    /* of the name */
    size_t distance;  /* letters that are wrong */
};

void spelling_try(struct spelling *spelling, const char *name, size_t length);

/* Tries every word of a sentence such as "conll, plain or jsonl". */
void spelling_try_words(struct spelling *spelling, const char *sentence);

/* Writes ": did you mean 'NAME'?", the end of a message, with `dashes` before the name, or nothing; returns `text`. */
const char *spelling_hint(const struct spelling *spelling, const char *dashes, char *text, size_t room);

#endif
