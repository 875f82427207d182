/* Tests CoNLL-X and CoNLL-U, and trees in JSON lines: what is read, what is refused and how, and what is written. */
#include "text/reader.h"
#include "text/writer.h"

#include "folder.h"
#include "test.h"

static struct vouch_error err;
static const struct writer_options plainly = {.format = FORMAT_CONLLU, .separator = '\t'};

/* --- what the tests share ---------------------------------------------------------- */

/* A word's line. */
#define WORD(id, form, head, relation) id "\t" form "\t_\tX\tY\t_\t" head "\t" relation "\t_\t_\n"

static struct reader *open_text(const char *text, enum format format, int gold)
{
    struct reader_options reading = {.format = format, .gold = gold, .trees = true};
    return reader_open(folder_put("in", text), &reading, &err);
}

static struct reader *must_open(const char *text, enum format format, int gold)
{
    struct reader *reader = open_text(text, format, gold);
    if (!reader)
        fail_msg("%s", err.message);
    return reader;
}

static void must_read(struct reader *reader, struct sentence *sentence)
{
    if (reader_next(reader, sentence, &err) != READ_SENTENCE)
        fail_msg("no sentence: %s", err.message);
}

static void append(char *to, struct text text)
{
    strncat(to, text.at, text.length);
}

static void append_lines(char *to, struct text lines)
{
    if (lines.length > 0) {
        strcat(to, "{");
        append(to, lines);
        strcat(to, "}");
    }
}

/*
 * One line for everything that was read: {lines} for what is no word,
 * "form<head:relation" for each word (or "form"), "|" and the number of roots
 * after each sentence.
 */
static void describe(const struct sentence *s, char *to)
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

static void expect_reading(const char *text, int gold, const char *expected)
{
    struct reader *reader = must_open(text, FORMAT_AUTO, gold);
    struct sentence sentence = {0};
    char found[4000] = "";
    enum reading reading;
    while ((reading = reader_next(reader, &sentence, &err)) == READ_SENTENCE)
        describe(&sentence, found);
    if (reading == READ_FAILED)
        fail_msg("%s", err.message);
    assert_string_equal(found, expected);
    assert_int_equal(reader_next(reader, &sentence, &err), READ_END);
    sentence_release(&sentence);
    reader_close(reader);
}

/* The error of opening or of reading on until one comes; `message` is what follows the file's name. */
static void expect_error_as(const char *text, enum format format, int gold, const char *message)
{
    char expected[600];
    snprintf(expected, sizeof expected, "%s%s", folder_file("in"), message);
    err = (struct vouch_error){0};
    struct reader *reader = open_text(text, format, gold);
    struct sentence sentence = {0};
    enum reading reading = READ_FAILED;
    while (reader && (reading = reader_next(reader, &sentence, &err)) == READ_SENTENCE)
        continue;
    assert_int_equal(reading, READ_FAILED);
    assert_string_equal(err.message, expected);
    assert_int_equal(err.status, VOUCH_ERR_FORMAT);
    sentence_release(&sentence);
    reader_close(reader);
}

static void expect_error(const char *text, const char *message)
{
    expect_error_as(text, FORMAT_CONLLU, GOLD_LAST, message);
}

/*
 * Reads `text` and writes it with other heads: each word's is the one before
 * it, its relation "r" or none at all; with `gold` those that were read.
 */
enum answers { GOLD, CHAIN, CHAIN_UNLABELLED };

static void expect_writing(const char *text, int gold, enum answers answers, const char *expected)
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
    assert_true(output_commit(out, &err));
    char *found = folder_get(folder_file("out"));
    assert_string_equal(found, expected);
    free(found);
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

/* --- reading ---------------------------------------------------------- */

TEST_IN_FOLDER(words_heads_and_relations_are_read)
{
    expect_reading(WORD("1", "He", "2", "subj") WORD("2", "runs", "0", "ROOT") "\n" WORD("1", "No", "0", "x"),
                   GOLD_LAST, "He<2:subj runs<0:ROOT|1No<0:x|1");
    expect_reading("", GOLD_LAST, "");
    expect_reading("\n\n", GOLD_LAST, "");
}

TEST_IN_FOLDER(cells_are_the_ten_columns)
{
    struct reader *reader = must_open("# x\n\n1\tA b\tl\tU\tP\tF=1|G=2\t0\troot\t0:root\tM=x y\n", FORMAT_AUTO, 0);
    assert_int_equal(reader->format, FORMAT_CONLLU);
    assert_int_equal(reader_columns(reader), 10);
    assert_int_equal(reader->separator, '\t');
    struct sentence sentence = {0};
    must_read(reader, &sentence);
    static const char *const cells[] = {"1", "A b", "l", "U", "P", "F=1|G=2", "0", "root", "0:root", "M=x y"};
    for (uint32_t c = 0; c < 10; c++)
        assert_true(text_is(sentence_cell(&sentence, 0, c), cells[c]));
    assert_true(text_is(sentence.line[0], "1\tA b\tl\tU\tP\tF=1|G=2\t0\troot\t0:root\tM=x y"));
    assert_int_equal(sentence.number, 3);
    assert_false(sentence.boundary);
    sentence_release(&sentence);
    reader_close(reader);
}

TEST_IN_FOLDER(comments_ranges_and_empty_nodes_are_kept_apart)
{
    expect_reading(full, GOLD_LAST,
                   "{# newdoc id = a\n# text = vámonos al mar\n}"
                   "{0.1\tE\te\tPRON\t_\t_\t_\t_\t2:nsubj\t_\n1-2\tvámonos\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No\n}"
                   "vamos<0:root nos<1:obj "
                   "{2.1\tE\te\tX\t_\t_\t_\t_\t_\t_\n2.2\tF\tf\tX\t_\t_\t_\t_\t_\t_\n"
                   "3-4\tal\t_\t_\t_\t_\t_\t_\t_\t_\n}a<5:case el<5:det mar<1:obl{5.1\tE\te\tX\t_\t_\t_\t_\t_\t_\n}|1"
                   "{# sent_id = 2\n}No # one<0:root|1");
}

TEST_IN_FOLDER(places_of_ranges_and_empty_nodes_that_are_legal)
{
    expect_reading(WORD("1-1", "a", "_", "_") WORD("1", "a", "0", "r") WORD("2-3", "b", "_", "_")
                       WORD("2", "b", "1", "r") WORD("2.1", "n", "_", "_") WORD("3", "c", "1", "r"),
                   GOLD_LAST,
                   "{1-1\ta\t_\tX\tY\t_\t_\t_\t_\t_\n}a<0:r {2-3\tb\t_\tX\tY\t_\t_\t_\t_\t_\n}b<1:r "
                   "{2.1\tn\t_\tX\tY\t_\t_\t_\t_\t_\n}c<1:r|1");
}

TEST_IN_FOLDER(comments_at_the_end_are_a_sentence_without_words)
{
    expect_reading(WORD("1", "a", "0", "r") "\n\n# end\n# of it\n", GOLD_LAST, "a<0:r|1{# end\n# of it\n}|0");
    expect_reading("# nothing else\n", GOLD_LAST, "{# nothing else\n}|0");
}

TEST_IN_FOLDER(line_ends_and_surplus_blank_lines_do_not_matter)
{
    expect_reading("\xEF\xBB\xBF\r\n# x\r\n"
                   "1\ta\t_\t_\t_\t_\t0\tr\t_\t_\r\n \t \r\n\n\n1\tb\t_\t_\t_\t_\t0\tr\t_\t_",
                   GOLD_LAST, "{# x\r\n}a<0:r|1b<0:r|1");
}

TEST_IN_FOLDER(several_roots_are_counted)
{
    expect_reading(WORD("1", "a", "0", "r") WORD("2", "b", "0", "r") WORD("3", "c", "2", "x"), GOLD_LAST,
                   "a<0:r b<0:r c<2:x|2");
}

TEST_IN_FOLDER(without_gold_heads_are_not_looked_at)
{
    expect_reading(WORD("1", "a", "_", "_") WORD("2", "b", "99", "x") WORD("3", "c", "??", "x"), GOLD_NONE, "a b c|0");
    expect_reading(WORD("1", "a", "2", "x") WORD("2", "b", "1", "x"), GOLD_NONE, "a b|0");
}

TEST_IN_FOLDER(a_sentence_has_heads_in_every_word_or_in_none)
{
    expect_reading(WORD("1", "a", "_", "_") WORD("2", "b", "_", "x") "\n" WORD("1", "c", "0", "_"), GOLD_LAST,
                   "a b|0c<0:_|1");
    expect_error(WORD("1", "a", "0", "r") WORD("2", "b", "_", "_"),
                 ":2: expected HEAD in every word or in none: this word has none, word 1 has one");
    expect_error(WORD("1", "a", "_", "_") WORD("2", "b", "_", "_") WORD("3", "c", "0", "r"),
                 ":3: expected HEAD in every word or in none: this word has one, word 1 has none");
}

/* --- errors ----------------------------------------------------------- */

TEST_IN_FOLDER(wrong_columns_are_refused)
{
    expect_error("# x\n1\ta\t_\n", ":2: expected 10 columns separated by tabs, found 3");
    expect_error("1 a _ X Y _ 0 r _ _\n", ":1: expected 10 columns separated by tabs, found 1");
    expect_error("1\ta\t_\tX\tY\t_\t0\tr\t_\t_\t_\n", ":1: expected 10 columns separated by tabs, found 11");
    expect_error(WORD("1", "a", "0", "r") "1-2\tb\n", ":2: expected 10 columns separated by tabs, found 2");
    expect_error("1\ta\t\tX\tY\t_\t0\tr\t_\t_\n", ":1: column 3 is empty: expected \"_\" where there is nothing");
    expect_error("\ta\t_\tX\tY\t_\t0\tr\t_\t_\n", ":1: column 1 is empty: expected \"_\" where there is nothing");
    expect_error("1\ta\t_\tX\tY\t_\t0\tr\t_\t\n", ":1: column 10 is empty: expected \"_\" where there is nothing");
    expect_error("1-2\ta\t_\tX\tY\t_\t_\t_\t\t_\n", ":1: column 9 is empty: expected \"_\" where there is nothing");
    expect_error_as("1\ta\t_\tX\tY\t_\t\tr\t_\t_\n", FORMAT_CONLLU, GOLD_NONE,
                    ":1: column 7 is empty: expected \"_\" where there is nothing");
    expect_error("1\ta\xFF\t_\tX\tY\t_\t0\tr\t_\t_\n", ":1: invalid UTF-8 at byte 4");
}

TEST_IN_FOLDER(words_are_numbered_in_order)
{
    expect_error(WORD("2", "a", "0", "r"), ":1: expected word 1, found \"2\" in its place");
    expect_error(WORD("0", "a", "0", "r"), ":1: expected word 1, found \"0\" in its place");
    expect_error(WORD("1", "a", "0", "r") "\n" WORD("1", "a", "0", "r") WORD("1", "b", "1", "r"),
                 ":4: expected word 2, found \"1\" in its place");
    expect_error(WORD("1", "a", "0", "r") WORD("3", "b", "1", "r"), ":2: expected word 2, found \"3\" in its place");
    static const char *const hostile[] = {"99999999999", "4294967297", "18446744073709551617",
                                          "01",          "+1",         "-1",
                                          "1.",          "1-",         ".1",
                                          "-",           "x",          "_",
                                          "1-2-3",       "1.1.1",      "1-99999999999",
                                          "¹",           "1e0",        "1 ",
                                          "0x1",         "1-2.1",      "1.2-3",
                                          "--",          "00.1",       "1-02"};
    for (size_t i = 0; i < sizeof hostile / sizeof *hostile; i++) {
        char text[200], message[200];
        snprintf(text, sizeof text, "%s\ta\t_\tX\tY\t_\t0\tr\t_\t_\n", hostile[i]);
        snprintf(message, sizeof message, ":1: expected word 1, found \"%s\" in its place", hostile[i]);
        expect_error(text, message);
    }
}

TEST_IN_FOLDER(ranges_stand_in_front_of_their_words)
{
    expect_error(WORD("2-3", "a", "_", "_"), ":1: expected a range from word 1 on, the next one, found 2-3");
    expect_error(WORD("1", "a", "0", "r") WORD("1-2", "b", "_", "_"),
                 ":2: expected a range from word 2 on, the next one, found 1-2");
    expect_error(WORD("1", "a", "0", "r") WORD("2-1", "b", "_", "_"),
                 ":2: expected a range that ends with word 2 or later, found 2-1");
    expect_error(WORD("1-3", "a", "_", "_") WORD("1", "a", "0", "r") WORD("2-3", "b", "_", "_"),
                 ":3: range 2-3 starts within that of line 1, which ends with word 3");
    expect_error(WORD("1-1", "a", "_", "_") WORD("1-2", "a", "_", "_"),
                 ":2: range 1-2 starts within that of line 1, which ends with word 1");
    expect_error("# x\n" WORD("1", "a", "0", "r") WORD("2-3", "b", "_", "_") WORD("2", "b", "1", "r"),
                 ":3: expected a range within the sentence, which ends with word 2, found 3 as its end");
    expect_error(WORD("1", "a", "0", "r") WORD("2-2", "b", "_", "_") "\n",
                 ":2: expected a range within the sentence, which ends with word 1, found 2 as its end");
    expect_error_as(WORD("1-999999999", "a", "_", "_") WORD("1", "a", "_", "_"), FORMAT_CONLLU, GOLD_NONE,
                    ":1: expected a range within the sentence, which ends with word 1, found 999999999 as its end");
}

TEST_IN_FOLDER(empty_nodes_are_numbered_after_their_word)
{
    expect_error(WORD("1.1", "a", "_", "_"), ":1: expected an empty node here to be 0.1, found 1.1");
    expect_error(WORD("0.2", "a", "_", "_"), ":1: expected an empty node here to be 0.1, found 0.2");
    expect_error(WORD("0.0", "a", "_", "_"), ":1: expected an empty node here to be 0.1, found 0.0");
    expect_error(WORD("1", "a", "0", "r") WORD("1.1", "b", "_", "_") WORD("1.3", "b", "_", "_"),
                 ":3: expected an empty node here to be 1.2, found 1.3");
    expect_error(WORD("1", "a", "0", "r") WORD("1.1", "b", "_", "_") WORD("2", "a", "1", "r")
                     WORD("1.2", "b", "_", "_"),
                 ":4: expected an empty node here to be 2.1, found 1.2");
}

TEST_IN_FOLDER(ranges_and_empty_nodes_alone_are_no_sentence)
{
    expect_error(WORD("0.1", "a", "_", "_") "\n" WORD("1", "a", "0", "r"),
                 ":2: expected word 1, found the end of the sentence");
    expect_error(WORD("1-1", "a", "_", "_"), ":1: expected word 1, found the end of the sentence");
}

TEST_IN_FOLDER(comments_within_a_sentence_are_refused)
{
    expect_error(WORD("1", "a", "0", "r") "# x\n", ":2: expected comments in front of the sentence, found one within");
    expect_error(WORD("0.1", "a", "_", "_") "# x\n",
                 ":2: expected comments in front of the sentence, found one within");
}

TEST_IN_FOLDER(heads_that_are_no_numbers_are_refused)
{
    static const char *const hostile[] = {"x", "-1", "1.5", "00", "01", "+0", "99999999999", "1000000000", "0 "};
    for (size_t i = 0; i < sizeof hostile / sizeof *hostile; i++) {
        char text[200], message[200];
        snprintf(text, sizeof text, WORD("1", "a", "%s", "r"), hostile[i]);
        snprintf(message, sizeof message, ":1: expected HEAD to be 0 or a word's number, found \"%s\"", hostile[i]);
        expect_error(text, message);
    }
}

TEST_IN_FOLDER(heads_outside_the_sentence_are_refused)
{
    expect_error(WORD("1", "a", "0", "r") WORD("2", "b", "3", "r"),
                 ":2: expected the head of word 2 to be a number from 0 to 2, found 3");
    expect_error(WORD("1", "a", "999999999", "r"),
                 ":1: expected the head of word 1 to be a number from 0 to 1, found 999999999");
    expect_error(WORD("1", "a", "0", "r") WORD("2", "b", "2", "r"),
                 ":2: expected the head of word 2 to be another word or 0, found itself");
}

TEST_IN_FOLDER(a_tree_has_a_root_and_no_cycle)
{
    expect_error("# x\n" WORD("1", "a", "2", "r") WORD("2", "b", "1", "r"),
                 ":2: expected a root among the 2 words (one whose head is 0), found none");
    expect_error(WORD("1", "a", "0", "r") WORD("2", "b", "3", "r") WORD("3", "c", "2", "r"),
                 ":2: expected a tree, found a cycle of 2 words from word 2 back to itself");
    expect_error(WORD("1", "a", "4", "r") WORD("2", "b", "0", "r") WORD("3", "c", "4", "r") WORD("4", "d", "5", "r")
                     WORD("5", "e", "3", "r"),
                 ":3: expected a tree, found a cycle of 3 words from word 3 back to itself");
}

/* Lines that are no words stand between the words: the error still finds its line. */
TEST_IN_FOLDER(errors_of_the_whole_tree_name_the_words_line)
{
#define BEGINNING                                                                                                      \
    WORD("1", "a", "0", "r")                                                                                           \
    "\n# x\n" WORD("0.1", "n", "_", "_") WORD("1-2", "ab", "_", "_") WORD("1", "a", "0", "r")                          \
        WORD("1.1", "n", "_", "_") WORD("1.2", "n", "_", "_")
    expect_error(BEGINNING WORD("2", "b", "7", "r"),
                 ":9: expected the head of word 2 to be a number from 0 to 2, found 7");
    expect_error(BEGINNING WORD("2", "b", "3", "r") WORD("2.1", "n", "_", "_") WORD("3", "c", "2", "r") "\n",
                 ":9: expected a tree, found a cycle of 2 words from word 2 back to itself");
#undef BEGINNING
}

/* Returns a sentence of `words` words: a chain to the first, or to the last if it goes down. */
static char *long_sentence(uint32_t words, bool down)
{
    char *text = malloc((size_t)words * 48 + 1), *at = text;
    for (uint32_t i = 1; i <= words; i++)
        at += sprintf(at, "%u\ta\t_\tX\tY\t_\t%u\tr\t_\t_\n", i, down ? (i < words ? i + 1 : 0) : i - 1);
    return text;
}

TEST_IN_FOLDER(the_longest_sentence_is_read_and_a_longer_one_refused)
{
    struct sentence sentence = {0};
    for (int down = 0; down < (in_a_hurry() ? 1 : 2); down++) {
        char *text = long_sentence(1 << 20, down);
        struct reader *reader = must_open(text, FORMAT_AUTO, GOLD_LAST);
        must_read(reader, &sentence);
        assert_int_equal(sentence.N, 1 << 20);
        assert_int_equal(sentence.roots, 1);
        assert_int_equal(sentence.head[(1 << 20) - 1], down ? 0 : (1 << 20) - 1);
        reader_close(reader);
        free(text);
    }
    sentence_release(&sentence);
    char *text = long_sentence((1 << 20) + 1, false);
    expect_error(text, ":1048577: sentence longer than 1048576 words");
    free(text);
}

/* Words and carried lines from one byte to 300 KiB: views must follow the bytes wherever these move. */
TEST_IN_FOLDER(long_lines_keep_their_views)
{
    char *text = malloc((size_t)8 << 20), *at = text, *form = calloc(1, 300001);
    uint32_t words = 0;
    at += sprintf(at, "# a comment\n");
    for (size_t length = 1; length < 300000; length = length * 3 / 2 + 1) {
        memset(form, 'a' + (int)(words % 26), length);
        at += sprintf(at, "%u.1\t%s\t_\t_\t_\t_\t_\t_\t_\t_\n", words, form);
        at += sprintf(at, "%u\t%s\t_\tX\tY\t_\t%u\tr%u\t_\t_\n", words + 1, form, words, words);
        words++;
    }
    strcpy(at, "\n");
    struct reader *reader = must_open(text, FORMAT_AUTO, GOLD_LAST);
    struct sentence sentence = {0};
    must_read(reader, &sentence);
    assert_int_equal(sentence.N, words);
    assert_true(text_is(sentence.before, "# a comment\n"));
    struct output *out = output_open(folder_file("out"), &err);
    assert_true(write_sentence(out, &plainly, &sentence, sentence.head, sentence.gold, NULL, &err));
    assert_true(output_commit(out, &err));
    char *found = folder_get(folder_file("out"));
    assert_true(strcmp(found, text) == 0);
    free(found);
    sentence_release(&sentence);
    reader_close(reader);
    free(form);
    free(text);
}

/* --- writing ---------------------------------------------------------- */

TEST_IN_FOLDER(gold_answers_give_back_the_file)
{
    expect_writing(full, GOLD_LAST, GOLD, full);
    expect_writing(WORD("1", "a", "0", "r"), GOLD_LAST, GOLD, WORD("1", "a", "0", "r"));
    static const char *const surplus = "\n# x\n\n" WORD("1", "a", "0", "r") "\n\n# end\n\n";
    expect_writing(surplus, GOLD_LAST, GOLD, surplus);
    expect_writing("", GOLD_LAST, GOLD, "");
}

TEST_IN_FOLDER(only_head_and_deprel_are_replaced)
{
    static const char *const text = "# c\n1-2\tab\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No\n"
                                    "1\ta\tl\tU\tP\tF=1\t2\told\t0:x|2:y\tM=1\n2\tb\tl\tU\tP\tF=2\t0\told\t_\tM=2\n"
                                    "2.1\tn\t_\t_\t_\t_\t_\t_\t_\t_\n\n";
    expect_writing(text, GOLD_LAST, CHAIN,
                   "# c\n1-2\tab\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No\n"
                   "1\ta\tl\tU\tP\tF=1\t0\tr\t0:x|2:y\tM=1\n2\tb\tl\tU\tP\tF=2\t1\tr\t_\tM=2\n"
                   "2.1\tn\t_\t_\t_\t_\t_\t_\t_\t_\n\n");
    expect_writing(text, GOLD_NONE, CHAIN_UNLABELLED,
                   "# c\n1-2\tab\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No\n"
                   "1\ta\tl\tU\tP\tF=1\t0\t_\t0:x|2:y\tM=1\n2\tb\tl\tU\tP\tF=2\t1\t_\t_\tM=2\n"
                   "2.1\tn\t_\t_\t_\t_\t_\t_\t_\t_\n\n");
}

TEST_IN_FOLDER(missing_heads_are_filled_in)
{
    expect_writing("1\ta\t_\t_\t_\t_\t_\t_\t_\t_\r\n2\tb\t_\t_\t_\t_\t_\t_\t_\t_", GOLD_LAST, CHAIN,
                   "1\ta\t_\t_\t_\t_\t0\tr\t_\t_\r\n2\tb\t_\t_\t_\t_\t1\tr\t_\t_");
}

TEST_IN_FOLDER(trees_and_labels_do_not_mix)
{
    struct sentence sentence = {0};
    struct text label = {"X", 1};
    struct output *out = output_open(folder_file("out"), &err);
    struct reader *reader = must_open(WORD("1", "a", "0", "r"), FORMAT_AUTO, GOLD_LAST);
    must_read(reader, &sentence);
    assert_false(write_sentence(out, &(struct writer_options){.format = FORMAT_CONLLU, .separator = '\t'}, &sentence,
                                NULL, &label, NULL, &err));
    assert_string_equal(err.message, "labels can be written to CoNLL-U only in place of a column that was read");
    reader_close(reader);

    reader = must_open("a O\n", FORMAT_CONLL, GOLD_LAST);
    must_read(reader, &sentence);
    assert_false(sentence.tree);
    assert_int_equal(sentence.roots, 0);
    assert_false(write_sentence(out, &plainly, &sentence, &(uint32_t){0}, NULL, NULL, &err));
    assert_string_equal(err.message, "trees can be written only for trees that were read");
    assert_int_equal(err.status, VOUCH_ERR_ARGUMENT);
    reader_close(reader);
    output_discard(out);
    sentence_release(&sentence);
}

/* --- labels ----------------------------------------------------------- */

static struct reader *open_labels(const char *text, int gold, uint32_t column)
{
    struct reader_options options = {.gold = gold, .column = column};
    struct reader *reader = reader_open(folder_put("in", text), &options, &err);
    if (!reader)
        fail_msg("%s", err.message);
    assert_int_equal(reader->format, FORMAT_CONLLU);
    assert_int_equal(reader_column(reader), column);
    return reader;
}

TEST_IN_FOLDER(a_column_can_be_the_labels)
{
    static const char *const gold[] = {"", "",     "vamos", "ir", "VERB", "V|p", "Number=Plur|Person=1",
                                       "", "root", "0:root"};
    for (uint32_t column = 2; column < 10; column++) {
        if (column == 7)
            continue;
        struct reader *reader = open_labels(full, GOLD_LAST, column);
        struct sentence s = {0};
        must_read(reader, &s);
        assert_int_equal(s.N, 5);
        assert_true(s.labelled && s.leads && !s.tree);
        assert_int_equal(sentence_cells(&s, 0), 9);
        assert_true(text_is(sentence_form(&s, 0), "vamos"));
        assert_true(text_is(sentence_cell(&s, 0, 2), "VERB"));
        assert_true(text_is(s.gold[0], gold[column]));
        assert_true(text_equal(s.gold[4], sentence_cell(&s, 4, column - 2)));
        assert_int_equal(reader_line(reader, &s, 4), 12);
        sentence_release(&s);
        reader_close(reader);
    }
}

/* Heads that are no tree do not matter where labels are read. */
TEST_IN_FOLDER(labels_do_not_need_a_tree)
{
    struct reader *reader = open_labels(WORD("1", "a", "2", "r") WORD("2", "b", "1", "r"), GOLD_LAST, 4);
    struct sentence s = {0};
    must_read(reader, &s);
    assert_int_equal(s.N, 2);
    sentence_release(&s);
    reader_close(reader);
}

static void expect_no_labels(uint32_t column, bool named, const char *text, const char *message)
{
    struct reader_options options = {.gold = GOLD_LAST, .column = column, .named = named};
    assert_null(reader_open(folder_put("in", text), &options, &err));
    if (!strstr(err.message, message))
        fail_msg("expected '%s', found: %s", message, err.message);
}

TEST_IN_FOLDER(labels_need_a_column_that_can_hold_them)
{
    static const char *const word = WORD("1", "a", "0", "r");
    expect_no_labels(0, false, word, "expected --column");
    expect_no_labels(1, false, word, "found column 1");
    expect_no_labels(7, false, word, "trees are for --task dep");
    expect_no_labels(10, false, word, "found column 10");
    expect_no_labels(11, false, word, "found column 11");
    expect_no_labels(4, true, "a O\nb O\n", "expected CoNLL-U");
    for (uint32_t c = 1; c <= 10; c++)
        assert_int_equal(column_parse(column_name(c)), c);
    assert_int_equal(column_parse("UPOS"), 0);
    assert_string_equal(column_name(0), "none");
}

/* With the answer's cell put back, the output is the input, byte for byte. */
TEST_IN_FOLDER(labels_replace_one_cell_and_nothing_else)
{
    for (uint32_t column = 2; column < 10; column++) {
        if (column == 7)
            continue;
        struct reader *reader = open_labels(full, GOLD_NONE, column);
        struct writer_options options = {.format = FORMAT_CONLLU, .separator = '\t'};
        struct output *out = output_open(folder_file("out"), &err), *back = output_open(folder_file("back"), &err);
        struct sentence s = {0};
        options.column = column;
        while (reader_next(reader, &s, &err) == READ_SENTENCE) {
            struct text own[8], other[8];
            for (uint32_t i = 0; i < s.N; i++) {
                own[i] = sentence_cell(&s, i, column - 2);
                other[i] = text_of("<new>");
            }
            assert_true(write_sentence(out, &options, &s, NULL, other, NULL, &err));
            assert_true(write_sentence(back, &options, &s, NULL, own, NULL, &err));
        }
        assert_true(output_commit(out, &err) && output_commit(back, &err));
        char *found = folder_get(folder_file("back")), *changed = folder_get(folder_file("out"));
        assert_string_equal(found, full);
        if (column == 5)
            assert_non_null(strstr(changed, "\n5\tmar\tmar\tNOUN\t<new>\t_\t1\tobl\t1:obl:a\t_\n5.1\t"));
        free(found);
        free(changed);
        sentence_release(&s);
        reader_close(reader);
    }
}

TEST_IN_FOLDER(confidence_in_labels_goes_to_misc)
{
    static const double conf[] = {0.25};
    struct method_confidence by_method = {.method = "gamma", .word = conf, .sentence = NAN};
    struct alternative others[] = {{.label = {"A,b|c \\d", 8}, .probability = 0.25},
                                   {.label = {"N", 1}, .probability = 0.125}};
    uint32_t found[] = {2};
    struct confidences confidences = {
        .by_method = &by_method, .methods = 1, .alternatives = 2, .alternative = others, .found = found};
    static const char *const text = "1\ta\t_\tX\tY\t_\t_\t_\t_\tXposConf=1|K=v|UposConf=1|UposAlt=X:1\n";
    struct reader *reader = open_labels(text, GOLD_NONE, 4);
    struct writer_options options = {.format = FORMAT_CONLLU, .separator = '\t'};
    struct output *out = output_open(folder_file("out"), &err);
    struct sentence s = {0};
    struct text label = text_of("N");
    options.column = 4;
    must_read(reader, &s);
    assert_true(write_sentence(out, &options, &s, NULL, &label, &(struct marks){.confidences = &confidences}, &err));
    assert_true(output_commit(out, &err));
    char *output = folder_get(folder_file("out"));
    assert_non_null(strstr(output, "# conf_method = gamma (raw)\n1\ta\t_\tN\tY\t_\t_\t_\t_\t"
                                   "XposConf=1|K=v|UposConf=0.25|UposAlt=A\\cb\\pc\\s\\\\d:0.25,N:0.125\n"));
    free(output);
    sentence_release(&s);
    reader_close(reader);
}

/* --- recognising ------------------------------------------------------ */

static void expect_format(const char *text, bool trees, enum format format)
{
    struct reader_options options = {.gold = GOLD_NONE, .trees = trees, .column = trees ? 0 : 4};
    struct reader *reader = reader_open(folder_put("in", text), &options, &err);
    if (!reader)
        fail_msg("%s", err.message);
    assert_string_equal(format_name(reader->format), format_name(format));
    reader_close(reader);
}

TEST_IN_FOLDER(treebanks_are_recognised)
{
    static const char *const word = WORD("1", "a", "0", "r");
    expect_format(word, true, FORMAT_CONLLU);
    expect_format(word, false, FORMAT_CONLLU);
    expect_format(full, true, FORMAT_CONLLU);
    expect_format(full, false, FORMAT_CONLLU);
    expect_format("1\ta\t_\t_\t_\t_\tB-X\t_\t_\t_\n", false, FORMAT_CONLL); /* no HEAD */
    expect_format("a\t1\t_\t_\t_\t_\t0\t_\t_\t_\n", false, FORMAT_CONLL);   /* no ID */
    expect_format("1\ta\t_\t_\t_\t_\t0\t_\t_\n", false, FORMAT_CONLL);      /* nine columns */
    expect_format("\n# a b\n#c\n" WORD("1-2", "a", "_", "_"), true, FORMAT_CONLLU);
    expect_format("", true, FORMAT_CONLLU);
    expect_format("# only this\n", true, FORMAT_CONLLU);
    expect_format("{\"tokens\":[\"a\"]}\n", true, FORMAT_JSONL);
    assert_string_equal(format_name(FORMAT_CONLLU), "conllu");
}

static void expect_no_treebank(const char *text, const char *line, const char *found)
{
    char message[300];
    snprintf(message, sizeof message,
             ":%s: expected CoNLL-X or CoNLL-U (10 columns separated by tabs, the first a number), found %s", line,
             found);
    expect_error_as(text, FORMAT_AUTO, GOLD_LAST, message);
}

TEST_IN_FOLDER(anything_else_is_refused_where_trees_are_expected)
{
    expect_no_treebank("He PRP B-NP\n", "1", "1 column, the first no number");
    expect_no_treebank("# x\n\nHe\tO\n", "3", "2 columns, the first no number");
    expect_no_treebank("1\tHe\tO\n", "1", "3 columns");
    expect_no_treebank("1 He he P P _ 0 r _ _\n", "1", "1 column");
    expect_no_treebank(WORD("x", "a", "0", "r"), "1", "10 columns, the first no number");
}

/* The first 64 KiB of the file decide, even if they end within the first word or the comments. */
TEST_IN_FOLDER(long_beginnings_are_recognised)
{
    size_t length = 100000;
    char *text = malloc(length + 100), *long_form = malloc(length + 1);
    memset(long_form, 'x', length);
    long_form[length] = '\0';
    sprintf(text, WORD("1", "%s", "0", "r"), long_form);
    expect_format(text, true, FORMAT_CONLLU);
    sprintf(text, "# %s\n" WORD("1", "a", "0", "r"), long_form);
    expect_format(text, true, FORMAT_CONLLU);
    free(long_form);
    free(text);
}

/* --- JSON lines ------------------------------------------------------- */

TEST_IN_FOLDER(trees_are_read_from_json_lines)
{
    static const char *const text =
        "{\"id\":7,\"tokens\":[[\"He\",\"he\",\"PRON\"],[\"runs\",\"run\",\"VERB\"]],\"heads\":[2,0],"
        "\"relations\":[\"nsubj\",\"root\"]}\n";
    struct reader *reader = must_open(text, FORMAT_AUTO, GOLD_LAST);
    struct sentence sentence = {0};
    must_read(reader, &sentence);
    assert_true(sentence.tree && sentence.labelled);
    assert_int_equal(sentence.N, 2);
    assert_int_equal(sentence.roots, 1);
    assert_int_equal(sentence.head[0], 2);
    assert_int_equal(sentence.head[1], 0);
    assert_true(text_is(sentence.gold[0], "nsubj"));
    static const char *const cells[] = {"2", "runs", "run", "VERB", "_", "_", "_", "_", "_", "_"};
    assert_int_equal(sentence_cells(&sentence, 1), 10);
    for (uint32_t c = 0; c < 10; c++)
        assert_true(text_is(sentence_cell(&sentence, 1, c), cells[c]));
    for (uint32_t i = 0; i < 3; i++)
        assert_int_equal(sentence.lead[i].length, 0);
    sentence_release(&sentence);
    reader_close(reader);
}

TEST_IN_FOLDER(gold_trees_are_optional_in_json_lines)
{
    expect_reading("{\"tokens\":[\"a\"]}\n{\"tokens\":[\"b\"],\"heads\":null}\n{\"tokens\":[\"c\"],\"heads\":[0]}\n"
                   "{\"tokens\":[],\"heads\":[]}\n",
                   GOLD_LAST,
                   "{{\"tokens\":[\"a\"]}}a|0{{\"tokens\":[\"b\"],\"heads\":null}}b|0"
                   "{{\"tokens\":[\"c\"],\"heads\":[0]}}c<0:_|1{{\"tokens\":[],\"heads\":[]}}|0");
    expect_reading("{\"tokens\":[\"a\"],\"heads\":\"x\"}\n", GOLD_NONE, "{{\"tokens\":[\"a\"],\"heads\":\"x\"}}a|0");
}

TEST_IN_FOLDER(json_lines_without_a_tree_are_refused)
{
#define AB "{\"tokens\":[\"a\",\"b\"],"
    static const char *const cases[][2] = {
        {AB "\"heads\":[0]}", "expected 2 heads, one for each token, found 1"},
        {AB "\"heads\":3}", "expected \"heads\" to be an array"},
        {AB "\"heads\":[0,\"1\"]}", "head 2: expected a number from 0 to 2"},
        {AB "\"heads\":[0,1.0]}", "head 2: expected a number from 0 to 2"},
        {AB "\"heads\":[-1,0]}", "head 1: expected a number from 0 to 2"},
        {AB "\"heads\":[0,4294967297]}", "head 2: expected a number from 0 to 2"},
        {AB "\"heads\":[0,2]}", "expected the head of word 2 to be another word or 0, found itself"},
        {AB "\"heads\":[2,1]}", "expected a root among the 2 words (one whose head is 0), found none"},
        {AB "\"heads\":[0,1],\"relations\":[\"r\"]}", "expected 2 relations, one for each token, found 1"},
        {AB "\"heads\":[0,1],\"relations\":[\"r\",\"\"]}", "relation 2: expected a string that is not empty"},
        {AB "\"relations\":[\"r\",\"r\"]}", "expected \"heads\" where there are \"relations\""},
        {"{\"tokens\":[[\"1\",\"2\",\"3\",\"4\",\"5\",\"6\"]]}", "token 1: more than 5 columns"},
        {"{\"tokens\":[[\"a\",\"b\"],[\"a\"]]}", "token 2: expected 2 columns, found 1"},
        {"{\"tokens\":[\"a\",\"b\",\"c\"],\"heads\":[0,3,2]}",
         "expected a tree, found a cycle of 2 words from word 2 back to itself"},
        {"[]", "expected a JSON object"},
    };
#undef AB
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char message[200];
        snprintf(message, sizeof message, ":1: %s", cases[i][1]);
        expect_error_as(cases[i][0], FORMAT_JSONL, GOLD_LAST, message);
    }
}

TEST_IN_FOLDER(json_lines_are_written_with_the_tree_added)
{
    expect_writing(" {\"a\": [1], \"tokens\": [\"a\", \"b\"]}\n{\"tokens\":[]}\n", GOLD_LAST, CHAIN,
                   " {\"a\": [1], \"tokens\": [\"a\", \"b\"],\"predicted_heads\":[0,1],"
                   "\"predicted_relations\":[\"r\",\"r\"]}\n"
                   "{\"tokens\":[],\"predicted_heads\":[],\"predicted_relations\":[]}\n");
    expect_writing("{\"tokens\":[\"a\"]}\n", GOLD_LAST, CHAIN_UNLABELLED,
                   "{\"tokens\":[\"a\"],\"predicted_heads\":[0]}\n");
}
