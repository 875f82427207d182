/* Scores of Python as scores of the library: see py_scores.h. */
#include "py_scores.h"

#include <stdlib.h>

/* Returns the product of four sizes; SIZE_MAX if that is too large. */
static size_t product(size_t a, size_t b, size_t c, size_t d)
{
    size_t factor[] = {b, c, d};
    for (size_t i = 0; i < 3; i++) {
        if (factor[i] && a > SIZE_MAX / factor[i])
            return SIZE_MAX;
        a *= factor[i];
    }
    return a;
}

static bool take_sentence(struct sentence_scores *to, bool trees, PyObject *object)
{
    Py_ssize_t words, width, sets;
    PyObject *pieces, *edge;
    if (!PyTuple_Check(object)) {
        PyErr_SetString(PyExc_TypeError, "expected a tuple for every sentence");
        return false;
    }
    if (!PyArg_ParseTuple(object, "nnnOO", &words, &width, &sets, &pieces, &edge))
        return false;
    if (words < 0 || width < 0 || sets < 1) {
        PyErr_SetString(PyExc_ValueError, "expected sizes that are not negative");
        return false;
    }
    to->words = (size_t)words;
    to->width = (size_t)width;
    to->sets = (size_t)sets;
    size_t rows = trees ? to->words + 1 : to->words, columns = trees ? to->words + 1 : to->width;
    return floats_take(&to->part, pieces, product(to->sets, rows, columns, 1)) &&
           (edge == Py_None || floats_take(&to->edge, edge,
                                           product(to->sets, to->words > 0 ? to->words - 1 : 0, to->width, to->width)));
}

bool scores_take(struct all_scores *scores, bool trees, PyObject *sentences, PyObject *edge)
{
    if (!PyTuple_Check(sentences)) {
        PyErr_SetString(PyExc_TypeError, "expected a tuple of sentences");
        return false;
    }
    size_t count = (size_t)PyTuple_Size(sentences);
    scores->trees = trees;
    scores->at = calloc(count + 1, sizeof *scores->at);
    if (!scores->at) {
        PyErr_NoMemory();
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        struct sentence_scores *to = scores->at + scores->count++;
        if (!take_sentence(to, trees, PyTuple_GetItem(sentences, (Py_ssize_t)i)))
            return false;
        to->before = scores->words;
        scores->words += to->words;
    }
    const struct sentence_scores *first = scores->at;
    return edge == Py_None || count == 0 ||
           floats_take(&scores->edge, edge, product(first->sets, first->width, first->width, 1));
}

void scores_release(struct all_scores *scores)
{
    for (size_t i = 0; i < scores->count; i++) {
        floats_release(&scores->at[i].part);
        floats_release(&scores->at[i].edge);
    }
    floats_release(&scores->edge);
    free(scores->at);
}

struct vouch_chain_scores chain_scores(const struct all_scores *scores, size_t sentence)
{
    const struct sentence_scores *from = scores->at + sentence;
    return (struct vouch_chain_scores){.size = sizeof(struct vouch_chain_scores),
                                       .words = from->words,
                                       .labels = from->width,
                                       .sets = from->sets,
                                       .node = from->part.at,
                                       .edge = from->edge.at ? from->edge.at : scores->edge.at,
                                       .edge_per_word = from->edge.at != NULL};
}

struct vouch_tree_scores tree_scores(const struct all_scores *scores, size_t sentence)
{
    const struct sentence_scores *from = scores->at + sentence;
    return (struct vouch_tree_scores){
        .size = sizeof(struct vouch_tree_scores), .words = from->words, .sets = from->sets, .arc = from->part.at};
}
