/* The best whole answers to sentences, as lists of tuples: labels, heads or None, and the probability. */
#include "py_answering.h"

static PyObject *labels_of(const vouch_best *best, size_t rank, size_t words)
{
    PyObject *list = PyList_New((Py_ssize_t)words);
    for (size_t i = 0; list && i < words; i++) {
        PyObject *label = text_or_none(vouch_best_label(best, rank, i));
        if (!label || PyList_SetItem(list, (Py_ssize_t)i, label) != 0)
            Py_CLEAR(list);
    }
    return list;
}

static PyObject *heads_of(const vouch_best *best, size_t rank, size_t words)
{
    PyObject *list = PyList_New((Py_ssize_t)words);
    for (size_t i = 0; list && i < words; i++) {
        PyObject *head = PyLong_FromSize_t(vouch_best_head(best, rank, i));
        if (!head || PyList_SetItem(list, (Py_ssize_t)i, head) != 0)
            Py_CLEAR(list);
    }
    return list;
}

static PyObject *list_of_best(const vouch_best *best, size_t words, bool trees)
{
    PyObject *list = PyList_New(0);
    for (size_t k = 0; list && k < vouch_best_count(best); k++) {
        PyObject *labels = labels_of(best, k, words);
        PyObject *heads = trees ? heads_of(best, k, words) : Py_NewRef(Py_None);
        PyObject *one = labels && heads ? Py_BuildValue("(OOd)", labels, heads, vouch_best_probability(best, k)) : NULL;
        if (!one || PyList_Append(list, one) != 0)
            Py_CLEAR(list);
        Py_XDECREF(one);
        Py_XDECREF(labels);
        Py_XDECREF(heads);
    }
    return list;
}

PyObject *best_of_sentence(const struct core *core, const struct draft *draft, size_t at, struct lane *lane,
                           size_t most, bool trees)
{
    struct vouch_error err = {0};
    const vouch_best *best = NULL;
    bool filled = draft_fill(draft, at, &lane->filler, lane->sentence, &err);
    if (filled) {
        Py_BEGIN_ALLOW_THREADS
        best = vouch_worker_best(lane->worker, lane->sentence, most, &err);
        Py_END_ALLOW_THREADS
    }
    return best ? list_of_best(best, vouch_sentence_words(lane->sentence), trees) : raise_error_in(core, &err, at);
}
