/*
 * Sentences of Python answered by a model: first all are taken from Python, then workers answer them on several threads
 * (py_stretches.c).
 *
 * If the confidence of a word depends on the other sentences, all of them go to vouch_answer_batch() instead.
 */
#include "py_answering.h"
#include "py_floats.h"

#include <stdlib.h>

/* Answers the sentence that a lane is at; false with the reason in the lane. */
static bool answer_one(struct stretch *stretch)
{
    struct lane *lane = (struct lane *)stretch;
    const struct draft *draft = stretch->call->source;
    lane->filling = true;
    if (!draft_fill(draft, stretch->at, &lane->filler, lane->sentence, &stretch->err))
        return false;
    lane->filling = false;
    const vouch_answer *answer = vouch_worker_answer(lane->worker, lane->sentence, &stretch->err);
    if (!answer)
        return false;
    stretch->no_memory =
        !gather_answer(stretch->to, &stretch->names, answer) || !draft_forms(draft, stretch->at, stretch->to);
    return !stretch->no_memory;
}

/* Numbers the model's labels, and the types that chunks of them have. */
static bool number_labels(struct names *names, const vouch_model *model)
{
    int32_t number;
    bool ok = true;
    for (size_t i = 0; ok && i < vouch_model_label_count(model); i++)
        ok = names_number(names, vouch_model_label_name(model, i), &number);
    return ok && names_add_types(names);
}

/* Makes what a lane keeps; false with the reason. */
static bool lane_prepare(struct lane *lane, const vouch_model *model, const vouch_request *request, bool worker,
                         struct vouch_error *err)
{
    if (!lane->stretch.names.count && !number_labels(&lane->stretch.names, model)) {
        names_release(&lane->stretch.names);
        err->status = VOUCH_ERR_MEMORY;
        return false;
    }
    return (lane->sentence || (lane->sentence = vouch_sentence_new(err))) &&
           (!worker || lane->worker || (lane->worker = vouch_worker_new(request, err)));
}

static void lane_release(struct lane *lane)
{
    vouch_worker_free(lane->worker);
    vouch_sentence_free(lane->sentence);
    filler_release(&lane->filler);
    names_release(&lane->stretch.names);
}

void station_free(struct station *station)
{
    for (size_t i = 0; i < station->lanes; i++)
        lane_release(station->lane + i);
    free(station->lane);
    draft_release(&station->draft);
    Py_XDECREF(station->as_tuple);
    free(station);
}

/* Makes sure that the station has so many lanes. */
static bool station_prepare(struct station *station, const vouch_model *model, const vouch_request *request,
                            size_t lanes, bool workers, struct vouch_error *err)
{
    if (lanes > station->lanes) {
        struct lane *grown = realloc(station->lane, lanes * sizeof *grown);
        if (!grown) {
            err->status = VOUCH_ERR_MEMORY;
            return false;
        }
        memset(grown + station->lanes, 0, (lanes - station->lanes) * sizeof *grown);
        station->lane = grown;
        station->lanes = lanes;
    }
    for (size_t i = 0; i < lanes; i++)
        if (!lane_prepare(station->lane + i, model, request, workers, err))
            return false;
    station->known = station->known ? station->known : station->lane->stretch.names.count;
    return true;
}

/* Sets the exception of a call that failed. */
static void raise_failure(const struct core *core, const struct stretches *call)
{
    const struct stretch *failed = stretches_failed(call);
    if (call->signals.interrupted)
        return;
    if (!failed || failed->no_memory)
        PyErr_NoMemory();
    else if (((const struct lane *)failed)->filling && failed->err.status == VOUCH_ERR_ARGUMENT)
        PyErr_Format(PyExc_ValueError, "sentence %zu, %s", failed->at + 1, failed->err.message);
    else
        raise_error_in(core, &failed->err, failed->at);
}

static size_t words_before(const void *draft, size_t sentence)
{
    return draft_word(draft, sentence);
}

/* Answers by workers; false with an exception. */
static bool answer_by_workers(const struct core *core, struct station *station, size_t lanes, struct gathered *to)
{
    struct stretch **of = calloc(lanes, sizeof *of);
    struct stretches call = {.of = of,
                             .count = of ? lanes : 0,
                             .known = station->known,
                             .answer = answer_one,
                             .source = &station->draft,
                             .words_before = words_before};
    for (size_t i = 0; i < call.count; i++)
        of[i] = &station->lane[i].stretch;
    bool ok = of && stretches_answer(&call, draft_sentences(&station->draft), to);
    if (!ok)
        raise_failure(core, &call);
    free(of);
    return ok;
}

/* All sentences as one text. */
struct text_call {
    struct gathered *to;
    struct lane *lane;
    const struct draft *draft;
    struct signals signals;
    size_t at;
    bool no_memory;
};

static int take_answer(void *context, const vouch_sentence *sentence, const vouch_answer *answer)
{
    struct text_call *t = context;
    (void)sentence;
    t->no_memory = !gather_answer(t->to, &t->lane->stretch.names, answer) || !draft_forms(t->draft, t->at++, t->to);
    return t->no_memory || signals_look(&t->signals);
}

/* Fills all sentences; false with an exception. */
static bool fill_all(const struct core *core, struct station *station, vouch_sentence **sentence)
{
    struct vouch_error err = {0};
    for (size_t i = 0; i < draft_sentences(&station->draft); i++) {
        sentence[i] = vouch_sentence_new(&err);
        if (!sentence[i] || !draft_fill(&station->draft, i, &station->lane->filler, sentence[i], &err)) {
            raise_error_in(core, &err, i);
            return false;
        }
    }
    return true;
}

/* Answers as one text; false with an exception. */
static bool answer_as_text(const struct core *core, const vouch_request *request, struct station *station,
                           struct gathered *to)
{
    struct vouch_error err = {0};
    size_t count = draft_sentences(&station->draft);
    struct text_call t = {.to = to, .lane = station->lane, .draft = &station->draft};
    vouch_sentence **sentence = calloc(count + 1, sizeof(vouch_sentence *));
    bool ok = sentence && fill_all(core, station, sentence);
    if (ok) {
        names_forget(&station->lane->stretch.names, station->known);
        signals_begin(&t.signals);
        ok = vouch_answer_batch(request, sentence, count, take_answer, &t, &err) == VOUCH_OK;
        signals_end(&t.signals);
        if (!ok && !t.no_memory && !t.signals.interrupted)
            raise_error(core, &err);
    }
    if (!sentence || t.no_memory)
        PyErr_NoMemory();
    for (size_t i = 0; sentence && i < count; i++)
        vouch_sentence_free(sentence[i]);
    free(sentence);
    return ok;
}

/* Gives the arrays their names; the usual ones are kept. */
static bool set_names(struct py_arrays *arrays, struct station *station)
{
    const struct names *names = &station->lane->stretch.names;
    if (names->count == station->known && station->as_tuple) {
        arrays->names = Py_NewRef(station->as_tuple);
        return true;
    }
    arrays->names = tuple_of_names(names);
    if (arrays->names && names->count == station->known)
        station->as_tuple = Py_NewRef(arrays->names);
    return arrays->names != NULL;
}

/* Takes the vectors of all words; false with an exception. */
static bool vectors_take(struct draft *draft, struct floats *floats, PyObject *pieces, size_t dimensions)
{
    size_t words = draft_words(draft);
    if (dimensions > 0 && words > SIZE_MAX / dimensions) {
        PyErr_NoMemory();
        return false;
    }
    if (!floats_take(floats, pieces, words * dimensions))
        return false;
    draft->vectors = floats->at;
    draft->dimensions = dimensions;
    return true;
}

/* Takes the sentences, and what is beside them; false with an exception. */
static bool draft_take_asked(struct draft *draft, const vouch_model *model, const struct asked *asked,
                             struct floats *floats)
{
    bool vectors = asked->vectors && asked->vectors != Py_None;
    draft->attributes = vouch_model_takes_attributes(model);
    return draft_take_all(draft, asked->sentences) &&
           (!vectors || vectors_take(draft, floats, asked->vectors, vouch_model_dimensions(model))) &&
           (!asked->labels || known_take(&draft->known, asked->labels, asked->heads, draft_words(draft)));
}

/* Returns new Arrays of the answers; NULL with an exception. */
static PyObject *answer_all(const struct core *core, const vouch_model *model, const vouch_request *request,
                            unsigned threads, struct station *station)
{
    struct vouch_error err = {0};
    size_t lanes = stretches_worth(draft_sentences(&station->draft), draft_words(&station->draft), threads);
    if (!station_prepare(station, model, request, lanes, threads != 0, &err))
        return raise_error(core, &err);
    struct py_arrays *arrays = arrays_new(core, vouch_request_methods(request), vouch_model_parses(model));
    bool ok = arrays && (threads == 0 ? answer_as_text(core, request, station, &arrays->gathered)
                                      : answer_by_workers(core, station, lanes, &arrays->gathered)) &&
              set_names(arrays, station);
    if (!ok)
        Py_CLEAR(arrays);
    return (PyObject *)arrays;
}

/* Returns a list of the best answers to each sentence; NULL with an exception. */
static PyObject *find_best(const struct core *core, const vouch_model *model, const vouch_request *request,
                           struct station *station, size_t most)
{
    struct vouch_error err = {0};
    if (!station_prepare(station, model, request, 1, true, &err))
        return raise_error(core, &err);
    PyObject *list = PyList_New(0);
    for (size_t i = 0; list && i < draft_sentences(&station->draft); i++) {
        PyObject *best =
            best_of_sentence(core, &station->draft, i, station->lane, most, vouch_model_parses(model));
        if (!best || PyErr_CheckSignals() != 0 || PyList_Append(list, best) != 0)
            Py_CLEAR(list);
        Py_XDECREF(best);
    }
    return list;
}

PyObject *answer_sentences(const struct core *core, const vouch_model *model, const vouch_request *request,
                           unsigned threads, struct station *station, const struct asked *asked)
{
    struct floats floats = {0};
    PyObject *made = NULL;
    if (draft_take_asked(&station->draft, model, asked, &floats))
        made = asked->most ? find_best(core, model, request, station, asked->most)
                           : answer_all(core, model, request, threads, station);
    known_release(&station->draft.known);
    draft_clear(&station->draft);
    floats_release(&floats);
    return made;
}
