/*
 * Tests vectors of words through the public interface: a model that was learned with a table answers sentences from a
 * file, and the same with vectors from memory, alike; what does not fit is refused, and so are damaged headers.
 */
#include "text/word_vectors.h"
#include "base/memory.h"
#include "base/output.h"
#include "model/model.h"

#include "folder.h"

#include "must.h"
#include "test.h"

enum { D = 2, N = 4 };

static const char corpus[] = "Ann N B-PER\nsaw N O\nBob N B-PER\nrun N O\n\n"
                             "-DOCSTART- -X- O\n\n"
                             "Rome N B-LOC\nand N O\nBob N B-PER\nmet N O\n\n";
static const char table[] = "5 2\nAnn 1 -0.5\nbob 1 -0.25\t\r\n\nrome -1 2e-1\nsaw 0 0.5 \nBob 1 -0.5\n";

/* What the table has for the words of the first sentence. */
static const float first[N * D] = {1, -0.5F, 0, 0.5F, 1, -0.5F, 0, 0};

static vouch_options *options_of(const char *command, const char *vectors)
{
    vouch_options *options = vouch_options_new(command, &err);
    MUST(options);
    MUST(vouch_options_set(options, "vectors", vectors, &err) == VOUCH_OK);
    return options;
}

/* Learns a model from the corpus and the table, without confidence. */
static vouch_model *learn(void)
{
    char vectors[500];
    snprintf(vectors, sizeof vectors, "%s", folder_put("table.txt", table));
    vouch_options *options = options_of("train", vectors);
    const char *file = folder_put("corpus.txt", corpus);
    MUST(vouch_options_set(options, "task", "ner", &err) == VOUCH_OK);
    MUST(vouch_options_set(options, "no-calibrate", "true", &err) == VOUCH_OK);
    MUST(vouch_options_set(options, "passes", "2", &err) == VOUCH_OK);
    vouch_model *model = vouch_train(options, &file, 1, NULL, &err);
    MUST(model);
    vouch_options_free(options);
    assert_int_equal(vouch_model_dimensions(model), D);
    return model;
}

TEST_IN_FOLDER(sources_find_words)
{
    static const struct {
        const char *word;
        float expected[D];
    } cases[] = {{"Ann", {1, -0.5F}},  {"Bob", {1, -0.5F}},  {"bob", {1, -0.25F}}, {"BOB", {1, -0.25F}},
                 {"Rome", {-1, 0.2F}}, {"ROME", {-1, 0.2F}}, {"5", {0, 0}},        {"ann", {0, 0}}};
    struct word_vectors *source = word_vectors_open(folder_put("table.txt", table), "corpus", &err);
    MUST(source);
    assert_int_equal(source->D, D);
    assert_true(source->rows == UINT64_MAX && source->digest);
    for (int round = 0; round < 2; round++)
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            float vector[D] = {9, 9};
            MUST(word_vectors_fetch(source, i, text_of(cases[i].word), vector, &err));
            assert_memory_equal(vector, cases[i].expected, sizeof vector);
        }
    word_vectors_close(source);
}

/* A line of the table begins like such a word; some of these words fall on the slot of "a". */
TEST_IN_FOLDER(words_with_blanks_are_not_found)
{
    static const char *const words[] = {"a 1", "a 1 1", "a 1 1 1", "a 1 1 1 1", "a ", " a", ""};
    struct word_vectors *source = word_vectors_open(folder_put("blanks.txt", "a 1 1 1 1 1\n"), "corpus", &err);
    MUST(source);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        float vector[5] = {9, 9, 9, 9, 9};
        const float none[5] = {0};
        MUST(word_vectors_fetch(source, i, text_of(words[i]), vector, &err));
        assert_memory_equal(vector, none, sizeof vector);
    }
    word_vectors_close(source);
}

static const vouch_answer *answer(vouch_worker *worker, const vouch_sentence *sentence)
{
    const vouch_answer *given = vouch_worker_answer(worker, sentence, &err);
    MUST(given);
    return given;
}

TEST_IN_FOLDER(sentences_from_memory_are_answered_like_those_of_files)
{
    static const char *const cells[] = {"Ann", "N", "saw", "N", "Bob", "N", "run", "N"};
    vouch_model *model = learn();
    vouch_options *options = options_of("tag", folder_file("table.txt"));
    vouch_request *request = vouch_request_new(model, options, &err);
    vouch_worker *worker = request ? vouch_worker_new(request, &err) : NULL;
    vouch_reader *reader = vouch_reader_open(folder_file("corpus.txt"), model, options, &err);
    vouch_sentence *read = vouch_sentence_new(&err), *own = vouch_sentence_new(&err);
    MUST(worker && reader && read && own);
    char labels[N][20];
    assert_int_equal(vouch_reader_next(reader, read, &err), 1);
    const vouch_answer *given = answer(worker, read);
    for (size_t i = 0; i < N; i++)
        snprintf(labels[i], sizeof labels[i], "%s", vouch_answer_label(given, i));
    MUST(vouch_sentence_set_cells(own, cells, N, 2, &err) == VOUCH_OK);
    assert_null(vouch_worker_answer(worker, own, &err)); /* without vectors */
    assert_non_null(strstr(err.message, "expected a vector of 2 numbers for every word, found none"));
    MUST(vouch_sentence_set_vectors(own, first, N, D, &err) == VOUCH_OK);
    given = answer(worker, own);
    for (size_t i = 0; i < N; i++)
        assert_string_equal(vouch_answer_label(given, i), labels[i]);
    assert_string_equal(labels[0], "B-PER");
    MUST(vouch_sentence_set_vectors(own, first, N, 1, &err) == VOUCH_OK);
    assert_null(vouch_worker_answer(worker, own, &err));
    assert_non_null(strstr(err.message, "found 1 numbers"));
    MUST(vouch_sentence_set_vectors(own, first, N, D, &err) == VOUCH_OK);
    MUST(vouch_sentence_set_cells(own, cells, N, 2, &err) == VOUCH_OK); /* removes them */
    assert_null(vouch_worker_answer(worker, own, &err));
    assert_int_equal(vouch_sentence_set_vectors(read, first, N, D, &err), VOUCH_ERR_ARGUMENT);
    assert_non_null(strstr(err.message, "cells or attributes have been set, found one that was read from a file"));
    vouch_sentence_free(read);
    vouch_sentence_free(own);
    vouch_reader_close(reader);
    vouch_worker_free(worker);
    vouch_request_free(request);
    vouch_options_free(options);
    vouch_model_close(model);
}

TEST(bad_vectors_are_refused)
{
    static const char *const cells[] = {"a", "b"};
    const float infinite[] = {1, INFINITY}, undefined[] = {NAN, 0}, fine[] = {1, 2};
    static float many[2 * 1025];
    vouch_sentence *s = vouch_sentence_new(&err);
    MUST(s && vouch_sentence_set_cells(s, cells, 2, 1, &err) == VOUCH_OK);
    assert_int_equal(vouch_sentence_set_vectors(s, infinite, 2, 1, &err), VOUCH_ERR_ARGUMENT);
    assert_non_null(strstr(err.message, "word 2: expected a vector of finite numbers"));
    assert_int_equal(vouch_sentence_set_vectors(s, undefined, 2, 1, &err), VOUCH_ERR_ARGUMENT);
    assert_int_equal(vouch_sentence_set_vectors(s, fine, 1, 2, &err), VOUCH_ERR_ARGUMENT);
    assert_int_equal(vouch_sentence_set_vectors(s, fine, 2, 0, &err), VOUCH_ERR_ARGUMENT);
    assert_int_equal(vouch_sentence_set_vectors(s, many, 2, 1025, &err), VOUCH_ERR_ARGUMENT);
    assert_int_equal(vouch_sentence_set_vectors(s, NULL, 2, 1, &err), VOUCH_ERR_ARGUMENT);
    assert_int_equal(vouch_sentence_set_vectors(NULL, fine, 2, 1, NULL), VOUCH_ERR_ARGUMENT);
    MUST(vouch_sentence_set_vectors(s, fine, 2, 1, &err) == VOUCH_OK);
    MUST(vouch_sentence_set_vectors(s, many, 2, 1024, &err) == VOUCH_OK);
    vouch_sentence_free(s);
}

/* Puts `new` in the place of `old` in a text, which has it once. */
static char *replaced(const char *text, const char *old, const char *new)
{
    const char *at = strstr(text, old);
    assert_non_null(at);
    char *made = malloc(strlen(text) + strlen(new) + 1);
    assert_non_null(made);
    sprintf(made, "%.*s%s%s", (int)(at - text), text, new, at + strlen(old));
    return made;
}

/* Loads a dump; returns whether that worked. */
static bool loads(const char *text)
{
    struct output *out = output_open_memory(&err);
    MUST(out);
    bool ok = model_load(folder_put("dump.txt", text), out, &err);
    output_discard(out);
    return ok;
}

TEST_IN_FOLDER(damaged_headers_are_refused)
{
    static const char *const damage[][2] = {
        {"\"dimensions\":2", "\"dimensions\":3"}, {"\"dimensions\":2", "\"dimensions\":1"},
        {"\"dimensions\":2", "\"dimensions\":0"}, {"\"dimensions\":2", "\"dimensions\":1025"},
        {"\"window\":1", "\"window\":0"},         {"\"window\":1", "\"window\":2"},
        {"\"window\":1", "\"window\":-1"},        {"\"scale\":", "\"scale\":-"},
        {"\"scale\":", "\"scale\":0,\"other\":"}, {"\"table\":\"", "\"table\":\"x"},
        {"\"vectors\":{", "\"no vectors\":{"},
    };
    vouch_model *model = learn();
    struct output *out = output_open_memory(&err);
    MUST(out && model_dump(model, out, &err));
    size_t length;
    const char *written = output_text(out, &length);
    char *text = new_string(written, length, &err);
    MUST(text);
    output_discard(out);
    assert_true(loads(text));
    for (size_t i = 0; i < sizeof damage / sizeof *damage; i++) {
        char *other = replaced(text, damage[i][0], damage[i][1]);
        if (loads(other))
            fail_msg("loaded with %s", damage[i][1]);
        free(other);
    }
    free(text);
    vouch_model_close(model);
}
