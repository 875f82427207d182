/*
 * Tests sentences that are written to be labelled: as they were read, or with labels to correct, and read again as the
 * same.
 */
#include "text/reader.h"
#include "text/writer.h"

#include "folder.h"
#include "test.h"

FILE_FIXTURE(folder_make, folder_remove);

static struct vouch_error err;

/* Writes every sentence of `text`, and expects the result. */
static void expect(const char *text, enum format format, bool trees, bool correct, const char *expected)
{
    static const struct text label[] = {{"B-X", 3}, {"O", 1}, {"a\\b", 3}};
    struct reader_options reading = {.format = format, .gold = GOLD_NONE, .trees = trees};
    struct reader *reader = reader_open(folder_put("in", text), &reading, &err);
    if (!reader)
        fail_msg("%s", err.message);
    struct output *out = output_open_memory(&err);
    struct sentence sentence = {0};
    struct writer_options options = writer_options_for(reader);
    enum reading state;
    while ((state = reader_next(reader, &sentence, &err)) == READ_SENTENCE) {
        assert_true(sentence.N <= 3);
        if (sentence.N == 0)
            continue;
        if (correct)
            assert_true(write_to_correct(out, &options, &sentence, NULL, label, &err));
        else
            write_as_read(out, &options, &sentence);
    }
    if (state != READ_END)
        fail_msg("%s", err.message);
    size_t length;
    const char *written = output_text(out, &length);
    assert_int_equal(length, strlen(expected));
    assert_memory_equal(written, expected, length);
    output_discard(out);
    sentence_release(&sentence);
    reader_close(reader);
}

TEST(columns_stay_as_they_are)
{
    const char *text = "# comment\nAda NNP  B-PER\nleft VBD O\n\n\n\nBonn NNP B-LOC\n";
    expect(text, FORMAT_CONLL, false, false, "# comment\nAda NNP  B-PER\nleft VBD O\n\nBonn NNP B-LOC\n\n");
    expect(text, FORMAT_CONLL, false, true, "# comment\nAda NNP  B-PER B-X\nleft VBD O O\n\nBonn NNP B-LOC B-X\n\n");
    expect("Ada\tNNP\n", FORMAT_CONLL, false, false, "Ada\tNNP\n\n");
}

TEST(plain_lines_stay_lines)
{
    const char *text = "\nAda  left\tBonn\n\n\nnobody did\n";
    expect(text, FORMAT_PLAIN, false, false, "Ada  left\tBonn\nnobody did\n");
    expect("Ada left", FORMAT_PLAIN, false, true, "Ada/B-X left/O\n");
}

/* A sentence that was taken out of its file keeps its kind of line ends, and has one even if it was the last. */
TEST(line_ends_stay)
{
    expect("\r\n# x\r\na O\r\nb O \r\n\r\n\r\nc O", FORMAT_CONLL, false, false, "# x\r\na O\r\nb O \r\n\r\nc O\n\n");
    expect("Ada left \r\n\r\nBonn", FORMAT_PLAIN, false, false, "Ada left \r\nBonn\n");
    expect("{\"tokens\": [\"a\"] } \r\n{\"tokens\":[\"b\"]}", FORMAT_JSONL, false, false,
           "{\"tokens\": [\"a\"] } \r\n{\"tokens\":[\"b\"]}\n");
    expect("X\tw=a\r\n\r\nX\tw=b", FORMAT_CRFSUITE, false, false, "X\tw=a\r\n\r\nX\tw=b\n\n");
    expect("# x\r\n1\ta\t_\t_\t_\t_\t_\t_\t_\t_\r\n1.1\te\t_\t_\t_\t_\t_\t_\t_\t_\r\n\r\n", FORMAT_CONLLU, true, false,
           "# x\r\n1\ta\t_\t_\t_\t_\t_\t_\t_\t_\r\n1.1\te\t_\t_\t_\t_\t_\t_\t_\t_\r\n\r\n");
}

TEST(json_stays_to_the_byte)
{
    const char *text = "{\"id\": 1.50, \"tokens\": [\"Ada\", \"left\"]}\n\n{\"tokens\":[\"x\"]}";
    expect(text, FORMAT_JSONL, false, false, "{\"id\": 1.50, \"tokens\": [\"Ada\", \"left\"]}\n{\"tokens\":[\"x\"]}\n");
    expect("{\"tokens\":[\"x\"],\"heads\":[0]}", FORMAT_JSONL, true, false, "{\"tokens\":[\"x\"],\"heads\":[0]}\n");
}

TEST(json_gets_answers_where_gold_is_read)
{
    expect("{\"labels\":[\"O\",\"O\"],\"tokens\":[\"Ada\",\"left\"],\"spans\":[],\"id\":1}\n{\"tokens\":[\"x\"]}\n",
           FORMAT_JSONL, false, true,
           "{\"labels\":[\"B-X\",\"O\"],\"tokens\":[\"Ada\",\"left\"],\"id\":1}\n"
           "{\"tokens\":[\"x\"],\"labels\":[\"B-X\"]}\n");
}

TEST(attributes_keep_their_lines_and_get_their_labels)
{
    const char *text = "B\tw=Ada\tp:2\nO\tw=left\\:\n\tw=x\t\n\nO\n";
    expect(text, FORMAT_CRFSUITE, false, false, "B\tw=Ada\tp:2\nO\tw=left\\:\n\tw=x\t\n\nO\n\n");
    expect(text, FORMAT_CRFSUITE, false, true, "B-X\tw=Ada\tp:2\nO\tw=left\\:\na\\\\b\tw=x\t\n\nB-X\n\n");
}

TEST(trees_keep_comments_ranges_and_empty_nodes)
{
    const char *tree = "# text = Ada's\n1-2\tAda's\t_\t_\t_\t_\t_\t_\t_\t_\n1\tAda\t_\tX\tX\t_\t2\tdep\t_\t_\n"
                       "2\t's\t_\tX\tX\t_\t0\troot\t_\tA=b\n2.1\tz\t_\t_\t_\t_\t_\t_\t_\t_\n\n";
    expect(tree, FORMAT_CONLLU, true, false, tree);
}
