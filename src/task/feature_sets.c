/*
 * Defines the built-in feature sets as templates, so that a user's template file goes through the same code. Column 0
 * is the word, column 1 the part of speech; a line whose column is not in the data is left out. They were chosen on
 * held-out quarters of the training data (docs/MEASUREMENTS.md): lower case in the window beats the word as it is;
 * prefixes, suffixes and shapes of the word itself beat those of the whole window.
 */
#include "task/template.h"

#include <stdio.h>

#define WINDOW(name, macro, column)                                                                                    \
    "U" name "-2:%" macro "[-2," column "]\n"                                                                          \
    "U" name "-1:%" macro "[-1," column "]\n"                                                                          \
    "U" name "0:%" macro "[0," column "]\n"                                                                            \
    "U" name "+1:%" macro "[1," column "]\n"                                                                           \
    "U" name "+2:%" macro "[2," column "]\n"

#define PAIRS(name, macro)                                                                                             \
    "U" name "-1:%" macro "[-1,0]/%" macro "[0,0]\n"                                                                   \
    "U" name "+1:%" macro "[0,0]/%" macro "[1,0]\n"

#define AFFIX(letter, kind, length) "U" letter length ":%" kind length "[0,0]\n"

#define PREFIXES AFFIX("p", "prefix", "1") AFFIX("p", "prefix", "2") AFFIX("p", "prefix", "3") AFFIX("p", "prefix", "4")
#define SUFFIXES                                                                                                       \
    AFFIX("s", "suffix", "1")                                                                                          \
    AFFIX("s", "suffix", "2") AFFIX("s", "suffix", "3") AFFIX("s", "suffix", "4") AFFIX("s", "suffix", "5")

/* Words and parts of speech in a window of five, in pairs and threes, and one with the other. */
#define CHUNKING                                                                                                       \
    WINDOW("w", "lower", "0")                                                                                          \
    PAIRS("ww", "lower")                                                                                               \
    WINDOW("t", "x", "1")                                                                                              \
    "Utt-2:%x[-2,1]/%x[-1,1]\n"                                                                                        \
    "Utt-1:%x[-1,1]/%x[0,1]\n"                                                                                         \
    "Utt+1:%x[0,1]/%x[1,1]\n"                                                                                          \
    "Utt+2:%x[1,1]/%x[2,1]\n"                                                                                          \
    "Uttt-1:%x[-2,1]/%x[-1,1]/%x[0,1]\n"                                                                               \
    "Uttt0:%x[-1,1]/%x[0,1]/%x[1,1]\n"                                                                                 \
    "Uttt+1:%x[0,1]/%x[1,1]/%x[2,1]\n"                                                                                 \
    "Uwt0:%x[0,0]/%x[0,1]\n"                                                                                           \
    "Uwt-1:%x[0,0]/%x[-1,1]\n"                                                                                         \
    "Uwt+1:%x[0,0]/%x[1,1]\n"                                                                                          \
    "Utw-1:%x[-1,0]/%x[0,1]\n"                                                                                         \
    "Utw+1:%x[1,0]/%x[0,1]\n"                                                                                          \
    "B\n"

/* The word, its affixes; words, shapes and parts of speech in a window of five. */
#define NAMES                                                                                                          \
    "Uw:%x[0,0]\n" WINDOW("l", "lower", "0") PREFIXES AFFIX("p", "prefix", "5") SUFFIXES WINDOW("b", "brief", "0")     \
        PAIRS("bb", "brief") "Ubbb-1:%brief[-2,0]/%brief[-1,0]/%brief[0,0]\n"                                          \
                             "Ubbb0:%brief[-1,0]/%brief[0,0]/%brief[1,0]\n"                                            \
                             "Ubbb+1:%brief[0,0]/%brief[1,0]/%brief[2,0]\n" WINDOW("t", "x", "1") "B\n"

/* The word, its affixes and shape, and its neighbours. */
#define SPEECH                                                                                                         \
    "Uw:%x[0,0]\n" WINDOW("l", "lower", "0") PAIRS("ll", "lower") PREFIXES SUFFIXES "Ub-1:%brief[-1,0]\n"              \
                                                                                    "Ub0:%brief[0,0]\n"                \
                                                                                    "Ub+1:%brief[1,0]\n"               \
                                                                                    "Us3-1:%suffix3[-1,0]\n"           \
                                                                                    "Us3+1:%suffix3[1,0]\n"            \
                                                                                    "B\n"

static const struct {
    const char *name, *text;
} sets[] = {
    {"np", CHUNKING}, {"chunk", CHUNKING}, {"ner", NAMES}, {"pos", SPEECH}, {"attributes", "attributes\nB\n"},
};

/*
 * Appends the rules that show the classes of a view, which is called `name`, to `text` of `room` bytes. Pairs of
 * classes of neighbours gain nothing beside them.
 */
static size_t show_classes(char *text, size_t room, const char *name)
{
    size_t used = 0;
    for (int row = -2; row <= 2; row++)
        used += (size_t)snprintf(text + used, room - used, "U%s%+d:%%%s[%d,0]\n", name, row, name, row);
    return used;
}

/* Does so with a column of a lexicon, from 0: with the class, or of bit strings with their beginnings, too. */
static size_t show_column(char *text, size_t room, const struct lexicon *lexicon, uint32_t column)
{
    static const uint32_t prefix[] = {4, 6, 10, 20};
    char name[MOST_LEXICON_NAME + 16];
    size_t used = 0;
    if (!lexicon_has_bits(lexicon, column)) {
        snprintf(name, sizeof name, "%s.%u", lexicon->name, column + 1);
        return show_classes(text, room, name);
    }
    for (size_t i = 0; i < sizeof prefix / sizeof *prefix; i++) {
        snprintf(name, sizeof name, "%s.%u:%u", lexicon->name, column + 1, prefix[i]);
        used += show_classes(text + used, room - used, name);
    }
    return used;
}

char *template_with_lexicons(const char *set, const struct lexicons *lexicons, struct vouch_error *err)
{
    enum { ROOM = 4 * 5 * 128 }; /* of a column: beginnings, rules, bytes of a rule */
    size_t used = strlen(set), room = used + 1;
    for (uint32_t i = 0; i < lexicons->count; i++)
        room += (size_t)lexicons->item[i].columns * ROOM;
    char *text = new_array(room, 1, err);
    if (!text)
        return NULL;
    memcpy(text, set, used);
    for (uint32_t i = 0; i < lexicons->count; i++)
        for (uint32_t c = 0; c < lexicons->item[i].columns; c++)
            used += show_column(text + used, room - used, &lexicons->item[i], c);
    return text;
}

const char *template_builtin(const char *name)
{
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++)
        if (strcmp(sets[i].name, name) == 0)
            return sets[i].text;
    return NULL;
}
