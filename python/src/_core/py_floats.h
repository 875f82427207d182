/*
 * Arrays of Python as floats: not copied if they are floats in one piece already.
 */
#ifndef PY_FLOATS_H
#define PY_FLOATS_H

#include "py_core.h"

/* An array of floats: the caller's own buffer, or a copy. */
struct floats {
    Py_buffer view; /* view.obj is NULL if there is a copy */
    float *copy;
    const float *at;
    size_t count;
};

/*
 * Takes `count` floats from pieces: a tuple of objects with buffers of float32, float64 or the bits of float16
 * (uint16), one behind the other. False with an exception; release them in any case, with the GIL.
 */
bool floats_take(struct floats *floats, PyObject *pieces, size_t count);
void floats_release(struct floats *floats);

#endif
