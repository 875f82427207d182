/*
 * Tests going on from a model: its vocabulary and labels copied, so that everything keeps its number, and its weights
 * laid out in a space that may have become larger.
 */
#include "learn/learn.h"
#include "model/model.h"
#include "train/corpus.h"

#include "small_models.h"
#include "test.h"

FILE_FIXTURE(folder_make, folder_remove);

static struct vouch_error err;

/* Dictionaries. */

static void expect_same_table(const struct hash_table *a, const struct hash_table *b)
{
    assert_int_equal(a->count, b->count);
    assert_int_equal(a->mask, b->mask);
    if (a->count)
        assert_memory_equal(a->slot, b->slot, sizeof *a->slot * (a->mask + 1));
}

TEST(a_dictionary_is_copied_number_by_number)
{
    struct dictionary strings = {0}, copy;
    char name[16];
    for (int i = 0; i < 1000; i++) {
        snprintf(name, sizeof name, "%d", i * 7919 % 1000);
        assert_int_equal(dictionary_add(&strings, text_of(name), &err), i + 1);
    }
    assert_true(dictionary_copy(&copy, &strings, &err));
    expect_same_table(&copy.table, &strings.table);
    assert_int_equal(dictionary_add(&copy, text_of("0"), &err), 1);
    assert_int_equal(dictionary_add(&copy, text_of("new"), &err), 1001);
    assert_int_equal(dictionary_find(&strings, text_of("new")), 0);
    dictionary_release(&copy);
    dictionary_release(&strings);
    assert_true(dictionary_copy(&copy, &(struct dictionary){0}, &err));
    assert_int_equal(copy.table.count, 0);
    dictionary_release(&copy);
}

/* A damaged file would have it. */
TEST(a_dictionary_with_a_string_twice_is_refused)
{
    uint32_t start[] = {0, 0, 1, 2, 3};
    char bytes[] = "aba";
    struct dictionary twice = {.table = {.count = 3}, .start = start, .bytes = bytes, .size = 3}, copy;
    assert_false(dictionary_copy(&copy, &twice, &err));
    assert_int_equal(err.status, VOUCH_ERR_FORMAT);
    dictionary_release(&copy);
}

/* Vocabularies, from a model's file. */

static const char *const two_voices[] = {"cw", "crf", NULL};

static vouch_model *must_open(const char *path)
{
    vouch_model *model = vouch_model_open(path, &err);
    if (!model)
        fail_msg("%s", err.message);
    return model;
}

static void expect_same_index(const struct feature_index *a, const struct feature_index *b)
{
    uint32_t count = feature_index_count(a);
    expect_same_table(&a->table, &b->table);
    assert_int_equal(a->records, b->records);
    assert_memory_equal(a->record, b->record, sizeof *a->record * a->records);
    assert_memory_equal(a->record_start, b->record_start, sizeof *a->record_start * (count + 1));
}

TEST(a_vocabulary_is_copied_number_by_number)
{
    vouch_model *model = must_open(small_tagger("m", two_voices, NULL));
    struct vocabulary copy;
    assert_true(model->layer[0].space.nodes > 20);
    assert_true(vocabulary_copy(&copy, &model->vocabulary, &model->templates, &err));
    expect_same_table(&copy.strings.table, &model->vocabulary.strings.table);
    for (uint32_t id = 1; id <= copy.strings.table.count; id++)
        assert_true(text_equal(dictionary_text(&copy.strings, id), dictionary_text(&model->vocabulary.strings, id)));
    expect_same_index(&copy.node, &model->vocabulary.node);
    expect_same_index(&copy.edge, &model->vocabulary.edge);
    vocabulary_release(&copy);
    vouch_model_close(model);
}

/* No training could have left these records. */
TEST(a_vocabulary_with_wrong_records_is_refused)
{
    static const struct {
        size_t at;
        uint64_t value;
        bool start; /* of a record, or what it holds */
    } wrong[] = {{1, 0, true}, {1, UINT64_MAX, true}, {3, 2, true}, {0, 99, false}, {0, 4, false}};
    vouch_model *model = must_open(small_tagger("m", two_voices, NULL));
    const struct feature_index *node = &model->vocabulary.node;
    size_t starts = (size_t)feature_index_count(node) + 1;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct vocabulary damaged = model->vocabulary, copy;
        uint64_t *start = malloc(sizeof *start * starts);
        uint32_t *record = malloc(sizeof *record * node->records);
        memcpy(start, node->record_start, sizeof *start * starts);
        memcpy(record, node->record, sizeof *record * node->records);
        if (wrong[i].start)
            start[wrong[i].at] = wrong[i].value;
        else
            record[wrong[i].at] = (uint32_t)wrong[i].value;
        damaged.node.record_start = start;
        damaged.node.record = record;
        assert_false(vocabulary_copy(&copy, &damaged, &model->templates, &err));
        assert_int_equal(err.status, VOUCH_ERR_FORMAT);
        vocabulary_release(&copy);
        free(start);
        free(record);
    }
    vouch_model_close(model);
}

/* Corpora. */

static bool read_tags(struct corpus *corpus, const struct vouch_model *from, uint32_t cutoff, const char *text)
{
    char *paths[] = {strdup(folder_put("more", text))};
    struct corpus_plan plan = {.from = from, .cutoff = cutoff, .reading = {FORMAT_CONLL, GOLD_LAST}};
    bool ok = corpus_read(corpus, &plan, paths, 1, NULL, &err);
    free(paths[0]);
    return ok;
}

TEST(the_sentences_of_the_model_are_seen_as_it_saw_them)
{
    struct corpus first, again;
    vouch_model *model = must_open(small_tagger("m", two_voices, NULL));
    small_tag_corpus(&first, SMALL_TAGS);
    assert_true(read_tags(&again, model, 1, SMALL_TAGS));
    assert_string_equal(again.template, first.template);
    expect_same_index(&again.vocabulary.node, &first.vocabulary.node);
    expect_same_index(&again.vocabulary.edge, &first.vocabulary.edge);
    assert_int_equal(labels_count(&again.labels), labels_count(&first.labels));
    assert_int_equal(again.tags.words, first.tags.words);
    assert_memory_equal(again.tags.gold, first.tags.gold, sizeof *first.tags.gold * first.tags.words);
    assert_int_equal(again.tags.node_features, first.tags.node_features);
    assert_memory_equal(again.tags.node_feature, first.tags.node_feature,
                        sizeof *first.tags.node_feature * first.tags.node_features);
    assert_int_equal(again.seen.count, first.seen.count);
    corpus_release(&first);
    corpus_release(&again);
    vouch_model_close(model);
}

TEST(what_is_new_comes_behind)
{
    static const char more[] = "Eva NNP B-TEAM\nsaw VBD O\nAda NNP B-PER\n\nAda NNP B-LOC\n";
    for (uint32_t cutoff = 1; cutoff <= 3; cutoff++) {
        vouch_model *model = must_open(small_tagger("m", two_voices, NULL));
        struct corpus corpus;
        uint32_t nodes = model->layer[0].space.nodes, labels = labels_count(&model->labels);
        assert_true(read_tags(&corpus, model, cutoff, more));
        assert_int_equal(labels_count(&corpus.labels), labels + 1);
        for (uint32_t y = 0; y < labels; y++)
            assert_true(text_equal(labels_name(&corpus.labels, y), labels_name(&model->labels, y)));
        assert_true(text_is(labels_name(&corpus.labels, labels), "B-TEAM"));
        assert_int_equal(corpus.tags.gold[0], labels);
        uint32_t now = feature_index_count(&corpus.vocabulary.node);
        assert_true(cutoff == 1 ? now > nodes : now >= nodes);
        assert_true(cutoff < 3 || now == nodes); /* nothing new is there three times */
        assert_memory_equal(corpus.vocabulary.node.record, model->vocabulary.node.record,
                            sizeof(uint32_t) * model->vocabulary.node.records);
        assert_int_equal(corpus.seen.count, model->seen.count + 1); /* "Ada" was there before */
        corpus_release(&corpus);
        vouch_model_close(model);
    }
}

/* The model spells chunks in IOB2. */
TEST(chunks_may_be_spelled_otherwise)
{
    static const char *const texts[] = {"Ada NNP B-PER\nLovelace NNP I-PER\nsaw VBD O\nParis NNP B-LOC\n",
                                        "Ada NNP I-PER\nLovelace NNP I-PER\nsaw VBD O\nParis NNP I-LOC\n",
                                        "Ada NNP B-PER\nLovelace NNP E-PER\nsaw VBD O\nParis NNP S-LOC\n"};
    vouch_model *model = must_open(small_tagger("m", two_voices, NULL));
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct corpus corpus;
        assert_true(read_tags(&corpus, model, 1, texts[i]));
        assert_int_equal(labels_count(&corpus.labels), labels_count(&model->labels));
        assert_int_equal(corpus.labels.outer, SCHEME_IOB2);
        static const char *const expected[] = {"B-PER", "I-PER", "O", "B-LOC"};
        for (int w = 0; w < 4; w++)
            assert_true(text_is(labels_name(&corpus.labels, corpus.tags.gold[w]), expected[w]));
        corpus_release(&corpus);
    }
    struct corpus corpus;
    assert_false(read_tags(&corpus, model, 1, "Ada NNP O\n\nsaw VBD VERB\n"));
    assert_non_null(strstr(err.message, "more:3: expected labels of chunks"));
    corpus_release(&corpus);
    vouch_model_close(model);
}

TEST(relations_may_become_more)
{
    vouch_model *model = must_open(small_parser("p", two_voices, NULL));
    char *paths[] = {strdup(folder_put("more", "1\tEva\t_\tX\t_\t_\t0\tstem\t_\t_\n\n" SMALL_TREES))};
    struct corpus_plan plan = {.from = model, .reading = {.trees = true}};
    struct corpus corpus;
    assert_true(corpus_read(&corpus, &plan, paths, 1, NULL, &err));
    uint32_t relations = labels_count(&model->labels);
    assert_int_equal(labels_count(&corpus.labels), relations + 1);
    assert_true(text_is(labels_name(&corpus.labels, relations), "stem"));
    assert_true(text_equal(labels_name(&corpus.labels, 0), labels_name(&model->labels, 0)));
    assert_int_equal(corpus.arcs.arc_bits, model->bits[0]);
    assert_int_equal(corpus.arcs.relation_bits, model->bits[1]);
    assert_int_equal(corpus.seen.count, model->seen.count + 1);
    struct dataset dataset = corpus.dataset;
    assert_int_equal(dataset.layers, 2);
    assert_int_equal(dataset.layer[1].examples.space.width, relations + 1);
    corpus_release(&corpus);
    free(paths[0]);
    vouch_model_close(model);
}

/* Voices. */

static struct training_options options_for(const struct learner *learner)
{
    return (struct training_options){.learner = learner, .parameters = small_parameters(), .passes = 2, .seed = 1};
}

/* Returns a weight that identifies its place. */
static float marked(uint32_t feature, uint32_t left, uint32_t label, bool edge)
{
    return (float)(1000 * feature + 100 * left + 10 * label + edge + 1);
}

TEST(weights_find_their_places_in_a_larger_space)
{
    struct space from = {.width = 2, .nodes = 3, .edges = 2}, to = {.width = 5, .nodes = 7, .edges = 4};
    float mean[3 * 2 + 2 * 4], var[3 * 2 + 2 * 4];
    for (uint32_t f = 0; f < from.nodes; f++)
        for (uint32_t y = 0; y < 2; y++)
            mean[space_node(&from, f) + y] = marked(f, 0, y, false);
    for (uint32_t f = 0; f < from.edges; f++)
        for (uint32_t l = 0; l < 2; l++)
            for (uint32_t r = 0; r < 2; r++)
                mean[space_edge(&from, f) + 2 * l + r] = marked(f, l, r, true);
    for (size_t i = 0; i < sizeof var / sizeof *var; i++)
        var[i] = mean[i] / 10000;
    struct voice voice;
    struct voice_needs needs = {.variance = true, .variance_start = 0.75f};
    assert_true(voice_init(&voice, &to, &needs, &err));
    voice_tick(&voice);
    voice_change(&voice, 0, 3); /* to be forgotten */
    voice_recall(&voice, &from, mean, var);
    assert_int_equal(voice.steps, 0);
    for (uint32_t f = 0; f < to.nodes; f++)
        for (uint32_t y = 0; y < to.width; y++) {
            bool known = f < from.nodes && y < from.width;
            size_t at = space_node(&to, f) + y;
            assert_true(voice.mean[at] == (known ? marked(f, 0, y, false) : 0));
            assert_true(voice.var[at] == (known ? marked(f, 0, y, false) / 10000 : 0.75f));
        }
    for (uint32_t f = 0; f < to.edges; f++)
        for (uint32_t l = 0; l < to.width; l++)
            for (uint32_t r = 0; r < to.width; r++) {
                bool known = f < from.edges && l < from.width && r < from.width;
                size_t at = space_edge(&to, f) + (size_t)to.width * l + r;
                assert_true(voice.mean[at] == (known ? marked(f, l, r, true) : 0));
                assert_true(voice.var[at] == (known ? marked(f, l, r, true) / 10000 : 0.75f));
            }
    float average[7 * 5 + 4 * 25 + SLACK];
    voice_average(&voice, average);
    assert_memory_equal(average, voice.mean, sizeof *average * voice.size);
    voice_release(&voice);
}

/* Learning on nothing, or for no passes, changes nothing. */
TEST(a_voice_that_learns_nothing_more_is_the_same)
{
    vouch_model *model = must_open(small_tagger("m", two_voices, NULL));
    const struct model_layer *layer = &model->layer[0];
    struct corpus corpus;
    assert_true(read_tags(&corpus, model, 1, SMALL_TAGS));
    struct dataset dataset = corpus.dataset;
    const struct examples *examples = &dataset.layer[0].examples;
    for (uint32_t v = 0; v < layer->voices; v++)
        for (int none = 0; none < 2; none++) {
            struct training_options options = options_for(learner_named(layer->voice[v].name));
            struct voice voice;
            struct model_voice kept;
            bool stopped;
            options.passes = none ? 0 : 2;
            assert_true(voice_start(examples, &options, &voice, &err));
            voice_resume(&voice, options.learner, &layer->space, layer->voice[v].mean, layer->voice[v].var);
            assert_true(train_on(examples, (struct subset){NULL, none ? examples->count : 0}, &options, &voice,
                                 &stopped, &err));
            assert_true(model_voice_keep(&kept, &voice, layer->voice[v].name, &err));
            size_t size = space_size(&layer->space);
            /* The prior of the log-likelihood is served once a pass, whatever the sentences. */
            if (none || !voice.square)
                assert_memory_equal(kept.mean, layer->voice[v].mean, sizeof(float) * (size + SLACK));
            if (layer->voice[v].var)
                assert_memory_equal(kept.var, layer->voice[v].var, sizeof(float) * size);
            model_voice_release(&kept);
            voice_release(&voice);
        }
    corpus_release(&corpus);
    vouch_model_close(model);
}

/* The log-likelihood learner's sums are not in a model: what was learned moves less than what is new. */
TEST(learned_weights_of_likelihood_have_sums_of_squares)
{
    struct space from = {.width = 1, .nodes = 3}, to = {.width = 1, .nodes = 4};
    const float mean[] = {2, 0, -0.5f};
    struct training_options options = options_for(&log_likelihood);
    struct examples examples = {.space = to};
    struct voice voice;
    assert_true(voice_start(&examples, &options, &voice, &err));
    voice_resume(&voice, options.learner, &from, mean, NULL);
    assert_memory_equal(voice.mean, mean, sizeof mean);
    assert_true(voice.square[0] > 1 && voice.square[2] == voice.square[0]);
    assert_true(voice.square[1] == 1 && voice.square[3] == 1);
    voice_release(&voice);
}

/* The average is over the new steps, of weights that start where the model's are. */
TEST(averaging_begins_with_what_was_recalled)
{
    struct space space = {.width = 1, .nodes = 2};
    const float mean[] = {2, 5};
    struct voice voice;
    assert_true(voice_init(&voice, &space, &(struct voice_needs){0}, &err));
    voice_recall(&voice, &space, mean, NULL);
    voice_tick(&voice);
    voice_change(&voice, 0, 1); /* 3 after the first step */
    voice_tick(&voice);
    voice_tick(&voice);
    voice_change(&voice, 0, 3); /* 6 after the third */
    voice_tick(&voice);
    float average[2 + SLACK];
    voice_average(&voice, average);
    assert_float_equal(average[0], (3 + 3 + 6 + 6) / 4.0, 1e-6);
    assert_float_equal(average[1], 5, 0);
    voice_release(&voice);
}
