/*
 * Sentences of Python as sentences of the library.
 *
 * A sentence is an iterable of words. A word is a str; or a tuple or list of str, its columns; or, for a model that was
 * learned from ready-made attributes, a list of these, or a dict of features as python-crfsuite takes them:
 *
 *     {"word": "Ada", "title": True, "length": 3.0, "suffix": ["a", "da"], "-1": {"pos": "NN"}}
 *
 * is "word:Ada", "title" with the value 1, "length" with 3, "suffix:a", "suffix:da" and "-1:pos:NN".
 *
 * Every text is copied into one buffer as it is met, since code of Python (an iterator, a __float__) may run between
 * two of them and drop what was read before. Buffers and sentences are used again by the next call.
 */
#include "py_draft.h"

#include <stdlib.h>

/* What is kept of a column for the next call, and not more. */
enum { KEPT_BYTES = 1 << 20 };

static bool no_memory(void)
{
    PyErr_NoMemory();
    return false;
}

/* Appends; false with an exception. */
static inline bool add(struct column *column, const void *bytes, size_t length)
{
    return append(column, bytes, length) || no_memory();
}

static bool refuse(PyObject *kind, const struct draft *draft, const char *expected, PyObject *found)
{
    PyErr_Format(kind, "sentence %zu, word %zu: expected %s, found %R", draft_sentences(draft), draft->word, expected,
                 (PyObject *)Py_TYPE(found));
    return false;
}

static bool add_bytes(struct draft *draft, const char *text, size_t length)
{
    return add(&draft->bytes, text, length);
}

/* Returns the text of a str; NULL with an exception. */
static inline const char *text_of(const struct draft *draft, PyObject *object, size_t *length)
{
    Py_ssize_t size;
    if (!PyUnicode_Check(object)) {
        refuse(PyExc_TypeError, draft, "str", object);
        return NULL;
    }
    const char *text = PyUnicode_AsUTF8AndSize(object, &size); /* lone surrogates: UnicodeEncodeError, a ValueError */
    if (text && memchr(text, '\0', (size_t)size)) {
        PyErr_Format(PyExc_ValueError, "sentence %zu, word %zu: expected text without zero characters, found %R",
                     draft_sentences(draft), draft->word, object);
        return NULL;
    }
    *length = (size_t)size;
    return text;
}

/* Adds the text of a str behind what is there. */
static bool add_text(struct draft *draft, PyObject *object)
{
    size_t length;
    const char *text = text_of(draft, object, &length);
    return text && add_bytes(draft, text, length);
}

/* Ends the cell that began at `from`. */
static bool end_cell(struct draft *draft, size_t from, float value)
{
    struct draft_cell cell = {from, value};
    return add_bytes(draft, "", 1) && add(&draft->cells, &cell, sizeof cell);
}

static bool add_cell(struct draft *draft, PyObject *object)
{
    size_t length;
    struct draft_cell cell = {draft->bytes.used, 1};
    const char *text = text_of(draft, object, &length);
    return text && add(&draft->bytes, text, length + 1) && add(&draft->cells, &cell, sizeof cell);
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
    size_t from = draft->bytes.used;
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
    if (number == 0)
        return true; /* adds nothing to any score: False, most often */
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
                     draft_sentences(draft), draft->word, key);
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
    for (Py_ssize_t i = 0, count = ok ? PyTuple_Size(cells) : 0; ok && i < count; i++)
        ok = add_cell(draft, PyTuple_GetItem(cells, i));
    Py_XDECREF(cells);
    return ok;
}

static bool add_word(struct draft *draft, PyObject *word)
{
    size_t first = draft->cells.used / sizeof(struct draft_cell);
    draft->word++;
    if (!add(&draft->words, &first, sizeof first))
        return false;
    if (PyUnicode_Check(word) && !draft->attributes) /* a plain word is no attribute: nothing would be known of it */
        return add_cell(draft, word);
    if (PyDict_Check(word) && draft->attributes)
        return add_features(draft, NULL, 0, word);
    if (PyTuple_Check(word) || PyList_Check(word))
        return add_columns(draft, word);
    return refuse(PyExc_TypeError, draft,
                  draft->attributes ? "a word as dict of features or list of attributes, as the model was learned from"
                                    : "a word as str or as tuple of its columns",
                  word);
}

bool draft_take(struct draft *draft, PyObject *sentence)
{
    size_t first = draft_words(draft);
    draft->word = 0;
    if (!add(&draft->sentences, &first, sizeof first))
        return false;
    if (PyUnicode_Check(sentence) || PyBytes_Check(sentence) || PyDict_Check(sentence)) {
        PyErr_Format(PyExc_TypeError, "sentence %zu: expected a list of words, found %R", draft_sentences(draft),
                     (PyObject *)Py_TYPE(sentence));
        return false;
    }
    PyObject *words = PySequence_Tuple(sentence);
    bool ok = words != NULL;
    for (Py_ssize_t i = 0, count = ok ? PyTuple_Size(words) : 0; ok && i < count; i++)
        ok = add_word(draft, PyTuple_GetItem(words, i));
    Py_XDECREF(words);
    return ok;
}

bool draft_take_all(struct draft *draft, PyObject *iterable)
{
    if (iterable == Py_None || PyUnicode_Check(iterable) || PyBytes_Check(iterable) || PyDict_Check(iterable)) {
        PyErr_Format(PyExc_TypeError, "expected an iterable of sentences, found %R", (PyObject *)Py_TYPE(iterable));
        return false;
    }
    PyObject *iterator = PyObject_GetIter(iterable), *item = NULL;
    bool ok = iterator != NULL;
    while (ok && (item = PyIter_Next(iterator))) {
        ok = draft_take(draft, item);
        Py_DECREF(item);
    }
    ok = ok && !PyErr_Occurred();
    Py_XDECREF(iterator);
    return ok;
}

static void clear_column(struct column *column)
{
    if (column->capacity > KEPT_BYTES)
        column_release(column);
    column->used = 0;
}

void draft_clear(struct draft *draft)
{
    clear_column(&draft->bytes);
    clear_column(&draft->cells);
    clear_column(&draft->words);
    clear_column(&draft->sentences);
    draft->vectors = NULL;
    draft->known = (struct known){0};
}

void draft_release(struct draft *draft)
{
    column_release(&draft->bytes);
    column_release(&draft->cells);
    column_release(&draft->words);
    column_release(&draft->sentences);
}
