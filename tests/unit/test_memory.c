/*
 * Out of memory, everywhere: the k-th allocation fails, for k = 1, 2, 3, ...
 * until nothing fails any more. Each time the call must fail cleanly: with
 * false and a message, and (as the sanitizers see) without a leak or a crash.
 *
 * The linker puts the functions below in the place of malloc(), calloc(),
 * realloc() and posix_memalign() as our code calls them. Jansson is told to use
 * one of them, too, but it overlooks a failure of its own now and then: there a
 * success is let pass. Other libraries allocate as ever.
 */
#include "calibrate/held_out_scores.h"
#include "confidence/calibrate.h"
#include "confidence/forecaster.h"
#include "confidence/logistic.h"
#include "confidence/noise.h"
#include "corpus/writer.h"
#include "measure/quality.h"
#include "model/dump.h"
#include "predict/answer_stream.h"
#include "predict/estimator.h"
#include "train/cross_validation.h"
#include "tree/tree.h"
#include "use/active_summary.h"
#include "use/review.h"
#include "use/shortlist.h"
#include "use/trade.h"
#include "use/tree_change.h"

#include "folder.h"
#include "predict/parser.h"
#include "predict/tagger.h"
#include "small_models.h"
#include "tiny.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *block, size_t size);
int __real_posix_memalign(void **block, size_t alignment, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *block, size_t size);
int __wrap_posix_memalign(void **block, size_t alignment, size_t size);

static atomic_long left;    /* allocations until one fails; below zero: none will */
static atomic_bool lasting; /* once one has failed, so do all that follow */
static atomic_bool ours;    /* one of our own has failed */
static atomic_bool theirs;  /* one of Jansson's */

static bool fails_now(atomic_bool *noted)
{
    long before = atomic_load(&left);
    while (before >= 0) {
        long after = before > 0 ? before - 1 : lasting ? 0 : -1;
        if (!atomic_compare_exchange_weak(&left, &before, after))
            continue;
        if (before == 0)
            atomic_store(noted, true);
        return before == 0;
    }
    return false;
}

void *__wrap_malloc(size_t size)
{
    return fails_now(&ours) ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    return fails_now(&ours) ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *block, size_t size)
{
    return fails_now(&ours) ? NULL : __real_realloc(block, size);
}

int __wrap_posix_memalign(void **block, size_t alignment, size_t size)
{
    return fails_now(&ours) ? ENOMEM : __real_posix_memalign(block, alignment, size);
}

static void *jansson_malloc(size_t size)
{
    return fails_now(&theirs) ? NULL : __real_malloc(size);
}

/* What is tried again and again; `context` is its own. */
typedef bool (*attempt)(void *context, struct vouch_error *err);

/* Every allocation fails by itself; with all that follow it, every third: that is about what cleans up. */
static void fail_each(attempt run, void *context, bool keep_failing)
{
    enum { MOST = 20000 };
    long k = 0;
    for (; k < MOST; k += keep_failing ? 3 : 1) {
        struct vouch_error err = {0};
        atomic_store(&lasting, keep_failing);
        atomic_store(&ours, false);
        atomic_store(&theirs, false);
        atomic_store(&left, k);
        bool ok = run(context, &err);
        atomic_store(&left, -1);
        if (ok && !ours && !theirs)
            break;
        if (ok && ours)
            fail_msg("allocation %ld failed and nobody noticed", k + 1);
        if (!ok && (err.status == VOUCH_OK || !err.message[0]))
            fail_msg("allocation %ld failed without a message", k + 1);
        if (!ok && ours && err.status != VOUCH_ERR_MEMORY)
            fail_msg("allocation %ld failed, and the message is: %s", k + 1, err.message);
    }
    assert_true(k > 0);
    assert_true(k < MOST);
}

static void fail_every_one(attempt run, void *context)
{
    fail_each(run, context, false);
    fail_each(run, context, true);
}

struct bench {
    const char *text, *model, *out;
    struct tag_corpus corpus;
    struct tiny_voice voice;
    const struct learner *learner;
    enum format format;
    uint32_t threads;
};

static void must(bool done, const struct vouch_error *err)
{
    if (!done)
        fail_msg("%s", err->message);
}

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
    tag_corpus_release(&bench->corpus);
}

static bool read_sentences(void *context, struct vouch_error *err)
{
    const struct bench *bench = context;
    struct reader_options options = {
        .format = bench->format, .gold = GOLD_LAST, .trees = bench->format == FORMAT_CONLLU, .column = 4};
    struct reader *reader = reader_open(bench->text, &options, err);
    struct sentence sentence = {0};
    enum reading state = READ_FAILED;
    while (reader && (state = reader_next(reader, &sentence, err)) == READ_SENTENCE)
        continue;
    sentence_release(&sentence);
    reader_close(reader);
    return state == READ_END;
}

static void reading_every_format_without_memory(void **state)
{
    (void)state;
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

static bool read_corpus(void *context, struct vouch_error *err)
{
    const struct bench *bench = context;
    struct tag_corpus corpus;
    struct tag_plan plan = tiny_plan();
    plan.cutoff = 2;
    char *paths[] = {(char *)(uintptr_t)bench->text};
    bool ok = tag_corpus_read(&corpus, &plan, paths, 1, NULL, err);
    ok = ok && tag_corpus_read_dev(&corpus, &plan, bench->text, err);
    tag_corpus_release(&corpus);
    return ok;
}

static void encoding_a_corpus_without_memory(void **state)
{
    (void)state;
    struct bench bench = {.text = folder_put("corpus.txt", TINY_CORPUS)};
    fail_every_one(read_corpus, &bench);
}

static bool go_on(void *context, struct vouch_error *err)
{
    const struct bench *bench = context;
    vouch_model *model = vouch_model_open(bench->model, err);
    struct tag_corpus corpus = {0};
    struct tag_plan plan = {.from = model, .cutoff = 2};
    char *paths[] = {(char *)(uintptr_t)bench->text};
    bool ok = model && tag_corpus_read(&corpus, &plan, paths, 1, NULL, err);
    tag_corpus_release(&corpus);
    vouch_model_close(model);
    return ok;
}

static void going_on_from_a_model_without_memory(void **state)
{
    (void)state;
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

static void parsing_without_memory(void **state)
{
    (void)state;
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

static void learning_without_memory(void **state)
{
    (void)state;
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
    struct trial trial = {.learner = bench->learner, .parameters = tiny_parameters()};
    struct layer_score result[3], after[3 * 2];
    struct dataset dataset = tag_dataset(&bench->corpus);
    struct trial_plan plan = {
        .dataset = &dataset, .trial = &trial, .trials = 1, .passes = 2, .seed = 1, .threads = bench->threads};
    return cross_validate(&plan, 3, result, after, err);
}

static void cross_validation_without_memory(void **state)
{
    (void)state;
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

static void training_by_options_without_memory(void **state)
{
    (void)state;
    struct bench bench;
    bench_set_up(&bench, &confidence_weighted);
    fail_every_one(train_by_options, &bench);
    bench.learner = NULL;
    folder_put("out", "U0:%x[0,0]\n"); /* short: Jansson aborts if it loses a byte of a long text with line ends */
    fail_every_one(train_by_options, &bench);
    bench_clear(&bench);
}

static bool save(void *context, struct vouch_error *err)
{
    const struct bench *bench = context;
    return tiny_save(&bench->corpus, &bench->voice, bench->out, err);
}

static void saving_a_model_without_memory(void **state)
{
    (void)state;
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

static void labelling_without_memory(void **state)
{
    (void)state;
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

static bool take(void *context, const struct sentence *sentence, const struct answer *answer, struct vouch_error *err)
{
    const struct sink *sink = context;
    return !answer->label || write_labelled(sink->out, &sink->options, sentence, answer->label, NULL, err);
}

static bool label_file(void *context, struct vouch_error *err)
{
    const struct bench *bench = context;
    struct reader_options options = {.format = bench->format, .gold = GOLD_NONE};
    vouch_model *model = vouch_model_open(bench->model, err);
    struct reader *reader = model ? reader_open(bench->text, &options, err) : NULL;
    struct sink sink = {.out = reader ? output_open(bench->out, err) : NULL};
    struct answer_sink handed = {take, &sink};
    if (reader)
        sink.options = writer_options_for(reader_format(reader), reader_separator(reader));
    bool ok = sink.out && answer_stream(model, NULL, reader, bench->threads, &handed, err);
    if (ok)
        ok = output_commit(sink.out, err);
    else
        output_discard(sink.out);
    reader_close(reader);
    vouch_model_close(model);
    return ok;
}

static void labelling_a_file_without_memory(void **state)
{
    (void)state;
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

static void dumping_and_loading_without_memory(void **state)
{
    (void)state;
    struct bench bench;
    bench_set_up(&bench, &confidence_weighted);
    fail_every_one(dump_and_load, &bench);
    bench_clear(&bench);
}

static bool measure_confidence(void *context, struct vouch_error *err)
{
    (void)context;
    const struct judged word[] = {{0.5, 0, false}, {0.75, 0, true}, {1, 1, true}};
    struct quality quality;
    struct quality_intervals intervals;
    return quality_measure(word, 3, true, &quality, err) &&
           quality_bootstrap(word, 3, (struct bootstrap){.resamples = 3, .probabilities = true}, &intervals, err);
}

static void measuring_confidence_without_memory(void **state)
{
    (void)state;
    fail_every_one(measure_confidence, NULL);
}

struct pairs {
    double raw[200];
    bool right[200];
};

static bool calibrate(void *context, struct vouch_error *err)
{
    const struct pairs *pairs = context;
    struct calibration chosen;
    double loss[CALIBRATION_KINDS];
    bool ok = calibration_choose(pairs->raw, pairs->right, NULL, 200, 1, &chosen, loss, err);
    calibration_release(&chosen);
    ok = ok && calibration_fit(CALIBRATE_ISOTONIC, pairs->raw, pairs->right, 200, &chosen, err);
    calibration_release(&chosen);
    return ok;
}

static bool regress(void *context, struct vouch_error *err)
{
    const struct pairs *pairs = context;
    struct logistic logistic;
    bool ok = logistic_fit(&(struct logistic_rows){pairs->raw, pairs->right, NULL, 100, 2}, 1, &logistic, err);
    logistic_release(&logistic);
    return ok;
}

static bool forecast(void *context, struct vouch_error *err)
{
    enum { ROWS = 100 };
    const struct pairs *pairs = context;
    uint32_t group[ROWS];
    double held[ROWS];
    for (uint32_t i = 0; i < ROWS; i++)
        group[i] = i / 2;
    struct forecaster_rows rows = {pairs->raw, pairs->right, group, ROWS, 2};
    struct forecaster forecaster = {0};
    bool ok = forecaster_hold_out(&rows, 1, held, err) && forecaster_fit(&forecaster, &rows, 1, held, err);
    forecaster_release(&forecaster);
    return ok;
}

static void fitting_without_memory(void **state)
{
    (void)state;
    struct pairs pairs;
    for (int i = 0; i < 200; i++) {
        pairs.raw[i] = i * 37 % 200 / 200.0;
        pairs.right[i] = i * 37 % 200 > 100;
    }
    fail_every_one(calibrate, &pairs);
    fail_every_one(regress, &pairs);
    fail_every_one(forecast, &pairs);
}

/* Draws around a model of nothing but ones, for a chain with shared edges, with edges of their own, and a tree. */
static bool draw(void *context, struct vouch_error *err)
{
    (void)context;
    static const uint32_t start[] = {0, 1, 2, 3, 4, 5, 6}, feature[] = {0, 1, 1, 0, 1, 0};
    static const struct {
        const struct structure *structure;
        struct parts parts;
    } cases[] = {{&chain_structure, {.N = 3, .node = {3, start, feature, NULL}, .edge = {1, start, feature, NULL}}},
                 {&chain_structure, {.N = 3, .node = {3, start, feature, NULL}, .edge = {2, start, feature, NULL}}},
                 {&tree_structure, {.N = 2, .node = {6, start, feature, NULL}, .edge = {0, start, feature, NULL}}}};
    struct space space = {.width = 2, .nodes = 2, .edges = 2};
    float mean[2 * 2 + 2 * 4 + SLACK];
    for (size_t i = 0; i < sizeof mean / sizeof *mean; i++)
        mean[i] = 1;
    uint32_t choice[40 * 3];
    struct scores scores = {0};
    struct lanes lanes = {0};
    struct scratch scratch = {0};
    struct noise *noise = noise_new(1, err);
    struct noise_work *work = noise ? noise_work_new(err) : NULL;
    struct drawing drawing = {.noise = noise, .K = 40, .s = 1, .mean = mean};
    bool ok = work != NULL;
    for (int i = 0; ok && i < 3; i++)
        ok = parts_score(&cases[i].parts, &space, mean, &scores, err) &&
             noise_score(&drawing, &cases[i].parts, &space, &scores, work, &lanes, err) &&
             cases[i].structure->draws(&lanes, &scratch, choice, err);
    noise_work_free(work);
    noise_free(noise);
    scores_release(&scores);
    lanes_release(&lanes);
    scratch_release(&scratch);
    return ok;
}

static void drawing_models_without_memory(void **state)
{
    (void)state;
    fail_every_one(draw, NULL);
}

/* All methods on all sentences of a file. */
static bool judge(void *context, struct vouch_error *err)
{
    const struct vouch_model *model = context;
    bool trees = model_parses(model), ok = true;
    struct estimator *estimator =
        estimator_new(model, &(struct estimate_request){.methods = "all", .alternatives = 3, .others = true}, err);
    struct tagger *tagger = estimator && !trees ? tagger_new(model, estimator, err) : NULL;
    struct parser *parser = estimator && trees ? parser_new(model, estimator, err) : NULL;
    struct reader_options options = {.format = trees ? FORMAT_CONLLU : FORMAT_CONLL, .trees = trees};
    struct reader *reader = tagger || parser ? reader_open(folder_file(trees ? "trees" : "tags"), &options, err) : NULL;
    struct sentence sentence = {0};
    struct estimates estimates = {0};
    enum reading state = READ_FAILED;
    while (reader && ok && (state = reader_next(reader, &sentence, err)) == READ_SENTENCE) {
        uint32_t head[8];
        struct text label[8];
        ok = trees ? parser_parse(parser, &sentence, head, label, &estimates, err)
                   : tagger_label(tagger, &sentence, label, &estimates, err);
    }
    estimates_release(&estimates);
    sentence_release(&sentence);
    reader_close(reader);
    tagger_free(tagger);
    parser_free(parser);
    estimator_free(estimator);
    return ok && state == READ_END;
}

/* Scores from elsewhere, of chains or of trees: a judge, its gold, an answer, and the judge read back. */
static bool judge_scores(void *context, struct vouch_error *err)
{
    static const char *const labels[] = {"O", "B-X", "I-X"};
    static const float score[2 * 16] = {1, 0, 2, 1, 3, 0, 1, 2, 1, 3, 1, 2, 4, 1, 0, 2, 1, 3, 2, 1};
    static const size_t head[] = {0, 1, 2};
    struct vouch_chain_scores chain = {sizeof chain, 3, 3, 2, score, NULL, 0};
    struct vouch_tree_scores tree = {sizeof tree, 3, 2, score};
    struct vouch_judge_options options = {
        .size = sizeof options, .methods = "all", .sets = 2, .alternatives = 2, .draws = 3, .constraints = 1};
    vouch_judge *judge = context ? vouch_judge_new_tree(&options, err) : vouch_judge_new(labels, 3, &options, err);
    vouch_judge *again = judge ? vouch_judge_from_json(vouch_judge_json(judge), NULL, err) : NULL;
    vouch_judge_gold *gold = again ? vouch_judge_gold_new(judge, err) : NULL;
    vouch_judge_worker *worker = gold ? vouch_judge_worker_new(judge, err) : NULL;
    bool ok = worker && (context ? vouch_judge_gold_tree(gold, &tree, head, err) == VOUCH_OK &&
                                       vouch_judge_tree(worker, &tree, err)
                                 : vouch_judge_gold_chain(gold, &chain, labels, err) == VOUCH_OK &&
                                       vouch_judge_chain(worker, &chain, err));
    vouch_judge_worker_free(worker);
    vouch_judge_gold_free(gold);
    vouch_judge_free(again);
    vouch_judge_free(judge);
    return ok;
}

static void judging_scores_without_memory(void **state)
{
    (void)state;
    bool tree = true;
    fail_every_one(judge_scores, NULL);
    fail_every_one(judge_scores, &tree);
}

static void judging_without_memory(void **state)
{
    (void)state;
    static const char *const voices[] = {"cw", "crf", NULL};
    struct vouch_error err = {0};
    json_t *confidence_model = json_loads(SMALL_CONFIDENCE_MODEL, 0, NULL);
    assert_non_null(confidence_model);
    vouch_model *tags = vouch_model_open(small_tagger("small.tagger", voices, confidence_model), &err);
    must(tags != NULL, &err);
    fail_every_one(judge, tags);
    vouch_model *trees = vouch_model_open(small_parser("small.parser", voices, NULL), &err);
    must(trees != NULL, &err);
    fail_every_one(judge, trees);
    vouch_model_close(tags);
    vouch_model_close(trees);
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
              vouch_model_save(o->model, folder_file("saved"), err) == VOUCH_OK;
    vouch_options_free(options);
    return ok;
}

static void the_public_interface_without_memory(void **state)
{
    (void)state;
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

/* Curves in both directions. */
static bool trade(void *context, struct vouch_error *err)
{
    static const struct text label[] = {{"B-X", 3}, {"I-X", 3}, {"O", 1}}, gold[] = {{"B-X", 3}, {"O", 1}, {"B-Y", 3}};
    static const struct text other[] = {{"O", 1}, {"O", 1}, {"I-Y", 3}};
    static const double number[] = {0.5, 0.75, 0.25};
    static const bool towards[DIRECTIONS] = {true, true};
    struct span span = {0, 2, {"X", 1}};
    struct method_confidence by_method = {.word = number, .span = number, .other = other};
    struct confidences confidences = {.by_method = &by_method, .methods = 1, .span = &span, .spans = 1};
    struct answer answer = {.label = label, .confidences = &confidences};
    struct trade t = {.scheme = SCHEME_BIOES, .merge_types = true, .methods = 1};
    bool ok = true;
    (void)context;
    for (int i = 0; ok && i < 20; i++)
        ok = trade_add(&t, gold, 3, &answer, err);
    ok = ok && trade_measure(&t, towards, 1, err);
    trade_release(&t);
    return ok;
}

static void trading_without_memory(void **state)
{
    (void)state;
    fail_every_one(trade, NULL);
}

/* Learns on one part, asks on the other. */
static bool hold(void *context, struct vouch_error *err)
{
    const struct dataset *dataset = context;
    const struct trial voices[] = {{&confidence_weighted, small_parameters()}, {&log_likelihood, small_parameters()}};
    const struct trial trial[MAX_LAYERS][MAX_VOICES] = {{voices[0], voices[1]}, {voices[0], voices[1]}};
    const struct voice_method chosen[] = {{&kd_fix_delta_method, 0}, {&gamma_method, 0}};
    const struct method_params params[] = {default_method_params, default_method_params};
    struct held_out_plan plan = {.dataset = dataset,
                                 .trial = trial,
                                 .voices = 2,
                                 .passes = 1,
                                 .seed = 1,
                                 .threads = 1,
                                 .parts = 2,
                                 .held = 2,
                                 .scattered = true,
                                 .watch = true};
    struct held_out held;
    struct noise *noise = NULL;
    bool ok = held_out_learn(&held, &plan, err) && (noise = noise_new(1, err));
    for (uint32_t l = 0; ok && l < dataset->layers; l++) {
        struct score_plan scoring = {.layer = l,
                                     .chosen = chosen,
                                     .methods = 2,
                                     .params = params,
                                     .noise = noise,
                                     .committee = true,
                                     .wholes = true,
                                     .threads = 1};
        struct held_out_scores scores;
        ok = held_out_scores_take(&scores, &held, &scoring, err);
        held_out_scores_release(&scores);
    }
    struct review review = {0};
    struct suspects list = {0};
    struct tree_changes changes = {0};
    struct expected_errors expected;
    ok = ok && review_run(&review, &(struct review_plan){.held = &held, .lessons = &plan, .threads = 1}, err) &&
         review_list(&review, &held, dataset->rules ? REVIEW_CHUNKS : REVIEW_WORDS, &list, err) &&
         review_expect(&list, list.count, &expected, err) &&
         (!dataset->given || tree_changes_find(&changes, &review, &held, list.item, list.count, err));
    tree_changes_release(&changes);
    suspects_release(&list);
    review_release(&review);
    noise_free(noise);
    held_out_release(&held);
    return ok;
}

static void holding_out_without_memory(void **state)
{
    (void)state;
    struct tag_corpus tags;
    struct tree_corpus trees;
    small_tag_corpus(&tags, SMALL_TAGS SMALL_TAGS SMALL_TAGS SMALL_TAGS);
    small_tree_corpus(&trees, SMALL_TREES SMALL_TREES SMALL_TREES SMALL_TREES SMALL_TREES SMALL_TREES, 8);
    struct dataset labels = tag_dataset(&tags), arcs = tree_dataset(&trees);
    fail_every_one(hold, &labels);
    fail_every_one(hold, &arcs);
    tag_corpus_release(&tags);
    tree_corpus_release(&trees);
}

/* An operating point, kept in the header of a model. */
static bool keep_point(void *context, struct vouch_error *err)
{
    char file[] = "dev.txt", *path[] = {file};
    struct operating_point point = {.method = "gamma"};
    json_t *record = operating_point_record(&point, path, 1, "vouch trade", err);
    json_t *header = record ? operating_point_header(context, record, err) : NULL;
    bool ok = header != NULL;
    json_decref(header);
    json_decref(record);
    return ok;
}

static void keeping_a_point_without_memory(void **state)
{
    (void)state;
    struct vouch_model model = {.header = json_pack("{s:s}", "program", "vouch")};
    fail_every_one(keep_point, &model);
    json_decref(model.header);
}

/* A simulation of two ways of choosing, and what it comes to. */
static bool simulate(void *context, struct vouch_error *err)
{
    struct trial trial = {&confidence_weighted, small_parameters()};
    struct query_strategy strategy[] = {{.method = &gamma_method}, {.method = &random_method}};
    struct active_plan plan = {.dataset = context,
                               .trial = &trial,
                               .voices = 1,
                               .strategy = strategy,
                               .strategies = 2,
                               .initial = 2,
                               .candidates = 5,
                               .choose = 2,
                               .every = 4,
                               .most = 8,
                               .repeats = 1,
                               .passes = 1,
                               .diversity = 0.9,
                               .threads = 1};
    struct active_outcome outcome;
    struct active_summary summary = {0};
    bool ok = active_run(&plan, &outcome, err) && active_summarise(&summary, &plan, &outcome, err);
    active_summary_release(&summary);
    active_release(&outcome);
    return ok;
}

static void simulating_without_memory(void **state)
{
    (void)state;
    struct tag_corpus tags;
    struct tree_corpus trees;
    struct tag_plan plan = {.reading = {FORMAT_CONLL, GOLD_LAST}};
    struct tree_plan tree_plan = {.arc_bits = 8, .relation_bits = 8, .reading = {.trees = true}};
    struct vouch_error err = {0};
    small_tag_corpus(&tags, SMALL_TAGS SMALL_TAGS);
    must(tag_corpus_read_dev(&tags, &plan, folder_file("tags"), &err), &err);
    small_tree_corpus(&trees, SMALL_TREES SMALL_TREES SMALL_TREES, 8);
    must(tree_corpus_read_dev(&trees, &tree_plan, folder_file("trees"), &err), &err);
    struct dataset labels = tag_dataset(&tags), arcs = tree_dataset(&trees);
    fail_every_one(simulate, &labels);
    fail_every_one(simulate, &arcs);
    tag_corpus_release(&tags);
    tree_corpus_release(&trees);
}

/* A shortlist of a few sentences, all or the best kept, whose text goes through memory. */
static bool make_shortlist(void *context, struct vouch_error *err)
{
    uint32_t first[] = {0, 1};
    struct text word = text_of("a");
    struct sentence sentence = {.N = 1, .first = first, .cell = &word};
    struct shortlist *list = shortlist_new(3, *(const double *)context, err);
    struct output *out = list ? output_open_memory(err) : NULL;
    bool ok = out != NULL, new;
    for (int i = 0; ok && i < 5; i++) {
        size_t length;
        word.length = 1;
        word.at = &"abcde"[i];
        output_empty(out);
        output_printf(out, "%100d", i);
        const char *text = output_text(out, &length);
        ok = text ? shortlist_know(list, &sentence, &new, err) &&
                        shortlist_add(list, &sentence, 5 - i, text, length, err)
                  : fail_memory(err);
    }
    uint32_t count = 0;
    ok = ok && shortlist_close(list, &count, err);
    shortlist_free(list);
    output_discard(out);
    return ok;
}

static void choosing_without_memory(void **state)
{
    (void)state;
    double off = 0, on = 0.5;
    fail_every_one(make_shortlist, &off);
    fail_every_one(make_shortlist, &on);
}

/* Copying nothing to or from an array, and pointing at its end, must be defined. */
static void arrays_of_nothing_are_not_null(void **state)
{
    (void)state;
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

int main(void)
{
    atomic_store(&left, -1);
    json_set_alloc_funcs(jansson_malloc, free);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(reading_every_format_without_memory, folder_make, folder_remove),
        cmocka_unit_test_setup_teardown(encoding_a_corpus_without_memory, folder_make, folder_remove),
        cmocka_unit_test_setup_teardown(going_on_from_a_model_without_memory, folder_make, folder_remove),
        cmocka_unit_test_setup_teardown(parsing_without_memory, folder_make, folder_remove),
        cmocka_unit_test_setup_teardown(learning_without_memory, folder_make, folder_remove),
        cmocka_unit_test_setup_teardown(cross_validation_without_memory, folder_make, folder_remove),
        cmocka_unit_test_setup_teardown(training_by_options_without_memory, folder_make, folder_remove),
        cmocka_unit_test_setup_teardown(saving_a_model_without_memory, folder_make, folder_remove),
        cmocka_unit_test_setup_teardown(labelling_without_memory, folder_make, folder_remove),
        cmocka_unit_test_setup_teardown(labelling_a_file_without_memory, folder_make, folder_remove),
        cmocka_unit_test(drawing_models_without_memory),
        cmocka_unit_test_setup_teardown(dumping_and_loading_without_memory, folder_make, folder_remove),
        cmocka_unit_test(measuring_confidence_without_memory),
        cmocka_unit_test(fitting_without_memory),
        cmocka_unit_test_setup_teardown(judging_without_memory, folder_make, folder_remove),
        cmocka_unit_test_setup_teardown(the_public_interface_without_memory, folder_make, folder_remove),
        cmocka_unit_test(judging_scores_without_memory),
        cmocka_unit_test(trading_without_memory),
        cmocka_unit_test(keeping_a_point_without_memory),
        cmocka_unit_test_setup_teardown(holding_out_without_memory, folder_make, folder_remove),
        cmocka_unit_test_setup_teardown(simulating_without_memory, folder_make, folder_remove),
        cmocka_unit_test(choosing_without_memory),
        cmocka_unit_test(arrays_of_nothing_are_not_null),
    };
    return cmocka_run_group_tests_name("memory", tests, NULL, NULL);
}
