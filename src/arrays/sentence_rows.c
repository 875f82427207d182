/* Finds the rows of sentences: see sentence_rows.h. */
#include "arrays/sentence_rows.h"

#include "base/memory.h"

#include <inttypes.h>
#include <string.h>

static bool check_array(const struct array *array, uint32_t least_rank, bool sets, struct vouch_error *err)
{
    if (!array_has_floats(array))
        return array_fail(array, err, "expected floating-point numbers of 2, 4 or 8 bytes, found type '%s'",
                          array->type.name);
    uint32_t least = least_rank + (sets ? 1 : 0);
    if (array->rank < least)
        return array_fail(array, err, "expected %" PRIu32 " dimensions or more%s, found %" PRIu32, least,
                          sets ? ", the first that of sets" : "", array->rank);
    if (sets && array->shape[0] == 0)
        return array_fail(array, err, "expected 1 set or more in the first dimension, found 0");
    return true;
}

/* Fills start[count+1] from offsets [count+1] or lengths [count]; `total` is where the last sentence ends. */
static bool add_up(struct sentence_rows *rows, uint64_t total, struct vouch_error *err)
{
    const struct sentence_layout *layout = &rows->layout;
    const struct array *from = layout->offsets ? layout->offsets : layout->lengths;
    uint64_t most = layout->padded ? layout->array->shape[layout->sets ? 2 : 1] : total;
    rows->start[0] = 0;
    for (uint64_t i = 0; i < from->shape[0]; i++) {
        int64_t n;
        if (!array_integers(from, i, 1, &n, err))
            return false;
        if (layout->lengths) {
            uint64_t left = layout->padded ? most : most - rows->start[i];
            if (n < 0 || (uint64_t)n > left)
                return array_fail(from, err,
                                  "value [%" PRIu64 "]: expected a length from 0 to %" PRIu64 ", found %" PRId64, i,
                                  left, n);
            rows->start[i + 1] = rows->start[i] + (uint64_t)n;
        } else {
            uint64_t least = i ? rows->start[i - 1] : 0, largest = i ? total : 0;
            if (n < 0 || (uint64_t)n < least || (uint64_t)n > largest)
                return array_fail(from, err,
                                  "value [%" PRIu64 "]: expected an offset from %" PRIu64 " to %" PRIu64
                                  ", found %" PRId64,
                                  i, least, largest, n);
            rows->start[i] = (uint64_t)n;
        }
    }
    if (!layout->padded && rows->start[rows->count] != total)
        return array_fail(from, err, "expected sentences of %" PRIu64 " rows in all, as %s has, found %" PRIu64, total,
                          layout->array->file, rows->start[rows->count]);
    return true;
}

static bool init_laid_out(struct sentence_rows *rows, struct vouch_error *err)
{
    const struct sentence_layout *layout = &rows->layout;
    const struct array *array = layout->array, *from = layout->offsets ? layout->offsets : layout->lengths;
    if (!from || (layout->offsets && (layout->lengths || layout->padded)))
        return array_fail(array, err, "expected %s, found %s", layout->padded ? "lengths" : "offsets or lengths",
                          layout->offsets ? layout->padded ? "offsets" : "both" : "neither");
    if (!check_array(array, layout->padded ? 2 : 1, layout->sets, err))
        return false;
    uint64_t total = array->shape[layout->sets ? 1 : 0];
    if (from->rank != 1 || (layout->offsets && from->shape[0] == 0))
        return array_fail(from, err, "expected %s of one dimension, found %s", layout->offsets ? "offsets" : "lengths",
                          from->rank == 1 ? "none" : "another shape");
    rows->count = from->shape[0] - (layout->offsets ? 1 : 0);
    if (layout->padded && rows->count != total)
        return array_fail(from, err, "expected %" PRIu64 " lengths, one a sentence, found %" PRIu64, total,
                          rows->count);
    if (!array_has_integers(from))
        return array_fail(from, err, "expected integers, found type '%s'", from->type.name);
    rows->start = new_array((size_t)rows->count + 1, sizeof *rows->start, err);
    return rows->start && add_up(rows, total, err);
}

/* Reads the number of a name: "12" or "arr_12", without zeros in front. */
static bool number_of(const char *name, uint64_t *number)
{
    if (strncmp(name, "arr_", 4) == 0)
        name += 4;
    size_t length = strlen(name);
    if (length == 0 || length > 18 || (name[0] == '0' && length > 1) || strspn(name, "0123456789") != length)
        return false;
    *number = 0;
    for (; *name; name++)
        *number = *number * 10 + (uint64_t)(*name - '0');
    return true;
}

static bool by_number(struct sentence_rows *rows, struct vouch_error *err)
{
    const struct array_file *file = rows->layout.file;
    for (uint64_t i = 0; i < rows->count; i++) {
        const struct array *array = &file->array[i];
        uint64_t number;
        if (!number_of(array->name, &number))
            return array_fail(array, err, "expected numbers as names of all arrays or of none, found some");
        if (number >= rows->count || rows->each[number])
            return array_fail(array, err, "expected names with the numbers 0 to %" PRIu64 ", once each, found another",
                              rows->count - 1);
        rows->each[number] = array;
    }
    return true;
}

static bool init_by_name(struct sentence_rows *rows, struct vouch_error *err)
{
    const struct array_file *file = rows->layout.file;
    if (rows->layout.offsets || rows->layout.lengths || rows->layout.padded)
        return fail(err, VOUCH_ERR_ARGUMENT,
                    "%s: expected an array for each sentence, found offsets, lengths or padding, too", file->name);
    rows->count = file->count;
    rows->each = new_array(file->count, sizeof(const struct array *), err);
    if (!rows->each)
        return false;
    bool numbered = false;
    for (size_t i = 0; i < file->count; i++) {
        uint64_t number;
        numbered |= number_of(file->array[i].name, &number);
        if (!check_array(&file->array[i], 1, rows->layout.sets, err))
            return false;
    }
    if (numbered)
        return by_number(rows, err);
    for (size_t i = 0; i < file->count; i++)
        rows->each[i] = &file->array[i];
    return true;
}

bool sentence_rows_init(struct sentence_rows *rows, const struct sentence_layout *layout, struct vouch_error *err)
{
    *rows = (struct sentence_rows){.layout = *layout};
    return layout->array ? init_laid_out(rows, err) : init_by_name(rows, err);
}

void sentence_rows_release(struct sentence_rows *rows)
{
    free(rows->start);
    free(rows->each);
    *rows = (struct sentence_rows){.count = 0};
}

struct sentence_shape sentence_rows_shape(const struct sentence_rows *rows, uint64_t i)
{
    const struct array *array = rows->each ? rows->each[i] : rows->layout.array;
    uint32_t sets = rows->layout.sets ? 1 : 0, words = sets + (rows->layout.padded ? 1 : 0);
    return (struct sentence_shape){.sets = sets ? array->shape[0] : 1,
                                   .rows = rows->each ? array->shape[words] : rows->start[i + 1] - rows->start[i],
                                   .width = array_values(array, words + 1)};
}

bool sentence_rows_read(const struct sentence_rows *rows, uint64_t i, float *out, struct vouch_error *err)
{
    const struct array *array = rows->each ? rows->each[i] : rows->layout.array;
    struct sentence_shape shape = sentence_rows_shape(rows, i);
    uint64_t values = shape.rows * shape.width, set = array_values(array, rows->layout.sets ? 1 : 0), begin = 0;
    if (rows->layout.padded)
        begin = i * array->shape[rows->layout.sets ? 2 : 1] * shape.width;
    else if (rows->start)
        begin = rows->start[i] * shape.width;
    for (uint64_t k = 0; k < shape.sets; k++) {
        if (!array_floats(array, k * set + begin, values, out + k * values, err))
            return false;
    }
    return true;
}
