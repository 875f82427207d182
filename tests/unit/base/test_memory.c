/* Tests reading, learning, answering and the public interface without memory. */
#include "failing_memory.h"

#include "arrays/array_file.h"

#include "array_bytes.h"
#include "test.h"

FILE_FIXTURE(jansson_fails_too, NULL);

struct bench {
    const char *text, *model, *out;
    struct corpus corpus;
    struct tiny_voice voice;
    const struct learner *learner;
    enum format format;
    uint32_t threads;
};

/* A corpus, and a model if there is a learner. */
static void bench_set_up(struct bench *bench, const struct learner *learner)
{
    struct vouch_error err = {0};
    static char text[512], model[512], out[512];
    strcpy(text, folder_put("corpus.txt", TINY_CORPUS));
    strcpy(model, folder_file("tiny.vouch"));
    strcpy(out, folder_file("out"));
    *bench = (struct bench){.text = text, .model = model, .out = out, .learner = learner, .threads = 1};
    must(tiny_read(&bench->corpus, text, &err), &err);
    if (!learner)
        return;
    must(tiny_learn(&bench->corpus, learner, &bench->voice, &err), &err);
    must(tiny_save(&bench->corpus, &bench->voice, model, &err), &err);
}

static void bench_clear(struct bench *bench)
{
    tiny_forget(&bench->voice);
    corpus_release(&bench->corpus);
}

static bool read_sentences(void *context, struct vouch_error *err)
{
    const struct bench *bench = context;
    struct reader_options options = {
        .format = bench->format, .gold = GOLD_LAST, .trees = bench->format == FORMAT_CONLLU, .column = 4};
    return read_to_end(bench->text, &options, err);
}

TEST_IN_FOLDER(reading_every_format_without_memory)
{
    static const struct {
        enum format format;
        const char *text;
    } each[] = {
        {FORMAT_AUTO, TINY_CORPUS},
        {FORMAT_CONLL, "# mark\n-DOCSTART- -X- O\na b O\n-DOCSTART- -X- O\n"},
        {FORMAT_CRFSUITE, "B-PER\tw=Ada\tlong\\:name:0.5\nO\tw=left\n\nO\tw=a\n"},
        {FORMAT_PLAIN, "Ada left Paris\n\nLater\n"},
        {FORMAT_CONLLU, TINY_TREES},
        {FORMAT_AUTO, TINY_TREES}, /* as labels */
        {FORMAT_JSONL, "{\"tokens\": [[\"Ada\", \"NNP\"]], \"labels\": [\"B-PER\"], \"id\": 1}\n{\"tokens\": []}\n"},
    };
    for (size_t i = 0; i < sizeof each / sizeof *each; i++) {
        struct bench bench = {.text = folder_put("some.txt", each[i].text), .format = each[i].format};
        fail_every_one(read_sentences, &bench);
    }
}

/* Opens a file of arrays, and finds those of its sentences, unless the second of two has offsets. */
static bool open_arrays(void *context, struct vouch_error *err)
{
    const struct bench *bench = context;
    struct array_file *file = array_file_open(bench->text, err);
    const struct array **each = file && file->count != 2 ? array_file_sentences(file, err) : NULL;
    bool ok = each != NULL || (file && file->count == 2);
    free(each);
    array_file_free(file);
    return ok;
}

TEST_IN_FOLDER(opening_arrays_without_memory)
{
    for (int format = 0; format < GOOD_FORMATS; format++) {
        struct image image = good_arrays(format);
        struct bench bench = {.text = folder_put_bytes("arrays", image.bytes, image.size)};
        fail_every_one(open_arrays, &bench);
    }
}

static bool read_corpus(void *context, struct vouch_error *err)
{
    const struct bench *bench = context;
    struct corpus corpus;
    struct corpus_plan plan = tiny_plan();
    plan.cutoff = 2;
    char *paths[] = {(char *)(uintptr_t)bench->text};
    bool ok = corpus_read(&corpus, &plan, paths, 1, NULL, err);
    ok = ok && corpus_read_dev(&corpus, &plan, bench->text, err);
    corpus_release(&corpus);
    return ok;
}

TEST_IN_FOLDER(encoding_a_corpus_without_memory)
{
    struct bench bench = {.text = folder_put("corpus.txt", TINY_CORPUS)};
    fail_every_one(read_corpus, &bench);
}

static bool go_on(void *context, struct vouch_error *err)
{
    const struct bench *bench = context;
    vouch_model *model = vouch_model_open(bench->model, err);
    struct corpus corpus = {0};
    struct corpus_plan plan = {.from = model, .cutoff = 2};
    char *paths[] = {(char *)(uintptr_t)bench->text};
    bool ok = model && corpus_read(&corpus, &plan, paths, 1, NULL, err);
    corpus_release(&corpus);
    vouch_model_close(model);
    return ok;
}

TEST_IN_FOLDER(going_on_from_a_model_without_memory)
{
    struct bench bench;
    bench_set_up(&bench, &confidence_weighted);
    fail_every_one(go_on, &bench);
    bench_clear(&bench);
}

static bool parse(void *context, struct vouch_error *err)
{
    const struct bench *bench = context;
    return tiny_parse(bench->text, bench->learner, err);
}

TEST_IN_FOLDER(parsing_without_memory)
{
    struct bench bench = {.text = folder_put("trees.conllu", TINY_TREES)};
    for (const struct learner *const *l = learners; *l; l++) {
        bench.learner = *l;
        fail_every_one(parse, &bench);
    }
}

static bool learn(void *context, struct vouch_error *err)
{
    const struct bench *bench = context;
    struct tiny_voice voice;
    bool ok = tiny_learn(&bench->corpus, bench->learner, &voice, err);
    tiny_forget(&voice);
    return ok;
}

TEST_IN_FOLDER(learning_without_memory)
{
    struct bench bench;
    bench_set_up(&bench, NULL);
    for (const struct learner *const *l = learners; *l; l++) {
        bench.learner = *l;
        fail_every_one(learn, &bench);
    }
    bench_clear(&bench);
}

static bool cross(void *context, struct vouch_error *err)
{
    const struct bench *bench = context;
    struct layer_score result[3], after[3 * 2];
    struct learning learning = {.dataset = &bench->corpus.dataset,
                                .trial = {{{bench->learner, tiny_parameters()}}},
                                .voices = 1,
                                .passes = 2,
                                .work = {.seed = 1, .threads = bench->threads}};
    return cross_validate(&learning, 3, result, after, err);
}

TEST_IN_FOLDER(cross_validation_without_memory)
{
    struct bench bench;
    bench_set_up(&bench, NULL);
    bench.learner = &perceptron;
    fail_every_one(cross, &bench);
    bench_clear(&bench);
}

/* From options and a file to a model, or from a model: all of training but calibrating. */
static bool train_by_options(void *context, struct vouch_error *err)
{
    const struct bench *bench = context;
    vouch_options *options = vouch_options_new("train", err);
    bool ok = options && vouch_options_set(options, "passes", "1", err) == VOUCH_OK &&
              vouch_options_set(options, "no-calibrate", "true", err) == VOUCH_OK &&
              vouch_options_set(options, "dev", bench->text, err) == VOUCH_OK &&
              (bench->learner ? vouch_options_set(options, "from", bench->model, err) == VOUCH_OK
                              : vouch_options_set(options, "task", "ner", err) == VOUCH_OK &&
                                    vouch_options_set(options, "template", bench->out, err) == VOUCH_OK);
    vouch_model *model = ok ? vouch_train(options, &bench->text, 1, NULL, err) : NULL;
    vouch_options_free(options);
    vouch_model_close(model);
    return model != NULL;
}

TEST_IN_FOLDER(training_by_options_without_memory)
{
    struct bench bench;
    bench_set_up(&bench, &confidence_weighted);
    fail_every_one(train_by_options, &bench);
    bench.learner = NULL;
    folder_put("out", "U0:%x[0,0]\nU1:%x[-1,0]/%x[0,0]\n");
    fail_every_one(train_by_options, &bench);
    bench_clear(&bench);
}

/* Allocations fail after so many more, as soon as everything is read. */
static void fail_after_reading(void *context, const struct vouch_event *event)
{
    if (event->kind == VOUCH_EVENT_READ)
        atomic_store(&left, *(const long *)context);
}

/*
 * The model beside the parts that it is calibrated on: whichever of the two fails, its error is told, and not that the
 * other one was stopped.
 */
TEST_IN_FOLDER(training_on_threads_without_memory)
{
    struct buffer text = {0};
    struct vouch_error err = {0};
    for (int i = 0; i < 50; i++)
        must(buffer_print(&text, &err, "Ada NNP B-PER\nsaw VBD O\nthe DT O\nParis%d NNP B-LOC\n\n", i), &err);
    const char *path = folder_put_bytes("threads", text.bytes, text.length);
    free(text.bytes);
    vouch_options *options = vouch_options_new("train", &err);
    must(options && vouch_options_set(options, "task", "ner", &err) == VOUCH_OK &&
             vouch_options_set(options, "threads", "2", &err) == VOUCH_OK &&
             vouch_options_set(options, "passes", "20", &err) == VOUCH_OK,
         &err);
    for (long k = 0; k < 400; k += 1 + k / 20) {
        struct vouch_watch watch = {.size = sizeof watch, .context = &k, .tell = fail_after_reading};
        atomic_store(&ours, false);
        vouch_model *model = vouch_train(options, &path, 1, &watch, &err);
        atomic_store(&left, -1);
        vouch_model_close(model);
        if (ours && (model || err.status != VOUCH_ERR_MEMORY)) /* one of Jansson's may be overlooked */
            fail_msg("allocation %ld after reading failed, and the message is: %s", k + 1, err.message);
    }
    vouch_options_free(options);
}

static bool save(void *context, struct vouch_error *err)
{
    const struct bench *bench = context;
    return tiny_save(&bench->corpus, &bench->voice, bench->out, err);
}

TEST_IN_FOLDER(saving_a_model_without_memory)
{
    struct bench bench;
    bench_set_up(&bench, &confidence_weighted);
    int files = folder_count();
    fail_every_one(save, &bench);
    assert_int_equal(folder_count(), files + 1); /* the one that succeeded: no temporary file is left */
    bench_clear(&bench);
}

static bool open_and_label(void *context, struct vouch_error *err)
{
    const struct bench *bench = context;
    const char *labels[5];
    vouch_model *model;
    bool ok = tiny_label(bench->model, labels, &model, err);
    ok = ok && vouch_model_verify(model, err) == VOUCH_OK;
    vouch_model *copy = ok ? vouch_model_open_memory(model->file.bytes, model->file.size, err) : NULL;
    ok = copy != NULL;
    vouch_model_close(copy);
    vouch_model_close(model);
    return ok;
}

TEST_IN_FOLDER(labelling_without_memory)
{
    struct bench bench;
    for (const struct learner *const *l = learners; *l; l++) {
        bench_set_up(&bench, *l);
        fail_every_one(open_and_label, &bench);
        bench_clear(&bench);
    }
}

struct sink {
    struct output *out;
    struct writer_options options;
};

static bool take(void *context, const struct sentence *sentence, const struct vouch_answer *answer,
                 struct vouch_error *err)
{
    const struct sink *sink = context;
    return !answer->label || write_sentence(sink->out, &sink->options, sentence, NULL, answer->label, NULL, err);
}

static bool label_file(void *context, struct vouch_error *err)
{
    const struct bench *bench = context;
    struct reader_options options = {.format = bench->format, .gold = GOLD_NONE};
    vouch_model *model = vouch_model_open(bench->model, err);
    struct reader *reader = model ? reader_open(bench->text, &options, err) : NULL;
    struct sink sink = {.out = reader ? output_open(bench->out, err) : NULL};
    struct answer_sink handed = {.take = take, .context = &sink};
    if (reader)
        sink.options = writer_options_for(reader);
    struct vouch_request request = {.model = model, .threads = bench->threads};
    bool ok = sink.out && answer_stream(&request, reader, &handed, err);
    if (ok)
        ok = output_commit(sink.out, err);
    else
        output_discard(sink.out);
    reader_close(reader);
    vouch_model_close(model);
    return ok;
}

TEST_IN_FOLDER(labelling_a_file_without_memory)
{
    struct bench bench;
    bench_set_up(&bench, &passive_aggressive);
    for (bench.threads = 1; bench.threads <= 2; bench.threads++)
        fail_every_one(label_file, &bench);
    bench.threads = 1;
    bench.format = FORMAT_JSONL;
    bench.text = folder_put("some.jsonl", "{\"tokens\": [[\"Ada\", \"NNP\"], [\"left\", \"VBD\"]], \"id\": [1, {}]}\n");
    fail_every_one(label_file, &bench);
    bench_clear(&bench);
}

static bool dump_and_load(void *context, struct vouch_error *err)
{
    const struct bench *bench = context;
    vouch_model *model = vouch_model_open(bench->model, err);
    struct output *text = model ? output_open(folder_file("dump"), err) : NULL;
    bool ok = text && model_dump(model, text, err);
    if (ok)
        ok = output_commit(text, err);
    else
        output_discard(text);
    vouch_model_close(model);
    struct output *out = ok ? output_open(bench->out, err) : NULL;
    ok = out && model_load(folder_file("dump"), out, err);
    if (ok)
        ok = output_commit(out, err);
    else
        output_discard(out);
    return ok;
}

TEST_IN_FOLDER(dumping_and_loading_without_memory)
{
    struct bench bench;
    bench_set_up(&bench, &confidence_weighted);
    fail_every_one(dump_and_load, &bench);
    bench_clear(&bench);
}

/* All of the public interface that answers: sentences read and given. */
struct outsider {
    const vouch_model *model;
    const char *text;
};

static int look(void *context, const vouch_sentence *sentence, const vouch_answer *answer)
{
    (void)context;
    (void)sentence;
    return vouch_answer_words(answer) == 0 || vouch_answer_label(answer, 0) ? 0 : 1;
}

static bool ask_about(const vouch_model *model, const vouch_options *options, const char *text, struct vouch_error *err)
{
    static const char *const cells[] = {"Ada", "NNP", "saw", "VBD"};
    vouch_request *request = vouch_request_new(model, options, err);
    vouch_worker *worker = request ? vouch_worker_new(request, err) : NULL;
    vouch_sentence *sentence = worker ? vouch_sentence_new(err) : NULL;
    vouch_reader *reader = sentence ? vouch_reader_open_memory(text, strlen(text), model, options, err) : NULL;
    bool ok = reader && vouch_reader_next(reader, sentence, err) == 1 && vouch_worker_answer(worker, sentence, err) &&
              vouch_answer_stream(request, reader, look, NULL, err) == VOUCH_OK &&
              vouch_sentence_set_cells(sentence, cells, 2, 2, err) == VOUCH_OK &&
              vouch_sentence_set_gold(sentence, cells, NULL, err) == VOUCH_OK &&
              vouch_answer_batch(request, &sentence, 1, look, NULL, err) == VOUCH_OK;
    vouch_reader_close(reader);
    vouch_sentence_free(sentence);
    vouch_worker_free(worker);
    vouch_request_free(request);
    return ok;
}

static bool use_from_outside(void *context, struct vouch_error *err)
{
    const struct outsider *o = context;
    vouch_options *options = vouch_options_new(vouch_model_parses(o->model) ? "parse" : "tag", err);
    bool ok = options && vouch_options_set(options, "confidence", "gamma,delta", err) == VOUCH_OK &&
              vouch_options_set(options, "alternatives", "2", err) == VOUCH_OK &&
              vouch_options_set(options, "threshold", "0.9", err) == VOUCH_OK &&
              vouch_options_set(options, "replace", "X", err) == VOUCH_OK &&
              ask_about(o->model, options, o->text, err) &&
              vouch_model_save(o->model, folder_file("saved"), err) == VOUCH_OK &&
              vouch_model_dump(o->model, folder_file("dumped"), err) == VOUCH_OK;
    vouch_options_free(options);
    return ok;
}

TEST_IN_FOLDER(the_public_interface_without_memory)
{
    static const char *const voices[] = {"cw", NULL};
    for (int trees = 0; trees < 2; trees++) {
        const char *path = trees ? small_parser("outside", voices, NULL) : small_tagger("outside", voices, NULL);
        struct vouch_error err = {0};
        vouch_model *model = vouch_model_open(path, &err);
        must(model != NULL, &err);
        struct outsider outsider = {model, trees ? SMALL_TREES : "Ada NNP\nleft VBD\n\nZola NNP\n\n"};
        fail_every_one(use_from_outside, &outsider);
        vouch_model_close(model);
    }
}

/* Copying nothing to or from an array, and pointing at its end, must be defined. */
TEST(arrays_of_nothing_are_not_null)
{
    int *array = NULL, *boundary = NULL;
    size_t capacity = 0, room = 0, nothing = 0;
    assert_true(RESERVE(array, capacity, nothing, NULL) && RESERVE_ALIGNED(boundary, room, nothing, NULL));
    assert_true(array && boundary);
    void *none = new_array(0, sizeof *array, NULL), *block = new_block(0, NULL);
    assert_true(none && block);
    free(array);
    free(boundary);
    free(none);
    free(block);
}
