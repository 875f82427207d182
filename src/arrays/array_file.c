/*
 * Opens files of arrays, and reads numbers of arrays.
 *
 * The bytes of a value are put together as an unsigned number, whose bits are then converted by the type; double holds
 * every float16, bfloat16 and float exactly. Floats of this machine's byte order, the usual case, are copied and only
 * searched for NAN. array_check() comes before any use of what a file says: after it, no product of dimensions
 * overflows.
 */
#include "arrays/array_file.h"

#include "base/memory.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

bool array_fail(const struct array *array, struct vouch_error *err, const char *format, ...)
{
    if (!err)
        return false;
    char why[sizeof err->message];
    va_list args;
    va_start(args, format);
    vsnprintf(why, sizeof why, format, args);
    va_end(args);
    struct text name = text_of(array->name);
    if (name.length == 0)
        return fail(err, VOUCH_ERR_FORMAT, "%s: %s", array->file, why);
    return fail(err, VOUCH_ERR_FORMAT, "%s: array '%.*s': %s", array->file, excerpt(name), name.at, why);
}

bool array_check(const struct array *array, uint64_t length, struct vouch_error *err)
{
    uint64_t most = INT64_MAX, product = 1, size = array->type.size ? array->type.size : 1;
    bool none = false;
    for (uint32_t d = 0; d < array->rank; d++) {
        uint64_t n = array->shape[d];
        none |= n == 0;
        if (n > 0 && n > most / size / product)
            return array_fail(array, err, "expected dimensions whose product fits 63 bits, found more");
        product *= n ? n : 1;
    }
    uint64_t need = none ? 0 : product * size;
    if (array->type.size > 0 && need != length)
        return array_fail(array, err, "expected %" PRIu64 " bytes of numbers for type and shape, found %" PRIu64, need,
                          length);
    return true;
}

uint64_t array_values(const struct array *array, uint32_t first)
{
    uint64_t product = 1;
    for (uint32_t d = first; d < array->rank; d++)
        product *= array->shape[d];
    return product;
}

static uint64_t load(const unsigned char *at, unsigned size, bool big)
{
    uint64_t bits = 0;
    for (unsigned i = 0; i < size; i++)
        bits |= (uint64_t)at[i] << 8 * (big ? size - 1 - i : i);
    return bits;
}

static uint64_t load_bits(const struct array_type *type, const unsigned char *at)
{
    switch (type->size) {
    case 1:
        return at[0];
    case 2:
        return load(at, 2, type->big);
    case 4:
        return load(at, 4, type->big);
    default:
        return load(at, 8, type->big);
    }
}

static float float_of_bits(uint32_t bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* IEEE 754 binary16: a sign, 5 bits of exponent, 10 of fraction. */
static float float_of_half(uint32_t half)
{
    uint32_t exponent = half >> 10 & 31, fraction = half & 1023, sign = half >> 15 << 31;
    if (exponent == 0) {
        float least = 0x1p-24f * (float)fraction;
        return sign ? -least : least;
    }
    return float_of_bits(sign | (exponent == 31 ? 255 : exponent + 112) << 23 | fraction << 13);
}

static double real_of_bits(const struct array_type *type, uint64_t bits)
{
    if (type->kind == ARRAY_BFLOAT)
        return (double)float_of_bits((uint32_t)bits << 16);
    if (type->size == 2)
        return (double)float_of_half((uint32_t)bits);
    if (type->size == 4)
        return (double)float_of_bits((uint32_t)bits);
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* Where value `e`, counted in C order, is in Fortran order: the sum of its indices times the products before them. */
static uint64_t fortran_place(const struct array *array, uint64_t e)
{
    uint64_t stride = array_values(array, 0), place = 0;
    for (uint32_t d = array->rank; d-- > 0;) {
        stride /= array->shape[d];
        place += e % array->shape[d] * stride;
        e /= array->shape[d];
    }
    return place;
}

static const unsigned char *value_at(const struct array *array, uint64_t e)
{
    return array->bytes + (array->fortran ? fortran_place(array, e) : e) * array->type.size;
}

/* Fails because of one value; its indices are named. */
static bool fail_at(const struct array *array, uint64_t e, struct vouch_error *err, const char *expected,
                    const char *found)
{
    char index[ARRAY_RANK * 22 + 3];
    size_t length = 0;
    uint64_t stride = array_values(array, 0);
    for (uint32_t d = 0; d < array->rank; d++) {
        stride /= array->shape[d];
        length += (size_t)snprintf(index + length, sizeof index - length, "%s%" PRIu64, d ? ", " : "", e / stride);
        e %= stride;
    }
    index[length] = '\0';
    return array_fail(array, err, "value [%s]: expected %s, found %s", index, expected, found);
}

/* Whether the values are there: the caller has checked the type. */
static bool check_range(const struct array *array, uint64_t first, uint64_t count, struct vouch_error *err)
{
    uint64_t values = array_values(array, 0);
    if (first > values || count > values - first)
        return array_fail(array, err, "expected %" PRIu64 " values from value %" PRIu64 " on, found %" PRIu64 " in all",
                          count, first, values);
    return true;
}

static bool native(const struct array_type *type)
{
    const uint16_t one = 1;
    unsigned char low;
    memcpy(&low, &one, 1);
    return type->kind == ARRAY_FLOAT && type->size == sizeof(float) && type->big == (low == 0);
}

static bool fail_number(const struct array *array, uint64_t e, double x, struct vouch_error *err)
{
    char found[40];
    snprintf(found, sizeof found, "%g", x);
    return isnan(x) ? fail_at(array, e, err, "a number", "NaN")
                    : fail_at(array, e, err, "a number within the range of float32", found);
}

bool array_floats(const struct array *array, uint64_t first, uint64_t count, float *out, struct vouch_error *err)
{
    if (!array_has_floats(array))
        return array_fail(array, err, "expected floating-point numbers of 2, 4 or 8 bytes, found type '%s'",
                          array->type.name);
    if (!check_range(array, first, count, err))
        return false;
    if (native(&array->type) && !array->fortran) {
        if (count > 0)
            memcpy(out, array->bytes + first * sizeof *out, (size_t)count * sizeof *out);
        for (uint64_t i = 0; i < count; i++)
            if (isnan(out[i]))
                return fail_number(array, first + i, (double)out[i], err);
        return true;
    }
    for (uint64_t i = 0; i < count; i++) {
        double x = real_of_bits(&array->type, load_bits(&array->type, value_at(array, first + i)));
        out[i] = (float)x;
        if (isnan(x) || isinf(out[i]) != isinf(x))
            return fail_number(array, first + i, x, err);
    }
    return true;
}

bool array_integers(const struct array *array, uint64_t first, uint64_t count, int64_t *out, struct vouch_error *err)
{
    if (!array_has_integers(array))
        return array_fail(array, err, "expected integers, found type '%s'", array->type.name);
    if (!check_range(array, first, count, err))
        return false;
    uint64_t sign = array->type.kind == ARRAY_INTEGER ? UINT64_C(1) << (8 * array->type.size - 1) : 0;
    for (uint64_t i = 0; i < count; i++) {
        uint64_t bits = load_bits(&array->type, value_at(array, first + i));
        if (sign == 0 && bits > INT64_MAX)
            return fail_at(array, first + i, err, "an integer of 63 bits", "a larger one");
        out[i] = (int64_t)((bits ^ sign) - sign);
    }
    return true;
}

static const struct {
    bool (*starts)(const unsigned char *bytes, size_t size);
    bool (*open)(struct array_file *file, struct vouch_error *err);
} format[] = {{npy_starts, npy_open}, {npz_starts, npz_open}, {safetensors_starts, safetensors_open}};

bool array_file_starts(const unsigned char *bytes, size_t size)
{
    for (size_t i = 0; i < sizeof format / sizeof *format; i++)
        if (format[i].starts(bytes, size))
            return true;
    return false;
}

static bool open_bytes(struct array_file *file, struct vouch_error *err)
{
    for (size_t i = 0; i < sizeof format / sizeof *format; i++)
        if (format[i].starts(file->bytes, file->size))
            return format[i].open(file, err);
    char found[8 * 3 + 1] = " nothing";
    for (size_t i = 0; i < 8 && i < file->size; i++)
        snprintf(found + 3 * i, 4, " %02x", file->bytes[i]);
    return fail(err, VOUCH_ERR_FORMAT, "%s: expected a .npy, .npz or safetensors file, found one that starts with%s",
                file->name, found);
}

/* Opens a file that is mapped, or the caller's bytes; NULL: there are none. */
static struct array_file *open_file(const char *name, const void *bytes, size_t size, struct vouch_error *err)
{
    struct array_file *file = new_array(1, sizeof *file, err);
    if (!file)
        return NULL;
    file->name = new_string(name, strlen(name), err);
    if (file->name && (bytes || mapped_file_init(&file->map, name, err))) {
        file->bytes = bytes ? bytes : file->map.bytes;
        file->size = bytes ? size : file->map.size;
        if (open_bytes(file, err))
            return file;
    }
    array_file_free(file);
    return NULL;
}

struct array_file *array_file_open(const char *path, struct vouch_error *err)
{
    return open_file(path, NULL, 0, err);
}

struct array_file *array_file_open_memory(const char *name, const void *bytes, size_t size, struct vouch_error *err)
{
    return open_file(name, bytes ? bytes : "", size, err);
}

void array_file_free(struct array_file *file)
{
    if (!file)
        return;
    for (size_t i = 0; i < file->owns; i++)
        free(file->owned[i]);
    free(file->owned);
    free(file->array);
    mapped_file_release(&file->map);
    free(file->name);
    free(file);
}

bool array_file_own(struct array_file *file, void *block, struct vouch_error *err)
{
    if (RESERVE(file->owned, file->owned_capacity, file->owns + 1, err)) {
        file->owned[file->owns++] = block;
        return true;
    }
    free(block);
    return false;
}

struct array *array_file_add(struct array_file *file, struct text name, struct vouch_error *err)
{
    char *copy = new_string(name.at, name.length, err);
    if (!copy || !array_file_own(file, copy, err) || !RESERVE(file->array, file->capacity, file->count + 1, err))
        return NULL;
    struct array *array = &file->array[file->count++];
    *array = (struct array){.file = file->name, .name = copy};
    return array;
}

const struct array *array_file_find(const struct array_file *file, const char *name, struct vouch_error *err)
{
    if (!name && file->count == 1)
        return file->array;
    for (size_t i = 0; name && i < file->count; i++)
        if (strcmp(file->array[i].name, name) == 0)
            return &file->array[i];
    if (!name)
        fail(err, VOUCH_ERR_ARGUMENT, "%s: expected one array, or the name of one, found %zu arrays", file->name,
             file->count);
    else
        fail(err, VOUCH_ERR_ARGUMENT, "%s: expected an array '%.40s', found none of that name among %zu", file->name,
             name, file->count);
    return NULL;
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

/* Puts every array at the place that its name tells. */
static bool place_by_number(const struct array_file *file, const struct array **each, struct vouch_error *err)
{
    for (size_t i = 0; i < file->count; i++) {
        const struct array *array = &file->array[i];
        uint64_t number;
        if (!number_of(array->name, &number))
            return array_fail(array, err, "expected numbers as names of all arrays or of none, found some");
        if (number >= file->count || each[number])
            return array_fail(array, err, "expected names with the numbers 0 to %zu, once each, found another",
                              file->count - 1);
        each[number] = array;
    }
    return true;
}

const struct array **array_file_sentences(const struct array_file *file, struct vouch_error *err)
{
    const struct array **each = new_array(file->count, sizeof *each, err);
    bool numbered = false, ok = each;
    uint64_t number;
    for (size_t i = 0; ok && i < file->count; i++) {
        numbered |= number_of(file->array[i].name, &number);
        ok = array_floats(&file->array[i], 0, 0, NULL, err);
    }
    for (size_t i = 0; ok && !numbered && i < file->count; i++)
        each[i] = &file->array[i];
    if (ok && (!numbered || place_by_number(file, each, err)))
        return each;
    free(each);
    return NULL;
}
