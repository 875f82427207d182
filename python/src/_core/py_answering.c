/*
 * Sentences are answered with the GIL released, once for a whole call.
 *
 * First all sentences are taken from Python. Then each of T threads answers a stretch of neighbouring sentences with
 * about as many words as the others', by a worker of its own, and what the threads gathered is joined in order. Names
 * that the model's labels do not determine are numbered by their first occurrence, whatever the threads. The calling
 * thread takes the GIL twenty times a second for a moment, so that Ctrl-C ends the call.
 *
 * If the confidence of a word depends on the other sentences, all of them go to vouch_answer_batch() instead.
 */
#include "py_answering.h"

#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

/* Fewer words than this are not worth a thread. */
enum { WORDS_PER_THREAD = 200 };

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
    const vouch_request *request;
    struct station *station;
    struct signals signals;
    int failed; /* atomic: the first lane that has failed, or -1 after a signal */
};

/* Lets the lanes after one stop. Those before it go on, since the first error counts. */
static void stop_after(struct answering *call, int lane)
{
    int seen = __atomic_load_n(&call->failed, __ATOMIC_RELAXED);
    while (lane < seen &&
           !__atomic_compare_exchange_n(&call->failed, &seen, lane, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        ;
}

/* Answers one sentence of a lane; false with the reason in the lane. */
static bool answer_one(struct lane *lane)
{
    const struct draft *draft = &lane->call->station->draft;
    lane->filling = true;
    if (!draft_fill(draft, lane->at, &lane->filler, lane->sentence, &lane->err))
        return false;
    lane->filling = false;
    const vouch_answer *answer = vouch_worker_answer(lane->worker, lane->sentence, &lane->err);
    if (!answer)
        return false;
    lane->no_memory = !gather_answer(lane->to, &lane->names, answer) || !draft_forms(draft, lane->at, lane->to);
    return !lane->no_memory;
}

static void answer_stretch(struct lane *lane)
{
    struct answering *call = lane->call;
    int number = (int)(lane - call->station->lane);
    for (lane->at = lane->first; lane->at < lane->end; lane->at++) {
        if (__atomic_load_n(&call->failed, __ATOMIC_RELAXED) < number)
            return;
        if (!answer_one(lane)) {
            stop_after(call, number);
            return;
        }
        if (number == 0 && signals_look(&call->signals)) { /* on the calling thread */
            stop_after(call, -1);
            return;
        }
    }
}

static void *run_lane(void *lane)
{
    answer_stretch(lane);
    return NULL;
}

/* Answers all stretches, the first on this thread; one that gets no thread of its own comes after it. */
static void answer_lanes(struct answering *call, size_t lanes)
{
    struct lane *lane = call->station->lane;
    pthread_t *thread = lanes > 1 ? calloc(lanes, sizeof *thread) : NULL;
    size_t begun = 1;
    while (thread && begun < lanes && pthread_create(&thread[begun], NULL, run_lane, lane + begun) == 0)
        begun++;
    answer_stretch(lane);
    for (size_t i = begun; i < lanes; i++)
        answer_stretch(lane + i);
    for (size_t i = 1; i < begun; i++)
        pthread_join(thread[i], NULL);
    free(thread);
}

/* Numbers the model's labels, and the types that chunks of them have. */
static bool number_labels(struct names *names, const vouch_model *model)
{
    int32_t number;
    bool ok = true;
    for (size_t i = 0; ok && i < vouch_model_label_count(model); i++)
        ok = names_number(names, vouch_model_label_name(model, i), &number);
    for (size_t i = 0; ok && i < vouch_model_label_count(model); i++) {
        const char *label = vouch_model_label_name(model, i);
        if (label[0] && label[1] == '-' && label[2])
            ok = names_number(names, label + 2, &number);
    }
    return ok;
}

/* Makes what a lane keeps; false with the reason. */
static bool lane_prepare(struct lane *lane, const vouch_model *model, const vouch_request *request, bool worker,
                         struct vouch_error *err)
{
    if (!lane->names.count && !number_labels(&lane->names, model)) {
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
    names_release(&lane->names);
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
    station->known = station->known ? station->known : station->lane->names.count;
    return true;
}

/* Begins a call: stretches of sentences for each lane. */
static bool lanes_begin(struct answering *call, size_t lanes, struct gathered *to)
{
    const struct draft *draft = &call->station->draft;
    size_t sentences = draft_sentences(draft), words = draft_words(draft), end = 0;
    bool ok = true;
    for (size_t i = 0; i < lanes; i++) {
        struct lane *lane = call->station->lane + i;
        lane->first = end;
        while (end < sentences && (i + 1 == lanes || draft_word(draft, end) < words / lanes * (i + 1)))
            end++;
        lane->end = end;
        lane->call = call;
        lane->err = (struct vouch_error){0};
        lane->no_memory = lane->filling = false;
        lane->to = i == 0 ? to : &lane->part;
        lane->begun = ok && i > 0;
        names_forget(&lane->names, call->station->known);
        ok = ok && (i == 0 || gathered_begin(&lane->part, to->methods, to->trees));
        ok = ok && gathered_reserve(lane->to, i == 0 ? sentences : lane->end - lane->first,
                                    i == 0 ? words : draft_word(draft, end) - draft_word(draft, lane->first));
    }
    return ok;
}

/* Appends what a lane has gathered to the arrays of the first. */
static bool lane_join(struct lane *first, struct lane *lane)
{
    int32_t *number = malloc((lane->names.count + 1) * sizeof *number);
    bool ok = number != NULL;
    for (size_t i = 0; ok && i < lane->names.count; i++)
        ok = names_number(&first->names, lane->names.name[i], &number[i]);
    ok = ok && gathered_append(first->to, &lane->part, number);
    free(number);
    return ok;
}

/* Joins all lanes, and sets the exception of the first sentence that failed. */
static bool lanes_end(const struct core *core, struct answering *call, size_t lanes)
{
    struct lane *lane = call->station->lane;
    const struct lane *failed = NULL;
    bool ok = !call->signals.interrupted, no_memory = false;
    for (size_t i = 0; i < lanes; i++)
        if (!failed && (lane[i].no_memory || lane[i].err.status != VOUCH_OK))
            failed = lane + i;
    for (size_t i = 1; ok && !failed && i < lanes; i++)
        ok = !(no_memory = !lane_join(lane, lane + i));
    for (size_t i = 1; i < lanes; i++)
        if (lane[i].begun)
            gathered_release(&lane[i].part);
    if (call->signals.interrupted)
        return false;
    if (no_memory || (failed && failed->no_memory))
        PyErr_NoMemory();
    else if (failed && failed->filling && failed->err.status == VOUCH_ERR_ARGUMENT)
        PyErr_Format(PyExc_ValueError, "sentence %zu, %s", failed->at + 1, failed->err.message);
    else if (failed)
        raise_error_in(core, &failed->err, failed->at);
    return ok && !failed;
}

/* Answers by workers; false with an exception. */
static bool answer_by_workers(const struct core *core, struct answering *call, size_t lanes, struct gathered *to)
{
    bool begun = lanes_begin(call, lanes, to);
    if (begun) {
        signals_begin(&call->signals);
        answer_lanes(call, lanes);
        signals_end(&call->signals);
    } else {
        call->station->lane->no_memory = true;
    }
    return lanes_end(core, call, lanes) && begun;
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
    t->no_memory = !gather_answer(t->to, &t->lane->names, answer) || !draft_forms(t->draft, t->at++, t->to);
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
        names_forget(&station->lane->names, station->known);
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
    const struct names *names = &station->lane->names;
    if (names->count == station->known && station->as_tuple) {
        arrays->names = Py_NewRef(station->as_tuple);
        return true;
    }
    arrays->names = tuple_of_names(names);
    if (arrays->names && names->count == station->known)
        station->as_tuple = Py_NewRef(arrays->names);
    return arrays->names != NULL;
}

/* Returns on how many threads a draft is answered. */
static size_t lanes_for(const struct draft *draft, unsigned threads)
{
    size_t most = draft_words(draft) / WORDS_PER_THREAD, sentences = draft_sentences(draft);
    most = most < sentences ? most : sentences;
    most = most < threads ? most : threads;
    return most > 1 ? most : 1;
}

PyObject *answer_sentences(const struct core *core, const vouch_model *model, const vouch_request *request,
                           unsigned threads, struct station *station, PyObject *iterable)
{
    struct vouch_error err = {0};
    struct answering call = {.request = request, .station = station, .failed = INT_MAX};
    station->draft.attributes = vouch_model_takes_attributes(model);
    struct py_arrays *arrays = NULL;
    bool ok = draft_take_all(&station->draft, iterable);
    size_t lanes = ok ? lanes_for(&station->draft, threads) : 1;
    if (ok && !station_prepare(station, model, request, lanes, threads != 0, &err)) {
        raise_error(core, &err);
        ok = false;
    }
    if (ok)
        arrays = arrays_new(core, vouch_request_methods(request), vouch_model_parses(model));
    ok = arrays && (threads == 0 ? answer_as_text(core, request, station, &arrays->gathered)
                                 : answer_by_workers(core, &call, lanes, &arrays->gathered)) &&
         set_names(arrays, station);
    if (!ok)
        Py_CLEAR(arrays);
    draft_clear(&station->draft);
    return (PyObject *)arrays;
}
