/*
 * Tests the reader of JSON against Jansson's, on texts that are right and on thousands of mutations of them: the same
 * are accepted, with the same values, and errors have the same text, code and place.
 */
#include "base/json_read.h"

#include "base/random.h"

#include "test.h"

static const char *const whole[] = {
    "{}",
    "[]",
    " [ ] \r\n\t",
    "[1, -1, 0, -0, 9223372036854775807, -9223372036854775808, 12345678901234567]",
    "[9223372036854775808]",
    "[-9223372036854775809]",
    "[1.5, -0.0, 1e5, 1E-7, 2.5e+300, 5e-324, 1e-400, 0.1, 123456789.123456789, 1.7976931348623157e308]",
    "[0.1000000000000000055511151231257827021181583404541015625, 1e999999999999999999999, 12345678901234567890123.5]",
    "[100000000000000000000000000000000000000e-20, 0.000000000000000000000000000000000000012345, 2e00000000000000000]",
    "{\"a\": [true, false, null], \"b\": {\"c\": \"d\"}, \"a\": 2}",
    "{\"longer than sixteen bytes\": \"and so is this one, for which a buffer has to grow\"}",
    "{\"\\u0041\\u00e9\\u20ac\\ud83d\\ude00\": \"\\\"\\\\\\/\\b\\f\\n\\r\\t\"}",
    "{\"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\": 1}",
    "[\"\\ud800\", 1]",
    "[\"\\ud800\\u0041\"]",
    "[\"\\udc00\"]",
    "[\"a\\u0000b\"]",
    "{\"a\\u0000b\": 1}",
    "[\"\\x\", \"\\u12g4\"]",
    "[\"line\nbreak\"]",
    "[\"\x01\"]",
    "[tru, nullx, fals]",
    "[01, -, 1., 1e, 1e+, .5, +1]",
    "[1 2]",
    "{\"a\" 1}",
    "{1: 2}",
    "{\"a\": }",
    "[1,]",
    "[,1]",
    "{\"a\": 1,}",
    "[[[[[[[[[[{\"deep\": [[[[1]]]]}]]]]]]]]]]",
    "[]]",
    "[] x",
    "\"text\"",
    "17",
    "",
    "\xc3\xa9",
    "[\"\xc3\", \"\xed\xa0\x80\", \"\xf4\x90\x80\x80\", \"\xc0\x80\"]",
    "[1\xff]",
    "[\xe2\x82\xac]",
    "{\n  \"tokens\": [[\"Ada\", \"NNP\"],\n [\"left\", \"VBD\"]],\n  \"id\": \"\xf0\x9f\x98\x80\"\n}\n",
};
enum { COUNT = sizeof whole / sizeof *whole };
static const size_t flags[] = {0, JSON_REJECT_DUPLICATES, JSON_DISABLE_EOF_CHECK, JSON_DECODE_ANY};

/* Whether two values are the same, to the last bit of a number and in the order of keys. */
static bool same_value(const json_t *a, const json_t *b)
{
    char *left = json_dumps(a, JSON_ENCODE_ANY | JSON_REAL_PRECISION(17));
    char *right = json_dumps(b, JSON_ENCODE_ANY | JSON_REAL_PRECISION(17));
    bool same = left && right && strcmp(left, right) == 0;
    free(left);
    free(right);
    return same;
}

/* Reads it from memory of just that length, so that sanitizers see what is read beyond it. */
static void compare(const char *text, size_t length)
{
    char *exact = malloc(length ? length : 1);
    memcpy(exact, text, length);
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
        json_error_t theirs, ours;
        json_t *expected = json_loadb(text, length, flags[i], &theirs);
        json_t *found = json_read(exact, length, flags[i], &ours);
        bool same = expected ? found && same_value(expected, found) && ours.position == theirs.position
                             : !found && strcmp(ours.text, theirs.text) == 0 && ours.line == theirs.line &&
                                   ours.column == theirs.column && ours.position == theirs.position &&
                                   json_error_code(&ours) == json_error_code(&theirs);
        if (!same)
            fail_msg("flags %zu, '%.*s': expected %s at %d:%d (%d), found %s at %d:%d (%d)", flags[i], (int)length,
                     text, expected ? "a value" : theirs.text, theirs.line, theirs.column, theirs.position,
                     found ? "a value" : ours.text, ours.line, ours.column, ours.position);
        json_decref(expected);
        json_decref(found);
    }
    free(exact);
}

TEST(whole_texts)
{
    for (size_t i = 0; i < COUNT; i++)
        compare(whole[i], strlen(whole[i]));
}

TEST(texts_that_are_cut_off)
{
    for (size_t i = 0; i < COUNT; i++)
        for (size_t length = 0; length < strlen(whole[i]); length++)
            compare(whole[i], length);
}

TEST(mutated_texts)
{
    static const char bytes[] = "{}[]:,\"\\/ \n\tu0123456789abcdefEtrulsn+-.xX\x7f\x80\xbf\xc3\xa9\xe2\xf0\xff\x01";
    struct rng rng = rng_new(1, 1);
    for (int n = 0; n < fewer(60000); n++) {
        char text[300];
        const char *from = whole[rng_below(&rng, COUNT)];
        size_t length = strlen(from);
        memcpy(text, from, length);
        for (uint64_t i = rng_below(&rng, 3); i < 3 && length > 0; i++) {
            size_t at = rng_below(&rng, length);
            char byte = bytes[rng_below(&rng, sizeof bytes - 1)];
            uint64_t kind = rng_below(&rng, 3);
            if (kind == 0)
                text[at] = byte;
            else if (kind == 1)
                memmove(text + at, text + at + 1, --length - at);
            else {
                memmove(text + at + 1, text + at, length++ - at);
                text[at] = byte;
            }
        }
        compare(text, length);
    }
}

TEST(deep_texts)
{
    for (size_t depth = 2046; depth <= 2050; depth++) {
        char text[2 * 2050];
        memset(text, '[', depth);
        memset(text + depth, ']', depth);
        compare(text, 2 * depth);
        compare(text, depth);
    }
}

/* Jansson loses a zero byte behind a number; here it is refused wherever it stands. */
TEST(zero_bytes)
{
    static const char text[] = "[1,\"a\",true]";
    for (size_t at = 0; at < sizeof text; at++) {
        char with[sizeof text];
        memcpy(with, text, at);
        with[at] = '\0';
        memcpy(with + at + 1, text + at, sizeof text - 1 - at);
        json_error_t error;
        assert_null(json_read(with, sizeof text, 0, &error));
        assert_true(error.text[0] && !json_lacked_memory(&error));
    }
}

TEST(files_and_strings)
{
    json_error_t error;
    assert_null(json_read_file("/nowhere/at/all", 0, &error));
    assert_int_equal(json_error_code(&error), json_error_cannot_open_file);
    assert_null(json_read_file("/", 0, NULL));
    assert_null(json_read(NULL, 0, 0, NULL));
    json_t *value = json_read_string("[1]", 0, NULL);
    assert_int_equal(json_array_size(value), 1);
    json_decref(value);
}
