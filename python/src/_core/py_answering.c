/*
 * Sentences are answered with the GIL released, once for a whole call.
 *
 * First all sentences are taken from Python. Then they are answered one by one by a worker that the request keeps, or
 * by vouch_answer_batch() if there are several threads or the confidence of a word depends on the other sentences. The
 * GIL is taken twenty times a second for a moment, so that Ctrl-C ends the call.
 */
#include "py_core.h"

#include <time.h>

static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void signals_begin(struct signals *signals)
{
    *signals = (struct signals){.looked = seconds_now()};
    signals->thread = PyEval_SaveThread();
}

void signals_end(struct signals *signals)
{
    PyEval_RestoreThread(signals->thread);
}

bool signals_look(struct signals *signals)
{
    double now = seconds_now();
    if (now - signals->looked < 0.05)
        return signals->interrupted;
    signals->looked = now;
    PyEval_RestoreThread(signals->thread);
    signals->interrupted = PyErr_CheckSignals() != 0;
    signals->thread = PyEval_SaveThread();
    return signals->interrupted;
}

/* A call while the GIL is released. */
struct answering {
    struct station *station;
    struct gathered *to;
    struct signals signals;
    bool no_memory;
};

static int take_answer(void *context, const vouch_sentence *sentence, const vouch_answer *answer)
{
    struct answering *a = context;
    (void)sentence;
    a->no_memory = !gather_answer(a->to, &a->station->names, answer);
    return a->no_memory || signals_look(&a->signals);
}

/* Answers one by one, on this thread. *at is the sentence that failed. */
static bool answer_here(struct answering *a, const vouch_request *request, size_t *at, struct vouch_error *err)
{
    struct station *station = a->station;
    bool ok = station->worker || (station->worker = vouch_worker_new(request, err));
    for (*at = 0; ok && *at < station->sentences.count; *at += ok) {
        const vouch_answer *answer = vouch_worker_answer(station->worker, station->sentences.at[*at], err);
        ok = answer && take_answer(a, NULL, answer) == 0;
    }
    return ok;
}

static bool answer_batch(struct answering *a, const vouch_request *request, struct vouch_error *err)
{
    vouch_sentence *none[1] = {NULL};
    const struct sentences *sentences = &a->station->sentences;
    return vouch_answer_batch(request, sentences->count > 0 ? sentences->at : none, sentences->count, take_answer, a,
                              err) == VOUCH_OK;
}

/* Numbers the model's labels first, once. */
static bool number_labels(struct names *names, const vouch_model *model)
{
    int32_t number;
    bool ok = true;
    for (size_t i = 0; ok && names->count < vouch_model_label_count(model) && i < vouch_model_label_count(model); i++)
        ok = names_number(names, vouch_model_label_name(model, i), &number);
    return ok;
}

/* Gives the arrays their names; the tuple is made again only if there are new ones. */
static bool set_names(struct py_arrays *arrays, struct station *station)
{
    if (!station->as_tuple || (size_t)PyTuple_Size(station->as_tuple) != station->names.count) {
        Py_XDECREF(station->as_tuple);
        station->as_tuple = tuple_of_names(&station->names);
    }
    arrays->names = Py_XNewRef(station->as_tuple);
    return arrays->names != NULL;
}

static bool answer_into(const struct core *core, const vouch_request *request, bool batch, struct station *station,
                        struct gathered *to)
{
    struct vouch_error err = {0};
    size_t at = 0;
    struct answering a = {.station = station, .to = to};
    signals_begin(&a.signals);
    bool ok = batch ? answer_batch(&a, request, &err) : answer_here(&a, request, &at, &err);
    signals_end(&a.signals);
    if (a.no_memory)
        PyErr_NoMemory();
    else if (!ok && !a.signals.interrupted && batch)
        raise_error(core, &err);
    else if (!ok && !a.signals.interrupted)
        raise_error_in(core, &err, at);
    return ok;
}

PyObject *answer_sentences(const struct core *core, const vouch_model *model, const vouch_request *request,
                           unsigned threads, struct station *station, PyObject *iterable)
{
    struct py_arrays *arrays = arrays_new(core, vouch_request_methods(request), vouch_model_parses(model));
    if (!arrays)
        return NULL;
    struct gathered *to = &arrays->gathered;
    struct sentences *sentences = &station->sentences;
    bool ok = sentences_take(sentences, core, iterable, vouch_model_takes_attributes(model), to);
    if (ok && !(number_labels(&station->names, model) && gathered_reserve(to, sentences->count, sentences->words))) {
        PyErr_NoMemory();
        ok = false;
    }
    bool batch = threads == 0 || (threads > 1 && sentences->count > 1);
    ok = ok && answer_into(core, request, batch, station, to) && set_names(arrays, station);
    if (!ok)
        Py_CLEAR(arrays);
    return (PyObject *)arrays;
}
