/* Tests views of a cell: prefixes, suffixes, case and shape, by Unicode code points. */
#include "task/view.h"

#include "test.h"

/* Returns what the view called `name` sees in `cell`: NULL for nothing, else a string until the next call. */
static const char *see(const char *name, const char *cell)
{
    static char seen_string[400];
    struct view view = {0};
    struct view_buffer buffer = {0};
    struct text seen = {0};
    struct vouch_error err = {0};
    size_t length = strlen(cell);
    char *copy = malloc(length + 1); /* without a terminator: reading past the end is an error */
    assert_non_null(copy);
    memcpy(copy, cell, length);
    copy = realloc(copy, length ? length : 1);
    assert_true(view_parse(text_of(name), &view));
    assert_true(view_apply(&view, (struct text){copy, (uint32_t)length}, &buffer, &seen, &err));
    assert_true(!buffer.bytes || seen.at != buffer.bytes || seen.length <= buffer.capacity);
    snprintf(seen_string, sizeof seen_string, "%.*s", (int)seen.length, seen.at ? seen.at : "");
    free(copy);
    free(buffer.bytes);
    return seen.at ? seen_string : NULL;
}

static void expect_seen(const char *name, const char *cell, const char *expected)
{
    const char *seen = see(name, cell);
    assert_non_null(seen);
    assert_string_equal(seen, expected);
}

static void expect_nothing(const char *name, const char *cell)
{
    assert_null(see(name, cell));
}

TEST(the_cell_itself)
{
    expect_seen("x", "Paris", "Paris");
    expect_seen("x", "\xE6\x9D\xB1\xE4\xBA\xAC", "\xE6\x9D\xB1\xE4\xBA\xAC");
    expect_seen("x", "", "");
}

TEST(prefixes_count_characters)
{
    expect_seen("prefix1", "Paris", "P");
    expect_seen("prefix3", "Paris", "Par");
    expect_seen("prefix4", "Paris", "Pari");
    expect_seen("prefix9", "abcdefghij", "abcdefghi");
    expect_seen("prefix1", "\xC3\xA9t\xC3\xA9", "\xC3\xA9");            /* été */
    expect_seen("prefix2", "\xC3\xA9t\xC3\xA9", "\xC3\xA9t");           /* été */
    expect_seen("prefix1", "\xE6\x9D\xB1\xE4\xBA\xAC", "\xE6\x9D\xB1"); /* 東京 */
    expect_seen("prefix2", "\xF0\x9F\x98\x80\xF0\x9F\x98\x81x", "\xF0\x9F\x98\x80\xF0\x9F\x98\x81");
}

TEST(suffixes_count_characters)
{
    expect_seen("suffix1", "Paris", "s");
    expect_seen("suffix3", "Paris", "ris");
    expect_seen("suffix4", "Paris", "aris");
    expect_seen("suffix9", "abcdefghij", "bcdefghij");
    expect_seen("suffix1", "\xC3\xA9t\xC3\xA9", "\xC3\xA9");
    expect_seen("suffix2", "\xC3\xA9t\xC3\xA9", "t\xC3\xA9");
    expect_seen("suffix1", "\xE6\x9D\xB1\xE4\xBA\xAC", "\xE4\xBA\xAC");
    expect_seen("suffix2", "x\xF0\x9F\x98\x80\xF0\x9F\x98\x81", "\xF0\x9F\x98\x80\xF0\x9F\x98\x81");
}

TEST(affixes_of_words_that_are_not_longer_are_nothing)
{
    expect_nothing("prefix5", "Paris");
    expect_nothing("suffix5", "Paris");
    expect_nothing("prefix9", "Paris");
    expect_nothing("suffix9", "Paris");
    expect_nothing("prefix1", "a");
    expect_nothing("suffix1", "a");
    expect_nothing("prefix1", "");
    expect_nothing("suffix1", "");
    expect_nothing("prefix3", "\xC3\xA9t\xC3\xA9"); /* five bytes, three characters */
    expect_nothing("suffix3", "\xC3\xA9t\xC3\xA9");
    expect_nothing("prefix1", "\xF0\x9F\x98\x80");
    expect_nothing("suffix1", "\xF0\x9F\x98\x80");
}

/* All lengths against all N: with a character of each width in turn. */
TEST(affixes_of_every_length_are_right)
{
    static const char *const characters[] = {"a", "\xC3\xA9", "\xE6\x9D\xB1", "\xF0\x9F\x98\x80"};
    for (uint32_t length = 0; length <= 12; length++) {
        char cell[60] = "";
        size_t at[13] = {0};
        for (uint32_t i = 0; i < length; i++) {
            strcat(cell, characters[i % 4]);
            at[i + 1] = strlen(cell);
        }
        for (uint32_t n = 1; n <= 9; n++) {
            char name[16], expected[60];
            snprintf(name, sizeof name, "prefix%u", n);
            snprintf(expected, sizeof expected, "%.*s", length > n ? (int)at[n] : 0, cell);
            if (length > n)
                expect_seen(name, cell, expected);
            else
                expect_nothing(name, cell);
            snprintf(name, sizeof name, "suffix%u", n);
            if (length > n)
                expect_seen(name, cell, cell + at[length - n]);
            else
                expect_nothing(name, cell);
        }
    }
}

/* e and a combining acute accent: two code points. */
TEST(combining_marks_are_characters)
{
    expect_nothing("prefix2", "e\xCC\x81");
    expect_seen("prefix1", "e\xCC\x81", "e");
    expect_seen("suffix1", "e\xCC\x81", "\xCC\x81");
    expect_seen("suffix2", "ne\xCC\x81", "e\xCC\x81");
    expect_seen("lower", "E\xCC\x81", "e\xCC\x81");
}

TEST(combining_marks_have_a_class_of_their_own)
{
    expect_seen("shape",
                "Ne\xCC\x81"
                "e",
                "Xxcx");
    expect_seen("brief",
                "Nee\xCC\x81"
                "ee",
                "Xxcx");
}

TEST(lower_case)
{
    expect_seen("lower", "PaRIS-24", "paris-24");
    expect_seen("lower", "paris", "paris");
    expect_seen("lower",
                "\xC3\x89"
                "COLE",
                "\xC3\xA9"
                "cole");                                                          /* École */
    expect_seen("lower", "\xCE\x91\xCE\x98\xCE\x89", "\xCE\xB1\xCE\xB8\xCE\xAE"); /* Greek */
    expect_seen("lower", "\xD0\x9C\xD0\x98\xD0\xA0", "\xD0\xBC\xD0\xB8\xD1\x80"); /* Cyrillic */
    expect_seen("lower", "\xE6\x9D\xB1", "\xE6\x9D\xB1");
    expect_seen("lower", "\xF0\x90\x90\x80", "\xF0\x90\x90\xA8"); /* Deseret, four bytes */
    expect_seen("lower", "", "");
}

/* Ⱥ is two bytes, ⱥ three; the Kelvin sign is three bytes, k one. */
TEST(lower_case_may_take_more_bytes_or_fewer)
{
    char upper[2 * 100 + 1] = "", lower[3 * 100 + 1] = "";
    for (int i = 0; i < 100; i++) {
        strcat(upper, "\xC8\xBA");
        strcat(lower, "\xE2\xB1\xA5");
    }
    expect_seen("lower", upper, lower);
    expect_seen("lower", "\xE2\x84\xAA\xE2\x84\xAAX", "kkx");
    expect_seen("X", "\xC3\x89xITO-Z", "\xC3\x89xito-z"); /* no letter beyond Z changes */
}

TEST(shapes)
{
    expect_seen("shape", "Paris", "Xxxxx");
    expect_seen("shape", "12.50", "dd.dd");
    expect_seen("shape", "U.S.A.", "X.X.X.");
    expect_seen("shape", "McDonald's-2", "XxXxxxxx'x-d");
    expect_seen("shape",
                "\xC3\x89"
                "cole",
                "Xxxxx");
    expect_seen("shape", "\xC3\x9Fx", "xx");
    expect_seen("shape", "\xE6\x9D\xB1\xE4\xBA\xAC", "cc"); /* 東京 */
    expect_seen("shape", "\xD7\xA9\xD7\x9C", "cc");         /* Hebrew */
    expect_seen("shape", "\xD9\xA3\xD9\xA4", "dd");         /* Arabic-Indic 34 */
    expect_seen("shape", "5\xE2\x82\xAC", "d\xE2\x82\xAC"); /* 5€ */
    expect_seen("shape", "\xE2\x80\x94\xF0\x9F\x98\x80", "\xE2\x80\x94\xF0\x9F\x98\x80");
    expect_seen("shape", "-", "-");
    expect_seen("shape", "", "");
}

TEST(brief_shapes)
{
    expect_seen("brief", "Paris", "Xx");
    expect_seen("brief", "12.50", "d.d");
    expect_seen("brief", "U.S.A.", "X.X.X.");
    expect_seen("brief", "McDonald's", "XxXx'x");
    expect_seen("brief", "...", ".");
    expect_seen("brief", "--..", "-.");
    expect_seen("brief", "\xE6\x9D\xB1\xE4\xBA\xAC\x41\x42", "cX");
    expect_seen("brief", "\xE2\x80\x94\xE2\x80\x94\xE2\x80\x93",
                "\xE2\x80\x94\xE2\x80\x93"); /* two dashes and another */
    expect_seen("brief", "\xF0\x9F\x98\x80\xF0\x9F\x98\x80\xF0\x9F\x98\x81", "\xF0\x9F\x98\x80\xF0\x9F\x98\x81");
    expect_seen("brief", "aAaA", "xXxX");
    expect_seen("brief", "", "");
}

TEST(the_buffer_is_used_again)
{
    struct view_buffer buffer = {0};
    struct vouch_error err = {0};
    struct view lower = {.kind = VIEW_LOWER};
    struct text seen;
    char cell[2001];
    for (uint32_t length = 2000; length > 0; length = length * 2 / 3) {
        memset(cell, 'Q', length);
        assert_true(view_apply(&lower, (struct text){cell, length}, &buffer, &seen, &err));
        assert_int_equal(seen.length, length);
        for (uint32_t i = 0; i < length; i++)
            assert_int_equal(seen.at[i], 'q');
    }
    for (uint32_t length = 1; length <= 2000; length = length * 3 / 2 + 1) {
        memset(cell, 'R', length);
        assert_true(view_apply(&lower, (struct text){cell, length}, &buffer, &seen, &err));
        assert_int_equal(seen.length, length);
        assert_int_equal(seen.at[length - 1], 'r');
    }
    free(buffer.bytes);
}

TEST(names_are_read)
{
    static const struct {
        const char *name;
        enum view_kind kind;
        uint32_t length;
    } views[] = {{"x", VIEW_CELL, 0},         {"lower", VIEW_LOWER, 0},    {"shape", VIEW_SHAPE, 0},
                 {"brief", VIEW_BRIEF, 0},    {"prefix1", VIEW_PREFIX, 1}, {"prefix9", VIEW_PREFIX, 9},
                 {"suffix1", VIEW_SUFFIX, 1}, {"suffix4", VIEW_SUFFIX, 4}, {"suffix9", VIEW_SUFFIX, 9}};
    for (size_t i = 0; i < sizeof views / sizeof *views; i++) {
        struct view view = {0};
        assert_true(view_parse(text_of(views[i].name), &view));
        assert_int_equal(view.kind, views[i].kind);
        if (views[i].length)
            assert_int_equal(view.length, views[i].length);
    }
}

TEST(other_names_are_refused)
{
    static const char *const names[] = {
        "",         "Y",       "y",        "xx",       "x1",       "lowe",     "lower1",        "Lower",
        "prefix",   "prefix0", "prefix10", "prefix1x", "prefix-1", "prefix 1", "suffix",        "suffix0",
        "suffix12", "suffixx", "shape2",   "briefs",   "Suffix3",  "prefix:",  "suffix\xD9\xA3"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct view view = {0};
        assert_false(view_parse(text_of(names[i]), &view));
    }
    struct view view = {0};
    assert_true(view_parse((struct text){"prefix3[0,0]", 7}, &view));
    assert_false(view_parse((struct text){"prefix3", 6}, &view));
    assert_false(view_parse((struct text){"x", 0}, &view));
}
