/* What is known of answers, as Python gives it for all words of a call: labels, or in trees heads and relations. */
#include "py_known.h"

#include <stdlib.h>

void known_release(struct known *known)
{
    free(known->label);
    free(known->head);
}

/* Takes a tuple with a str or None for each word; its texts stay as long as the tuple. False with an exception. */
static bool take_labels(struct known *known, PyObject *labels, size_t words)
{
    if (!(known->label = calloc(words + 1, sizeof *known->label))) {
        PyErr_NoMemory();
        return false;
    }
    for (size_t i = 0; i < words; i++) {
        PyObject *label = PyTuple_GetItem(labels, (Py_ssize_t)i);
        if (label != Py_None && !(known->label[i] = text_of_str(label, "a label")))
            return false;
    }
    return true;
}

static bool take_heads(struct known *known, PyObject *heads, size_t words)
{
    if (!(known->head = calloc(words + 1, sizeof *known->head))) {
        PyErr_NoMemory();
        return false;
    }
    for (size_t i = 0; i < words; i++) {
        PyObject *head = PyTuple_GetItem(heads, (Py_ssize_t)i);
        known->head[i] = head == Py_None ? (size_t)-1 : PyLong_AsSize_t(head);
        if (head != Py_None && PyErr_Occurred())
            return false;
    }
    return true;
}

static bool is_for(PyObject *given, size_t words)
{
    if (given == Py_None || (PyTuple_Check(given) && (size_t)PyTuple_Size(given) == words))
        return true;
    PyErr_Format(PyExc_ValueError, "expected what is known of %zu words", words);
    return false;
}

bool known_take(struct known *known, PyObject *labels, PyObject *heads, size_t words)
{
    return is_for(labels, words) && is_for(heads, words) &&
           (labels == Py_None || take_labels(known, labels, words)) &&
           (heads == Py_None || take_heads(known, heads, words));
}

bool known_tell(const struct known *known, size_t first, vouch_sentence *sentence, struct vouch_error *err)
{
    return (!known->label && !known->head) ||
           vouch_sentence_set_known(sentence, known->label ? known->label + first : NULL,
                                    known->head ? known->head + first : NULL, err) == VOUCH_OK;
}
