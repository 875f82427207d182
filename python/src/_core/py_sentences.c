/*
 * Sentences of Python as sentences of the library.
 *
 * A sentence is an iterable of words. A word is a str; or a tuple or list of str, its columns; or, for a model that was
 * learned from ready-made attributes, one str, several, or a dict of features as python-crfsuite takes them:
 *
 *     {"word": "Ada", "title": True, "length": 3.0, "suffix": ["a", "da"], "-1": {"pos": "NN"}}
 *
 * is "word:Ada", "title" with the value 1, "length" with 3, "suffix:a", "suffix:da" and "-1:pos:NN".
 *
 * Every text is copied into one buffer as it is met, since code of Python (an iterator, a __float__) may run between
 * two of them and drop what was read before. Buffers and sentences are used again by the next call.
 */
#include "py_core.h"

#include <stdio.h>
#include <stdlib.h>

/* A sentence while it is read. */
struct draft {
    char *bytes; /* the cells, each terminated */
    size_t used, bytes_capacity;
    struct draft_cell {
        size_t at; /* in bytes */
        float value;
    } * cell;
    size_t cells, cell_capacity;
    size_t *first; /* [words] the first cell of each word */
    size_t words, first_capacity;
    bool attributes, weighted;
    size_t sentence; /* from 1, for messages */
    const char **given; /* [cells in all columns] as the library takes them */
    float *value;
    size_t given_capacity, value_capacity;
};

/* What is kept for the next call, and not more: sentences, and words of each. */
enum { KEPT_SENTENCES = 64, KEPT_WORDS = 1000 };

/* Makes room for `count` items; false with an exception. */
static bool grow(void **array, size_t *capacity, size_t count, size_t size)
{
    if (count <= *capacity)
        return true;
    size_t room = *capacity < 16 ? 16 : *capacity;
    while (room < count && room <= SIZE_MAX / 2 / size)
        room *= 2;
    void *grown = room >= count ? realloc(*array, room * size) : NULL;
    if (!grown) {
        PyErr_NoMemory();
        return false;
    }
    *array = grown;
    *capacity = room;
    return true;
}

static bool refuse(PyObject *kind, const struct draft *draft, const char *expected, PyObject *found)
{
    PyErr_Format(kind, "sentence %zu, word %zu: expected %s, found %R", draft->sentence, draft->words, expected,
                 (PyObject *)Py_TYPE(found));
    return false;
}

static bool add_bytes(struct draft *draft, const char *text, size_t length)
{
    if (!grow((void **)&draft->bytes, &draft->bytes_capacity, draft->used + length + 1, 1))
        return false;
    memcpy(draft->bytes + draft->used, text, length);
    draft->used += length;
    draft->bytes[draft->used] = '\0';
    return true;
}

/* Adds the text of a str behind what is there. */
static bool add_text(struct draft *draft, PyObject *object)
{
    Py_ssize_t length;
    if (!PyUnicode_Check(object))
        return refuse(PyExc_TypeError, draft, "str", object);
    const char *text = PyUnicode_AsUTF8AndSize(object, &length);
    if (!text)
        return false; /* lone surrogates: UnicodeEncodeError, which is a ValueError */
    if (memchr(text, '\0', (size_t)length)) {
        PyErr_Format(PyExc_ValueError, "sentence %zu, word %zu: expected text without zero characters, found %R",
                     draft->sentence, draft->words, object);
        return false;
    }
    return add_bytes(draft, text, (size_t)length);
}

/* Ends the cell that began at `from`. */
static bool end_cell(struct draft *draft, size_t from, float value)
{
    if (!grow((void **)&draft->cell, &draft->cell_capacity, draft->cells + 1, sizeof *draft->cell))
        return false;
    draft->cell[draft->cells++] = (struct draft_cell){from, value};
    draft->weighted = draft->weighted || value != 1;
    draft->used++;
    return true;
}

static bool add_cell(struct draft *draft, PyObject *object)
{
    size_t from = draft->used;
    return add_text(draft, object) && end_cell(draft, from, 1);
}

static bool add_features(struct draft *draft, const char *prefix, size_t length, PyObject *dict);

static bool add_feature(struct draft *draft, const char *name, size_t length, PyObject *value);

/* Adds a feature with several values. */
static bool add_values(struct draft *draft, const char *name, size_t length, PyObject *values)
{
    PyObject *items = PySequence_Tuple(values);
    bool ok = items != NULL;
    for (Py_ssize_t i = 0; ok && i < PyTuple_Size(items); i++) {
        PyObject *item = PyTuple_GetItem(items, i);
        ok = PyUnicode_Check(item) ? add_feature(draft, name, length, item)
                                   : refuse(PyExc_TypeError, draft, "a list of str as a feature", item);
    }
    Py_XDECREF(items);
    return ok;
}

/* Adds a feature whose name is the `length` bytes at `name`, in memory that stays. */
static bool add_feature(struct draft *draft, const char *name, size_t length, PyObject *value)
{
    size_t from = draft->used;
    if (PyUnicode_Check(value))
        return add_bytes(draft, name, length) && add_bytes(draft, ":", 1) && add_text(draft, value) &&
               end_cell(draft, from, 1);
    if (PyDict_Check(value))
        return add_features(draft, name, length, value);
    if (PyList_Check(value) || PyTuple_Check(value) || PyAnySet_Check(value))
        return add_values(draft, name, length, value);
    if (!PyNumber_Check(value))
        return refuse(PyExc_TypeError, draft, "a feature of str, bool, number, list of str or dict", value);
    double number = PyFloat_AsDouble(value);
    return !(number == -1 && PyErr_Occurred()) && add_bytes(draft, name, length) &&
           end_cell(draft, from, (float)number);
}

/* Adds a feature of a dict, whose name begins with `prefix` and a colon if that is not empty. */
static bool add_item(struct draft *draft, const char *prefix, size_t length, PyObject *key, PyObject *value)
{
    Py_ssize_t key_length = 0;
    if (!PyUnicode_Check(key))
        return refuse(PyExc_TypeError, draft, "str as the name of a feature", key);
    const char *text = PyUnicode_AsUTF8AndSize(key, &key_length);
    if (!text)
        return false;
    if (memchr(text, '\0', (size_t)key_length)) {
        PyErr_Format(PyExc_ValueError, "sentence %zu, word %zu: expected a name without zero characters, found %R",
                     draft->sentence, draft->words, key);
        return false;
    }
    size_t colon = length > 0;
    char *name = malloc(length + colon + (size_t)key_length + 1);
    if (!name) {
        PyErr_NoMemory();
        return false;
    }
    if (colon) {
        memcpy(name, prefix, length);
        name[length] = ':';
    }
    memcpy(name + length + colon, text, (size_t)key_length);
    bool ok = add_feature(draft, name, length + colon + (size_t)key_length, value);
    free(name);
    return ok;
}

static bool add_features(struct draft *draft, const char *prefix, size_t length, PyObject *dict)
{
    if (Py_EnterRecursiveCall(" in a dict of features"))
        return false;
    PyObject *items = PyDict_Items(dict);
    bool ok = items != NULL;
    for (Py_ssize_t i = 0; ok && i < PyList_Size(items); i++) {
        PyObject *item = PyList_GetItem(items, i);
        ok = add_item(draft, prefix, length, PyTuple_GetItem(item, 0), PyTuple_GetItem(item, 1));
    }
    Py_XDECREF(items);
    Py_LeaveRecursiveCall();
    return ok;
}

static bool add_columns(struct draft *draft, PyObject *word)
{
    PyObject *cells = PySequence_Tuple(word);
    bool ok = cells != NULL;
    for (Py_ssize_t i = 0; ok && i < PyTuple_Size(cells); i++)
        ok = add_cell(draft, PyTuple_GetItem(cells, i));
    Py_XDECREF(cells);
    return ok;
}

static bool add_word(struct draft *draft, PyObject *word)
{
    if (!grow((void **)&draft->first, &draft->first_capacity, draft->words + 1, sizeof *draft->first))
        return false;
    draft->first[draft->words++] = draft->cells;
    if (PyUnicode_Check(word))
        return add_cell(draft, word);
    if (PyDict_Check(word) && draft->attributes)
        return add_features(draft, NULL, 0, word);
    if (PyTuple_Check(word) || PyList_Check(word))
        return add_columns(draft, word);
    return refuse(PyExc_TypeError, draft,
                  draft->attributes ? "a word as str, dict of features or list of attributes"
                                    : "a word as str or as tuple of its columns",
                  word);
}

static size_t cells_of(const struct draft *draft, size_t word)
{
    size_t end = word + 1 < draft->words ? draft->first[word + 1] : draft->cells;
    return end - draft->first[word];
}

/* Finds how many columns the words have: the most of any with attributes, else the same number for all. */
static bool count_columns(const struct draft *draft, size_t *columns)
{
    *columns = draft->words > 0 ? cells_of(draft, 0) : 1;
    for (size_t w = 0; w < draft->words; w++) {
        size_t found = cells_of(draft, w);
        if (draft->attributes) {
            *columns = found > *columns ? found : *columns;
        } else if (found == 0 || found != *columns) {
            PyErr_Format(PyExc_ValueError,
                         found == 0 ? "sentence %zu, word %zu: expected at least one column, found none"
                                    : "sentence %zu, word %zu: expected %zu columns, as the first word has, found %zu",
                         draft->sentence, w + 1, *columns, found);
            return false;
        }
    }
    *columns += *columns == 0;
    return true;
}

/* Hands the draft to the library. */
static bool finish(struct draft *draft, const struct core *core, vouch_sentence *sentence)
{
    size_t columns, cells;
    if (!count_columns(draft, &columns))
        return false;
    if (draft->words > SIZE_MAX / sizeof(char *) / columns) {
        PyErr_NoMemory();
        return false;
    }
    cells = draft->words * columns;
    if (!grow((void **)&draft->given, &draft->given_capacity, cells + 1, sizeof *draft->given) ||
        !grow((void **)&draft->value, &draft->value_capacity, cells + 1, sizeof *draft->value))
        return false;
    const char **cell = draft->given;
    float *value = draft->value;
    struct vouch_error err = {0};
    bool ok;
    for (size_t w = 0; w < draft->words; w++) {
        size_t found = cells_of(draft, w);
        for (size_t i = 0; i < columns; i++) {
            const struct draft_cell *from = draft->cell + draft->first[w] + i;
            cell[w * columns + i] = i < found ? draft->bytes + from->at : NULL;
            value[w * columns + i] = i < found ? from->value : 0;
        }
    }
    if (draft->attributes)
        ok = vouch_sentence_set_attributes(sentence, cell, draft->weighted ? value : NULL, draft->words, columns,
                                           &err) == VOUCH_OK;
    else
        ok = vouch_sentence_set_cells(sentence, cell, draft->words, columns, &err) == VOUCH_OK;
    if (!ok && err.status == VOUCH_ERR_ARGUMENT)
        PyErr_Format(PyExc_ValueError, "sentence %zu, %s", draft->sentence, err.message);
    else if (!ok)
        raise_error(core, &err);
    return ok;
}

/* Reads one sentence into the draft. */
static bool read_words(struct draft *draft, PyObject *object)
{
    draft->used = draft->cells = draft->words = 0;
    draft->weighted = false;
    draft->sentence++;
    if (PyUnicode_Check(object) || PyBytes_Check(object) || PyDict_Check(object)) {
        PyErr_Format(PyExc_TypeError, "sentence %zu: expected a list of words, found %R", draft->sentence,
                     (PyObject *)Py_TYPE(object));
        return false;
    }
    PyObject *words = PySequence_Tuple(object);
    bool ok = words != NULL;
    for (Py_ssize_t i = 0; ok && i < PyTuple_Size(words); i++)
        ok = add_word(draft, PyTuple_GetItem(words, i));
    Py_XDECREF(words);
    return ok;
}

/* Appends the words themselves, which attributes do not tell, to the forms of the answers. */
static bool keep_forms(const struct draft *draft, struct gathered *to)
{
    struct column *offsets = to->own + GATHERED_FORM_OFFSETS, *bytes = to->own + GATHERED_FORM_BYTES;
    bool ok = true;
    for (size_t w = 0; ok && w < draft->words; w++) {
        const char *form = draft->attributes ? "" : draft->bytes + draft->cell[draft->first[w]].at;
        ok = append(bytes, form, strlen(form)) && append_int64(offsets, (int64_t)bytes->used);
    }
    if (!ok)
        PyErr_NoMemory();
    return ok;
}

/* Returns the next sentence to fill, one that is there already if it can; NULL with an exception. */
static vouch_sentence *next_sentence(struct sentences *sentences, const struct core *core)
{
    struct vouch_error err = {0};
    if (!grow((void **)&sentences->at, &sentences->capacity, sentences->count + 1, sizeof *sentences->at))
        return NULL;
    if (sentences->count == sentences->made) {
        vouch_sentence *sentence = vouch_sentence_new(&err);
        if (!sentence) {
            raise_error(core, &err);
            return NULL;
        }
        sentences->at[sentences->made++] = sentence;
    }
    return sentences->at[sentences->count++];
}

static bool take_sentence(struct sentences *sentences, const struct core *core, PyObject *object, struct gathered *to)
{
    struct draft *draft = sentences->draft;
    vouch_sentence *sentence = read_words(draft, object) ? next_sentence(sentences, core) : NULL;
    if (!sentence || !finish(draft, core, sentence) || !keep_forms(draft, to))
        return false;
    sentences->words += draft->words;
    return true;
}

bool sentences_take(struct sentences *sentences, const struct core *core, PyObject *iterable, bool attributes,
                    struct gathered *to)
{
    if (PyUnicode_Check(iterable) || PyBytes_Check(iterable) || PyDict_Check(iterable)) {
        PyErr_Format(PyExc_TypeError, "expected an iterable of sentences, found %R", (PyObject *)Py_TYPE(iterable));
        return false;
    }
    if (!sentences->draft && !(sentences->draft = calloc(1, sizeof *sentences->draft))) {
        PyErr_NoMemory();
        return false;
    }
    sentences->draft->attributes = attributes;
    sentences->draft->sentence = 0;
    sentences->count = sentences->words = 0;
    PyObject *iterator = PyObject_GetIter(iterable), *item = NULL;
    bool ok = iterator != NULL;
    while (ok && (item = PyIter_Next(iterator))) {
        ok = take_sentence(sentences, core, item, to);
        Py_DECREF(item);
    }
    ok = ok && !PyErr_Occurred();
    Py_XDECREF(iterator);
    return ok;
}

static void draft_free(struct draft *draft)
{
    if (!draft)
        return;
    free(draft->bytes);
    free(draft->cell);
    free(draft->first);
    free(draft->given);
    free(draft->value);
    free(draft);
}

void sentences_trim(struct sentences *sentences)
{
    size_t kept = 0, words = 0;
    for (size_t i = 0; i < sentences->made; i++) {
        size_t long_as = i < sentences->count ? vouch_sentence_words(sentences->at[i]) : 0;
        words = words > long_as ? words : long_as;
        if (kept < KEPT_SENTENCES && long_as <= KEPT_WORDS)
            sentences->at[kept++] = sentences->at[i];
        else
            vouch_sentence_free(sentences->at[i]);
    }
    sentences->made = kept;
    sentences->count = 0;
    if (words > KEPT_WORDS) {
        draft_free(sentences->draft);
        sentences->draft = NULL;
    }
}

void sentences_release(struct sentences *sentences)
{
    for (size_t i = 0; i < sentences->made; i++)
        vouch_sentence_free(sentences->at[i]);
    free(sentences->at);
    draft_free(sentences->draft);
    *sentences = (struct sentences){0};
}

/* Appends a text to a line of attributes; a colon and a backslash get a backslash before them. */
static bool append_escaped(struct column *to, const char *text)
{
    bool ok = true;
    for (; ok && *text; text++)
        ok = ((*text != ':' && *text != '\\') || append(to, "\\", 1)) && append(to, text, 1);
    return ok;
}

/* Appends the attributes of a word, and the end of its line. */
static bool append_attributes(struct column *to, const struct draft *draft, size_t word)
{
    bool ok = true;
    for (size_t i = 0; ok && i < cells_of(draft, word); i++) {
        const struct draft_cell *cell = draft->cell + draft->first[word] + i;
        char value[32];
        int length = cell->value == 1 ? 0 : snprintf(value, sizeof value, ":%.9g", (double)cell->value);
        ok = append(to, "\t", 1) && append_escaped(to, draft->bytes + cell->at) && append(to, value, (size_t)length);
    }
    return ok && append(to, "\n", 1);
}

/* Fails if a text cannot stand in a line of attributes. */
static bool fits_line(const char *text)
{
    if (*text && !strpbrk(text, "\t\n\r"))
        return true;
    PyErr_SetString(PyExc_ValueError, "expected labels and attributes that are not empty and without tabs and line "
                                      "ends, found one that is not so");
    return false;
}

static bool append_lines(struct column *to, const struct draft *draft, PyObject *labels)
{
    if (labels != Py_None && (!PyTuple_Check(labels) || (size_t)PyTuple_Size(labels) != draft->words)) {
        PyErr_Format(PyExc_ValueError, "sentence %zu: expected %zu labels, one for each word, found %zd",
                     draft->sentence, draft->words, PyTuple_Check(labels) ? PyTuple_Size(labels) : (Py_ssize_t)-1);
        return false;
    }
    for (size_t i = 0; i < draft->cells; i++)
        if (!fits_line(draft->bytes + draft->cell[i].at))
            return false;
    for (size_t w = 0; w < draft->words; w++) {
        const char *label =
            labels == Py_None ? "_" : text_of_str(PyTuple_GetItem(labels, (Py_ssize_t)w), "a label");
        if (!label || !fits_line(label))
            return false;
        if (!append_escaped(to, label) || !append_attributes(to, draft, w)) {
            PyErr_NoMemory();
            return false;
        }
    }
    return append(to, "\n", 1) || PyErr_NoMemory();
}

/* attribute_lines(words, labels or None): a sentence of attributes as lines of CRFsuite, in bytes */
PyObject *core_attribute_lines(PyObject *module, PyObject *args)
{
    struct draft *draft = calloc(1, sizeof *draft);
    struct column lines = {0};
    PyObject *words, *labels, *bytes = NULL;
    (void)module;
    if (!draft)
        return PyErr_NoMemory();
    draft->attributes = true;
    if (PyArg_ParseTuple(args, "OO:attribute_lines", &words, &labels) && read_words(draft, words) &&
        append_lines(&lines, draft, labels))
        bytes = PyBytes_FromStringAndSize(lines.bytes, (Py_ssize_t)lines.used);
    column_release(&lines);
    draft_free(draft);
    return bytes;
}
