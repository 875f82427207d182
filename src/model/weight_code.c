/*
 * Rounds, folds and unfolds weights: see weight_code.h for the step and the stream.
 *
 * One `scale` turns numbers into integers and back, for weights (multiples of a step) and for variances (powers of
 * 2^(1/16)), so that rounding, writing and reading cannot differ. Codes of few bits are unfolded through a table that
 * is indexed by the next bits of the stream; longer ones are decoded. What a stream says is checked before it is used:
 * a damaged one is refused.
 */
#include "model/weight_code.h"

#include <float.h>
#include <limits.h>
#include <math.h>

enum {
    GROUP = 32,
    PEEK = 10,
    FINE_BITS = 5,     /* the step is 2^-5 of the usual norm of a block */
    MOST_BITS = 24,    /* of |q|: such integers times a power of two are floats */
    ROUNDED_BITS = 20, /* of |q| after rounding */
    OCTAVE = 16,       /* variances in a factor of two */
    MOST_POWER = 1600, /* smaller variances count as 2^-100 of the largest */
    LARGEST = -127 * OCTAVE - 15,
    SMALLEST = 126 * OCTAVE /* 2^(-p/16) is a float of full precision from p = LARGEST to here */
};

/* What the integers of an array stand for: multiples of the unit, or the unit times 2^(-q/16). */
struct scale {
    enum weight_kind kind;
    float unit, most; /* most: of a multiple */
    int32_t first;    /* the unit of variances is 2^(-first/16) */
    float power[MOST_POWER + 1];
};

/* 2^(-q/16) for q up to 16 */
/* clang-format off */
static const double part_of_octave[OCTAVE + 1] = {
    1, 0.95760328069857364, 0.91700404320467123, 0.87812608018664974, 0.84089641525371454,
    0.80524516597462716, 0.77110541270397041, 0.73841307296974966, 0.70710678118654752, 0.67712777346844637,
    0.64841977732550483, 0.62092890603674203, 0.59460355750136054, 0.56939431737834583, 0.54525386633262884,
    0.52213689121370690, 0.5
};
/* clang-format on */

/* ---- Rounding ---- */

/* Returns the exponent of the lowest bit of a number that is not zero. */
static int lowest_bit(float weight)
{
    uint32_t bits;
    memcpy(&bits, &weight, sizeof bits);
    uint32_t exponent = bits >> 23 & 0xFF, fraction = bits & 0x7FFFFF;
    return exponent ? (int)exponent - 150 + __builtin_ctz(fraction | 0x800000) : __builtin_ctz(fraction) - 149;
}

static float step_of(const struct weight_array *array, const float *weight)
{
    int lowest = INT_MAX;
    float most = 0;
    double squares = 0;
    size_t blocks = 0;
    for (size_t at = 0; at < array->size; at += array->width) {
        double norm = 0;
        for (size_t i = at; i < at + array->width && i < array->size; i++) {
            if (weight[i] == 0)
                continue;
            int bit = lowest_bit(weight[i]);
            lowest = bit < lowest ? bit : lowest;
            most = fabsf(weight[i]) > most ? fabsf(weight[i]) : most;
            norm += (double)weight[i] * weight[i];
        }
        squares += norm;
        blocks += norm > 0;
    }
    if (most == 0)
        return 1;
    int top = ilogbf(most) + 1, step = ilogb(sqrt(2 * squares / (double)blocks)) - FINE_BITS;
    if (top - lowest <= MOST_BITS)
        return ldexpf(1, lowest);
    return ldexpf(1, step > top - ROUNDED_BITS ? step : top - ROUNDED_BITS);
}

/* Returns the p of the power 2^(-p/16) that is nearest, by comparing squares with those of the middles. */
static int32_t nearest_power(float variance)
{
    int exponent;
    double part = frexp(variance, &exponent);
    int32_t p = -exponent * OCTAVE;
    if (part <= 0)
        return SMALLEST;
    for (int i = 0; i < OCTAVE; i++)
        p += part * part < part_of_octave[i] * part_of_octave[i + 1];
    return p < LARGEST ? LARGEST : p > SMALLEST ? SMALLEST : p;
}

/* Returns 2^(-p/16), or the smallest power that there is. */
static float power_of(int32_t p)
{
    int32_t above = (p < SMALLEST ? p : SMALLEST) + 128 * OCTAVE; /* not negative */
    return (float)ldexp(part_of_octave[above % OCTAVE], 128 - above / OCTAVE);
}

static void scale_init(struct scale *scale, enum weight_kind kind, float unit)
{
    *scale = (struct scale){.kind = kind, .unit = unit};
    scale->most = fminf(floorf(FLT_MAX / unit), (1 << MOST_BITS) - 1);
    if (kind == WEIGHT_MEAN)
        return;
    scale->first = nearest_power(unit);
    scale->unit = power_of(scale->first);
    for (int32_t q = 0; q <= MOST_POWER; q++)
        scale->power[q] = power_of(scale->first + q);
}

/* Chooses the unit: the step of weights, the power nearest to the largest variance. */
static void choose_scale(struct scale *scale, const struct weight_array *array, const float *weight)
{
    float most = 0;
    for (size_t i = 0; array->kind == WEIGHT_VARIANCE && i < array->size; i++)
        most = weight[i] > most ? weight[i] : most;
    scale_init(scale, array->kind, array->kind == WEIGHT_MEAN ? step_of(array, weight) : most > 0 ? most : 1);
}

/*
 * Returns the nearest multiple, of two the even one, as long as it is finite. Adding 3 * 2^51 leaves no bits behind the
 * point, as rint() does, without a call.
 */
static inline int32_t multiple(const struct scale *scale, float weight)
{
    float times = weight / scale->unit, below = times < scale->most ? times : scale->most;
    double within = below > -scale->most ? below : -scale->most;
    return (int32_t)(within + 0x1.8p52 - 0x1.8p52);
}

/* Returns the nearest power, counted from the unit, which none is larger than. */
static int32_t power(const struct scale *scale, float variance)
{
    int32_t q = nearest_power(variance) - scale->first;
    return q < MOST_POWER ? q : MOST_POWER;
}

static int32_t integer(const struct scale *scale, float weight)
{
    if (scale->kind == WEIGHT_MEAN)
        return weight == 0 ? 0 : multiple(scale, weight);
    return weight == scale->unit ? 0 : power(scale, weight);
}

static inline float number(const struct scale *scale, int32_t q)
{
    return scale->kind == WEIGHT_MEAN ? (float)q * scale->unit : scale->power[q];
}

float weights_round(const struct weight_array *array, float *weight)
{
    struct scale scale;
    choose_scale(&scale, array, weight);
    for (size_t i = 0; i < array->size; i++)
        weight[i] = number(&scale, integer(&scale, weight[i]));
    return scale.unit;
}

/* ---- Streams ---- */

/* Returns the code of an integer that is not zero. */
static uint64_t coded(const struct scale *scale, int32_t q)
{
    if (scale->kind == WEIGHT_VARIANCE)
        return (uint64_t)q - 1;
    return 2 * ((uint64_t)(q < 0 ? -q : q) - 1) + (q < 0);
}

/* Finds the integer that a code stands for; false if it is out of range. */
static inline bool decoded(const struct scale *scale, uint64_t code, int32_t *q)
{
    if (scale->kind == WEIGHT_VARIANCE ? code >= MOST_POWER : (float)(code / 2) >= scale->most)
        return false;
    int32_t size = (int32_t)(scale->kind == WEIGHT_VARIANCE ? code : code / 2) + 1;
    *q = scale->kind == WEIGHT_MEAN && code % 2 ? -size : size;
    return true;
}

static bool fold_group(const struct scale *scale, uint32_t order, const float *weight, size_t count,
                       struct bit_writer *writer, struct vouch_error *err)
{
    int32_t q[GROUP];
    uint64_t mask = 0;
    for (size_t i = 0; i < count; i++) {
        q[i] = integer(scale, weight[i]);
        mask |= (uint64_t)(q[i] != 0) << i;
    }
    bool ok = mask ? bits_put(writer, 1 | mask << 1, 1 + GROUP, err) : bits_put(writer, 0, 1, err);
    for (size_t i = 0; ok && i < count; i++)
        ok = !q[i] || bits_put_code(writer, coded(scale, q[i]), order, err);
    return ok;
}

bool weights_fold(const struct weight_array *array, const float *weight, struct bit_writer *writer,
                  struct vouch_error *err)
{
    struct scale scale;
    choose_scale(&scale, array, weight);
    struct code_census census = {0};
    for (size_t i = 0; i < array->size; i++) {
        int32_t q = integer(&scale, weight[i]);
        if (q)
            census_add(&census, coded(&scale, q));
    }
    uint32_t order = census_order(&census), unit;
    memcpy(&unit, &scale.unit, sizeof unit);
    bool ok = bits_put(writer, unit, 32, err) && bits_put(writer, order, ORDER_BITS, err);
    for (size_t at = 0; ok && at < array->size; at += GROUP)
        ok = fold_group(&scale, order, weight + at, array->size - at < GROUP ? array->size - at : GROUP, writer, err);
    return ok;
}

/* Reads the head of a stream, which must be long enough for so many weights; false if it is damaged. */
static bool unfold_head(const struct weight_array *array, struct bit_reader *reader, struct scale *scale,
                        uint32_t *order)
{
    uint32_t bits = (uint32_t)bits_take(reader, 32);
    float unit;
    memcpy(&unit, &bits, sizeof unit);
    *order = (uint32_t)bits_take(reader, ORDER_BITS);
    if (bits_over(reader) || *order > MOST_ORDER || array->size / GROUP > reader->end || !(unit > 0) || !isfinite(unit))
        return false;
    scale_init(scale, array->kind, unit);
    return true;
}

/* What the codes of up to PEEK bits stand for, by the bits that come next, whatever follows the code. */
struct short_code {
    float weight;
    uint32_t bits; /* of the code; 0: it is longer, or out of range */
};

static void list_short_codes(const struct scale *scale, uint32_t order, struct short_code *list /* [1 << PEEK] */)
{
    int32_t q;
    memset(list, 0, sizeof *list << PEEK);
    for (uint64_t code = 0; code_bits(code, order) <= PEEK && decoded(scale, code, &q); code++)
        for (uint64_t i = code_of(code, order); i < 1 << PEEK; i += UINT64_C(1) << code_bits(code, order))
            list[i] = (struct short_code){number(scale, q), code_bits(code, order)};
}

/* Reads one number; false if it is out of range. */
static inline bool unfold_one(struct bit_reader *reader, const struct scale *scale, uint32_t order,
                              const struct short_code *list, float *weight)
{
    struct short_code found = list[bits_peek(reader, PEEK)];
    int32_t q;
    if (found.bits) {
        bits_skip(reader, found.bits);
        *weight = found.weight;
        return true;
    }
    if (!decoded(scale, bits_take_code(reader, order), &q))
        return false;
    *weight = number(scale, q);
    return true;
}

/* Fills the array group by group: what a zero stands for, then what the stream has. False if that is damaged. */
static bool unfold(const struct weight_array *array, struct bit_reader reader, const struct scale *scale,
                   uint32_t order, float *weight)
{
    const float blank = scale->kind == WEIGHT_MEAN ? 0 : scale->unit;
    struct short_code list[1 << PEEK];
    list_short_codes(scale, order, list);
    for (size_t at = 0; at < array->size; at += GROUP) {
        size_t count = array->size - at < GROUP ? array->size - at : GROUP;
        for (size_t i = 0; i < count; i++)
            weight[at + i] = blank;
        if (!bits_take(&reader, 1))
            continue;
        uint32_t mask = (uint32_t)bits_take(&reader, GROUP);
        if (count < GROUP && mask >> count)
            return false;
        for (; mask; mask &= mask - 1)
            if (!unfold_one(&reader, scale, order, list, &weight[at + (size_t)__builtin_ctz(mask)]))
                return false;
    }
    return !bits_over(&reader);
}

float *weights_unfold(const struct weight_array *array, const void *bytes, uint64_t length, size_t slack, float *step,
                      struct vouch_error *err)
{
    struct bit_reader reader;
    struct scale scale;
    uint32_t order;
    if (!bits_start(&reader, bytes, length) || !unfold_head(array, &reader, &scale, &order))
        return NULL;
    *step = scale.unit;
    float *weight = new_block(sizeof *weight * (array->size + slack), err);
    if (weight && unfold(array, reader, &scale, order, weight)) {
        memset(weight + array->size, 0, sizeof *weight * slack);
        return weight;
    }
    free(weight);
    return NULL;
}

bool weights_count_steps(const float *weight, size_t size, float step, int16_t *steps)
{
    int exponent;
    if (frexpf(step, &exponent) != 0.5F || exponent < -99 || exponent > 101)
        return false;
    const float per_weight = 1 / step;
    int32_t wide = 0;
    for (size_t i = 0; i < size; i++) {
        int32_t q = (int32_t)(weight[i] * per_weight);
        steps[i] = (int16_t)q;
        wide |= q ^ steps[i];
    }
    return wide == 0;
}
