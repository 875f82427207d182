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

/* import_model(program, path) */
static PyObject *import_model(PyObject *module, PyObject *args)
{
    PyObject *path;
    const char *program;
    struct vouch_error err = {0};
    vouch_model *model;
    if (!PyArg_ParseTuple(args, "sO&:import_model", &program, PyUnicode_FSConverter, &path))
        return NULL;
    const char *name = PyBytes_AsString(path);
    Py_BEGIN_ALLOW_THREADS model = vouch_model_import(program, name, &err);
    Py_END_ALLOW_THREADS Py_DECREF(path);
    return model ? wrap_model(PyModule_GetState(module), model) : raise_error(PyModule_GetState(module), &err);
}

/* options(command): what vouch.h tells of each; kinds are those of enum vouch_option_kind */
static PyObject *options(PyObject *module, PyObject *args)
{
    const char *command;
    struct vouch_error err = {0};
    struct vouch_option option = {.size = sizeof option};
    PyObject *list = PyArg_ParseTuple(args, "s:options", &command) ? PyList_New(0) : NULL;
    for (size_t i = 0; list && i < vouch_options_count(command); i++) {
        PyObject *pair = vouch_options_describe(command, i, &option, &err) == VOUCH_OK
                             ? Py_BuildValue("(sssizz)", option.name, option.usual, option.help, (int)option.kind,
                                             option.argument, option.choices)
                             : raise_error(PyModule_GetState(module), &err);
        if (!pair || PyList_Append(list, pair) != 0)
            Py_CLEAR(list);
        Py_XDECREF(pair);
    }
    return list;
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
    {"import_model", import_model, METH_VARARGS,
     "import_model(program, path)\n--\n\nMakes a model of another program's."},
    {"options", options, METH_VARARGS,
     "options(command)\n--\n\nReturns name, usual value, help, kind, argument and choices of each option."},
    {"train", core_train, METH_VARARGS,
     "train(options, files, tell, stop)\n--\n\nLearns: a Model, and whether it was stopped before the end."},
    {"cross_validate", core_cross_validate, METH_VARARGS,
     "cross_validate(options, files, tell, stop)\n--\n\nCross-validates algorithms: JSON."},
    {"review", core_review, METH_VARARGS,
     "review(model, options, files, tell, stop)\n--\n\nFinds probable errors: a list, and totals."},
    {"agree", core_agree, METH_VARARGS,
     "agree(model, options, files, tell, stop)\n--\n\nMeasures how far annotators agree: JSON."},
    {"convert", core_convert, METH_VARARGS,
     "convert(path, options, files, tell, stop)\n--\n\nConverts annotated texts: JSON, and the text or None."},
    {"cluster", core_cluster, METH_VARARGS,
     "cluster(options, files, tell, stop)\n--\n\nFinds classes of words: a lexicon as text."},
    {"answers_measure", core_answers_measure, METH_VARARGS,
     "answers_measure(calibration, options, files, tell, stop)\n--\n\nMeasures answers in a file: JSON."},
    {"answers_tune", core_answers_tune, METH_VARARGS,
     "answers_tune(None, options, files, tell, stop)\n--\n\nCalibrates answers in a file: a calibration."},
    {"answers_apply", core_answers_apply, METH_VARARGS,
     "answers_apply(calibration, options, files, tell, stop)\n--\n\nAdds probabilities: the file as text."},
    {"answers_trade", core_answers_trade, METH_VARARGS,
     "answers_trade(calibration, options, files, tell, stop)\n--\n\nTrades: JSON, and a calibration or None."},
    {"answers_vote", core_answers_vote, METH_VARARGS,
     "answers_vote(None, options, files, tell, stop)\n--\n\nMakes one answer of several: a file as text."},
    {"judge", core_judge, METH_VARARGS, "judge(labels, *options)\n--\n\nMakes a Judge."},
    {"judge_from_json", core_judge_from_json, METH_VARARGS,
     "judge_from_json(json, *options)\n--\n\nMakes a Judge of its JSON."},
    {"judge_file", core_judge_file, METH_VARARGS, "judge_file(path)\n--\n\nReturns the JSON of a judge's file."},
    {"probabilities", core_probabilities, METH_VARARGS,
     "probabilities(offsets, labels, probabilities, columns, classes)\n--\n\nReturns rows of all classes, of float64."},
    {"marginals", core_marginals, METH_VARARGS,
     "marginals(rows, offsets, classes)\n--\n\nReturns such rows as dicts, a list for each sentence."},
    {"measure", core_measure, METH_VARARGS,
     "measure(confidence, right)\n--\n\nMeasures confidences: a dict of figures."},
    {"test_calibration", core_test_calibration, METH_VARARGS,
     "test_calibration(confidence, right, sentence, samples, seed)\n--\n\nCalibration error, its limit, and p."},
    {"attribute_lines", core_attribute_lines, METH_VARARGS,
     "attribute_lines(words, labels)\n--\n\nReturns a sentence of attributes as lines of CRFsuite."},
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
    if (!core->error || PyModule_AddObjectRef(module, "Error", core->error) != 0)
        return -1;
    PyType_Spec *specs[] = {&model_spec, &request_spec, &arrays_spec, &column_spec, &judge_spec};
    PyTypeObject **types[] = {&core->model, &core->request, &core->arrays, &core->column, &core->judge};
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        *types[i] = (PyTypeObject *)PyType_FromModuleAndSpec(module, specs[i], NULL);
        if (!*types[i] || PyModule_AddType(module, *types[i]) != 0)
            return -1;
    }
    return 0;
}

static int core_traverse(PyObject *module, visitproc visit, void *arg)
{
    struct core *core = PyModule_GetState(module);
    Py_VISIT(core->error);
    Py_VISIT(core->model);
    Py_VISIT(core->request);
    Py_VISIT(core->arrays);
    Py_VISIT(core->column);
    Py_VISIT(core->judge);
    return 0;
}

static int core_clear(PyObject *module)
{
    struct core *core = PyModule_GetState(module);
    Py_CLEAR(core->error);
    Py_CLEAR(core->model);
    Py_CLEAR(core->request);
    Py_CLEAR(core->arrays);
    Py_CLEAR(core->column);
    Py_CLEAR(core->judge);
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
