/*
 * The extension module vouch._core: vouch.h for Python, in CPython's limited API of 3.11.
 *
 *     py_module.c      the module and what it keeps
 *     py_errors.c      errors of the library as exceptions, options from a dict
 *     py_columns.c     arrays that grow, names with numbers
 *     py_gathered.c    answers of the library as flat arrays
 *     py_arrays.c      the type Arrays: these arrays, as Python sees them
 *     py_sentences.c   sentences of Python read into flat arrays
 *     py_known.c       what is known of their answers
 *     py_filling.c     sentences of the library from these
 *     py_stretches.c   work on sentences with the GIL released, on several threads
 *     py_answering.c   sentences answered by a model
 *     py_best.c        the best whole answers to a sentence
 *     py_model.c       the type Model: what it is, saving
 *     py_request.c     the type Request: answering, by workers that are kept
 *     py_training.c    training and all else that works on files, watched and stopped from Python
 *     py_review.c      a review as a list
 *     py_annotators.c  how far annotators agree, and files of their tools
 *     py_floats.c      arrays of Python as floats
 *     py_scores.c      scores of Python as scores of the library
 *     py_judge.c       the type Judge: scores from elsewhere
 *     py_marginals.c   alternatives as probabilities of all labels
 *     py_measures.c    measures of confidences that are arrays
 *
 * It is thin: vouch/_answers.py reads the arrays like lists. Nothing here is global; what the module keeps is in struct
 * core, one for each interpreter.
 */
#ifndef PY_CORE_H
#define PY_CORE_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdbool.h>
#include <string.h>
#include <vouch.h>

#include "py_gathered.h"

/* What the module keeps. */
struct core {
    PyObject *error;       /* vouch.Error */
    PyTypeObject *model;   /* vouch._core.Model, and so on: */
    PyTypeObject *request;
    PyTypeObject *arrays;
    PyTypeObject *column;
    PyTypeObject *judge;
};

/* A model. It never changes, so threads may share it while the GIL is released. */
struct py_model {
    PyObject ob_base;
    vouch_model *model;
};

/* Return what the module keeps, of any object of its types; and the model of a Model. */
static inline const struct core *core_of(PyObject *self)
{
    return PyType_GetModuleState(Py_TYPE(self));
}

static inline const vouch_model *model_of(PyObject *self)
{
    return ((struct py_model *)self)->model;
}

/* Answers that have been gathered. */
struct py_arrays {
    PyObject ob_base;
    struct gathered gathered;
    PyObject *names;   /* a tuple of str */
    PyObject *methods; /* a tuple of pairs: name, whether it is calibrated */
};

extern PyType_Spec model_spec, request_spec, arrays_spec, column_spec, judge_spec;

/* Sets the exception that belongs to an error of the library, and returns NULL. */
PyObject *raise_error(const struct core *core, const struct vouch_error *err);

/* Does the same for an error in a sentence, counted from 0, whose number the message then begins with. */
PyObject *raise_error_in(const struct core *core, const struct vouch_error *err, size_t sentence);

/* Returns the text of a str; NULL with an exception, which calls it `what`, if it is none or holds a zero. */
const char *text_of_str(PyObject *object, const char *what);

/* Returns a text of the library as a str; None for NULL. */
PyObject *text_or_none(const char *text);

/*
 * Returns the options of a command with those of a dict set, whose values are str, or tuples of str for options that
 * are set several times; NULL with an exception.
 */
vouch_options *options_of_dict(const struct core *core, const char *command, PyObject *dict);

/* Returns a new Model, which owns `model`; NULL with an exception, and the model closed. */
PyObject *wrap_model(const struct core *core, vouch_model *model);

/* Returns new Arrays without sentences, whose names and methods are still to be set; NULL with an exception. */
struct py_arrays *arrays_new(const struct core *core, size_t methods, bool trees);

/* Returns the names as a tuple of str; NULL with an exception. */
PyObject *tuple_of_names(const struct names *names);

/* Lets Python see signals while the GIL is released. */
struct signals {
    PyThreadState *thread;
    double looked;    /* when, in seconds */
    bool interrupted; /* an exception is set */
};
void signals_begin(struct signals *signals); /* releases the GIL */
void signals_end(struct signals *signals);   /* takes it again */
/* Looks twenty times a second; true if an exception was raised. */
bool signals_look(struct signals *signals);

/* The functions of the module, and of its types, that are in files of their own. */
PyObject *model_request(PyObject *self, PyObject *args);
PyObject *core_train(PyObject *module, PyObject *args);
PyObject *core_cross_validate(PyObject *module, PyObject *args);
PyObject *model_evaluate(PyObject *self, PyObject *args);
PyObject *model_tune(PyObject *self, PyObject *args);
PyObject *model_forecast(PyObject *self, PyObject *args);
PyObject *model_trade(PyObject *self, PyObject *args);
PyObject *model_choose_next(PyObject *self, PyObject *args);
PyObject *core_review(PyObject *module, PyObject *args);
PyObject *core_agree(PyObject *module, PyObject *args);
PyObject *core_convert(PyObject *module, PyObject *args);
PyObject *core_cluster(PyObject *module, PyObject *args);

/* Of the module, over answers of other programs: py_others.c */
PyObject *core_answers_measure(PyObject *module, PyObject *args);
PyObject *core_answers_tune(PyObject *module, PyObject *args);
PyObject *core_answers_apply(PyObject *module, PyObject *args);
PyObject *core_answers_trade(PyObject *module, PyObject *args);
PyObject *core_answers_vote(PyObject *module, PyObject *args);
PyObject *core_judge(PyObject *module, PyObject *args);
PyObject *core_judge_from_json(PyObject *module, PyObject *args);
PyObject *core_judge_file(PyObject *module, PyObject *args);
PyObject *core_probabilities(PyObject *module, PyObject *args);
PyObject *core_marginals(PyObject *module, PyObject *args);
PyObject *core_measure(PyObject *module, PyObject *args);
PyObject *core_test_calibration(PyObject *module, PyObject *args);
PyObject *core_attribute_lines(PyObject *module, PyObject *args);

#endif
