/*
 * Tests --consistency through vouch.h: a file, its bytes and a batch of its sentences give the same confidence, on any
 * number of threads; without a text, the request is refused.
 */
#include "sample/sample.h"
#include "vouch.h"

#include "folder.h"

#include "must.h"
#include "sample_file.h"
#include "test.h"

enum { SENTENCES = 60 };

static vouch_options *options_for(const vouch_model *model, const char *threads)
{
    vouch_options *options = vouch_options_new(vouch_model_parses(model) ? "parse" : "tag", &err);
    MUST(options && vouch_options_set(options, "threads", threads, &err) == VOUCH_OK &&
         vouch_options_set(options, "consistency", "true", &err) == VOUCH_OK);
    return options;
}

/* The confidences of all words and sentences. */
struct numbers {
    size_t count;
    double number[20000];
};

static int listen(void *context, const vouch_sentence *sentence, const vouch_answer *answer)
{
    struct numbers *numbers = context;
    assert_string_equal(vouch_answer_method_name(answer, 0), "committee+text");
    for (size_t i = 0; i < vouch_sentence_words(sentence); i++)
        numbers->number[numbers->count++] = vouch_answer_confidence(answer, 0, i);
    return 0;
}

static void must_be_same(const struct numbers *a, const struct numbers *b)
{
    assert_true(a->count > SENTENCES);
    assert_int_equal(a->count, b->count);
    assert_memory_equal(a->number, b->number, sizeof *a->number * a->count);
}

/* Compares the batch, with one sentence less, and the worker, which has no text but its own sentence. */
static void compare_sentences(const vouch_model *model, const vouch_request *request, const char *path,
                              const struct numbers *expected)
{
    static struct numbers found;
    vouch_sentence *all[SENTENCES + 1] = {NULL};
    vouch_reader *reader = vouch_reader_open(path, model, NULL, &err);
    for (int i = 0; i < SENTENCES; i++) {
        all[i] = vouch_sentence_new(&err);
        MUST(reader && vouch_reader_next(reader, all[i], &err) == 1);
    }
    found.count = 0;
    MUST(vouch_answer_batch(request, all, SENTENCES, listen, &found, &err) == VOUCH_OK);
    must_be_same(expected, &found);
    found.count = 0;
    MUST(vouch_answer_batch(request, all, 1, listen, &found, &err) == VOUCH_OK); /* a text of one sentence */
    assert_int_equal(found.count, vouch_sentence_words(all[0]));
    vouch_sentence *with_none[] = {all[0], all[1], NULL, all[2]}; /* those before one that is not there are answered */
    found.count = 0;
    assert_int_equal(vouch_answer_batch(request, with_none, 4, listen, &found, &err), VOUCH_ERR_ARGUMENT);
    assert_non_null(strstr(err.message, "sentence 3"));
    assert_int_equal(found.count, vouch_sentence_words(all[0]) + vouch_sentence_words(all[1]));
    vouch_worker *worker = vouch_worker_new(request, &err);
    assert_null(vouch_worker_answer(worker, all[0], &err));
    assert_int_equal(err.status, VOUCH_ERR_ARGUMENT);
    assert_non_null(strstr(err.message, "needs the text around a sentence"));
    vouch_worker_free(worker);
    vouch_reader_close(reader);
    for (int i = 0; i < SENTENCES; i++)
        vouch_sentence_free(all[i]);
}

static void compare_ways(const vouch_model *model, const char *path)
{
    static struct numbers expected, found;
    char *bytes = folder_get(path);
    for (int threads = 1; threads <= 3; threads += 2) {
        vouch_options *options = options_for(model, threads > 1 ? "3" : "1");
        vouch_request *request = vouch_request_new(model, options, &err);
        vouch_reader *reader = vouch_reader_open(path, model, options, &err);
        struct numbers *numbers = threads > 1 ? &found : &expected;
        numbers->count = 0;
        MUST(request && reader && vouch_answer_stream(request, reader, listen, numbers, &err) == VOUCH_OK);
        must_be_same(&expected, numbers);
        vouch_reader_close(reader);
        found.count = 0;
        reader = vouch_reader_open_memory(bytes, strlen(bytes), model, options, &err);
        MUST(reader && vouch_answer_stream(request, reader, listen, &found, &err) == VOUCH_OK);
        must_be_same(&expected, &found);
        vouch_reader_close(reader);
        compare_sentences(model, request, path, &expected);
        vouch_request_free(request);
        vouch_options_free(options);
    }
    free(bytes);
}

TEST_IN_FOLDER(every_way_uses_the_same_text)
{
    put_sample("ner", SAMPLE_NER, 0, 150);
    put_sample("dep", SAMPLE_DEP, 0, 60);
    for (int trees = 0; trees < 2; trees += in_a_hurry() ? 2 : 1) {
        vouch_model *model = learn_quickly(trees ? "dep" : "ner", folder_file(trees ? "dep" : "ner"));
        compare_ways(model, put_sample("test", trees ? SAMPLE_DEP : SAMPLE_NER, 700, SENTENCES));
        vouch_model_close(model);
    }
}
