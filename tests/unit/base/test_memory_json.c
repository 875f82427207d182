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
