/*
 * Tests the K best whole answers beside the one answer of vouch.h: the first is that answer, none comes twice, their
 * probabilities fall, and in each tree every word has a head and one word is the root.
 */
#include "answer/predictor.h"

#include "sample/sample.h"

#include "folder.h"
#include "must.h"
#include "sample_file.h"
#include "test.h"

enum { K = 5, SENTENCES = 20 };

static bool is_same(const struct vouch_best *best, uint32_t a, uint32_t b)
{
    for (uint32_t i = 0; i < best->N; i++)
        if (!text_equal(best->label[a * best->N + i], best->label[b * best->N + i]) ||
            (best->head && best->head[a * best->N + i] != best->head[b * best->N + i]))
            return false;
    return true;
}

/* Of a calibrated model: the best has the confidence of the whole answer, and all together are at most sure. */
static void must_be_probabilities(const struct vouch_best *best, const struct vouch_answer *answer)
{
    double sum = best->probability[0];
    assert_true(sum == answer->confidences->by_method[0].sentence);
    for (uint32_t k = 1; k < best->count; sum += best->probability[k++])
        assert_true(best->probability[k] >= 0 && best->probability[k] <= best->probability[k - 1]);
    assert_true(sum <= 1 + 1e-12);
}

static void must_be_answers(const struct vouch_best *best, const struct vouch_answer *answer)
{
    assert_int_equal(best->N, answer->N);
    assert_true(best->count > 1 && best->count <= K);
    for (uint32_t i = 0; i < best->N; i++) {
        assert_true(text_equal(best->label[i], answer->label[i]));
        assert_true(!best->head || best->head[i] == answer->head[i]);
    }
    must_be_probabilities(best, answer);
    for (uint32_t k = 1; k < best->count; k++) {
        uint32_t roots = 0;
        for (uint32_t other = 0; other < k; other++)
            assert_false(is_same(best, k, other));
        for (uint32_t i = 0; best->head && i < best->N; i++) {
            assert_true(best->head[k * best->N + i] <= best->N);
            roots += best->head[k * best->N + i] == 0;
        }
        assert_true(!best->head || roots == 1);
    }
}

static void compare(const vouch_model *model, const char *path)
{
    vouch_request *request = vouch_request_new(model, NULL, &err);
    struct predictor *predictor = predictor_new(request, &err);
    vouch_reader *reader = vouch_reader_open(path, model, NULL, &err);
    vouch_sentence *sentence = vouch_sentence_new(&err);
    struct vouch_answer answer = {0};
    struct vouch_best best = {0};
    int sentences = 0;
    while (vouch_reader_next(reader, sentence, &err) == 1) {
        MUST(predictor_answer_caller(predictor, sentence, &answer, &err));
        MUST(predictor_best(predictor, sentence, K, &best, &err));
        must_be_answers(&best, &answer);
        sentences++;
    }
    assert_int_equal(sentences, SENTENCES);
    best_release(&best);
    answer_release(&answer);
    vouch_sentence_free(sentence);
    vouch_reader_close(reader);
    predictor_free(predictor);
    vouch_request_free(request);
}

TEST_IN_FOLDER(the_best_answers_begin_with_the_answer)
{
    put_sample("ner", SAMPLE_NER, 0, 100);
    put_sample("dep", SAMPLE_DEP, 0, 60);
    for (int trees = 0; trees < 2; trees++) {
        vouch_model *model = learn_quickly(trees ? "dep" : "ner", folder_file(trees ? "dep" : "ner"));
        compare(model, put_sample("test", trees ? SAMPLE_DEP : SAMPLE_NER, 700, SENTENCES));
        vouch_model_close(model);
    }
}
