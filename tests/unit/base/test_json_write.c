/* Tests that what is written reads as the same value, with numbers as short as they can be. */
#include "base/json_write.h"

#include "must.h"
#include "test.h"

static void assert_written(const char *json, const char *expected, bool spaced)
{
    json_t *value = json_loads(json, JSON_DECODE_ANY, NULL);
    struct output *out = output_open_memory(&err);
    size_t length;
    MUST(value && out);
    write_json_value(out, value, spaced);
    const char *text = output_text(out, &length);
    char *copy = strndup(text, length);
    json_t *again = json_loads(copy, JSON_DECODE_ANY, NULL);
    assert_true(json_equal(value, again));
    assert_string_equal(copy, expected);
    free(copy);
    json_decref(again);
    json_decref(value);
    output_discard(out);
}

TEST(numbers_have_as_few_digits_as_say_the_same)
{
    assert_written("0.9", "0.9", false);
    assert_written("0.90000000000000002", "0.9", false);
    assert_written("0.1234567890123456789", "0.12345678901234568", false);
    assert_written("3.0", "3.0", false);
    assert_written("3", "3", false);
    assert_written("1e300", "1e+300", false);
    assert_written("-0.0", "-0.0", false);
}

TEST(values_are_written_with_blanks_or_without)
{
    assert_written("{\"a\": [1, 0.5, null], \"b\": {}}", "{\"a\":[1,0.5,null],\"b\":{}}", false);
    assert_written("{\"a\": [true, false], \"b\": []}", "{\"a\": [true, false], \"b\": []}", true);
}

TEST(strings_are_escaped)
{
    assert_written("\"a\\\"b\\\\c\\n\\t\\r\\b\\f\\u0001é/\"", "\"a\\\"b\\\\c\\n\\t\\r\\b\\f\\u0001é/\"", false);
}
