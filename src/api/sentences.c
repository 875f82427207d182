/*
 * Takes sentences of the caller: see vouch.h.
 *
 * Strings are copied into memory that the sentence owns and uses again, so that the caller may free his at once. They
 * are measured and checked first and copied after that: a sentence that is refused has no words.
 */
#include "answer/answer.h"

#include "base/error.h"
#include "core/dense.h"

#include <math.h>

enum { MOST_WORDS = 1 << 20, MOST_COLUMNS = 1 << 16, MOST_CELLS = 1 << 26, LONGEST_CELL = 1 << 26 };

vouch_sentence *vouch_sentence_new(struct vouch_error *err)
{
    struct vouch_sentence *sentence = new_array(1, sizeof *sentence, err);
    if (sentence)
        sentence->view = &sentence->own;
    return sentence;
}

void vouch_sentence_free(vouch_sentence *sentence)
{
    if (!sentence)
        return;
    sentence_release(&sentence->own);
    free(sentence->gold_bytes);
    arena_release(&sentence->known_arena);
    free(sentence);
}

/* Returns the length of a string that may be a cell or a label; 0 if it is NULL, empty, too long or not in UTF-8. */
static size_t cell_length(const char *cell)
{
    size_t length = cell ? strlen(cell) : 0;
    return length <= LONGEST_CELL && utf8_check(cell, length) == length ? length : 0;
}

/* The caller's rows of strings, and what is expected of them. */
struct cell_rows {
    const char *const *cell;
    const float *value; /* NULL: none */
    size_t words, columns;
    bool gaps; /* a cell may be NULL: there is none */
};

/* Adds the sizes of the cells to *bytes; fails if one is missing, empty, too long or not in UTF-8. */
static bool measure(const struct cell_rows *rows, size_t *bytes, struct vouch_error *err)
{
    if (rows->words > MOST_WORDS || rows->columns == 0 || rows->columns > MOST_COLUMNS ||
        rows->words * rows->columns > MOST_CELLS)
        return fail(err, VOUCH_ERR_ARGUMENT, "expected at most 2^20 words of 1 to 2^16 columns, 2^26 cells in all");
    if (rows->words > 0 && !is_given(rows->cell, "cells", err))
        return false;
    for (size_t i = 0; i < rows->words * rows->columns; i++) {
        const char *cell = rows->cell[i];
        if (!cell && rows->gaps)
            continue;
        size_t length = cell_length(cell);
        if (length == 0)
            return fail(err, VOUCH_ERR_ARGUMENT, "word %zu: expected a string in UTF-8 that is not empty",
                        i / rows->columns + 1);
        if (rows->value && !isfinite(rows->value[i]))
            return fail(err, VOUCH_ERR_ARGUMENT, "word %zu: expected a value that is finite", i / rows->columns + 1);
        *bytes += length;
    }
    return true;
}

/* Copies the rows to a sentence, which has room for them. */
static void copy_rows(const struct cell_rows *rows, struct sentence *s)
{
    char *to = s->bytes;
    uint32_t cells = 0;
    for (size_t w = 0; w < rows->words; w++) {
        s->first[w] = cells;
        for (size_t i = w * rows->columns; i < (w + 1) * rows->columns; i++) {
            size_t length = rows->cell[i] ? strlen(rows->cell[i]) : 0;
            if (length == 0)
                continue;
            memcpy(to, rows->cell[i], length);
            s->value[cells] = rows->value ? rows->value[i] : 1;
            s->cell[cells++] = (struct text){to, (uint32_t)length};
            to += length;
        }
    }
    s->first[rows->words] = cells;
}

static bool take_rows(vouch_sentence *sentence, const struct cell_rows *rows, struct vouch_error *err)
{
    if (!is_given(sentence, "a sentence", err))
        return false;
    struct sentence *s = &sentence->own;
    size_t cells = rows->words * rows->columns, bytes = 0;
    if (!sentence->cells)
        sentence_release(s); /* a sentence that was read is laid out in another way */
    sentence->cells = true;
    s->N = s->dimensions = 0;
    s->labelled = false;
    sentence->known = (struct known_answer){0};
    if (!measure(rows, &bytes, err) || !RESERVE(s->first, s->first_capacity, rows->words + 1, err) ||
        !RESERVE(s->cell, s->cell_capacity, cells + 1, err) || !RESERVE(s->value, s->value_capacity, cells + 1, err) ||
        !RESERVE(s->bytes, s->bytes_capacity, bytes + 1, err))
        return false;
    copy_rows(rows, s);
    s->N = (uint32_t)rows->words;
    s->attributes = rows->gaps;
    s->weighted = rows->value != NULL;
    return true;
}

enum vouch_status vouch_sentence_set_cells(vouch_sentence *sentence, const char *const *cells, size_t words,
                                           size_t columns, struct vouch_error *err)
{
    struct cell_rows rows = {.cell = cells, .words = words, .columns = columns};
    err = err ? err : &(struct vouch_error){0};
    return status_of(take_rows(sentence, &rows, err), err);
}

enum vouch_status vouch_sentence_set_attributes(vouch_sentence *sentence, const char *const *attributes,
                                                const float *values, size_t words, size_t columns,
                                                struct vouch_error *err)
{
    struct cell_rows rows = {attributes, values, words, columns, .gaps = true};
    err = err ? err : &(struct vouch_error){0};
    return status_of(take_rows(sentence, &rows, err), err);
}

/* Vectors and gold go with the cells of the caller: a sentence that was read has its own. */
static bool has_cells(const vouch_sentence *sentence, struct vouch_error *err)
{
    return is_given(sentence, "a sentence", err) &&
           (sentence->cells ||
            fail(err, VOUCH_ERR_ARGUMENT, "expected a sentence whose cells or attributes have been set, found %s",
                 sentence->view->N > 0 ? "one that was read from a file" : "one without"));
}

static bool take_vectors(struct sentence *s, const float *vectors, size_t words, size_t dimensions,
                         struct vouch_error *err)
{
    s->dimensions = 0;
    if (words != s->N)
        return fail(err, VOUCH_ERR_ARGUMENT, "expected vectors of %u words, as the sentence has, found %zu", s->N,
                    words);
    if (dimensions < 1 || dimensions > MAX_DIMENSIONS)
        return fail(err, VOUCH_ERR_ARGUMENT, "expected vectors of 1 to %d dimensions, found %zu", MAX_DIMENSIONS,
                    dimensions);
    for (size_t i = 0; i < words * dimensions; i++)
        if (!isfinite(vectors[i]))
            return fail(err, VOUCH_ERR_ARGUMENT, "word %zu: expected a vector of finite numbers", i / dimensions + 1);
    if (!RESERVE(s->vector, s->vector_capacity, words * dimensions, err))
        return false;
    if (words)
        memcpy(s->vector, vectors, sizeof *s->vector * words * dimensions);
    s->dimensions = (uint32_t)dimensions;
    return true;
}

enum vouch_status vouch_sentence_set_vectors(vouch_sentence *sentence, const float *vectors, size_t words,
                                             size_t dimensions, struct vouch_error *err)
{
    err = err ? err : &(struct vouch_error){0};
    bool ok = has_cells(sentence, err) && is_given(vectors, "vectors", err) &&
              take_vectors(&sentence->own, vectors, words, dimensions, err);
    return status_of(ok, err);
}

static bool take_gold_labels(vouch_sentence *sentence, const char *const *labels, struct vouch_error *err)
{
    struct sentence *s = &sentence->own;
    size_t bytes = 0, used = 0;
    for (uint32_t i = 0; labels && i < s->N; i++) {
        size_t length = cell_length(labels[i]);
        if (length == 0)
            return fail(err, VOUCH_ERR_ARGUMENT, "word %u: expected a label in UTF-8 that is not empty", i + 1);
        bytes += length;
    }
    if (!RESERVE(s->gold, s->gold_capacity, (size_t)s->N + 1, err) ||
        !RESERVE(sentence->gold_bytes, sentence->gold_bytes_capacity, bytes + 1, err))
        return false;
    for (uint32_t i = 0; i < s->N; i++) {
        size_t length = labels ? strlen(labels[i]) : 0;
        char *to = sentence->gold_bytes + used;
        if (length > 0)
            memcpy(to, labels[i], length);
        s->gold[i] = length > 0 ? (struct text){to, (uint32_t)length} : text_of("_");
        used += length;
    }
    return true;
}

/* Copies heads, which must be without a cycle; those that are SIZE_MAX may be open. Returns how many are the root. */
static bool take_heads(uint32_t N, const size_t *heads, bool open, uint32_t *to, uint32_t *roots,
                       struct vouch_error *err)
{
    *roots = 0;
    for (uint32_t i = 0; i < N; i++) {
        bool known = !open || heads[i] != SIZE_MAX;
        if (known && (heads[i] > N || heads[i] == (size_t)i + 1))
            return fail(err, VOUCH_ERR_ARGUMENT, "word %u: expected a head from 0 to %u that is another word", i + 1,
                        N);
        to[i] = known ? (uint32_t)heads[i] : OPEN_CHOICE;
        *roots += to[i] == 0;
    }
    uint32_t *walk = new_array((size_t)N + 1, sizeof *walk, err);
    if (!walk)
        return false;
    uint32_t cycle = heads_cycle(to, N, walk);
    free(walk);
    return cycle == 0 || fail(err, VOUCH_ERR_ARGUMENT, "expected heads of a tree, found a cycle at word %u", cycle);
}

static bool take_gold_heads(struct sentence *s, const size_t *heads, struct vouch_error *err)
{
    return RESERVE(s->head, s->head_capacity, (size_t)s->N + 1, err) &&
           take_heads(s->N, heads, false, s->head, &s->roots, err);
}

enum vouch_status vouch_sentence_set_gold(vouch_sentence *sentence, const char *const *labels, const size_t *heads,
                                          struct vouch_error *err)
{
    err = err ? err : &(struct vouch_error){0};
    if (!has_cells(sentence, err) || !is_given(labels ? (const void *)labels : heads, "labels or heads", err))
        return status_of(false, err);
    sentence->own.labelled =
        take_gold_labels(sentence, labels, err) && (!heads || take_gold_heads(&sentence->own, heads, err));
    return status_of(sentence->own.labelled, err);
}

/* Copies labels, of which some may be NULL, into the arena. */
static bool take_known_labels(vouch_sentence *sentence, const char *const *labels, struct vouch_error *err)
{
    struct text *known;
    char *bytes;
    uint32_t N = sentence->view->N, count = 0;
    if (!ARENA_ARRAY(known, (size_t)N + 1, &sentence->known_arena, err))
        return false;
    for (uint32_t i = 0; i < N; i++) {
        size_t length = cell_length(labels[i]);
        known[i] = (struct text){NULL, 0};
        if (!labels[i])
            continue;
        count++;
        if (length == 0)
            return fail(err, VOUCH_ERR_ARGUMENT, "word %u: expected a label in UTF-8 that is not empty, or NULL",
                        i + 1);
        if (!ARENA_ARRAY(bytes, length, &sentence->known_arena, err))
            return false;
        memcpy(bytes, labels[i], length);
        known[i] = (struct text){bytes, (uint32_t)length};
    }
    sentence->known.label = count > 0 ? known : NULL;
    return true;
}

static bool take_known_heads(vouch_sentence *sentence, const size_t *heads, struct vouch_error *err)
{
    uint32_t *known, roots, N = sentence->view->N, open = 0;
    if (!ARENA_ARRAY(known, (size_t)N + 1, &sentence->known_arena, err) ||
        !take_heads(N, heads, true, known, &roots, err))
        return false;
    while (open < N && known[open] == OPEN_CHOICE)
        open++;
    sentence->known.head = open < N ? known : NULL;
    return roots <= 1 || fail(err, VOUCH_ERR_ARGUMENT, "expected one root, found %u words with the head 0", roots);
}

enum vouch_status vouch_sentence_set_known(vouch_sentence *sentence, const char *const *labels, const size_t *heads,
                                           struct vouch_error *err)
{
    err = err ? err : &(struct vouch_error){0};
    if (!is_given(sentence, "a sentence", err))
        return status_of(false, err);
    arena_reset(&sentence->known_arena);
    sentence->known = (struct known_answer){0};
    bool ok =
        (!labels || take_known_labels(sentence, labels, err)) && (!heads || take_known_heads(sentence, heads, err));
    if (!ok)
        sentence->known = (struct known_answer){0};
    return status_of(ok, err);
}

size_t vouch_sentence_words(const vouch_sentence *sentence)
{
    return sentence->view->N;
}

const char *vouch_sentence_word(const vouch_sentence *sentence, size_t word, size_t *length)
{
    bool there = word < sentence->view->N;
    struct text form = there ? sentence_form(sentence->view, (uint32_t)word) : text_of("");
    if (length)
        *length = form.length;
    return there ? form.at : NULL;
}

const char *vouch_sentence_fault(const vouch_sentence *sentence)
{
    return sentence->view->faulty ? sentence->view->fault : NULL;
}

int vouch_sentence_is_mark(const vouch_sentence *sentence)
{
    return sentence->view->boundary;
}
