/*
 * Defines the built-in feature sets as templates, so that a user's template file goes through the same code. Column 0
 * is the word, column 1 the part of speech; a line whose column is not in the data is left out. They were chosen on
 * held-out quarters of the training data (docs/MEASUREMENTS.md): lower case in the window beats the word as it is;
 * prefixes, suffixes and shapes of the word itself beat those of the whole window.
 */
#include "task/template.h"

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

const char *template_builtin(const char *name)
{
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++)
        if (strcmp(sets[i].name, name) == 0)
            return sets[i].text;
    return NULL;
}
