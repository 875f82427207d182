/*
 * Tests amending: in every format only the cells that amendments name change;
 * amendments that do not fit the file are refused; and changing any file there
 * and back restores it.
 */
#include "base/random.h"
#include "review/decisions.h"

#include "folder.h"
#include "test.h"

static struct vouch_error err;
static const struct reader_options conll = {.format = FORMAT_CONLL}, crfsuite = {.format = FORMAT_CRFSUITE};
static const struct reader_options jsonl = {.format = FORMAT_JSONL};
static const struct reader_options trees = {.format = FORMAT_CONLLU, .trees = true};
static const struct reader_options json_trees = {.format = FORMAT_JSONL, .trees = true};

/* Word `word` (and the next) on line `line`. */
static struct decision wish(uint64_t line, uint32_t word, const char *given, const char *wanted)
{
    uint32_t words = 1;
    for (const char *at = given; *at; at++)
        words += *at == ' ';
    return (struct decision){.line = line,
                             .word = word,
                             .words = words,
                             .given = text_of(given),
                             .wanted = text_of(wanted),
                             .source = "d.tsv",
                             .number = line + 100};
}

/* Amends the file in.txt; true if out.txt was written. */
static bool try_amend(const struct reader_options *reading, const struct decision *list, size_t count,
                      struct amended *done)
{
    struct decisions asked = {.row = malloc((count + 1) * sizeof *list), .rows = count};
    assert_non_null(asked.row);
    for (size_t i = 0; i < count; i++) {
        asked.row[i] = list[i];
        asked.row[i].about = true;
    }
    err = (struct vouch_error){0};
    struct output *out = output_open(folder_file("out.txt"), &err);
    assert_non_null(out);
    bool ok = amend(folder_file("in.txt"), reading, &asked, out, NULL, done, &err);
    free(asked.row);
    if (!ok)
        assert_true(err.message[0] != '\0' && err.status != VOUCH_OK);
    return output_close(out, ok, &err);
}

static void expect_changed(const char *file, const struct reader_options *reading, const struct decision *list,
                           size_t count, const char *expected, uint64_t words)
{
    struct amended done;
    folder_put("in.txt", file);
    if (!try_amend(reading, list, count, &done))
        fail_msg("%s", err.message);
    char *found = folder_get(folder_file("out.txt"));
    assert_string_equal(found, expected);
    assert_int_equal(done.changed, words);
    free(found);
}

static void expect_refused(const char *file, const struct reader_options *reading, const struct decision *list,
                           size_t count, const char *message)
{
    struct amended done;
    remove(folder_file("out.txt"));
    folder_put("in.txt", file);
    assert_false(try_amend(reading, list, count, &done));
    const char *name = strstr(err.message, "in.txt:");
    assert_non_null(name);
    assert_string_equal(name, message);
    assert_null(folder_get(folder_file("out.txt")));
    free(done.refused.bytes);
}

TEST_IN_FOLDER(nothing_asked_for_is_a_copy)
{
    static const char *const files[] = {"", "\n", "a O", "a O\r\n\r\n\r\n", "\xEF\xBB\xBF# c\na O\n\n\n# d\n", "a O\r"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        expect_changed(files[i], &conll, NULL, 0, files[i], 0);
    const char *json = " {\"tokens\":[\"a\"] , \"labels\":[\"O\"], \"n\": 1.50}\n\n";
    expect_changed(json, &jsonl, NULL, 0, json, 0);
}

TEST_IN_FOLDER(columns)
{
    struct decision list[] = {wish(6, 2, "O B-X", "B-PER I-PER"), wish(3, 1, "O", "B-LOC")};
    expect_changed("# note\n-DOCSTART- O\nParis  O \n\n Ada B-X\r\nKing O\nlives B-X", &conll, list, 2,
                   "# note\n-DOCSTART- O\nParis  B-LOC \n\n Ada B-X\r\nKing B-PER\nlives I-PER", 3);
    struct reader_options second = {.format = FORMAT_CONLL, .gold = 2};
    expect_changed(
        "\xEF\xBB\xBF"
        "a\tO\tx\r\nb\tO\ty\r\n",
        &second,
        &(struct decision){.line = 2, .word = 2, .words = 1, .text = {"b", 1}, .given = {"O", 1}, .wanted = {"S-Z", 3}},
        1,
        "\xEF\xBB\xBF"
        "a\tO\tx\r\nb\tS-Z\ty\r\n",
        1);
}

TEST_IN_FOLDER(what_is_there_already_is_no_change)
{
    struct decision list[] = {wish(1, 1, "O", "O"), wish(2, 2, "B", "B")};
    expect_changed("a O\nb B\n", &conll, list, 2, "a O\nb B\n", 0);
}

TEST_IN_FOLDER(attributes)
{
    struct decision list[] = {wish(1, 1, "a\\b O", "O c\\:d")};
    list[0].text = text_of("Paris rest");
    expect_changed("a\\\\b\tx:2\tw[0]=Paris\nO\trest\t\n", &crfsuite, list, 1, "O\tx:2\tw[0]=Paris\nc\\\\:d\trest\t\n",
                   2);
    list[0].text = text_of("Paris other");
    expect_refused(
        "a\\\\b\tx:2\tw[0]=Paris\nO\trest\t\n", &crfsuite, list, 1,
        "in.txt:1: expected \"Paris other\", found \"Paris rest\": has the file changed since it was reviewed? "
        "(d.tsv:101)");
}

static const char *const tree =
    "# text = ab c\n1-2\tab\t_\t_\t_\t_\t_\t_\t_\t_\n1\ta\ta\tX\t_\t_\t2\tdep\t_\t_\n1.1\te\t_\t_\t_\t_\t_\t_\t_\t_\n"
    "2\tb\tb\tX\t_\t_\t0\troot\t_\tA=2\n3\tc\tc\tX\t_\t_\t2\tnsubj:pass\t_\t_\n";

TEST_IN_FOLDER(arcs)
{
    struct decision list[] = {wish(5, 2, "0:root", "3:obj:x"), wish(6, 3, "2:nsubj:pass", "0"), wish(3, 1, "2", "3")};
    expect_changed(tree, &trees, list, 3,
                   "# text = ab c\n1-2\tab\t_\t_\t_\t_\t_\t_\t_\t_\n1\ta\ta\tX\t_\t_\t3\tdep\t_\t_\n"
                   "1.1\te\t_\t_\t_\t_\t_\t_\t_\t_\n2\tb\tb\tX\t_\t_\t3\tobj:x\t_\tA=2\n"
                   "3\tc\tc\tX\t_\t_\t0\tnsubj:pass\t_\t_\n",
                   3);
}

TEST_IN_FOLDER(arcs_must_make_a_tree)
{
    struct decision cycle = wish(5, 2, "0:root", "1:dep"), itself = wish(3, 1, "2:dep", "1"),
                    far = wish(3, 1, "2:dep", "4:dep"), none = wish(5, 2, "0:root", "3:x");
    expect_refused(tree, &trees, &cycle, 1,
                   "in.txt:3: expected a root among the 3 words (one whose head is 0), found none (d.tsv:105)");
    expect_refused(tree, &trees, &itself, 1,
                   "in.txt:3: expected the head of word 1 to be another word or 0, found itself (d.tsv:103)");
    expect_refused(tree, &trees, &far, 1,
                   "in.txt:3: expected the head of word 1 to be a number from 0 to 3, found 4 (d.tsv:103)");
    expect_refused(tree, &trees, &none, 1,
                   "in.txt:3: expected a root among the 3 words (one whose head is 0), found none (d.tsv:105)");
    struct decision loop[] = {wish(5, 2, "0:root", "1:x"), wish(6, 3, "2:nsubj:pass", "0:root")};
    expect_refused(tree, &trees, loop, 2,
                   "in.txt:3: expected a tree, found a cycle of 2 words from word 1 back to itself (d.tsv:105)");
    struct decision second = wish(6, 3, "2:nsubj:pass", "0:root");
    expect_refused(tree, &trees, &second, 1, "in.txt:3: expected 1 root (words whose head is 0), found 2 (d.tsv:106)");
    struct decision round[] = {wish(3, 1, "2:dep", "3"), wish(6, 3, "2:nsubj:pass", "1")};
    expect_refused(tree, &trees, round, 2,
                   "in.txt:3: expected a tree, found a cycle of 2 words from word 1 back to itself (d.tsv:103, "
                   "d.tsv:106)");
    static const char *const bad[] = {"x", "2:", ":dep", "02:dep", "-1", "12345678901"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char message[120];
        struct decision wrong = wish(3, 1, "2:dep", bad[i]);
        snprintf(message, sizeof message,
                 "in.txt:3: expected HEAD or HEAD:RELATION in the decision, found \"%s\" (d.tsv:103)", bad[i]);
        expect_refused(tree, &trees, &wrong, 1, message);
    }
}

static const char *const pair = "1\ta\t_\tX\t_\t_\t0\troot\t_\t_\n2\tb\t_\tX\t_\t_\t1\tdep\t_\t_\n\n";

/* Every sentence that would be no tree is reported, with every row that contributes to it, and nothing is written. */
TEST_IN_FOLDER(all_that_is_no_tree_is_refused_at_once)
{
    enum { TREES = 40 };
    static char file[TREES * 100];
    struct decision list[2 * TREES];
    char expected[200];
    struct amended done;
    file[0] = '\0';
    for (uint32_t i = 0; i < TREES; i++) {
        strcat(file, pair);
        list[2 * i] = wish(3 * i + 1, 1, "0:root", i % 2 ? "2:dep" : "0:root");
        list[2 * i + 1] = wish(3 * i + 2, 2, "1:dep", i % 4 == 3 ? "0:root" : i % 4 == 0 ? "0" : "1:dep");
    }
    folder_put("in.txt", file);
    remove(folder_file("out.txt"));
    assert_false(try_amend(&trees, list, 2 * TREES, &done));
    assert_null(folder_get(folder_file("out.txt")));
    assert_int_equal(done.refusals, TREES / 2);
    char *lines = strndup(done.refused.bytes, done.refused.length), *line = strtok(lines, "\n");
    for (uint32_t i = 0; i < TREES; i++) {
        if (i % 4 == 2 || i % 4 == 3)
            continue; /* a tree, as it was or the other way round */
        snprintf(expected, sizeof expected,
                 i % 4 == 0 ? "in.txt:%u: expected 1 root (words whose head is 0), found 2 (d.tsv:%u)"
                            : "in.txt:%u: expected a root among the 2 words (one whose head is 0), found none "
                              "(d.tsv:%u)",
                 3 * i + 1, 3 * i + (i % 4 == 0 ? 102 : 101));
        assert_non_null(line);
        assert_string_equal(strstr(line, "in.txt:"), expected);
        line = strtok(NULL, "\n");
    }
    assert_null(line);
    free(lines);
    free(done.refused.bytes);
}

TEST_IN_FOLDER(several_roots_may_stay_but_not_grow)
{
    const char *two = "1\ta\t_\tX\t_\t_\t0\troot\t_\t_\n2\tb\t_\tX\t_\t_\t0\troot\t_\t_\n"
                      "3\tc\t_\tX\t_\t_\t2\tdep\t_\t_\n";
    struct decision moved = wish(3, 3, "2", "1"), fewer = wish(2, 2, "0", "1"), more = wish(3, 3, "2", "0");
    expect_changed(two, &trees, &moved, 1,
                   "1\ta\t_\tX\t_\t_\t0\troot\t_\t_\n2\tb\t_\tX\t_\t_\t0\troot\t_\t_\n"
                   "3\tc\t_\tX\t_\t_\t1\tdep\t_\t_\n",
                   1);
    expect_changed(two, &trees, &fewer, 1,
                   "1\ta\t_\tX\t_\t_\t0\troot\t_\t_\n2\tb\t_\tX\t_\t_\t1\troot\t_\t_\n"
                   "3\tc\t_\tX\t_\t_\t2\tdep\t_\t_\n",
                   1);
    expect_refused(two, &trees, &more, 1, "in.txt:1: expected 2 roots (words whose head is 0), found 3 (d.tsv:103)");
}

/* Other changes of an accepted proposal are written, checked against the file, and may not contradict another. */
TEST_IN_FOLDER(other_words_change_with_it)
{
    struct decision list[] = {wish(2, 2, "1:dep", "0:root"), wish(1, 1, "0:root", "2:dep")};
    list[0].also = text_of("1:0:root->2:dep");
    const char *turned = "1\ta\t_\tX\t_\t_\t2\tdep\t_\t_\n2\tb\t_\tX\t_\t_\t0\troot\t_\t_\n\n";
    expect_changed(pair, &trees, list, 1, turned, 2);
    expect_changed(pair, &trees, list, 2, turned, 2);
    list[1].wanted = text_of("2:root");
    expect_refused(pair, &trees, list, 2,
                   "in.txt:1: word 1: \"2:dep\" contradicts \"2:root\", decided on line 101 (d.tsv:102)");
    list[0].also = text_of("1:2:root->2:dep");
    expect_refused(pair, &trees, list, 1,
                   "in.txt:1: expected \"2:root\", found \"0:root\": has the file changed since it was reviewed? "
                   "(d.tsv:102)");
    static const char *const bad[] = {"1", "1:0:root", "3:0->1", "0:0->1", "x:0->1", "1:0->"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char message[120];
        list[0].also = text_of(bad[i]);
        snprintf(message, sizeof message,
                 "in.txt:2: expected WORD:GIVEN->WANTED as what also changes, found \"%s\" (d.tsv:102)", bad[i]);
        expect_refused(pair, &trees, list, 1, message);
    }
}

TEST_IN_FOLDER(json_lines)
{
    struct decision list[] = {wish(2, 1, "O B-\"x\"", "B-\"y\" I-z\\"), wish(3, 2, "O", "S")};
    expect_changed(
        "\n {\"labels\" : [ \"O\" ,\"B-\\u0022x\\\"\"] ,\"x\":{\"labels\":[1,\"]\"]}, \"tokens\":[\"a\",[\"b\"]]}\r\n"
        "{\"tokens\":[[\"-\"],[\"c\"]],\"labels\":[\"O\",\"O\"],\"n\":1.50}",
        &jsonl, list, 2,
        "\n {\"labels\" : [ \"B-\\\"y\\\"\" ,\"I-z\\\\\"] ,\"x\":{\"labels\":[1,\"]\"]}, "
        "\"tokens\":[\"a\",[\"b\"]]}\r\n"
        "{\"tokens\":[[\"-\"],[\"c\"]],\"labels\":[\"O\",\"S\"],\"n\":1.50}",
        3);
    struct decision control[] = {wish(1, 1, "O", "B-\x01\x1f\x7f")};
    expect_changed("{\"tokens\":[\"a\"],\"labels\":[\"O\"]}\n", &jsonl, control, 1,
                   "{\"tokens\":[\"a\"],\"labels\":[\"B-\\u0001\\u001f\x7f\"]}\n", 1);
}

TEST_IN_FOLDER(json_trees_change)
{
    struct decision list[] = {wish(1, 1, "2:a", "0:root"), wish(1, 2, "0:root", "1:b")};
    expect_changed("{\"tokens\":[\"x\",\"y\"],\"relations\":[\"a\", \"root\" ],\"heads\":[ 2,0]}\n", &json_trees, list,
                   2, "{\"tokens\":[\"x\",\"y\"],\"relations\":[\"root\", \"b\" ],\"heads\":[ 0,1]}\n", 2);
    struct decision heads[] = {wish(1, 3, "2", "1")};
    expect_changed("{\"tokens\":[\"x\",\"y\",\"z\"],\"heads\":[2,0,2]}\n", &json_trees, heads, 1,
                   "{\"tokens\":[\"x\",\"y\",\"z\"],\"heads\":[2,0,1]}\n", 1);
    struct decision relation[] = {wish(1, 1, "2:_", "2:obj")};
    expect_refused("{\"tokens\":[\"x\",\"y\"],\"heads\":[2,0],\"relations\":null}\n", &json_trees, relation, 1,
                   "in.txt:1: expected \"relations\" to change, found none (d.tsv:101)");
}

TEST_IN_FOLDER(other_labels_than_expected_are_refused)
{
    struct decision label = wish(2, 2, "O", "B"), blank = wish(3, 1, "O", "B"), beyond = wish(9, 1, "O", "B"),
                    inside = wish(2, 1, "O", "B"), past = wish(2, 2, "B O", "B B"), mark = wish(4, 1, "O", "B"),
                    few = wish(1, 1, "O B", "X");
    static const char file[] = "a O\nb B\n\n-DOCSTART- O\n";
    expect_refused(file, &conll, &label, 1,
                   "in.txt:2: expected \"O\", found \"B\": has the file changed since it was reviewed? (d.tsv:102)");
    expect_refused(file, &conll, &blank, 1,
                   "in.txt:3: expected word 1 of a sentence on this line: has the file changed since it was reviewed? "
                   "(d.tsv:103)");
    expect_refused(file, &conll, &beyond, 1,
                   "in.txt:9: expected word 1 of a sentence on this line: has the file changed since it was reviewed? "
                   "(d.tsv:109)");
    expect_refused(file, &conll, &inside, 1,
                   "in.txt:2: expected word 1 of a sentence on this line: has the file changed since it was reviewed? "
                   "(d.tsv:102)");
    expect_refused(file, &conll, &past, 1,
                   "in.txt:2: expected word 2 of a sentence on this line: has the file changed since it was reviewed? "
                   "(d.tsv:102)");
    expect_refused(file, &conll, &mark, 1,
                   "in.txt:4: expected word 1 of a sentence on this line: has the file changed since it was reviewed? "
                   "(d.tsv:104)");
    expect_refused(file, &conll, &few, 1, "in.txt:1: expected 2 labels in the decision, found 1 (d.tsv:101)");
}

TEST_IN_FOLDER(decisions_must_not_contradict_each_other)
{
    struct decision list[] = {wish(1, 1, "O B", "B I"), wish(2, 2, "B", "I")};
    expect_changed("a O\nb B\n", &conll, list, 2, "a B\nb I\n", 2);
    list[1].wanted = text_of("O");
    expect_refused("a O\nb B\n", &conll, list, 2,
                   "in.txt:2: word 2: \"O\" contradicts \"I\", decided on line 101 (d.tsv:102)");
}

/* Returns a label that was typed by hand. */
static struct decision typed(uint64_t line, uint32_t word, const char *given, const char *wanted)
{
    struct decision a = wish(line, word, given, wanted);
    a.by_hand = true;
    return a;
}

TEST_IN_FOLDER(what_is_typed_must_be_a_label_of_the_corpus)
{
    static const char file[] = "a O\nb B-X\n";
    static const char *const wrong[] = {"yes", "x", "++", "\xE2\x80\x93", "o", "Y", "E-X", "B-Y", "b-X"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char message[200];
        struct amended done;
        struct decision a = typed(1, 1, "O", wrong[i]);
        folder_put("in.txt", file);
        assert_false(try_amend(&conll, &a, 1, &done));
        snprintf(message, sizeof message,
                 "d.tsv:101: expected +, -, or a label of %s, found '%s' (--new-labels allows others)",
                 folder_file("in.txt"), wrong[i]);
        assert_string_equal(err.message, message);
    }
    struct decision known = typed(1, 1, "O", "B-X"), spelled = typed(2, 2, "B-X", "I-X");
    expect_changed(file, &conll, &known, 1, "a B-X\nb B-X\n", 1);
    expect_changed(file, &conll, &spelled, 1, "a O\nb I-X\n", 1);
    struct decision odd = wish(1, 1, "O", "yes");
    expect_changed(file, &conll, &odd, 1, "a yes\nb B-X\n", 1);
}

TEST_IN_FOLDER(relations_that_are_typed_must_be_known)
{
    struct decision unknown = typed(3, 1, "2:dep", "2:depp"), known = typed(3, 1, "2:dep", "2:nsubj:pass");
    struct amended done;
    char message[200];
    folder_put("in.txt", tree);
    assert_false(try_amend(&trees, &unknown, 1, &done));
    snprintf(message, sizeof message, "d.tsv:103: expected a relation of %s, found 'depp' (--new-labels allows others)",
             folder_file("in.txt"));
    assert_string_equal(err.message, message);
    assert_true(try_amend(&trees, &known, 1, &done));
    assert_int_equal(done.changed, 1);
}

TEST_IN_FOLDER(one_type_is_spelled_out_for_one_word)
{
    struct decision one = typed(1, 1, "O", "X"), second = typed(2, 2, "O", "X");
    expect_changed("a O\n\nd B-X\n", &conll, &one, 1, "a B-X\n\nd B-X\n", 1);
    expect_changed("a O\n\nd S-X\n", &conll, &one, 1, "a S-X\n\nd S-X\n", 1);
    expect_changed("a O\n\nd U-X\n", &conll, &one, 1, "a U-X\n\nd U-X\n", 1);
    expect_changed("a O\n\nd I-X\n", &conll, &one, 1, "a I-X\n\nd I-X\n", 1);
    expect_changed("a I-X\nb O\n\nd I-X\n", &conll, &second, 1, "a I-X\nb B-X\n\nd I-X\n", 1);
    expect_changed("a I-Y\nb O\n\nd I-X\n", &conll, &second, 1, "a I-Y\nb I-X\n\nd I-X\n", 1);
    expect_changed("{\"tokens\":[\"a\"],\"labels\":[\"O\"]}\n{\"tokens\":[\"d\"],\"labels\":[\"B-X\"]}\n", &jsonl, &one,
                   1, "{\"tokens\":[\"a\"],\"labels\":[\"B-X\"]}\n{\"tokens\":[\"d\"],\"labels\":[\"B-X\"]}\n", 1);
    /* A label of the corpus is that label. */
    expect_changed(
        "a Y\nb X\n", &conll,
        &(struct decision){.line = 1, .word = 1, .words = 1, .given = {"Y", 1}, .wanted = {"X", 1}, .by_hand = true}, 1,
        "a X\nb X\n", 1);
}

TEST_IN_FOLDER(one_type_is_spelled_out_for_several_words)
{
    struct decision outside = typed(1, 1, "B-X I-X", "O"), two = typed(2, 2, "I-X O", "Y"),
                    three = typed(1, 1, "O O O", "X");
    expect_changed("a B-X\nb I-X\n", &conll, &outside, 1, "a O\nb O\n", 2);
    expect_changed("a B-X\nb I-X\nc O\n\nd B-Y\n", &conll, &two, 1, "a B-X\nb B-Y\nc I-Y\n\nd B-Y\n", 2);
    expect_changed("a O\nb O\nc O\n\nd S-X\n", &conll, &three, 1, "a B-X\nb I-X\nc E-X\n\nd S-X\n", 3);
    expect_changed("a O\nb O\nc O\n\nd U-X\n", &conll, &three, 1, "a B-X\nb I-X\nc L-X\n\nd U-X\n", 3);
    expect_changed("a O\nb O\nc O\n\nd I-X\n", &conll, &three, 1, "a I-X\nb I-X\nc I-X\n\nd I-X\n", 3);
    /* In IOB1 it depends on the neighbour, as that will be. */
    struct decision both[] = {typed(3, 3, "O O", "X"), typed(1, 1, "O O", "X")};
    expect_changed("a O\nb O\nc O\nd O\n\nd I-X\n", &conll, both, 2, "a I-X\nb I-X\nc B-X\nd I-X\n\nd I-X\n", 4);
    struct decision json[] = {typed(1, 3, "O O", "X"), typed(1, 1, "O O", "X")};
    json[0].number = 1;
    expect_changed("{\"tokens\":[\"a\",\"b\",\"c\",\"d\"],\"labels\":[\"O\",\"O\",\"O\",\"O\"]}\n"
                   "{\"tokens\":[\"d\"],\"labels\":[\"I-X\"]}\n",
                   &jsonl, json, 2,
                   "{\"tokens\":[\"a\",\"b\",\"c\",\"d\"],\"labels\":[\"I-X\",\"I-X\",\"B-X\",\"I-X\"]}\n"
                   "{\"tokens\":[\"d\"],\"labels\":[\"I-X\"]}\n",
                   4);
    struct decision label = typed(1, 1, "B-X I-X", "B-X");
    expect_refused("a B-X\nb I-X\n", &conll, &label, 1,
                   "in.txt:1: expected 2 labels in the decision, found 1 (d.tsv:101)");
}

static void expect_faults(const char *file, const struct decision *one, uint64_t faults)
{
    struct amended done;
    folder_put("in.txt", file);
    if (!try_amend(&conll, one, 1, &done))
        fail_msg("%s", err.message);
    assert_int_equal(done.faults, faults);
}

TEST_IN_FOLDER(labels_that_leave_the_scheme_are_counted)
{
    struct decision first = typed(1, 1, "B-X", "O"), last = typed(2, 2, "I-X", "O"), i = typed(1, 1, "I-X", "O"),
                    b = typed(1, 1, "O", "B-X"), begin = typed(1, 1, "B-X", "S-X");
    expect_faults("a B-X\nb I-X\n\nc B-X\n", &first, 1);
    expect_faults("a B-X\nb I-X\n\nc B-X\n", &last, 0);
    expect_faults("a B-X\nb I-X\nc O\nd I-X\n", &first, 0); /* it did not follow before */
    expect_faults("a I-X\nb I-X\n", &i, 0);                 /* IOB1 */
    expect_faults("a O\nb I-X\n", &b, 1);
    expect_faults("a B-X\nb E-X\n", &begin, 1);
    expect_faults("a B-X\nb NN\nc O\n", &first, 0);
}

TEST_IN_FOLDER(elements_of_json)
{
    static const struct {
        const char *line;
        uint32_t count;
        const char *first, *last;
    } cases[] = {
        {"{\"k\":[]}", 0, NULL, NULL},
        {"{\"k\":[ 1 ]}", 1, "1", "1"},
        {" { \"a\" : {\"k\":[9]} , \"k\" : [ \"x, ]\" , [1, {\"q\":2}] ] }", 2, "\"x, ]\"", "[1, {\"q\":2}]"},
        {"{\"\\\"k\":1,\"k\":[\"\\\\\",\"\\\"\"]}", 2, "\"\\\\\"", "\"\\\"\""},
        {"{\"k\":null}", NO_ELEMENTS, NULL, NULL},
        {"{}", NO_ELEMENTS, NULL, NULL},
        {"", NO_ELEMENTS, NULL, NULL},
        {"[]", NO_ELEMENTS, NULL, NULL},
        {"{\"k", NO_ELEMENTS, NULL, NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct text element[4];
        uint32_t count = json_elements(text_of(cases[i].line), "k", element, 4);
        assert_int_equal(count, cases[i].count);
        if (cases[i].first) {
            assert_true(text_is(element[0], cases[i].first));
            assert_true(text_is(element[count - 1], cases[i].last));
        }
    }
    /* Cut off anywhere, it ends. */
    static const char whole[] = "{\"a\\\"\":[1,{\"b\":\"\\\\\"}],\"k\":[\"x\\\"\",2]}";
    for (uint32_t length = 0; length < sizeof whole; length++) {
        char *copy = malloc(length + 1);
        struct text element[4];
        assert_non_null(copy);
        memcpy(copy, whole, length);
        json_elements((struct text){copy, length}, "k", element, 4);
        free(copy);
    }
}

/* The amendments that change some words of in.txt, and those that change them back. */
struct there_and_back {
    struct decision there[64], back[64];
    char label[64][2][200];
    size_t count;
};

static void choose(struct there_and_back *all, struct rng *rng, struct reader *reader, const struct sentence *s)
{
    for (uint32_t i = 0; i < s->N && all->count < 64; i++) {
        struct buffer given = {0};
        char(*label)[200] = all->label[all->count];
        if (rng_below(rng, 3) > 0 || !s->labelled)
            continue;
        assert_true(table_labels(s, i, i + 1, s->tree, &given, &err));
        bool simple = given.length < 150 && !memchr(given.bytes, ' ', given.length);
        snprintf(label[0], sizeof label[0], "%.*s", simple ? (int)given.length : 0, given.bytes);
        snprintf(label[1], sizeof label[1], s->tree ? "0:%c\"" : "%c\"", 'A' + (char)rng_below(rng, 26));
        free(given.bytes);
        if (!simple)
            continue;
        struct decision a = wish(reader_line(reader, s, i), i + 1, label[0], label[1]);
        a.words = 1;
        all->there[all->count] = a;
        a.given = text_of(label[1]);
        a.wanted = text_of(label[0]);
        all->back[all->count++] = a;
    }
}

/* Reads in.txt and chooses; false if it cannot be read. */
static bool choose_words(struct there_and_back *all, struct rng *rng, const struct reader_options *reading)
{
    struct sentence sentence = {0};
    struct reader *reader = reader_open(folder_file("in.txt"), reading, &err);
    enum reading state = READ_FAILED;
    all->count = 0;
    while (reader && (state = reader_next(reader, &sentence, &err)) == READ_SENTENCE)
        if (!sentence.boundary)
            choose(all, rng, reader, &sentence);
    sentence_release(&sentence);
    reader_close(reader);
    return state == READ_END;
}

static bool same_file(const char *bytes, size_t length)
{
    FILE *file = fopen(folder_file("out.txt"), "rb");
    char *found = malloc(length + 1);
    assert_true(file && found);
    size_t got = fread(found, 1, length + 1, file);
    bool same = got == length && memcmp(found, bytes, length) == 0;
    fclose(file);
    free(found);
    return same;
}

/* Damage first: files of every kind, as they may come. */
static size_t damage(struct rng *rng, const char *from, char *to)
{
    static const char *const pieces[] = {"\n", "\r\n", "\t", " ", "\"", "\\",          "[",
                                         "}",  "#",    "0",  "_", ",",  "\xEF\xBB\xBF"};
    size_t length = strlen(from);
    memcpy(to, from, length);
    for (uint32_t k = rng_below(rng, 4); k > 0; k--) {
        size_t at = rng_below(rng, (uint32_t)length);
        const char *piece = pieces[rng_below(rng, sizeof pieces / sizeof *pieces)];
        if (rng_below(rng, 2)) {
            memmove(to + at + strlen(piece), to + at, length - at);
            memcpy(to + at, piece, strlen(piece));
            length += strlen(piece);
        } else {
            memmove(to + at, to + at + 1, length - at - 1);
            length--;
        }
    }
    return length;
}

static void there_and_back(const char *file, const struct reader_options *reading, uint64_t seed)
{
    static struct there_and_back all;
    struct rng rng = rng_new(seed, 0);
    uint32_t read = 0, returned = 0;
    const int rounds = fewer(1500);
    for (int round = 0; round < rounds; round++) {
        char bytes[2000];
        struct amended done;
        size_t length = damage(&rng, file, bytes);
        folder_put_bytes("in.txt", bytes, length);
        if (!choose_words(&all, &rng, reading))
            continue;
        read++;
        if (!try_amend(reading, all.there, all.count, &done)) {
            free(done.refused.bytes);
            continue;
        }
        rename(folder_file("out.txt"), folder_file("in.txt"));
        bool back = try_amend(reading, all.back, all.count, &done);
        /* A label that was spelled with escapes comes back without. */
        if (!memchr(bytes, '\\', length)) {
            if (!back)
                fail_msg("%s", err.message);
            assert_true(same_file(bytes, length));
            returned++;
        }
    }
    assert_true((int)read > rounds / 15 && (int)returned > rounds / 15);
}

TEST_IN_FOLDER(changes_can_be_taken_back)
{
    there_and_back("# c\na X O\nb Y B-P\n\n-DOCSTART- X O\n\nc Z I-P\nd Z O\n", &conll, 1);
    there_and_back("a\tO\r\nb\tB\r\n\r\nc\tO", &conll, 2);
    there_and_back("O\tw=a\tx:2\nB\tw=b\n\nO\tw=c\n", &crfsuite, 3);
    there_and_back(tree, &trees, 4);
    there_and_back(
        "{\"tokens\":[\"a\",\"b\"],\"labels\":[\"O\", \"B\"]}\n{\"id\":1.50,\"labels\":[\"O\"],\"tokens\":[\"c\"]}",
        &jsonl, 5);
    there_and_back("{\"tokens\":[\"a\",\"b\",\"c\"],\"relations\":[\"x\",\"y\", \"z\"],\"heads\":[2, 0 ,2]}\n",
                   &json_trees, 6);
}
