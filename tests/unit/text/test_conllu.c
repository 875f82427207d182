/* Tests how CoNLL-X and CoNLL-U are read: what is read, what is refused and how, and how they are recognised. */
#include "treebank_reading.h"

static void expect_error(const char *text, const char *message)
{
    expect_refusal(text, trees_in(FORMAT_CONLLU, GOLD_LAST), message);
}

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
    expect_refusal("1\ta\t_\tX\tY\t_\t\tr\t_\t_\n", trees_in(FORMAT_CONLLU, GOLD_NONE),
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
    expect_refusal(WORD("1-999999999", "a", "_", "_") WORD("1", "a", "_", "_"), trees_in(FORMAT_CONLLU, GOLD_NONE),
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

/* --- recognising ------------------------------------------------------ */

static struct reader_options any_format(bool trees)
{
    return (struct reader_options){.gold = GOLD_NONE, .trees = trees, .column = trees ? 0 : 4};
}

TEST_IN_FOLDER(treebanks_are_recognised)
{
    static const char *const word = WORD("1", "a", "0", "r");
    expect_format(word, any_format(true), FORMAT_CONLLU);
    expect_format(word, any_format(false), FORMAT_CONLLU);
    expect_format(full, any_format(true), FORMAT_CONLLU);
    expect_format(full, any_format(false), FORMAT_CONLLU);
    expect_format("1\ta\t_\t_\t_\t_\tB-X\t_\t_\t_\n", any_format(false), FORMAT_CONLL); /* no HEAD */
    expect_format("a\t1\t_\t_\t_\t_\t0\t_\t_\t_\n", any_format(false), FORMAT_CONLL);   /* no ID */
    expect_format("1\ta\t_\t_\t_\t_\t0\t_\t_\n", any_format(false), FORMAT_CONLL);      /* nine columns */
    expect_format("\n# a b\n#c\n" WORD("1-2", "a", "_", "_"), any_format(true), FORMAT_CONLLU);
    expect_format("", any_format(true), FORMAT_CONLLU);
    expect_format("# only this\n", any_format(true), FORMAT_CONLLU);
    expect_format("{\"tokens\":[\"a\"]}\n", any_format(true), FORMAT_JSONL);
    assert_string_equal(format_name(FORMAT_CONLLU), "conllu");
}

static void expect_no_treebank(const char *text, const char *line, const char *found)
{
    char message[300];
    snprintf(message, sizeof message,
             ":%s: expected CoNLL-X or CoNLL-U (10 columns separated by tabs, the first a number), found %s", line,
             found);
    expect_refusal(text, trees_in(FORMAT_AUTO, GOLD_LAST), message);
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
    expect_format(text, any_format(true), FORMAT_CONLLU);
    sprintf(text, "# %s\n" WORD("1", "a", "0", "r"), long_form);
    expect_format(text, any_format(true), FORMAT_CONLLU);
    free(long_form);
    free(text);
}
