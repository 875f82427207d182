/* Tests the rows of sentences: packed, padded, an array each, and K sets of all of these. */
#include "arrays/sentence_rows.h"

#include "array_bytes.h"
#include "must.h"
#include "test.h"

static const float counted[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

static struct image floats_of(const char *shape, size_t count)
{
    return npy_of("<f4", shape, counted, count * sizeof *counted);
}

static struct image integers_of(const char *shape, const int32_t *number, size_t count)
{
    return npy_of("<i4", shape, number, count * sizeof *number);
}

static void expect_sentence(const struct sentence_rows *rows, uint64_t i, struct sentence_shape shape,
                            const float *expected)
{
    struct sentence_shape found = sentence_rows_shape(rows, i);
    assert_true(found.sets == shape.sets && found.rows == shape.rows && found.width == shape.width);
    float value[16];
    MUST(sentence_rows_read(rows, i, value, &err));
    for (size_t v = 0; v < shape.sets * shape.rows * shape.width; v++)
        assert_true(value[v] == expected[v]);
}

/* Lays `shape` out with offsets or lengths; the rows are the caller's. */
struct case_of {
    struct image floats, integers;
    struct array_file *array, *from;
    struct sentence_rows rows;
};

static bool lay_out(struct case_of *c, struct sentence_layout layout, bool offsets)
{
    c->array = must_open_image(&c->floats);
    c->from = must_open_image(&c->integers);
    layout.array = c->array->array;
    *(offsets ? &layout.offsets : &layout.lengths) = c->from->array;
    return sentence_rows_init(&c->rows, &layout, &err);
}

static void release(struct case_of *c)
{
    sentence_rows_release(&c->rows);
    array_file_free(c->array);
    array_file_free(c->from);
}

TEST(packed_rows_have_offsets_or_lengths)
{
    for (int offsets = 0; offsets < 2; offsets++) {
        struct case_of c = {.floats = floats_of("(3, 2)", 6),
                            .integers = offsets ? integers_of("(4,)", (const int32_t[]){0, 1, 1, 3}, 4)
                                                : integers_of("(3,)", (const int32_t[]){1, 0, 2}, 3)};
        MUST(lay_out(&c, (struct sentence_layout){.padded = false}, offsets));
        assert_int_equal(c.rows.count, 3);
        expect_sentence(&c.rows, 0, (struct sentence_shape){1, 1, 2}, counted);
        expect_sentence(&c.rows, 1, (struct sentence_shape){1, 0, 2}, counted);
        expect_sentence(&c.rows, 2, (struct sentence_shape){1, 2, 2}, counted + 2);
        release(&c);
    }
}

TEST(sets_are_a_dimension_before_the_others)
{
    struct case_of c = {.floats = floats_of("(2, 3, 2)", 12),
                        .integers = integers_of("(2,)", (const int32_t[]){1, 2}, 2)};
    MUST(lay_out(&c, (struct sentence_layout){.sets = true}, false));
    expect_sentence(&c.rows, 1, (struct sentence_shape){2, 2, 2}, (const float[]){2, 3, 4, 5, 8, 9, 10, 11});
    release(&c);
    c = (struct case_of){.floats = floats_of("(2, 2, 3, 1)", 12),
                         .integers = integers_of("(2,)", (const int32_t[]){3, 2}, 2)};
    MUST(lay_out(&c, (struct sentence_layout){.sets = true, .padded = true}, false));
    expect_sentence(&c.rows, 1, (struct sentence_shape){2, 2, 1}, (const float[]){3, 4, 9, 10});
    release(&c);
}

TEST(padded_rows_have_lengths)
{
    struct case_of c = {.floats = floats_of("(2, 3, 2)", 12),
                        .integers = integers_of("(2,)", (const int32_t[]){3, 1}, 2)};
    MUST(lay_out(&c, (struct sentence_layout){.padded = true}, false));
    expect_sentence(&c.rows, 0, (struct sentence_shape){1, 3, 2}, counted);
    expect_sentence(&c.rows, 1, (struct sentence_shape){1, 1, 2}, counted + 6);
    release(&c);
}

static void expect_refused(const char *shape, size_t count, const int32_t *number, size_t numbers,
                           struct sentence_layout layout, bool offsets, const char *message)
{
    char one[16];
    snprintf(one, sizeof one, "(%zu,)", numbers);
    struct case_of c = {.floats = floats_of(shape, count), .integers = integers_of(one, number, numbers)};
    assert_false(lay_out(&c, layout, offsets));
    assert_string_equal(err.message, message);
    release(&c);
}

TEST(what_does_not_fit_is_refused)
{
    const struct sentence_layout packed = {.padded = false}, padded = {.padded = true}, sets = {.sets = true};
    expect_refused("(3, 2)", 6, (const int32_t[]){1, 3}, 2, packed, true,
                   "made: value [0]: expected an offset from 0 to 0, found 1");
    expect_refused("(3, 2)", 6, (const int32_t[]){0, 2, 1}, 3, packed, true,
                   "made: value [2]: expected an offset from 2 to 3, found 1");
    expect_refused("(3, 2)", 6, (const int32_t[]){0, 4}, 2, packed, true,
                   "made: value [1]: expected an offset from 0 to 3, found 4");
    expect_refused("(3, 2)", 6, (const int32_t[]){0, 2}, 2, packed, true,
                   "made: expected sentences of 3 rows in all, as made has, found 2");
    expect_refused("(3, 2)", 6, NULL, 0, packed, true, "made: expected offsets of one dimension, found none");
    expect_refused("(3, 2)", 6, (const int32_t[]){1, 1}, 2, packed, false,
                   "made: expected sentences of 3 rows in all, as made has, found 2");
    expect_refused("(3, 2)", 6, (const int32_t[]){2, 2}, 2, packed, false,
                   "made: value [1]: expected a length from 0 to 1, found 2");
    expect_refused("(3, 2)", 6, (const int32_t[]){-1, 4}, 2, packed, false,
                   "made: value [0]: expected a length from 0 to 3, found -1");
    expect_refused("(2, 3)", 6, (const int32_t[]){3}, 1, padded, false,
                   "made: expected 2 lengths, one a sentence, found 1");
    expect_refused("(2, 3)", 6, (const int32_t[]){3, 4}, 2, padded, false,
                   "made: value [1]: expected a length from 0 to 3, found 4");
    expect_refused("(2, 3)", 6, (const int32_t[]){0, 3}, 2, padded, true, "made: expected lengths, found offsets");
    expect_refused("(6,)", 6, (const int32_t[]){6}, 1, sets, false,
                   "made: expected 2 dimensions or more, the first that of sets, found 1");
    expect_refused("(0, 6)", 0, (const int32_t[]){6}, 1, sets, false,
                   "made: expected 1 set or more in the first dimension, found 0");
}

/* Whether arrays of these names can be taken for sentences; the first value of each is its place in the file. */
static bool by_name(const char *const *name, size_t count, const float *expected)
{
    struct image image[4];
    struct zipped entry[4];
    for (size_t i = 0; i < count; i++) {
        image[i] = npy_of("<f4", "(1, 1)", &counted[i], sizeof *counted);
        entry[i] = (struct zipped){name[i], &image[i], i % 2 == 1};
    }
    struct image zip = zip_of(entry, count);
    struct array_file *file = must_open_image(&zip);
    struct sentence_rows rows;
    bool ok = sentence_rows_init(&rows, &(struct sentence_layout){.file = file}, &err);
    for (size_t i = 0; ok && i < count; i++)
        expect_sentence(&rows, i, (struct sentence_shape){1, 1, 1}, &expected[i]);
    sentence_rows_release(&rows);
    array_file_free(file);
    return ok;
}

TEST(an_array_each_comes_by_number_or_in_the_order_of_the_file)
{
    MUST(by_name((const char *const[]){"2.npy", "0.npy", "1.npy"}, 3, (const float[]){1, 2, 0}));
    MUST(by_name((const char *const[]){"arr_1.npy", "arr_0.npy"}, 2, (const float[]){1, 0}));
    MUST(by_name((const char *const[]){"z.npy", "a.npy", "m.npy"}, 3, (const float[]){0, 1, 2}));
    assert_false(by_name((const char *const[]){"0.npy", "a.npy"}, 2, NULL));
    assert_string_equal(err.message, "made: array 'a': expected numbers as names of all arrays or of none, found some");
    assert_false(by_name((const char *const[]){"0.npy", "2.npy"}, 2, NULL));
    assert_string_equal(err.message,
                        "made: array '2': expected names with the numbers 0 to 1, once each, found another");
    assert_false(by_name((const char *const[]){"0.npy", "arr_0.npy"}, 2, NULL));
}
