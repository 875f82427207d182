/*
 * Finds the name nearest to a misspelt word. The distance between two words is how many letters must be inserted, left
 * out, replaced or swapped with their neighbour, each at most once (Damerau 1964; optimal string alignment):
 *
 *     d[i][j] = min(d[i-1][j] + 1, d[i][j-1] + 1, d[i-1][j-1] + (a_i != b_j),
 *                   d[i-2][j-2] + 1  if a_i a_i-1 = b_j-1 b_j)
 *
 * Capitals count as small letters. A name is near enough if a third of the typed letters is wrong, or less, and any is
 * right: beyond that, guesses are more often odd than helpful. The opposite of a name, no-x of x, is never meant. Time:
 * the product of the lengths.
 */
#include "base/spelling.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { LONGEST = 40 }; /* longer words are no names */

static bool alike(char a, char b)
{
    return tolower((unsigned char)a) == tolower((unsigned char)b);
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Returns the distance; both lengths are at most LONGEST. */
static size_t distance(const char *a, size_t length_a, const char *b, size_t length_b)
{
    size_t row[3][LONGEST + 1]; /* i, i - 1 and i - 2, each modulo 3 */
    for (size_t j = 0; j <= length_b; j++)
        row[0][j] = j;
    for (size_t i = 1; i <= length_a; i++) {
        size_t *now = row[i % 3], *before = row[(i + 2) % 3], *earlier = row[(i + 1) % 3];
        now[0] = i;
        for (size_t j = 1; j <= length_b; j++) {
            now[j] = least(before[j] + 1, now[j - 1] + 1);
            now[j] = least(now[j], before[j - 1] + !alike(a[i - 1], b[j - 1]));
            if (i > 1 && j > 1 && alike(a[i - 1], b[j - 2]) && alike(a[i - 2], b[j - 1]))
                now[j] = least(now[j], earlier[j - 2] + 1);
        }
    }
    return row[length_a % 3][length_b];
}

/* Returns the length of a beginning by which a name denies what follows; 0: there is none. */
static size_t denial(const char *name, size_t length)
{
    return length > 3 && strncmp(name, "no-", 3) == 0 ? 3 : length > 2 && strncmp(name, "un", 2) == 0 ? 2 : 0;
}

/* Whether one of two names, whose distance is `found`, is the other's opposite, or nearer to it: no-x and x. */
static bool are_opposite(const char *a, size_t length_a, const char *b, size_t length_b, size_t found)
{
    size_t no_a = denial(a, length_a), no_b = denial(b, length_b);
    return no_a != no_b && distance(a + no_a, length_a - no_a, b + no_b, length_b - no_b) < found;
}

void spelling_try(struct spelling *spelling, const char *name, size_t length)
{
    size_t typed = strlen(spelling->typed);
    if (typed > LONGEST || length > LONGEST)
        return;
    size_t found = distance(spelling->typed, typed, name, length);
    if (found > (typed + 2) / 3 || found >= typed || (spelling->name && found >= spelling->distance))
        return;
    if (are_opposite(spelling->typed, typed, name, length, found))
        return;
    spelling->name = name;
    spelling->length = length;
    spelling->distance = found;
}

void spelling_try_words(struct spelling *spelling, const char *sentence)
{
    for (const char *at = sentence; *at;) {
        size_t length = 0;
        while (isalnum((unsigned char)at[length]) || at[length] == '-' || at[length] == '_')
            length++;
        if (length && !(length == 2 && strncmp(at, "or", 2) == 0))
            spelling_try(spelling, at, length);
        at += length ? length : 1;
    }
}

const char *spelling_hint(const struct spelling *spelling, const char *dashes, char *text, size_t room)
{
    text[0] = '\0';
    if (spelling->name)
        snprintf(text, room, ": did you mean '%s%.*s'?", dashes, (int)spelling->length, spelling->name);
    return text;
}
