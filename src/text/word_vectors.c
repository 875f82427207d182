/*
 * Opens vectors of words, and finds them: see word_vectors.h.
 *
 * Opening a table goes through its lines once and notes where the words are, in a table with open addresses, of two
 * slots for each line; a word that is there twice is taken where it is first. The numbers of a line are read when its
 * word is first looked up, and kept.
 */
#include "text/word_vectors.h"

#include "base/hash.h"
#include "base/memory.h"
#include "base/text.h"
#include "core/dense.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* Takes the next line from *at on, without its end; false at the end of the file. */
static bool next_line(const struct word_vectors *t, size_t *at, struct text *line)
{
    const char *bytes = t->map.bytes, *newline;
    if (*at >= t->map.size)
        return false;
    newline = memchr(bytes + *at, '\n', t->map.size - *at);
    size_t length = newline ? (size_t)(newline - bytes) - *at : t->map.size - *at;
    *line = (struct text){bytes + *at, length < UINT32_MAX ? (uint32_t)length : UINT32_MAX};
    *at += length + (newline != NULL);
    return true;
}

struct text table_field(struct text *line)
{
    const char *at = line->at, *end = at + line->length;
    while (at < end && is_blank(*at))
        at++;
    const char *from = at;
    while (at < end && !is_blank(*at))
        at++;
    *line = (struct text){at, (uint32_t)(end - at)};
    return (struct text){from, (uint32_t)(at - from)};
}

/* Fails with the number of the line that begins at `at`. */
static bool fail_at(const struct word_vectors *t, size_t at, struct vouch_error *err, const char *expected,
                    struct text found)
{
    unsigned long long number = 1;
    const char *bytes = t->map.bytes;
    for (size_t i = 0; i < at; i++)
        number += bytes[i] == '\n';
    return fail(err, VOUCH_ERR_FORMAT, "%s:%llu: expected %s, found '%.*s'", t->path, number, expected, excerpt(found),
                found.at);
}

bool table_counts(struct text line)
{
    uint32_t words, dimensions;
    return text_whole(table_field(&line), &words) && text_whole(table_field(&line), &dimensions) &&
           table_field(&line).length == 0;
}

/* Finds the slot of a word without blanks: its own, or the empty one where it would be. */
static struct word_slot *slot_of(const struct word_vectors *t, struct text word)
{
    const char *bytes = t->map.bytes;
    for (uint64_t i = hash_bytes(word.at, word.length) & t->mask;; i = (i + 1) & t->mask) {
        struct word_slot *slot = &t->slot[i];
        if (!slot->line)
            return slot;
        const char *other = bytes + slot->line - 1;
        size_t left = t->map.size - (slot->line - 1);
        if (left > word.length && memcmp(other, word.at, word.length) == 0 && is_blank(other[word.length]))
            return slot;
    }
}

/* Enters the word of the line that begins at `at`; the first of them tells how many dimensions there are. */
static bool enter(struct word_vectors *t, size_t at, struct text line, struct vouch_error *err)
{
    struct text rest = line, word = table_field(&rest);
    double number;
    if (word.at != line.at || rest.length == 0)
        return fail_at(t, at, err, "a word and its vector", line);
    if (t->D == 0) {
        while (t->D <= MAX_DIMENSIONS && parse_number(table_field(&rest), &number))
            t->D++;
        if (t->D == 0 || t->D > MAX_DIMENSIONS || rest.length > 0)
            return fail_at(t, at, err, "a word and 1 to 1024 numbers", line);
    }
    struct word_slot *slot = slot_of(t, word);
    if (!slot->line)
        slot->line = at + 1;
    return true;
}

static bool index_lines(struct word_vectors *t, struct vouch_error *err)
{
    struct text line;
    size_t lines = 0, slots = 2, at = 0;
    while (next_line(t, &at, &line))
        lines++;
    while (slots < 2 * lines)
        slots *= 2;
    t->slot = new_large_array(slots, sizeof *t->slot, err);
    t->mask = slots - 1;
    if (!t->slot)
        return false;
    at = 0;
    for (size_t begin = 0; next_line(t, &at, &line); begin = at) {
        struct text rest = line;
        if ((begin == 0 && table_counts(line)) || table_field(&rest).length == 0)
            continue;
        if (!enter(t, begin, line, err))
            return false;
    }
    return t->D > 0 || fail(err, VOUCH_ERR_FORMAT, "%s: expected lines of a word and its vector, found none", t->path);
}

enum table_fault table_numbers(struct text rest, uint32_t D, float *vector, struct text *found)
{
    for (uint32_t d = 0; d < D; d++) {
        double number;
        *found = table_field(&rest);
        if (found->length == 0)
            return TABLE_SHORT;
        if (!parse_number(*found, &number) || !(fabs(number) <= FLT_MAX))
            return TABLE_NO_NUMBER;
        vector[d] = (float)number;
    }
    *found = table_field(&rest);
    return found->length == 0 ? TABLE_SOUND : TABLE_LONG;
}

/* Reads the numbers of a line to `vector`. */
static bool read_vector(const struct word_vectors *t, size_t begin, float *vector, struct vouch_error *err)
{
    static const char *const expected[] = {[TABLE_SHORT] = "as many numbers as in the first line",
                                           [TABLE_NO_NUMBER] = "a number within the range of float32",
                                           [TABLE_LONG] = "no more numbers than in the first line"};
    struct text line, found;
    size_t at = begin;
    next_line(t, &at, &line);
    table_field(&line);
    enum table_fault fault = table_numbers(line, t->D, vector, &found);
    return fault == TABLE_SOUND || fail_at(t, begin, err, expected[fault], found);
}

/* Finds the vector of a word as it is. */
static bool find_as_is(struct word_vectors *t, struct text word, const float **vector, struct vouch_error *err)
{
    struct text rest = word;
    *vector = NULL;
    if (table_field(&rest).length < word.length) /* the words of the table end at their first blank */
        return true;
    struct word_slot *slot = slot_of(t, word);
    if (!slot->line)
        return true;
    if (!slot->kept) {
        if (!RESERVE(t->vector, t->vector_capacity, (t->kept + 1) * t->D, err) ||
            !read_vector(t, slot->line - 1, t->vector + t->kept * t->D, err))
            return false;
        slot->kept = ++t->kept;
    }
    *vector = t->vector + (slot->kept - 1) * t->D;
    return true;
}

bool word_vectors_find(struct word_vectors *t, struct text word, const float **vector, struct vouch_error *err)
{
    if (!find_as_is(t, word, vector, err))
        return false;
    if (*vector)
        return true;
    if (!RESERVE(t->lower, t->lower_capacity, (size_t)word.length * 4 + 1, err))
        return false;
    struct text lower = {t->lower, text_lower(word, t->lower)};
    return text_equal(lower, word) || find_as_is(t, lower, vector, err);
}

/* Returns the name with the corpus in place of every '%', to free(). */
static char *name_for(const char *name, const char *corpus, struct vouch_error *err)
{
    bool read_from_file = corpus && strcmp(corpus, "-") != 0;
    size_t marks = 0, to = 0;
    for (const char *s = name; *s; s++)
        marks += *s == '%';
    if (marks > 0 && !read_from_file) {
        fail(err, VOUCH_ERR_ARGUMENT, "vectors '%.200s': expected a corpus in a file, whose name stands for '%%'",
             name);
        return NULL;
    }
    char *path = new_array(strlen(name) + marks * (marks ? strlen(corpus) : 0) + 1, 1, err);
    for (const char *s = name; path && *s; s++) {
        if (*s != '%') {
            path[to++] = *s;
            continue;
        }
        memcpy(path + to, corpus, strlen(corpus));
        to += strlen(corpus);
    }
    return path;
}

static bool open_array(struct word_vectors *v, struct vouch_error *err)
{
    v->file = array_file_open(v->path, err);
    v->array = v->file ? array_file_find(v->file, NULL, err) : NULL;
    if (!v->array)
        return false;
    if (v->array->rank != 2 || !array_has_floats(v->array))
        return array_fail(v->array, err, "expected floating-point numbers in two dimensions, found %u of type '%s'",
                          v->array->rank, v->array->type.name);
    if (v->array->shape[1] < 1 || v->array->shape[1] > MAX_DIMENSIONS)
        return array_fail(v->array, err, "expected vectors of 1 to %d numbers, found %" PRIu64, MAX_DIMENSIONS,
                          v->array->shape[1]);
    v->D = (uint32_t)v->array->shape[1];
    v->rows = v->array->shape[0];
    return true;
}

struct word_vectors *word_vectors_open(const char *name, const char *corpus, struct vouch_error *err)
{
    struct word_vectors *v = new_array(1, sizeof *v, err);
    if (!v)
        return NULL;
    v->path = name_for(name, corpus, err);
    bool ok = v->path && mapped_file_init(&v->map, v->path, err);
    if (ok && array_file_starts(v->map.bytes, v->map.size)) {
        mapped_file_release(&v->map);
        ok = open_array(v, err);
    } else if (ok) {
        v->rows = UINT64_MAX;
        v->digest = hash_bytes(v->map.bytes, v->map.size);
        ok = index_lines(v, err);
    }
    if (ok)
        return v;
    word_vectors_close(v);
    return NULL;
}

void word_vectors_close(struct word_vectors *v)
{
    if (!v)
        return;
    array_file_free(v->file);
    mapped_file_release(&v->map);
    free(v->slot);
    free(v->vector);
    free(v->lower);
    free(v->path);
    free(v);
}

bool word_vectors_fetch(struct word_vectors *v, uint64_t row, struct text word, float *vector, struct vouch_error *err)
{
    const float *found;
    if (!v->array) {
        if (!word_vectors_find(v, word, &found, err))
            return false;
        for (uint32_t d = 0; d < v->D; d++)
            vector[d] = found ? found[d] : 0;
        return true;
    }
    if (!array_floats(v->array, row * v->D, v->D, vector, err))
        return false;
    for (uint32_t d = 0; d < v->D; d++)
        if (!isfinite(vector[d]))
            return array_fail(v->array, err, "value [%" PRIu64 ", %u]: expected a finite number, found %g", row, d,
                              (double)vector[d]);
    return true;
}
