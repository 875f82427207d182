/* Tests trees in JSON lines: what is read, what is refused and how, and what is written. */
#include "treebank_reading.h"

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
        expect_refusal(cases[i][0], trees_in(FORMAT_JSONL, GOLD_LAST), message);
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
