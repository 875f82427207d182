/*
 * Answers for the public interface: requests, readers, and sentences one by one, in a stream or in a batch; see
 * vouch.h.
 *
 * All of them take the path of vouch tag and vouch parse (answer/answer.h). A request of the caller asks for the chunks
 * of the labels as well, which the caller may want to see.
 */
#include "answer/answer_stream.h"
#include "answer/model_input.h"
#include "api/asked.h"
#include "base/error.h"
#include "task/task.h"

#include <math.h>

enum { MOST_BEST = 1000 };

struct vouch_reader {
    struct reader *reader;
    bool trees; /* its sentences are trees, for a model that parses */
};

/* Makes a request for the caller, which may want chunks. */
static vouch_request *ask(const vouch_model *model, const struct answer_options *settings, bool words_only,
                          struct vouch_error *err)
{
    struct estimate_request more = {.words_only = words_only};
    vouch_request *request = request_new(model, settings, &more, err);
    if (request)
        request->chunks = true;
    return request;
}

vouch_request *vouch_request_new(const vouch_model *model, const vouch_options *options, struct vouch_error *err)
{
    if (!is_given(model, "a model", err))
        return NULL;
    const struct option_table *table = request_options(model), *found = options ? options->table : table;
    if (found != table) {
        fail(err, VOUCH_ERR_ARGUMENT, "%s: expected options of '%s', found those of '%s'", model->file.name,
             table->command, found->command);
        return NULL;
    }
    struct answer_options usual;
    options_init(table, &usual);
    const struct answer_options *settings = options ? options->values : &usual;
    bool ok = asks_a_model(settings->columns, settings->log, err) && request_options_agree(settings, err);
    return ok ? ask(model, settings, false, err) : NULL;
}

size_t vouch_request_methods(const vouch_request *request)
{
    return request->estimator ? request->estimator->methods : 0;
}

const char *vouch_request_method_name(const vouch_request *request, size_t method)
{
    return method < vouch_request_methods(request) ? request->estimator->layer[0].chosen[method].name : NULL;
}

int vouch_request_is_calibrated(const vouch_request *request, size_t method)
{
    return method < vouch_request_methods(request) && chosen_is_calibrated(request->estimator, (uint32_t)method);
}

/* Settles how to read: without options, as the command for the model does. Commands that answer look for no gold. */
static bool settle(const vouch_model *model, const vouch_options *options, struct reader_options *reading,
                   struct vouch_error *err)
{
    const struct option_table *table = options ? options->table : model ? request_options(model) : &tag_options;
    struct answer_options usual;
    const struct option_spec *format = option_named(table, "format", NULL), *task = option_named(table, "task", NULL);
    bool answers = table == &tag_options || table == &parse_options;
    options_init(&tag_options, &usual);
    const char *values = options ? options->values : (const char *)&usual;
    const char *name = task && options ? option_path(values, task) : NULL;
    if (!(answers ? reading_options_to_answer : reading_options)(
            (const void *)(values + format->offset - offsetof(struct reading_values, format)), reading, err))
        return false;
    reading->trees = table == &parse_options || (name && task_or_any(name)->trees);
    if (model)
        model_input_settle(model, reading);
    return true;
}

/* Takes over `reader`. NULL if that is NULL, or if the model cannot answer what it reads. */
static vouch_reader *wrap(struct reader *reader, bool trees, const vouch_model *model, struct vouch_error *err)
{
    struct vouch_reader *made =
        reader && (!model || model_input_fits(model, reader, err)) ? new_array(1, sizeof *made, err) : NULL;
    if (made)
        *made = (struct vouch_reader){reader, trees};
    else
        reader_close(reader);
    return made;
}

vouch_reader *vouch_reader_open(const char *path, const vouch_model *model, const vouch_options *options,
                                struct vouch_error *err)
{
    struct reader_options reading;
    if (!is_given(path, "the path of a file", err) || !settle(model, options, &reading, err))
        return NULL;
    return wrap(reader_open(path, &reading, err), reading.trees, model, err);
}

vouch_reader *vouch_reader_open_memory(const void *bytes, size_t length, const vouch_model *model,
                                       const vouch_options *options, struct vouch_error *err)
{
    struct reader_options reading;
    if (!is_given(bytes, "the bytes of a file", err) || !settle(model, options, &reading, err))
        return NULL;
    return wrap(reader_open_memory(bytes, length, &reading, err), reading.trees, model, err);
}

void vouch_reader_close(vouch_reader *reader)
{
    if (!reader)
        return;
    reader_close(reader->reader);
    free(reader);
}

int vouch_reader_next(vouch_reader *reader, vouch_sentence *sentence, struct vouch_error *err)
{
    if (!is_given(reader, "a reader", err) || !is_given(sentence, "a sentence", err))
        return READ_FAILED;
    if (sentence->cells)
        sentence_release(&sentence->own); /* cells that the caller set are laid out in another way */
    sentence->cells = false;
    sentence->known = (struct known_answer){0};
    enum reading result = reader_next(reader->reader, &sentence->own, err);
    if (result != READ_SENTENCE)
        sentence->own.N = 0;
    return result;
}

vouch_worker *vouch_worker_new(const vouch_request *request, struct vouch_error *err)
{
    struct vouch_worker *worker = is_given(request, "a request", err) ? new_array(1, sizeof *worker, err) : NULL;
    if (worker && (worker->predictor = predictor_new(request, err)))
        return worker;
    vouch_worker_free(worker);
    return NULL;
}

void vouch_worker_free(vouch_worker *worker)
{
    if (!worker)
        return;
    predictor_free(worker->predictor);
    answer_release(&worker->answer);
    best_release(&worker->best);
    free(worker);
}

const vouch_answer *vouch_worker_answer(vouch_worker *worker, const vouch_sentence *sentence, struct vouch_error *err)
{
    err = err ? err : &(struct vouch_error){0};
    return is_given(worker, "a worker", err) && is_given(sentence, "a sentence", err) &&
                   predictor_answer_caller(worker->predictor, sentence, &worker->answer, err)
               ? &worker->answer
               : NULL;
}

const vouch_best *vouch_worker_best(vouch_worker *worker, const vouch_sentence *sentence, size_t most,
                                    struct vouch_error *err)
{
    err = err ? err : &(struct vouch_error){0};
    if (!is_given(worker, "a worker", err) || !is_given(sentence, "a sentence", err))
        return NULL;
    if (most < 1 || most > MOST_BEST) {
        fail(err, VOUCH_ERR_ARGUMENT, "expected 1 to %d of the best answers, found %zu", MOST_BEST, most);
        return NULL;
    }
    return predictor_best(worker->predictor, sentence, (uint32_t)most, &worker->best, err) ? &worker->best : NULL;
}

/* Makes a request for words alone; NULL if the model does not label. */
static vouch_request *ask_for_labels(const vouch_model *model, bool confidence, struct vouch_error *err)
{
    struct answer_options settings;
    options_init(&tag_options, &settings);
    if (!confidence)
        settings.confidence.methods = "none";
    if (is_given(model, "a model", err) && !model->trees)
        return ask(model, &settings, true, err);
    if (model)
        fail(err, VOUCH_ERR_ARGUMENT, "%s: expected a model that labels, found one that parses", model->file.name);
    return NULL;
}

enum vouch_status vouch_model_label(const vouch_model *model, const char *const *cells, size_t words, size_t columns,
                                    const char **labels, double *confidence, struct vouch_error *err)
{
    err = err ? err : &(struct vouch_error){0};
    if (words > 0 && !is_given(labels, "room for labels", err))
        return VOUCH_ERR_ARGUMENT;
    vouch_request *request = ask_for_labels(model, confidence != NULL, err);
    vouch_worker *worker = request ? vouch_worker_new(request, err) : NULL;
    vouch_sentence *sentence = worker ? vouch_sentence_new(err) : NULL;
    const vouch_answer *answer = sentence && vouch_sentence_set_cells(sentence, cells, words, columns, err) == VOUCH_OK
                                     ? vouch_worker_answer(worker, sentence, err)
                                     : NULL;
    bool calibrated = answer && vouch_answer_is_calibrated(answer, 0);
    for (size_t i = 0; answer && i < words; i++) {
        labels[i] = vouch_answer_label(answer, i);
        if (confidence)
            confidence[i] = calibrated ? vouch_answer_confidence(answer, 0, i) : NAN;
    }
    vouch_sentence_free(sentence);
    vouch_worker_free(worker);
    vouch_request_free(request);
    return status_of(answer != NULL, err);
}

/* The caller's callback. */
struct listener {
    vouch_answer_callback call;
    void *context;
    vouch_sentence *const *sentence; /* the next one that is answered; NULL: they were read */
};

static bool take(void *context, const struct sentence *sentence, const struct vouch_answer *answer,
                 struct vouch_error *err)
{
    struct listener *to = context;
    vouch_sentence read = {.view = sentence};
    return to->call(to->context, to->sentence ? *to->sentence++ : &read, answer) == 0 ||
           fail(err, VOUCH_ERR_STOPPED, "the caller asked to stop");
}

enum vouch_status vouch_answer_stream(const vouch_request *request, vouch_reader *reader,
                                      vouch_answer_callback callback, void *context, struct vouch_error *err)
{
    struct listener listener = {callback, context, NULL};
    struct answer_sink sink = {.take = take, .context = &listener};
    err = err ? err : &(struct vouch_error){0};
    bool ok = is_given(request, "a request", err) && is_given(reader, "a reader", err) &&
              (callback || fail(err, VOUCH_ERR_ARGUMENT, "expected a callback, found NULL"));
    if (ok && reader->trees != request->model->trees) /* a tagger would take the lemma of a tree for its own column */
        ok = fail(err, VOUCH_ERR_ARGUMENT, "expected a reader for a model that %s",
                  request->model->trees ? "parses" : "labels");
    return status_of(ok && answer_stream(request, reader->reader, &sink, err), err);
}

enum vouch_status vouch_answer_batch(const vouch_request *request, vouch_sentence *const *sentences, size_t count,
                                     vouch_answer_callback callback, void *context, struct vouch_error *err)
{
    struct listener listener = {callback, context, sentences};
    struct answer_sink sink = {.take = take, .context = &listener};
    err = err ? err : &(struct vouch_error){0};
    bool ok = is_given(request, "a request", err) && (count == 0 || is_given(sentences, "sentences", err)) &&
              (callback || fail(err, VOUCH_ERR_ARGUMENT, "expected a callback, found NULL")) &&
              answer_batch(request, sentences, count, &sink, err);
    return status_of(ok, err);
}
