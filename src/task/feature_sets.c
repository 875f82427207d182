/*
 * The built-in feature sets, written as templates. Column 0 is the word,
 * column 1 the part of speech, column 2 the chunk; a line whose column is not
 * in the data is left out.
 */
#include "task/template.h"

#define WINDOW(name, macro, column)                                                                                    \
    "U" name "-2:%" macro "[-2," column "]\n"                                                                          \
    "U" name "-1:%" macro "[-1," column "]\n"                                                                          \
    "U" name "0:%" macro "[0," column "]\n"                                                                            \
    "U" name "+1:%" macro "[1," column "]\n"                                                                           \
    "U" name "+2:%" macro "[2," column "]\n"

/* Words and parts of speech in a window of five, and their neighbours in pairs and threes. */
#define CHUNKING                                                                                                       \
    WINDOW("w", "x", "0")                                                                                              \
    "Uww-1:%x[-1,0]/%x[0,0]\n"                                                                                         \
    "Uww+1:%x[0,0]/%x[1,0]\n" WINDOW("p", "x", "1")                                                                    \
    "Upp-2:%x[-2,1]/%x[-1,1]\n"                                                                                        \
    "Upp-1:%x[-1,1]/%x[0,1]\n"                                                                                         \
    "Upp+1:%x[0,1]/%x[1,1]\n"                                                                                          \
    "Upp+2:%x[1,1]/%x[2,1]\n"                                                                                          \
    "Uppp-1:%x[-2,1]/%x[-1,1]/%x[0,1]\n"                                                                               \
    "Uppp0:%x[-1,1]/%x[0,1]/%x[1,1]\n"                                                                                 \
    "Uppp+1:%x[0,1]/%x[1,1]/%x[2,1]\n"                                                                                 \
    "B\n"

/* Words, affixes, shapes and parts of speech in a window of five. */
#define NAMES                                                                                                          \
    WINDOW("w", "x", "0")                                                                                              \
    WINDOW("l", "lower", "0")                                                                                          \
    WINDOW("p1", "prefix1", "0")                                                                                       \
    WINDOW("p2", "prefix2", "0")                                                                                       \
    WINDOW("p3", "prefix3", "0")                                                                                       \
    WINDOW("p4", "prefix4", "0")                                                                                       \
    WINDOW("s1", "suffix1", "0")                                                                                       \
    WINDOW("s2", "suffix2", "0")                                                                                       \
    WINDOW("s3", "suffix3", "0")                                                                                       \
    WINDOW("s4", "suffix4", "0")                                                                                       \
    WINDOW("b", "brief", "0")                                                                                          \
    WINDOW("t", "x", "1")                                                                                              \
    "Ubb-1:%brief[-1,0]/%brief[0,0]\n"                                                                                 \
    "Ubb+1:%brief[0,0]/%brief[1,0]\n"                                                                                  \
    "B\n"

/* The word alone: its neighbours, affixes and shape. */
#define SPEECH                                                                                                         \
    WINDOW("w", "x", "0")                                                                                              \
    "Uww-1:%x[-1,0]/%x[0,0]\n"                                                                                         \
    "Uww+1:%x[0,0]/%x[1,0]\n"                                                                                          \
    "Ul:%lower[0,0]\n"                                                                                                 \
    "Up1:%prefix1[0,0]\n"                                                                                              \
    "Up2:%prefix2[0,0]\n"                                                                                              \
    "Up3:%prefix3[0,0]\n"                                                                                              \
    "Us1:%suffix1[0,0]\n"                                                                                              \
    "Us2:%suffix2[0,0]\n"                                                                                              \
    "Us3:%suffix3[0,0]\n"                                                                                              \
    "Us4:%suffix4[0,0]\n"                                                                                              \
    "Ub:%brief[0,0]\n"                                                                                                 \
    "Usl-1:%suffix3[-1,0]\n"                                                                                           \
    "Usl+1:%suffix3[1,0]\n"                                                                                            \
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
