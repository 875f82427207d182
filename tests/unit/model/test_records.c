/* Strings in records: bytes that are not UTF-8, and files that have no name. */
#include "test.h"

#include "model/records.h"

static void check_text(const char *given, const char *expected)
{
    json_t *text = header_text(given);
    assert_non_null(text);
    assert_string_equal(json_string_value(text), expected);
    json_decref(text);
}

TEST(a_byte_that_is_not_utf8_becomes_a_question_mark)
{
    check_text("a\xff.txt", "a?.txt");
    check_text("", "");
}

TEST(a_file_that_is_only_open_is_memory)
{
    check_text("/proc/self/fd/100", "(memory)");
    check_text("vouch train --dev /proc/self/fd/7 /proc/self/fd/12345 a", "vouch train --dev (memory) (memory) a");
    check_text("/proc/self/fd/x /proc/self/fd", "(memory)x /proc/self/fd");
}
