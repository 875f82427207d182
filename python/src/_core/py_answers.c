/*
 * Answers of the library as flat arrays.
 *
 * All sentences of a call are answered at once by vouch_answer_batch(), with the GIL released. Its callback copies each
 * answer behind the others, and takes the GIL now and then to let Python see signals, so that Ctrl-C ends the call. The
 * arrays leave as bytes in a dict. With S sentences, N words in all, C chunks, M methods:
 *
 *     offsets int64 [S+1], label int32 [N], head int32 [N] (trees), doubtful uint8 [N]
 *     confidence, relation_confidence (trees) float64 [M][N], sentence_confidence float64 [M][S]
 *     span_offsets int64 [S+1], span_start, span_end, span_type int32 [C], span_confidence float64 [M][C]
 *     alternatives, sets: a tuple of offsets int64 [N+1], label int32, head int32, probability float64
 *
 * Labels and types are numbers of the list "names", which begins with the model's labels; -1 is none. Words of a
 * sentence and of its chunks count from 0, heads as in vouch.h.
 */
#include "py_core.h"

#include <stdlib.h>
#include <time.h>

/* An array that grows. */
struct column {
    char *bytes;
    size_t used, capacity;
};

/* Names and their numbers: open addressing over FNV-1a. */
struct names {
    char **name; /* [count] */
    size_t count, capacity;
    int32_t *slot; /* [slots] a number, or -1; a power of two, at most half full */
    size_t slots;
};

struct choices {
    struct column offset, label, head, probability;
};

struct gathered {
    size_t methods;
    bool trees;
    struct column offset, label, head, doubtful;
    struct column span_offset, span_start, span_end, span_type;
    struct column *confidence, *relation, *sentence, *span; /* [methods] */
    struct choices alternatives, sets;
    struct names names;
    int64_t words, spans;
    bool no_memory;
    PyThreadState *thread; /* while the GIL is released */
    struct timespec looked;
    bool interrupted; /* an exception is set */
};

static bool append(struct column *column, const void *bytes, size_t length)
{
    if (column->capacity - column->used < length) {
        size_t room = column->capacity < 256 ? 256 : column->capacity;
        while (room - column->used < length && room <= SIZE_MAX / 2)
            room *= 2;
        char *grown = room - column->used >= length ? realloc(column->bytes, room) : NULL;
        if (!grown)
            return false;
        column->bytes = grown;
        column->capacity = room;
    }
    memcpy(column->bytes + column->used, bytes, length);
    column->used += length;
    return true;
}

static bool append_int32(struct column *column, size_t number)
{
    int32_t value = number > INT32_MAX ? -1 : (int32_t)number;
    return append(column, &value, sizeof value);
}

static bool append_int64(struct column *column, int64_t value)
{
    return append(column, &value, sizeof value);
}

static bool append_double(struct column *column, double value)
{
    return append(column, &value, sizeof value);
}

static uint64_t hash_of(const char *name)
{
    uint64_t hash = 14695981039346656037u;
    for (; *name; name++)
        hash = (hash ^ (unsigned char)*name) * 1099511628211u;
    return hash;
}

/* Returns the slot of a name, or the one where it belongs. */
static int32_t *find(const struct names *names, const char *name)
{
    size_t at = (size_t)hash_of(name) & (names->slots - 1);
    while (names->slot[at] >= 0 && strcmp(names->name[names->slot[at]], name) != 0)
        at = (at + 1) & (names->slots - 1);
    return names->slot + at;
}

static bool rehash(struct names *names)
{
    size_t slots = names->slots ? names->slots * 2 : 64;
    int32_t *slot = malloc(slots * sizeof *slot);
    if (!slot)
        return false;
    for (size_t i = 0; i < slots; i++)
        slot[i] = -1;
    free(names->slot);
    names->slot = slot;
    names->slots = slots;
    for (size_t i = 0; i < names->count; i++)
        *find(names, names->name[i]) = (int32_t)i;
    return true;
}

/* Adds a name that is not there yet. */
static bool add_name(struct names *names, const char *name)
{
    if (names->count == names->capacity) {
        size_t room = names->capacity ? names->capacity * 2 : 64;
        char **grown = realloc(names->name, room * sizeof *grown);
        if (!grown)
            return false;
        names->name = grown;
        names->capacity = room;
    }
    size_t size = strlen(name) + 1;
    char *copy = malloc(size);
    if (!copy)
        return false;
    memcpy(copy, name, size);
    names->name[names->count] = copy;
    *find(names, copy) = (int32_t)names->count;
    names->count++;
    return true;
}

/* Finds the number of a name, which it adds if it is new; -1 for NULL. False: no memory. */
static bool number_of(struct names *names, const char *name, int32_t *number)
{
    *number = -1;
    if (!name)
        return true;
    if (2 * (names->count + 1) > names->slots && !rehash(names))
        return false;
    if (*find(names, name) < 0 && !add_name(names, name))
        return false;
    *number = *find(names, name);
    return true;
}

static bool append_name(struct names *names, struct column *column, const char *name)
{
    int32_t number;
    return number_of(names, name, &number) && append(column, &number, sizeof number);
}

typedef int (*choice_of)(const vouch_answer *answer, size_t word, size_t choice, const char **label, size_t *head,
                         double *probability);

static bool gather_choices(struct gathered *to, struct choices *choices, const vouch_answer *answer, size_t word,
                           size_t count, choice_of get)
{
    for (size_t i = 0; i < count; i++) {
        const char *label = NULL;
        size_t head = (size_t)-1;
        double probability = 0;
        get(answer, word, i, &label, &head, &probability);
        if (!append_name(&to->names, &choices->label, label) || !append_int32(&choices->head, head) ||
            !append_double(&choices->probability, probability))
            return false;
    }
    return append_int64(&choices->offset, (int64_t)(choices->probability.used / sizeof(double)));
}

static bool gather_word(struct gathered *to, const vouch_answer *answer, size_t word)
{
    char doubtful = (char)vouch_answer_is_doubtful(answer, word);
    bool ok = append_name(&to->names, &to->label, vouch_answer_label(answer, word)) &&
              append(&to->doubtful, &doubtful, 1) &&
              (!to->trees || append_int32(&to->head, vouch_answer_head(answer, word)));
    for (size_t m = 0; ok && m < to->methods; m++)
        ok = append_double(to->confidence + m, vouch_answer_confidence(answer, m, word)) &&
             (!to->trees || append_double(to->relation + m, vouch_answer_relation_confidence(answer, m, word)));
    return ok &&
           gather_choices(to, &to->alternatives, answer, word, vouch_answer_alternatives(answer, word),
                          vouch_answer_alternative) &&
           gather_choices(to, &to->sets, answer, word, vouch_answer_set(answer, word), vouch_answer_set_member);
}

static bool gather_span(struct gathered *to, const vouch_answer *answer, size_t span)
{
    size_t start = 0, end = 0;
    const char *type = NULL;
    vouch_answer_span(answer, span, &start, &end, &type);
    bool ok = append_int32(&to->span_start, start) && append_int32(&to->span_end, end) &&
              append_name(&to->names, &to->span_type, type);
    for (size_t m = 0; ok && m < to->methods; m++)
        ok = append_double(to->span + m, vouch_answer_span_confidence(answer, m, span));
    return ok;
}

static bool gather_answer(struct gathered *to, const vouch_answer *answer)
{
    size_t words = vouch_answer_words(answer), spans = vouch_answer_spans(answer);
    bool ok = true;
    for (size_t w = 0; ok && w < words; w++)
        ok = gather_word(to, answer, w);
    for (size_t s = 0; ok && s < spans; s++)
        ok = gather_span(to, answer, s);
    for (size_t m = 0; ok && m < to->methods; m++)
        ok = append_double(to->sentence + m, vouch_answer_sentence_confidence(answer, m));
    to->words += (int64_t)words;
    to->spans += (int64_t)spans;
    return ok && append_int64(&to->offset, to->words) && append_int64(&to->span_offset, to->spans);
}

/* Lets Python handle signals, twenty times a second; true if one of them raised an exception. */
static bool is_interrupted(struct gathered *to)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    double passed = (double)(now.tv_sec - to->looked.tv_sec) + 1e-9 * (double)(now.tv_nsec - to->looked.tv_nsec);
    if (passed < 0.05)
        return false;
    to->looked = now;
    PyEval_RestoreThread(to->thread);
    to->interrupted = PyErr_CheckSignals() != 0;
    to->thread = PyEval_SaveThread();
    return to->interrupted;
}

static int take_answer(void *context, const vouch_sentence *sentence, const vouch_answer *answer)
{
    struct gathered *to = context;
    (void)sentence;
    to->no_memory = !gather_answer(to, answer);
    return to->no_memory || is_interrupted(to);
}

/* Empty arrays, with the first of their offsets. */
static bool gathered_begin(struct gathered *to, const vouch_model *model, const vouch_request *request)
{
    int32_t number;
    to->methods = vouch_request_methods(request);
    to->trees = vouch_model_parses(model);
    struct column *columns = calloc(4 * to->methods + 1, sizeof *columns);
    to->confidence = columns;
    if (!columns)
        return false;
    to->relation = columns + to->methods;
    to->sentence = columns + 2 * to->methods;
    to->span = columns + 3 * to->methods;
    for (size_t i = 0; i < vouch_model_label_count(model); i++)
        if (!number_of(&to->names, vouch_model_label_name(model, i), &number))
            return false;
    clock_gettime(CLOCK_MONOTONIC, &to->looked);
    return append_int64(&to->offset, 0) && append_int64(&to->span_offset, 0) &&
           append_int64(&to->alternatives.offset, 0) && append_int64(&to->sets.offset, 0);
}

static void choices_release(struct choices *choices)
{
    free(choices->offset.bytes);
    free(choices->label.bytes);
    free(choices->head.bytes);
    free(choices->probability.bytes);
}

static void gathered_release(struct gathered *to)
{
    struct column *own[] = {&to->offset,      &to->label,      &to->head,     &to->doubtful,
                            &to->span_offset, &to->span_start, &to->span_end, &to->span_type};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        free(own[i]->bytes);
    for (size_t i = 0; to->confidence && i < 4 * to->methods; i++)
        free(to->confidence[i].bytes);
    free(to->confidence);
    choices_release(&to->alternatives);
    choices_release(&to->sets);
    for (size_t i = 0; i < to->names.count; i++)
        free(to->names.name[i]);
    free(to->names.name);
    free(to->names.slot);
}

static PyObject *bytes_of(const struct column *column)
{
    return PyBytes_FromStringAndSize(column->bytes, (Py_ssize_t)column->used);
}

/* Puts a new object, NULL after a failure, into a dict. */
static bool put(PyObject *dict, const char *key, PyObject *object)
{
    bool ok = object && PyDict_SetItemString(dict, key, object) == 0;
    Py_XDECREF(object);
    return ok;
}

static PyObject *bytes_of_methods(const struct column *column, size_t methods)
{
    PyObject *list = PyList_New(0);
    for (size_t m = 0; list && m < methods; m++) {
        PyObject *bytes = bytes_of(column + m);
        if (!bytes || PyList_Append(list, bytes) != 0)
            Py_CLEAR(list);
        Py_XDECREF(bytes);
    }
    return list;
}

static PyObject *bytes_of_choices(const struct choices *choices)
{
    return Py_BuildValue("(NNNN)", bytes_of(&choices->offset), bytes_of(&choices->label), bytes_of(&choices->head),
                         bytes_of(&choices->probability));
}

static PyObject *list_of_names(const struct names *names)
{
    PyObject *list = PyList_New(0);
    for (size_t i = 0; list && i < names->count; i++) {
        PyObject *name = PyUnicode_FromString(names->name[i]);
        if (!name || PyList_Append(list, name) != 0)
            Py_CLEAR(list);
        Py_XDECREF(name);
    }
    return list;
}

static PyObject *list_of_methods(const vouch_request *request)
{
    PyObject *list = PyList_New(0);
    for (size_t m = 0; list && m < vouch_request_methods(request); m++) {
        PyObject *pair = Py_BuildValue("(sN)", vouch_request_method_name(request, m),
                                       PyBool_FromLong(vouch_request_is_calibrated(request, m)));
        if (!pair || PyList_Append(list, pair) != 0)
            Py_CLEAR(list);
        Py_XDECREF(pair);
    }
    return list;
}

static PyObject *dict_of(const struct gathered *from, const vouch_request *request)
{
    PyObject *dict = PyDict_New();
    bool ok = dict && put(dict, "names", list_of_names(&from->names)) &&
              put(dict, "methods", list_of_methods(request)) && put(dict, "trees", PyBool_FromLong(from->trees)) &&
              put(dict, "offsets", bytes_of(&from->offset)) && put(dict, "label", bytes_of(&from->label)) &&
              put(dict, "head", bytes_of(&from->head)) && put(dict, "doubtful", bytes_of(&from->doubtful)) &&
              put(dict, "confidence", bytes_of_methods(from->confidence, from->methods)) &&
              put(dict, "relation_confidence", bytes_of_methods(from->relation, from->methods)) &&
              put(dict, "sentence_confidence", bytes_of_methods(from->sentence, from->methods)) &&
              put(dict, "span_offsets", bytes_of(&from->span_offset)) &&
              put(dict, "span_start", bytes_of(&from->span_start)) &&
              put(dict, "span_end", bytes_of(&from->span_end)) && put(dict, "span_type", bytes_of(&from->span_type)) &&
              put(dict, "span_confidence", bytes_of_methods(from->span, from->methods)) &&
              put(dict, "alternatives", bytes_of_choices(&from->alternatives)) &&
              put(dict, "sets", bytes_of_choices(&from->sets));
    if (!ok)
        Py_CLEAR(dict);
    return dict;
}

PyObject *answer_sentences(const struct core *core, const vouch_model *model, const vouch_request *request,
                           const struct sentences *sentences)
{
    struct gathered gathered = {0};
    struct vouch_error err = {0};
    PyObject *dict = NULL;
    bool begun = gathered_begin(&gathered, model, request);
    if (begun) {
        gathered.thread = PyEval_SaveThread();
        vouch_sentence *none[1] = {NULL};
        enum vouch_status status = vouch_answer_batch(request, sentences->count > 0 ? sentences->at : none,
                                                      sentences->count, take_answer, &gathered, &err);
        PyEval_RestoreThread(gathered.thread);
        if (status == VOUCH_OK)
            dict = dict_of(&gathered, request);
    }
    if (!begun || gathered.no_memory)
        PyErr_NoMemory();
    else if (err.status != VOUCH_OK && !gathered.interrupted)
        raise_error(core, &err);
    gathered_release(&gathered);
    return dict;
}
