/*
 * Tests that output keeps the structure of its input: with what labelling adds cut off again, it is the input, byte for
 * byte, whatever ends its lines, however many of them are blank, and whether or not the last one ends.
 */
#include "text/writer.h"

#include "folder.h"
#include "test.h"

#define LABEL "<label>"

static struct vouch_error err;

/* Labels every word of `text` (of trees, gives back its own) and returns the output. */
static char *labelled(const char *text, const struct reader_options *reading)
{
    struct reader *reader = reader_open(folder_put("in", text), reading, &err);
    struct output *out = output_open(folder_file("out"), &err);
    struct sentence s = {0};
    enum reading state;
    if (!reader)
        fail_msg("%s", err.message);
    struct writer_options options = writer_options_for(reader);
    options.column = reader_column(reader);
    while ((state = reader_next(reader, &s, &err)) == READ_SENTENCE) {
        struct text label[16];
        assert_true(s.N <= 16);
        for (uint32_t i = 0; i < s.N; i++)
            label[i] = options.column ? sentence_cell(&s, i, options.column - 2) : text_of(LABEL);
        bool written = write_sentence(out, &options, &s, s.tree ? s.head : NULL, s.tree ? s.gold : label, NULL, &err);
        if (!written)
            fail_msg("%s", err.message);
    }
    if (state == READ_FAILED)
        fail_msg("%s", err.message);
    assert_true(output_commit(out, &err));
    sentence_release(&s);
    reader_close(reader);
    return folder_get(folder_file("out"));
}

/* Removes every `piece` from `text`. */
static void cut(char *text, const char *piece)
{
    for (char *at; (at = strstr(text, piece));)
        memmove(at, at + strlen(piece), strlen(at + strlen(piece)) + 1);
}

/* Removes what stands from `from` up to the last brace of each line. */
static void cut_keys(char *text, const char *from)
{
    for (char *at; (at = strstr(text, from));) {
        char *end = at + strcspn(at, "\n");
        while (*end != '}')
            end--;
        memmove(at, end, strlen(end) + 1);
    }
}

/* `text` with each line feed replaced by one of several line ends in turn, and without the last if `open`. */
static char *spelled(const char *text, const char *const *ends, int count, bool open)
{
    static char out[4000];
    size_t length = strlen(text), used = 0, next = 0;
    length -= open && length > 0 && text[length - 1] == '\n';
    for (size_t i = 0; i < length; i++) {
        if (text[i] != '\n') {
            out[used++] = text[i];
            continue;
        }
        const char *end = ends[next++ % (size_t)count];
        memcpy(out + used, end, strlen(end));
        used += strlen(end);
    }
    out[used] = '\0';
    return out;
}

static const char *const line_feeds[] = {"\n"}, *const returns[] = {"\r\n"}, *const mixed[] = {"\r\n", "\n", "\n"};

/* Every text with every kind of line end. */
static void expect_kept(const char *const *texts, size_t count, struct reader_options reading,
                        void (*undo)(char *output, const char *input))
{
    static const struct {
        const char *const *ends;
        int count;
    } kinds[] = {{line_feeds, 1}, {returns, 1}, {mixed, 3}};
    for (size_t t = 0; t < count; t++)
        for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
            for (int open = 0; open < 2; open++) {
                char *input = spelled(texts[t], kinds[k].ends, kinds[k].count, open);
                char *output = labelled(input, &reading);
                if (undo)
                    undo(output, input);
                assert_string_equal(output, input);
                free(output);
            }
}

#define COUNT(array) sizeof array / sizeof *array

static void undo_columns(char *output, const char *input)
{
    bool tabs = strchr(input, '\t') && !strstr(input, "# x");
    cut(output, tabs ? "\t" LABEL : " " LABEL);
}

TEST_IN_FOLDER(columns_stay)
{
    static const char *const texts[] = {
        "a X\nb Y\n\nc Z\n\n",
        "a X\nb Y\n",
        "\n\n# x\n\n# y\na X\n\n\n \t\nb Y\n\n\n\n",
        "a  X  \n b X\n\n",
        "a\tX\nb c\tY\n\n",
        "# only\n# comments\n",
        "\n\n",
        "",
    };
    expect_kept(texts, COUNT(texts), (struct reader_options){.format = FORMAT_CONLL, .gold = GOLD_NONE}, undo_columns);
}

/* A document mark gets the label O, and no blank line that was not there. */
static void undo_marks(char *output, const char *input)
{
    (void)input;
    cut(output, " " LABEL);
    for (char *at = output; (at = strstr(at, "-DOCSTART- O O")); at++)
        memmove(at + 12, at + 14, strlen(at + 14) + 1);
}

TEST_IN_FOLDER(marks_within_a_block_stay_within)
{
    static const char *const texts[] = {
        "-DOCSTART- O\n\na X\n\n",
        "a X\n-DOCSTART- O\nb Y\nc Z\n\n",
        "-DOCSTART- O\n-DOCSTART- O\n\n\na X\n-DOCSTART- O\n",
    };
    expect_kept(texts, COUNT(texts), (struct reader_options){.format = FORMAT_CONLL, .gold = GOLD_NONE}, undo_marks);
}

static void undo_plain(char *output, const char *input)
{
    (void)input;
    cut(output, "/" LABEL);
}

TEST_IN_FOLDER(plain_lines_stay)
{
    static const char *const texts[] = {
        "He runs .\nShe too\n", "\n\n  He \t runs  . \n\n \nShe\n\n", "one\n", "\n", "",
    };
    expect_kept(texts, COUNT(texts), (struct reader_options){.format = FORMAT_PLAIN, .gold = GOLD_NONE}, undo_plain);
}

/* Attributes are not written: of every line but blank ones the label takes the place. */
static void undo_attributes(char *output, const char *input)
{
    char expected[4000] = "";
    for (const char *at = input; *at;) {
        size_t length = strcspn(at, "\r\n"), end = strspn(at + length, "\r");
        end += at[length + end] == '\n';
        if (length > 0)
            strcat(expected, LABEL);
        strncat(expected, at + length, end);
        at += length + end;
    }
    assert_string_equal(output, expected);
    assert_true(strlen(input) <= strlen(output));
    strcpy(output, input);
}

TEST_IN_FOLDER(attributes_stay_as_many_lines)
{
    static const char *const texts[] = {"X\ta\nX\tb\n\n\nX\tc\n", "\nX\ta=b\n\n", "X\ta\n"};
    expect_kept(texts, COUNT(texts), (struct reader_options){.format = FORMAT_CRFSUITE, .gold = GOLD_NONE},
                undo_attributes);
}

static void undo_json(char *output, const char *input)
{
    (void)input;
    cut_keys(output, ",\"predicted\"");
    cut_keys(output, "\"predicted\"");
}

TEST_IN_FOLDER(json_stays_but_for_its_keys)
{
    static const char *const texts[] = {
        "{\"tokens\":[\"a\"]}\n{\"tokens\": [ \"b\", \"\\u00e4\" ], \"n\": 1.50, \"o\": {\"}\": []}}\n",
        "\n{ \"id\" : 7 , \"tokens\" : [\"a\"]}  \n\n\n {\"tokens\":[]}\n\n",
        "{\"tokens\":[\"-DOCSTART-\"],  \"x\": 1e3}\n{\"tokens\":[\"a\"],\"b\":\"}\"}\n",
    };
    expect_kept(texts, COUNT(texts), (struct reader_options){.format = FORMAT_JSONL, .gold = GOLD_NONE}, undo_json);
}

/* Comments, a range and an empty node. */
#define WHOLE_TREE                                                                                                     \
    "# x\n1-2\tab\t_\t_\t_\t_\t_\t_\t_\tA=b\n"                                                                         \
    "1\ta\tl\tU\tX\tF=1\t0\troot\t0:root\tM=1\n1.1\te\t_\t_\t_\t_\t_\t_\t_\t_\n"                                       \
    "2\tb\tl\tU\tX\t_\t1\tdep\t_\t_\n\n"

static const char *const treebanks[] = {
    WHOLE_TREE,
    "\n\n# x\n\n# y\n1\ta\t_\t_\t_\t_\t0\tr\t_\t_\n\n\n1\tb\t_\t_\t_\t_\t0\tr\t_\t_\n1.1\te\t_\t_\t_\t_\t_\t_\t_\t_\n",
    "1\ta\t_\t_\t_\t_\t0\tr\t_\t_\n\n# end\n\n",
};

TEST_IN_FOLDER(trees_stay)
{
    expect_kept(treebanks, COUNT(treebanks),
                (struct reader_options){.format = FORMAT_CONLLU, .gold = GOLD_LAST, .trees = true}, NULL);
}

TEST_IN_FOLDER(labelled_treebanks_stay)
{
    for (uint32_t column = 2; column < 10; column++)
        if (column != 7)
            expect_kept(treebanks, COUNT(treebanks),
                        (struct reader_options){.format = FORMAT_CONLLU, .gold = GOLD_NONE, .column = column}, NULL);
}
