/*
 * Treebanks for the tests of readers and writers: one with everything that CoNLL-U can hold, what was read in one line,
 * and writing with other heads.
 */
#ifndef VOUCH_TESTS_TREEBANK_READING_H
#define VOUCH_TESTS_TREEBANK_READING_H

#include "reading.h"

/* A word's line. */
#define WORD(id, form, head, relation) id "\t" form "\t_\tX\tY\t_\t" head "\t" relation "\t_\t_\n"

static const struct writer_options plainly = {.format = FORMAT_CONLLU, .separator = '\t'};

static inline struct reader_options trees_in(enum format format, int gold)
{
    return (struct reader_options){.format = format, .gold = gold, .trees = true};
}

static inline struct reader *must_open(const char *text, enum format format, int gold)
{
    return must_open_text(text, trees_in(format, gold));
}

static inline void append_lines(char *to, struct text lines)
{
    if (lines.length > 0) {
        strcat(to, "{");
        append(to, lines);
        strcat(to, "}");
    }
}

/*
 * One line for everything that was read: {lines} for what is no word, "form<head:relation" for each word (or "form"),
 * "|" and the number of roots after each sentence.
 */
static inline void describe(const struct sentence *s, char *to)
{
    if (s->N == 0 && s->before.length == 0) /* blank lines at the end */
        return;
    assert_true(s->tree);
    append_lines(to, s->before);
    for (uint32_t i = 0; i < s->N; i++) {
        assert_int_equal(sentence_cells(s, i), 10);
        strcat(to, i > 0 ? " " : "");
        append_lines(to, s->lead[i]);
        append(to, sentence_cell(s, i, 1));
        if (s->labelled) {
            sprintf(to + strlen(to), "<%u:", s->head[i]);
            append(to, s->gold[i]);
        }
    }
    append_lines(to, s->lead[s->N]);
    sprintf(to + strlen(to), "|%u", s->roots);
}

static inline void expect_reading(const char *text, int gold, const char *expected)
{
    expect_sentences(text, trees_in(FORMAT_AUTO, gold), describe, expected);
}

/*
 * Reads `text` and writes it with other heads: each word's is the one before it, its relation "r" or none at all; with
 * GOLD those that were read.
 */
enum answers { GOLD, CHAIN, CHAIN_UNLABELLED };

static inline void expect_writing(const char *text, int gold, enum answers answers, const char *expected)
{
    struct reader *reader = must_open(text, FORMAT_AUTO, gold);
    struct output *out = output_open(folder_file("out"), &err);
    struct sentence sentence = {0};
    static const uint32_t chain[] = {0, 1, 2, 3, 4, 5, 6, 7};
    static const struct text relations[] = {{"r", 1}, {"r", 1}, {"r", 1}, {"r", 1}, {"r", 1}, {"r", 1}, {"r", 1}};
    while (reader_next(reader, &sentence, &err) == READ_SENTENCE) {
        const struct text *label = answers == GOLD ? sentence.gold : answers == CHAIN ? relations : NULL;
        const uint32_t *head = answers == GOLD ? sentence.head : chain;
        assert_true(write_sentence(out, &plainly, &sentence, head, label, NULL, &err));
    }
    expect_written(out, expected);
    sentence_release(&sentence);
    reader_close(reader);
}

/* Everything that CoNLL-U can hold. */
static const char full[] = "# newdoc id = a\n"
                           "# text = vámonos al mar\n"
                           "0.1\tE\te\tPRON\t_\t_\t_\t_\t2:nsubj\t_\n"
                           "1-2\tvámonos\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No\n"
                           "1\tvamos\tir\tVERB\tV|p\tNumber=Plur|Person=1\t0\troot\t0:root\tA=b|C=d e\n"
                           "2\tnos\tnosotros\tPRON\t_\t_\t1\tobj\t1:obj\t_\n"
                           "2.1\tE\te\tX\t_\t_\t_\t_\t_\t_\n"
                           "2.2\tF\tf\tX\t_\t_\t_\t_\t_\t_\n"
                           "3-4\tal\t_\t_\t_\t_\t_\t_\t_\t_\n"
                           "3\ta\ta\tADP\t_\t_\t5\tcase\t5:case\t_\n"
                           "4\tel\tel\tDET\t_\t_\t5\tdet\t5:det\t_\n"
                           "5\tmar\tmar\tNOUN\t_\t_\t1\tobl\t1:obl:a\t_\n"
                           "5.1\tE\te\tX\t_\t_\t_\t_\t_\t_\n"
                           "\n"
                           "# sent_id = 2\n"
                           "1\tNo # one\tno one\tPRON\t_\t_\t0\troot\t_\t_\n"
                           "\n";

#endif
