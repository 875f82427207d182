/*
 * Training, tuning, evaluation and all else that works on files.
 *
 * Every function takes the options of its command as a dict, the files as a tuple, and two objects that watch it:
 * `tell`, a callable that gets every event as a dict (None: none), and `stop`, a bytearray whose first byte any thread
 * of Python sets to 1 to end the call. The library asks for the byte from its own threads, which do not need the GIL
 * for that. Events are told with the GIL, on any of its threads.
 */
#include "py_watched.h"

#include <stdlib.h>

static int must_stop(void *context)
{
    const struct watched *watching = context;
    return __atomic_load_n(watching->stop, __ATOMIC_RELAXED) != 0;
}

/* Tells Python of an event; an exception in there ends the call. */
static void tell_event(void *context, const struct vouch_event *event)
{
    struct watched *watching = context;
    PyGILState_STATE state = PyGILState_Ensure();
    PyObject *dict =
        Py_BuildValue("{s:i,s:N,s:K,s:K,s:d,s:N,s:N,s:N}", "kind", (int)event->kind, "what",
                      text_or_none(event->what), "done", (unsigned long long)event->done, "of",
                      (unsigned long long)event->of, "number", event->number, "note", text_or_none(event->note),
                      "text", text_or_none(event->text), "record", text_or_none(event->record));
    PyObject *result = dict ? PyObject_CallFunctionObjArgs(watching->tell, dict, NULL) : NULL;
    if (!result) {
        PyErr_WriteUnraisable(watching->tell);
        __atomic_store_n(watching->stop, 1, __ATOMIC_RELAXED);
    }
    Py_XDECREF(dict);
    Py_XDECREF(result);
    PyGILState_Release(state);
}

void watched_release(struct watched *call)
{
    vouch_options_free(call->options);
    Py_XDECREF(call->paths);
    free(call->file);
    if (call->byte.obj)
        PyBuffer_Release(&call->byte);
}

static bool take_files(struct watched *call, PyObject *files)
{
    Py_ssize_t count = PyTuple_Size(files);
    call->paths = PyTuple_New(count);
    call->file = calloc((size_t)count + 1, sizeof *call->file);
    if (!call->paths || !call->file) {
        PyErr_NoMemory();
        return false;
    }
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject *path;
        if (!PyUnicode_FSConverter(PyTuple_GetItem(files, i), &path))
            return false;
        PyTuple_SetItem(call->paths, i, path);
        call->file[i] = PyBytes_AsString(path);
    }
    call->count = (size_t)count;
    return true;
}

bool watched_by(struct watched *call, PyObject *tell, PyObject *stop)
{
    if (PyObject_GetBuffer(stop, &call->byte, PyBUF_WRITABLE) != 0)
        return false;
    if (call->byte.len < 1) {
        PyErr_SetString(PyExc_ValueError, "expected a byte to stop by, found none");
        return false;
    }
    call->tell = tell;
    call->stop = call->byte.buf;
    call->watch = (struct vouch_watch){sizeof call->watch, call, tell != Py_None ? tell_event : NULL, must_stop};
    return true;
}

bool watched_take(struct watched *call, const struct core *core, const char *command, PyObject *args)
{
    PyObject *dict, *files, *tell, *stop;
    if (!PyArg_ParseTuple(args, "O!O!OO", &PyDict_Type, &dict, &PyTuple_Type, &files, &tell, &stop) ||
        !watched_by(call, tell, stop))
        return false;
    call->options = options_of_dict(core, command, dict);
    return call->options && take_files(call, files);
}

bool watched_take_with_model(struct watched *call, const struct core *core, const char *command, PyObject *args,
                             const vouch_model **model)
{
    PyObject *first = PyTuple_GetItem(args, 0), *rest = PyTuple_GetSlice(args, 1, PyTuple_Size(args));
    bool ok = first && rest;
    if (ok && first != Py_None && !Py_IS_TYPE(first, core->model)) {
        PyErr_SetString(PyExc_TypeError, "expected a Model or None");
        ok = false;
    }
    if (ok)
        *model = first == Py_None ? NULL : ((struct py_model *)first)->model;
    ok = ok && watched_take(call, core, command, rest);
    Py_XDECREF(rest);
    return ok;
}

/* Runs the statement with the GIL released. */
#define WITHOUT_GIL(statement)                                                                                         \
    do {                                                                                                               \
        PyThreadState *saved = PyEval_SaveThread();                                                                    \
        statement;                                                                                                     \
        PyEval_RestoreThread(saved);                                                                                   \
    } while (0)

/* A pair: the model, and whether learning was stopped before its end. */
PyObject *core_train(PyObject *module, PyObject *args)
{
    const struct core *core = PyModule_GetState(module);
    struct watched call = {0};
    struct vouch_error err = {0};
    vouch_model *model = NULL;
    PyObject *result = NULL;
    if (watched_take(&call, core, "train", args)) {
        WITHOUT_GIL(model = vouch_train(call.options, call.file, call.count, &call.watch, &err));
        PyObject *made = model ? wrap_model(core, model) : raise_error(core, &err);
        if (made)
            result = Py_BuildValue("(NN)", made, PyBool_FromLong(err.status == VOUCH_ERR_STOPPED));
    }
    watched_release(&call);
    return result;
}

PyObject *model_tune(PyObject *self, PyObject *args)
{
    struct watched call = {0};
    struct vouch_error err = {0};
    vouch_model *tuned = NULL;
    PyObject *result = NULL;
    if (watched_take(&call, core_of(self), "tune", args)) {
        WITHOUT_GIL(tuned = vouch_tune(model_of(self), call.options, call.file, call.count, &call.watch, &err));
        result = tuned ? wrap_model(core_of(self), tuned) : raise_error(core_of(self), &err);
    }
    watched_release(&call);
    return result;
}

/* Returns text that the library made, and frees it; NULL with an exception after a failure. */
static PyObject *handed_on(const struct core *core, enum vouch_status status, char *text, const struct vouch_error *err)
{
    PyObject *result = status == VOUCH_OK ? text_or_none(text) : raise_error(core, err);
    vouch_free(text);
    return result;
}

PyObject *core_cross_validate(PyObject *module, PyObject *args)
{
    const struct core *core = PyModule_GetState(module);
    struct watched call = {0};
    struct vouch_error err = {0};
    enum vouch_status status;
    char *json = NULL;
    PyObject *result = NULL;
    if (watched_take(&call, core, "eval", args)) {
        WITHOUT_GIL(status = vouch_cross_validate(call.options, call.file, call.count, &call.watch, &json, &err));
        result = handed_on(core, status, json, &err);
    }
    watched_release(&call);
    return result;
}

PyObject *model_evaluate(PyObject *self, PyObject *args)
{
    struct watched call = {0};
    struct vouch_error err = {0};
    enum vouch_status status;
    char *json = NULL;
    PyObject *result = NULL;
    if (watched_take(&call, core_of(self), "eval", args)) {
        WITHOUT_GIL(status = vouch_evaluate(model_of(self), call.options, call.file, call.count, &call.watch, NULL,
                                            &json, &err));
        result = handed_on(core_of(self), status, json, &err);
    }
    watched_release(&call);
    return result;
}

PyObject *model_forecast(PyObject *self, PyObject *args)
{
    struct watched call = {0};
    struct vouch_error err = {0};
    enum vouch_status status;
    char *json = NULL;
    PyObject *result = NULL;
    if (watched_take(&call, core_of(self), "forecast", args)) {
        WITHOUT_GIL(status = vouch_forecast(model_of(self), call.options, call.file, call.count, &call.watch, NULL,
                                            &json, &err));
        result = handed_on(core_of(self), status, json, &err);
    }
    watched_release(&call);
    return result;
}

/* A pair: JSON, and the model that keeps the operating point, or None. */
PyObject *model_trade(PyObject *self, PyObject *args)
{
    struct watched call = {0};
    struct vouch_error err = {0};
    enum vouch_status status;
    char *json = NULL;
    vouch_model *chosen = NULL;
    PyObject *result = NULL;
    if (watched_take(&call, core_of(self), "trade", args)) {
        WITHOUT_GIL(status = vouch_trade(model_of(self), call.options, call.file, call.count, &call.watch, &chosen,
                                         &json, &err));
        PyObject *text = handed_on(core_of(self), status, json, &err);
        PyObject *model = chosen ? wrap_model(core_of(self), chosen) : Py_NewRef(Py_None);
        if (text && model)
            result = Py_BuildValue("(OO)", text, model);
        Py_XDECREF(text);
        Py_XDECREF(model);
    }
    watched_release(&call);
    return result;
}

/* The first file is the pool, the others are labelled. */
PyObject *model_choose_next(PyObject *self, PyObject *args)
{
    struct watched call = {0};
    struct vouch_error err = {0};
    enum vouch_status status;
    char *text = NULL;
    PyObject *result = NULL;
    if (watched_take(&call, core_of(self), "active", args) && call.count == 0)
        PyErr_SetString(PyExc_ValueError, "expected a file of sentences to choose from, found none");
    else if (call.count > 0) {
        WITHOUT_GIL(status = vouch_choose_next(model_of(self), call.options, call.file[0], call.file + 1,
                                               call.count - 1, &call.watch, NULL, &text, &err));
        result = handed_on(core_of(self), status, text, &err);
    }
    watched_release(&call);
    return result;
}
