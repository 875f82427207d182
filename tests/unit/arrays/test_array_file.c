/* Tests files of arrays: every type and byte order, what is refused, and damage everywhere. */
#include "base/memory.h"

#include "folder.h"

#include <float.h>

#include "array_bytes.h"
#include "must.h"
#include "test.h"

/* Opens the bytes, at exactly as much memory, so that sanitizers see what is read beyond them. */
static bool opens(const unsigned char *bytes, size_t size)
{
    unsigned char *copy = malloc(size ? size : 1);
    assert_non_null(copy);
    memcpy(copy, bytes, size);
    err = (struct vouch_error){0};
    struct array_file *file = array_file_open_memory("made", copy, size, &err);
    for (size_t i = 0; file && i < file->count; i++) {
        const struct array *array = &file->array[i];
        uint64_t values = array_values(array, 0);
        void *room = malloc(values < 10000 ? values * 8 + 1 : 1);
        assert_non_null(room);
        struct vouch_error why = {0};
        bool ok = values >= 10000 || array_floats(array, 0, values, room, &why) ||
                  array_integers(array, 0, values, room, &why);
        assert_true(ok || (why.status == VOUCH_ERR_FORMAT && why.message[0]));
        free(room);
    }
    assert_true(file || (err.status != VOUCH_OK && err.message[0]));
    array_file_free(file);
    free(copy);
    return file != NULL;
}

static void expect_refused(struct image image, const char *message)
{
    assert_false(opens(image.bytes, image.size));
    assert_string_equal(err.message, message);
}

static void expect_floats(struct image image, const float *expected, size_t count)
{
    struct array_file *file = must_open_image(&image);
    float found[16];
    MUST(array_floats(file->array, 0, count, found, &err));
    for (size_t i = 0; i < count; i++) {
        if (memcmp(&found[i], &expected[i], sizeof found[i]) != 0)
            fail_msg("value %zu: expected %g, found %g", i, (double)expected[i], (double)found[i]);
    }
    array_file_free(file);
}

/* The numbers as `size` bytes each, the most significant first if `big`. */
static struct image numbers(const uint64_t *bits, size_t count, unsigned size, bool big)
{
    struct image image = {.size = 0};
    for (size_t i = 0; i < count; i++) {
        for (unsigned b = 0; b < size; b++)
            put_little(&image, bits[i] >> 8 * (big ? size - 1 - b : b) & 255, 1);
    }
    return image;
}

static const uint64_t half_bits[] = {0x3C00, 0xC000, 0x0001, 0x8000, 0x7BFF, 0x03FF, 0x7C00, 0xFC00};
static const float half_values[] = {1, -2, 0x1p-24f, -0.0f, 65504, 0x1.ff8p-15f, INFINITY, -INFINITY};
static const uint64_t double_bits[] = {0x3FF0000000000000, 0xC000000000000000, 0x3FB999999999999A, 0xFFF0000000000000};
static const float double_values[] = {1, -2, 0.1f, -INFINITY};

TEST(floats_of_every_type_and_byte_order_are_read)
{
    for (int big = 0; big < 2; big++) {
        struct image two = numbers(half_bits, 8, 2, big), eight = numbers(double_bits, 4, 8, big);
        expect_floats(npy_of(big ? ">f2" : "<f2", "(8,)", two.bytes, two.size), half_values, 8);
        expect_floats(npy_of(big ? ">f8" : "<f8", "(4,)", eight.bytes, eight.size), double_values, 4);
        uint64_t single_bits[4];
        for (int i = 0; i < 4; i++) {
            uint32_t bits;
            memcpy(&bits, &double_values[i], sizeof bits);
            single_bits[i] = bits;
        }
        struct image four = numbers(single_bits, 4, 4, big);
        expect_floats(npy_of(big ? ">f4" : "<f4", "(2, 2)", four.bytes, four.size), double_values, 4);
        if (!big) {
            expect_floats(safetensors_of("{\"x\":{\"dtype\":\"F32\",\"shape\":[4],\"data_offsets\":[0,16]}}",
                                         four.bytes, four.size),
                          double_values, 4);
            expect_floats(safetensors_of("{\"x\":{\"dtype\":\"F64\",\"shape\":[4],\"data_offsets\":[0,32]}}",
                                         eight.bytes, eight.size),
                          double_values, 4);
            expect_floats(safetensors_of("{\"x\":{\"dtype\":\"F16\",\"shape\":[8],\"data_offsets\":[0,16]}}   ",
                                         two.bytes, two.size),
                          half_values, 8);
        }
    }
    expect_floats(safetensors_of("{\"x\":{\"dtype\":\"BF16\",\"shape\":[3],\"data_offsets\":[0,6]}}",
                                 "\x80\x3F\x00\xC0\x80\xFF", 6),
                  (const float[]){1, -2, -INFINITY}, 3);
}

static void expect_integers(struct image image, int64_t first, int64_t second)
{
    struct array_file *file = must_open_image(&image);
    int64_t found[2];
    MUST(array_integers(file->array, 0, 2, found, &err));
    assert_true(found[0] == first && found[1] == second);
    array_file_free(file);
}

TEST(integers_of_every_size_are_read)
{
    static const uint64_t bits[] = {UINT64_MAX - 4, 7};
    static const char *const type[][2] = {{"|i1", "|u1"}, {"<i2", ">u2"}, {"<i4", ">u4"}, {"<i8", ">u8"}};
    for (unsigned i = 0; i < 4; i++) {
        unsigned size = 1u << i;
        struct image little_end = numbers(bits, 2, size, false), big_end = numbers(bits, 2, size, true);
        expect_integers(npy_of(type[i][0], "(2,)", little_end.bytes, little_end.size), -5, 7);
        if (size < 8)
            expect_integers(npy_of(type[i][1], "(2,)", big_end.bytes, big_end.size), ((int64_t)1 << 8 * size) - 5, 7);
    }
    struct image wide = numbers(bits, 2, 8, false);
    expect_integers(
        safetensors_of("{\"x\":{\"dtype\":\"I64\",\"shape\":[2],\"data_offsets\":[0,16]}}", wide.bytes, wide.size), -5,
        7);
    struct image large = npy_of("<u8", "(2,)", wide.bytes, wide.size);
    struct array_file *file = must_open_image(&large);
    int64_t found[2];
    float real[2];
    assert_false(array_integers(file->array, 0, 2, found, &err));
    assert_string_equal(err.message, "made: value [0]: expected an integer of 63 bits, found a larger one");
    assert_false(array_floats(file->array, 0, 2, real, &err));
    assert_string_equal(err.message, "made: expected floating-point numbers of 2, 4 or 8 bytes, found type '<u8'");
    array_file_free(file);
}

TEST(rows_are_read_in_c_order_whatever_the_order_in_the_file)
{
    const float data[] = {0, 1, 2, 3, 4, 5}; /* columns of 2 */
    struct image image =
        npy_of_header(2, "{'shape': (2L, 3L), 'fortran_order': True, 'descr': '<f4'}", data, sizeof data);
    struct array_file *file = must_open_image(&image);
    float row[3];
    MUST(array_floats(file->array, 3, 3, row, &err));
    assert_memory_equal(row, ((const float[]){1, 3, 5}), sizeof row);
    assert_false(array_floats(file->array, 3, 6, row, &err));
    assert_string_equal(err.message, "made: expected 6 values from value 3 on, found 6 in all");
    array_file_free(file);
    image = npy_of_header(3, "{'descr': '<f4', 'fortran_order': True, 'shape': (1, 2, 3)}", data, sizeof data);
    expect_floats(image, (const float[]){0, 2, 4, 1, 3, 5}, 6);
}

TEST(what_is_no_float_names_its_place)
{
    const float data[] = {0, 1, 2, NAN};
    struct image image = npy_of("<f4", "(2, 2)", data, sizeof data);
    struct array_file *file = must_open_image(&image);
    float found[4];
    MUST(array_floats(file->array, 0, 2, found, &err));
    assert_false(array_floats(file->array, 2, 2, found, &err));
    assert_string_equal(err.message, "made: value [1, 1]: expected a number, found NaN");
    array_file_free(file);

    const double large[] = {-(double)FLT_MAX, -1e300};
    image = npy_of("<f8", "(2,)", large, sizeof large);
    file = must_open_image(&image);
    assert_false(array_floats(file->array, 0, 2, found, &err));
    assert_string_equal(err.message, "made: value [1]: expected a number within the range of float32, found -1e+300");
    assert_true(found[0] == -FLT_MAX);
    array_file_free(file);
}

TEST(headers_of_npy_that_are_wrong_are_refused)
{
    static const struct {
        const char *header, *message;
    } wrong[] = {
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (3)}",
         "made: expected a tuple of dimensions in the header, found '}'"},
        {"{'descr': '<f4', 'fortran_order': False}",
         "made: expected the keys descr, fortran_order and shape, once each, in the header, found ''"},
        {"{'descr': '<f4', 'descr': '<f4'}",
         "made: expected the keys descr, fortran_order and shape, once each, in the header, found "
         "''descr': '<f4'}'"},
        {"{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,)}",
         "made: expected a type such as '<f4' in the header, found '[('a', '<f4')], 'fortran_order': False, '"},
        {"{'descr': '<f4', 'fortran_order': 0, 'shape': (1,)}",
         "made: expected True or False in the header, found '0, 'shape': (1,)}'"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (2,)}",
         "made: expected 8 bytes of numbers for type and shape, found 4"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': ()} x",
         "made: expected the end of the dict in the header, found 'x'"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (-1,)}",
         "made: expected a dimension that fits 63 bits in the header, found '-1,)}'"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,)}",
         "made: expected a dimension that fits 63 bits in the header, found '99999999999999999999,)}'"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (4294967296, 4294967296)}",
         "made: expected dimensions whose product fits 63 bits, found more"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (0, 4294967296, 4294967296)}",
         "made: expected dimensions whose product fits 63 bits, found more"},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (2305843009213693952,)}",
         "made: expected dimensions whose product fits 63 bits, found more"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (1,1,1,1,1,1,1,1,1)}",
         "made: expected at most 8 dimensions, found more"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        expect_refused(npy_of_header(1, wrong[i].header, "\0\0\0\0", 4), wrong[i].message);
    expect_refused(npy_of_header(4, wrong[0].header, "", 0),
                   "made: expected version 1.0, 2.0 or 3.0 of .npy, found 4.0");
    expect_refused((struct image){"hello", 5},
                   "made: expected a .npy, .npz or safetensors file, found one that starts with 68 65 6c 6c 6f");
    expect_refused((struct image){"", 0},
                   "made: expected a .npy, .npz or safetensors file, found one that starts with nothing");
}

TEST(headers_of_safetensors_that_are_wrong_are_refused)
{
#define TENSOR(name, shape, offsets) "\"" name "\":{\"dtype\":\"F32\",\"shape\":" shape ",\"data_offsets\":" offsets "}"
    static const struct {
        const char *header, *message;
    } wrong[] = {
        {"{" TENSOR("a", "[2]", "[0,8]") "," TENSOR("b", "[2]", "[4,12]") "}",
         "made: array 'b': expected its numbers at offset 8, where those before it end, found 4: arrays overlap"},
        {"{" TENSOR("a", "[1]", "[0,4]") "," TENSOR("b", "[1]", "[8,12]") "}",
         "made: array 'b': expected its numbers at offset 4, where those before it end, found 8: arrays leave a hole"},
        {"{" TENSOR("a", "[2]", "[0,8]") "}", "made: expected 8 bytes of numbers, as the header says, found 12"},
        {"{" TENSOR("a", "[4]", "[0,16]") "}",
         "made: array 'a': expected data_offsets within 12 bytes of numbers, found [0, 16]"},
        {"{" TENSOR("a", "[2]", "[8,0]") "}",
         "made: array 'a': expected data_offsets within 12 bytes of numbers, found [8, 0]"},
        {"{" TENSOR("a", "[2]", "[0,12]") "}",
         "made: array 'a': expected 8 bytes of numbers for type and shape, found 12"},
        {"{" TENSOR("a", "[4611686018427387904,4]", "[0,12]") "}",
         "made: array 'a': expected dimensions whose product fits 63 bits, found more"},
        {"{" TENSOR("a", "[-1]", "[0,12]") "}",
         "made: array 'a': expected dimensions that are integers of 0 or more, found another one"},
        {"{\"a\":{\"dtype\":\"F31\",\"shape\":[3],\"data_offsets\":[0,12]}}",
         "made: array 'a': expected a dtype such as \"F32\", found F31"},
        {"{\"a\":3}", "made: array 'a': expected an object with dtype, shape and data_offsets, found another one"},
        {"{\"__metadata__\":{\"x\":1}}", "made: expected strings in __metadata__, found something else"},
        {"{\"a\":}", "made: expected a header of JSON, found at its byte 6: unexpected token near '}'"},
    };
    static const char data[12];
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        expect_refused(safetensors_of(wrong[i].header, data, sizeof data), wrong[i].message);
    struct image longer = safetensors_of("{}", "", 0);
    longer.bytes[0] = 3;
    expect_refused(longer, "made: expected a header of 3 bytes, found a file of 10");
}

TEST(arrays_are_found_by_name)
{
    for (int format = 1; format < GOOD_FORMATS; format++) {
        struct image image = good_arrays(format);
        struct array_file *file = must_open_image(&image);
        assert_int_equal(file->count, 2);
        assert_string_equal(file->array[0].name, "scores");
        const struct array *offsets = array_file_find(file, "offsets", &err);
        MUST(offsets);
        int64_t found[3];
        MUST(array_integers(offsets, 0, 3, found, &err));
        assert_true(found[0] == 0 && found[1] == 1 && found[2] == 2);
        assert_null(array_file_find(file, "missing", &err));
        assert_string_equal(err.message, "made: expected an array 'missing', found none of that name among 2");
        assert_null(array_file_find(file, NULL, &err));
        assert_string_equal(err.message, "made: expected one array, or the name of one, found 2 arrays");
        array_file_free(file);
    }
}

TEST(archives_that_are_wrong_are_refused)
{
    struct image one = npy_of("<f4", "(1,)", "\0\0\0\0", 4), text = {"text", 4};
    expect_refused(zip_of((const struct zipped[]){{"a.npy", &one}, {"a.npy", &one}}, 2),
                   "made: expected each name once, found 'a' twice");
    expect_refused(zip_of((const struct zipped[]){{"a.txt", &one}}, 1),
                   "made: expected entries whose names end in .npy, found 'a.txt'");
    expect_refused(zip_of((const struct zipped[]){{"a.npy", &text}}, 1),
                   "made: array 'a': expected a .npy file, found something else");
    struct image damaged = zip_of((const struct zipped[]){{"a.npy", &one, true}}, 1);
    damaged.bytes[30 + 5 + 5 + one.size - 1] = 1; /* the last byte of the deflated array */
    assert_false(opens(damaged.bytes, damaged.size));
    assert_non_null(strstr(err.message, "made: array 'a': expected a sound entry of a zip archive, found damage"));
    struct image shared = zip_of((const struct zipped[]){{"a.npy", &one}, {"a.npy", &one}}, 2);
    memset(shared.bytes + shared.size - 22 - 5 - 4, 0, 4); /* the second entry is where the first is */
    assert_false(opens(shared.bytes, shared.size));
    assert_non_null(strstr(err.message, "expected entries that do not overlap, found one at byte 0"));
    struct image empty = zip_of(NULL, 0);
    assert_true(opens(empty.bytes, empty.size));
}

TEST(files_cut_off_anywhere_are_refused)
{
    for (int format = 0; format < GOOD_FORMATS; format++) {
        struct image image = good_arrays(format);
        assert_true(opens(image.bytes, image.size));
        for (size_t size = 0; size < image.size; size++)
            assert_false(opens(image.bytes, size));
    }
}

TEST(damage_anywhere_is_refused_or_harmless)
{
    for (int format = 0; format < GOOD_FORMATS; format++) {
        struct image image = good_arrays(format);
        int opened = 0, refused = 0;
        for (size_t at = 0; at < image.size; at++) {
            for (int bit = 0; bit < 10; bit++) {
                unsigned char before = image.bytes[at];
                image.bytes[at] = bit < 8 ? before ^ (unsigned char)(1 << bit) : bit == 8 ? 0 : 255;
                *(opens(image.bytes, image.size) ? &opened : &refused) += 1;
                image.bytes[at] = before;
            }
        }
        assert_true(opened > 0 && refused > 0);
    }
}

TEST(other_types_are_listed_and_not_read)
{
    struct image image = npy_of("<U5", "(1,)", "abcdefghijklmnopqrst", 20);
    struct array_file *file = must_open_image(&image);
    float found[1];
    assert_string_equal(file->array->type.name, "<U5");
    assert_false(array_floats(file->array, 0, 1, found, &err));
    assert_non_null(strstr(err.message, "found type '<U5'"));
    array_file_free(file);
}

TEST_IN_FOLDER(files_are_mapped)
{
    struct image image = good_arrays(0);
    const char *path = folder_put_bytes("good.npy", image.bytes, image.size);
    struct array_file *file = array_file_open(path, &err);
    MUST(file);
    assert_true(file->map.size == image.size && file->array->shape[0] == 2);
    array_file_free(file);
    path = folder_file("missing.npy");
    assert_null(array_file_open(path, &err));
    assert_int_equal(err.status, VOUCH_ERR_IO);
    assert_non_null(strstr(err.message, "missing.npy: cannot open: "));
    assert_null(array_file_open(folder_path, &err));
    assert_int_equal(err.status, VOUCH_ERR_IO);
    assert_null(array_file_open(folder_put("empty.npy", ""), &err));
    assert_int_equal(err.status, VOUCH_ERR_FORMAT);
    assert_null(array_file_open("/dev/null", &err));
    assert_non_null(strstr(err.message, "expected a file, found a pipe or a device"));
}

/* Whether arrays of these names can be taken for sentences; the first value of each is its place in the file. */
static bool by_name(const char *const *name, size_t count, const float *expected)
{
    struct image image[4];
    struct zipped entry[4] = {{0}};
    for (size_t i = 0; i < count; i++) {
        image[i] = npy_of("<f4", "(1, 1)", &(float){(float)i}, sizeof(float));
        entry[i] = (struct zipped){name[i], &image[i], i % 2 == 1};
    }
    struct image zip = zip_of(entry, count);
    struct array_file *file = must_open_image(&zip);
    const struct array **each = array_file_sentences(file, &err);
    for (size_t i = 0; each && i < count; i++) {
        float value;
        MUST(array_floats(each[i], 0, 1, &value, &err));
        assert_true(value == expected[i]);
    }
    bool ok = each != NULL;
    free(each);
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
