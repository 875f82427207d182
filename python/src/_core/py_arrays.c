/*
 * The type Arrays: gathered answers, whose columns Python sees through the buffer protocol, without a copy.
 *
 * column(name, method) is a read-only memoryview over a Column, which keeps the Arrays alive as long as anything, such
 * as an array of numpy, looks at it. Arrays never change once they are made.
 */
#include "py_core.h"

/* One column, as an object that exports a buffer. */
struct py_column {
    PyObject ob_base;
    PyObject *owner;
    char *bytes;
    Py_ssize_t shape, stride;
    char format[2];
};

struct column_kind {
    const char *name;
    char format;
    Py_ssize_t size;
};

static const struct column_kind kinds[GATHERED_KINDS] = {
    [GATHERED_OFFSETS] = {"offsets", 'q', 8},
    [GATHERED_LABEL] = {"label", 'i', 4},
    [GATHERED_HEAD] = {"head", 'i', 4},
    [GATHERED_DOUBTFUL] = {"doubtful", 'B', 1},
    [GATHERED_SPAN_OFFSETS] = {"span_offsets", 'q', 8},
    [GATHERED_SPAN_START] = {"span_start", 'i', 4},
    [GATHERED_SPAN_END] = {"span_end", 'i', 4},
    [GATHERED_SPAN_TYPE] = {"span_type", 'i', 4},
    [GATHERED_FORM_OFFSETS] = {"form_offsets", 'q', 8},
    [GATHERED_FORM_BYTES] = {"form_bytes", 'B', 1},
    [GATHERED_ALTERNATIVES] = {"alternative_offsets", 'q', 8},
    [GATHERED_ALTERNATIVE_LABEL] = {"alternative_label", 'i', 4},
    [GATHERED_ALTERNATIVE_HEAD] = {"alternative_head", 'i', 4},
    [GATHERED_ALTERNATIVE_PROBABILITY] = {"alternative_probability", 'd', 8},
    [GATHERED_SETS] = {"set_offsets", 'q', 8},
    [GATHERED_SET_LABEL] = {"set_label", 'i', 4},
    [GATHERED_SET_HEAD] = {"set_head", 'i', 4},
    [GATHERED_SET_PROBABILITY] = {"set_probability", 'd', 8},
    [GATHERED_RELATION_SETS] = {"relation_set_offsets", 'q', 8},
    [GATHERED_RELATION_SET_LABEL] = {"relation_set_label", 'i', 4},
    [GATHERED_RELATION_SET_HEAD] = {"relation_set_head", 'i', 4},
    [GATHERED_RELATION_SET_PROBABILITY] = {"relation_set_probability", 'd', 8},
    [GATHERED_CONFIDENCE] = {"confidence", 'd', 8},
    [GATHERED_RELATION] = {"relation_confidence", 'd', 8},
    [GATHERED_SENTENCE] = {"sentence_confidence", 'd', 8},
    [GATHERED_SPAN] = {"span_confidence", 'd', 8},
};

static int column_getbuffer(PyObject *self, Py_buffer *view, int flags)
{
    struct py_column *column = (struct py_column *)self;
    if (flags & PyBUF_WRITABLE) {
        PyErr_SetString(PyExc_BufferError, "answers cannot be written to");
        view->obj = NULL;
        return -1;
    }
    *view = (Py_buffer){.buf = column->bytes,
                        .obj = Py_NewRef(self),
                        .len = column->shape * column->stride,
                        .itemsize = column->stride,
                        .readonly = 1,
                        .ndim = 1,
                        .format = flags & PyBUF_FORMAT ? column->format : NULL,
                        .shape = flags & PyBUF_ND ? &column->shape : NULL,
                        .strides = (flags & PyBUF_STRIDES) == PyBUF_STRIDES ? &column->stride : NULL};
    return 0;
}

static void column_dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    Py_DECREF(((struct py_column *)self)->owner);
    PyObject_Free(self);
    Py_DECREF(type);
}

static PyType_Slot column_slots[] = {
    {Py_tp_dealloc, column_dealloc},
    {Py_bf_getbuffer, column_getbuffer},
    {0, NULL},
};

PyType_Spec column_spec = {
    .name = "vouch._core.Column",
    .basicsize = sizeof(struct py_column),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = column_slots,
};

struct py_arrays *arrays_new(const struct core *core, size_t methods, bool trees)
{
    struct py_arrays *arrays = PyObject_New(struct py_arrays, core->arrays);
    if (!arrays)
        return NULL;
    arrays->names = arrays->methods = NULL;
    if (!gathered_begin(&arrays->gathered, methods, trees)) {
        Py_DECREF(arrays);
        return (struct py_arrays *)PyErr_NoMemory();
    }
    return arrays;
}

static void arrays_dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    struct py_arrays *arrays = (struct py_arrays *)self;
    gathered_release(&arrays->gathered);
    Py_XDECREF(arrays->names);
    Py_XDECREF(arrays->methods);
    PyObject_Free(self);
    Py_DECREF(type);
}

static PyObject *arrays_column(PyObject *self, PyObject *args)
{
    static char nothing[8];
    const struct core *core = core_of(self);
    struct gathered *gathered = &((struct py_arrays *)self)->gathered;
    const char *name;
    Py_ssize_t method = 0;
    size_t kind = 0;
    if (!PyArg_ParseTuple(args, "s|n:column", &name, &method))
        return NULL;
    while (kind < GATHERED_KINDS && strcmp(kinds[kind].name, name) != 0)
        kind++;
    if (kind == GATHERED_KINDS || method < 0 ||
        (kind >= GATHERED_CONFIDENCE && (size_t)method >= gathered->methods))
        return PyErr_Format(PyExc_KeyError, "%s, method %zd", name, method);
    struct column *from = gathered_column(gathered, (enum gathered_column)kind, (size_t)method);
    struct py_column *column = PyObject_New(struct py_column, core->column);
    if (!column)
        return NULL;
    column->owner = Py_NewRef(self);
    column->bytes = from->bytes ? from->bytes : nothing;
    column->stride = kinds[kind].size;
    column->shape = (Py_ssize_t)from->used / kinds[kind].size;
    column->format[0] = kinds[kind].format;
    column->format[1] = '\0';
    PyObject *view = PyMemoryView_FromObject((PyObject *)column);
    Py_DECREF(column);
    return view;
}

/* Finds the words from *first to *end - 1 of the sentence that a Python int numbers. */
static bool words_of(const struct gathered *gathered, PyObject *number, int64_t *first, int64_t *end)
{
    const int64_t *offset = (const int64_t *)(const void *)gathered->own[GATHERED_OFFSETS].bytes;
    Py_ssize_t sentence = PyLong_AsSsize_t(number);
    if (sentence == -1 && PyErr_Occurred())
        return false;
    if (sentence < 0 || sentence >= gathered->sentences) {
        PyErr_SetString(PyExc_IndexError, "no such sentence");
        return false;
    }
    *first = offset[sentence];
    *end = offset[sentence + 1];
    return true;
}

/* The labels of a sentence as a list of str. */
static PyObject *arrays_labels_of(PyObject *self, PyObject *number)
{
    const struct py_arrays *arrays = (struct py_arrays *)self;
    const int32_t *label = (const int32_t *)(const void *)arrays->gathered.own[GATHERED_LABEL].bytes;
    int64_t first, end;
    if (!words_of(&arrays->gathered, number, &first, &end))
        return NULL;
    PyObject *list = PyList_New((Py_ssize_t)(end - first));
    for (int64_t i = first; list && i < end; i++) {
        PyObject *name = label[i] >= 0 ? PyTuple_GetItem(arrays->names, label[i]) : Py_None;
        PyList_SetItem(list, (Py_ssize_t)(i - first), Py_NewRef(name));
    }
    return list;
}

/* The words of a sentence as a list of str; None for those without a form. */
static PyObject *arrays_forms_of(PyObject *self, PyObject *number)
{
    const struct gathered *gathered = &((struct py_arrays *)self)->gathered;
    const int64_t *offset = (const int64_t *)(const void *)gathered->own[GATHERED_FORM_OFFSETS].bytes;
    int64_t words = (int64_t)(gathered->own[GATHERED_FORM_OFFSETS].used / sizeof *offset) - 1, first, end;
    if (!words_of(gathered, number, &first, &end))
        return NULL;
    PyObject *list = PyList_New((Py_ssize_t)(end - first));
    for (int64_t i = first; list && i < end; i++) {
        int64_t length = i < words ? offset[i + 1] - offset[i] : 0;
        const char *form = length > 0 ? gathered->own[GATHERED_FORM_BYTES].bytes + offset[i] : NULL;
        PyObject *text = form ? PyUnicode_FromStringAndSize(form, (Py_ssize_t)length) : Py_NewRef(Py_None);
        if (text)
            PyList_SetItem(list, (Py_ssize_t)(i - first), text);
        else
            Py_CLEAR(list);
    }
    return list;
}

static Py_ssize_t arrays_length(PyObject *self)
{
    return (Py_ssize_t)((struct py_arrays *)self)->gathered.sentences;
}

static PyObject *arrays_names(PyObject *self, void *closure)
{
    (void)closure;
    return Py_NewRef(((struct py_arrays *)self)->names);
}

static PyObject *arrays_methods(PyObject *self, void *closure)
{
    (void)closure;
    return Py_NewRef(((struct py_arrays *)self)->methods);
}

static PyObject *arrays_trees(PyObject *self, void *closure)
{
    (void)closure;
    return PyBool_FromLong(((struct py_arrays *)self)->gathered.trees);
}

static PyMethodDef methods[] = {
    {"column", arrays_column, METH_VARARGS, "column(name, method=0)\n--\n\nReturns a read-only view of a column."},
    {"labels_of", arrays_labels_of, METH_O, "labels_of(sentence)\n--\n\nReturns the labels of a sentence."},
    {"forms_of", arrays_forms_of, METH_O, "forms_of(sentence)\n--\n\nReturns the words of a sentence."},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef properties[] = {
    {"names", arrays_names, NULL, "labels and types of chunks, by number", NULL},
    {"methods", arrays_methods, NULL, "names of methods of confidence, and whether they are calibrated", NULL},
    {"trees", arrays_trees, NULL, "whether answers are trees", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyType_Slot slots[] = {
    {Py_tp_dealloc, arrays_dealloc}, {Py_tp_methods, methods}, {Py_tp_getset, properties},
    {Py_sq_length, arrays_length},   {0, NULL},
};

PyType_Spec arrays_spec = {
    .name = "vouch._core.Arrays",
    .basicsize = sizeof(struct py_arrays),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = slots,
};

PyObject *tuple_of_names(const struct names *names)
{
    PyObject *tuple = PyTuple_New((Py_ssize_t)names->count);
    for (size_t i = 0; tuple && i < names->count; i++) {
        PyObject *name = PyUnicode_FromString(names->name[i]);
        if (name)
            PyTuple_SetItem(tuple, (Py_ssize_t)i, name);
        else
            Py_CLEAR(tuple);
    }
    return tuple;
}
