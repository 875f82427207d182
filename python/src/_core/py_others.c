/*
 * Answers of other programs, which are in files: measured, calibrated, completed, traded and counted.
 *
 * Each function takes a calibration, the text of its file, or None; and then what all calls on files take
 * (py_training.c): options, a tuple of the file of answers and perhaps of gold, and by what it is watched.
 */
#include "py_watched.h"

#include <stdlib.h>

/* A call, and what the library has made. */
struct given {
    struct watched call;
    const char *calibration; /* NULL: none */
    char *text, *chosen;
    enum vouch_status status;
    struct vouch_error err;
};

static bool take(struct given *given, const struct core *core, const char *command, PyObject *args)
{
    PyObject *calibration = PyTuple_Size(args) > 0 ? PyTuple_GetItem(args, 0) : Py_None;
    PyObject *rest = PyTuple_GetSlice(args, 1, PyTuple_Size(args));
    bool ok = rest && (calibration == Py_None || (given->calibration = text_of_str(calibration, "a calibration"))) &&
              watched_take(&given->call, core, command, rest);
    Py_XDECREF(rest);
    if (ok && given->call.count == 0)
        PyErr_SetString(PyExc_ValueError, "expected a file of answers, found none");
    return ok && given->call.count > 0;
}

/* Returns the file of gold; NULL if there is none. */
static const char *gold_of(const struct given *given)
{
    return given->call.count > 1 ? given->call.file[1] : NULL;
}

/* Returns the text, and releases the rest; NULL with an exception after a failure. */
static PyObject *finish(struct given *given, const struct core *core, bool taken)
{
    PyObject *result = NULL;
    if (taken)
        result = given->status == VOUCH_OK ? text_or_none(given->text) : raise_error(core, &given->err);
    vouch_free(given->text);
    vouch_free(given->chosen);
    watched_release(&given->call);
    return result;
}

PyObject *core_answers_measure(PyObject *module, PyObject *args)
{
    const struct core *core = PyModule_GetState(module);
    struct given g = {.status = VOUCH_OK};
    bool taken = take(&g, core, "eval", args);
    if (taken) {
        Py_BEGIN_ALLOW_THREADS
        g.status = vouch_answers_measure(g.call.options, g.call.file[0], gold_of(&g), g.calibration, &g.call.watch,
                                         &g.text, &g.err);
        Py_END_ALLOW_THREADS
    }
    return finish(&g, core, taken);
}

/* The calibration that is passed is ignored. */
PyObject *core_answers_tune(PyObject *module, PyObject *args)
{
    const struct core *core = PyModule_GetState(module);
    struct given g = {.status = VOUCH_OK};
    bool taken = take(&g, core, "tune", args);
    if (taken) {
        Py_BEGIN_ALLOW_THREADS
        g.status = vouch_answers_tune(g.call.options, g.call.file[0], gold_of(&g), &g.call.watch, &g.text, &g.err);
        Py_END_ALLOW_THREADS
    }
    return finish(&g, core, taken);
}

PyObject *core_answers_apply(PyObject *module, PyObject *args)
{
    const struct core *core = PyModule_GetState(module);
    struct given g = {.status = VOUCH_OK};
    bool taken = take(&g, core, "tag", args);
    if (taken) {
        Py_BEGIN_ALLOW_THREADS
        g.status = vouch_answers_apply(g.call.options, g.call.file[0], g.calibration, &g.text, &g.err);
        Py_END_ALLOW_THREADS
    }
    return finish(&g, core, taken);
}

/* A pair: JSON, and the calibration with the operating point, or None. */
PyObject *core_answers_trade(PyObject *module, PyObject *args)
{
    const struct core *core = PyModule_GetState(module);
    struct given g = {.status = VOUCH_OK};
    bool taken = take(&g, core, "trade", args);
    if (taken) {
        Py_BEGIN_ALLOW_THREADS
        g.status = vouch_answers_trade(g.call.options, g.call.file[0], gold_of(&g), g.calibration, &g.call.watch,
                                       &g.chosen, &g.text, &g.err);
        Py_END_ALLOW_THREADS
    }
    PyObject *chosen = taken && g.status == VOUCH_OK ? text_or_none(g.chosen) : NULL;
    PyObject *json = finish(&g, core, taken);
    PyObject *pair = json && chosen ? Py_BuildValue("(OO)", json, chosen) : NULL;
    Py_XDECREF(json);
    Py_XDECREF(chosen);
    return pair;
}

/* Files are several answers to the same texts, or one that has them all. */
PyObject *core_answers_vote(PyObject *module, PyObject *args)
{
    const struct core *core = PyModule_GetState(module);
    struct given g = {.status = VOUCH_OK};
    bool taken = take(&g, core, "vote", args);
    if (taken) {
        Py_BEGIN_ALLOW_THREADS
        g.status = vouch_vote(g.call.options, g.call.file, g.call.count, &g.text, &g.err);
        Py_END_ALLOW_THREADS
    }
    return finish(&g, core, taken);
}
