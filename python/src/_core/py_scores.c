/* Scores of Python as scores of the library: see py_scores.h. */
#include "py_scores.h"

#include <stdlib.h>

/* Returns the number whose bits in half precision (IEEE 754 binary16) are given. */
static float float_of_half(uint16_t half)
{
    uint32_t sign = (uint32_t)(half >> 15) << 31, exponent = half >> 10 & 31, fraction = half & 1023, bits;
    float value;
    if (exponent == 0) { /* zero, or fraction * 2^-24 */
        value = (float)fraction / 16777216;
        return sign ? -value : value;
    }
    bits = sign | (exponent == 31 ? 255u : exponent + 112) << 23 | fraction << 13;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static void floats_release(struct floats *floats)
{
    if (floats->view.obj)
        PyBuffer_Release(&floats->view);
    free(floats->copy);
}

/* Returns 'f' or 'd', as the struct module calls them, or 'H' for the bits of float16; '\0' with an exception. */
static char kind_of(const Py_buffer *view)
{
    const char *format = view->format ? view->format : "B";
    const char *plain = *format == '@' || *format == '=' ? format + 1 : format;
    if (strlen(plain) == 1 && strchr("Hfd", *plain))
        return *plain;
    PyErr_Format(PyExc_TypeError, "expected scores of float16, float32 or float64 in this machine's byte order, "
                                  "found an array of format '%s'",
                 format);
    return '\0';
}

static void convert(float *to, const Py_buffer *view, char kind)
{
    size_t count = (size_t)(view->len / view->itemsize);
    const char *from = view->buf;
    if (kind == 'f')
        memcpy(to, from, count * sizeof *to);
    for (size_t i = 0; kind == 'd' && i < count; i++) {
        double value;
        memcpy(&value, from + i * sizeof value, sizeof value);
        to[i] = (float)value;
    }
    for (size_t i = 0; kind == 'H' && i < count; i++) {
        uint16_t value;
        memcpy(&value, from + i * sizeof value, sizeof value);
        to[i] = float_of_half(value);
    }
}

/* Appends a piece to a copy of `count` floats, of which `used` are there. */
static bool copy_piece(struct floats *floats, PyObject *piece, size_t count, size_t *used)
{
    Py_buffer view;
    if (PyObject_GetBuffer(piece, &view, PyBUF_FORMAT | PyBUF_C_CONTIGUOUS) != 0)
        return false;
    char kind = kind_of(&view);
    bool ok = kind != '\0';
    size_t more = ok ? (size_t)(view.len / view.itemsize) : 0;
    if (ok && more > count - *used) {
        PyErr_Format(PyExc_ValueError, "expected %zu scores, found more", count);
        ok = false;
    }
    if (ok)
        convert(floats->copy + *used, &view, kind);
    *used += more;
    PyBuffer_Release(&view);
    return ok;
}

/* Takes a single piece without a copy if it is floats; *taken says so. */
static bool lend_piece(struct floats *floats, PyObject *piece, size_t count, bool *taken)
{
    if (PyObject_GetBuffer(piece, &floats->view, PyBUF_FORMAT | PyBUF_C_CONTIGUOUS) != 0)
        return false;
    char kind = kind_of(&floats->view);
    *taken = kind == 'f' && (size_t)floats->view.len == count * sizeof(float) &&
             (uintptr_t)floats->view.buf % sizeof(float) == 0;
    if (*taken)
        floats->at = floats->view.buf;
    else
        PyBuffer_Release(&floats->view);
    return kind != '\0';
}

/* Takes `count` floats from a tuple of pieces. */
static bool floats_take(struct floats *floats, PyObject *pieces, size_t count)
{
    size_t used = 0;
    bool ok = true, taken = false;
    if (!PyTuple_Check(pieces)) {
        PyErr_SetString(PyExc_TypeError, "expected a tuple of arrays");
        return false;
    }
    floats->count = count;
    if (PyTuple_Size(pieces) == 1 && (!lend_piece(floats, PyTuple_GetItem(pieces, 0), count, &taken) || taken))
        return taken;
    if (count > SIZE_MAX / 2 / sizeof(float) || !(floats->copy = malloc(count * sizeof(float) + 1))) {
        PyErr_NoMemory();
        return false;
    }
    for (Py_ssize_t i = 0; ok && i < PyTuple_Size(pieces); i++)
        ok = copy_piece(floats, PyTuple_GetItem(pieces, i), count, &used);
    if (ok && used != count) {
        PyErr_Format(PyExc_ValueError, "expected %zu scores, found %zu", count, used);
        ok = false;
    }
    floats->at = floats->copy;
    return ok;
}

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
