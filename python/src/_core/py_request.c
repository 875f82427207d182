/*
 * The type Request: what is asked of a model, to be used for any number of calls by any number of threads. Making one,
 * or a worker for it, takes longer than answering a sentence. So vouch/_model.py keeps requests, and a request keeps
 * the stations of its calls: a call takes one that is free, or makes one, and gives it back. There are as many as calls
 * were under way at once. They depend on the request alone, which never changes. The list is only touched with the GIL.
 */
#include "py_answering.h"

#include <stdlib.h>

/* A request, and the model that must outlive it. */
struct py_request {
    PyObject ob_base;
    vouch_request *request;
    struct py_model *model;
    PyObject *methods;    /* as in Arrays */
    unsigned threads;     /* 0: all sentences must be answered as one text */
    struct station *free; /* a list */
};

static PyObject *methods_of(const vouch_request *request)
{
    size_t count = vouch_request_methods(request);
    PyObject *tuple = PyTuple_New((Py_ssize_t)count);
    for (size_t m = 0; tuple && m < count; m++) {
        PyObject *pair = Py_BuildValue("(sN)", vouch_request_method_name(request, m),
                                       PyBool_FromLong(vouch_request_is_calibrated(request, m)));
        if (pair)
            PyTuple_SetItem(tuple, (Py_ssize_t)m, pair);
        else
            Py_CLEAR(tuple);
    }
    return tuple;
}

/* Returns the option "threads"; 0 if a method looks at all sentences, so that no worker can compute it. */
static unsigned threads_of(const vouch_request *request, const vouch_options *options)
{
    char text[32] = "";
    for (size_t m = 0; m < vouch_request_methods(request); m++)
        if (strstr(vouch_request_method_name(request, m), "+text"))
            return 0;
    if (vouch_options_get(options, "threads", text, sizeof text, NULL) != VOUCH_OK)
        return 1;
    return (unsigned)strtoul(text, NULL, 10);
}

/* Returns a new Request, which owns `request` even if it fails. */
static PyObject *wrap_request(const struct core *core, PyObject *model, vouch_request *request, unsigned threads)
{
    PyObject *methods = methods_of(request);
    struct py_request *made = methods ? PyObject_New(struct py_request, core->request) : NULL;
    if (!made) {
        Py_XDECREF(methods);
        vouch_request_free(request);
        return NULL;
    }
    made->request = request;
    made->model = (struct py_model *)Py_NewRef(model);
    made->methods = methods;
    made->threads = threads;
    made->free = NULL;
    return (PyObject *)made;
}

PyObject *model_request(PyObject *self, PyObject *args)
{
    PyObject *dict;
    const struct core *core = core_of(self);
    const vouch_model *model = model_of(self);
    struct vouch_error err = {0};
    if (!PyArg_ParseTuple(args, "O!:request", &PyDict_Type, &dict))
        return NULL;
    vouch_options *options = options_of_dict(core, vouch_model_parses(model) ? "parse" : "tag", dict);
    if (!options)
        return NULL;
    vouch_request *request = vouch_request_new(model, options, &err);
    unsigned threads = request ? threads_of(request, options) : 0;
    vouch_options_free(options);
    return request ? wrap_request(core, self, request, threads) : raise_error(core, &err);
}

static void request_dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    struct py_request *request = (struct py_request *)self;
    while (request->free) {
        struct station *station = request->free;
        request->free = station->next;
        station_free(station);
    }
    vouch_request_free(request->request);
    Py_DECREF(request->model);
    Py_DECREF(request->methods);
    PyObject_Free(self);
    Py_DECREF(type);
}

static struct station *station_take(struct py_request *request)
{
    struct station *station = request->free;
    if (station)
        request->free = station->next;
    else if (!(station = calloc(1, sizeof *station)))
        PyErr_NoMemory();
    return station;
}

static void station_give_back(struct py_request *request, struct station *station)
{
    station->next = request->free;
    request->free = station;
}

static PyObject *answer(PyObject *self, const struct asked *asked)
{
    const struct core *core = core_of(self);
    struct py_request *request = (struct py_request *)self;
    struct station *station = station_take(request);
    if (!station)
        return NULL;
    PyObject *made =
        answer_sentences(core, request->model->model, request->request, request->threads, station, asked);
    if (made && !asked->most)
        ((struct py_arrays *)made)->methods = Py_NewRef(request->methods);
    station_give_back(request, station);
    return made;
}

static PyObject *request_answer(PyObject *self, PyObject *iterable)
{
    return answer(self, &(struct asked){.sentences = iterable});
}

/* answer_with(sentences, vectors, labels, heads): all but the first may be None; those of all words */
static PyObject *request_answer_with(PyObject *self, PyObject *args)
{
    struct asked asked = {0};
    bool ok = PyArg_ParseTuple(args, "OOOO:answer_with", &asked.sentences, &asked.vectors, &asked.labels, &asked.heads);
    return ok ? answer(self, &asked) : NULL;
}

/* best(sentences, vectors, labels, heads, most): likewise */
static PyObject *request_best(PyObject *self, PyObject *args)
{
    struct asked asked = {0};
    Py_ssize_t most;
    if (!PyArg_ParseTuple(args, "OOOOn:best", &asked.sentences, &asked.vectors, &asked.labels, &asked.heads, &most))
        return NULL;
    if (most < 1)
        return PyErr_Format(PyExc_ValueError, "expected at least 1 of the best answers, found %zd", most);
    asked.most = (size_t)most;
    return answer(self, &asked);
}

static PyMethodDef methods[] = {
    {"answer", request_answer, METH_O, "answer(sentences)\n--\n\nAnswers sentences: Arrays."},
    {"answer_with", request_answer_with, METH_VARARGS,
     "answer_with(sentences, vectors, labels, heads)\n--\n\nAnswers sentences, with what is known: Arrays."},
    {"best", request_best, METH_VARARGS,
     "best(sentences, vectors, labels, heads, most)\n--\n\nThe best whole answers to each, as lists of tuples."},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot slots[] = {
    {Py_tp_dealloc, request_dealloc},
    {Py_tp_methods, methods},
    {0, NULL},
};

PyType_Spec request_spec = {
    .name = "vouch._core.Request",
    .basicsize = sizeof(struct py_request),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = slots,
};
