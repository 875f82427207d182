/*
 * Tests the readers of JSON without memory: every allocation fails once, none is left out, and with all that follow it.
 * Tokens are longer than the buffers that Jansson's reader begins with.
 */
#include "failing_memory.h"

#include "base/json_read.h"

#include "test.h"

FIXTURE(each_fails)
{
    leaving_none_out = true;
    return jansson_fails_too(state);
}
FILE_FIXTURE(each_fails, NULL);

#define LONG_TOKEN "a token of more than sixty-four bytes, \\u00e9\\ud83d\\ude00, for which buffers grow and grow again"

/* Whatever fails, it is memory that is missing, and that is what is said. */
static bool for_memory_alone(bool ok, const struct vouch_error *err)
{
    if (!ok && err->status != VOUCH_ERR_MEMORY)
        fail_msg("expected that memory is said to be missing, found: %s", err->message);
    return ok;
}

static bool read_text(void *context, struct vouch_error *err)
{
    json_error_t why;
    json_t *value = json_read_string(context, JSON_REJECT_DUPLICATES, &why);
    if (!value && !json_lacked_memory(&why))
        fail_msg("expected that memory is missing, found: %s", why.text);
    json_decref(value);
    return value || fail_memory(err);
}

TEST(reading_json_without_memory)
{
    static char text[] = "{\"" LONG_TOKEN "\": [\"" LONG_TOKEN "\", 1.0000000000000000000000000000000000000000001e-20, "
                         "12345678901234567, true, null, {\"a\": {\"" LONG_TOKEN "\": []}}],\n \"b\": 0.5}";
    fail_every_one(read_text, text);
}

static bool read_lines(void *context, struct vouch_error *err)
{
    struct reader_options options = {.format = FORMAT_AUTO, .gold = GOLD_LAST};
    return for_memory_alone(read_to_end(context, &options, err), err);
}

TEST_IN_FOLDER(reading_json_lines_without_memory)
{
    char path[512];
    strcpy(path, folder_put("some.jsonl", "{\"tokens\": [[\"" LONG_TOKEN "\", \"NNP\"], [\"left\", \"VBD\"]], "
                                          "\"labels\": [\"B-PER\", \"O\"], \"" LONG_TOKEN "\": 123456789012345678}\n"));
    fail_every_one(read_lines, path);
}

static bool open_model(void *context, struct vouch_error *err)
{
    vouch_model *model = vouch_model_open(context, err);
    vouch_model_close(model);
    return for_memory_alone(model != NULL, err);
}

/* Its header holds all that was fitted to confidence. */
TEST_IN_FOLDER(opening_a_calibrated_model_without_memory)
{
    static char text[20000], corpus[512], path[512];
    for (size_t i = 0, length = 0; i < 60; i++)
        length += (size_t)snprintf(text + length, sizeof text - length,
                                   "Name%zu B-PER\nsaw O\nTown%zu %s\n%s O\n\n", i % 13, i % 7,
                                   i % 5 ? "B-LOC" : "O", i % 3 ? "today" : "later");
    struct vouch_error err = {0};
    strcpy(corpus, folder_put("corpus.txt", text));
    strcpy(path, folder_file("calibrated.vouch"));
    const char *file = corpus;
    vouch_options *options = vouch_options_new("train", &err);
    must(options && vouch_options_set(options, "task", "ner", &err) == VOUCH_OK &&
             vouch_options_set(options, "passes", "1", &err) == VOUCH_OK,
         &err);
    vouch_model *model = vouch_train(options, &file, 1, NULL, &err);
    must(model && vouch_model_save(model, path, &err) == VOUCH_OK, &err);
    assert_non_null(strstr(vouch_model_header(model), "\"confidence\""));
    vouch_model_close(model);
    vouch_options_free(options);
    fail_every_one(open_model, path);
}

/* Marks a word of a sentence as known, and finds the best answers. */
static bool know_and_find(void *context, struct vouch_error *err)
{
    const char *cell[] = {"Name1", "saw", "Town2"}, *known[] = {NULL, NULL, "B-LOC"};
    vouch_request *request = vouch_request_new(context, NULL, err);
    vouch_worker *worker = request ? vouch_worker_new(request, err) : NULL;
    vouch_sentence *sentence = worker ? vouch_sentence_new(err) : NULL;
    bool ok = sentence && vouch_sentence_set_cells(sentence, cell, 3, 1, err) == VOUCH_OK &&
              vouch_sentence_set_known(sentence, known, NULL, err) == VOUCH_OK &&
              vouch_worker_best(worker, sentence, 3, err);
    vouch_sentence_free(sentence);
    vouch_worker_free(worker);
    vouch_request_free(request);
    return for_memory_alone(ok, err);
}

/* Compares a file with itself, and converts it. */
static bool agree_and_convert(void *context, struct vouch_error *err)
{
    const char *files[] = {context, context};
    char *agreement = NULL, *text = NULL, *json = NULL;
    vouch_options *options = vouch_options_new("convert", err);
    bool ok = options && vouch_options_set(options, "to", "jsonl", err) == VOUCH_OK &&
              vouch_agree(NULL, NULL, files, 2, NULL, &agreement, err) == VOUCH_OK &&
              vouch_convert(options, files, 1, NULL, &text, &json, err) == VOUCH_OK;
    vouch_free(agreement);
    vouch_free(text);
    vouch_free(json);
    vouch_options_free(options);
    return for_memory_alone(ok, err);
}

TEST_IN_FOLDER(annotators_are_served_without_memory)
{
    struct vouch_error err = {0};
    char corpus[512];
    strcpy(corpus, folder_put("corpus.txt", "Name1 B-PER\nsaw O\nTown2 B-LOC\n\nName2 B-PER\nleft O\n\n"));
    const char *file = corpus;
    vouch_options *options = vouch_options_new("train", &err);
    must(options && vouch_options_set(options, "task", "ner", &err) == VOUCH_OK &&
             vouch_options_set(options, "no-calibrate", "true", &err) == VOUCH_OK,
         &err);
    vouch_model *model = vouch_train(options, &file, 1, NULL, &err);
    must(model != NULL, &err);
    vouch_options_free(options);
    fail_every_one(know_and_find, model);
    fail_every_one(agree_and_convert, corpus);
    vouch_model_close(model);
}
