/* Takes a text of several words apart. */
#ifndef VOUCH_TESTS_WORDS_OF_H
#define VOUCH_TESTS_WORDS_OF_H

#include "base/text.h"

#include <string.h>

/* Finds the words of `list`, which are separated by blanks; returns how many there are. */
static inline uint32_t words_of(const char *list, struct text *word)
{
    uint32_t count = 0;
    while (*list) {
        size_t length = strcspn(list, " ");
        word[count++] = (struct text){list, (uint32_t)length};
        list += length + (list[length] == ' ');
    }
    return count;
}

#endif
