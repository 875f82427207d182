/* Tests recognising formats: foreign formats are refused by name, and no text of words is. */
#include "text/reader.h"

#include "folder.h"
#include "test.h"

static struct vouch_error err;

static struct reader *open_bytes(const char *bytes, size_t length, bool trees)
{
    struct reader_options options = {.format = FORMAT_AUTO, .gold = GOLD_NONE, .trees = trees};
    err = (struct vouch_error){0};
    return reader_open(folder_put_bytes("in", bytes, length), &options, &err);
}

/* `text` repeated until it is longer than what is looked at. */
static char *make_long(const char *head, const char *text, size_t *length)
{
    size_t times = ((size_t)70 << 10) / strlen(text) + 1;
    char *whole = malloc(strlen(head) + times * strlen(text) + 1);
    strcpy(whole, head);
    char *to = whole + strlen(head);
    for (size_t i = 0; i < times; i++, to += strlen(text))
        memcpy(to, text, strlen(text) + 1);
    *length = (size_t)(to - whole);
    return whole;
}

static void expect_refused(const char *bytes, size_t length, const char *name)
{
    for (int trees = 0; trees < 2; trees++) {
        struct reader *reader = open_bytes(bytes, length, trees);
        if (reader)
            fail_msg("read as %s: expected it to look like %s", format_name(reader->format), name);
        assert_int_equal(err.status, VOUCH_ERR_FORMAT);
        if (!strstr(err.message, "looks like") || !strstr(err.message, name) || !strstr(err.message, "expected"))
            fail_msg("expected a file that looks like %s, found: %s", name, err.message);
    }
}

#define BYTES(literal) literal, sizeof literal - 1

TEST_IN_FOLDER(what_is_no_format_is_refused_by_name)
{
    static const struct {
        const char *bytes;
        size_t length;
        const char *name;
    } table[] = {
        {BYTES("[{\"tokens\": [\"Ada\", \"lives\"]}]\n"), "a JSON array"},
        {BYTES("[\n  {\"tokens\": [\"Ada\"]},\n  {\"tokens\": [\"Bo\"]}\n]\n"), "a JSON array"},
        {BYTES("[\"Ada\", \"lives\"]\n[\"Bo\"]\n"), "a JSON array"},
        {BYTES("[[\"Ada\", \"NNP\"]]"), "a JSON array"},
        {BYTES("{\n  \"tokens\": [\"Ada\", \"lives\"]\n}\n"), "JSON over several lines"},
        {BYTES("\n{ \"tokens\": [\n\"Ada\" ] }\r\n{ \"tokens\": [] }"), "JSON over several lines"},
        {BYTES("T1\tORG 0 5\tAcme\n"), "brat"},
        {BYTES("T1\tORG 0 5;7 9\tAcme Co\nR1\tOwns Arg1:T1 Arg2:T2\n#1\tAnnotatorNotes T1\tsure\n"), "brat"},
        {BYTES("<?xml version=\"1.0\"?>\n<text>Ada</text>\n"), "XML or HTML"},
        {BYTES("<!DOCTYPE html>\n<p>Ada\n"), "XML or HTML"},
        {BYTES("<HTML lang=\"en\"><p>Ada</p>"), "XML or HTML"},
        {BYTES("<doc id=\"1\">\nAda lives .\n</doc>\n"), "XML or HTML"},
        {BYTES("#FORMAT=WebAnno TSV 3.3\n\n1-1\t0-3\tAda\t_\n"), "WebAnno TSV"},
        {BYTES("Sentence #,Word,POS,Tag\nSentence: 1,Ada,NNP,B-PER\n"), "comma-separated values"},
        {BYTES("\"token\";\"label\"\r\n\"Ada\";\"B-PER\"\r\n"), "comma-separated values"},
        {BYTES("\xFF\xFE\x41\0d\0a\0\n\0"), "UTF-16"},
        {BYTES("\xFE\xFF\0A\0d\0a\0\n"), "UTF-16"},
        {BYTES("A\0d\0a\0\n\0"), "UTF-16"},
        {BYTES("VOUCH\r\n\x1a\1\0\0\0"), "a model of vouch"},
        {BYTES("PK\x03\x04\x14\0\0\0"), "a ZIP archive"},
        {BYTES("%PDF-1.7\n%\xE2\xE3\xCF\xD3\n"), "PDF"},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        expect_refused(table[i].bytes, table[i].length, table[i].name);
}

TEST_IN_FOLDER(a_look_is_enough_of_a_long_file)
{
    static const char *const table[][3] = {
        {"[",
         "{\"tokens\": [\"\xC3\x84"
         "da\", \"lives\"]}, ",
         "a JSON array"},
        {"[\n", "{\"tokens\":\n[\"Ada\"]},\n", "a JSON array"},
        {"{\n\"tokens\": [\n", "\"Ada\",\n", "JSON over several lines"},
        {"", "T1\tORG 0 5\tAcme\n", "brat"},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        size_t length;
        char *text = make_long(table[i][0], table[i][1], &length);
        expect_refused(text, length, table[i][2]);
        free(text);
    }
}

TEST_IN_FOLDER(columns_that_differ_in_number_are_pointed_out)
{
    static const char text[] = "# ragged\nAda NNP B-PER\nlives VBZ O\nin O\nBonn B-LOC\n\n. O\n";
    assert_null(open_bytes(BYTES(text), false));
    assert_non_null(strstr(err.message, "in:4: looks like CoNLL columns"));
    assert_non_null(strstr(err.message, "first line has 3 of them and this one 2"));
}

/* Texts of words with all kinds of signs in them, and how they have always been read. */
static const struct sound {
    const char *text;
    enum format format;
} sound[] = {
    {"[ \"Yes\" , he said ]\n", FORMAT_PLAIN},
    {"[1] See Smith ( 1999 ) .\n", FORMAT_PLAIN},
    {"[ [ O\nword NN O\n\n", FORMAT_CONLL},
    {"[\n\"\nAda\n\"\n]\n", FORMAT_CONLL},
    {"{ \"quoted\" words } in braces\n", FORMAT_PLAIN},
    {"{ ( O\n} ) O\n", FORMAT_CONLL},
    {"{\nx\n}\n", FORMAT_CONLL},
    {"\"Yes\" : he said so\n\"No\" : said she\n", FORMAT_PLAIN},
    {"T1 is small .\nT2 is larger than T1 , they say\n", FORMAT_PLAIN},
    {"T1\tNN\tO\nR1\tNN\tO\n\n", FORMAT_CONLL},
    {"T1\tORG 0 5\tAcme\nword\tNN\tO\n", FORMAT_CONLL},
    {"<b> bold </b> is a tag\n", FORMAT_PLAIN},
    {"<s>\n", FORMAT_CONLL},
    {"< 5 mg of it\nor > 7 is too much\n", FORMAT_PLAIN},
    {"<unk> NN O\nword NN O\n", FORMAT_CONLL},
    {"word, label and tag\nare words like others, he said\n", FORMAT_PLAIN},
    {"word,label\n", FORMAT_CONLL},
    {"Yes,no\nmaybe,never\n", FORMAT_CONLL},
    {"I say O\nyou say no such thing at all\nO O\n", FORMAT_PLAIN},
    {"PK is a code\nand so is ZIP they say\n", FORMAT_PLAIN},
    {"VOUCH for it\nis what we do here\n", FORMAT_PLAIN},
    {"%PDF is a format , too\n", FORMAT_PLAIN},
    {"#FORMAT is a comment\nAda O\nlives O\n", FORMAT_CONLL},
    {"{\"tokens\": [\"Ada\"]}\n", FORMAT_JSONL},
    {"{\"tokens\": [\"Ada\"\n{\"tokens\": [\"Bo\"]}\n", FORMAT_JSONL}, /* and line 1 is then pointed out */
    {"{}\n", FORMAT_JSONL},
    {"", FORMAT_CONLL},
};

TEST_IN_FOLDER(no_text_of_words_is_refused)
{
    for (size_t i = 0; i < sizeof sound / sizeof *sound; i++) {
        struct reader *reader = open_bytes(sound[i].text, strlen(sound[i].text), false);
        if (!reader)
            fail_msg("refused '%s': %s", sound[i].text, err.message);
        if (reader->format != sound[i].format)
            fail_msg("'%s': read as %s", sound[i].text, format_name(reader->format));
        reader_close(reader);
    }
}

TEST_IN_FOLDER(who_names_a_format_is_believed)
{
    struct reader_options options = {.format = FORMAT_PLAIN, .gold = GOLD_NONE};
    struct reader *reader = reader_open(folder_put("in", "[{\"tokens\": [\"Ada\"]}]\n"), &options, &err);
    struct sentence sentence = {0};
    assert_non_null(reader);
    assert_int_equal(reader_next(reader, &sentence, &err), READ_SENTENCE);
    assert_int_equal(sentence.N, 2);
    sentence_release(&sentence);
    reader_close(reader);
}
