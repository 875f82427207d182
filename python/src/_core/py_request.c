/*
 * The type Request: what is asked of a model, to be used for any number of calls by any number of threads. Making one
 * takes longer than answering a sentence, so vouch/_model.py keeps the last.
 */
#include "py_core.h"

/* A request, and the model that must outlive it. Neither changes. */
struct py_request {
    PyObject ob_base;
    vouch_request *request;
    struct py_model *model;
};

PyObject *model_request(PyObject *self, PyObject *args)
{
    PyObject *dict;
    const struct core *core = PyType_GetModuleState(Py_TYPE(self));
    const vouch_model *model = ((struct py_model *)self)->model;
    struct vouch_error err = {0};
    if (!PyArg_ParseTuple(args, "O!:request", &PyDict_Type, &dict))
        return NULL;
    vouch_options *options = options_of_dict(core, vouch_model_parses(model) ? "parse" : "tag", dict);
    if (!options)
        return NULL;
    vouch_request *request = vouch_request_new(model, options, &err);
    vouch_options_free(options);
    if (!request)
        return raise_error(core, &err);
    struct py_request *made = PyObject_New(struct py_request, core->request);
    if (!made) {
        vouch_request_free(request);
        return NULL;
    }
    made->request = request;
    made->model = (struct py_model *)Py_NewRef(self);
    return (PyObject *)made;
}

static void request_dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    struct py_request *request = (struct py_request *)self;
    vouch_request_free(request->request);
    Py_DECREF(request->model);
    PyObject_Free(self);
    Py_DECREF(type);
}

/* Sentences in, arrays out: see py_answers.c. */
static PyObject *request_answer(PyObject *self, PyObject *iterable)
{
    const struct core *core = PyType_GetModuleState(Py_TYPE(self));
    const struct py_request *request = (struct py_request *)self;
    const vouch_model *model = request->model->model;
    struct sentences sentences = {0};
    PyObject *arrays = NULL;
    if (sentences_take(&sentences, core, iterable, vouch_model_takes_attributes(model)))
        arrays = answer_sentences(core, model, request->request, &sentences);
    sentences_release(&sentences);
    return arrays;
}

static PyMethodDef methods[] = {
    {"answer", request_answer, METH_O, "answer(sentences)\n--\n\nAnswers sentences: a dict of arrays."},
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
