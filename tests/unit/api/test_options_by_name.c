/* Tests the public interface, first part: options by name, and models from files and memory. */
#include "small_models.h"

#include "must.h"
#include "test.h"

static const char *const commands[] = {"tag", "parse", "train", "tune", "eval", "review", "trade", "active"};
enum { COMMANDS = sizeof commands / sizeof *commands };

static const char *const voices[] = {"cw", "crf", NULL};

/* Every option can be read about, read, and set to what it is; defaults are those that help shows. */
TEST(options_are_described_and_set_by_name)
{
    for (int c = 0; c < COMMANDS; c++) {
        vouch_options *options = vouch_options_new(commands[c], &err);
        MUST(options);
        size_t count = vouch_options_count(commands[c]);
        assert_true(count > 5);
        for (size_t i = 0; i < count; i++) {
            struct vouch_option option = {.size = sizeof option};
            char now[64];
            MUST(vouch_options_describe(commands[c], i, &option, &err) == VOUCH_OK);
            MUST(vouch_options_get(options, option.name, now, sizeof now, &err) == VOUCH_OK);
            assert_true(strlen(option.help) > 5);
            assert_true((option.argument == NULL) == (option.kind == VOUCH_OPTION_FLAG));
            assert_true(option.least <= option.most);
            if (option.usual[0]) { /* the usual value may be one that cannot be typed, such as 0 folds */
                assert_string_equal(now, option.usual);
                MUST(vouch_options_set(options, option.name, now, &err) == VOUCH_OK);
            }
            const char *set = option.kind == VOUCH_OPTION_FLAG   ? "true"
                              : option.kind == VOUCH_OPTION_TEXT ? "some text"
                                                                 : "1";
            if (option.choices) {
                char first[32] = "";
                assert_int_equal(option.kind, VOUCH_OPTION_TEXT);
                assert_true(vouch_options_set(options, option.name, "some text", &err) == VOUCH_ERR_ARGUMENT);
                snprintf(first, sizeof first, "%.*s", (int)strcspn(option.choices, ", "), option.choices);
                MUST(vouch_options_set(options, option.name, first, &err) == VOUCH_OK);
            }
            if (option.most >= 1 && option.least <= 1) {
                MUST(vouch_options_set(options, option.name, set, &err) == VOUCH_OK);
                MUST(vouch_options_get(options, option.name, now, sizeof now, &err) == VOUCH_OK);
                assert_string_equal(now, set);
            }
            assert_string_not_equal(option.name, "quiet");
            assert_string_not_equal(option.name, "output");
        }
        vouch_options_free(options);
    }
    vouch_options_free(NULL);
}

TEST(texts_of_options_are_copied)
{
    char text[] = "gamma,delta", now[20];
    vouch_options *options = vouch_options_new("tag", &err);
    MUST(vouch_options_set(options, "confidence", text, &err) == VOUCH_OK);
    memset(text, 'x', sizeof text - 1);
    MUST(vouch_options_get(options, "confidence", now, sizeof now, &err) == VOUCH_OK);
    assert_string_equal(now, "gamma,delta");
    MUST(vouch_options_set(options, "confidence", "kb", &err) == VOUCH_OK);
    MUST(vouch_options_get(options, "confidence", now, sizeof now, &err) == VOUCH_OK);
    assert_string_equal(now, "kb");
    MUST(vouch_options_set(options, "confidence", "", &err) == VOUCH_OK);
    MUST(vouch_options_get(options, "confidence", now, sizeof now, &err) == VOUCH_OK);
    assert_string_equal(now, "");
    MUST(vouch_options_set(options, "format", "jsonl", &err) == VOUCH_OK);
    MUST(vouch_options_set(options, "format", "", &err) == VOUCH_OK);
    MUST(vouch_options_get(options, "format", now, sizeof now, &err) == VOUCH_OK);
    assert_string_equal(now, "auto");
    MUST(vouch_options_set(options, "raw", "true", &err) == VOUCH_OK);
    MUST(vouch_options_set(options, "raw", "false", &err) == VOUCH_OK);
    MUST(vouch_options_get(options, "raw", now, sizeof now, &err) == VOUCH_OK);
    assert_string_equal(now, "false");
    vouch_options_free(options);
}

TEST(numbers_are_told_in_as_few_digits_as_are_read_back)
{
    static const char *const value[] = {"0.3", "0.1", "0.25", "0.1234567", "0.30000000000000004", "1e-07", "1"};
    vouch_options *options = vouch_options_new("tag", &err);
    char now[40];
    for (size_t i = 0; i < sizeof value / sizeof *value; i++) {
        MUST(vouch_options_set(options, "threshold", value[i], &err) == VOUCH_OK);
        MUST(vouch_options_get(options, "threshold", now, sizeof now, &err) == VOUCH_OK);
        assert_string_equal(now, value[i]);
    }
    MUST(vouch_options_set(options, "threshold", "0.29999999999999999", &err) == VOUCH_OK);
    MUST(vouch_options_get(options, "threshold", now, sizeof now, &err) == VOUCH_OK);
    assert_string_equal(now, "0.3");
    vouch_options_free(options);
}

/* Expects an argument error with this message. */
static void refused(enum vouch_status status, const char *message)
{
    assert_int_equal(status, VOUCH_ERR_ARGUMENT);
    assert_int_equal(err.status, VOUCH_ERR_ARGUMENT);
    if (!strstr(err.message, message))
        fail_msg("expected '%s', found '%s'", message, err.message);
    err = (struct vouch_error){0};
}

TEST(what_is_no_option_is_refused)
{
    vouch_options *options = vouch_options_new("tag", &err);
    struct vouch_option option = {.size = sizeof option};
    char text[8];
    refused(vouch_options_set(options, "confidense", "kb", &err), "did you mean '--confidence'");
    refused(vouch_options_set(options, "algorithm", "cw", &err), "unknown option '--algorithm'");
    refused(vouch_options_set(options, "quiet", "true", &err), "--quiet of vouch tag is an option of the program");
    refused(vouch_options_set(options, "model", "m", &err), "option of the program, not of the library");
    refused(vouch_options_set(options, "raw", "yes", &err), "--raw: expected true or false, found 'yes'");
    refused(vouch_options_set(options, "threads", "0", &err), "--threads: expected a whole number from 1");
    refused(vouch_options_set(options, "threshold", "x", &err), "--threshold: expected a number");
    refused(vouch_options_set(options, NULL, "x", &err), "NULL");
    refused(vouch_options_set(options, "raw", NULL, &err), "NULL");
    refused(vouch_options_set(NULL, "raw", "true", &err), "NULL");
    refused(vouch_options_get(options, "format", text, 4, &err), "does not fit into 4 bytes");
    refused(vouch_options_get(options, "format", NULL, 4, &err), "NULL");
    refused(vouch_options_describe("tag", vouch_options_count("tag"), &option, &err), "from 0 to");
    refused(vouch_options_describe("tag", 0, NULL, &err), "NULL");
    option.size = sizeof option - 1;
    refused(vouch_options_describe("tag", 0, &option, &err), "sizeof(struct vouch_option)");
    assert_int_equal(vouch_options_count("taq"), 0);
    assert_null(vouch_options_new("taq", &err));
    refused(err.status, "did you mean 'tag'");
    assert_null(vouch_options_new(NULL, &err));
    refused(err.status, "NULL");
    assert_int_equal(vouch_options_set(options, "nothing", "x", NULL), VOUCH_ERR_ARGUMENT);
    assert_null(vouch_options_new("nothing", NULL));
    MUST(vouch_options_get(options, "threads", text, sizeof text, &err) == VOUCH_OK);
    assert_string_equal(text, "1");
    vouch_options_free(options);
}

/* Models. */

static char *whole_file(const char *path, size_t *length)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    *length = (size_t)ftell(file);
    rewind(file);
    char *bytes = malloc(*length);
    assert_int_equal(fread(bytes, 1, *length, file), *length);
    fclose(file);
    return bytes;
}

TEST_IN_FOLDER(a_model_in_memory_is_the_model_in_the_file)
{
    for (int tree = 0; tree < 2; tree++) {
        size_t length, again;
        char *bytes = whole_file(tree ? small_parser("m", voices, NULL) : small_tagger("m", voices, NULL), &length);
        vouch_model *model = vouch_model_open_memory(bytes, length, &err);
        MUST(model);
        char *saved = strdup(folder_file("saved"));
        MUST(vouch_model_save(model, saved, &err) == VOUCH_OK);
        memset(bytes, 0, length); /* they were copied */
        MUST(vouch_model_verify(model, &err) == VOUCH_OK);
        assert_int_equal(vouch_model_parses(model), tree);
        assert_int_equal(vouch_model_takes_attributes(model), 0);
        assert_int_equal(vouch_model_columns(model), tree ? 1 : 2);
        assert_string_equal(vouch_model_task(model), tree ? "dep" : "ner");
        vouch_model_close(model);
        free(bytes);

        char *expected = whole_file(folder_file("m"), &length), *found = whole_file(saved, &again);
        assert_int_equal(length, again);
        assert_memory_equal(expected, found, length);
        free(expected);
        free(found);
        free(saved);
    }
    vouch_model_close(NULL);
}

static void no_model(vouch_model *model, enum vouch_status status, const char *message)
{
    assert_null(model);
    assert_int_equal(err.status, status);
    if (!strstr(err.message, message))
        fail_msg("expected '%s', found '%s'", message, err.message);
    err = (struct vouch_error){0};
}

TEST_IN_FOLDER(what_is_no_model_is_refused)
{
    size_t length;
    char *bytes = whole_file(small_tagger("m", voices, NULL), &length);
    no_model(vouch_model_open(NULL, &err), VOUCH_ERR_ARGUMENT, "NULL");
    no_model(vouch_model_open("", &err), VOUCH_ERR_ARGUMENT, "expected the path of a model, found an empty one");
    no_model(vouch_model_open(folder_file("nothing"), &err), VOUCH_ERR_IO, "cannot open");
    no_model(vouch_model_open_memory(NULL, 5, &err), VOUCH_ERR_ARGUMENT, "NULL");
    no_model(vouch_model_open_memory(bytes, 0, &err), VOUCH_ERR_FORMAT, "model in memory: expected a vouch model");
    no_model(vouch_model_open_memory("some text", 9, &err), VOUCH_ERR_FORMAT, "expected a vouch model");
    for (size_t cut = 1; cut < length; cut = cut * 2 + 7)
        no_model(vouch_model_open_memory(bytes, cut, &err), VOUCH_ERR_FORMAT, "model in memory: expected");
    bytes[100] ^= 1;
    no_model(vouch_model_open_memory(bytes, length, &err), VOUCH_ERR_FORMAT, "checksum");
    bytes[100] ^= 1;

    bytes[length - 50] ^= 1; /* in a section */
    no_model(vouch_model_open_memory(bytes, length, &err), VOUCH_ERR_FORMAT, "checksum");
    bytes[length - 50] ^= 1;
    vouch_model *model = vouch_model_open_memory(bytes, length, &err);
    MUST(model);
    assert_int_equal(vouch_model_verify(model, &err), VOUCH_OK);
    assert_int_equal(vouch_model_verify(NULL, &err), VOUCH_ERR_ARGUMENT);
    assert_int_equal(vouch_model_save(NULL, folder_file("x"), &err), VOUCH_ERR_ARGUMENT);
    assert_int_equal(vouch_model_save(model, NULL, &err), VOUCH_ERR_ARGUMENT);
    assert_int_equal(vouch_model_save(model, "-", &err), VOUCH_ERR_ARGUMENT);
    assert_int_equal(vouch_model_save(model, "/no/such/folder/x", &err), VOUCH_ERR_IO);
    assert_int_equal(vouch_model_dump(NULL, folder_file("x"), &err), VOUCH_ERR_ARGUMENT);
    assert_int_equal(vouch_model_dump(model, NULL, &err), VOUCH_ERR_ARGUMENT);
    assert_int_equal(vouch_model_dump(model, "-", &err), VOUCH_ERR_ARGUMENT);
    assert_int_equal(vouch_model_dump(model, "/no/such/folder/x", NULL), VOUCH_ERR_IO);
    vouch_model_close(model);
    free(bytes);
}
