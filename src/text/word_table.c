/* Looks up words in a table of vectors: see word_table.h. */
#include "text/word_table.h"

#include "base/hash.h"
#include "base/memory.h"
#include "base/real.h"
#include "core/dense.h"

#include <float.h>
#include <math.h>

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* Takes the next line from *at on, without its end; false at the end of the file. */
static bool next_line(const struct word_table *t, size_t *at, struct text *line)
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

/* Takes the next field off a line; empty at its end. */
static struct text next_field(struct text *line)
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
static bool fail_at(const struct word_table *t, size_t at, struct vouch_error *err, const char *expected,
                    struct text found)
{
    unsigned long long number = 1;
    const char *bytes = t->map.bytes;
    for (size_t i = 0; i < at; i++)
        number += bytes[i] == '\n';
    return fail(err, VOUCH_ERR_FORMAT, "%s:%llu: expected %s, found '%.*s'", t->name, number, expected, excerpt(found),
                found.at);
}

/* Whether a line has two whole numbers, and nothing else: the first line of word2vec. */
static bool counts_words(struct text line)
{
    uint32_t words, dimensions;
    return text_whole(next_field(&line), &words) && text_whole(next_field(&line), &dimensions) &&
           next_field(&line).length == 0;
}

/* Finds the slot of a word without blanks: its own, or the empty one where it would be. */
static struct word_slot *slot_of(const struct word_table *t, struct text word)
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
static bool enter(struct word_table *t, size_t at, struct text line, struct vouch_error *err)
{
    struct text rest = line, word = next_field(&rest);
    double number;
    if (word.at != line.at || rest.length == 0)
        return fail_at(t, at, err, "a word and its vector", line);
    if (t->D == 0) {
        while (t->D <= MAX_DIMENSIONS && parse_number(next_field(&rest), &number))
            t->D++;
        if (t->D == 0 || t->D > MAX_DIMENSIONS || rest.length > 0)
            return fail_at(t, at, err, "a word and 1 to 1024 numbers", line);
    }
    struct word_slot *slot = slot_of(t, word);
    if (!slot->line)
        slot->line = at + 1;
    return true;
}

static bool index_lines(struct word_table *t, struct vouch_error *err)
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
        if ((begin == 0 && counts_words(line)) || next_field(&rest).length == 0)
            continue;
        if (!enter(t, begin, line, err))
            return false;
    }
    return t->D > 0 ||
           fail(err, VOUCH_ERR_FORMAT, "%s: expected lines of a word and its vector, found none", t->name);
}

bool word_table_init(struct word_table *t, const char *path, struct vouch_error *err)
{
    *t = (struct word_table){.name = path};
    if (!mapped_file_init(&t->map, path, err))
        return false;
    t->digest = hash_bytes(t->map.bytes, t->map.size);
    return index_lines(t, err);
}

void word_table_release(struct word_table *t)
{
    mapped_file_release(&t->map);
    free(t->slot);
    free(t->vector);
    free(t->lower);
    *t = (struct word_table){0};
}

/* Reads the numbers of a line to `vector`. */
static bool read_vector(const struct word_table *t, size_t begin, float *vector, struct vouch_error *err)
{
    struct text line, field;
    size_t at = begin;
    next_line(t, &at, &line);
    next_field(&line);
    for (uint32_t d = 0; d < t->D; d++) {
        double number;
        field = next_field(&line);
        if (field.length == 0)
            return fail_at(t, begin, err, "as many numbers as in the first line", field);
        if (!parse_number(field, &number) || !(fabs(number) <= FLT_MAX))
            return fail_at(t, begin, err, "a number within the range of float32", field);
        vector[d] = (float)number;
    }
    field = next_field(&line);
    return field.length == 0 || fail_at(t, begin, err, "no more numbers than in the first line", field);
}

/* Finds the vector of a word as it is. */
static bool find_as_is(struct word_table *t, struct text word, const float **vector, struct vouch_error *err)
{
    struct text rest = word;
    *vector = NULL;
    if (next_field(&rest).length < word.length) /* the words of the table end at their first blank */
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

bool word_table_find(struct word_table *t, struct text word, const float **vector, struct vouch_error *err)
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
