/*
 * Reads JSON lines with arrays of numbers.
 *
 * The first array of each depth gives the shape, and all others must have it: a ragged line is refused, with its
 * number. A line is parsed each time that it is read.
 */
#include "arrays/number_lines.h"

#include "base/json_read.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <string.h>

struct number_lines {
    char *name; /* for messages */
    struct mapped_file map;
    uint64_t *start, *number; /* [count] where each line begins, and which line of the file it is, from 1 */
    uint64_t count;
    size_t start_capacity, number_capacity;
};

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

bool number_lines_start(const unsigned char *bytes, size_t size)
{
    size_t i = 0;
    while (i < size && is_blank((char)bytes[i]))
        i++;
    return i < size && bytes[i] == '{';
}

static bool find_lines(struct number_lines *lines, struct vouch_error *err)
{
    const char *bytes = lines->map.bytes, *end = bytes + lines->map.size;
    uint64_t number = 1;
    for (const char *at = bytes; at < end; number++) {
        const char *newline = memchr(at, '\n', (size_t)(end - at)), *to = newline ? newline : end, *from = at;
        while (from < to && is_blank(*from))
            from++;
        at = newline ? newline + 1 : end;
        if (from == to)
            continue;
        if (!RESERVE(lines->start, lines->start_capacity, (size_t)lines->count + 1, err) ||
            !RESERVE(lines->number, lines->number_capacity, (size_t)lines->count + 1, err))
            return false;
        lines->start[lines->count] = (uint64_t)(from - bytes);
        lines->number[lines->count++] = number;
    }
    return true;
}

struct number_lines *number_lines_open(const char *path, struct vouch_error *err)
{
    struct number_lines *lines = new_array(1, sizeof *lines, err);
    if (!lines)
        return NULL;
    lines->name = new_string(path, strlen(path), err);
    if (lines->name && mapped_file_init(&lines->map, path, err) && find_lines(lines, err))
        return lines;
    number_lines_free(lines);
    return NULL;
}

void number_lines_free(struct number_lines *lines)
{
    if (!lines)
        return;
    mapped_file_release(&lines->map);
    free(lines->start);
    free(lines->number);
    free(lines->name);
    free(lines);
}

uint64_t number_lines_count(const struct number_lines *lines)
{
    return lines->count;
}

/* Finds the shape by the first array of each depth. */
static bool find_shape(const json_t *value, struct number_block *block, struct vouch_error *err)
{
    block->rank = 0;
    for (; json_is_array(value); value = json_array_get(value, 0)) {
        if (block->rank == NUMBER_BLOCK_RANK)
            return fail(err, VOUCH_ERR_FORMAT, "expected at most %d dimensions, found more", NUMBER_BLOCK_RANK);
        block->shape[block->rank++] = json_array_size(value);
        if (json_array_size(value) == 0)
            break;
    }
    return block->rank > 0 || fail(err, VOUCH_ERR_FORMAT, "expected an array of numbers, found something else");
}

static bool take_number(const json_t *value, struct number_block *block, struct vouch_error *err)
{
    double x = json_is_null(value) ? -INFINITY : json_number_value(value);
    if (!json_is_number(value) && !json_is_null(value))
        return fail(err, VOUCH_ERR_FORMAT, "expected a number, or null for minus infinity, found something else");
    if (isinf((float)x) != isinf(x))
        return fail(err, VOUCH_ERR_FORMAT, "expected a number within the range of float32, found %g", x);
    if (!RESERVE(block->value, block->capacity, block->count + 1, err))
        return false;
    block->value[block->count++] = (float)x;
    return true;
}

static bool take_numbers(const json_t *value, uint32_t depth, struct number_block *block, struct vouch_error *err)
{
    if (depth == block->rank)
        return take_number(value, block, err);
    if (!json_is_array(value) || json_array_size(value) != block->shape[depth])
        return fail(err, VOUCH_ERR_FORMAT, "expected arrays of %" PRIu64 " values, as the first one, found another",
                    block->shape[depth]);
    for (size_t i = 0; i < json_array_size(value); i++)
        if (!take_numbers(json_array_get(value, i), depth + 1, block, err))
            return false;
    return true;
}

static bool read_line(const struct number_lines *lines, uint64_t i, const char *key, struct number_block *block,
                      struct vouch_error *err)
{
    const char *at = (const char *)lines->map.bytes + lines->start[i];
    size_t left = lines->map.size - (size_t)lines->start[i];
    const char *newline = memchr(at, '\n', left);
    json_error_t problem;
    json_t *object = json_read(at, newline ? (size_t)(newline - at) : left, JSON_REJECT_DUPLICATES, &problem);
    block->rank = 0;
    block->count = 0;
    if (!object && json_lacked_memory(&problem))
        return fail_memory(err);
    if (!object)
        return fail(err, VOUCH_ERR_FORMAT, "expected a JSON object (with null for minus infinity): %s", problem.text);
    const json_t *value = json_object_get(object, key);
    bool ok = json_is_object(object) || fail(err, VOUCH_ERR_FORMAT, "expected a JSON object, found something else");
    if (ok && value)
        ok = (find_shape(value, block, err) && take_numbers(value, 0, block, err)) || fail_within(err, "\"%s\"", key);
    json_decref(object);
    return ok;
}

bool number_lines_read(const struct number_lines *lines, uint64_t i, const char *key, struct number_block *block,
                       struct vouch_error *err)
{
    return read_line(lines, i, key, block, err) || fail_within(err, "%s:%" PRIu64, lines->name, lines->number[i]);
}
