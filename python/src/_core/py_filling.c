/*
 * Sentences of the library from those that were read from Python, without the GIL; and lines of CRFsuite from them.
 */
#include "py_draft.h"

#include <stdio.h>

void filler_release(struct filler *filler)
{
    column_release(&filler->cells);
    column_release(&filler->values);
}

static bool refuse(struct vouch_error *err, const char *format, size_t a, size_t b, size_t c)
{
    err->status = VOUCH_ERR_ARGUMENT;
    snprintf(err->message, sizeof err->message, format, a, b, c);
    return false;
}

static size_t cells_of(const struct draft *draft, size_t word)
{
    return draft_cell(draft, word + 1) - draft_cell(draft, word);
}

/* Finds how many columns the words first .. end - 1 have: the most of any with attributes, else the same for all. */
static bool count_columns(const struct draft *draft, size_t first, size_t end, size_t *columns, struct vouch_error *err)
{
    *columns = first < end ? cells_of(draft, first) : 1;
    for (size_t w = first; w < end; w++) {
        size_t found = cells_of(draft, w);
        if (draft->attributes)
            *columns = found > *columns ? found : *columns;
        else if (found == 0)
            return refuse(err, "word %zu: expected at least one column, found none", w - first + 1, 0, 0);
        else if (found != *columns)
            return refuse(err, "word %zu: expected %zu columns, as the first word has, found %zu", w - first + 1,
                          *columns, found);
    }
    *columns += *columns == 0;
    return true;
}

/* Lays out cells and values row by row, with NULL and 0 where a word has no more; *weighted: a value is not 1. */
static bool lay_out(const struct draft *draft, size_t first, size_t end, size_t columns, struct filler *filler,
                    bool *weighted)
{
    static const float none = 0;
    *weighted = false;
    filler->cells.used = filler->values.used = 0;
    if (end - first > SIZE_MAX / 2 / sizeof(char *) / columns ||
        !column_reserve(&filler->cells, ((end - first) * columns + 1) * sizeof(char *)) ||
        !column_reserve(&filler->values, ((end - first) * columns + 1) * sizeof(float)))
        return false;
    for (size_t w = first; w < end; w++)
        for (size_t i = 0, at = draft_cell(draft, w), found = cells_of(draft, w); i < columns; i++) {
            const char *text = i < found ? draft_text(draft, at + i) : NULL;
            const float *value = i < found ? &draft_cell_at(draft, at + i)->value : &none;
            append(&filler->cells, &text, sizeof text);
            append(&filler->values, value, sizeof *value);
            *weighted = *weighted || (text && *value != 1);
        }
    return true;
}

bool draft_fill(const struct draft *draft, size_t sentence, struct filler *filler, vouch_sentence *into,
                struct vouch_error *err)
{
    size_t first = draft_word(draft, sentence), end = draft_word(draft, sentence + 1), columns;
    bool weighted;
    if (!count_columns(draft, first, end, &columns, err))
        return false;
    if (!lay_out(draft, first, end, columns, filler, &weighted)) {
        err->status = VOUCH_ERR_MEMORY;
        return false;
    }
    const char *const *cell = (const char *const *)(const void *)filler->cells.bytes;
    const float *value = (const float *)(const void *)filler->values.bytes;
    enum vouch_status status =
        draft->attributes
            ? vouch_sentence_set_attributes(into, cell, weighted ? value : NULL, end - first, columns, err)
            : vouch_sentence_set_cells(into, cell, end - first, columns, err);
    if (status == VOUCH_OK && draft->vectors)
        status = vouch_sentence_set_vectors(into, draft->vectors + first * draft->dimensions, end - first,
                                            draft->dimensions, err);
    return status == VOUCH_OK && known_tell(&draft->known, first, into, err);
}

bool draft_forms(const struct draft *draft, size_t sentence, struct gathered *to)
{
    struct column *offsets = to->own + GATHERED_FORM_OFFSETS, *bytes = to->own + GATHERED_FORM_BYTES;
    bool ok = true;
    for (size_t w = draft_word(draft, sentence); ok && w < draft_word(draft, sentence + 1); w++) {
        const char *form = draft->attributes ? "" : draft_text(draft, draft_cell(draft, w));
        ok = append(bytes, form, strlen(form)) && append_int64(offsets, (int64_t)bytes->used);
    }
    return ok;
}

/* Appends a text to a line of attributes; a colon and a backslash get a backslash before them. */
static bool append_escaped(struct column *to, const char *text)
{
    size_t plain = strcspn(text, ":\\");
    bool ok = append(to, text, plain);
    for (text += plain; ok && *text; text += plain) {
        plain = 1 + strcspn(text + 1, ":\\");
        ok = append(to, "\\", 1) && append(to, text, plain);
    }
    return ok;
}

/* Appends the attributes of a word, and the end of its line. */
static bool append_attributes(struct column *to, const struct draft *draft, size_t word)
{
    bool ok = true;
    for (size_t i = draft_cell(draft, word); ok && i < draft_cell(draft, word + 1); i++) {
        char value[32] = "";
        float weight = draft_cell_at(draft, i)->value;
        int length = weight == 1 ? 0 : snprintf(value, sizeof value, ":%.9g", (double)weight);
        ok = append(to, "\t", 1) && append_escaped(to, draft_text(draft, i)) && append(to, value, (size_t)length);
    }
    return ok && append(to, "\n", 1);
}

/* Fails with an exception if a text cannot stand in a line of attributes. */
static bool fits_line(const char *text)
{
    if (*text && !strpbrk(text, "\t\n\r"))
        return true;
    PyErr_SetString(PyExc_ValueError, "expected labels and attributes without tabs and line ends that are not empty, "
                                      "found one that is not so");
    return false;
}

/* Appends the lines of the one sentence of the draft. */
static bool append_lines(struct column *to, const struct draft *draft, PyObject *labels)
{
    if (labels != Py_None && (!PyTuple_Check(labels) || (size_t)PyTuple_Size(labels) != draft_words(draft))) {
        PyErr_Format(PyExc_ValueError, "expected %zu labels, one for each word", draft_words(draft));
        return false;
    }
    for (size_t w = 0; w < draft_words(draft); w++) {
        const char *label = labels == Py_None ? "_" : text_of_str(PyTuple_GetItem(labels, (Py_ssize_t)w), "a label");
        bool ok = label && fits_line(label);
        for (size_t i = draft_cell(draft, w); ok && i < draft_cell(draft, w + 1); i++)
            ok = fits_line(draft_text(draft, i));
        if (!ok)
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
    struct draft draft = {.attributes = true};
    struct column lines = {0};
    PyObject *words, *labels, *bytes = NULL;
    (void)module;
    if (PyArg_ParseTuple(args, "OO:attribute_lines", &words, &labels) && draft_take(&draft, words) &&
        append_lines(&lines, &draft, labels))
        bytes = PyBytes_FromStringAndSize(lines.bytes, (Py_ssize_t)lines.used);
    column_release(&lines);
    draft_release(&draft);
    return bytes;
}
