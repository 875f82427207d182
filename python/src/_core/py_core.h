/*
 * The extension module vouch._core: vouch.h for Python, in CPython's limited API of 3.11.
 *
 *     py_module.c      the module and what it keeps
 *     py_errors.c      errors of the library as exceptions, options from a dict
 *     py_sentences.c   sentences of Python as sentences of the library
 *     py_answers.c     answers of the library as flat arrays
 *     py_model.c       the type Model: what it is, saving
 *     py_request.c     the type Request: answering
 *     py_training.c    training and evaluation, watched and stopped from Python
 *
 * It is thin: arrays leave it as bytes, and vouch/_answers.py reads them like lists. Nothing here is global; what the
 * module keeps is in struct core, one for each interpreter.
 */
#ifndef PY_CORE_H
#define PY_CORE_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdbool.h>
#include <string.h>
#include <vouch.h>

/* What the module keeps. */
struct core {
    PyObject *error;       /* vouch.Error */
    PyTypeObject *model;   /* vouch._core.Model */
    PyTypeObject *request; /* vouch._core.Request */
};

/* A model. It never changes, so threads may share it while the GIL is released. */
struct py_model {
    PyObject ob_base;
    vouch_model *model;
};

extern PyType_Spec model_spec, request_spec;

/* Sets the exception that belongs to an error of the library, and returns NULL. */
PyObject *raise_error(const struct core *core, const struct vouch_error *err);

/* Returns the options of a command with those of a dict of str (NULL: none) set; NULL with an exception. */
vouch_options *options_of_dict(const struct core *core, const char *command, PyObject *dict);

/* Returns a new Model, which owns `model`; NULL with an exception, and the model closed. */
PyObject *wrap_model(const struct core *core, vouch_model *model);

/* Sentences of the library, made of those of Python. */
struct sentences {
    vouch_sentence **at; /* [count] */
    size_t count, capacity;
};

/* Takes all of an iterable; false with an exception. Release the sentences in any case. */
bool sentences_take(struct sentences *sentences, const struct core *core, PyObject *iterable, bool attributes);
void sentences_release(struct sentences *sentences);

/* Answers all sentences with the GIL released; returns a dict of arrays as bytes, NULL with an exception. */
PyObject *answer_sentences(const struct core *core, const vouch_model *model, const vouch_request *request,
                           const struct sentences *sentences);

/* Model.request(), train() and Model.evaluate(). */
PyObject *model_request(PyObject *self, PyObject *args);
PyObject *core_train(PyObject *module, PyObject *args);
PyObject *model_evaluate(PyObject *self, PyObject *args);

#endif
