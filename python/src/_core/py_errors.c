/* Errors of the library as exceptions, and options of the library from a dict. */
#include "py_core.h"

#include <errno.h>
#include <stdio.h>

static PyObject *class_of(const struct core *core, enum vouch_status status)
{
    return status == VOUCH_ERR_IO ? PyExc_OSError : status == VOUCH_ERR_ARGUMENT ? PyExc_ValueError : core->error;
}

/* Returns what the system said, which is the end of a message about a file; 0 if it is none of these. */
static int errno_of(const char *message)
{
    static const int known[] = {ENOENT, EACCES, EISDIR, ENOTDIR, EEXIST};
    size_t length = strlen(message);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const char *said = strerror(known[i]);
        size_t end = strlen(said);
        if (length > end + 2 && strcmp(message + length - end, said) == 0 && message[length - end - 2] == ':')
            return known[i];
    }
    return 0;
}

/* Raises FileNotFoundError and the like, with the name of the file, which a message begins with. */
static PyObject *raise_os_error(const char *message, int number)
{
    const char *colon = strstr(message, ": ");
    PyObject *name = PyUnicode_DecodeFSDefaultAndSize(message, colon - message);
    PyObject *error = name ? PyObject_CallFunction(PyExc_OSError, "isO", number, strerror(number), name) : NULL;
    if (error)
        PyErr_SetObject((PyObject *)Py_TYPE(error), error);
    Py_XDECREF(name);
    Py_XDECREF(error);
    return NULL;
}

PyObject *raise_error(const struct core *core, const struct vouch_error *err)
{
    if (err->status == VOUCH_ERR_MEMORY)
        return PyErr_NoMemory();
    int number = err->status == VOUCH_ERR_IO ? errno_of(err->message) : 0;
    if (number)
        return raise_os_error(err->message, number);
    PyObject *kind = class_of(core, err->status);
    /* Names of files in messages may be in any encoding. */
    PyObject *text = PyUnicode_DecodeUTF8(err->message, (Py_ssize_t)strlen(err->message), "replace");
    PyObject *error = text ? PyObject_CallFunctionObjArgs(kind, text, NULL) : NULL;
    PyObject *status = PyLong_FromLong((long)err->status);
    if (error && status && (kind != core->error || PyObject_SetAttrString(error, "status", status) == 0))
        PyErr_SetObject(kind, error);
    Py_XDECREF(text);
    Py_XDECREF(error);
    Py_XDECREF(status);
    return NULL;
}

PyObject *raise_error_in(const struct core *core, const struct vouch_error *err, size_t sentence)
{
    struct vouch_error longer = {.status = err->status};
    int used = snprintf(longer.message, sizeof longer.message, "sentence %zu: ", sentence + 1);
    size_t room = sizeof longer.message - (size_t)used - 1, length = strlen(err->message);
    memcpy(longer.message + used, err->message, length < room ? length : room);
    return raise_error(core, &longer);
}

PyObject *text_or_none(const char *text)
{
    return text ? PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text), "replace") : Py_NewRef(Py_None);
}

const char *text_of_str(PyObject *object, const char *what)
{
    Py_ssize_t length;
    if (!PyUnicode_Check(object)) {
        PyErr_Format(PyExc_TypeError, "expected str as %s, found %R", what, (PyObject *)Py_TYPE(object));
        return NULL;
    }
    const char *text = PyUnicode_AsUTF8AndSize(object, &length);
    if (text && strlen(text) != (size_t)length) {
        PyErr_Format(PyExc_ValueError, "expected %s without zero characters", what);
        return NULL;
    }
    return text;
}

static bool set_option(const struct core *core, vouch_options *options, PyObject *key, PyObject *value);

static bool set_each(const struct core *core, vouch_options *options, PyObject *key, PyObject *values)
{
    bool ok = true;
    for (Py_ssize_t i = 0; ok && i < PyTuple_Size(values); i++)
        ok = set_option(core, options, key, PyTuple_GetItem(values, i));
    return ok;
}

static bool set_option(const struct core *core, vouch_options *options, PyObject *key, PyObject *value)
{
    struct vouch_error err = {0};
    const char *name = text_of_str(key, "the name of an option");
    if (name && PyTuple_Check(value))
        return set_each(core, options, key, value);
    const char *text = name ? text_of_str(value, "the value of an option") : NULL;
    if (!text)
        return false;
    if (vouch_options_set(options, name, text, &err) == VOUCH_OK)
        return true;
    raise_error(core, &err);
    return false;
}

vouch_options *options_of_dict(const struct core *core, const char *command, PyObject *dict)
{
    struct vouch_error err = {0};
    PyObject *key, *value;
    Py_ssize_t at = 0;
    vouch_options *options = vouch_options_new(command, &err);
    if (!options) {
        raise_error(core, &err);
        return NULL;
    }
    while (dict && PyDict_Next(dict, &at, &key, &value))
        if (!set_option(core, options, key, value)) {
            vouch_options_free(options);
            return NULL;
        }
    return options;
}
