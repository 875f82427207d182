/*
 * Training and evaluation.
 *
 * Both are watched through two objects of Python: `tell`, a callable that gets every event as a dict (None: none), and
 * `stop`, a bytearray whose first byte any thread of Python sets to 1 to end the call. The library asks for the byte
 * from its own threads, which do not need the GIL for that. Events are told with the GIL, on any of its threads.
 */
#include "py_core.h"

#include <stdlib.h>

/* What a call is watched by. */
struct watching {
    PyObject *tell;
    char *stop; /* the bytearray's; it is exported, so it stays */
};

static PyObject *text_or_none(const char *text)
{
    return text ? PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text), "replace") : Py_NewRef(Py_None);
}

static int must_stop(void *context)
{
    const struct watching *watching = context;
    return __atomic_load_n(watching->stop, __ATOMIC_RELAXED) != 0;
}

/* Tells Python of an event; an exception in there ends the call. */
static void tell_event(void *context, const struct vouch_event *event)
{
    struct watching *watching = context;
    PyGILState_STATE state = PyGILState_Ensure();
    PyObject *dict =
        Py_BuildValue("{s:i,s:N,s:K,s:K,s:d,s:N,s:N}", "kind", (int)event->kind, "what", text_or_none(event->what),
                      "done", (unsigned long long)event->done, "of", (unsigned long long)event->of, "number",
                      event->number, "text", text_or_none(event->text), "record", text_or_none(event->record));
    PyObject *result = dict ? PyObject_CallFunctionObjArgs(watching->tell, dict, NULL) : NULL;
    if (!result) {
        PyErr_WriteUnraisable(watching->tell);
        __atomic_store_n(watching->stop, 1, __ATOMIC_RELAXED);
    }
    Py_XDECREF(dict);
    Py_XDECREF(result);
    PyGILState_Release(state);
}

/* The arguments of both functions. */
struct call {
    vouch_options *options;
    PyObject *paths; /* a tuple of bytes */
    const char **file;
    size_t count;
    Py_buffer stop;
    struct watching watching;
    struct vouch_watch watch;
};

static void call_release(struct call *call)
{
    vouch_options_free(call->options);
    Py_XDECREF(call->paths);
    free(call->file);
    if (call->stop.obj)
        PyBuffer_Release(&call->stop);
}

static bool take_files(struct call *call, PyObject *files)
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

static bool call_take(struct call *call, const struct core *core, const char *command, PyObject *args)
{
    PyObject *dict, *files, *stop;
    if (!PyArg_ParseTuple(args, "O!O!OO", &PyDict_Type, &dict, &PyTuple_Type, &files, &call->watching.tell, &stop) ||
        PyObject_GetBuffer(stop, &call->stop, PyBUF_WRITABLE) != 0)
        return false;
    if (call->stop.len < 1) {
        PyErr_SetString(PyExc_ValueError, "expected a byte to stop by, found none");
        return false;
    }
    call->watching.stop = call->stop.buf;
    call->watch = (struct vouch_watch){sizeof call->watch, &call->watching, NULL, must_stop};
    if (call->watching.tell != Py_None)
        call->watch.tell = tell_event;
    call->options = options_of_dict(core, command, dict);
    return call->options && take_files(call, files);
}

PyObject *core_train(PyObject *module, PyObject *args)
{
    const struct core *core = PyModule_GetState(module);
    struct call call = {0};
    struct vouch_error err = {0};
    vouch_model *model = NULL;
    PyObject *result = NULL;
    if (call_take(&call, core, "train", args)) {
        Py_BEGIN_ALLOW_THREADS model = vouch_train(call.options, call.file, call.count, &call.watch, &err);
        Py_END_ALLOW_THREADS result = model ? wrap_model(core, model) : raise_error(core, &err);
    }
    call_release(&call);
    return result;
}

PyObject *model_evaluate(PyObject *self, PyObject *args)
{
    const struct core *core = PyType_GetModuleState(Py_TYPE(self));
    const vouch_model *model = ((struct py_model *)self)->model;
    struct call call = {0};
    struct vouch_error err = {0};
    enum vouch_status status;
    char *json = NULL;
    PyObject *result = NULL;
    if (call_take(&call, core, "eval", args)) {
        Py_BEGIN_ALLOW_THREADS status =
            vouch_evaluate(model, call.options, call.file, call.count, &call.watch, NULL, &json, &err);
        Py_END_ALLOW_THREADS result = status == VOUCH_OK ? text_or_none(json) : raise_error(core, &err);
        vouch_free(json);
    }
    call_release(&call);
    return result;
}
