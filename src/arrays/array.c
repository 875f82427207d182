/*
 * Reads numbers of arrays: see array.h.
 *
 * A value is put together from its bytes as an unsigned number, then taken for what it is; double holds every float16,
 * bfloat16 and float exactly. Floats of this machine's byte order, the usual case, are copied as they are and looked
 * through for NAN.
 */
#include "arrays/array.h"

#include "base/text.h"

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
        memcpy(out, array->bytes + first * sizeof *out, (size_t)count * sizeof *out);
        for (uint64_t i = 0; i < count; i++) {
            if (isnan(out[i]))
                return fail_number(array, first + i, (double)out[i], err);
        }
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

static bool check_rows(const struct array *array, uint64_t from, uint64_t to, struct vouch_error *err)
{
    if (array->rank == 0)
        return array_fail(array, err, "expected an array of one dimension or more, found a single number");
    if (from > to || to > array->shape[0])
        return array_fail(array, err, "expected rows %" PRIu64 " to %" PRIu64 ", found %" PRIu64 " rows in all", from,
                          to, array->shape[0]);
    return true;
}

bool array_float_rows(const struct array *array, uint64_t from, uint64_t to, float *out, struct vouch_error *err)
{
    uint64_t width = array_values(array, 1);
    return check_rows(array, from, to, err) && array_floats(array, from * width, (to - from) * width, out, err);
}

bool array_integer_rows(const struct array *array, uint64_t from, uint64_t to, int64_t *out, struct vouch_error *err)
{
    uint64_t width = array_values(array, 1);
    return check_rows(array, from, to, err) && array_integers(array, from * width, (to - from) * width, out, err);
}
