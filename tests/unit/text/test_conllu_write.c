/* Tests what is written to CoNLL-U: trees, labels in place of one of its columns, and their confidence. */
#include "treebank_reading.h"

/* --- trees ------------------------------------------------------------ */

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

/* --- labels in a column ------------------------------------------------ */

static struct reader *open_labels(const char *text, int gold, uint32_t column)
{
    struct reader *reader = must_open_text(text, (struct reader_options){.gold = gold, .column = column});
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
    assert_null(open_text(text, (struct reader_options){.gold = GOLD_LAST, .column = column, .named = named}));
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
