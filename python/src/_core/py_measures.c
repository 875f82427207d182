/* Measures of confidences that are arrays: vouch_measure() and its test over buffers, with the GIL released. */
#include "py_core.h"

static PyObject *list_of_bins(const struct vouch_bin *bin, size_t count)
{
    PyObject *list = PyList_New(0);
    for (size_t i = 0; list && i < count; i++) {
        PyObject *row = Py_BuildValue("(ddKKdd)", (double)i / (double)count, (double)(i + 1) / (double)count,
                                      (unsigned long long)bin[i].answers, (unsigned long long)bin[i].right,
                                      bin[i].confidence, bin[i].accuracy);
        if (!row || PyList_Append(list, row) != 0)
            Py_CLEAR(list);
        Py_XDECREF(row);
    }
    return list;
}

static PyObject *dict_of(const struct vouch_measures *m)
{
    return Py_BuildValue("{s:K,s:K,s:d,s:d,s:d,s:d,s:d,s:d,s:d,s:d,s:d,s:d,s:N}", "answers",
                         (unsigned long long)m->answers, "wrong", (unsigned long long)m->wrong, "average_precision",
                         m->average_precision, "roc_area", m->roc_area, "risk_coverage", m->risk_coverage,
                         "calibration_error", m->calibration_error, "calibration_error_mass", m->calibration_error_mass,
                         "rmse", m->rmse, "rmse_floor", m->rmse_floor, "brier", m->brier, "log_loss", m->log_loss,
                         "generalised_risk", m->generalised_risk, "bins",
                         list_of_bins(m->bin, sizeof m->bin / sizeof *m->bin));
}

/* Whether there is a confidence for each answer, aligned; raises ValueError if not. */
static bool is_one_each(const Py_buffer *confidence, const Py_buffer *right)
{
    size_t count = (size_t)right->len;
    bool ok = (size_t)confidence->len == count * sizeof(double) &&
              (count == 0 || (uintptr_t)confidence->buf % sizeof(double) == 0);
    if (!ok)
        PyErr_Format(PyExc_ValueError, "expected %zu confidences, one for each answer, found %zd", count,
                     confidence->len / (Py_ssize_t)sizeof(double));
    return ok;
}

/* measure(confidence, right): buffers of float64 and of bytes, of the same length */
PyObject *core_measure(PyObject *module, PyObject *args)
{
    Py_buffer confidence, right;
    struct vouch_error err = {0};
    struct vouch_measures measures = {.size = sizeof measures};
    PyObject *result = NULL;
    if (!PyArg_ParseTuple(args, "y*y*:measure", &confidence, &right))
        return NULL;
    if (is_one_each(&confidence, &right)) {
        enum vouch_status status;
        PyThreadState *saved = PyEval_SaveThread();
        status = vouch_measure(confidence.buf, right.buf, (size_t)right.len, &measures, &err);
        PyEval_RestoreThread(saved);
        result = status == VOUCH_OK ? dict_of(&measures) : raise_error(PyModule_GetState(module), &err);
    }
    PyBuffer_Release(&confidence);
    PyBuffer_Release(&right);
    return result;
}

/* test_calibration(confidence, right, sentence, samples, seed): `sentence` is a buffer of uint32, or empty */
PyObject *core_test_calibration(PyObject *module, PyObject *args)
{
    Py_buffer confidence, right, sentence;
    unsigned int samples;
    unsigned long long seed;
    struct vouch_error err = {0};
    struct vouch_calibration_test test = {.size = sizeof test};
    PyObject *result = NULL;
    if (!PyArg_ParseTuple(args, "y*y*y*IK:test_calibration", &confidence, &right, &sentence, &samples, &seed))
        return NULL;
    if (sentence.len && (size_t)sentence.len != (size_t)right.len * sizeof(uint32_t))
        PyErr_Format(PyExc_ValueError, "expected %zd numbers of sentences, one for each answer, found %zd", right.len,
                     sentence.len / (Py_ssize_t)sizeof(uint32_t));
    else if (is_one_each(&confidence, &right)) {
        enum vouch_status status;
        PyThreadState *saved = PyEval_SaveThread();
        status = vouch_test_calibration(confidence.buf, right.buf, sentence.len ? sentence.buf : NULL,
                                        (size_t)right.len, samples, seed, &test, &err);
        PyEval_RestoreThread(saved);
        result = status == VOUCH_OK ? Py_BuildValue("(ddd)", test.calibration_error, test.limit, test.p)
                                    : raise_error(PyModule_GetState(module), &err);
    }
    PyBuffer_Release(&confidence);
    PyBuffer_Release(&right);
    PyBuffer_Release(&sentence);
    return result;
}
