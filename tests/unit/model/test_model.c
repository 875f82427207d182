/* Tests a model that was written: it is opened, used, and damaged in every place. */
#include "damaged_model.h"
#include "test.h"
#include "usual_model.h"

FILE_FIXTURE(build_usual, drop_image);

static const char *const sentence[] = {"Ada", "NNP", "Lovelace", "NNP", "lives", "VBZ",
                                       "in",  "IN",  "Paris",    "NNP", ".",     "."};

static const char *const answer[] = {"B-PER", "I-PER", "O", "O", "B-LOC", "O"};

enum { WORDS = 6, COLUMNS = 2 };

static void expect_answer(const char *const *labels)
{
    for (int i = 0; i < WORDS; i++)
        assert_string_equal(labels[i], answer[i]);
}

/* Using a model. */

TEST(a_model_labels_what_it_has_learned)
{
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

TEST(a_model_says_what_it_is)
{
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
TEST(labels_have_names)
{
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

TEST(a_model_may_hold_two_voices)
{
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

TEST(every_voice_alone_makes_a_model)
{
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

TEST(the_same_corpus_and_seed_give_the_same_file)
{
    size_t size;
    unsigned char *again = folder_get_bytes(build(&usual, "again"), &size);
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

TEST(a_worker_is_used_again_and_again)
{
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

TEST(more_columns_than_needed_are_passed_over)
{
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

TEST(an_empty_sentence_has_no_labels)
{
    vouch_model *model = must_open(folder_file("model"));
    const char *labels[] = {"untouched"};
    assert_int_equal(vouch_model_label(model, sentence, 0, COLUMNS, labels, NULL, &err), VOUCH_OK);
    assert_string_equal(labels[0], "untouched");
    vouch_model_close(model);
}

TEST(what_cannot_be_labelled_is_refused_and_does_no_harm)
{
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

TEST(many_threads_share_one_model)
{
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

/* Opens the file at `path` and calls everything that can be called; true if it opened. */
static bool try_everything(const char *path)
{
    vouch_model *model = open_damaged(path);
    if (!model)
        return false;
    const char *labels[WORDS];
    if (vouch_model_label(model, sentence, WORDS, COLUMNS, labels, NULL, &err) == VOUCH_OK)
        for (int i = 0; i < WORDS; i++)
            assert_true(strlen(labels[i]) < 100);
    ask_damaged(model);
    struct output *out = output_open("/dev/null", &err);
    assert_non_null(out);
    if (!model_dump(model, out, &err))
        assert_int_equal(err.status, VOUCH_ERR_FORMAT);
    output_discard(out);
    vouch_model_close(model);
    return true;
}

TESTS_OF_DAMAGE(try_everything)

/* A section overwritten with `pattern`, or with noise if it is negative. */
static void overwrite(unsigned char *bytes, uint32_t section, int pattern, struct rng *rng)
{
    size_t entry = TABLE + (size_t)ENTRY * section;
    uint64_t offset = number_at(bytes, entry + 24), length = number_at(bytes, entry + 32);
    for (uint64_t i = 0; i < length; i++)
        bytes[offset + i] = pattern < 0 ? (unsigned char)rng_next(rng) : (unsigned char)pattern;
}

TEST(no_section_of_rubbish_does_harm)
{
    static const int patterns[] = {0, 0xFF, 1, 0x7F, 0x80, -1, -1, -1};
    struct rng rng = rng_new(1, 1);
    uint32_t sections;
    memcpy(&sections, image + AT_SECTIONS, sizeof sections);
    assert_int_equal(sections, 4 + 3 + 1);
    unsigned char *bytes = malloc(image_size);
    for (uint32_t s = 0; s < sections; s++)
        for (size_t p = 0; p < sizeof patterns / sizeof *patterns; p++) {
            memcpy(bytes, image, image_size);
            overwrite(bytes, s, patterns[p], &rng);
            reseal(bytes, image_size);
            try_everything(folder_put_bytes("rubbish", bytes, image_size));
        }
    for (int round = 0; round < 50; round++) {
        memcpy(bytes, image, image_size);
        for (uint32_t s = 0; s < sections; s++)
            overwrite(bytes, s, -1, &rng);
        reseal(bytes, image_size);
        assert_false(try_everything(folder_put_bytes("rubbish", bytes, image_size)));
    }
    free(bytes);
}
