/*
 * Alternatives as probabilities of all labels: rows of numbers, and lists of dicts.
 *
 * Answers leave out labels below a millionth. They share what the others leave of 1, and rows are scaled to add up to
 * exactly that. Both functions take buffers, so that they work on answers that were pickled, too. Time and memory grow
 * with words times classes.
 */
#include "py_core.h"

#include <stdint.h>

static void fill_row(double *row, size_t classes)
{
    double sum = 0, total = 0;
    size_t missing = 0;
    for (size_t y = 0; y < classes; y++) {
        sum += row[y];
        missing += row[y] == 0;
    }
    double share = missing && sum < 1 ? (1 - sum) / (double)missing : 0;
    for (size_t y = 0; y < classes; y++)
        total += row[y] = row[y] != 0 ? row[y] : share;
    for (size_t y = 0; y < classes; y++)
        row[y] /= total;
}

/* What probabilities() is given. */
struct choices {
    Py_buffer offsets, label, probability, column;
};

/* Whether sizes and numbers fit each other; false with an exception. */
static bool are_whole(const struct choices *c, size_t classes)
{
    size_t words = (size_t)c->offsets.len / sizeof(int64_t), names = (size_t)c->column.len / sizeof(int32_t);
    size_t count = (size_t)c->label.len / sizeof(int32_t);
    const int64_t *offset = c->offsets.buf;
    const int32_t *label = c->label.buf, *column = c->column.buf;
    bool ok = words > 0 && offset[0] == 0 && offset[words - 1] == (int64_t)count &&
              (size_t)c->probability.len / sizeof(double) == count;
    for (size_t w = 1; ok && w < words; w++)
        ok = offset[w] >= offset[w - 1];
    for (size_t i = 0; ok && i < count; i++)
        ok = label[i] >= -1 && (label[i] < 0 || (size_t)label[i] < names);
    for (size_t i = 0; ok && i < names; i++)
        ok = column[i] >= -1 && (column[i] < 0 || (size_t)column[i] < classes);
    if (!ok)
        PyErr_SetString(PyExc_ValueError, "expected offsets, labels and probabilities of alternatives");
    return ok;
}

/* Returns a bytearray [words][classes] of float64. */
static PyObject *rows_of(const struct choices *c, size_t classes)
{
    size_t words = (size_t)c->offsets.len / sizeof(int64_t) - 1;
    const int64_t *offset = c->offsets.buf;
    const int32_t *label = c->label.buf, *column = c->column.buf;
    const double *probability = c->probability.buf;
    if (words > (size_t)PY_SSIZE_T_MAX / sizeof(double) / classes)
        return PyErr_NoMemory();
    PyObject *bytes = PyByteArray_FromStringAndSize(NULL, (Py_ssize_t)(words * classes * sizeof(double)));
    double *row = bytes ? (double *)(void *)PyByteArray_AsString(bytes) : NULL;
    for (size_t w = 0; bytes && w < words; w++, row += classes) {
        memset(row, 0, classes * sizeof *row);
        for (int64_t i = offset[w]; i < offset[w + 1]; i++)
            if (label[i] >= 0 && column[label[i]] >= 0)
                row[column[label[i]]] += probability[i];
        fill_row(row, classes);
    }
    return bytes;
}

/*
 * probabilities(offsets, labels, probabilities, columns, classes): of the alternatives of all words, and for each name
 * its class, or -1; int64, int32, float64, int32
 */
PyObject *core_probabilities(PyObject *module, PyObject *args)
{
    struct choices c;
    Py_ssize_t classes;
    (void)module;
    if (!PyArg_ParseTuple(args, "y*y*y*y*n:probabilities", &c.offsets, &c.label, &c.probability, &c.column, &classes))
        return NULL;
    PyObject *rows = NULL;
    if (classes < 1)
        PyErr_SetString(PyExc_ValueError, "expected at least one class, found none");
    else if (are_whole(&c, (size_t)classes))
        rows = rows_of(&c, (size_t)classes);
    PyBuffer_Release(&c.offsets);
    PyBuffer_Release(&c.label);
    PyBuffer_Release(&c.probability);
    PyBuffer_Release(&c.column);
    return rows;
}

/* Returns a dict of the classes and their numbers; `all` has the same keys, so that a copy need not grow. */
static PyObject *dict_of_row(PyObject *all, PyObject *classes, const double *row)
{
    PyObject *dict = PyDict_Copy(all);
    for (Py_ssize_t y = 0; dict && y < PyTuple_Size(classes); y++) {
        PyObject *number = PyFloat_FromDouble(row[y]);
        if (!number || PyDict_SetItem(dict, PyTuple_GetItem(classes, y), number) != 0)
            Py_CLEAR(dict);
        Py_XDECREF(number);
    }
    return dict;
}

static PyObject *list_of_dicts(PyObject *all, PyObject *classes, const double *row, int64_t words)
{
    PyObject *list = PyList_New((Py_ssize_t)words);
    for (int64_t w = 0; list && w < words; w++) {
        PyObject *dict = dict_of_row(all, classes, row + w * PyTuple_Size(classes));
        if (dict)
            PyList_SetItem(list, (Py_ssize_t)w, dict);
        else
            Py_CLEAR(list);
    }
    return list;
}

/* Whether sentences end where the rows do; false with an exception. */
static bool fits_rows(const Py_buffer *offsets, const Py_buffer *rows, PyObject *classes)
{
    size_t count = (size_t)offsets->len / sizeof(int64_t), width = (size_t)PyTuple_Size(classes);
    const int64_t *offset = offsets->buf;
    bool ok = count > 0 && offset[0] == 0 && width > 0 &&
              offset[count - 1] == (int64_t)((size_t)rows->len / sizeof(double) / width);
    for (size_t i = 1; ok && i < count; i++)
        ok = offset[i] >= offset[i - 1];
    if (!ok)
        PyErr_SetString(PyExc_ValueError, "expected a row of probabilities for every word");
    return ok;
}

/* marginals(rows, offsets, classes): for every sentence a list with a dict for each word */
PyObject *core_marginals(PyObject *module, PyObject *args)
{
    Py_buffer rows, offsets;
    PyObject *classes, *list = NULL, *all = NULL;
    (void)module;
    if (!PyArg_ParseTuple(args, "y*y*O!:marginals", &rows, &offsets, &PyTuple_Type, &classes))
        return NULL;
    if (fits_rows(&offsets, &rows, classes) && (all = PyDict_New())) {
        const int64_t *offset = offsets.buf;
        Py_ssize_t sentences = offsets.len / (Py_ssize_t)sizeof *offset - 1;
        list = PyList_New(sentences);
        for (Py_ssize_t y = 0; list && y < PyTuple_Size(classes); y++)
            if (PyDict_SetItem(all, PyTuple_GetItem(classes, y), Py_None) != 0)
                Py_CLEAR(list);
        for (Py_ssize_t s = 0; list && s < sentences; s++) {
            const double *row = (const double *)rows.buf + offset[s] * PyTuple_Size(classes);
            PyObject *words = list_of_dicts(all, classes, row, offset[s + 1] - offset[s]);
            if (words)
                PyList_SetItem(list, s, words);
            else
                Py_CLEAR(list);
        }
    }
    Py_XDECREF(all);
    PyBuffer_Release(&rows);
    PyBuffer_Release(&offsets);
    return list;
}
