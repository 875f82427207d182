/*
 * A real model, small: learned from a file, written, opened, asked, dumped,
 * loaded, and damaged in every place.
 *
 * The model that most tests share holds two voices, cw and crf, over the
 * corpus below; it is built once.
 */
#include "base/hash.h"
#include "base/random.h"
#include "chain/chain.h"
#include "learn/learn.h"
#include "model/dump.h"
#include "model/model.h"
#include "train/tag_corpus.h"

#include "folder.h"

#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* Some words want escaping in a dump; some are not ASCII. */
static const char corpus_text[] = "Ada NNP B-PER\nLovelace NNP I-PER\nlives VBZ O\nin IN O\nParis NNP B-LOC\n. . O\n\n"
                                  "the DT O\nold JJ O\nbridge NN O\nof IN O\nNew NNP B-LOC\nYork NNP I-LOC\n\n"
                                  "Émile NNP B-PER\nZola NNP I-PER\nsaw VBD O\nC:\\temp\\new NN O\n. . O\n\n"
                                  "\\t NN O\nmet VBD O\nAda NNP B-PER\nin IN O\nZürich NNP B-LOC\n\n"
                                  "Łódź NNP B-LOC\nsaw VBD O\nZola NNP B-PER\nAda NNP B-PER\n. . O\n\n"
                                  "lives VBZ O\nof IN O\nthe DT O\nold JJ O\n\\\\ NN O\n\n"
                                  "Paris NNP B-LOC\n\n";

static const char template_text[] = "U0:%x[0,0]\nU1:%x[-1,0]\nU2:%x[0,1]/%x[1,1]\nU3:%suffix2[0,0]\nB\n";

static const char *const sentence[] = {"Ada", "NNP", "Lovelace", "NNP", "lives", "VBZ",
                                       "in",  "IN",  "Paris",    "NNP", ".",     "."};
static const char *const answer[] = {"B-PER", "I-PER", "O", "O", "B-LOC", "O"};
enum { WORDS = 6, COLUMNS = 2 };

/* Forms and labels of the section table, for damage by hand. */
enum { AT_HEADER_OFFSET = 24, AT_HEADER_LENGTH = 32, AT_SECTIONS = 40, AT_SUM = 48, TABLE = 64, ENTRY = 64 };

static struct vouch_error err;

/* What to build. */
struct recipe {
    const char *corpus, *template;
    enum format format;
    uint32_t cutoff;
    enum scheme inner;
    const char *voices[3]; /* names of learners, then NULL */
};

static const struct recipe usual = {corpus_text, template_text, FORMAT_CONLL, 1, SCHEME_BIOES, {"cw", "crf"}};

static float *padded(const float *values, size_t size)
{
    float *array = calloc(size + SLACK, sizeof *array);
    memcpy(array, values, sizeof *array * size);
    return array;
}

/* Learns one voice; its arrays are to be freed. */
static struct model_voice learn_voice(const struct examples *examples, const char *name)
{
    struct training_options options = {.learner = learner_named(name),
                                       .parameters = {.C = 1, .phi = 1, .variance = 1, .rate = 0.5, .l2 = 0.01, .K = 1},
                                       .passes = 10,
                                       .seed = 1};
    struct model_voice stored = {0};
    struct voice voice;
    bool stopped;
    uint32_t *subset = malloc(sizeof *subset * examples->count);
    for (uint32_t i = 0; i < examples->count; i++)
        subset[i] = i;
    if (!train_voice(examples, (struct subset){subset, examples->count}, &options, &voice, &stopped, &err))
        fail_msg("%s", err.message);
    float *mean = calloc(voice.size + SLACK, sizeof *mean);
    voice_average(&voice, mean);
    stored.mean = mean;
    stored.var = voice.var ? padded(voice.var, voice.size) : NULL;
    snprintf(stored.name, sizeof stored.name, "%s", name);
    voice_release(&voice);
    free(subset);
    return stored;
}

static void write_model(const struct tag_corpus *corpus, const struct model_layer *layer, const char *path)
{
    json_t *header = json_pack("{s:s, s:i, s:f, s:f, s:{s:[i, i]}}", "program", "test", "seed", 1, "third", 1.0 / 3,
                               "whole", 2.0, "nested", "list", 1, 2);
    assert_non_null(header);
    struct model_content content = {.header = header,
                                    .task = "ner",
                                    .template = corpus->template,
                                    .labels = &corpus->labels,
                                    .vocabulary = &corpus->vocabulary,
                                    .layer = layer,
                                    .layers = 1,
                                    .seen = &corpus->seen};
    struct output *out = output_open(path, &err);
    assert_non_null(out);
    assert_true(model_write(out, &content, &err));
    assert_true(output_commit(out, &err));
    json_decref(header);
}

/* Builds a model and returns its path. */
static const char *build(const struct recipe *recipe, const char *name)
{
    char *paths[] = {strdup(folder_put("corpus", recipe->corpus))};
    const char *path = folder_file(name);
    struct tag_plan plan = {.task = tag_task_named("ner"),
                            .template = recipe->template,
                            .template_name = "template",
                            .template_strict = true,
                            .cutoff = recipe->cutoff,
                            .inner = recipe->inner,
                            .reading = {recipe->format, GOLD_LAST}};
    struct tag_corpus corpus;
    if (!tag_corpus_read(&corpus, &plan, paths, 1, NULL, &err))
        fail_msg("%s", err.message);
    struct examples examples = tag_set_examples(&corpus.set, &corpus.vocabulary, &corpus.labels, &chain_structure);
    struct model_layer layer = {.name = "label", .space = examples.space};
    for (; recipe->voices[layer.voices]; layer.voices++)
        layer.voice[layer.voices] = learn_voice(&examples, recipe->voices[layer.voices]);
    write_model(&corpus, &layer, path);
    for (uint32_t v = 0; v < layer.voices; v++) {
        free((float *)(uintptr_t)layer.voice[v].mean);
        free((float *)(uintptr_t)layer.voice[v].var);
    }
    tag_corpus_release(&corpus);
    free(paths[0]);
    return path;
}

/* The bytes of a file; free() them. */
static unsigned char *read_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    *size = (size_t)ftell(file);
    rewind(file);
    unsigned char *bytes = malloc(*size + 1);
    assert_int_equal(fread(bytes, 1, *size, file), *size);
    fclose(file);
    return bytes;
}

static unsigned char *image; /* the usual model */
static size_t image_size;

static int build_usual(void **state)
{
    if (folder_make(state) != 0)
        return -1;
    image = read_file(build(&usual, "model"), &image_size);
    return 0;
}

static int drop_usual(void **state)
{
    free(image);
    return folder_remove(state);
}

static vouch_model *must_open(const char *path)
{
    err = (struct vouch_error){0};
    vouch_model *model = vouch_model_open(path, &err);
    if (!model)
        fail_msg("%s", err.message);
    return model;
}

static void expect_answer(const char *const *labels)
{
    for (int i = 0; i < WORDS; i++)
        assert_string_equal(labels[i], answer[i]);
}

/* Using a model. */

static void a_model_labels_what_it_has_learned(void **state)
{
    (void)state;
    vouch_model *model = must_open(folder_file("model"));
    const char *labels[WORDS];
    assert_int_equal(vouch_model_label(model, sentence, WORDS, COLUMNS, labels, NULL, &err), VOUCH_OK);
    expect_answer(labels);
    assert_int_equal(vouch_model_label(model, sentence, WORDS, COLUMNS, labels, NULL, NULL), VOUCH_OK);
    expect_answer(labels);
    assert_int_equal(vouch_model_verify(model, &err), VOUCH_OK);
    vouch_model_close(model);
    vouch_model_close(NULL);
}

static void a_model_says_what_it_is(void **state)
{
    (void)state;
    vouch_model *model = must_open(folder_file("model"));
    assert_string_equal(vouch_model_task(model), "ner");
    assert_int_equal(vouch_model_columns(model), 2);
    json_t *header = json_loads(vouch_model_header(model), 0, NULL);
    assert_true(json_is_object(header));
    assert_string_equal(json_string_value(json_object_get(header, "program")), "test");
    assert_string_equal(json_string_value(json_object_get(header, "task")), "ner");
    assert_string_equal(json_string_value(json_object_get(header, "template")), template_text);
    json_t *layers = json_object_get(header, "layers"), *layer = json_array_get(layers, 0);
    assert_int_equal(json_array_size(layers), 1);
    assert_string_equal(json_string_value(json_object_get(layer, "name")), "label");
    assert_int_equal(json_array_size(json_object_get(layer, "voices")), 2);
    json_decref(header);
    vouch_model_close(model);
}

/* Learned in BIOES from a corpus in IOB2: B I E S of each type where they occur, and O. */
static void labels_have_names(void **state)
{
    (void)state;
    vouch_model *model = must_open(folder_file("model"));
    size_t count = vouch_model_label_count(model);
    bool seen = false;
    assert_int_equal(count, 7); /* O, B- E- S- of PER and of LOC */
    for (size_t i = 0; i < count; i++) {
        const char *name = vouch_model_label_name(model, i);
        assert_non_null(name);
        seen = seen || strcmp(name, "O") == 0;
        for (size_t j = 0; j < i; j++)
            assert_string_not_equal(name, vouch_model_label_name(model, j));
    }
    assert_true(seen);
    assert_null(vouch_model_label_name(model, count));
    assert_null(vouch_model_label_name(model, SIZE_MAX));
    vouch_model_close(model);
}

static void a_model_may_hold_two_voices(void **state)
{
    (void)state;
    vouch_model *model = must_open(folder_file("model"));
    const struct model_layer *layer = &model->layer[0];
    size_t size = space_size(&layer->space);
    assert_int_equal(model->layers, 1);
    assert_int_equal(layer->voices, 2);
    assert_string_equal(layer->voice[0].name, "cw");
    assert_string_equal(layer->voice[1].name, "crf");
    assert_non_null(layer->voice[0].var);
    assert_null(layer->voice[1].var);
    assert_true(memcmp(layer->voice[0].mean, layer->voice[1].mean, sizeof(float) * size) != 0);
    for (size_t i = 0; i < size; i++) {
        assert_true(isfinite(layer->voice[0].mean[i]) && isfinite(layer->voice[1].mean[i]));
        assert_true(layer->voice[0].var[i] > 0 && layer->voice[0].var[i] <= 1);
    }
    vouch_model_close(model);
}

static void every_voice_alone_makes_a_model(void **state)
{
    (void)state;
    for (const struct learner *const *learner = learners; *learner; learner++) {
        struct recipe recipe = usual;
        const char *labels[WORDS];
        recipe.voices[0] = (*learner)->name;
        recipe.voices[1] = NULL;
        vouch_model *model = must_open(build(&recipe, "alone"));
        assert_int_equal(model->layer[0].voices, 1);
        assert_string_equal(model->layer[0].voice[0].name, (*learner)->name);
        assert_int_equal(vouch_model_label(model, sentence, WORDS, COLUMNS, labels, NULL, &err), VOUCH_OK);
        expect_answer(labels);
        vouch_model_close(model);
    }
}

static void the_same_corpus_and_seed_give_the_same_file(void **state)
{
    (void)state;
    size_t size;
    unsigned char *again = read_file(build(&usual, "again"), &size);
    assert_int_equal(size, image_size);
    assert_memory_equal(again, image, size);
    free(again);
}

/* A thread's own way to the model. */
struct asking {
    vouch_request *request;
    vouch_worker *worker;
    vouch_sentence *sentence;
};

static bool asking_open(struct asking *asking, const vouch_model *model)
{
    *asking = (struct asking){.request = vouch_request_new(model, NULL, NULL), .sentence = vouch_sentence_new(NULL)};
    asking->worker = vouch_worker_new(asking->request, NULL);
    return asking->worker && asking->sentence;
}

static void asking_close(struct asking *asking)
{
    vouch_worker_free(asking->worker);
    vouch_request_free(asking->request);
    vouch_sentence_free(asking->sentence);
}

static bool ask(struct asking *asking, const char *const *cells, size_t words, size_t columns, const char **labels,
                struct vouch_error *why)
{
    const vouch_answer *found = vouch_sentence_set_cells(asking->sentence, cells, words, columns, why) == VOUCH_OK
                                    ? vouch_worker_answer(asking->worker, asking->sentence, why)
                                    : NULL;
    for (size_t i = 0; found && i < words; i++)
        labels[i] = vouch_answer_label(found, i);
    return found != NULL;
}

static void a_worker_is_used_again_and_again(void **state)
{
    (void)state;
    static const char *const unknown[] = {"Überraschung", "XY", "日本", "NNP", "\\", "?"};
    vouch_model *model = must_open(folder_file("model"));
    struct asking asking;
    const char *labels[WORDS], *once[3], *now[3];
    assert_true(asking_open(&asking, model));
    assert_int_equal(vouch_model_label(model, unknown, 3, COLUMNS, once, NULL, &err), VOUCH_OK);
    for (int round = 0; round < 20; round++) {
        assert_true(ask(&asking, sentence, WORDS, COLUMNS, labels, &err));
        expect_answer(labels);
        assert_true(ask(&asking, unknown, 3, COLUMNS, now, round % 2 ? &err : NULL));
        for (int i = 0; i < 3; i++)
            assert_ptr_equal(once[i], now[i]); /* owned by the model */
        assert_true(ask(&asking, sentence, 1, COLUMNS, labels, &err));
    }
    asking_close(&asking);
    vouch_model_close(model);
}

static void more_columns_than_needed_are_passed_over(void **state)
{
    (void)state;
    const char *cells[WORDS * 3], *labels[WORDS];
    for (int i = 0; i < WORDS; i++) {
        cells[3 * i] = sentence[2 * i];
        cells[3 * i + 1] = sentence[2 * i + 1];
        cells[3 * i + 2] = "more";
    }
    vouch_model *model = must_open(folder_file("model"));
    assert_int_equal(vouch_model_label(model, cells, WORDS, 3, labels, NULL, &err), VOUCH_OK);
    expect_answer(labels);
    vouch_model_close(model);
}

static void an_empty_sentence_has_no_labels(void **state)
{
    (void)state;
    vouch_model *model = must_open(folder_file("model"));
    const char *labels[] = {"untouched"};
    assert_int_equal(vouch_model_label(model, sentence, 0, COLUMNS, labels, NULL, &err), VOUCH_OK);
    assert_string_equal(labels[0], "untouched");
    vouch_model_close(model);
}

static void what_cannot_be_labelled_is_refused_and_does_no_harm(void **state)
{
    (void)state;
    const char *broken[] = {"Ada", "NNP", "\xC3(", "NNP"}, *empty[] = {"", "NNP"}, *missing[] = {"Ada", NULL};
    const char *labels[WORDS];
    vouch_model *model = must_open(folder_file("model"));
    struct asking asking;
    assert_true(asking_open(&asking, model));
    for (int round = 0; round < 2; round++) {
        struct vouch_error *why = round ? &err : NULL;
        assert_false(ask(&asking, broken, 2, 2, labels, why));
        assert_true(!round || strstr(err.message, "word 2"));
        assert_false(ask(&asking, empty, 1, 2, labels, why));
        assert_false(ask(&asking, missing, 1, 2, labels, why));
        assert_false(ask(&asking, sentence, WORDS, 1, labels, why));
        assert_true(!round || (err.status == VOUCH_ERR_ARGUMENT && strstr(err.message, "2 columns")));
        assert_false(ask(&asking, sentence, WORDS, 0, labels, why));
        assert_false(ask(&asking, sentence, SIZE_MAX, 2, labels, why));
        assert_true(ask(&asking, sentence, WORDS, COLUMNS, labels, why));
        expect_answer(labels);
    }
    asking_close(&asking);
    vouch_model_close(model);
}

/* Threads. */

struct worker {
    const vouch_model *model;
    bool same;
};

static bool is_answer(const char *const *labels)
{
    for (int i = 0; i < WORDS; i++)
        if (strcmp(labels[i], answer[i]) != 0)
            return false;
    return true;
}

static void *work(void *context)
{
    struct worker *worker = context;
    struct vouch_error own = {0};
    struct asking asking;
    worker->same = asking_open(&asking, worker->model);
    for (int round = 0; worker->same && round < 200; round++) {
        const char *labels[WORDS];
        bool ok = round % 10
                      ? ask(&asking, sentence, WORDS, COLUMNS, labels, &own)
                      : vouch_model_label(worker->model, sentence, WORDS, COLUMNS, labels, NULL, &own) == VOUCH_OK;
        worker->same = ok && is_answer(labels);
    }
    asking_close(&asking);
    return NULL;
}

static void many_threads_share_one_model(void **state)
{
    (void)state;
    enum { THREADS = 8 };
    vouch_model *model = must_open(folder_file("model"));
    pthread_t thread[THREADS];
    struct worker worker[THREADS];
    for (int i = 0; i < THREADS; i++) {
        worker[i] = (struct worker){.model = model};
        assert_int_equal(pthread_create(&thread[i], NULL, work, &worker[i]), 0);
    }
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_join(thread[i], NULL), 0);
    for (int i = 0; i < THREADS; i++)
        assert_true(worker[i].same);
    vouch_model_close(model);
}

/* Damage. */

static uint64_t number_at(const unsigned char *bytes, size_t at)
{
    uint64_t number;
    memcpy(&number, bytes + at, sizeof number);
    return number;
}

/* Makes the checksum of table and header right again: damage with an author. */
static void reseal(unsigned char *bytes)
{
    uint32_t sections;
    memcpy(&sections, bytes + AT_SECTIONS, sizeof sections);
    uint64_t sum = hash_mix(hash_bytes(bytes + TABLE, (size_t)ENTRY * sections),
                            hash_bytes(bytes + number_at(bytes, AT_HEADER_OFFSET), number_at(bytes, AT_HEADER_LENGTH)));
    memcpy(bytes + AT_SUM, &sum, sizeof sum);
}

/* Opens whatever is at `path` and asks of it all that can be asked; true if it opened. */
static bool try_everything(const char *path)
{
    err = (struct vouch_error){0};
    vouch_model *model = vouch_model_open(path, &err);
    if (!model) {
        assert_int_equal(err.status, VOUCH_ERR_FORMAT);
        assert_true(strncmp(err.message, path, strlen(path)) == 0);
        return false;
    }
    const char *labels[WORDS];
    if (vouch_model_label(model, sentence, WORDS, COLUMNS, labels, NULL, &err) == VOUCH_OK)
        for (int i = 0; i < WORDS; i++)
            assert_true(strlen(labels[i]) < 100);
    for (size_t y = 0; y <= vouch_model_label_count(model); y++)
        (void)vouch_model_label_name(model, y);
    assert_non_null(vouch_model_task(model));
    assert_non_null(vouch_model_header(model));
    (void)model_has_seen(model, 0);
    (void)model_has_seen(model, UINT64_C(1) << 63);
    if (vouch_model_verify(model, &err) != VOUCH_OK)
        assert_int_equal(err.status, VOUCH_ERR_FORMAT);
    struct output *out = output_open("/dev/null", &err);
    assert_non_null(out);
    if (!model_dump(model, out, &err))
        assert_int_equal(err.status, VOUCH_ERR_FORMAT);
    output_discard(out);
    vouch_model_close(model);
    return true;
}

static void a_model_cut_off_is_refused(void **state)
{
    (void)state;
    for (size_t length = 0; length < image_size; length += length < 256 ? 1 : 61)
        assert_false(try_everything(folder_put_bytes("cut", image, length)));
}

static void no_flipped_byte_does_harm(void **state)
{
    (void)state;
    static const unsigned char flips[] = {0x01, 0xFF, 0x80, 0x40};
    const char *path = folder_put_bytes("flipped", image, image_size);
    uint64_t frame = number_at(image, AT_HEADER_OFFSET) + number_at(image, AT_HEADER_LENGTH);
    int fd = open(path, O_RDWR), opened = 0;
    assert_true(fd >= 0);
    for (size_t at = 0; at < image_size; at += 7) {
        unsigned char flipped = image[at] ^ flips[at / 7 % sizeof flips];
        assert_int_equal(pwrite(fd, &flipped, 1, (off_t)at), 1);
        bool open = try_everything(path);
        opened += open;
        if (open && at >= TABLE && at < frame)
            fail_msg("byte %zu of the header is not what it was, and nobody noticed", at);
        assert_int_equal(pwrite(fd, image + at, 1, (off_t)at), 1);
    }
    close(fd);
    assert_true(opened > 100);
}

static void no_flip_of_the_header_with_a_right_checksum_does_harm(void **state)
{
    (void)state;
    uint64_t end = number_at(image, AT_HEADER_OFFSET) + number_at(image, AT_HEADER_LENGTH);
    unsigned char *bytes = malloc(image_size);
    for (size_t at = TABLE; at < end; at++)
        for (int bit = (int)(at % 3); bit < 7; bit += 3) {
            memcpy(bytes, image, image_size);
            bytes[at] ^= (unsigned char)(1 << bit);
            reseal(bytes);
            try_everything(folder_put_bytes("hostile", bytes, image_size));
        }
    free(bytes);
}

/* A section overwritten with `pattern`, or with noise if it is negative. */
static void overwrite(unsigned char *bytes, uint32_t section, int pattern, struct rng *rng)
{
    size_t entry = TABLE + (size_t)ENTRY * section;
    uint64_t offset = number_at(bytes, entry + 24), length = number_at(bytes, entry + 32);
    for (uint64_t i = 0; i < length; i++)
        bytes[offset + i] = pattern < 0 ? (unsigned char)rng_next(rng) : (unsigned char)pattern;
}

static void no_section_of_rubbish_does_harm(void **state)
{
    (void)state;
    static const int patterns[] = {0, 0xFF, 1, 0x7F, 0x80, -1, -1, -1};
    struct rng rng = rng_new(1, 1);
    uint32_t sections;
    memcpy(&sections, image + AT_SECTIONS, sizeof sections);
    assert_int_equal(sections, 9 + 3 + 1);
    unsigned char *bytes = malloc(image_size);
    for (uint32_t s = 0; s < sections; s++)
        for (size_t p = 0; p < sizeof patterns / sizeof *patterns; p++) {
            memcpy(bytes, image, image_size);
            overwrite(bytes, s, patterns[p], &rng);
            assert_true(try_everything(folder_put_bytes("rubbish", bytes, image_size)));
        }
    for (int round = 0; round < 50; round++) {
        memcpy(bytes, image, image_size);
        for (uint32_t s = 0; s < sections; s++)
            overwrite(bytes, s, -1, &rng);
        assert_true(try_everything(folder_put_bytes("rubbish", bytes, image_size)));
    }
    free(bytes);
}

/* Every weight the same special value: what it answers is open, that it answers is not. */
static void weights_that_are_no_numbers_do_no_harm(void **state)
{
    (void)state;
    static const float special[] = {NAN, INFINITY, -INFINITY, 3e38f, -3e38f, 1e-45f};
    uint32_t sections;
    memcpy(&sections, image + AT_SECTIONS, sizeof sections);
    unsigned char *bytes = malloc(image_size);
    for (size_t v = 0; v < sizeof special / sizeof *special; v++) {
        memcpy(bytes, image, image_size);
        for (uint32_t s = 0; s < sections; s++) {
            size_t entry = TABLE + (size_t)ENTRY * s;
            uint64_t offset = number_at(image, entry + 24), length = number_at(image, entry + 32);
            for (uint64_t i = 0; strncmp((const char *)image + entry, "label.mean.", 11) == 0 && i < length; i += 4)
                memcpy(bytes + offset + i, &special[v], 4);
        }
        vouch_model *model = must_open(folder_put_bytes("special", bytes, image_size));
        const char *labels[WORDS];
        assert_int_equal(vouch_model_label(model, sentence, WORDS, COLUMNS, labels, NULL, &err), VOUCH_OK);
        vouch_model_close(model);
    }
    free(bytes);
}

/* Dump and load. */

static const char *dump_to(const char *from, const char *name)
{
    vouch_model *model = must_open(from);
    const char *path = folder_file(name);
    struct output *out = output_open(path, &err);
    assert_non_null(out);
    if (!model_dump(model, out, &err))
        fail_msg("%s", err.message);
    assert_true(output_commit(out, &err));
    vouch_model_close(model);
    return path;
}

/* Loads a text; on failure nothing is written. */
static bool load_to(const char *text, const char *path)
{
    struct output *out = output_open(path, &err);
    assert_non_null(out);
    err = (struct vouch_error){0};
    if (!model_load(text, out, &err)) {
        output_discard(out);
        return false;
    }
    return output_commit(out, &err);
}

static void expect_round_trip(const struct recipe *recipe, const char *what)
{
    char *built = strdup(build(recipe, "built")), *loaded = strdup(folder_file("loaded"));
    char *text = strdup(dump_to(built, "dump"));
    size_t before, after;
    if (!load_to(text, loaded))
        fail_msg("%s: %s", what, err.message);
    unsigned char *a = read_file(built, &before), *b = read_file(loaded, &after);
    if (before != after || memcmp(a, b, before) != 0)
        fail_msg("%s: what was loaded is not what was dumped", what);
    vouch_model *model = must_open(loaded);
    assert_int_equal(vouch_model_verify(model, &err), VOUCH_OK);
    vouch_model_close(model);
    free(a);
    free(b);
    free(built);
    free(loaded);
    free(text);
}

static void dump_and_load_give_the_same_bytes(void **state)
{
    (void)state;
    expect_round_trip(&usual, "the usual model");
}

static void dump_and_load_know_every_kind_of_feature(void **state)
{
    (void)state;
    struct recipe recipe = usual;
    recipe.template = "U0:%x[0,0]\nB\nB1:%x[0,1]\nB2:%x[-1,0]/%x[0,0]\n";
    expect_round_trip(&recipe, "label pairs that look at words");
    recipe = usual;
    recipe.cutoff = 2;
    expect_round_trip(&recipe, "a cutoff");
    recipe = usual;
    recipe.inner = SCHEME_NONE;
    expect_round_trip(&recipe, "the corpus's own scheme");
    recipe.voices[0] = "crf";
    recipe.voices[1] = "cw";
    expect_round_trip(&recipe, "the variance in the second voice");
}

static void dump_and_load_know_models_without_label_pairs(void **state)
{
    (void)state;
    struct recipe recipe = usual;
    recipe.template = "U0:%x[0,0]\n";
    expect_round_trip(&recipe, "no label pairs");
}

/* "U:%x[-1,0]" and "U:%x[0,0]" are one bag of words; the rules after them must not be mistaken for it. */
static void dump_and_load_know_rules_that_share_their_features(void **state)
{
    (void)state;
    struct recipe recipe = usual;
    recipe.template = "U:%x[-1,0]\nU:%x[0,0]\nU:%x[1,0]\nU1:%x[0,1]\nU2:%suffix2[0,0]\nB\n";
    expect_round_trip(&recipe, "a bag of words");
}

static void dump_and_load_know_attributes(void **state)
{
    (void)state;
    struct recipe recipe = usual;
    recipe.corpus = "B-PER\tw=Ada\tcap\tlen:2.5\nO\tw=lives\tlen:0.5\nB-LOC\tw=Paris\tcap\n\nO\tw=saw\n\n";
    recipe.format = FORMAT_CRFSUITE;
    expect_round_trip(&recipe, "attributes");
}

/* The lines of a dump, for taking one out or changing it. */
struct lines {
    char *text;
    char *line[4000];
    size_t count;
};

static void lines_of(struct lines *lines, const char *path)
{
    lines->text = folder_get(path);
    lines->count = 0;
    assert_non_null(lines->text);
    for (char *at = lines->text, *end; (end = strchr(at, '\n')); at = end + 1) {
        assert_true(lines->count < sizeof lines->line / sizeof *lines->line);
        *end = '\0';
        lines->line[lines->count++] = at;
    }
}

/* Writes the lines with `replacement` for line `which`, or without it if that is NULL. */
static const char *put_lines(const struct lines *lines, size_t which, const char *replacement)
{
    const char *path = folder_file("damaged");
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    for (size_t i = 0; i < lines->count; i++)
        if (i != which)
            fprintf(file, "%s\n", lines->line[i]);
        else if (replacement)
            fprintf(file, "%s\n", replacement);
    fclose(file);
    return path;
}

/* The error must be one of format and start with "file:line: ". */
static void expect_load_error(const char *path, const char *what)
{
    char place[600];
    unsigned long long line = 0;
    remove(folder_file("unwanted"));
    if (load_to(path, folder_file("unwanted")))
        fail_msg("%s: loaded as if nothing were wrong", what);
    assert_int_equal(err.status, VOUCH_ERR_FORMAT);
    snprintf(place, sizeof place, "%s:%%llu: expected", path);
    if (sscanf(err.message, place, &line) != 1 || line == 0)
        fail_msg("%s: the error names no file and line: %s", what, err.message);
    assert_int_equal(access(folder_file("unwanted"), F_OK), -1);
}

static bool begins(const char *line, const char *with)
{
    return strncmp(line, with, strlen(with)) == 0;
}

static size_t line_that_begins(const struct lines *lines, const char *with)
{
    for (size_t i = 0; i < lines->count; i++)
        if (begins(lines->line[i], with))
            return i;
    fail_msg("no line begins with '%s'", with);
    return 0;
}

/* Weights of zero are not written, so a missing line of weights cannot be told; every other can. */
static void a_dump_without_one_of_its_lines_is_refused(void **state)
{
    (void)state;
    struct lines lines;
    lines_of(&lines, dump_to(folder_file("model"), "dump"));
    for (size_t i = 0; i < lines.count; i++)
        if (!begins(lines.line[i], "mean.") && !begins(lines.line[i], "var.")) {
            char what[600];
            snprintf(what, sizeof what, "without line %zu, '%.60s'", i + 1, lines.line[i]);
            expect_load_error(put_lines(&lines, i, NULL), what);
        }
    free(lines.text);
}

static void a_dump_with_a_line_twice_is_refused(void **state)
{
    (void)state;
    static const char *const kinds[] = {"vouch-dump", "header", "string", "node", "edge", "seen"};
    struct lines lines;
    lines_of(&lines, dump_to(folder_file("model"), "dump"));
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        size_t i = line_that_begins(&lines, kinds[k]);
        char *twice = malloc(2 * strlen(lines.line[i]) + 2);
        sprintf(twice, "%s\n%s", lines.line[i], lines.line[i]);
        expect_load_error(put_lines(&lines, i, twice), kinds[k]);
        free(twice);
    }
    free(lines.text);
}

static void a_dump_cut_off_anywhere_is_refused(void **state)
{
    (void)state;
    char *text = folder_get(dump_to(folder_file("model"), "dump"));
    size_t length = strlen(text);
    for (size_t cut = 0; cut < length - 1; cut += cut < 3000 || cut > length - 300 ? 1 : 37) {
        char what[60];
        snprintf(what, sizeof what, "cut off after %zu bytes", cut);
        const char *path = folder_put_bytes("cut", text, cut);
        if (cut > 0)
            expect_load_error(path, what);
        else
            assert_false(load_to(path, folder_file("unwanted")));
    }
    free(text);
}

/* A line replaced, and the number of the line at fault. */
static void a_dump_with_a_wrong_number_is_refused_where_it_stands(void **state)
{
    (void)state;
    static const struct {
        const char *kind, *replacement;
    } wrong[] = {
        {"vouch-dump", "vouch-dump\t2"},
        {"vouch-dump", "vouch"},
        {"header", "header\t{"},
        {"header", "header\t[]"},
        {"header", "header"},
        {"node", "node\t999\t1"},
        {"node", "node\t0\t1\t1"},
        {"node", "node\t0"},
        {"node", "node"},
        {"node", "node\t0\t-1"},
        {"node", "node\t0\t1x"},
        {"node", "node\t0\t99999999999"},
        {"node", "node\t0\t0"},
        {"node", "node\t0\t100000"},
        {"node", "nodes\t0\t1"},
        {"edge", "edge\t7"},
        {"edge", "edge\t0\t1"},
        {"mean.0", "mean.0\t0x1p+0"},
        {"mean.0", "mean.0\t1\t2\t3\t4\t5\t6\t7\t8"},
        {"mean.0", "mean.0\tnan\t0\t0\t0\t0\t0\t0"},
        {"mean.0", "mean.0\t0\tinf\t0\t0\t0\t0\t0"},
        {"mean.0", "mean.0\t0\t1e99\t0\t0\t0\t0\t0"},
        {"mean.0", "mean.0\t0\t0\t0\tx\t0\t0\t0"},
        {"mean.0", "mean.0\t0\t0\t\t0\t0\t0\t0"},
        {"mean.0", "mean.2\t0\t0\t0\t0\t0\t0\t0"},
        {"mean.0", "mean.x\t0\t0\t0\t0\t0\t0\t0"},
        {"var.0", "var.1\t0\t0\t0\t0\t0\t0\t0"},
        {"var.0", "var.9\t0\t0\t0\t0\t0\t0\t0"},
        {"seen", "seen"},
        {"seen", "seen\t123"},
        {"seen", "seen\t00000000000000000"},
        {"seen", "seen\t000000000000000G"},
        {"seen", "seen\t0000000000000001\t"},
        {"end", "fin"},
    };
    struct lines lines;
    lines_of(&lines, dump_to(folder_file("model"), "dump"));
    for (size_t w = 0; w < sizeof wrong / sizeof *wrong; w++) {
        size_t i = line_that_begins(&lines, wrong[w].kind);
        char place[600];
        const char *path = put_lines(&lines, i, wrong[w].replacement);
        expect_load_error(path, wrong[w].replacement);
        snprintf(place, sizeof place, "%s:%zu: ", path, i + 1);
        if (!begins(err.message, place))
            fail_msg("'%s': expected an error at line %zu, got '%s'", wrong[w].replacement, i + 1, err.message);
    }
    free(lines.text);
}

/* The header promises counts, labels and voices; each promise broken. */
static void a_dump_whose_header_lies_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        bool layer;              /* the key is one of the layer */
        const char *key, *value; /* JSON */
    } lies[] = {
        {"fewer features than counted", true, "nodes", "100000"},
        {"more features than counted", true, "nodes", "3"},
        {"fewer strings than counted", false, "strings", "100000"},
        {"more strings than counted", false, "strings", "3"},
        {"a negative count", true, "nodes", "-1"},
        {"a huge count", true, "edges", "99999999999"},
        {"no labels", false, "labels", "[]"},
        {"no voices", true, "voices", "[]"},
        {"too many voices", true, "voices", "[1,2,3,4,5,6,7,8,9]"},
        {"too wide a layer", true, "width", "8"},
        {"no layers", false, "layers", "[]"},
        {"too many layers", false, "layers", "[{},{},{}]"},
        {"layers of something else", false, "layers", "[1]"},
        {"no task", false, "task", "null"},
        {"no template", false, "template", "null"},
        {"fewer sentences seen than counted", false, "seen", "100000"},
        {"more sentences seen than counted", false, "seen", "3"},
    };
    struct lines lines;
    lines_of(&lines, dump_to(folder_file("model"), "dump"));
    size_t at = line_that_begins(&lines, "header\t");
    for (size_t i = 0; i < sizeof lies / sizeof *lies; i++) {
        json_t *header = json_loads(lines.line[at] + 7, 0, NULL);
        json_t *value = json_loads(lies[i].value, JSON_DECODE_ANY, NULL);
        assert_true(header && value);
        json_t *inside = lies[i].layer ? json_array_get(json_object_get(header, "layers"), 0) : header;
        assert_true(json_object_get(inside, lies[i].key) != NULL);
        assert_int_equal(json_object_set_new(inside, lies[i].key, value), 0);
        char *text = json_dumps(header, JSON_COMPACT), *line = malloc(strlen(text) + 8);
        sprintf(line, "header\t%s", text);
        expect_load_error(put_lines(&lines, at, line), lies[i].what);
        free(line);
        free(text);
        json_decref(header);
    }
    free(lines.text);
}

static void what_is_no_dump_is_refused(void **state)
{
    (void)state;
    expect_load_error(folder_put("other", "Ada NNP B-PER\n"), "a corpus");
    assert_false(load_to(folder_file("model"), folder_file("unwanted")));
    assert_false(load_to(folder_file("absent"), folder_file("unwanted")));
    assert_int_equal(err.status, VOUCH_ERR_IO);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_model_labels_what_it_has_learned),
        cmocka_unit_test(a_model_says_what_it_is),
        cmocka_unit_test(labels_have_names),
        cmocka_unit_test(a_model_may_hold_two_voices),
        cmocka_unit_test(every_voice_alone_makes_a_model),
        cmocka_unit_test(the_same_corpus_and_seed_give_the_same_file),
        cmocka_unit_test(a_worker_is_used_again_and_again),
        cmocka_unit_test(more_columns_than_needed_are_passed_over),
        cmocka_unit_test(an_empty_sentence_has_no_labels),
        cmocka_unit_test(what_cannot_be_labelled_is_refused_and_does_no_harm),
        cmocka_unit_test(many_threads_share_one_model),
        cmocka_unit_test(a_model_cut_off_is_refused),
        cmocka_unit_test(no_flipped_byte_does_harm),
        cmocka_unit_test(no_flip_of_the_header_with_a_right_checksum_does_harm),
        cmocka_unit_test(dump_and_load_give_the_same_bytes),
        cmocka_unit_test(dump_and_load_know_every_kind_of_feature),
        cmocka_unit_test(dump_and_load_know_rules_that_share_their_features),
        cmocka_unit_test(dump_and_load_know_attributes),
        cmocka_unit_test(a_dump_without_one_of_its_lines_is_refused),
        cmocka_unit_test(a_dump_with_a_line_twice_is_refused),
        cmocka_unit_test(a_dump_cut_off_anywhere_is_refused),
        cmocka_unit_test(a_dump_with_a_wrong_number_is_refused_where_it_stands),
        cmocka_unit_test(a_dump_whose_header_lies_is_refused),
        cmocka_unit_test(what_is_no_dump_is_refused),
        cmocka_unit_test(dump_and_load_know_models_without_label_pairs),
        cmocka_unit_test(no_section_of_rubbish_does_harm),
        cmocka_unit_test(weights_that_are_no_numbers_do_no_harm),
    };
    return cmocka_run_group_tests(tests, build_usual, drop_usual);
}
