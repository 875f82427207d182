/* Tests that what nobody decided on leaves the store byte for byte, and that only labels change in the rest. */
#include "stored.h"

static const struct reader_options usual = {0}, trees = {.trees = true}, unlabelled = {.gold = GOLD_NONE};

static char *export(struct store *store, struct store_export what)
{
    struct output *out = output_open_memory(&err);
    size_t length;
    MUST(out && store_export(store, &what, out, &err));
    const char *text = output_text(out, &length);
    char *copy = calloc(length + 1, 1);
    memcpy(copy, text, length);
    output_discard(out);
    return copy;
}

/* Adds a document, lets one decision be made about a sentence, and compares what is exported. */
static void expect(const char *text, const struct reader_options *reading, int64_t sentence, const char *after,
                   struct store_export what, const char *expected)
{
    struct store *store = open_store();
    what.answers.document = add_text(store, "corpus", text, reading);
    add_annotator(store, "a");
    if (after)
        decide(store, 1, sentence, DECISION_EDIT, after);
    char *found = export(store, what);
    assert_string_equal(found, expected);
    free(found);
    store_close(store);
    remove(folder_file("test.sqlite"));
}

#define COLUMNS "-DOCSTART- -X- O\r\n\r\n#c\na  NN   X\nb NN Y  \n\n\n\nc NN Z"
#define JSON_LINES                                                                                                     \
    "{\"tokens\": [\"a\", \"b\"],  \"labels\": [ \"X\",\"Y\" ], \"x\": 1.50}\n\n" \
    "{\"tokens\":[\"c\"],\"labels\":[\"Z\"]}"
#define TREES                                                                                                          \
    "# sent_id = 1\n1-2\tdu\t_\t_\t_\t_\t_\t_\t_\t_\n1\tde\t_\tX\t_\t_\t2\tcase\t2:case:x\t_\n"                        \
    "2\tle\t_\tX\t_\t_\t0\troot\t0:root\tA=b\n\n1\tb\t_\tX\t_\t_\t0\troot\t_\t_\n"

TEST_IN_FOLDER(what_was_not_decided_on_is_as_it_was)
{
    struct store_export all = {0};
    expect(COLUMNS, &usual, 0, NULL, all, COLUMNS);
    expect("\xEF\xBB\xBF" COLUMNS, &usual, 0, NULL, all, "\xEF\xBB\xBF" COLUMNS);
    expect(JSON_LINES, &usual, 0, NULL, all, JSON_LINES);
    expect(TREES, &trees, 0, NULL, all, TREES);
    expect("X\ta=b\n\nY\tc=d", &usual, 0, NULL, all, "X\ta=b\n\nY\tc=d");
    expect(" the cat sat on the mat \nit sat\n", &usual, 0, NULL, all, " the cat sat on the mat \nit sat\n");
}

TEST_IN_FOLDER(what_was_accepted_is_as_it_was)
{
    struct store_export all = {0};
    expect(COLUMNS, &usual, 2, "X Y", all, COLUMNS);
    expect(JSON_LINES, &usual, 1, "X Y", all, JSON_LINES);
    expect(TREES, &trees, 1, "2:case 0:root", all, TREES);
    expect(TREES, &trees, 1, "2:case ?", all, TREES);
}

TEST_IN_FOLDER(only_labels_change)
{
    struct store_export all = {0};
    expect(COLUMNS, &usual, 2, "Q ?", all, "-DOCSTART- -X- O\r\n\r\n#c\na  NN   Q\nb NN Y  \n\n\n\nc NN Z");
    expect(JSON_LINES, &usual, 1, "? Q\\\"", all,
           "{\"tokens\": [\"a\", \"b\"],  \"labels\": [ \"X\",\"Q\\\\\\\"\" ], \"x\": 1.50}\n\n"
           "{\"tokens\":[\"c\"],\"labels\":[\"Z\"]}");
    expect(TREES, &trees, 1, "0:root 1:y", all,
           "# sent_id = 1\n1-2\tdu\t_\t_\t_\t_\t_\t_\t_\t_\n1\tde\t_\tX\t_\t_\t0\troot\t0:root\t_\n"
           "2\tle\t_\tX\t_\t_\t1\ty\t1:y\tA=b\n\n1\tb\t_\tX\t_\t_\t0\troot\t_\t_\n");
    expect("X\ta=b\n\nY\tc=d", &usual, 2, "Q\\R", all, "X\ta=b\n\nQ\\\\R\tc=d");
}

TEST_IN_FOLDER(labels_are_added_where_there_is_no_place_for_them)
{
    struct store_export all = {0}, asked = {.open = "?"};
    expect("a\nb\n\nc\n", &unlabelled, 1, "X ?", all, "a X\nb _\n\nc _\n");
    expect("a\nb\n\nc\n", &unlabelled, 1, "X ?", asked, "a X\nb ?\n\nc ?\n");
    expect("{\"tokens\": [\"a\"]}\n{\"tokens\": [\"b\"]}\n", &usual, 2, "X", all,
           "{\"tokens\": [\"a\"]}\n{\"tokens\":[\"b\"],\"labels\":[\"X\"]}\n");
    expect("{\"tokens\": [\"a\", \"b\"]}\n", &usual, 1, "X ?", all,
           "{\"tokens\":[\"a\",\"b\"],\"labels\":[\"X\",null]}\n");
    expect("{\"tokens\": [\"a\", \"b\"]}\n", &trees, 1, "0:root ?", all,
           "{\"tokens\":[\"a\",\"b\"],\"heads\":[0,null],\"relations\":[\"root\",null]}\n");
    expect("1\ta\t_\tX\t_\t_\t_\t_\t_\t_\n\n", &(struct reader_options){.trees = true, .gold = GOLD_NONE}, 1, "0:root",
           all, "1\ta\t_\tX\t_\t_\t0\troot\t_\t_\n\n");
}

TEST_IN_FOLDER(only_what_was_decided_with_the_rest_open)
{
    struct store_export some = {.decided_only = true, .open = "_"};
    expect("a X\nb Y\n\nc Z\nd Z\n", &usual, 1, "X ?", some, "a X\nb _\n\n");
    expect("a X\n\n\n\nc Z\n", &usual, 2, "Y", some, "c Y\n");
    expect("{\"tokens\": [\"a\", \"b\"], \"labels\": [\"X\", \"Y\"]}\n", &usual, 1, "X ?", some,
           "{\"tokens\": [\"a\", \"b\"], \"labels\": [\"X\", null]}\n");
    expect("{\"tokens\": [\"a\", \"b\"], \"heads\": [0, 1], \"relations\": [\"root\", \"x\"]}\n", &trees, 1, "? 1:y",
           some, "{\"tokens\": [\"a\", \"b\"], \"heads\": [null, 1], \"relations\": [null, \"y\"]}\n");
    expect(TREES, &trees, 2, "0:root", some, "1\tb\t_\tX\t_\t_\t0\troot\t_\t_\n");
    expect("1\ta\t_\tX\t_\t_\t2\tx\t2:x\t_\n2\tb\t_\tX\t_\t_\t0\troot\t_\t_\n\n", &trees, 1, "? 0:y", some,
           "1\ta\t_\tX\t_\t_\t_\t_\t2:x\t_\n2\tb\t_\tX\t_\t_\t0\ty\t_\t_\n\n");
}

/* Sentences that the document labels wholly, and one that it labels in part. */
TEST_IN_FOLDER(sentences_that_are_labelled_wholly_keep_the_other_labels)
{
    struct store_export some = {.decided_only = true, .open = "?", .completed = true};
    expect("a X\nb Y\n\nc Z\nd Z\n", &usual, 1, "Q ?", some, "a Q\nb Y\n\n");
    expect("a X\nb _\nc Y\n\n", &usual, 1, "Q ? ?", some, "a Q\nb ?\nc ?\n\n");
    expect("a I-X\nb B-X\nc I-X\n\nd O\n\n", &usual, 1, "? I-X ?", some, "a I-X\nb I-X\nc I-X\n\n");
    expect("1\ta\t_\tX\t_\t_\t2\tx\t_\t_\n2\tb\t_\tX\t_\t_\t0\troot\t_\t_\n\n", &trees, 1, "2:y ?", some,
           "1\ta\t_\tX\t_\t_\t2\ty\t_\t_\n2\tb\t_\tX\t_\t_\t0\troot\t_\t_\n\n");
}

/* In IOB1, B-X is for a chunk that touches another of its type, and I-X after an open word tells nothing. */
TEST_IN_FOLDER(sentences_with_open_words_are_in_iob2)
{
    struct store_export some = {.decided_only = true, .open = "?"}, all = {0};
#define IOB1 "a I-X\nb B-X\nc I-X\nd O\ne I-Y\n\nf I-X\n"
    expect(IOB1, &usual, 1, "I-X B-X I-X ? I-Y", some, "a B-X\nb B-X\nc I-X\nd ?\ne B-Y\n\n");
    expect(IOB1, &usual, 1, "? B-X ? ? I-Y", some, "a ?\nb B-X\nc ?\nd ?\ne B-Y\n\n");
    expect(IOB1, &usual, 1, "? I-X ? I-X I-X", some, "a ?\nb I-X\nc ?\nd I-X\ne I-X\n\n");
    expect(IOB1, &usual, 1, "I-X B-X I-X O I-Y", some, "a I-X\nb B-X\nc I-X\nd O\ne I-Y\n\n");
    expect(IOB1, &usual, 1, "? ? ? I-Y ?", all, "a I-X\nb B-X\nc I-X\nd I-Y\ne I-Y\n\nf I-X\n");
    expect("a B-X\nb O\n\n", &usual, 1, "? I-X", some, "a ?\nb I-X\n\n");
}

TEST_IN_FOLDER(looked_at_and_not_looked_at_are_told_apart)
{
    struct store_export states = {.states = true};
    expect("a X\nb Y\n\nc Z\n", &usual, 1, "X ?", states,
           "#vouch_state=unchanged\na X\nb Y\n\n#vouch_state=unseen\nc Z\n");
    expect(JSON_LINES, &usual, 2, "Q", states,
           "{\"tokens\": [\"a\", \"b\"],  \"labels\": [ \"X\",\"Y\" ], \"x\": 1.50, \"vouch_state\": \"unseen\"}\n\n"
           "{\"tokens\":[\"c\"],\"labels\":[\"Q\"], \"vouch_state\": \"changed\"}");
    expect("1\tb\t_\tX\t_\t_\t0\troot\t_\t_\n\n", &trees, 1, "0:top", states,
           "# vouch_state = changed\n1\tb\t_\tX\t_\t_\t0\ttop\t_\t_\n\n");
    struct store *store = open_store();
    states.answers.document = add_text(store, "plain", "the cat\nit sat on it\n", &usual);
    struct output *out = output_open_memory(&err);
    assert_false(store_export(store, &states, out, &err));
    assert_non_null(strstr(err.message, "no place for the states"));
    output_discard(out);
    store_close(store);
}

TEST_IN_FOLDER(an_annotator_alone_and_all_merged)
{
    struct store *store = open_store();
    struct store_export what = {.answers = {.document = add_text(store, "corpus", "a X\nb Y\n\n", &usual)}};
    add_annotator(store, "a");
    add_annotator(store, "b");
    decide(store, 1, 1, DECISION_EDIT, "P Q");
    decide(store, 2, 1, DECISION_EDIT, "P R");
    static const struct {
        int64_t annotator;
        enum store_merge merge;
        const char *expected;
    } cases[] = {{1, MERGE_LATEST, "a P\nb Q\n\n"},
                 {2, MERGE_LATEST, "a P\nb R\n\n"},
                 {0, MERGE_LATEST, "a P\nb R\n\n"},
                 {0, MERGE_AGREED, "a P\nb Y\n\n"},
                 {0, MERGE_MAJORITY, "a P\nb Y\n\n"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        what.answers.annotator = cases[i].annotator;
        what.answers.merge = cases[i].merge;
        char *found = export(store, what);
        assert_string_equal(found, cases[i].expected);
        free(found);
    }
    store_close(store);
}
