/* Tests prose: arguments are as shells read them, always on one line; sentences end if there are any. */
#include "report/prose.h"

#include "test.h"

static void expect(const char *argument, const char *expected)
{
    struct prose prose = {0};
    prose_say_argument(&prose, argument);
    char *text = prose_take(&prose, NULL);
    assert_string_equal(text, expected);
    free(text);
}

TEST(plain_arguments_stay_plain)
{
    expect("vouch", "vouch");
    expect("../a-b_c+d=e,f:g@h%.txt", "../a-b_c+d=e,f:g@h%.txt");
}

TEST(what_a_shell_would_take_for_its_own_is_quoted)
{
    expect("", "''");
    expect("my corpus", "'my corpus'");
    expect("$HOME/*;`ls`\\n", "'$HOME/*;`ls`\\n'");
    expect("it's", "'it'\\''s'");
    expect("\xc3\xa9t\xc3\xa9", "'\xc3\xa9t\xc3\xa9'");
}

TEST(control_characters_are_written_out)
{
    expect("a\nb", "$'a\\012b'");
    expect("\t7\x7f", "$'\\0117\\177'");
    expect("it's\r\\n", "$'it\\'s\\015\\\\n'");
}

TEST(only_what_was_said_has_an_end)
{
    struct prose prose = {0};
    prose_end(&prose, ".");
    assert_int_equal(prose.length, 0);
    prose_say(&prose, "said");
    prose_end(&prose, ", 100 %.");
    assert_string_equal(prose.text, "said, 100 %.");
    prose_release(&prose);
}

TEST(numbers_have_their_thousands_set_apart)
{
    assert_string_equal(SHOWN(0), "0");
    assert_string_equal(SHOWN(999), "999");
    assert_string_equal(SHOWN(17635), "17,635");
    assert_string_equal(SHOWN(123456789), "123,456,789");
    assert_string_equal(prose_number(&(struct shown_number){""}, -1234.5, 2), "-1,234.50");
    assert_string_equal(prose_number(&(struct shown_number){""}, -123, 0), "-123");
}
