/*
 * Tests the window through which a second stage sees what a first one calls the same words nearby: a stream, a batch
 * and single sentences, on one thread and on several, with documents, bad lines and sentences that cannot be answered.
 */
#include "answer/context_window.h"

#include "vouch.h"

#include "must.h"
#include "sample_file.h"
#include "test.h"

#include <stdio.h>

enum { COUNT = 60, MOST = 1 << 20, REACH = 3 };

static vouch_model *model;

/* Learns two stages from a file, in two passes. */
static vouch_model *learn(const char *file)
{
    vouch_options *options = vouch_options_new("train", &err);
    MUST(options && vouch_options_set(options, "task", "ner", &err) == VOUCH_OK &&
         vouch_options_set(options, "passes", "2", &err) == VOUCH_OK &&
         vouch_options_set(options, "context", "3", &err) == VOUCH_OK);
    vouch_model *learned = vouch_train(options, &file, 1, NULL, &err);
    vouch_options_free(options);
    MUST(learned);
    return learned;
}

FIXTURE(make_model)
{
    if (folder_make(state) != 0)
        return -1;
    model = learn(put_sample("train", SAMPLE_NER, 0, 150));
    return model ? 0 : -1;
}

FIXTURE(remove_model)
{
    vouch_model_close(model);
    return folder_remove(state);
}

FILE_FIXTURE(make_model, remove_model);

/* What is said of answers, as text. */
struct said {
    char text[MOST];
    size_t length;
    int answers;
};

static int say(void *context, const vouch_sentence *sentence, const vouch_answer *answer)
{
    struct said *said = context;
    for (size_t i = 0; i < vouch_answer_words(answer); i++)
        said->length += (size_t)snprintf(
            said->text + said->length, MOST - said->length, "%s %.9g ",
            vouch_answer_label(answer, i) ? vouch_answer_label(answer, i) : "-", vouch_answer_confidence(answer, 0, i));
    said->length += (size_t)snprintf(said->text + said->length, MOST - said->length, "\n");
    said->answers++;
    (void)sentence;
    return 0;
}

static vouch_request *request_for(const char *threads)
{
    vouch_options *options = vouch_options_new("tag", &err);
    MUST(options && vouch_options_set(options, "threads", threads, &err) == VOUCH_OK);
    vouch_request *request = vouch_request_new(model, options, &err);
    vouch_options_free(options);
    MUST(request);
    return request;
}

/* Answers the bytes of a file as a stream; a new list of what was said, to free(). */
static struct said *stream(const char *bytes, size_t length, const char *threads, enum vouch_status expected)
{
    struct said *said = calloc(1, sizeof *said);
    vouch_request *request = request_for(threads);
    vouch_reader *reader = vouch_reader_open_memory(bytes, length, model, NULL, &err);
    MUST(reader);
    assert_int_equal(vouch_answer_stream(request, reader, say, said, &err), expected);
    vouch_reader_close(reader);
    vouch_request_free(request);
    return said;
}

/* Answers its sentences as a batch, or one by one. */
static struct said *batch(const char *bytes, size_t length, const char *threads, bool apart)
{
    struct said *said = calloc(1, sizeof *said);
    vouch_request *request = request_for(threads);
    vouch_reader *reader = vouch_reader_open_memory(bytes, length, model, NULL, &err);
    vouch_sentence *sentence[2 * COUNT];
    size_t count = 0;
    MUST(reader);
    for (int more = 1; more == 1; count += more == 1) {
        MUST(sentence[count] = vouch_sentence_new(&err));
        MUST((more = vouch_reader_next(reader, sentence[count], &err)) >= 0);
    }
    for (size_t i = 0; apart && i < count; i++)
        MUST(vouch_answer_batch(request, sentence + i, 1, say, said, &err) == VOUCH_OK);
    if (!apart)
        MUST(vouch_answer_batch(request, sentence, count, say, said, &err) == VOUCH_OK);
    for (size_t i = 0; i <= count; i++)
        vouch_sentence_free(sentence[i]);
    vouch_reader_close(reader);
    vouch_request_free(request);
    return said;
}

/* A text of two documents; returns its length. */
static size_t make_text(char *text)
{
    const char *path = put_sample("text", SAMPLE_NER, 400, COUNT);
    FILE *file = fopen(path, "r");
    size_t length = 0, sentences = 0;
    assert_non_null(file);
    while (fgets(text + length, 1000, file)) {
        sentences += text[length] == '\n';
        bool half = text[length] == '\n' && sentences == COUNT / 2;
        length += strlen(text + length);
        if (half)
            length += (size_t)sprintf(text + length, "-DOCSTART- -X- O O\n\n");
    }
    fclose(file);
    return length;
}

static void must_be_same(struct said *a, struct said *b, bool same)
{
    assert_int_equal(a->answers, b->answers);
    assert_int_equal(strcmp(a->text, b->text) == 0, same);
    free(a);
    free(b);
}

TEST(a_stream_is_answered_as_a_batch_is_whatever_the_threads)
{
    static char text[MOST];
    size_t length = make_text(text);
    must_be_same(stream(text, length, "1", VOUCH_OK), stream(text, length, "4", VOUCH_OK), true);
    must_be_same(stream(text, length, "1", VOUCH_OK), batch(text, length, "1", false), true);
    must_be_same(stream(text, length, "1", VOUCH_OK), batch(text, length, "3", false), true);
    must_be_same(stream(text, length, "1", VOUCH_OK), batch(text, length, "1", true), false);
}

TEST(sentences_before_a_bad_line_are_answered)
{
    static char text[MOST];
    size_t length = make_text(text);
    struct said *whole = stream(text, length, "1", VOUCH_OK);
    length += (size_t)sprintf(text + length, "one-column\n\n");
    for (int threads = 1; threads <= 3; threads += 2) {
        struct said *said = stream(text, length, threads == 1 ? "1" : "3", VOUCH_ERR_FORMAT);
        assert_int_equal(said->answers, COUNT + 1);
        assert_int_equal(strncmp(said->text, whole->text, said->length), 0);
        free(said);
    }
    free(whole);
}

TEST(a_sentence_that_cannot_be_answered_tells_others_nothing)
{
    static const char *const good[] = {"Ada", "NNP", "B-NP"}, *const bad[] = {"Ada"};
    struct said *said = calloc(1, sizeof *said);
    vouch_request *request = request_for("1");
    vouch_sentence *sentence[3];
    for (int i = 0; i < 3; i++)
        MUST((sentence[i] = vouch_sentence_new(&err)) &&
             vouch_sentence_set_cells(sentence[i], i == 1 ? bad : good, 1, i == 1 ? 1 : 3, &err) == VOUCH_OK);
    assert_int_equal(vouch_answer_batch(request, sentence, 3, say, said, &err), VOUCH_ERR_ARGUMENT);
    assert_int_equal(said->answers, 1);
    assert_non_null(strstr(err.message, "sentence 2"));
    for (int i = 0; i < 3; i++)
        vouch_sentence_free(sentence[i]);
    vouch_request_free(request);
    free(said);
}
