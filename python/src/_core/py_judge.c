/*
 * The type Judge: tells how far answers by scores from elsewhere can be trusted.
 *
 * Sentences are judged with the GIL released, on several threads (py_stretches.c). A judge never changes, and threads
 * may share it; it keeps the benches of its calls as a request keeps stations (py_request.c).
 */
#include "py_scores.h"
#include "py_stretches.h"
#include "py_watched.h"

#include <stdlib.h>

/* What one thread of a call needs besides the judge. */
struct bench {
    struct stretch stretch; /* names are the judge's labels and their types first */
    vouch_judge_worker *worker;
    size_t known; /* how many names these are */
    struct bench *next;
};

struct py_judge {
    PyObject ob_base;
    vouch_judge *judge;
    PyObject *labels;   /* a tuple of str; None for trees */
    size_t sets;        /* K */
    PyObject *methods;  /* as in Arrays */
    struct bench *free; /* a list, only touched with the GIL */
};

static bool of_trees(const struct py_judge *judge)
{
    return judge->labels == Py_None;
}

static const vouch_answer *judge_sentence(vouch_judge_worker *worker, const struct all_scores *scores, size_t sentence,
                                          struct vouch_error *err)
{
    if (scores->trees) {
        struct vouch_tree_scores tree = tree_scores(scores, sentence);
        return vouch_judge_tree(worker, &tree, err);
    }
    struct vouch_chain_scores chain = chain_scores(scores, sentence);
    return vouch_judge_chain(worker, &chain, err);
}

static PyObject *methods_of(const vouch_answer *answer)
{
    size_t count = vouch_answer_methods(answer);
    PyObject *tuple = PyTuple_New((Py_ssize_t)count);
    for (size_t m = 0; tuple && m < count; m++) {
        PyObject *pair = Py_BuildValue("(sN)", vouch_answer_method_name(answer, m),
                                       PyBool_FromLong(vouch_answer_is_calibrated(answer, m)));
        if (pair)
            PyTuple_SetItem(tuple, (Py_ssize_t)m, pair);
        else
            Py_CLEAR(tuple);
    }
    return tuple;
}

/* Finds out which methods a judge has, by letting it judge a word whose scores are all 0. */
static bool ask_for_methods(const struct core *core, struct py_judge *judge)
{
    struct vouch_error err = {0};
    size_t labels = of_trees(judge) ? 0 : (size_t)PyTuple_Size(judge->labels);
    float *zero = calloc(judge->sets * (labels + 4), sizeof *zero); /* [K][1][Y] or [K][2][2] */
    vouch_judge_worker *worker = vouch_judge_worker_new(judge->judge, &err);
    struct sentence_scores sentence = {.words = 1, .width = labels, .sets = judge->sets, .part.at = zero};
    struct all_scores scores = {.trees = of_trees(judge), .at = &sentence, .count = 1};
    const vouch_answer *answer = zero && worker ? judge_sentence(worker, &scores, 0, &err) : NULL;
    if (answer)
        judge->methods = methods_of(answer);
    else if (!zero)
        PyErr_NoMemory();
    else
        raise_error(core, &err);
    vouch_judge_worker_free(worker);
    free(zero);
    return judge->methods != NULL;
}

/* Returns a new Judge of these labels, or None for trees, which owns `own` even if it fails. */
static PyObject *wrap_judge(const struct core *core, vouch_judge *own, PyObject *labels, size_t sets)
{
    struct py_judge *judge = PyObject_New(struct py_judge, core->judge);
    if (!judge) {
        vouch_judge_free(own);
        return NULL;
    }
    judge->judge = own;
    judge->labels = Py_NewRef(labels);
    judge->sets = sets;
    judge->methods = NULL;
    judge->free = NULL;
    if (!ask_for_methods(core, judge))
        Py_CLEAR(judge);
    return (PyObject *)judge;
}

static void bench_free(struct bench *bench)
{
    vouch_judge_worker_free(bench->worker);
    names_release(&bench->stretch.names);
    free(bench);
}

static void judge_dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    struct py_judge *judge = (struct py_judge *)self;
    while (judge->free) {
        struct bench *bench = judge->free;
        judge->free = bench->next;
        bench_free(bench);
    }
    vouch_judge_free(judge->judge);
    Py_DECREF(judge->labels);
    Py_XDECREF(judge->methods);
    PyObject_Free(self);
    Py_DECREF(type);
}

/* Makes an array of the texts in a tuple of str, which must outlive it; NULL with an exception. */
static const char **texts_of(PyObject *tuple, const char *what)
{
    Py_ssize_t count = PyTuple_Size(tuple);
    const char **text = calloc((size_t)count + 1, sizeof *text);
    if (!text)
        return (const char **)PyErr_NoMemory();
    for (Py_ssize_t i = 0; i < count; i++)
        if (!(text[i] = text_of_str(PyTuple_GetItem(tuple, i), what))) {
            free(text);
            return NULL;
        }
    return text;
}

/* The options of a judge from the arguments of judge() and judge_from_json() that follow the first. */
#define OPTION_FORMAT "znnnnddKzpp"
#define OPTION_TARGETS(o, n)                                                                                           \
    &(o).methods, &(n)[0], &(n)[1], &(n)[2], &(n)[3], &(o).c, &(o).s, &seed, &(o).scheme, &(o).constraints, &(o).raw

static bool set_sizes(struct vouch_judge_options *options, const Py_ssize_t *number, unsigned long long seed)
{
    for (size_t i = 0; i < 4; i++)
        if (number[i] < 0) {
            PyErr_Format(PyExc_ValueError,
                         "expected numbers of alternatives, sets, best and draws from 0, found %zd", number[i]);
            return false;
        }
    options->size = sizeof *options;
    options->alternatives = (size_t)number[0];
    options->sets = (size_t)number[1];
    options->best = (size_t)number[2];
    options->draws = (size_t)number[3];
    options->seed = seed;
    return true;
}

/* Whether it is a tuple of labels or None; false with an exception. */
static bool are_labels(PyObject *labels)
{
    if (labels == Py_None || PyTuple_Check(labels))
        return true;
    PyErr_Format(PyExc_TypeError, "expected a tuple of labels, found %R", (PyObject *)Py_TYPE(labels));
    return false;
}

/* judge(labels or None, methods, alternatives, sets, best, draws, c, s, seed, scheme, constraints, raw) */
PyObject *core_judge(PyObject *module, PyObject *args)
{
    const struct core *core = PyModule_GetState(module);
    struct vouch_judge_options options = {0};
    struct vouch_error err = {0};
    Py_ssize_t number[4];
    unsigned long long seed;
    PyObject *labels;
    if (!PyArg_ParseTuple(args, "O" OPTION_FORMAT ":judge", &labels, OPTION_TARGETS(options, number)) ||
        !set_sizes(&options, number, seed))
        return NULL;
    bool trees = labels == Py_None;
    if (!are_labels(labels))
        return NULL;
    size_t count = trees ? 0 : (size_t)PyTuple_Size(labels);
    const char **label = trees ? NULL : texts_of(labels, "a label");
    if (!trees && !label)
        return NULL;
    vouch_judge *judge = trees ? vouch_judge_new_tree(&options, &err) : vouch_judge_new(label, count, &options, &err);
    free(label);
    return judge ? wrap_judge(core, judge, labels, options.sets ? options.sets : 1) : raise_error(core, &err);
}

/*
 * judge_from_json(json, labels or None, sets, methods, alternatives, draws, raw, threshold, replace, choices,
 * operating_point): labels and sets as in the JSON
 */
PyObject *core_judge_from_json(PyObject *module, PyObject *args)
{
    const struct core *core = PyModule_GetState(module);
    struct vouch_judge_options options = {.size = sizeof options};
    struct vouch_error err = {0};
    Py_ssize_t sets, alternatives, draws;
    PyObject *labels;
    const char *json;
    if (!PyArg_ParseTuple(args, "sOnznnpdzpp:judge_from_json", &json, &labels, &sets, &options.methods, &alternatives,
                          &draws, &options.raw, &options.threshold, &options.replace, &options.choices,
                          &options.operating_point) ||
        !are_labels(labels))
        return NULL;
    if (sets < 1 || alternatives < 0 || draws < 0)
        return PyErr_Format(PyExc_ValueError, "expected numbers of alternatives and draws from 0");
    options.alternatives = (size_t)alternatives;
    options.draws = (size_t)draws;
    vouch_judge *judge = vouch_judge_from_json(json, &options, &err);
    return judge ? wrap_judge(core, judge, labels, (size_t)sets) : raise_error(core, &err);
}

/* judge_file(path): the JSON of the judge in a model file */
PyObject *core_judge_file(PyObject *module, PyObject *args)
{
    struct vouch_error err = {0};
    PyObject *path;
    vouch_judge *judge;
    if (!PyArg_ParseTuple(args, "O&:judge_file", PyUnicode_FSConverter, &path))
        return NULL;
    const char *name = PyBytes_AsString(path);
    Py_BEGIN_ALLOW_THREADS
    judge = vouch_judge_open(name, NULL, &err);
    Py_END_ALLOW_THREADS
    Py_DECREF(path);
    PyObject *json =
        judge ? PyUnicode_FromString(vouch_judge_json(judge)) : raise_error(PyModule_GetState(module), &err);
    vouch_judge_free(judge);
    return json;
}

/* save(path): writes a model file */
static PyObject *judge_save(PyObject *self, PyObject *args)
{
    struct vouch_error err = {0};
    PyObject *path;
    enum vouch_status status;
    if (!PyArg_ParseTuple(args, "O&:save", PyUnicode_FSConverter, &path))
        return NULL;
    const char *name = PyBytes_AsString(path);
    Py_BEGIN_ALLOW_THREADS
    status = vouch_judge_save(((struct py_judge *)self)->judge, name, &err);
    Py_END_ALLOW_THREADS
    Py_DECREF(path);
    return status == VOUCH_OK ? Py_NewRef(Py_None) : raise_error(core_of(self), &err);
}

/* Numbers the judge's labels, and the types that chunks of them have. */
static bool number_labels(struct names *names, const struct py_judge *judge)
{
    int32_t number;
    bool ok = true;
    for (Py_ssize_t i = 0; ok && !of_trees(judge) && i < PyTuple_Size(judge->labels); i++) {
        const char *label = text_of_str(PyTuple_GetItem(judge->labels, i), "a label");
        ok = label && names_number(names, label, &number);
    }
    return ok && names_add_types(names);
}

static struct bench *bench_new(const struct core *core, const struct py_judge *judge)
{
    struct vouch_error err = {0};
    struct bench *bench = calloc(1, sizeof *bench);
    if (!bench)
        return (struct bench *)PyErr_NoMemory();
    bench->worker = vouch_judge_worker_new(judge->judge, &err);
    if (!bench->worker)
        raise_error(core, &err);
    else if (number_labels(&bench->stretch.names, judge)) {
        bench->known = bench->stretch.names.count;
        return bench;
    }
    else if (!PyErr_Occurred())
        PyErr_NoMemory();
    bench_free(bench);
    return NULL;
}

/* Takes `count` benches that are free, or makes them; false with an exception. Give them back in any case. */
static bool benches_take(const struct core *core, struct py_judge *judge, struct stretch **of, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct bench *bench = judge->free;
        if (bench)
            judge->free = bench->next;
        else if (!(bench = bench_new(core, judge)))
            return false;
        of[i] = &bench->stretch;
    }
    return true;
}

static void benches_give_back(struct py_judge *judge, struct stretch **of, size_t count)
{
    for (size_t i = 0; i < count && of[i]; i++) {
        struct bench *bench = (struct bench *)of[i];
        bench->next = judge->free;
        judge->free = bench;
    }
}

/* Judges the sentence that a stretch is at. */
static bool judge_one(struct stretch *stretch)
{
    struct bench *bench = (struct bench *)stretch;
    const vouch_answer *answer = judge_sentence(bench->worker, stretch->call->source, stretch->at, &stretch->err);
    stretch->no_memory = answer && !gather_answer(stretch->to, &stretch->names, answer);
    return answer && !stretch->no_memory;
}

static size_t words_before(const void *source, size_t sentence)
{
    const struct all_scores *scores = source;
    return sentence < scores->count ? scores->at[sentence].before : scores->words;
}

/* Judges all sentences with the GIL released, and sets the names; false with an exception. */
static bool judge_into(const struct core *core, struct py_judge *judge, const struct all_scores *scores,
                       unsigned threads, struct py_arrays *arrays)
{
    size_t count = stretches_worth(scores->count, scores->words, threads);
    struct stretch **of = calloc(count, sizeof(struct stretch *));
    if (!of) {
        PyErr_NoMemory();
        return false;
    }
    struct stretches call = {
        .of = of, .count = count, .answer = judge_one, .source = scores, .words_before = words_before};
    bool ok = benches_take(core, judge, of, count);
    if (ok) {
        call.known = ((struct bench *)of[0])->known;
        ok = stretches_answer(&call, scores->count, &arrays->gathered);
        const struct stretch *failed = stretches_failed(&call);
        if (!ok && !call.signals.interrupted && failed && !failed->no_memory)
            raise_error_in(core, &failed->err, failed->at);
        else if (!ok && !call.signals.interrupted)
            PyErr_NoMemory();
        ok = ok && (arrays->names = tuple_of_names(&of[0]->names));
    }
    benches_give_back(judge, of, count);
    free(of);
    return ok;
}

/* answer(sentences, edge, threads): see scores_take() */
static PyObject *judge_answer(PyObject *self, PyObject *args)
{
    struct py_judge *judge = (struct py_judge *)self;
    const struct core *core = core_of(self);
    struct all_scores scores = {0};
    unsigned threads;
    PyObject *sentences, *edge;
    if (!PyArg_ParseTuple(args, "OOI:answer", &sentences, &edge, &threads))
        return NULL;
    struct py_arrays *arrays = arrays_new(core, (size_t)PyTuple_Size(judge->methods), of_trees(judge));
    bool ok = arrays && scores_take(&scores, of_trees(judge), sentences, edge) &&
              judge_into(core, judge, &scores, threads, arrays);
    if (ok)
        arrays->methods = Py_NewRef(judge->methods);
    else
        Py_CLEAR(arrays);
    scores_release(&scores);
    return (PyObject *)arrays;
}

/* Adds a sentence and its gold: a tuple of labels, or of heads. */
static bool add_gold(const struct core *core, vouch_judge_gold *gold, const struct all_scores *scores, size_t sentence,
                     PyObject *right)
{
    struct vouch_error err = {0};
    enum vouch_status status = VOUCH_OK;
    size_t words = scores->at[sentence].words;
    if (!PyTuple_Check(right) || (size_t)PyTuple_Size(right) != words) {
        PyErr_Format(PyExc_ValueError, "sentence %zu: expected %zu words in gold, as scores have, found %zd",
                     sentence + 1, words, PyTuple_Check(right) ? PyTuple_Size(right) : (Py_ssize_t)-1);
        return false;
    }
    if (scores->trees) {
        struct vouch_tree_scores tree = tree_scores(scores, sentence);
        size_t *head = calloc(words + 1, sizeof *head);
        for (size_t w = 0; head && w < words && !PyErr_Occurred(); w++)
            head[w] = PyLong_AsSize_t(PyTuple_GetItem(right, (Py_ssize_t)w));
        if (!head)
            PyErr_NoMemory();
        else if (!PyErr_Occurred())
            status = vouch_judge_gold_tree(gold, &tree, head, &err);
        free(head);
    } else {
        struct vouch_chain_scores chain = chain_scores(scores, sentence);
        const char **label = texts_of(right, "a label");
        if (label)
            status = vouch_judge_gold_chain(gold, &chain, label, &err);
        free(label);
    }
    if (status != VOUCH_OK)
        raise_error_in(core, &err, sentence);
    return !PyErr_Occurred();
}

static bool add_all_gold(const struct core *core, vouch_judge_gold *gold, const struct all_scores *scores,
                         PyObject *right)
{
    if (!PyTuple_Check(right) || (size_t)PyTuple_Size(right) != scores->count) {
        PyErr_Format(PyExc_ValueError, "expected gold for %zu sentences, as scores have", scores->count);
        return false;
    }
    for (size_t i = 0; i < scores->count; i++)
        if (!add_gold(core, gold, scores, i, PyTuple_GetItem(right, (Py_ssize_t)i)))
            return false;
    return true;
}

/* calibrate(sentences, edge, gold, threads, tell, stop): a new Judge */
static PyObject *judge_calibrate(PyObject *self, PyObject *args)
{
    struct py_judge *judge = (struct py_judge *)self;
    const struct core *core = core_of(self);
    struct all_scores scores = {0};
    struct watched call = {0};
    struct vouch_error err = {0};
    unsigned threads;
    PyObject *sentences, *edge, *right, *tell, *stop;
    vouch_judge_gold *gold = NULL;
    vouch_judge *calibrated = NULL;
    if (!PyArg_ParseTuple(args, "OOOIOO:calibrate", &sentences, &edge, &right, &threads, &tell, &stop))
        return NULL;
    bool ok = watched_by(&call, tell, stop) && scores_take(&scores, of_trees(judge), sentences, edge);
    if (ok && !(gold = vouch_judge_gold_new(judge->judge, &err)))
        raise_error(core, &err);
    ok = gold && add_all_gold(core, gold, &scores, right);
    scores_release(&scores);
    if (ok) {
        PyThreadState *saved = PyEval_SaveThread();
        calibrated = vouch_judge_calibrate(judge->judge, gold, threads, &call.watch, &err);
        PyEval_RestoreThread(saved);
        if (!calibrated)
            raise_error(core, &err);
    }
    vouch_judge_gold_free(gold);
    watched_release(&call);
    return calibrated ? wrap_judge(core, calibrated, judge->labels, judge->sets) : NULL;
}

static PyObject *judge_json(PyObject *self, void *closure)
{
    (void)closure;
    return PyUnicode_FromString(vouch_judge_json(((struct py_judge *)self)->judge));
}

static PyObject *judge_calibrated(PyObject *self, void *closure)
{
    (void)closure;
    return PyBool_FromLong(vouch_judge_is_calibrated(((struct py_judge *)self)->judge));
}

static PyMethodDef methods[] = {
    {"answer", judge_answer, METH_VARARGS, "answer(sentences, edge, threads)\n--\n\nJudges scores: Arrays."},
    {"save", judge_save, METH_VARARGS, "save(path)\n--\n\nWrites the judge to a model file."},
    {"calibrate", judge_calibrate, METH_VARARGS,
     "calibrate(sentences, edge, gold, threads, tell, stop)\n--\n\nCalibrates: a new Judge."},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef properties[] = {
    {"json", judge_json, NULL, "the judge as JSON, calibration included", NULL},
    {"is_calibrated", judge_calibrated, NULL, "whether its numbers are probabilities", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyType_Slot slots[] = {
    {Py_tp_dealloc, judge_dealloc},
    {Py_tp_methods, methods},
    {Py_tp_getset, properties},
    {0, NULL},
};

PyType_Spec judge_spec = {
    .name = "vouch._core.Judge",
    .basicsize = sizeof(struct py_judge),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = slots,
};
