/*
 * Tests the functions of vouch.h about annotators: options by name, files to files, memory and folders, and what they
 * refuse. tests/unit/agree and convert, and tests/cli/agree.sh and convert.sh, test what they compute.
 */
#include "sample_file.h"
#include "test.h"

#include <jansson.h>

static vouch_options *options_of(const char *command, const char *name, const char *value)
{
    vouch_options *options = vouch_options_new(command, &err);
    MUST(options && vouch_options_set(options, name, value, &err) == VOUCH_OK);
    return options;
}

/* Whether the text of a JSON object has this number under the key. */
static json_int_t number_in(const char *json, const char *key)
{
    json_t *object = json_loads(json, 0, NULL);
    json_int_t number = json_integer_value(json_object_get(object, key));
    assert_non_null(object);
    json_decref(object);
    return number;
}

TEST_IN_FOLDER(annotators_are_compared_with_and_without_a_model)
{
    char ann[512], ben[512], *json = NULL;
    snprintf(ann, sizeof ann, "%s", put_sample("ann", SAMPLE_NER, 0, 30));
    char *text = folder_get(ann), *label = strstr(text, " O\n");
    memcpy(label, " ?\n", 3); /* open: compared with nothing */
    memcpy(strstr(label, " B-PER\n"), " B-LOC\n", 7);
    snprintf(ben, sizeof ben, "%s", folder_put("ben", text));
    free(text);
    const char *files[] = {ann, ben};
    MUST(vouch_agree(NULL, NULL, files, 2, NULL, &json, &err) == VOUCH_OK);
    assert_int_equal(number_in(json, "differ"), 1);
    assert_non_null(strstr(json, "\"lead\": null"));
    vouch_free(json);
    vouch_options *options = options_of("agree", "list", "0");
    vouch_model *model = learn_quickly("ner", ann);
    MUST(vouch_agree(model, options, files, 2, NULL, &json, &err) == VOUCH_OK);
    assert_non_null(strstr(json, "\"disagreements\": []"));
    vouch_free(json);
    MUST(vouch_agree(model, NULL, files, 2, NULL, &json, &err) == VOUCH_OK);
    assert_null(strstr(json, "\"lead\": null"));
    vouch_free(json);
    vouch_model_close(model);
    vouch_options_free(options);
    assert_int_equal(vouch_agree(NULL, NULL, files, 1, NULL, &json, &err), VOUCH_ERR_ARGUMENT);
    assert_non_null(strstr(err.message, "at least two"));
    assert_null(json);
    assert_int_equal(vouch_agree(NULL, NULL, files, 2, NULL, NULL, &err), VOUCH_ERR_ARGUMENT);
    files[1] = folder_put("other", "Eve B-PER\n\n");
    assert_int_equal(vouch_agree(NULL, NULL, files, 2, NULL, &json, &err), VOUCH_ERR_FORMAT);
    assert_non_null(strstr(err.message, "expected the same words"));
}

#define EXPORTED                                                                                                       \
    "{\"text\": \"Ada left Paris.\", \"entities\": [{\"id\": 1, \"label\": \"PER\", \"start_offset\": 0, "             \
    "\"end_offset\": 3}, {\"id\": 2, \"label\": \"LOC\", \"start_offset\": 9, \"end_offset\": 14}], \"relations\": "   \
    "[{\"id\": 3, \"type\": \"left\", \"from_id\": 1, \"to_id\": 2}]}\n"

TEST_IN_FOLDER(texts_are_converted_to_memory_a_file_or_a_folder)
{
    char *text = NULL, *json = NULL;
    const char *file = folder_put("doccano.jsonl", EXPORTED), *path = folder_file("a.conll");
    vouch_options *options = options_of("convert", "to", "conll");
    MUST(vouch_convert(options, &file, 1, NULL, &text, &json, &err) == VOUCH_OK);
    assert_string_equal(text, "Ada B-PER\nleft O\nParis B-LOC\n. O\n\n");
    assert_int_equal(number_in(json, "spans"), 2);
    assert_non_null(strstr(json, "\"relations\": 1\n"));
    assert_non_null(strstr(json, "1 relation"));
    vouch_free(json);
    vouch_free(text);
    MUST(vouch_convert(options, &file, 1, path, &text, NULL, &err) == VOUCH_OK);
    assert_null(text);
    text = folder_get(path);
    assert_string_equal(text, "Ada B-PER\nleft O\nParis B-LOC\n. O\n\n");
    free(text);
    MUST(vouch_options_set(options, "to", "brat", &err) == VOUCH_OK);
    assert_int_equal(vouch_convert(options, &file, 1, NULL, &text, NULL, &err), VOUCH_ERR_ARGUMENT);
    assert_string_equal(err.message, "expected the path of a folder: brat's standoff is files of their own for each "
                                     "document");
    char folder[512], pair[600];
    snprintf(folder, sizeof folder, "%s", folder_file("brat"));
    MUST(vouch_convert(options, &file, 1, folder, NULL, NULL, &err) == VOUCH_OK);
    const char *const ends[] = {"ann", "txt"};
    for (int i = 0; i < 2; i++) {
        snprintf(pair, sizeof pair, "%s/000001.%s", folder, ends[i]);
        assert_int_equal(remove(pair), 0);
    }
    vouch_options_free(options);
}

TEST_IN_FOLDER(what_cannot_be_converted_is_refused)
{
    char *text = NULL, *json = NULL;
    const char *file = folder_put("doccano.jsonl", EXPORTED), *path = folder_file("none");
    assert_int_equal(vouch_convert(NULL, &file, 1, NULL, &text, &json, &err), VOUCH_ERR_ARGUMENT);
    assert_non_null(strstr(err.message, "expected the option \"to\""));
    vouch_options *options = options_of("convert", "to", "conl");
    assert_int_equal(vouch_convert(options, &file, 1, NULL, &text, &json, &err), VOUCH_ERR_ARGUMENT);
    assert_non_null(strstr(err.message, "found 'conl'"));
    MUST(vouch_options_set(options, "to", "conll", &err) == VOUCH_OK);
    assert_int_equal(vouch_convert(options, &file, 0, NULL, &text, &json, &err), VOUCH_ERR_ARGUMENT);
    file = folder_put("bad.jsonl", "{\"text\": \"Ada\", \"label\": [[0, 9, \"PER\"]]}\n");
    assert_int_equal(vouch_convert(options, &file, 1, path, &text, &json, &err), VOUCH_ERR_FORMAT);
    assert_non_null(strstr(err.message, "bad.jsonl:1: "));
    assert_null(text);
    assert_null(json);
    assert_int_equal(access(path, F_OK), -1); /* it appears whole or not at all */
    vouch_options_free(options);
}
