/*
 * Reads texts through a file of the test's folder: expects what a function of the test says about their sentences, or
 * an error; and compares what was written to the file "out".
 */
#ifndef VOUCH_TESTS_READING_H
#define VOUCH_TESTS_READING_H

#include "text/reader.h"
#include "text/writer.h"

#include "folder.h"
#include "must.h"

static inline struct reader *open_text(const char *text, struct reader_options reading)
{
    return reader_open(folder_put("in", text), &reading, &err);
}

static inline struct reader *must_open_text(const char *text, struct reader_options reading)
{
    struct reader *reader = open_text(text, reading);
    MUST(reader);
    return reader;
}

static inline void must_read(struct reader *reader, struct sentence *sentence)
{
    MUST(reader_next(reader, sentence, &err) == READ_SENTENCE);
}

static inline void append(char *to, struct text text)
{
    strncat(to, text.at, text.length);
}

/* Appends what a test wants to know about a sentence. */
typedef void describe_sentence(const struct sentence *sentence, char *to);

static inline void expect_sentences(const char *text, struct reader_options reading, describe_sentence *describe,
                                    const char *expected)
{
    struct reader *reader = must_open_text(text, reading);
    struct sentence sentence = {0};
    char found[4000] = "";
    enum reading state;
    while ((state = reader_next(reader, &sentence, &err)) == READ_SENTENCE)
        describe(&sentence, found);
    MUST(state == READ_END);
    assert_string_equal(found, expected);
    assert_int_equal(reader_next(reader, &sentence, &err), READ_END);
    sentence_release(&sentence);
    reader_close(reader);
}

/* The error of opening or of reading on until one comes; `message` is what follows the file's name. */
static inline void expect_refusal(const char *text, struct reader_options reading, const char *message)
{
    char expected[600];
    snprintf(expected, sizeof expected, "%s%s", folder_file("in"), message);
    err = (struct vouch_error){0};
    struct reader *reader = open_text(text, reading);
    struct sentence sentence = {0};
    enum reading state = READ_FAILED;
    while (reader && (state = reader_next(reader, &sentence, &err)) == READ_SENTENCE)
        continue;
    assert_int_equal(state, READ_FAILED);
    assert_string_equal(err.message, expected);
    assert_int_equal(err.status, VOUCH_ERR_FORMAT);
    sentence_release(&sentence);
    reader_close(reader);
}

static inline void expect_format(const char *text, struct reader_options reading, enum format format)
{
    struct reader *reader = must_open_text(text, reading);
    assert_string_equal(format_name(reader->format), format_name(format));
    reader_close(reader);
}

/* Commits the output, which is the file "out". */
static inline void expect_written(struct output *out, const char *expected)
{
    assert_true(output_commit(out, &err));
    char *found = folder_get(folder_file("out"));
    assert_string_equal(found, expected);
    free(found);
}

#endif
