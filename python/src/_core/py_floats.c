/* Arrays of Python as floats: see py_floats.h. */
#include "py_floats.h"

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

void floats_release(struct floats *floats)
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
    PyErr_Format(PyExc_TypeError, "expected numbers of float16, float32 or float64 in this machine's byte order, "
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
        PyErr_Format(PyExc_ValueError, "expected %zu numbers, found more", count);
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

bool floats_take(struct floats *floats, PyObject *pieces, size_t count)
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
        PyErr_Format(PyExc_ValueError, "expected %zu numbers, found %zu", count, used);
        ok = false;
    }
    floats->at = floats->copy;
    return ok;
}
