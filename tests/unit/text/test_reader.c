/* Tests the four formats: what is read, what is refused and how, what is written, and how a format is recognised. */
#include "reading.h"

#include <archive.h>
#include <archive_entry.h>

/* --- what the tests share ---------------------------------------------------------- */

static struct reader_options of_format(enum format format, int gold)
{
    return (struct reader_options){.format = format, .gold = gold};
}

static struct reader *must_open(const char *text, enum format format, int gold)
{
    return must_open_text(text, of_format(format, gold));
}

/* One line for everything that was read: before{...}, a '!' for a document mark, "cell,cell*value=gold" for each word,
 * '|' between sentences. */
static void describe(const struct sentence *s, char *to)
{
    if (s->N == 0 && s->before.length == 0) /* blank lines at the end */
        return;
    if (s->before.length > 0) {
        strcat(to, "{");
        append(to, s->before);
        strcat(to, "}");
    }
    if (s->boundary)
        strcat(to, "!");
    for (uint32_t i = 0; i < s->N; i++) {
        strcat(to, i > 0 ? " " : "");
        for (uint32_t c = 0; c < sentence_cells(s, i); c++) {
            strcat(to, c > 0 ? "," : "");
            append(to, sentence_cell(s, i, c));
            float value = s->weighted ? s->value[s->first[i] + c] : 1;
            if (value != 1)
                sprintf(to + strlen(to), "*%g", (double)value);
        }
        if (s->labelled) {
            strcat(to, "=");
            append(to, s->gold[i]);
        }
    }
    strcat(to, "|");
}

static void expect_reading(const char *text, enum format format, int gold, const char *expected)
{
    expect_sentences(text, of_format(format, gold), describe, expected);
}

static void expect_error(const char *text, enum format format, int gold, const char *message)
{
    expect_refusal(text, of_format(format, gold), message);
}

/* Reads `text`, labels its words with `labels` (in turn, over and over) and expects the output. */
static void expect_writing(const char *text, enum format format, int gold, const char *labels, const char *expected)
{
    struct reader *reader = must_open(text, format, gold);
    struct writer_options options = writer_options_for(reader);
    struct output *out = output_open(folder_file("out"), &err);
    struct sentence sentence = {0};
    const char *next = labels;
    while (reader_next(reader, &sentence, &err) == READ_SENTENCE) {
        struct text label[20];
        for (uint32_t i = 0; i < sentence.N; i++) {
            label[i] = (struct text){next, (uint32_t)strcspn(next, " ")};
            next += label[i].length;
            next = *next ? next + 1 : labels;
        }
        assert_true(write_sentence(out, &options, &sentence, NULL, label, NULL, &err));
    }
    expect_written(out, expected);
    sentence_release(&sentence);
    reader_close(reader);
}

/* --- CoNLL columns ---------------------------------------------------- */

TEST_IN_FOLDER(conll_columns_are_read)
{
    const char *text = "He PRP B-NP\nruns VBZ B-VP\n\nNo DT B-NP\n";
    expect_reading(text, FORMAT_CONLL, GOLD_LAST, "He,PRP,B-NP=B-NP runs,VBZ,B-VP=B-VP|No,DT,B-NP=B-NP|");
    expect_reading(text, FORMAT_CONLL, GOLD_NONE, "He,PRP,B-NP runs,VBZ,B-VP|No,DT,B-NP|");
    expect_reading(text, FORMAT_CONLL, 2, "He,PRP,B-NP=PRP runs,VBZ,B-VP=VBZ|No,DT,B-NP=DT|");
    expect_reading("a\nb\n\nc\n", FORMAT_CONLL, GOLD_NONE, "a b|c|");
    expect_reading("a\nb\n\nc\n", FORMAT_CONLL, 1, "a=a b=b|c=c|");
    expect_reading("", FORMAT_CONLL, GOLD_LAST, "");
    expect_reading("\n \n\n", FORMAT_CONLL, GOLD_LAST, "");
}

TEST_IN_FOLDER(conll_reader_says_what_it_found)
{
    struct reader *reader = must_open("# x\n\na b\tc d\te\n", FORMAT_AUTO, GOLD_LAST);
    assert_int_equal(reader->format, FORMAT_CONLL);
    assert_int_equal(reader_columns(reader), 3);
    assert_int_equal(reader->separator, '\t');
    assert_string_equal(reader_path(reader), folder_file("in"));
    struct sentence sentence = {0};
    must_read(reader, &sentence);
    assert_int_equal(sentence.number, 3);
    assert_true(text_is(sentence.line[0], "a b\tc d\te"));
    sentence_release(&sentence);
    reader_close(reader);
}

TEST_IN_FOLDER(conll_blank_lines_separate_and_several_are_one)
{
    expect_reading("\n\na O\n\n \t \n\r\nb O\n\n\n", FORMAT_CONLL, GOLD_LAST, "a,O=O|b,O=O|");
}

TEST_IN_FOLDER(conll_line_ends_and_marks_do_not_matter)
{
    expect_reading("\xEF\xBB\xBF"
                   "a O\r\nb O\r\n\r\nc O",
                   FORMAT_CONLL, GOLD_LAST, "a,O=O b,O=O|c,O=O|");
}

TEST_IN_FOLDER(conll_separator_is_that_of_the_first_word)
{
    expect_reading("New York\tB-LOC\nis\tO\n", FORMAT_CONLL, GOLD_LAST, "New York,B-LOC=B-LOC is,O=O|");
    expect_reading("a   b  O  \n  c d O\n", FORMAT_CONLL, GOLD_LAST, "a,b,O=O c,d,O=O|");
    expect_error("a b O\na\tb\tO\n", FORMAT_CONLL, GOLD_LAST, ":2: expected 3 columns, found 1");
}

TEST_IN_FOLDER(conll_sharp_may_be_a_word_or_a_comment)
{
    expect_reading("a b O\n\n# # B-NP\nb c O\n", FORMAT_CONLL, GOLD_LAST, "a,b,O=O|#,#,B-NP=B-NP b,c,O=O|");
    expect_reading("# # B-NP\nb c O\n", FORMAT_CONLL, GOLD_LAST, "#,#,B-NP=B-NP b,c,O=O|");
    expect_reading("# # B-NP\n", FORMAT_CONLL, GOLD_LAST, "#,#,B-NP=B-NP|");
    expect_reading("# id 1 of 2\n#\na b O\n# # O\n\n# x\n\nb c O\n", FORMAT_CONLL, GOLD_LAST,
                   "{# id 1 of 2\n#\n}a,b,O=O #,#,O=O|{# x\n\n}b,c,O=O|");
    expect_reading("a\tO\n\n# one two\n#tag\tO\nb\tO\n", FORMAT_CONLL, GOLD_LAST, "a,O=O|{# one two\n}#tag,O=O b,O=O|");
    expect_reading("# a b\n#a\nb\n#c\n", FORMAT_CONLL, GOLD_NONE, "{# a b\n}#a b #c|");
}

TEST_IN_FOLDER(conll_comments_are_kept)
{
    expect_reading("# text = A b c d\n# x\na\tO\n\n#tag\tO\n\n# end of file\n", FORMAT_CONLL, GOLD_LAST,
                   "{# text = A b c d\n# x\n}a,O=O|#tag,O=O|{# end of file\n}|");
}

TEST_IN_FOLDER(conll_document_marks_stand_alone)
{
    expect_reading("-DOCSTART- -X- O\n\na b O\n-DOCSTART- -X- O\n-DOCSTART- -X- O\nc d O\n\n-DOCSTART- -X- O",
                   FORMAT_CONLL, GOLD_LAST,
                   "!-DOCSTART-,-X-,O=O|a,b,O=O|!-DOCSTART-,-X-,O=O|!-DOCSTART-,-X-,O=O|c,d,O=O|!-DOCSTART-,-X-,O=O|");
    expect_reading("-DOCSTART-s O\n--DOCSTART- O\n", FORMAT_CONLL, GOLD_LAST, "-DOCSTART-s,O=O --DOCSTART-,O=O|");
    expect_reading("# # O\n-DOCSTART- -X- O\n", FORMAT_CONLL, GOLD_LAST, "#,#,O=O|!-DOCSTART-,-X-,O=O|");
}

TEST_IN_FOLDER(conll_line_numbers_survive_reading_ahead_and_back)
{
    expect_error("# a b\n#\n\nx y\n-DOCSTART- O\nz O\nz\n", FORMAT_CONLL, GOLD_LAST, ":7: expected 2 columns, found 1");
    struct reader *reader = must_open("# a b\nx O\n-DOCSTART- O\n\n\nz O\n", FORMAT_CONLL, GOLD_LAST);
    struct sentence sentence = {0};
    static const uint64_t numbers[] = {2, 3, 6};
    for (int i = 0; i < 3; i++) {
        must_read(reader, &sentence);
        assert_int_equal(sentence.number, numbers[i]);
    }
    sentence_release(&sentence);
    reader_close(reader);
}

TEST_IN_FOLDER(conll_errors_name_file_line_and_expectation)
{
    expect_error("a b O\nc O\n", FORMAT_CONLL, GOLD_LAST, ":2: expected 3 columns, found 2");
    expect_error("a O\n\nb c d O\n", FORMAT_CONLL, GOLD_NONE, ":3: expected 2 columns, found 4");
    expect_error("a b O\n# x\n", FORMAT_CONLL, GOLD_LAST, ":2: expected 3 columns, found 2");
    expect_error("a\tb\tO\nc\t\tO\n", FORMAT_CONLL, GOLD_LAST, ":2: column 2 is empty");
    expect_error("a\tO\n\tO\n", FORMAT_CONLL, GOLD_LAST, ":2: column 1 is empty");
    expect_error("a\tO\t\n", FORMAT_CONLL, GOLD_LAST, ":1: column 3 is empty");
    expect_error("a\tO\nb\tO\t\n", FORMAT_CONLL, GOLD_LAST, ":2: expected 2 columns, found 3");
    expect_error("# x\na\nb\n", FORMAT_CONLL, GOLD_LAST, ":2: expected at least 2 columns (word and label), found 1");
    expect_error("a b O\n", FORMAT_CONLL, 4, ":1: expected at least 4 columns (the last of them the label), found 3");
    expect_error("a O\nb O\nc\xFF O\n", FORMAT_CONLL, GOLD_LAST, ":3: invalid UTF-8 at byte 2");
    expect_error("a\xFF O\n", FORMAT_CONLL, GOLD_LAST, ":1: invalid UTF-8 at byte 2");
}

TEST_IN_FOLDER(missing_files_and_impossible_columns_are_refused)
{
    char expected[600];
    snprintf(expected, sizeof expected, "%s: cannot open: No such file or directory", folder_file("nowhere"));
    assert_null(reader_open(folder_file("nowhere"), &(struct reader_options){0}, &err));
    assert_string_equal(err.message, expected);
    assert_int_equal(err.status, VOUCH_ERR_IO);
    assert_null(open_text("a O\n", of_format(FORMAT_CONLL, -2)));
    assert_string_equal(err.message, "expected a gold column from 1, found -2");
    assert_int_equal(err.status, VOUCH_ERR_ARGUMENT);
    reader_close(NULL);
}

static char *repeat(const char *piece, size_t times, const char *end)
{
    size_t length = strlen(piece);
    char *text = malloc(length * times + strlen(end) + 1);
    for (size_t i = 0; i < times; i++)
        memcpy(text + i * length, piece, length);
    strcpy(text + times * length, end);
    return text;
}

TEST_IN_FOLDER(endless_sentences_and_columns_are_refused)
{
    char *text = repeat("a O\n", ((size_t)1 << 20) + 1, "");
    expect_error(text, FORMAT_CONLL, GOLD_LAST, ":1048577: sentence longer than 1048576 words");
    text[4 << 20] = '\0';
    struct reader *reader = must_open(text, FORMAT_CONLL, GOLD_LAST);
    struct sentence sentence = {0};
    must_read(reader, &sentence);
    assert_int_equal(sentence.N, 1 << 20);
    assert_true(text_is(sentence.gold[(1 << 20) - 1], "O"));
    reader_close(reader);
    free(text);

    text = repeat("a ", ((size_t)1 << 20) + 1, "\n");
    expect_error(text, FORMAT_PLAIN, GOLD_NONE, ":1: sentence longer than 1048576 words");
    free(text);

    text = repeat("a ", 65537, "\n");
    expect_error(text, FORMAT_CONLL, GOLD_LAST, ":1: more than 65536 columns");
    text[2 * 65536] = '\0';
    reader = must_open(text, FORMAT_CONLL, GOLD_LAST);
    must_read(reader, &sentence);
    assert_int_equal(sentence_cells(&sentence, 0), 65536);
    reader_close(reader);
    free(text);
    sentence_release(&sentence);
}

/* Words of one byte to 300 KiB in one sentence: views must follow the bytes wherever these move. */
TEST_IN_FOLDER(long_words_and_sentences_keep_their_views)
{
    char *text = malloc((size_t)4 << 20);
    size_t end = 0, from[64];
    uint32_t words = 0;
    end += (size_t)sprintf(text, "# first a comment of six fields\n");
    for (size_t length = 1; length < 300000; length = length * 3 / 2 + 1) {
        from[words++] = end;
        memset(text + end, 'a' + (int)(words % 26), length);
        end += length;
        end += (size_t)sprintf(text + end, " L%u\n", words - 1);
    }
    text[end] = '\0';
    struct reader *reader = must_open(text, FORMAT_CONLL, GOLD_LAST);
    struct sentence sentence = {0};
    must_read(reader, &sentence);
    assert_int_equal(sentence.N, words);
    assert_true(text_is(sentence.before, "# first a comment of six fields\n"));
    for (uint32_t i = 0; i < words; i++) {
        char label[16];
        sprintf(label, "L%u", i);
        assert_true(text_is(sentence.gold[i], label));
        assert_memory_equal(sentence_cell(&sentence, i, 0).at, text + from[i], sentence_cell(&sentence, i, 0).length);
        assert_memory_equal(sentence.line[i].at, text + from[i], sentence.line[i].length);
    }
    sentence_release(&sentence);
    reader_close(reader);
    free(text);
}

TEST_IN_FOLDER(conll_is_written_as_it_was_with_a_column_more)
{
    expect_writing("# x\na b O\n# # O\n\n\nc d O\n", FORMAT_CONLL, GOLD_LAST, "B-NP I-NP O",
                   "# x\na b O B-NP\n# # O I-NP\n\n\nc d O O\n");
    expect_writing("a  b O  \n", FORMAT_CONLL, GOLD_LAST, "X", "a  b O X  \n");
    expect_writing("a b\tO\r\nc\tO\r\n", FORMAT_CONLL, GOLD_LAST, "X Y", "a b\tO\tX\r\nc\tO\tY\r\n");
    expect_writing("-DOCSTART- O\na O\n\n# end of it\n", FORMAT_CONLL, GOLD_NONE, "X",
                   "-DOCSTART- O O\na O X\n\n# end of it\n");
}

/* --- CRFsuite attributes ---------------------------------------------- */

TEST_IN_FOLDER(crfsuite_attributes_are_read)
{
    expect_reading("B-NP\tw=He\tpos=PRP\nB-VP\tw=runs\n\nO\n", FORMAT_CRFSUITE, GOLD_LAST,
                   "w=He,pos=PRP=B-NP w=runs=B-VP|=O|");
    expect_reading("B-NP\tw=He\n", FORMAT_CRFSUITE, GOLD_NONE, "w=He|");
    expect_reading("\tw=He\n\tw=runs\r\n", FORMAT_CRFSUITE, GOLD_LAST, "w=He w=runs|");
    expect_reading("X\tw=He\n\tw=runs\n\nY\ta", FORMAT_CRFSUITE, GOLD_LAST, "w=He w=runs|a=Y|");
    expect_reading("X\ta\t\tb\t\n@epoch\n", FORMAT_CRFSUITE, GOLD_LAST, "a,b=X =@epoch|");
    expect_reading("\n\nX\ta\n\n\n\n", FORMAT_CRFSUITE, GOLD_LAST, "a=X|");
    expect_reading("", FORMAT_CRFSUITE, GOLD_LAST, "");
}

TEST_IN_FOLDER(crfsuite_values_and_escapes_are_undone)
{
    expect_reading("X\ta:2\tb:0.5\tc\td:-1.25e2\te:+.5E-1\tf:1\n", FORMAT_CRFSUITE, GOLD_LAST,
                   "a*2,b*0.5,c,d*-125,e*0.05,f=X|");
    expect_reading("X\ta\\:b:3\tc\\\\:4\td\\:e\tf\\g\\\n", FORMAT_CRFSUITE, GOLD_LAST, "a:b*3,c\\*4,d:e,f\\g\\=X|");
    expect_reading("X\ta:b:0.5\t\\::2\n", FORMAT_CRFSUITE, GOLD_LAST, "a:b*0.5,:*2=X|");
    expect_reading("\\:\ta\n:\tb\n\\\\\tc\n", FORMAT_CRFSUITE, GOLD_LAST, "a=: b=: c=\\|");
    expect_reading("X\ta:0\tb:0e999\tc:1e-99\n", FORMAT_CRFSUITE, GOLD_LAST, "a*0,b*0,c*0=X|");
}

TEST_IN_FOLDER(crfsuite_sentences_are_weighted_only_by_other_values_than_one)
{
    struct reader *reader =
        must_open("X\ta:1\tb:1.0\tc:10e-1\n\nX\ta:0.1\tb:3.4028235e38\n", FORMAT_CRFSUITE, GOLD_LAST);
    struct sentence sentence = {0};
    must_read(reader, &sentence);
    assert_false(sentence.weighted);
    must_read(reader, &sentence);
    assert_true(sentence.weighted);
    assert_true(sentence.value[0] == 0.1f);
    assert_true(sentence.value[1] == 3.4028235e38f);
    assert_true(text_is(sentence.line[0], "X\ta:0.1\tb:3.4028235e38"));
    sentence_release(&sentence);
    reader_close(reader);
}

TEST_IN_FOLDER(crfsuite_errors_name_the_attribute)
{
    static const char *const bad[] = {"x", "", "1x", "nan", "inf", "1e99", "--1", ".", "e5", "1e", "0x10", "1 "};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char text[100], message[200];
        snprintf(text, sizeof text, "X\ta\nX\tb\tname:%s\n", bad[i]);
        snprintf(message, sizeof message, ":2: attribute \"name\": expected a finite number after ':', found \"%s\"",
                 bad[i]);
        expect_error(text, FORMAT_CRFSUITE, GOLD_LAST, message);
    }
    expect_error("X\t:1\n", FORMAT_CRFSUITE, GOLD_LAST, ":1: expected an attribute before \":1\"");
    expect_error("X\ta:\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xE2\x82\xAC"
                 "\xE2\x82\xAC\xE2\x82\xAC\xE2\x82\xAC\xE2\x82\xAC\xE2\x82\xAC\xE2\x82\xAC\n",
                 FORMAT_CRFSUITE, GOLD_LAST,
                 ":1: attribute \"a\": expected a finite number after ':', found \"\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9"
                 "\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xE2\x82\xAC\xE2\x82\xAC\xE2\x82\xAC\xE2\x82\xAC"
                 "\xE2\x82\xAC\xE2\x82\xAC\"");
}

TEST_IN_FOLDER(crfsuite_writes_labels_alone)
{
    expect_writing("X\ta\nX\tb\n\n\nX\tc\n", FORMAT_CRFSUITE, GOLD_LAST, "B-NP I-NP O", "B-NP\nI-NP\n\n\nO\n");
}

/* --- plain lines ------------------------------------------------------ */

TEST_IN_FOLDER(plain_lines_are_sentences)
{
    expect_reading("He runs .\n\n\n  No \t way\r\n", FORMAT_PLAIN, GOLD_LAST, "He runs .|{  }No way|");
    expect_reading("# a\n-DOCSTART-\nb", FORMAT_PLAIN, GOLD_NONE, "# a|!-DOCSTART-|b|");
    expect_reading("a\n\n \n", FORMAT_PLAIN, GOLD_NONE, "a|");
    expect_reading("", FORMAT_PLAIN, GOLD_NONE, "");
}

TEST_IN_FOLDER(plain_output_corresponds_line_by_line)
{
    expect_writing("\nHe runs .\n\n\nNo  way\n-DOCSTART-\n\n", FORMAT_PLAIN, GOLD_NONE, "B-NP B-VP O",
                   "\nHe/B-NP runs/B-VP ./O\n\n\nNo/B-NP  way/B-VP\n-DOCSTART-/O\n\n");
}

/* --- JSON lines ------------------------------------------------------- */

TEST_IN_FOLDER(json_objects_are_sentences)
{
    struct reader *reader = must_open("{\"tokens\": [\"Ada\", \"lives\"], \"labels\": [\"B-PER\", \"O\"]}\n"
                                      "\n  \n{\"id\": 7, \"tokens\": [[\"a\\u00e9 b\"]]}\n"
                                      "{\"tokens\": [], \"labels\": []}\n{\"tokens\": [\"-DOCSTART-\"]}",
                                      FORMAT_JSONL, GOLD_LAST);
    struct sentence s = {0};
    must_read(reader, &s);
    assert_int_equal(s.N, 2);
    assert_true(s.labelled && !s.weighted && !s.boundary);
    assert_true(text_is(sentence_cell(&s, 1, 0), "lives"));
    assert_true(text_is(s.line[1], "lives"));
    assert_true(text_is(s.gold[0], "B-PER"));
    assert_true(text_is(s.before, "{\"tokens\": [\"Ada\", \"lives\"], \"labels\": [\"B-PER\", \"O\"]}"));
    assert_int_equal(s.number, 1);
    must_read(reader, &s);
    assert_int_equal(s.N, 1);
    assert_int_equal(s.number, 4);
    assert_false(s.labelled);
    assert_true(text_is(sentence_cell(&s, 0, 0), "a\xC3\xA9 b"));
    must_read(reader, &s);
    assert_int_equal(s.N, 0);
    assert_int_equal(s.first[0], 0);
    must_read(reader, &s);
    assert_true(s.boundary);
    assert_int_equal(reader_next(reader, &s, &err), READ_END);
    assert_int_equal(reader_columns(reader), 1);
    sentence_release(&s);
    reader_close(reader);
}

TEST_IN_FOLDER(json_tokens_may_have_columns)
{
    struct reader *reader =
        must_open("{\"tokens\":[[\"a\",\"DT\"],[\"b\",\"NN\"]],\"labels\":[\"X\",\"Y\"]}\n", FORMAT_JSONL, GOLD_NONE);
    struct sentence s = {0};
    must_read(reader, &s);
    assert_false(s.labelled);
    assert_int_equal(sentence_cells(&s, 1), 2);
    assert_true(text_is(sentence_cell(&s, 1, 0), "b"));
    assert_true(text_is(sentence_cell(&s, 1, 1), "NN"));
    sentence_release(&s);
    reader_close(reader);
}

static void expect_json_error(const char *line, const char *message)
{
    char text[400], whole[400];
    snprintf(text, sizeof text, "{\"tokens\":[\"a\"]}\n\n%s\n", line);
    snprintf(whole, sizeof whole, ":3: %s", message);
    expect_error(text, FORMAT_JSONL, GOLD_LAST, whole);
}

TEST_IN_FOLDER(json_errors_say_what_was_expected)
{
    expect_json_error("{\"tokens\":[\"a\"", "invalid JSON at column 14: ']' expected near end of file");
    expect_json_error("a O", "invalid JSON at column 1: '[' or '{' expected near 'a'");
    expect_json_error("{\"tokens\":[\"a\"]} x", "invalid JSON at column 18: end of file expected near 'x'");
    expect_json_error("{\"tokens\":[\"a\\u0000\"]}",
                      "invalid JSON at column 20: \\u0000 is not allowed without JSON_ALLOW_NUL near '\"a\\u0000\"'");
    expect_json_error("{\"tokens\":[\"a\"],\"tokens\":[]}",
                      "invalid JSON at column 24: duplicate object key near '\"tokens\"'");
    expect_json_error("[\"a\"]", "expected a JSON object");
    expect_json_error("{\"text\":\"a\"}", "expected \"tokens\", found key \"text\"");
    expect_json_error("{\"text\":\"a\",\"id\":1}", "expected \"tokens\", found keys \"text\", \"id\"");
    expect_json_error("{}", "expected \"tokens\", found no keys");
    expect_json_error("{\"tokens\":\"a\"}", "expected \"tokens\" to be an array");
    expect_json_error("{\"tokens\":[\"a\",1]}",
                      "token 2: expected a string or an array of strings, none of them empty");
    expect_json_error("{\"tokens\":[\"\"]}", "token 1: expected a string or an array of strings, none of them empty");
    expect_json_error("{\"tokens\":[[]]}", "token 1: expected a string or an array of strings, none of them empty");
    expect_json_error("{\"tokens\":[[\"a\",2]]}",
                      "token 1: expected a string or an array of strings, none of them empty");
    expect_json_error("{\"tokens\":[\"a\",[\"b\",\"c\"]]}", "token 2: expected 1 columns, found 2");
    expect_json_error("{\"tokens\":[\"a\"],\"labels\":\"O\"}", "expected \"labels\" to be an array");
    expect_json_error("{\"tokens\":[\"a\",\"b\"],\"labels\":[\"O\"]}",
                      "expected 2 labels, one for each token, found 1");
    expect_json_error("{\"tokens\":[\"a\"],\"labels\":[null]}",
                      "label 1: expected a string that is not empty (null is an open one, for train --partial)");
}

TEST_IN_FOLDER(json_comes_back_completed)
{
    expect_writing(
        "{\"id\": 7, \"tokens\": [\"Ada\", \"K\\u00f6nig\", \"x\"], \"z\": {\"b\": [1.5, null], \"a\": \"/\"}}\n",
        FORMAT_JSONL, GOLD_LAST, "B-PER I-PER O",
        "{\"id\": 7, \"tokens\": [\"Ada\", \"K\\u00f6nig\", \"x\"], \"z\": {\"b\": [1.5, null], \"a\": \"/\"},"
        "\"predicted\":[\"B-PER\",\"I-PER\",\"O\"],\"spans\":[{\"start\":0,\"end\":2,\"label\":\"PER\"}]}\n");
    expect_writing("{\"tokens\":[\"a\",\"b\"],\"labels\":null}\n", FORMAT_JSONL, GOLD_LAST, "DT NN",
                   "{\"tokens\":[\"a\",\"b\"],\"labels\":null,\"predicted\":[\"DT\",\"NN\"]}\n");
    expect_writing("{\"tokens\":[\"a\",\"b\"]}\n", FORMAT_JSONL, GOLD_LAST, "O",
                   "{\"tokens\":[\"a\",\"b\"],\"predicted\":[\"O\",\"O\"],\"spans\":[]}\n");
    expect_writing("{\"tokens\":[]}\n", FORMAT_JSONL, GOLD_LAST, "O",
                   "{\"tokens\":[],\"predicted\":[],\"spans\":[]}\n");
    expect_writing("{\"predicted\":[\"X\"],\"tokens\":[\"a\"]}\n", FORMAT_JSONL, GOLD_LAST, "Y",
                   "{\"predicted\":[\"Y\"],\"tokens\":[\"a\"]}\n");
    expect_writing("{ \"tokens\": [\"-DOCSTART-\"] }\n", FORMAT_JSONL, GOLD_LAST, "X",
                   "{ \"tokens\": [\"-DOCSTART-\"] }\n");
}

TEST_IN_FOLDER(json_spans_follow_any_scheme)
{
    expect_writing("{\"tokens\":[\"a\",\"b\",\"c\",\"d\",\"e\"]}\n", FORMAT_JSONL, GOLD_LAST, "I-X B-X S-Y O I-Z",
                   "{\"tokens\":[\"a\",\"b\",\"c\",\"d\",\"e\"],\"predicted\":[\"I-X\",\"B-X\",\"S-Y\",\"O\",\"I-Z\"],"
                   "\"spans\":[{\"start\":0,\"end\":1,\"label\":\"X\"},{\"start\":1,\"end\":2,\"label\":\"X\"},"
                   "{\"start\":2,\"end\":3,\"label\":\"Y\"},{\"start\":4,\"end\":5,\"label\":\"Z\"}]}\n");
}

TEST_IN_FOLDER(json_is_written_only_for_json)
{
    struct reader *reader = must_open("a O\n", FORMAT_CONLL, GOLD_LAST);
    struct output *out = output_open(folder_file("out"), &err);
    struct sentence sentence = {0};
    struct text label = text_of("O");
    must_read(reader, &sentence);
    assert_false(write_sentence(out, &(struct writer_options){.format = FORMAT_JSONL, .separator = ' '}, &sentence,
                                NULL, &label, NULL, &err));
    assert_string_equal(err.message, "JSON lines can be written only for JSON lines that were read");
    assert_false(write_sentence(out, &(struct writer_options){.format = FORMAT_AUTO, .separator = ' '}, &sentence, NULL,
                                &label, NULL, &err));
    assert_string_equal(err.message, "output needs a format");
    output_discard(out);
    sentence_release(&sentence);
    reader_close(reader);
}

/* --- recognition and the reader as a whole ----------------------------- */

static void expect_recognised(const char *text, enum format format)
{
    expect_format(text, of_format(FORMAT_AUTO, GOLD_NONE), format);
}

TEST_IN_FOLDER(formats_are_recognised_by_content)
{
    expect_recognised("", FORMAT_CONLL);
    expect_recognised("\n\n", FORMAT_CONLL);
    expect_recognised("He PRP B-NP\nruns VBZ B-VP\n\nNo DT B-NP\n", FORMAT_CONLL);
    expect_recognised("He\tO\nruns\tO\n", FORMAT_CONLL);
    expect_recognised("# sent_id = 1\n# text = He runs\n1\tHe\the\tPRON\tPRP\tCase=Nom\n2\truns\trun\tVERB\tVBZ\tX=Y\n",
                      FORMAT_CONLL);
    expect_recognised("a\nb\n\nc\n", FORMAT_CONLL);
    expect_recognised("{ ( O\na DT O\n", FORMAT_CONLL);
    expect_recognised("{\ta\n", FORMAT_CONLL);
    expect_recognised("B-NP\tw[0]=He\tw[1]=runs\nB-VP\tw[-1]=He\tw[0]=runs\tw[1]=.\n", FORMAT_CRFSUITE);
    expect_recognised("X\tlength:3\tupper:1\nY\tlength:4\n", FORMAT_CRFSUITE);
    expect_recognised("He runs .\n", FORMAT_PLAIN);
    expect_recognised("He runs .\nNo way\n", FORMAT_PLAIN);
    expect_recognised("# He runs\n", FORMAT_PLAIN);
    expect_recognised("a b c d e f g h i j k l m\nA B C D E F G H I J K L M\n", FORMAT_PLAIN);
    expect_recognised("a b c d e f g h i j k l m\nA B C D E F G H I J K L M\n\na b c d e f g h i j k l m\n",
                      FORMAT_CONLL);
    expect_recognised("\n\n {\"tokens\":[]}\n", FORMAT_JSONL);
    expect_recognised("{ \"tokens\" : [\"a\"] } \n", FORMAT_JSONL);
    expect_recognised("{}\n", FORMAT_JSONL);
}

TEST_IN_FOLDER(a_mistake_in_a_column_file_does_not_make_it_plain)
{
    char *text = repeat("a DT O\n", 20, "b O\nc NN O\n");
    expect_error(text, FORMAT_AUTO, GOLD_LAST, ":21: expected 3 columns, found 2");
    free(text);
    text = repeat("a\tDT\tO\n", 2, "b\tO\n");
    expect_error(text, FORMAT_AUTO, GOLD_LAST, ":3: expected 3 columns, found 2");
    free(text);
}

/* The 64 KiB that are looked at end within a line. */
TEST_IN_FOLDER(recognition_ignores_a_line_cut_short)
{
    char *text = repeat("word NN O\nwords NNS O\n\n", 4000, "");
    expect_recognised(text, FORMAT_CONLL);
    free(text);
    char *tokens = repeat("\"word\",", 20000, "\"word\"]}\n");
    text = malloc(strlen(tokens) + 20);
    sprintf(text, "{\"tokens\":[%s", tokens);
    expect_recognised(text, FORMAT_JSONL);
    free(tokens);
    free(text);
}

TEST_IN_FOLDER(formats_have_names)
{
    static const char *const names[] = {"auto", "conll", "crfsuite", "plain", "jsonl"};
    for (int i = FORMAT_AUTO; i <= FORMAT_JSONL; i++)
        assert_string_equal(format_name((enum format)i), names[i]);
}

TEST_IN_FOLDER(compressed_corpora_are_recognised_too)
{
    char path[200];
    snprintf(path, sizeof path, "%s", folder_file("corpus.zst"));
    struct archive *archive = archive_write_new();
    struct archive_entry *entry = archive_entry_new();
    archive_entry_set_filetype(entry, AE_IFREG);
    archive_write_set_format_raw(archive);
    archive_write_add_filter_zstd(archive);
    archive_write_set_bytes_in_last_block(archive, 1);
    archive_write_open_filename(archive, path);
    archive_write_header(archive, entry);
    archive_write_data(archive, "a\tO\nb\tO\n\nc\tO\n", 13);
    assert_int_equal(archive_write_close(archive), ARCHIVE_OK);
    archive_write_free(archive);
    archive_entry_free(entry);

    struct reader *reader = reader_open(path, &(struct reader_options){.format = FORMAT_AUTO, .gold = GOLD_LAST}, &err);
    assert_non_null(reader);
    struct sentence sentence = {0};
    must_read(reader, &sentence);
    assert_int_equal(sentence.N, 2);
    must_read(reader, &sentence);
    assert_int_equal(sentence.N, 1);
    assert_int_equal(reader_next(reader, &sentence, &err), READ_END);
    sentence_release(&sentence);
    reader_close(reader);
}

/* A sentence must come out as soon as its blank line is in: `vouch tag` is used as a filter. */
TEST_IN_FOLDER(sentences_come_as_they_are_written_to_a_pipe)
{
    int ends[2], keep = dup(STDIN_FILENO);
    assert_int_equal(pipe(ends), 0);
    dup2(ends[0], STDIN_FILENO);
    alarm(200);
    assert_int_equal(write(ends[1], "Ada NNP\nlives VBZ\n\n", 19), 19);
    struct reader *reader = reader_open("-", &(struct reader_options){.format = FORMAT_CONLL, .gold = GOLD_NONE}, &err);
    assert_non_null(reader);
    assert_string_equal(reader_path(reader), "standard input");
    struct sentence sentence = {0};
    must_read(reader, &sentence);
    assert_int_equal(sentence.N, 2);
    assert_int_equal(write(ends[1], "in IN\n\n", 7), 7);
    must_read(reader, &sentence);
    assert_int_equal(sentence.N, 1);
    close(ends[1]);
    assert_int_equal(reader_next(reader, &sentence, &err), READ_END);
    alarm(0);
    sentence_release(&sentence);
    reader_close(reader);
    close(ends[0]);
    dup2(keep, STDIN_FILENO);
    close(keep);
}

/* What was written can be read again, and holds what was read and what was said about it. */
TEST_IN_FOLDER(a_round_trip_loses_nothing)
{
    const char *text = "# one\n# # B-NP\na b I-NP\n\n-DOCSTART- -X- O\n\nc d O\n\n";
    expect_writing(text, FORMAT_AUTO, GOLD_LAST, "X Y Z",
                   "# one\n# # B-NP X\na b I-NP Y\n\n-DOCSTART- -X- O O\n\nc d O X\n\n");
    char *again = folder_get(folder_file("out"));
    expect_reading(again, FORMAT_CONLL, GOLD_LAST,
                   "{# one\n}#,#,B-NP,X=X a,b,I-NP,Y=Y|!-DOCSTART-,-X-,O,O=O|c,d,O,X=X|");
    expect_reading(again, FORMAT_CONLL, 3, "{# one\n}#,#,B-NP,X=B-NP a,b,I-NP,Y=I-NP|!-DOCSTART-,-X-,O,O=O|c,d,O,X=O|");
    free(again);
}
