/* How far annotators agree, the files of their tools, and classes of words. */
#include "py_watched.h"

/* agree(model or None, options, files, tell, stop): JSON */
PyObject *core_agree(PyObject *module, PyObject *args)
{
    const struct core *core = PyModule_GetState(module);
    struct watched call = {0};
    struct vouch_error err = {0};
    const vouch_model *model = NULL;
    enum vouch_status status;
    char *json = NULL;
    PyObject *result = NULL;
    if (watched_take_with_model(&call, core, "agree", args, &model)) {
        Py_BEGIN_ALLOW_THREADS
        status = vouch_agree(model, call.options, call.file, call.count, &call.watch, &json, &err);
        Py_END_ALLOW_THREADS
        result = status == VOUCH_OK ? text_or_none(json) : raise_error(core, &err);
    }
    vouch_free(json);
    watched_release(&call);
    return result;
}

/* cluster(options, files, tell, stop): a lexicon, as text */
PyObject *core_cluster(PyObject *module, PyObject *args)
{
    const struct core *core = PyModule_GetState(module);
    struct watched call = {0};
    struct vouch_error err = {0};
    enum vouch_status status;
    char *text = NULL;
    PyObject *result = NULL;
    if (watched_take(&call, core, "cluster", args)) {
        Py_BEGIN_ALLOW_THREADS
        status = vouch_cluster(call.options, call.file, call.count, &call.watch, &text, &err);
        Py_END_ALLOW_THREADS
        result = status == VOUCH_OK ? text_or_none(text) : raise_error(core, &err);
    }
    vouch_free(text);
    watched_release(&call);
    return result;
}

/* convert(path or None, options, files, tell, stop): a pair of JSON, and the bytes of what would be in the file */
PyObject *core_convert(PyObject *module, PyObject *args)
{
    const struct core *core = PyModule_GetState(module);
    struct watched call = {0};
    struct vouch_error err = {0};
    enum vouch_status status;
    char *text = NULL, *json = NULL;
    PyObject *path = NULL, *result = NULL, *rest = PyTuple_GetSlice(args, 1, PyTuple_Size(args));
    PyObject *first = rest ? PyTuple_GetItem(args, 0) : NULL;
    if (first && (first == Py_None || PyUnicode_FSConverter(first, &path)) &&
        watched_take(&call, core, "convert", rest)) {
        const char *name = path ? PyBytes_AsString(path) : NULL;
        Py_BEGIN_ALLOW_THREADS
        status = vouch_convert(call.options, call.file, call.count, name, &text, &json, &err);
        Py_END_ALLOW_THREADS
        result = status == VOUCH_OK ? Py_BuildValue("(NN)", text_or_none(json), text_or_none(text))
                                    : raise_error(core, &err);
    }
    vouch_free(text);
    vouch_free(json);
    watched_release(&call);
    Py_XDECREF(path);
    Py_XDECREF(rest);
    return result;
}
