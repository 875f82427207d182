/*
 * safetensors: tensors by name, as Hugging Face's libraries write them.
 *
 *     8 bytes     length of the header, the least significant first, at most 100 MB
 *     header      {"name": {"dtype": "F32", "shape": [3, 4], "data_offsets": [begin, end]}, ...} in JSON; blanks may
 *                 follow; "__metadata__" is an object of strings
 *     numbers     the least significant byte first; offsets count from here
 *
 * Source: the format's README. As in the reference implementation, the ranges cover the numbers without overlaps and
 * holes. Arrays come in the order of their numbers. O(n log n) for n arrays.
 */
#include "arrays/array_file.h"
#include "base/json_read.h"

#include <inttypes.h>
#include <jansson.h>

enum { LENGTH = 8, LONGEST_HEADER = 100000000 };

static const struct array_type known[] = {
    {ARRAY_FLOAT, 2, false, "F16"},    {ARRAY_BFLOAT, 2, false, "BF16"},   {ARRAY_FLOAT, 4, false, "F32"},
    {ARRAY_FLOAT, 8, false, "F64"},    {ARRAY_INTEGER, 1, false, "I8"},    {ARRAY_INTEGER, 2, false, "I16"},
    {ARRAY_INTEGER, 4, false, "I32"},  {ARRAY_INTEGER, 8, false, "I64"},   {ARRAY_UNSIGNED, 1, false, "U8"},
    {ARRAY_UNSIGNED, 2, false, "U16"}, {ARRAY_UNSIGNED, 4, false, "U32"},  {ARRAY_UNSIGNED, 8, false, "U64"},
    {ARRAY_OTHER, 1, false, "BOOL"},   {ARRAY_OTHER, 1, false, "F8_E5M2"}, {ARRAY_OTHER, 1, false, "F8_E4M3"},
    {ARRAY_OTHER, 8, false, "C64"},
};

bool safetensors_starts(const unsigned char *bytes, size_t size)
{
    return size > LENGTH && bytes[LENGTH] == '{' && little(bytes, LENGTH) <= LONGEST_HEADER;
}

static bool set_type(struct array *array, const json_t *value, struct vouch_error *err)
{
    const char *name = json_string_value(value);
    for (size_t i = 0; name && i < sizeof known / sizeof *known; i++)
        if (strcmp(name, known[i].name) == 0) {
            array->type = known[i];
            return true;
        }
    return array_fail(array, err, "expected a dtype such as \"F32\", found %.40s", name ? name : "none");
}

/* Reads an integer of 0 or more. */
static bool get_size(const json_t *value, uint64_t *size)
{
    if (!json_is_integer(value) || json_integer_value(value) < 0)
        return false;
    *size = (uint64_t)json_integer_value(value);
    return true;
}

static bool set_shape(struct array *array, const json_t *value, struct vouch_error *err)
{
    if (!json_is_array(value) || json_array_size(value) > ARRAY_RANK)
        return array_fail(array, err, "expected a shape of at most %d dimensions, found %s", ARRAY_RANK,
                          json_is_array(value) ? "more" : "no array");
    array->rank = (uint32_t)json_array_size(value);
    for (uint32_t d = 0; d < array->rank; d++)
        if (!get_size(json_array_get(value, d), &array->shape[d]))
            return array_fail(array, err, "expected dimensions that are integers of 0 or more, found another one");
    return true;
}

static bool set_bytes(struct array *array, const json_t *value, const unsigned char *numbers, uint64_t size,
                      struct vouch_error *err)
{
    uint64_t begin = 0, end = 0;
    if (json_array_size(value) != 2 || !get_size(json_array_get(value, 0), &begin) ||
        !get_size(json_array_get(value, 1), &end))
        return array_fail(array, err, "expected data_offsets [begin, end], found something else");
    if (begin > end || end > size)
        return array_fail(array, err,
                          "expected data_offsets within %" PRIu64 " bytes of numbers, found [%" PRIu64 ", %" PRIu64 "]",
                          size, begin, end);
    array->bytes = numbers + begin;
    return array_check(array, end - begin, err);
}

static bool add_array(struct array_file *file, const char *name, const json_t *value, const unsigned char *numbers,
                      struct vouch_error *err)
{
    struct array *array = array_file_add(file, text_of(name), err);
    if (!array)
        return false;
    if (!json_is_object(value) || json_object_size(value) != 3)
        return array_fail(array, err, "expected an object with dtype, shape and data_offsets, found another one");
    return set_type(array, json_object_get(value, "dtype"), err) &&
           set_shape(array, json_object_get(value, "shape"), err) &&
           set_bytes(array, json_object_get(value, "data_offsets"), numbers,
                     (uint64_t)(file->bytes + file->size - numbers), err);
}

static bool check_metadata(const struct array_file *file, json_t *value, struct vouch_error *err)
{
    const char *key;
    json_t *of;
    bool ok = json_is_object(value);
    json_object_foreach(value, key, of) ok &= json_is_string(of);
    return ok || fail(err, VOUCH_ERR_FORMAT, "%s: expected strings in __metadata__, found something else", file->name);
}

static uint64_t bytes_of(const struct array *array)
{
    return array_values(array, 0) * array->type.size;
}

/* By their numbers; arrays without numbers come before the one that begins where they are. */
static int by_place(const void *left, const void *right)
{
    const struct array *a = left, *b = right;
    if (a->bytes != b->bytes)
        return a->bytes < b->bytes ? -1 : 1;
    uint64_t m = bytes_of(a), n = bytes_of(b);
    return m != n ? (m < n ? -1 : 1) : strcmp(a->name, b->name);
}

static bool check_places(const struct array_file *file, const unsigned char *numbers, struct vouch_error *err)
{
    const unsigned char *end = numbers;
    for (size_t i = 0; i < file->count; i++) {
        const struct array *array = &file->array[i];
        if (array->bytes != end)
            return array_fail(array, err,
                              "expected its numbers at offset %zu, where those before it end, found %zu: "
                              "arrays %s",
                              (size_t)(end - numbers), (size_t)(array->bytes - numbers),
                              array->bytes < end ? "overlap" : "leave a hole");
        end += bytes_of(array);
    }
    if (end == file->bytes + file->size)
        return true;
    return fail(err, VOUCH_ERR_FORMAT, "%s: expected %zu bytes of numbers, as the header says, found %zu", file->name,
                (size_t)(end - numbers), (size_t)(file->bytes + file->size - numbers));
}

static bool add_arrays(struct array_file *file, json_t *header, const unsigned char *numbers, struct vouch_error *err)
{
    const char *key;
    json_t *value;
    json_object_foreach(header, key, value)
    {
        bool ok = strcmp(key, "__metadata__") == 0 ? check_metadata(file, value, err)
                                                   : add_array(file, key, value, numbers, err);
        if (!ok)
            return false;
    }
    if (file->count > 0)
        qsort(file->array, file->count, sizeof *file->array, by_place);
    return check_places(file, numbers, err);
}

bool safetensors_open(struct array_file *file, struct vouch_error *err)
{
    uint64_t length = little(file->bytes, LENGTH);
    if (length > file->size - LENGTH)
        return fail(err, VOUCH_ERR_FORMAT, "%s: expected a header of %" PRIu64 " bytes, found a file of %zu",
                    file->name, length, file->size);
    json_error_t problem;
    json_t *header = json_read((const char *)file->bytes + LENGTH, (size_t)length, JSON_REJECT_DUPLICATES, &problem);
    if (!header && json_lacked_memory(&problem))
        return fail_memory(err);
    if (!header)
        return fail(err, VOUCH_ERR_FORMAT, "%s: expected a header of JSON, found at its byte %d: %s", file->name,
                    problem.position, problem.text);
    bool ok = add_arrays(file, header, file->bytes + LENGTH + length, err);
    json_decref(header);
    return ok;
}
