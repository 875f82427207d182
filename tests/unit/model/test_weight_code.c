/*
 * Tests the rounding of weights and their streams: how far rounding goes, that rounding twice is rounding once, that
 * streams hold what was rounded, whatever the sizes, and that damaged ones are refused.
 */
#include "base/random.h"
#include "model/weight_code.h"

#include <float.h>

#include "must.h"
#include "test.h"

enum { MOST = 5000 };

/* Fills an array with weights like learned ones: many zeros, few large numbers. */
static void learn(struct rng *rng, float *weight, size_t size, uint32_t sparse)
{
    for (size_t i = 0; i < size; i++) {
        double x = rng_uniform(rng) - 0.5;
        weight[i] = rng_below(rng, sparse) ? 0 : (float)(x * x * x * 8);
    }
}

static void learn_variances(struct rng *rng, float *var, size_t size, uint32_t sparse)
{
    for (size_t i = 0; i < size; i++)
        var[i] = rng_below(rng, sparse) ? 0.7f : (float)(0.7 * exp2(-20 * rng_uniform(rng)));
    var[0] = 0.7f;
}

/* Folds and unfolds; the numbers must be those of `expected`, bit by bit, and zeros after them. */
static void expect_stream(const struct weight_array *array, const float *weight, const float *expected)
{
    struct bit_writer writer = {0};
    float step;
    MUST(weights_fold(array, weight, &writer, &err));
    float *again = weights_unfold(array, writer.bytes, bits_bytes(&writer), 16, &step, &err);
    assert_non_null(again);
    for (size_t i = 0; i < array->size; i++)
        if (memcmp(&again[i], &expected[i], sizeof *again) != 0)
            fail_msg("number %zu of %zu: expected %a, found %a", i, array->size, (double)expected[i], (double)again[i]);
    for (size_t i = array->size; i < array->size + 16; i++)
        assert_true(again[i] == 0);
    struct bit_writer twice = {0};
    MUST(weights_fold(array, again, &twice, &err));
    assert_int_equal(twice.count, writer.count);
    assert_memory_equal(twice.bytes, writer.bytes, bits_bytes(&writer));
    free(twice.bytes);
    free(again);
    free(writer.bytes);
}

TEST(streams_hold_what_was_rounded)
{
    static const size_t sizes[] = {0, 1, 2, 31, 32, 33, 63, 64, 65, 100, 1000, 1023, MOST};
    struct rng rng = rng_new(1, 1);
    float weight[MOST], rounded[MOST];
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (uint32_t sparse = 1; sparse < 200; sparse = sparse * 3)
            for (int kind = WEIGHT_MEAN; kind <= WEIGHT_VARIANCE; kind++) {
                struct weight_array array = {(enum weight_kind)kind, sizes[s], 1 + sparse % 7};
                (kind == WEIGHT_MEAN ? learn : learn_variances)(&rng, weight, sizes[s] ? sizes[s] : 1, sparse);
                memcpy(rounded, weight, sizeof rounded);
                float step = weights_round(&array, rounded);
                for (size_t i = 0; kind == WEIGHT_MEAN && i < sizes[s]; i++)
                    assert_true(rintf(rounded[i] / step) == rounded[i] / step);
                expect_stream(&array, rounded, rounded);
                weights_round(&array, weight);
                weights_round(&array, weight);
                assert_memory_equal(weight, rounded, sizeof *weight * sizes[s]);
            }
}

/* The step is a power of two from 1/46 to 1/22 of the usual norm of a block, and errors are at most half of it. */
TEST(weights_are_rounded_to_a_step)
{
    struct rng rng = rng_new(2, 1);
    for (uint32_t width = 1; width < 60; width = width * 2 + 1) {
        float weight[MOST], rounded[MOST];
        double squares = 0, worst = 0, step = INFINITY;
        size_t blocks = 0;
        learn(&rng, weight, MOST, 2);
        memcpy(rounded, weight, sizeof rounded);
        weights_round(&(struct weight_array){WEIGHT_MEAN, MOST, width}, rounded);
        for (size_t at = 0; at < MOST; at += width) {
            double norm = 0;
            for (size_t i = at; i < at + width && i < MOST; i++)
                norm += (double)weight[i] * weight[i];
            squares += norm;
            blocks += norm > 0;
        }
        for (size_t i = 0; i < MOST; i++) {
            worst = fmax(worst, fabs((double)weight[i] - rounded[i]));
            step = rounded[i] != 0 ? fmin(step, fabs((double)rounded[i])) : step;
        }
        double unit = sqrt(squares / (double)blocks);
        assert_true(step >= unit / 46 && step <= unit / 22);
        assert_true(frexp(step, &(int){0}) == 0.5);
        assert_true(worst <= step / 2 && worst > step / 2.1);
        for (size_t i = 0; i < MOST; i++)
            assert_true(fmod(rounded[i], step) == 0);
    }
}

/* Exactly between two multiples, the even one is nearer. */
TEST(ties_go_to_the_even_multiple)
{
    float weight[MOST];
    for (size_t i = 0; i < MOST; i++)
        weight[i] = i % 2 ? 1.0f : -1.0f;
    const float step = 0x1p-5f, tiny = 0x1p-40f; /* which makes rounding necessary */
    weight[0] = 1.5f * step;
    weight[1] = 2.5f * step;
    weight[2] = -0.5f * step;
    weight[3] = 0.5f * step + 0x1p-29f;
    weight[4] = tiny;
    weights_round(&(struct weight_array){WEIGHT_MEAN, MOST, 1}, weight);
    assert_true(weight[0] == 2 * step && weight[1] == 2 * step && weight[2] == 0 && weight[3] == step &&
                weight[4] == 0 && weight[5] == 1 && !signbit(weight[2]));
}

TEST(what_is_exact_stays)
{
    const float cases[][4] = {{0, 0, 0, 0},
                              {1, -2, 3, 0},
                              {0x1.234568p0f, 0, -1, 0},
                              {0x1p-149f, 0x1p-126f, 0, -0x1p-149f},
                              {FLT_MAX, -FLT_MAX, 0, 0x1p120f},
                              {0x1p-149f, 0, 0x1p-130f, 0},
                              {1e30f, 0, 0, 0}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct weight_array array = {WEIGHT_MEAN, 4, 2};
        float weight[4];
        memcpy(weight, cases[c], sizeof weight);
        weights_round(&array, weight);
        assert_memory_equal(weight, cases[c], sizeof weight);
        expect_stream(&array, weight, weight);
    }
}

/* Numbers as far apart as numbers can be: what is too small beside the largest becomes zero. */
TEST(huge_and_tiny_weights_are_finite)
{
    struct weight_array array = {WEIGHT_MEAN, 4, 1};
    float weight[4] = {FLT_MAX, 1, -0x1p-149f, -FLT_MAX / 3}, rounded[4];
    memcpy(rounded, weight, sizeof rounded);
    weights_round(&array, rounded);
    for (int i = 0; i < 4; i++)
        assert_true(isfinite(rounded[i]));
    assert_true(rounded[1] == 0 && rounded[2] == 0 && fabsf(rounded[3] / weight[3] - 1) < 0.1f);
    expect_stream(&array, rounded, rounded);
}

TEST(variances_are_within_a_few_percent)
{
    struct rng rng = rng_new(3, 1);
    struct weight_array array = {WEIGHT_VARIANCE, MOST, 1};
    float var[MOST], rounded[MOST];
    learn_variances(&rng, var, MOST, 1);
    memcpy(rounded, var, sizeof rounded);
    weights_round(&array, rounded);
    for (size_t i = 0; i < MOST; i++)
        assert_true(fabs(log2((double)rounded[i] / var[i])) <= 1.0 / 32 + 1e-6);
    float odd[] = {2, 0, 1e-45f, 2, 0x1p-99f};
    weights_round(&(struct weight_array){WEIGHT_VARIANCE, 5, 1}, odd);
    assert_true(odd[0] == 2 && odd[1] == 0x1p-99f && odd[2] == 0x1p-99f && odd[3] == 2 && odd[4] == 0x1p-99f);
    float zero[] = {0, 0};
    expect_stream(&(struct weight_array){WEIGHT_VARIANCE, 0, 1}, zero, zero);
}

/* Rounded numbers are the same to the last bit in a stream that has only some of them, be the largest among them or
 * not. */
TEST(what_is_left_out_changes_nothing)
{
    static const float starts[] = {1, 0.7f, 3, 1e9f, 1e-9f, 1e-30f, 1e-38f, 0x1p-149f, 0, FLT_MAX};
    struct rng rng = rng_new(5, 1);
    for (size_t s = 0; s < sizeof starts / sizeof *starts; s++)
        for (uint32_t round = 0; round < 60; round++) {
            enum weight_kind kind = round % 2 ? WEIGHT_MEAN : WEIGHT_VARIANCE;
            float all[400], some[400], least = round % 3 ? FLT_MAX : starts[s] / 2;
            size_t count = 0;
            (kind == WEIGHT_MEAN ? learn : learn_variances)(&rng, all, 400, 1 + round % 4);
            for (size_t i = 0; i < 400; i++)
                all[i] *= kind == WEIGHT_MEAN ? starts[s] / 2 : starts[s];
            weights_round(&(struct weight_array){kind, 400, 1}, all);
            for (size_t i = 0; i < 400; i++)
                if (rng_below(&rng, 1 + round % 5) == 0 && all[i] <= least)
                    some[count++] = all[i];
            expect_stream(&(struct weight_array){kind, count, 1}, some, some);
        }
}

/* Returns a stream of one number that is not blank, of the unit 1. */
static struct bit_writer stream_of_code(uint64_t code)
{
    struct bit_writer writer = {0};
    const float one = 1;
    uint32_t unit;
    memcpy(&unit, &one, sizeof unit);
    MUST(bits_put(&writer, unit, 32, &err) && bits_put(&writer, 40, ORDER_BITS, &err) &&
         bits_put(&writer, 1 | 1 << 1, 33, &err) && bits_put_code(&writer, code, 40, &err));
    return writer;
}

/* Codes up to the largest one that there is, those among them that an int does not hold. */
TEST(codes_out_of_range_are_refused)
{
    static const struct {
        uint64_t code;
        float mean, variance; /* NAN: refused */
    } cases[] = {{0, 1, 0x1.ea4afap-1f},
                 {1, -1, 0x1.d5818ep-1f},
                 {1599, -800, 0x1p-100f},
                 {1600, 801, NAN},
                 {(1 << 25) - 4, 0x1.fffffep23f, NAN},
                 {(1 << 25) - 3, -0x1.fffffep23f, NAN},
                 {(1 << 25) - 2, NAN, NAN},
                 {INT32_MAX - 1, NAN, NAN},
                 {INT32_MAX, NAN, NAN},
                 {UINT64_C(1) << 31, NAN, NAN},
                 {UINT32_MAX - 2, NAN, NAN},
                 {UINT32_MAX - 1, NAN, NAN},
                 {UINT32_MAX, NAN, NAN},
                 {UINT64_C(1) << 32, NAN, NAN},
                 {(UINT64_C(1) << 32) + 1, NAN, NAN},
                 {(UINT64_C(1) << 49) - 1, NAN, NAN}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        for (int kind = WEIGHT_MEAN; kind <= WEIGHT_VARIANCE; kind++) {
            struct bit_writer writer = stream_of_code(cases[c].code);
            float expected = kind == WEIGHT_MEAN ? cases[c].mean : cases[c].variance;
            float step;
            float *weight = weights_unfold(&(struct weight_array){(enum weight_kind)kind, 1, 1}, writer.bytes,
                                           bits_bytes(&writer), 0, &step, &err);
            assert_int_equal(weight == NULL, isnan(expected));
            assert_true(!weight || *weight == expected);
            free(weight);
            free(writer.bytes);
        }
    assert_int_equal(err.status, VOUCH_OK);
}

/* Any stream whatever is read safely; a cut one is refused, and so are more weights than it has. */
TEST(damaged_streams_are_refused)
{
    struct rng rng = rng_new(4, 1);
    for (int kind = WEIGHT_MEAN; kind <= WEIGHT_VARIANCE; kind++) {
        struct weight_array array = {(enum weight_kind)kind, 1000, 3}, more = {(enum weight_kind)kind, 1 << 20, 3};
        float weight[1000], step;
        struct bit_writer writer = {0};
        (kind == WEIGHT_MEAN ? learn : learn_variances)(&rng, weight, 1000, 3);
        MUST(weights_fold(&array, weight, &writer, &err));
        uint64_t length = bits_bytes(&writer);
        err = (struct vouch_error){0};
        assert_null(weights_unfold(&more, writer.bytes, length, 16, &step, &err));
        for (uint64_t cut = 0; cut < length; cut++) {
            unsigned char *bytes = malloc(cut + 1);
            memcpy(bytes, writer.bytes, cut);
            assert_null(weights_unfold(&array, bytes, cut, 16, &step, &err));
            free(bytes);
        }
        for (int round = 0; round < 3000; round++) {
            unsigned char *bytes = malloc(length);
            memcpy(bytes, writer.bytes, length);
            for (uint32_t i = rng_below(&rng, 4); i < 5; i++)
                bytes[rng_below(&rng, round % 2 ? 16 : (uint32_t)length)] ^= (unsigned char)rng_next(&rng);
            float *again = weights_unfold(&array, bytes, length, 16, &step, &err);
            for (size_t i = 0; again && i < array.size; i++)
                assert_true(isfinite(again[i]) && (kind == WEIGHT_MEAN || again[i] >= 0));
            free(again);
            free(bytes);
        }
        assert_int_equal(err.status, VOUCH_OK);
        free(writer.bytes);
    }
}

/* What was unfolded is so many steps; weights of too many steps are refused, and so are steps of other sizes. */
TEST(weights_are_steps_of_16_bits)
{
    enum { SIZE = 1000 };
    struct weight_array array = {WEIGHT_MEAN, SIZE, 1};
    struct rng rng = rng_new(5, 1);
    float weight[SIZE], step;
    int16_t steps[SIZE];
    struct bit_writer writer = {0};
    learn(&rng, weight, SIZE, 1);
    MUST(weights_fold(&array, weight, &writer, &err));
    float *again = weights_unfold(&array, writer.bytes, bits_bytes(&writer), 0, &step, &err);
    assert_non_null(again);
    assert_true(weights_count_steps(again, SIZE, step, steps));
    for (size_t i = 0; i < SIZE; i++)
        assert_true((float)steps[i] * step == again[i]);
    again[7] = -32768 * step;
    assert_true(weights_count_steps(again, SIZE, step, steps) && steps[7] == -32768);
    again[7] = 32768 * step;
    assert_false(weights_count_steps(again, SIZE, step, steps));
    again[7] = 0;
    assert_false(weights_count_steps(again, SIZE, step * 1.5f, steps));
    assert_false(weights_count_steps(again, 0, ldexpf(1, 101), steps));
    assert_false(weights_count_steps(again, 0, ldexpf(1, -101), steps));
    free(again);
    free(writer.bytes);
}
