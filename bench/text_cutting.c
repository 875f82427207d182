/*
 * Measures how far cutting raw text by rule agrees with a treebank: F1 of tokens (as they are written: a multiword
 * token is one) and of sentences, a match being the same first and last byte; and how fast it is. The text is made of
 * a treebank's forms, with a blank where SpaceAfter=No is not said, and a blank line where a paragraph begins.
 *
 *     cmake --build --preset release --target bench_text_cutting
 *     xz -dc dev.conllu.xz | build/release/bench_text_cutting
 */
#include "text/word_breaks.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

enum { MOST = 1 << 22 };

/* A text, and its tokens as the treebank has them. */
static char text[1 << 24];
static struct word_cut gold[MOST];
static size_t length, golds;

static void put(const char *bytes, size_t count)
{
    if (length + count < sizeof text && golds + 1 < MOST)
        length += count, memcpy(text + length - count, bytes, count);
}

/* Adds a token line "ID FORM ... MISC"; words within a multiword token, up to *inside, are passed over. */
static void put_token(char *line, long *inside)
{
    char *dash = strchr(line, '-'), *tab = strchr(line, '\t');
    long id = strtol(line, NULL, 10);
    if (!tab || memchr(line, '.', (size_t)(tab - line)) || id <= *inside)
        return;
    if (dash && dash < tab)
        *inside = strtol(dash + 1, NULL, 10);
    size_t form = strcspn(tab + 1, "\t");
    gold[golds].from = length;
    put(tab + 1, form);
    gold[golds++].to = length;
    if (!strstr(tab, "SpaceAfter=No"))
        put(" ", 1);
}

static void read_treebank(FILE *in)
{
    static char line[1 << 16];
    long inside = 0;
    while (fgets(line, sizeof line, in)) {
        if (strncmp(line, "# newpar", 8) == 0 || strncmp(line, "# newdoc", 8) == 0)
            put("\n\n", 2);
        else if (line[0] == '\n' && golds > 0)
            gold[golds - 1].ends_sentence = true, inside = 0;
        else if (line[0] != '#' && line[0] != '\n')
            put_token(line, &inside);
    }
}

struct span {
    size_t from, to;
};

static struct span *sentences_of(const struct word_cut *word, size_t words, size_t *count)
{
    struct span *span = calloc(words + 1, sizeof *span);
    size_t from = 0;
    *count = 0;
    for (size_t i = 0; i < words; i++) {
        if (word[i].ends_sentence) {
            span[(*count)++] = (struct span){word[from].from, word[i].to};
            from = i + 1;
        }
    }
    return span;
}

static struct span *tokens_of(const struct word_cut *word, size_t words, size_t *count)
{
    struct span *span = calloc(words + 1, sizeof *span);
    for (size_t i = 0; i < words; i++)
        span[i] = (struct span){word[i].from, word[i].to};
    *count = words;
    return span;
}

static void compare(const char *what, struct span *given, size_t givens, struct span *found, size_t founds)
{
    size_t same = 0;
    for (size_t i = 0, j = 0; i < givens && j < founds;) {
        same += given[i].from == found[j].from && given[i].to == found[j].to;
        if (given[i].from <= found[j].from)
            i++;
        else
            j++;
    }
    printf("%s: %zu in the treebank, %zu found, precision %.4f, recall %.4f, F1 %.4f\n", what, givens, founds,
           (double)same / (double)founds, (double)same / (double)givens, 2 * (double)same / (double)(givens + founds));
    free(given);
    free(found);
}

int main(void)
{
    struct word_cuts cuts = {0};
    struct vouch_error err = {0};
    read_treebank(stdin);
    int rounds = 0;
    double begun = seconds(), spent;
    do {
        if (!cut_words((struct text){text, (uint32_t)length}, &cuts, &err))
            return fprintf(stderr, "%s\n", err.message), 1;
        rounds++;
    } while ((spent = seconds() - begun) < 1);
    size_t golden, found;
    struct span *tokens = tokens_of(gold, golds, &golden), *cut = tokens_of(cuts.word, cuts.words, &found);
    compare("tokens", tokens, golden, cut, found);
    tokens = sentences_of(gold, golds, &golden), cut = sentences_of(cuts.word, cuts.words, &found);
    compare("sentences", tokens, golden, cut, found);
    printf("%.0f MB/s, %.1f million words/s on one processor\n", (double)length * rounds / spent / 1e6,
           (double)cuts.words * rounds / spent / 1e6);
    word_cuts_release(&cuts);
    return 0;
}
