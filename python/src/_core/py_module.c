/* The module vouch._core and what it keeps. */
#include "py_core.h"

static PyObject *load(PyObject *module, PyObject *args)
{
    PyObject *path;
    struct vouch_error err = {0};
    vouch_model *model;
    if (!PyArg_ParseTuple(args, "O&:load", PyUnicode_FSConverter, &path))
        return NULL;
    const char *name = PyBytes_AsString(path);
    Py_BEGIN_ALLOW_THREADS model = vouch_model_open(name, &err);
    Py_END_ALLOW_THREADS Py_DECREF(path);
    return model ? wrap_model(PyModule_GetState(module), model) : raise_error(PyModule_GetState(module), &err);
}

static PyObject *load_bytes(PyObject *module, PyObject *args)
{
    Py_buffer bytes;
    struct vouch_error err = {0};
    vouch_model *model;
    if (!PyArg_ParseTuple(args, "y*:load_bytes", &bytes))
        return NULL;
    Py_BEGIN_ALLOW_THREADS model = vouch_model_open_memory(bytes.buf, (size_t)bytes.len, &err);
    Py_END_ALLOW_THREADS PyBuffer_Release(&bytes);
    return model ? wrap_model(PyModule_GetState(module), model) : raise_error(PyModule_GetState(module), &err);
}

static PyObject *version(PyObject *module, PyObject *unused)
{
    (void)module;
    (void)unused;
    return PyUnicode_FromString(vouch_version());
}

static PyMethodDef functions[] = {
    {"load", load, METH_VARARGS, "load(path)\n--\n\nOpens a model file."},
    {"load_bytes", load_bytes, METH_VARARGS, "load_bytes(bytes)\n--\n\nOpens the bytes of a model file."},
    {"train", core_train, METH_VARARGS, "train(options, files, tell, stop)\n--\n\nLearns a model."},
    {"version", version, METH_NOARGS, "version()\n--\n\nReturns the version of the library."},
    {NULL, NULL, 0, NULL},
};

static int core_exec(PyObject *module)
{
    struct core *core = PyModule_GetState(module);
    PyObject *status = Py_BuildValue("{s:i}", "status", (int)VOUCH_OK);
    core->error = status ? PyErr_NewExceptionWithDoc(
                               "vouch.Error",
                               "What the library could not do; `status` is the kind of error in vouch.h.", NULL, status)
                         : NULL;
    Py_XDECREF(status);
    core->model = (PyTypeObject *)PyType_FromModuleAndSpec(module, &model_spec, NULL);
    core->request = (PyTypeObject *)PyType_FromModuleAndSpec(module, &request_spec, NULL);
    if (!core->error || !core->model || !core->request)
        return -1;
    return PyModule_AddObjectRef(module, "Error", core->error) || PyModule_AddType(module, core->model) ||
                   PyModule_AddType(module, core->request)
               ? -1
               : 0;
}

static int core_traverse(PyObject *module, visitproc visit, void *arg)
{
    struct core *core = PyModule_GetState(module);
    Py_VISIT(core->error);
    Py_VISIT(core->model);
    Py_VISIT(core->request);
    return 0;
}

static int core_clear(PyObject *module)
{
    struct core *core = PyModule_GetState(module);
    Py_CLEAR(core->error);
    Py_CLEAR(core->model);
    Py_CLEAR(core->request);
    return 0;
}

static void core_free(void *module)
{
    core_clear(module);
}

static PyModuleDef_Slot slots[] = {
    {Py_mod_exec, core_exec},
    {0, NULL},
};

static struct PyModuleDef core_module = {
    PyModuleDef_HEAD_INIT,         .m_name = "vouch._core", .m_doc = "vouch.h for Python: see the package vouch.",
    .m_size = sizeof(struct core), .m_methods = functions,  .m_slots = slots,
    .m_traverse = core_traverse,   .m_clear = core_clear,   .m_free = core_free,
};

PyMODINIT_FUNC PyInit__core(void);
PyMODINIT_FUNC PyInit__core(void)
{
    return PyModuleDef_Init(&core_module);
}
