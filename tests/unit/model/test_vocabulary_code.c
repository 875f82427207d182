/*
 * Tests how vocabularies and counts are folded into a file: unfolded, tables and records lie as in those that grew;
 * what a model does not need is left out, and nothing else; a model that is written again is the same, byte by byte;
 * and damaged streams are refused.
 */
#include "base/random.h"
#include "model/vocabulary_code.h"
#include "train/corpus.h"

#include "must.h"
#include "small_models.h"
#include "test.h"

FILE_FIXTURE(folder_make, folder_remove);

static const char *const voices[] = {"cw", "crf", NULL};

static struct section_view view_of(const struct bit_writer *writer)
{
    return (struct section_view){writer->bytes, bits_bytes(writer)};
}

static void expect_table(const struct hash_table *found, const struct hash_table *expected)
{
    assert_int_equal(found->count, expected->count);
    assert_int_equal(found->mask, expected->mask);
    assert_memory_equal(found->slot, expected->slot, sizeof *found->slot * (expected->mask + 1));
}

static void expect_index(const struct feature_index *found, const struct feature_index *expected)
{
    expect_table(&found->table, &expected->table);
    assert_int_equal(found->records, expected->records);
    assert_memory_equal(found->record, expected->record, sizeof *found->record * expected->records);
    assert_memory_equal(found->record_start, expected->record_start,
                        sizeof *found->record_start * (expected->table.count + 1));
}

TEST(a_vocabulary_lies_as_it_grew)
{
    struct corpus corpus;
    small_tag_corpus(&corpus, SMALL_TAGS);
    const struct vocabulary *v = &corpus.vocabulary;
    struct bit_writer lengths = {0}, node = {0}, edge = {0};
    MUST(strings_fold(&v->strings, &lengths, &err));
    MUST(features_fold(&v->node, &node, &err) && features_fold(&v->edge, &edge, &err));
    struct vocabulary again = {0};
    struct section_view bytes = {v->strings.bytes, v->strings.size};
    MUST(strings_unfold(&again.strings, v->strings.table.count, view_of(&lengths), bytes, &err));
    MUST(features_unfold(&again, false, feature_index_count(&v->node), &corpus.templates, view_of(&node), &err));
    MUST(features_unfold(&again, true, feature_index_count(&v->edge), &corpus.templates, view_of(&edge), &err));
    expect_table(&again.strings.table, &v->strings.table);
    assert_int_equal(again.strings.size, v->strings.size);
    assert_memory_equal(again.strings.start, v->strings.start, sizeof(uint32_t) * (v->strings.table.count + 2));
    expect_index(&again.node, &v->node);
    expect_index(&again.edge, &v->edge);
    vocabulary_release(&again);
    free(lengths.bytes);
    free(node.bytes);
    free(edge.bytes);
    corpus_release(&corpus);
}

/* A wrong number of strings or features, and bits that were changed: refused, or read as something else, safely. */
TEST(damaged_vocabularies_do_no_harm)
{
    struct corpus corpus;
    struct rng rng = rng_new(1, 1);
    small_tag_corpus(&corpus, SMALL_TAGS);
    const struct vocabulary *v = &corpus.vocabulary;
    uint32_t strings = v->strings.table.count, features = feature_index_count(&v->node);
    struct bit_writer lengths = {0}, node = {0};
    MUST(strings_fold(&v->strings, &lengths, &err) && features_fold(&v->node, &node, &err));
    for (int round = 0; round < 3000; round++) {
        struct vocabulary again = {0};
        struct section_view bytes = {v->strings.bytes, v->strings.size - (round % 10 == 0)};
        uint64_t of_lengths = bits_bytes(&lengths), of_node = bits_bytes(&node);
        unsigned char *a = malloc(of_lengths), *b = malloc(of_node);
        memcpy(a, lengths.bytes, of_lengths);
        memcpy(b, node.bytes, of_node);
        a[rng_below(&rng, (uint32_t)of_lengths)] ^= (unsigned char)(round % 7 == 0);
        b[rng_below(&rng, (uint32_t)of_node)] ^= (unsigned char)(1u << round % 8);
        if (strings_unfold(&again.strings, strings + (round % 11 == 0), (struct section_view){a, of_lengths}, bytes,
                           &err) &&
            features_unfold(&again, false, features, &corpus.templates, (struct section_view){b, of_node}, &err))
            for (uint64_t i = 0; i < again.node.records; i++)
                assert_true(again.node.record[i] <= strings || again.node.record[i] < corpus.templates.nodes);
        vocabulary_release(&again);
        free(a);
        free(b);
    }
    struct vocabulary none = {0};
    assert_false(features_unfold(&none, false, UINT32_MAX - 1, &corpus.templates, view_of(&node), &err));
    vocabulary_release(&none);
    assert_int_equal(err.status, VOUCH_OK);
    free(lengths.bytes);
    free(node.bytes);
    corpus_release(&corpus);
}

TEST(counts_lie_as_they_were_closed)
{
    for (uint32_t keys = 0; keys < 3000; keys = keys * 3 + 1) {
        struct rng rng = rng_new(keys, 1);
        struct answer_counts counts = {0}, again;
        struct bit_writer stream = {0};
        for (uint32_t i = 0; i < keys; i++)
            MUST(answer_counts_add_slot(
                &counts, ((uint64_t)rng_next(&rng) << 32 | rng_next(&rng)) >> (keys % 2 ? 0 : 12) | 3, &err));
        MUST(answer_counts_close(&counts, &err));
        MUST(answer_counts_fold(&counts, &stream, &err));
        MUST(answer_counts_unfold(&again, view_of(&stream), &err));
        assert_int_equal(again.count, counts.count);
        if (keys) {
            assert_int_equal(again.mask, counts.mask);
            assert_memory_equal(again.slot, counts.slot, sizeof *again.slot * (counts.mask + 1));
        }
        answer_counts_release(&again);
        for (uint64_t cut = 0; keys > 1 && cut < bits_bytes(&stream) - BITS_SLACK; cut += 1 + cut / 7) {
            assert_false(answer_counts_unfold(&again, (struct section_view){stream.bytes, cut}, &err));
            answer_counts_release(&again);
        }
        for (int round = 0; keys > 1 && round < 200; round++) {
            stream.bytes[rng_below(&rng, (uint32_t)bits_bytes(&stream))] ^= (unsigned char)rng_next(&rng);
            (void)answer_counts_unfold(&again, view_of(&stream), &err);
            answer_counts_release(&again);
        }
        free(stream.bytes);
        answer_counts_release(&counts);
    }
    assert_int_equal(err.status, VOUCH_OK);
}

/* Returns the number that a feature of `from` has in a model, or NO_FEATURE. */
static uint32_t number_in(const struct vouch_model *model, const struct corpus *from, uint32_t f)
{
    const struct feature_index *index = &from->vocabulary.node;
    uint64_t at = index->record_start[f], key;
    uint32_t length = (uint32_t)(index->record_start[f + 1] - at), record[1 + MAX_MACROS] = {index->record[at]};
    for (uint32_t i = 1; i < length; i++) {
        struct text text = dictionary_text(&from->vocabulary.strings, index->record[at + i]);
        if (!(record[i] = dictionary_find(&model->vocabulary.strings, text)))
            return NO_FEATURE;
    }
    assert_true(tag_feature_key(&model->templates, false, record, length, &key));
    return feature_index_find(&model->vocabulary.node, key);
}

static bool is_learned(const struct model_layer *layer, uint32_t f)
{
    for (uint32_t v = 0; v < layer->voices; v++)
        for (size_t i = space_node(&layer->space, f); i < space_node(&layer->space, f + 1); i++)
            if (layer->voice[v].mean[i] != 0 || (layer->voice[v].var && layer->voice[v].var[i] != 1))
                return true;
    return false;
}

/* Every third feature loses its weights, and is left out with the strings that only such features look at. */
TEST(only_what_was_learned_is_kept)
{
    struct corpus corpus;
    struct model_layer layer[MAX_LAYERS];
    small_tag_corpus(&corpus, SMALL_TAGS);
    struct dataset dataset = corpus.dataset;
    small_layers(&dataset, voices, layer);
    const struct space *space = &layer[0].space;
    for (uint32_t f = 0; f < space->nodes; f += 3)
        for (size_t i = space_node(space, f); i < space_node(space, f + 1); i++) {
            layer[0].voice[0].own_mean[i] = layer[0].voice[1].own_mean[i] = 0;
            layer[0].voice[0].own_var[i] = 1;
        }
    struct model_content content = {.task = "ner",
                                    .template = corpus.template,
                                    .labels = &corpus.labels,
                                    .vocabulary = &corpus.vocabulary,
                                    .layer = layer,
                                    .layers = 1};
    small_write(&content, NULL, folder_file("m"));
    vouch_model *model = vouch_model_open(folder_file("m"), &err);
    MUST(model);
    uint32_t kept = 0;
    for (uint32_t f = 0; f < space->nodes; f++) {
        uint32_t number = number_in(model, &corpus, f);
        assert_int_equal(number == NO_FEATURE, !is_learned(&layer[0], f));
        if (number == NO_FEATURE)
            continue;
        assert_int_equal(number, kept++); /* in the same order */
        for (uint32_t v = 0; v < 2; v++)
            assert_memory_equal(model->layer[0].voice[v].mean + space_node(space, number),
                                layer[0].voice[v].mean + space_node(space, f), sizeof(float) * space->width);
        assert_memory_equal(model->layer[0].voice[0].var + space_node(space, number),
                            layer[0].voice[0].var + space_node(space, f), sizeof(float) * space->width);
    }
    assert_int_equal(kept, model->layer[0].space.nodes);
    assert_true(kept > 10 && kept < space->nodes);
    assert_true(model->vocabulary.strings.table.count < corpus.vocabulary.strings.table.count);
    vouch_model_close(model);
    small_layers_free(layer, 1);
    corpus_release(&corpus);
}

static void expect_written_again(const struct vouch_model *model)
{
    struct output *out = output_open_memory(&err);
    MUST(out && model_write_again(out, model, model->header, &err));
    size_t length;
    const char *bytes = output_text(out, &length);
    assert_non_null(bytes);
    assert_int_equal(length, model->file.size);
    assert_memory_equal(bytes, model->file.bytes, length);
    output_discard(out);
}

TEST(a_model_is_written_again_byte_by_byte)
{
    for (int tree = 0; tree < 2; tree++) {
        const char *path = tree ? small_parser("m", voices, NULL) : small_tagger("m", voices, NULL);
        vouch_model *model = vouch_model_open(path, &err);
        MUST(model);
        expect_written_again(model);
        vouch_model_close(model);
    }
}

/* The keys of these two rules for string 1 agree in all bits that a table of sixteen slots looks at. */
#define ALIKE "U38734:%x[0,0]\nU97811:%x[0,0]\n"

static uint64_t key_of(const struct templates *templates, uint32_t rule, uint32_t string)
{
    uint64_t key;
    assert_true(tag_feature_key(templates, false, (uint32_t[]){rule, string}, 2, &key));
    return key;
}

/* Writes features of "left out", which learned nothing, and "word", whose number is 1 when the other is left out. */
static void write_alike(const struct tag_labels *labels, const char *path)
{
    static const uint32_t records[3][2] = {{0, 1}, {0, 2}, {1, 2}};
    struct templates templates = {0};
    struct vocabulary vocabulary = {0};
    struct model_layer layer = {.name = "label", .voices = 1, .space = {.nodes = 3, .width = labels_count(labels)}};
    MUST(templates_parse(&templates, &(struct template_source){ALIKE, "rules", NULL}, &err));
    MUST(dictionary_add(&vocabulary.strings, (struct text){"left out", 8}, &err));
    MUST(dictionary_add(&vocabulary.strings, (struct text){"word", 4}, &err));
    for (uint32_t f = 0; f < 3; f++)
        assert_int_equal(
            feature_index_add(&vocabulary.node, key_of(&templates, records[f][0], records[f][1]), records[f], 2, &err),
            f);
    struct model_voice *voice = &layer.voice[0];
    snprintf(voice->name, sizeof voice->name, "pa");
    voice->mean = voice->own_mean = calloc(space_size(&layer.space) + SLACK, sizeof *voice->own_mean);
    voice->own_mean[space_node(&layer.space, 1)] = 1;
    voice->own_mean[space_node(&layer.space, 2)] = 2;
    small_write(&(struct model_content){.task = "ner",
                                        .template = ALIKE,
                                        .labels = labels,
                                        .vocabulary = &vocabulary,
                                        .layer = &layer,
                                        .layers = 1},
                NULL, path);
    model_voice_release(voice);
    vocabulary_release(&vocabulary);
    templates_release(&templates);
}

/* Two features that look alike only when they are numbered anew: both are written, and the first one is found. */
TEST(features_may_have_the_same_key)
{
    struct corpus corpus;
    small_tag_corpus(&corpus, SMALL_TAGS);
    write_alike(&corpus.labels, folder_file("m"));
    vouch_model *model = vouch_model_open(folder_file("m"), &err);
    MUST(model);
    const struct space *space = &model->layer[0].space;
    assert_int_equal(space->nodes, 2);
    assert_int_equal(model->vocabulary.strings.table.count, 1);
    struct vocabulary copy;
    MUST(vocabulary_copy(&copy, &model->vocabulary, &model->templates, &err));
    for (uint32_t f = 0; f < 2; f++) {
        uint64_t key = key_of(&model->templates, f, 1);
        assert_int_equal(feature_index_find(&model->vocabulary.node, key), 0);
        assert_int_equal(feature_index_find(&copy.node, key), 0);
        assert_true(model->layer[0].voice[0].mean[space_node(space, f)] == (float)(1 + f));
    }
    expect_index(&copy.node, &model->vocabulary.node);
    vocabulary_release(&copy);
    expect_written_again(model);

    /* Two that are the same are another matter. */
    model->vocabulary.node.record[2] = 0;
    assert_false(vocabulary_copy(&copy, &model->vocabulary, &model->templates, &err));
    assert_non_null(strstr(err.message, "two are the same"));
    err = (struct vouch_error){0};
    vocabulary_release(&copy);
    vouch_model_close(model);
    corpus_release(&corpus);
}
