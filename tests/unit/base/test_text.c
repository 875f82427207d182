/* Tests text: comparing views of bytes, and telling well-formed UTF-8 from the rest. */
#include "base/buffer.h"
#include "base/text.h"

#include "test.h"

/* Checks a copy that ends where its memory ends, so that a sanitizer sees any read beyond it. */
static size_t check_copy(const void *bytes, size_t length)
{
    char *copy = malloc(length ? length : 1);
    assert_non_null(copy);
    if (length)
        memcpy(copy, bytes, length);
    size_t found = utf8_check(copy, length);
    free(copy);
    return found;
}

static void expect_valid(const char *bytes)
{
    assert_int_equal(check_copy(bytes, strlen(bytes)), strlen(bytes));
}

static void expect_bad_at(size_t offset, const char *bytes)
{
    assert_int_equal(check_copy(bytes, strlen(bytes)), offset);
}

TEST(well_formed_text_passes)
{
    expect_valid("");
    expect_valid("plain ASCII ~\x7F");
    expect_valid("\xC2\x80");         /* U+0080, the first of two bytes */
    expect_valid("\xDF\xBF");         /* U+07FF, the last of two bytes */
    expect_valid("\xE0\xA0\x80");     /* U+0800, the first of three bytes */
    expect_valid("\xED\x9F\xBF");     /* U+D7FF, the last before the surrogates */
    expect_valid("\xEE\x80\x80");     /* U+E000, the first after them */
    expect_valid("\xEF\xBF\xBD");     /* U+FFFD */
    expect_valid("\xEF\xBF\xBF");     /* U+FFFF: no character, but well formed */
    expect_valid("\xF0\x90\x80\x80"); /* U+10000, the first of four bytes */
    expect_valid("\xF4\x8F\xBF\xBF"); /* U+10FFFF, the last of all */
    expect_valid("na\xC3\xAFve \xE2\x82\xAC \xF0\x9F\x98\x80 end");
}

TEST(a_zero_byte_is_well_formed)
{
    assert_int_equal(check_copy("a\0b", 3), 3);
}

TEST(ill_formed_text_is_found_where_it_starts)
{
    expect_bad_at(0, "\x80");             /* a continuation without a lead */
    expect_bad_at(0, "\xBF");             /* another */
    expect_bad_at(2, "\xC3\xA9\xA9");     /* one continuation too many */
    expect_bad_at(0, "\xC0\x80");         /* overlong U+0000 */
    expect_bad_at(0, "\xC1\xBF");         /* overlong U+007F */
    expect_bad_at(0, "\xE0\x80\x80");     /* overlong in three bytes */
    expect_bad_at(0, "\xE0\x9F\xBF");     /* overlong U+07FF */
    expect_bad_at(0, "\xF0\x80\x80\x80"); /* overlong in four bytes */
    expect_bad_at(0, "\xF0\x8F\xBF\xBF"); /* overlong U+FFFF */
    expect_bad_at(0, "\xED\xA0\x80");     /* the first surrogate */
    expect_bad_at(0, "\xED\xBF\xBF");     /* the last surrogate */
    expect_bad_at(0, "\xF4\x90\x80\x80"); /* U+110000 */
    expect_bad_at(0, "\xF5\x80\x80\x80");
    expect_bad_at(0, "\xF8\x88\x80\x80\x80");
    expect_bad_at(0, "\xFE");
    expect_bad_at(0, "\xFF");
    expect_bad_at(1, "a\xFFz");
    expect_bad_at(0, "\xC3(");
    expect_bad_at(0, "\xE2\x82(");
    expect_bad_at(0, "\xE2(\xAC");
    expect_bad_at(0, "\xF0\x9F\x98(");
    expect_bad_at(3, "abc\xF0\x9F(\x80");
    expect_bad_at(5, "\xE2\x82\xAC\xC3\xA9\xC3");
}

TEST(text_cut_within_a_character_is_ill_formed)
{
    expect_bad_at(1, "a\xC3");
    expect_bad_at(1, "a\xE2");
    expect_bad_at(1, "a\xE2\x82");
    expect_bad_at(1, "a\xF0");
    expect_bad_at(1, "a\xF0\x9F");
    expect_bad_at(1, "a\xF0\x9F\x98");
}

static unsigned encode(uint32_t code, unsigned char *out)
{
    if (code < 0x80) {
        out[0] = (unsigned char)code;
        return 1;
    }
    unsigned count = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    for (unsigned i = count - 1; i > 0; i--, code >>= 6)
        out[i] = (unsigned char)(0x80 | (code & 0x3F));
    static const unsigned char lead[] = {0, 0, 0xC0, 0xE0, 0xF0};
    out[0] = (unsigned char)(lead[count] | code);
    return count;
}

TEST(every_code_point_but_the_surrogates_is_well_formed)
{
    for (uint32_t code = 0; code < 0x200000; code++) {
        unsigned char bytes[4];
        unsigned count = encode(code, bytes);
        bool good = code <= 0x10FFFF && (code < 0xD800 || code > 0xDFFF);
        assert_int_equal(utf8_check((const char *)bytes, count), good ? count : 0);
        if (good)
            assert_int_equal(utf8_width((char)bytes[0]), count);
    }
}

/* All strings of three bytes that begin with a lead byte, against the table of the Unicode standard (3-7). */
TEST(every_string_of_three_bytes_is_judged_right)
{
    for (unsigned code = 0xC00000; code <= 0xFFFFFF; code++) {
        unsigned char b[3] = {(unsigned char)(code >> 16), (unsigned char)(code >> 8), (unsigned char)code};
        bool second = b[1] >= (b[0] == 0xE0 ? 0xA0 : 0x80) && b[1] <= (b[0] == 0xED ? 0x9F : 0xBF);
        bool two = b[0] >= 0xC2 && b[0] <= 0xDF && b[1] >= 0x80 && b[1] <= 0xBF;
        bool three = b[0] >= 0xE0 && b[0] <= 0xEF && second && b[2] >= 0x80 && b[2] <= 0xBF;
        size_t expected = three || (two && b[2] < 0x80) ? 3 : two ? 2 : 0;
        assert_int_equal(utf8_check((const char *)b, 3), expected);
    }
}

TEST(long_text_is_checked_to_its_end)
{
    enum { LENGTH = 3000 };
    static char bytes[LENGTH];
    memset(bytes, 'a', LENGTH);
    assert_int_equal(utf8_check(bytes, LENGTH), LENGTH);
    for (size_t at = 0; at < LENGTH; at += 7) {
        bytes[at] = '\xFF';
        assert_int_equal(utf8_check(bytes, LENGTH), at);
        assert_int_equal(utf8_check(bytes, at), at);
        bytes[at] = 'a';
    }
}

TEST(views_compare_by_length_and_bytes)
{
    assert_true(text_equal(text_of("abc"), (struct text){"abcd", 3}));
    assert_false(text_equal(text_of("abc"), text_of("abcd")));
    assert_false(text_equal(text_of("abc"), text_of("abd")));
    assert_false(text_equal((struct text){"a\0b", 3}, (struct text){"a\0c", 3}));
    assert_true(text_is((struct text){"B-PER", 1}, "B"));
    assert_false(text_is(text_of("B"), ""));
    assert_true(text_is(text_of(""), ""));
    assert_true(text_starts(text_of("B-PER"), "B-"));
    assert_true(text_starts(text_of("B-PER"), ""));
    assert_false(text_starts((struct text){"B-PER", 1}, "B-"));
    assert_false(text_starts(text_of("xB-"), "B-"));
}

TEST(beginnings_end_with_a_character)
{
    struct text text = text_of("ab\xC3\xA9\xE2\x82\xAC!");
    static const int expected[] = {0, 1, 2, 2, 4, 4, 4, 7, 8, 8};
    for (uint32_t most = 0; most < 10; most++)
        assert_int_equal(text_beginning(text, most), expected[most]);
    assert_int_equal(excerpt(text), 8);
    assert_int_equal(text_beginning(text_of("\x80\x80\x80"), 2), 0);
}

static void expect_shown(const char *expected, struct text rest)
{
    char shown[256];
    size_t length = 0;
    while (rest.length > 0) {
        struct text next = text_visible(&rest);
        memcpy(shown + length, next.at, next.length);
        length += next.length;
    }
    shown[length] = '\0';
    assert_string_equal(shown, expected);
}

#define LOST "\xEF\xBF\xBD"

TEST(what_steers_a_terminal_is_not_shown)
{
    expect_shown("a\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80", text_of("a\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80"));
    expect_shown(LOST "[31m" LOST LOST LOST, text_of("\033[31m\x7F\n\t"));
    expect_shown(LOST, (struct text){"", 1});
    expect_shown(LOST "\xC2\xA0", text_of("\xC2\x9B\xC2\xA0")); /* CSI of C1; a blank stays */
    expect_shown("a" LOST "b" LOST, text_of("a\xE2\x80\xAE"
                                            "b\xE2\x81\xA9")); /* directions of writing */
    expect_shown(LOST LOST "a" LOST, text_of("\xFF\xC3"
                                             "a\xE2")); /* no UTF-8 */
}

/* Printed and added in turn, a byte at a time past every boundary of its memory, it is what was said and terminated. */
TEST(a_text_grows_and_stays_terminated)
{
    enum { MANY = 3000 };
    static char expected[MANY * 8];
    struct buffer buffer = {0};
    struct vouch_error err = {0};
    size_t length = 0;
    assert_string_equal(buffer_text(&buffer).at, "");
    for (int i = 0; i < MANY; i++) {
        if (i % 3 == 0)
            length += (size_t)sprintf(expected + length, "%d", i);
        else if (i % 3 == 1)
            length += (size_t)sprintf(expected + length, "x");
        assert_true(i % 3 == 0   ? buffer_print(&buffer, &err, "%d", i)
                    : i % 3 == 1 ? buffer_put(&buffer, 'x', &err)
                                 : buffer_add(&buffer, text_of(""), &err));
        assert_int_equal(buffer.length, length);
        assert_string_equal(buffer.bytes, expected);
    }
    buffer.length = 0;
    assert_true(buffer_print(&buffer, &err, "%s-%.2f", "again", 0.5));
    assert_string_equal(buffer.bytes, "again-0.50");
    free(buffer.bytes);
}

static void print_line(struct printed *line, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    printed_make(line, format, args);
    va_end(args);
}

TEST(a_line_may_be_longer_than_its_room)
{
    struct printed line;
    for (int length = 1; length < 3000; length += 1022 / 2) {
        print_line(&line, "%0*d", length, 7);
        assert_int_equal(line.length, length);
        assert_int_equal(strlen(line.at), length);
        assert_int_equal(line.at[length - 1], '7');
        printed_release(&line);
    }
}

static void expect_number(const char *text, double expected)
{
    double number = -1;
    assert_true(parse_real(text_of(text), &number));
    assert_memory_equal(&number, &expected, sizeof number);
}

/* Constants of C are the nearest doubles, too. */
TEST(numbers_are_the_nearest_doubles)
{
    expect_number("0.1", 0.1);
    expect_number("-12.5e3", -12500);
    expect_number("0.1234567890123456", 0.1234567890123456);
    expect_number("-7.0374921875012345e-09", -7.0374921875012345e-09);
    expect_number("9007199254740993", 9007199254740993.0);
    expect_number("1.7976931348623157e308", 1.7976931348623157e308);
    expect_number("4.9e-324", 4.9e-324);
    expect_number("1e999", (double)INFINITY);
    expect_number("0e999", 0);
    expect_number("0x1.8p+3", 12);
    expect_number("-0X.8P-1", -0.25);
    expect_number("0x1.f9add3739635fp-4", 0x1.f9add3739635fp-4);
    expect_number("0xffffffffffffffff0p-4", 0xffffffffffffffffp0);
    expect_number("0x1p-1074", 0x1p-1074);
    expect_number("0x1p99999999999", (double)INFINITY);
    static const char *const none[] = {"",   "-",  ".",  "1,5", "0x",  "0x.", "0x1p",
                                       "1e", "1 ", " 1", "inf", "nan", "0x1g"};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        double number;
        assert_false(parse_real(text_of(none[i]), &number));
    }
}

TEST(numbers_are_spelled_in_as_few_digits_as_are_read_back)
{
    static const struct {
        double number;
        const char *text;
    } known[] = {{0.3, "0.3"},   {0.1 + 0.2, "0.30000000000000004"}, {1e6, "1e+06"}, {1234567, "1234567"},
                 {-2.5, "-2.5"}, {1.0 / 3, "0.3333333333333333"},    {0, "0"},       {(double)INFINITY, "inf"}};
    char text[NUMBER_ROOM];
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        spell_number(known[i].number, text);
        assert_string_equal(text, known[i].text);
    }
    for (double number = 4.9e-324; number < 1e308; number *= 1234.5678) {
        double back = 0;
        spell_number(-number, text);
        assert_true(parse_number(text_of(text), &back) && back == -number);
    }
}
