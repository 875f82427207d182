/*
 * Tests tuning: corpora that borrow from a model see what the model sees and
 * leave it as it was; a model is written again byte for byte; and for any
 * content of a header's confidence, there is an answer or an error.
 */
#include "train/calibration.h"
#include "answer/estimator.h"
#include "train/corpus.h"

#include "folder.h"
#include "answer/predictor.h"
#include "test.h"
#include "tiny.h"

static struct vouch_error err;

/* Makes a model of the tiny corpus, and the corpus. */
static vouch_model *tiny_model(struct corpus *corpus)
{
    struct tiny_voice voice;
    assert_true(tiny_read(corpus, folder_put("train", TINY_CORPUS), &err));
    assert_true(tiny_learn(corpus, &confidence_weighted, &voice, &err));
    assert_true(tiny_save(corpus, &voice, folder_file("model"), &err));
    tiny_forget(&voice);
    vouch_model *model = vouch_model_open(folder_file("model"), &err);
    assert_non_null(model);
    return model;
}

/* Whether feature f of one vocabulary stands for what feature g of another does. */
static bool same_feature(const struct vocabulary *a, uint32_t f, const struct vocabulary *b, uint32_t g)
{
    const uint32_t *left = a->node.record + a->node.record_start[f], *right = b->node.record + b->node.record_start[g];
    uint64_t length = a->node.record_start[f + 1] - a->node.record_start[f];
    bool same = length == b->node.record_start[g + 1] - b->node.record_start[g] && left[0] == right[0];
    for (uint64_t i = 1; same && i < length; i++)
        same = text_equal(dictionary_text(&a->strings, left[i]), dictionary_text(&b->strings, right[i]));
    return same;
}

/* A model has no features without weights: the others are found, in the same order. */
static void expect_features(const struct corpus *own, const struct corpus *borrowed)
{
    size_t found = 0;
    for (size_t i = 0; i < own->dev_tags.node_features; i++)
        found += found < borrowed->dev_tags.node_features &&
                 same_feature(&own->vocabulary, own->dev_tags.node_feature[i], &borrowed->vocabulary,
                              borrowed->dev_tags.node_feature[found]);
    assert_int_equal(found, borrowed->dev_tags.node_features);
    assert_true(2 * found > own->dev_tags.node_features);
}

TEST_IN_FOLDER(borrowing_reads_as_training_does)
{
    struct corpus own, borrowed;
    vouch_model *model = tiny_model(&own);
    struct corpus_plan plan = tiny_plan(), how = {.reading = plan.reading};
    const char *dev = folder_put("dev", "Ada NNP B-PER\nsaw VBD O\nGhent NNP B-CITY\n\nIn IN O\n\n");
    assert_true(corpus_read_dev(&own, &plan, dev, &err));
    assert_true(corpus_borrow(&borrowed, model, &err));
    assert_true(corpus_read_dev(&borrowed, &how, dev, &err));
    assert_int_equal(borrowed.dev_tags.count, 2);
    assert_int_equal(borrowed.dev_tags.words, 4);
    expect_features(&own, &borrowed);
    assert_int_equal(own.dev_tags.edge_features, borrowed.dev_tags.edge_features);
    assert_memory_equal(own.dev_tags.gold, borrowed.dev_tags.gold, sizeof *own.dev_tags.gold * own.dev_tags.words);
    assert_int_equal(borrowed.dev_tags.gold[2], NO_LABEL);

    /* A second file comes after the first. */
    assert_true(corpus_read_dev(&borrowed, &how, dev, &err));
    assert_int_equal(borrowed.dev_tags.count, 4);
    assert_memory_equal(own.dev_tags.gold, borrowed.dev_tags.gold + own.dev_tags.words,
                        sizeof *own.dev_tags.gold * own.dev_tags.words);

    /* A label that the model does not have is wrong, whatever the answer. */
    struct dataset dataset = borrowed.dataset;
    for (uint32_t y = 0; y < labels_count(&model->labels); y++) {
        uint32_t choice[3] = {y, y, y};
        bool right[3];
        assert_true(dataset.compare(dataset.self, &(struct example_answer){0, true, 0, choice}, right, &err));
        assert_false(right[2]);
    }
    assert_int_equal(dataset.words_before(dataset.self, true, 2), 4);

    /* The model is whole after the corpus is gone. */
    corpus_release(&borrowed);
    corpus_release(&own);
    const char *label[5];
    vouch_model *again;
    assert_true(tiny_label(folder_file("model"), label, &again, &err));
    static const char *const cells[] = {"Ada", "NNP", "left", "VBD"};
    assert_int_equal(vouch_model_label(model, cells, 2, 2, label, NULL, &err), VOUCH_OK);
    vouch_model_close(again);
    vouch_model_close(model);
}

TEST_IN_FOLDER(files_of_another_kind_are_refused)
{
    struct corpus own, borrowed;
    vouch_model *model = tiny_model(&own);
    struct corpus_plan how = {.reading = {.format = FORMAT_CRFSUITE}};
    assert_true(corpus_borrow(&borrowed, model, &err));
    assert_false(corpus_read_dev(&borrowed, &how, folder_put("dev", "O\tw=a\n\n"), &err));
    assert_int_equal(err.status, VOUCH_ERR_FORMAT);
    /* Its second column would be the label itself. */
    how.reading.format = FORMAT_CONLL;
    assert_false(corpus_read_dev(&borrowed, &how, folder_put("dev", "Ada B-PER\n\n"), &err));
    assert_int_equal(err.status, VOUCH_ERR_FORMAT);
    corpus_release(&borrowed);
    corpus_release(&own);
    vouch_model_close(model);
}

TEST_IN_FOLDER(trees_are_borrowed_alike)
{
    struct vouch_model model = {.task = "dep", .layers = 2, .bits = {10, 9}};
    struct corpus_plan plan = {
        .multi_root = MULTI_ROOT_KEEP, .arc_bits = 10, .relation_bits = 9, .reading = {.trees = true}};
    struct corpus own, borrowed;
    char *path = (char *)(uintptr_t)folder_put("trees", TINY_TREES);
    assert_true(corpus_read(&own, &plan, &path, 1, NULL, &err));
    model.labels = own.labels;
    model.trees = true;
    assert_true(corpus_borrow(&borrowed, &model, &err));
    assert_true(corpus_read_dev(&borrowed, &plan, path, &err));
    assert_int_equal(borrowed.dev_arcs.words, own.arcs.words);
    assert_memory_equal(borrowed.dev_arcs.relation, own.arcs.relation, sizeof *own.arcs.relation * own.arcs.words);
    struct dataset mine = own.dataset, theirs = borrowed.dataset;
    assert_int_equal(theirs.layers, 2);
    for (uint32_t l = 0; l < 2; l++)
        assert_memory_equal(&theirs.layer[l].dev.space, &mine.layer[l].examples.space, sizeof(struct space));
    corpus_release(&borrowed);
    assert_int_equal(dictionary_find(&own.labels.names, text_of("nsubj")) > 0, true);
    corpus_release(&own);
}

TEST_IN_FOLDER(a_model_is_written_again_byte_for_byte)
{
    struct corpus corpus;
    vouch_model *model = tiny_model(&corpus);
    struct output *out = output_open(folder_file("again"), &err);
    assert_true(out && model_write_again(out, model, model->header, &err) && output_commit(out, &err));
    vouch_model *again = vouch_model_open(folder_file("again"), &err);
    assert_non_null(again);
    assert_int_equal(again->file.size, model->file.size);
    assert_memory_equal(again->file.bytes, model->file.bytes, model->file.size);
    vouch_model_close(again);
    vouch_model_close(model);
    corpus_release(&corpus);
}

/* Returns what tuning voices of a model on the training file itself finds. */
static json_t *tune_layers(const vouch_model *model, const struct model_layer *layers)
{
    static const struct grids few = {
        .of =
            {[PARAM_FIX] = {2, {1, 9}}, [PARAM_PC] = {1, {0.1}}, [PARAM_C] = {2, {0.02, 0.2}}, [PARAM_BEST] = {1, {5}},
             [PARAM_WEIGHTED] = {1, {5}}},
        .draws = 8};
    struct corpus dev;
    struct corpus_plan how = {0};
    struct held_out held;
    struct found_confidence found;
    assert_true(corpus_borrow(&dev, model, &err));
    for (int i = 0; i < 4; i++)
        assert_true(corpus_read_dev(&dev, &how, folder_file("train"), &err));
    struct dataset dataset = dev.dataset;
    struct calibration_plan plan = {.held = &held, .grids = &few, .work = {.seed = 1, .threads = 1}};
    assert_true(held_out_dev(&held, &dataset, layers, &err));
    assert_true(find_confidence(&plan, &found, &err));
    json_t *json = json_incref(found.json);
    found_confidence_release(&found);
    held_out_release(&held);
    corpus_release(&dev);
    return json;
}

static json_t *tune_tiny(const vouch_model *model)
{
    return tune_layers(model, model->layer);
}

/* Weights eight times as large give the same answers: only the noise must be, and probabilities need an eighth of c. */
TEST_IN_FOLDER(what_is_chosen_follows_the_size_of_the_weights)
{
    enum { TIMES = 8 };
    struct corpus corpus;
    vouch_model *model = tiny_model(&corpus);
    folder_put("train", "Ada NNP O\nsaw VBD B-PER\n\nAda NNP B-PER\nleft VBD O\n\n"); /* some of it is wrong */
    struct model_layer larger = model->layer[0];
    size_t size = space_size(&larger.space) + SLACK;
    float *mean = calloc(size, sizeof *mean);
    assert_non_null(mean);
    for (size_t i = 0; i < size; i++)
        mean[i] = TIMES * larger.voice[0].mean[i];
    larger.voice[0].mean = mean;
    json_t *one = tune_layers(model, model->layer), *other = tune_layers(model, &larger);
    double chosen[2][3];
    for (int i = 0; i < 2; i++)
        assert_int_equal(json_unpack(i ? other : one, "{s:{s:{s:{s:{s:f, s:f, s:f}}}}}", "layers", larger.name,
                                     "parameters", larger.voice[0].name, "s_fix", &chosen[i][0], "s_pc", &chosen[i][1],
                                     "c", &chosen[i][2]),
                         0);
    assert_true(chosen[0][0] > 0);
    assert_true(chosen[1][0] == TIMES * TIMES * chosen[0][0]);
    assert_true(chosen[1][1] == chosen[0][1]);
    assert_true(chosen[1][2] == chosen[0][2] / TIMES);
    json_decref(one);
    json_decref(other);
    free(mean);
    vouch_model_close(model);
    corpus_release(&corpus);
}

/* Applies all methods to one sentence; false if there is an error, which then has a message. */
static bool ask(const vouch_model *model)
{
    static const char line[] = "Ada NNP B-PER\nleft VBD O\n\n";
    struct estimate_request request = {.methods = "all", .alternatives = 2};
    struct reader_options reading = {.format = FORMAT_CONLL};
    struct sentence sentence = {0};
    struct vouch_answer prediction = {0};
    err = (struct vouch_error){0};
    struct estimator *estimator = estimator_new(model, &request, &err);
    if (!estimator) {
        assert_true(err.status != VOUCH_OK && err.message[0]);
        return false;
    }
    struct reader *reader = reader_open(folder_put("asked", line), &reading, &err);
    struct predictor *predictor = predictor_new(&(struct vouch_request){.model = model, .estimator = estimator}, &err);
    assert_int_equal(reader_next(reader, &sentence, &err), READ_SENTENCE);
    bool ok = predictor_answer(predictor, &sentence, &prediction, &err);
    answer_release(&prediction);
    sentence_release(&sentence);
    predictor_free(predictor);
    reader_close(reader);
    estimator_free(estimator);
    return ok;
}

/* Puts `other` in place of the value that is number *left, counted down on the way; true when done. */
static bool replace(json_t *json, uint32_t *left, json_t *other)
{
    const char *key;
    json_t *value;
    size_t i;
    void *next;
    json_object_foreach_safe(json, next, key, value)
    {
        if ((*left)-- == 0) {
            if (other)
                json_object_set(json, key, other);
            else
                json_object_del(json, key);
            return true;
        }
        if (replace(value, left, other))
            return true;
    }
    json_array_foreach(json, i, value)
    {
        if ((*left)-- == 0) {
            if (other)
                json_array_set(json, i, other);
            else
                json_array_remove(json, i);
            return true;
        }
        if (i == 1) /* the others are like the first two */
            break;
    }
    return false;
}

/* Every value of a confidence in turn is taken away, or another one. */
TEST_IN_FOLDER(damage_is_an_error_or_harmless)
{
    struct corpus corpus;
    vouch_model *model = tiny_model(&corpus);
    json_t *header = model->header, *confidence = tune_tiny(model);
    json_t *others[] = {NULL,           json_null(),       json_integer(-1), json_integer(1000000000),
                        json_real(0.5), json_real(-1e300), json_string("x"), json_array(),
                        json_object(),  json_true()};
    enum { OTHERS = sizeof others / sizeof *others, TURNS = 3, TRIED = SANITIZED ? 1 : TURNS };
    uint32_t refused = 0, places = 0;
    assert_true(ask(model));
    json_object_set(header, "confidence", confidence);
    assert_true(ask(model));
    for (bool more = true; more; places += in_a_hurry() ? 4 : 1)
        for (uint32_t turn = 0; turn < TRIED && more; turn++) {
            uint32_t left = places;
            model->header = json_deep_copy(header);
            more =
                replace(json_object_get(model->header, "confidence"), &left, others[(places * TURNS + turn) % OTHERS]);
            refused += more && !ask(model);
            json_decref(model->header);
        }
    model->header = header;
    assert_true(places > 100 && refused * TURNS * apart() > 100 * TRIED);
    for (uint32_t o = 0; o < OTHERS; o++)
        json_decref(others[o]);
    json_decref(confidence);
    vouch_model_close(model);
    corpus_release(&corpus);
}
