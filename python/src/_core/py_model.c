/* The type Model: a model of the library. */
#include "py_core.h"

PyObject *wrap_model(const struct core *core, vouch_model *model)
{
    struct py_model *self = PyObject_New(struct py_model, core->model);
    if (!self) {
        vouch_model_close(model);
        return NULL;
    }
    self->model = model;
    return (PyObject *)self;
}

static void model_dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    vouch_model_close(((struct py_model *)self)->model);
    PyObject_Free(self);
    Py_DECREF(type);
}

/* Writes a model to the file that `args` name, by one of the library's functions. */
static PyObject *write_by(enum vouch_status (*write)(const vouch_model *, const char *, struct vouch_error *),
                          PyObject *self, PyObject *args)
{
    PyObject *path;
    struct vouch_error err = {0};
    enum vouch_status status;
    if (!PyArg_ParseTuple(args, "O&", PyUnicode_FSConverter, &path))
        return NULL;
    const char *name = PyBytes_AsString(path);
    Py_BEGIN_ALLOW_THREADS status = write(model_of(self), name, &err);
    Py_END_ALLOW_THREADS Py_DECREF(path);
    if (status != VOUCH_OK)
        return raise_error(core_of(self), &err);
    Py_RETURN_NONE;
}

static PyObject *model_save(PyObject *self, PyObject *args)
{
    return write_by(vouch_model_save, self, args);
}

static PyObject *model_dump(PyObject *self, PyObject *args)
{
    return write_by(vouch_model_dump, self, args);
}

static PyObject *model_task(PyObject *self, void *closure)
{
    (void)closure;
    return PyUnicode_FromString(vouch_model_task(model_of(self)));
}

static PyObject *model_header(PyObject *self, void *closure)
{
    (void)closure;
    return PyUnicode_FromString(vouch_model_header(model_of(self)));
}

static PyObject *model_labels(PyObject *self, void *closure)
{
    PyObject *list = PyList_New(0);
    (void)closure;
    for (size_t i = 0; list && i < vouch_model_label_count(model_of(self)); i++) {
        PyObject *name = PyUnicode_FromString(vouch_model_label_name(model_of(self), i));
        if (!name || PyList_Append(list, name) != 0)
            Py_CLEAR(list);
        Py_XDECREF(name);
    }
    return list;
}

static PyObject *model_columns(PyObject *self, void *closure)
{
    (void)closure;
    return PyLong_FromSize_t(vouch_model_columns(model_of(self)));
}

static PyObject *model_dimensions(PyObject *self, void *closure)
{
    (void)closure;
    return PyLong_FromSize_t(vouch_model_dimensions(model_of(self)));
}

static PyObject *model_parses(PyObject *self, void *closure)
{
    (void)closure;
    return PyBool_FromLong(vouch_model_parses(model_of(self)));
}

static PyObject *model_takes_attributes(PyObject *self, void *closure)
{
    (void)closure;
    return PyBool_FromLong(vouch_model_takes_attributes(model_of(self)));
}

static PyMethodDef methods[] = {
    {"request", model_request, METH_VARARGS, "request(options)\n--\n\nMakes a request with these options."},
    {"save", model_save, METH_VARARGS, "save(path)\n--\n\nWrites the model to a file."},
    {"dump", model_dump, METH_VARARGS, "dump(path)\n--\n\nWrites the model to a file, as text."},
    {"evaluate", model_evaluate, METH_VARARGS,
     "evaluate(options, files, tell, stop)\n--\n\nCompares answers with labelled files: JSON."},
    {"tune", model_tune, METH_VARARGS, "tune(options, files, tell, stop)\n--\n\nCalibrates: a new Model."},
    {"forecast", model_forecast, METH_VARARGS,
     "forecast(options, files, tell, stop)\n--\n\nForecasts how good answers will be: JSON."},
    {"trade", model_trade, METH_VARARGS,
     "trade(options, files, tell, stop)\n--\n\nTrades precision against recall: JSON, and a Model or None."},
    {"choose_next", model_choose_next, METH_VARARGS,
     "choose_next(options, files, tell, stop)\n--\n\nChooses sentences of the first file to label next: text."},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef properties[] = {
    {"task", model_task, NULL, "the name of its task", NULL},
    {"header", model_header, NULL, "its header, as JSON", NULL},
    {"labels", model_labels, NULL, "its labels or relations", NULL},
    {"columns", model_columns, NULL, "how many columns a word must have", NULL},
    {"dimensions", model_dimensions, NULL, "the dimensions of the vectors that words must have; 0: none", NULL},
    {"parses", model_parses, NULL, "whether its answers are trees", NULL},
    {"takes_attributes", model_takes_attributes, NULL, "whether words are ready-made attributes", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyType_Slot slots[] = {
    {Py_tp_dealloc, model_dealloc},
    {Py_tp_methods, methods},
    {Py_tp_getset, properties},
    {0, NULL},
};

PyType_Spec model_spec = {
    .name = "vouch._core.Model",
    .basicsize = sizeof(struct py_model),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = slots,
};
