/*
 * Tests the public interface, second part: sentences, readers, requests, workers, answers and batches. However a
 * sentence gets to the model, its answer is the same, to the bit.
 */
#include "task/template.h"
#include "answer/operating_point.h"

#include "small_models.h"

#include "must.h"
#include "test.h"

static const char *const voices[] = {"cw", "crf", NULL};

static vouch_model *open_tagger(void)
{
    json_t *confidence = json_loads(SMALL_CONFIDENCE_MODEL, 0, NULL);
    vouch_model *model = vouch_model_open(small_tagger("tagger", voices, confidence), &err);
    MUST(model);
    return model;
}

static vouch_model *open_parser(void)
{
    vouch_model *model = vouch_model_open(small_parser("parser", voices, NULL), &err);
    MUST(model);
    return model;
}

/* Sets options of the command that the model is for, as name, value, ..., NULL. */
static vouch_options *options_for(const vouch_model *model, ...)
{
    vouch_options *options = vouch_options_new(vouch_model_parses(model) ? "parse" : "tag", &err);
    va_list list;
    MUST(options);
    va_start(list, model);
    for (const char *name; (name = va_arg(list, const char *));)
        MUST(vouch_options_set(options, name, va_arg(list, const char *), &err) == VOUCH_OK);
    va_end(list);
    return options;
}

/* All numbers and names of an answer, as text; numbers in hexadecimal. */
struct told {
    char text[1 << 17];
    size_t length;
};

static void tell(struct told *t, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    t->length += (size_t)vsnprintf(t->text + t->length, sizeof t->text - t->length, format, list);
    va_end(list);
    assert_true(t->length < sizeof t->text);
}

static void tell_word(struct told *t, const vouch_answer *a, size_t i)
{
    const char *label = vouch_answer_label(a, i);
    tell(t, "%s %zd%s", label ? label : "-", (ssize_t)vouch_answer_head(a, i),
         vouch_answer_is_doubtful(a, i) ? " ?" : "");
    for (size_t m = 0; m < vouch_answer_methods(a); m++)
        tell(t, " %a %a", vouch_answer_confidence(a, m, i), vouch_answer_relation_confidence(a, m, i));
    for (size_t k = 0; k < vouch_answer_alternatives(a, i); k++) {
        size_t head;
        double probability;
        assert_int_equal(vouch_answer_alternative(a, i, k, &label, &head, &probability), 1);
        tell(t, " %s:%zd:%a", label ? label : "-", (ssize_t)head, probability);
    }
    tell(t, "\n");
}

static void tell_answer(struct told *t, const vouch_answer *a)
{
    for (size_t m = 0; m < vouch_answer_methods(a); m++)
        tell(t, "%s %d %a\n", vouch_answer_method_name(a, m), vouch_answer_is_calibrated(a, m),
             vouch_answer_sentence_confidence(a, m));
    for (size_t i = 0; i < vouch_answer_words(a); i++)
        tell_word(t, a, i);
    for (size_t s = 0; s < vouch_answer_spans(a); s++) {
        size_t from, to;
        const char *type;
        assert_int_equal(vouch_answer_span(a, s, &from, &to, &type), 1);
        tell(t, "%zu-%zu %s", from, to, type);
        for (size_t m = 0; m < vouch_answer_methods(a); m++)
            tell(t, " %a", vouch_answer_span_confidence(a, m, s));
        tell(t, "\n");
    }
    tell(t, "\n");
}

static int listen(void *context, const vouch_sentence *sentence, const vouch_answer *answer)
{
    assert_int_equal(vouch_sentence_words(sentence), vouch_answer_words(answer));
    tell_answer(context, answer);
    return 0;
}

/* Reads all sentences; *count becomes their number. */
static vouch_sentence **read_all(vouch_reader *reader, size_t *count)
{
    vouch_sentence **all = calloc(100, sizeof *all);
    int state = 1;
    MUST(reader);
    for (*count = 0; state == 1; ++*count) {
        all[*count] = vouch_sentence_new(&err);
        MUST((state = vouch_reader_next(reader, all[*count], &err)) >= 0);
    }
    vouch_sentence_free(all[--*count]);
    vouch_reader_close(reader);
    return all;
}

static void free_all(vouch_sentence **all, size_t count)
{
    for (size_t i = 0; i < count; i++)
        vouch_sentence_free(all[i]);
    free(all);
}

/* Compares every way from a file to answers. */
static void compare_ways(const vouch_model *model, const char *path, const vouch_options *one,
                         const vouch_options *three)
{
    static struct told expected, found;
    vouch_request *request = vouch_request_new(model, one, &err), *many = vouch_request_new(model, three, &err);
    MUST(request && many);
    expected.length = 0;
    vouch_reader *reader = vouch_reader_open(path, model, one, &err);
    MUST(reader && vouch_answer_stream(request, reader, listen, &expected, &err) == VOUCH_OK);
    vouch_reader_close(reader);
    assert_true(expected.length > 50);

    char *text = folder_get(path);
    found.length = 0;
    reader = vouch_reader_open_memory(text, strlen(text), model, NULL, &err);
    MUST(reader && vouch_answer_stream(many, reader, listen, &found, &err) == VOUCH_OK);
    vouch_reader_close(reader);
    assert_string_equal(found.text, expected.text);

    size_t count;
    vouch_sentence **all = read_all(vouch_reader_open(path, model, NULL, &err), &count);
    for (int threads = 1; threads <= 3; threads += 2) {
        found.length = 0;
        MUST(vouch_answer_batch(threads > 1 ? many : request, all, count, listen, &found, &err) == VOUCH_OK);
        assert_string_equal(found.text, expected.text);
    }
    vouch_worker *worker = vouch_worker_new(many, &err);
    found.length = 0;
    for (size_t i = 0; i < count; i++) {
        const vouch_answer *answer = vouch_worker_answer(worker, all[i], i % 2 ? &err : NULL);
        MUST(answer);
        tell_answer(&found, answer);
    }
    assert_string_equal(found.text, expected.text);
    free_all(all, count);
    free(text);
    vouch_worker_free(worker);
    vouch_request_free(request);
    vouch_request_free(many);
}

TEST_IN_FOLDER(every_way_leads_to_the_same_answers)
{
    for (int tree = 0; tree < 2; tree++) {
        vouch_model *model = tree ? open_parser() : open_tagger();
        char *path = strdup(folder_file(tree ? "trees" : "tags"));
        const char *asked = tree ? "gamma,delta" : "gamma@crf,kd-fix,committee";
        vouch_options *one = options_for(model, "confidence", asked, "alternatives", "3", "threshold", "0.7", NULL);
        vouch_options *three =
            options_for(model, "confidence", asked, "alternatives", "3", "threshold", "0.7", "threads", "3", NULL);
        compare_ways(model, path, one, three);
        vouch_options_free(one);
        vouch_options_free(three);
        one = options_for(model, "confidence", "none", NULL);
        three = options_for(model, "threads", "3", "confidence", "none", NULL);
        compare_ways(model, path, one, three);
        vouch_options_free(one);
        vouch_options_free(three);
        free(path);
        vouch_model_close(model);
    }
}

/* Compares the caller's cells with a file that has the same, for a tagger and a parser. */
TEST_IN_FOLDER(cells_are_a_sentence_like_any_other)
{
    static const char *const tags[] = {"Zola", "NNP", "saw", "VBD", "Paris", "NNP"};
    static const char *const words[] = {"Ada", "Ada", "PROPN", "NNP", "_", "saw",    "see",    "VERB", "VBD", "_",
                                        "the", "the", "DET",   "DT",  "_", "bridge", "bridge", "NOUN", "NN",  "_"};
    static struct told expected, found;
    for (int tree = 0; tree < 2; tree++) {
        vouch_model *model = tree ? open_parser() : open_tagger();
        const char *text = tree ? SMALL_TREES : "Zola NNP\nsaw VBD\nParis NNP\n\n";
        vouch_options *options = options_for(model, "confidence", "gamma,delta", NULL);
        vouch_request *request = vouch_request_new(model, options, &err);
        vouch_worker *worker = vouch_worker_new(request, &err);
        vouch_reader *reader = vouch_reader_open_memory(text, strlen(text), model, options, &err);
        vouch_sentence *sentence = vouch_sentence_new(&err);
        MUST(worker && reader && sentence);
        for (int round = 0; round < 2; round++) { /* one sentence for both */
            expected.length = found.length = 0;
            if (round == 0) {
                MUST(vouch_reader_next(reader, sentence, &err) == 1);
                tell_answer(&expected, vouch_worker_answer(worker, sentence, &err));
            }
            MUST(vouch_sentence_set_cells(sentence, tree ? words : tags, tree ? 4 : 3, tree ? 5 : 2, &err) == VOUCH_OK);
            const vouch_answer *answer = vouch_worker_answer(worker, sentence, &err);
            MUST(answer);
            tell_answer(&found, answer);
            if (round == 0)
                assert_string_equal(found.text, expected.text);
            size_t length;
            const char *word = vouch_sentence_word(sentence, tree ? 1 : 2, &length);
            assert_int_equal(length, tree ? 3 : 5);
            assert_memory_equal(word, tree ? "saw" : "Paris", length);
            assert_null(vouch_sentence_word(sentence, 9, &length));
        }
        vouch_sentence_free(sentence);
        vouch_reader_close(reader);
        vouch_worker_free(worker);
        vouch_request_free(request);
        vouch_options_free(options);
        vouch_model_close(model);
    }
    vouch_sentence_free(NULL);
    vouch_reader_close(NULL);
    vouch_worker_free(NULL);
    vouch_request_free(NULL);
}

/* A parser accepts words without further columns, in one cell each. */
TEST_IN_FOLDER(a_parser_needs_no_more_than_forms)
{
    static const char *const forms[] = {"the", "bridge", "fell"};
    vouch_model *model = open_parser();
    vouch_request *request = vouch_request_new(model, NULL, &err);
    vouch_worker *worker = vouch_worker_new(request, &err);
    vouch_sentence *sentence = vouch_sentence_new(&err);
    MUST(vouch_sentence_set_cells(sentence, forms, 3, 1, &err) == VOUCH_OK);
    const vouch_answer *answer = vouch_worker_answer(worker, sentence, &err);
    MUST(answer);
    size_t roots = 0;
    for (size_t i = 0; i < 3; i++) {
        assert_true(vouch_answer_head(answer, i) <= 3);
        assert_non_null(vouch_answer_label(answer, i));
        roots += vouch_answer_head(answer, i) == 0;
    }
    assert_int_equal(roots, 1);
    assert_int_equal(vouch_answer_methods(answer), 0); /* it was not calibrated */
    assert_int_equal(vouch_request_methods(request), 0);
    vouch_sentence_free(sentence);
    vouch_worker_free(worker);
    vouch_request_free(request);
    vouch_model_close(model);
}

/* Beyond the last of anything there is nothing. */
TEST_IN_FOLDER(what_is_out_of_range_is_not_there)
{
    static const char *const cells[] = {"Ada", "NNP"};
    vouch_model *model = open_tagger();
    vouch_options *options = options_for(model, "confidence", "gamma@crf", "alternatives", "1000", NULL);
    vouch_request *request = vouch_request_new(model, options, &err);
    vouch_worker *worker = vouch_worker_new(request, &err);
    vouch_sentence *sentence = vouch_sentence_new(&err);
    MUST(worker);
    const vouch_answer *a = vouch_worker_answer(worker, sentence, &err); /* of no words */
    MUST(a);
    assert_int_equal(vouch_answer_words(a), 0);
    assert_true(isnan(vouch_answer_sentence_confidence(a, 0)));
    MUST(vouch_sentence_set_cells(sentence, cells, 1, 2, &err) == VOUCH_OK);
    a = vouch_worker_answer(worker, sentence, &err);
    MUST(a);
    assert_string_equal(vouch_request_method_name(request, 0), "gamma@crf");
    assert_null(vouch_request_method_name(request, 1));
    assert_int_equal(vouch_request_is_calibrated(request, 0), 1);
    assert_int_equal(vouch_request_is_calibrated(request, 1), 0);
    assert_null(vouch_answer_label(a, 1));
    assert_true(vouch_answer_head(a, 0) == (size_t)-1 && vouch_answer_head(a, 1) == (size_t)-1);
    assert_null(vouch_answer_method_name(a, 1));
    assert_int_equal(vouch_answer_is_calibrated(a, 1), 0);
    assert_true(vouch_answer_confidence(a, 0, 0) >= 0.2 && vouch_answer_confidence(a, 0, 0) <= 0.8);
    assert_true(isnan(vouch_answer_confidence(a, 0, 1)) && isnan(vouch_answer_confidence(a, 1, 0)));
    assert_true(isnan(vouch_answer_relation_confidence(a, 0, 0)));
    assert_true(isnan(vouch_answer_sentence_confidence(a, 1)));
    assert_true(isnan(vouch_answer_span_confidence(a, 0, 9)));
    assert_int_equal(vouch_answer_span(a, vouch_answer_spans(a), NULL, NULL, NULL), 0);
    assert_int_equal(vouch_answer_alternatives(a, 1), 0);
    size_t count = vouch_answer_alternatives(a, 0);
    assert_true(count > 1 && count <= vouch_model_label_count(model));
    assert_int_equal(vouch_answer_alternative(a, 0, count, NULL, NULL, NULL), 0);
    assert_int_equal(vouch_answer_alternative(a, 0, 0, NULL, NULL, NULL), 1);
    assert_int_equal(vouch_answer_is_doubtful(a, 0), 0); /* there is no threshold */
    vouch_sentence_free(sentence);
    vouch_worker_free(worker);
    vouch_request_free(request);
    vouch_options_free(options);
    vouch_model_close(model);
}

/* Returns the labels of one sentence, one after the other, and its chunks as from-to:type. */
static const char *labels_by(const vouch_model *model, const vouch_options *options, const char *const *cells,
                             size_t words)
{
    static struct told told;
    vouch_request *request = vouch_request_new(model, options, &err);
    MUST(request);
    vouch_worker *worker = vouch_worker_new(request, &err);
    vouch_sentence *sentence = vouch_sentence_new(&err);
    MUST(vouch_sentence_set_cells(sentence, cells, words, 2, &err) == VOUCH_OK);
    const vouch_answer *answer = vouch_worker_answer(worker, sentence, &err);
    MUST(answer);
    told.length = 0;
    for (size_t i = 0; i < words; i++)
        tell(&told, "%s%s ", vouch_answer_label(answer, i), vouch_answer_is_doubtful(answer, i) ? "?" : "");
    for (size_t s = 0, from, to; s < vouch_answer_spans(answer); s++) {
        const char *type;
        vouch_answer_span(answer, s, &from, &to, &type);
        tell(&told, "%zu-%zu:%s%s ", from, to, type, isnan(vouch_answer_span_confidence(answer, 0, s)) ? " new" : "");
    }
    vouch_sentence_free(sentence);
    vouch_worker_free(worker);
    vouch_request_free(request);
    return told.text;
}

static const char *const lovelace[] = {"Ada", "NNP", "Lovelace", "NNP", "lives", "VBZ", "in", "IN", "Paris", "NNP"};

TEST_IN_FOLDER(doubtful_labels_are_flagged_or_replaced)
{
    vouch_model *model = open_tagger();
    vouch_options *options = options_for(model, "confidence", "gamma", NULL);
    assert_string_equal(labels_by(model, options, lovelace, 5), "B-PER I-PER O O B-LOC 0-2:PER 4-5:LOC ");
    MUST(vouch_options_set(options, "threshold", "1", &err) == VOUCH_OK);
    assert_string_equal(labels_by(model, options, lovelace, 5), "B-PER? I-PER? O? O? B-LOC? 0-2:PER 4-5:LOC ");
    MUST(vouch_options_set(options, "replace", "B-doubt", &err) == VOUCH_OK);
    assert_string_equal(labels_by(model, options, lovelace, 5),
                        "B-doubt? B-doubt? B-doubt? B-doubt? B-doubt? 0-1:doubt new 1-2:doubt new 2-3:doubt new "
                        "3-4:doubt new 4-5:doubt ");
    MUST(vouch_options_set(options, "threshold", "0", &err) == VOUCH_OK);
    assert_string_equal(labels_by(model, options, lovelace, 5), "B-PER I-PER O O B-LOC 0-2:PER 4-5:LOC ");
    vouch_options_free(options);
    vouch_model_close(model);
}

/* Returns the model, with this operating point in its header. */
static vouch_model *with_point(const vouch_model *model, const struct operating_point *point)
{
    json_t *header = json_deep_copy(model->header);
    struct output *out = output_open(folder_file("pointed"), &err);
    json_object_set_new(header, "operating_point", operating_point_json(point));
    MUST(out && model_write_again(out, model, header, &err) && output_commit(out, &err));
    json_decref(header);
    vouch_model *pointed = vouch_model_open(folder_file("pointed"), &err);
    MUST(pointed);
    return pointed;
}

TEST_IN_FOLDER(an_operating_point_changes_labels_and_chunks)
{
    struct operating_point point = {.direction = TOWARDS_PRECISION, .threshold = 2, .method = "gamma"};
    vouch_model *model = open_tagger(), *pointed = with_point(model, &point);
    vouch_options *options = options_for(pointed, "operating-point", "true", NULL);
    assert_null(vouch_request_new(model, options, &err));
    assert_int_equal(err.status, VOUCH_ERR_ARGUMENT);
    assert_non_null(strstr(err.message, "this model has no operating point"));
    assert_string_equal(labels_by(pointed, options, lovelace, 5), "O O O O O ");
    vouch_model_close(pointed);

    point = (struct operating_point){.threshold = -1, .merge_types = true, .method = "gamma"};
    pointed = with_point(model, &point);
    assert_string_equal(labels_by(pointed, options, lovelace, 5),
                        "B-entity I-entity O O B-entity 0-2:entity 4-5:entity ");
    MUST(vouch_options_set(options, "raw", "true", &err) == VOUCH_OK);
    assert_null(vouch_request_new(pointed, options, &err));
    assert_non_null(strstr(err.message, "--operating-point has a method"));
    vouch_options_free(options);
    vouch_model_close(pointed);
    vouch_model_close(model);
}

/* Returns a model of ready-made attributes, whose values matter. */
static vouch_model *open_attributes(void)
{
    static const char *const one[] = {"crf", NULL};
    static char text[] = "A\tx:2\ty\nB\ty:3\n\nB\ty\tx:0.1\nA\tx:3\n\nA\tx\n\nB\ty\n\n";
    struct corpus corpus;
    struct model_layer layer[MAX_LAYERS];
    char *paths[] = {strdup(folder_put("attributes.txt", text))};
    struct corpus_plan plan = {.task = task_named("pos"),
                               .template = template_builtin("attributes"),
                               .template_name = "attributes",
                               .cutoff = 1,
                               .reading = {FORMAT_CRFSUITE, GOLD_LAST}};
    MUST(corpus_read(&corpus, &plan, paths, 1, NULL, &err));
    struct dataset dataset = corpus.dataset;
    small_layers(&dataset, one, layer);
    struct model_content content = {.task = "pos",
                                    .template = corpus.template,
                                    .labels = &corpus.labels,
                                    .vocabulary = &corpus.vocabulary,
                                    .layer = layer,
                                    .layers = 1};
    small_write(&content, NULL, folder_file("attributes"));
    small_layers_free(layer, 1);
    corpus_release(&corpus);
    free(paths[0]);
    vouch_model *model = vouch_model_open(folder_file("attributes"), &err);
    MUST(model);
    return model;
}

TEST_IN_FOLDER(attributes_have_values)
{
    static const char *const both[] = {"x", "y", "y", NULL};
    static const float much_x[] = {5, 0.1f, 1, 0}, much_y[] = {0.1f, 5, 1, 0};
    static const float bad[] = {1, INFINITY, 1, 1};
    static const char *const file = "_\tx:5\ty:0.1\n_\ty\n\n";
    static struct told x, y, read;
    vouch_model *model = open_attributes();
    assert_int_equal(vouch_model_takes_attributes(model), 1);
    vouch_options *options = options_for(model, "confidence", "gamma", NULL);
    vouch_request *request = vouch_request_new(model, options, &err);
    vouch_worker *worker = vouch_worker_new(request, &err);
    vouch_sentence *sentence = vouch_sentence_new(&err);
    MUST(worker);
    MUST(vouch_sentence_set_attributes(sentence, both, much_x, 2, 2, &err) == VOUCH_OK);
    tell_answer(&x, vouch_worker_answer(worker, sentence, &err));
    MUST(vouch_sentence_set_attributes(sentence, both, much_y, 2, 2, &err) == VOUCH_OK);
    tell_answer(&y, vouch_worker_answer(worker, sentence, &err));
    assert_string_not_equal(x.text, y.text);
    vouch_reader *reader = vouch_reader_open_memory(file, strlen(file), model, options, &err);
    MUST(reader && vouch_answer_stream(request, reader, listen, &read, &err) == VOUCH_OK);
    assert_string_equal(read.text, x.text);
    MUST(vouch_sentence_set_attributes(sentence, both, NULL, 2, 2, &err) == VOUCH_OK);
    assert_non_null(vouch_worker_answer(worker, sentence, &err));
    assert_int_equal(vouch_sentence_set_attributes(sentence, both, bad, 2, 2, &err), VOUCH_ERR_ARGUMENT);
    assert_int_equal(vouch_sentence_words(sentence), 0);
    MUST(vouch_sentence_set_cells(sentence, both, 1, 2, &err) == VOUCH_OK);
    assert_null(vouch_worker_answer(worker, sentence, &err));
    assert_int_equal(err.status, VOUCH_ERR_ARGUMENT);
    assert_non_null(strstr(err.message, "ready-made attributes"));
    vouch_reader_close(reader);
    vouch_sentence_free(sentence);
    vouch_worker_free(worker);
    vouch_request_free(request);
    vouch_options_free(options);
    vouch_model_close(model);
}

/* Faults are the caller's (ARGUMENT) or the file's (FORMAT), and neither harms the worker. */
TEST_IN_FOLDER(every_fault_has_the_right_status)
{
    static const char *const cells[] = {"Ada", "NNP"};
    vouch_model *tags = open_tagger(), *trees = open_parser();
    vouch_options *of_tag = options_for(tags, NULL), *of_parse = options_for(trees, NULL);
    vouch_request *request = vouch_request_new(tags, of_tag, &err);
    vouch_worker *worker = vouch_worker_new(request, &err);
    vouch_sentence *sentence = vouch_sentence_new(&err);
    MUST(worker && sentence);
    assert_null(vouch_request_new(tags, of_parse, &err));
    assert_int_equal(err.status, VOUCH_ERR_ARGUMENT);
    assert_non_null(strstr(err.message, "expected options of 'tag', found those of 'parse'"));
    assert_null(vouch_request_new(trees, of_tag, NULL));
    assert_null(vouch_request_new(NULL, NULL, &err));
    assert_null(vouch_worker_new(NULL, &err));
    assert_int_equal(err.status, VOUCH_ERR_ARGUMENT);

    MUST(vouch_sentence_set_cells(sentence, cells, 2, 1, &err) == VOUCH_OK);
    assert_null(vouch_worker_answer(worker, sentence, &err));
    assert_int_equal(err.status, VOUCH_ERR_ARGUMENT);
    assert_string_equal(err.message, "expected at least 2 columns, found 1");
    MUST(vouch_sentence_set_attributes(sentence, cells, NULL, 1, 2, &err) == VOUCH_OK);
    assert_null(vouch_worker_answer(worker, sentence, &err));
    assert_int_equal(err.status, VOUCH_ERR_ARGUMENT);
    assert_null(vouch_worker_answer(worker, NULL, &err));
    assert_null(vouch_worker_answer(NULL, sentence, &err));

    /* Too few columns in a file are the file's fault, and a tree is nothing to label. */
    vouch_reader *reader = vouch_reader_open_memory("Ada\n\n", 5, tags, NULL, &err);
    MUST(reader && vouch_reader_next(reader, sentence, &err) == 1);
    assert_null(vouch_worker_answer(worker, sentence, &err));
    assert_int_equal(err.status, VOUCH_ERR_FORMAT);
    vouch_reader_close(reader);
    reader = vouch_reader_open_memory(SMALL_TREES, strlen(SMALL_TREES), NULL, of_parse, &err);
    MUST(reader && vouch_reader_next(reader, sentence, &err) == 1);
    assert_null(vouch_worker_answer(worker, sentence, &err));
    assert_int_equal(err.status, VOUCH_ERR_ARGUMENT);
    vouch_reader_close(reader);

    MUST(vouch_sentence_set_cells(sentence, cells, 1, 2, &err) == VOUCH_OK);
    assert_non_null(vouch_worker_answer(worker, sentence, &err));
    static const struct {
        const char *name[2], *value[2];
    } bad[] = {{{"confidence"}, {"nonsense"}},
               {{"confidence", "threshold"}, {"none", "0.5"}},
               {{"replace"}, {"O"}},
               {{"threshold"}, {"0.5"}},
               {{"raw"}, {"true"}}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        vouch_options *options = options_for(tags, NULL);
        for (int o = 0; o < 2 && bad[i].name[o]; o++)
            MUST(vouch_options_set(options, bad[i].name[o], bad[i].value[o], &err) == VOUCH_OK);
        err = (struct vouch_error){0};
        assert_null(vouch_request_new(tags, options, i % 2 ? &err : NULL));
        assert_int_equal(err.status, i % 2 ? VOUCH_ERR_ARGUMENT : VOUCH_OK);
        vouch_options_free(options);
    }
    vouch_sentence_free(sentence);
    vouch_worker_free(worker);
    vouch_request_free(request);
    vouch_options_free(of_tag);
    vouch_options_free(of_parse);
    vouch_model_close(tags);
    vouch_model_close(trees);
}

TEST_IN_FOLDER(readers_know_all_formats)
{
    static const struct {
        const char *text, *format;
        size_t sentences, words;
    } each[] = {{"Ada NNP\nleft VBD\n\nZola NNP\n\n", "conll", 2, 3},
                {"Ada left\nZola wrote it\n", "plain", 2, 5},
                {"{\"tokens\": [[\"Ada\", \"NNP\"]]}\n", "jsonl", 1, 1},
                {SMALL_TREES, "conllu", 3, 10},
                {"-DOCSTART- -X-\n\nAda NNP\n\n", "conll", 2, 2}};
    for (size_t i = 0; i < sizeof each / sizeof *each; i++) {
        vouch_options *options = vouch_options_new("tag", &err);
        MUST(vouch_options_set(options, "format", each[i].format, &err) == VOUCH_OK);
        if (strcmp(each[i].format, "conllu") == 0)
            MUST(vouch_options_set(options, "column", "upos", &err) == VOUCH_OK);
        size_t count, words = 0, marks = 0;
        vouch_sentence **all =
            read_all(vouch_reader_open_memory(each[i].text, strlen(each[i].text), NULL, options, &err), &count);
        for (size_t s = 0; s < count; s++) {
            words += vouch_sentence_words(all[s]);
            marks += vouch_sentence_is_mark(all[s]) != 0;
            assert_null(vouch_sentence_fault(all[s]));
        }
        assert_int_equal(count, each[i].sentences);
        assert_int_equal(words, each[i].words);
        assert_int_equal(marks, i == 4);
        free_all(all, count);
        vouch_options_free(options);
    }
}

TEST_IN_FOLDER(files_that_cannot_be_read_say_why)
{
    vouch_model *trees = open_parser(), *tags = open_tagger();
    vouch_options *options = vouch_options_new("tag", &err);
    vouch_sentence *sentence = vouch_sentence_new(&err);
    assert_null(vouch_reader_open(NULL, NULL, NULL, &err));
    assert_int_equal(err.status, VOUCH_ERR_ARGUMENT);
    assert_null(vouch_reader_open(folder_file("nothing"), NULL, NULL, &err));
    assert_int_equal(err.status, VOUCH_ERR_IO);
    assert_null(vouch_reader_open_memory(NULL, 0, NULL, NULL, &err));
    assert_int_equal(err.status, VOUCH_ERR_ARGUMENT);
    assert_null(vouch_reader_open_memory("a b\n", 4, trees, NULL, &err));
    assert_int_equal(err.status, VOUCH_ERR_FORMAT);
    assert_int_equal(vouch_options_set(options, "format", "nonsense", &err), VOUCH_ERR_ARGUMENT);
    MUST(vouch_options_set(options, "format", "crfsuite", &err) == VOUCH_OK);
    assert_null(vouch_reader_open_memory("_\ta\n", 4, tags, options, &err));
    assert_int_equal(err.status, VOUCH_ERR_FORMAT);
    assert_non_null(strstr(err.message, "memory: expected columns"));

    /* A bad line ends the reading, or is reported in its place. */
    static const char lines[] =
        "{\"tokens\": [[\"Ada\", \"NNP\"]]}\n{\"tokens\": 5}\n{\"tokens\": [[\"in\", \"IN\"]]}\n";
    vouch_reader *reader = vouch_reader_open_memory(lines, strlen(lines), tags, NULL, &err);
    MUST(reader && vouch_reader_next(reader, sentence, &err) == 1);
    assert_int_equal(vouch_reader_next(reader, sentence, &err), -1);
    assert_int_equal(err.status, VOUCH_ERR_FORMAT);
    assert_int_equal(vouch_sentence_words(sentence), 0);
    assert_int_equal(vouch_reader_next(NULL, sentence, &err), -1);
    assert_int_equal(vouch_reader_next(reader, NULL, NULL), -1);
    vouch_reader_close(reader);
    MUST(vouch_options_set(options, "format", "jsonl", &err) == VOUCH_OK);
    MUST(vouch_options_set(options, "on-error", "report", &err) == VOUCH_OK);
    size_t count;
    vouch_sentence **all = read_all(vouch_reader_open_memory(lines, strlen(lines), tags, options, &err), &count);
    assert_int_equal(count, 3);
    assert_non_null(strstr(vouch_sentence_fault(all[1]), "tokens"));
    assert_null(vouch_sentence_fault(all[2]));
    free_all(all, count);
    vouch_sentence_free(sentence);
    vouch_options_free(options);
    vouch_model_close(trees);
    vouch_model_close(tags);
}

static int stop_at_two(void *context, const vouch_sentence *sentence, const vouch_answer *answer)
{
    int *calls = context;
    (void)sentence;
    (void)answer;
    return ++*calls == 2;
}

/* A reader of trees is not one for a model that labels, nor the other way round. */
TEST_IN_FOLDER(a_stream_refuses_the_other_kind_of_reader)
{
    vouch_model *model[] = {open_tagger(), open_parser()};
    for (int i = 0; i < 2; i++) {
        int calls = 0;
        vouch_request *request = vouch_request_new(model[i], NULL, &err);
        vouch_options *options = options_for(model[!i], NULL);
        const char *text = i ? "Ada NNP\n\n" : SMALL_TREES;
        vouch_reader *reader = vouch_reader_open_memory(text, strlen(text), NULL, options, &err);
        MUST(request && reader);
        assert_int_equal(vouch_answer_stream(request, reader, stop_at_two, &calls, &err), VOUCH_ERR_ARGUMENT);
        assert_string_equal(err.message, i ? "expected a reader for a model that parses"
                                           : "expected a reader for a model that labels");
        assert_int_equal(calls, 0);
        vouch_reader_close(reader);
        vouch_options_free(options);
        vouch_request_free(request);
    }
    vouch_model_close(model[0]);
    vouch_model_close(model[1]);
}

TEST_IN_FOLDER(a_callback_stops_it)
{
    vouch_model *model = open_tagger();
    for (int threads = 1; threads <= 3; threads += 2) {
        vouch_options *options = options_for(model, "threads", threads > 1 ? "3" : "1", NULL);
        vouch_request *request = vouch_request_new(model, options, &err);
        vouch_reader *reader = vouch_reader_open(folder_file("tags"), model, NULL, &err);
        int calls = 0;
        assert_int_equal(vouch_answer_stream(request, reader, stop_at_two, &calls, &err), VOUCH_ERR_STOPPED);
        assert_int_equal(calls, 2);
        assert_int_equal(vouch_answer_stream(request, reader, NULL, NULL, &err), VOUCH_ERR_ARGUMENT);
        assert_int_equal(vouch_answer_stream(NULL, reader, stop_at_two, NULL, &err), VOUCH_ERR_ARGUMENT);
        assert_int_equal(vouch_answer_stream(request, NULL, stop_at_two, NULL, NULL), VOUCH_ERR_ARGUMENT);
        vouch_reader_close(reader);

        size_t count;
        vouch_sentence **all = read_all(vouch_reader_open(folder_file("tags"), model, NULL, &err), &count);
        calls = 0;
        assert_int_equal(vouch_answer_batch(request, all, count, stop_at_two, &calls, &err), VOUCH_ERR_STOPPED);
        assert_int_equal(calls, 2);
        assert_int_equal(vouch_answer_batch(request, all, count, NULL, NULL, &err), VOUCH_ERR_ARGUMENT);
        assert_int_equal(vouch_answer_batch(request, NULL, 1, stop_at_two, &calls, NULL), VOUCH_ERR_ARGUMENT);
        assert_int_equal(vouch_answer_batch(request, NULL, 0, stop_at_two, &calls, &err), VOUCH_OK);

        /* Sentences before one that cannot be answered are handed on. */
        static const char *const few[] = {"Ada"};
        MUST(vouch_sentence_set_cells(all[1], few, 1, 1, &err) == VOUCH_OK);
        calls = 0;
        assert_int_equal(vouch_answer_batch(request, all, count, stop_at_two, &calls, &err), VOUCH_ERR_ARGUMENT);
        assert_string_equal(err.message, "sentence 2: expected at least 2 columns, found 1");
        assert_int_equal(calls, 1);
        free_all(all, count);
        vouch_request_free(request);
        vouch_options_free(options);
    }
    vouch_model_close(model);
}

TEST_IN_FOLDER(gold_is_checked)
{
    static const char *const cells[] = {"a", "b", "c"}, *const labels[] = {"X", "Y", "Z"},
                             *const none[] = {"X", "", "Z"};
    static const size_t tree[] = {2, 0, 2}, cycle[] = {2, 1, 0}, itself[] = {1, 0, 2}, beyond[] = {2, 0, 4};
    vouch_sentence *s = vouch_sentence_new(&err);
    assert_int_equal(vouch_sentence_set_gold(s, labels, NULL, &err), VOUCH_ERR_ARGUMENT);
    assert_string_equal(err.message, "expected a sentence whose cells or attributes have been set, found one without");
    MUST(vouch_sentence_set_cells(s, cells, 3, 1, &err) == VOUCH_OK);
    MUST(vouch_sentence_set_gold(s, labels, tree, &err) == VOUCH_OK);
    MUST(vouch_sentence_set_gold(s, NULL, tree, &err) == VOUCH_OK);
    MUST(vouch_sentence_set_gold(s, labels, NULL, &err) == VOUCH_OK);
    assert_int_equal(vouch_sentence_set_gold(s, none, NULL, &err), VOUCH_ERR_ARGUMENT);
    assert_int_equal(vouch_sentence_set_gold(s, labels, cycle, &err), VOUCH_ERR_ARGUMENT);
    assert_non_null(strstr(err.message, "cycle"));
    assert_int_equal(vouch_sentence_set_gold(s, labels, itself, &err), VOUCH_ERR_ARGUMENT);
    assert_int_equal(vouch_sentence_set_gold(s, labels, beyond, &err), VOUCH_ERR_ARGUMENT);
    assert_int_equal(vouch_sentence_set_gold(s, NULL, NULL, &err), VOUCH_ERR_ARGUMENT);
    assert_int_equal(vouch_sentence_set_gold(NULL, labels, NULL, NULL), VOUCH_ERR_ARGUMENT);
    vouch_sentence_free(s);
}
