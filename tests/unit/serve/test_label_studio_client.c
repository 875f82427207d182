/* Tests which addresses and tokens are taken; tests/label_studio/replay fetches. */
#include "serve/label_studio_client.h"

#include "must.h"
#include "test.h"

TEST(addresses_are_of_the_web_and_need_no_quotes)
{
    static const char *const good[] = {"http://localhost:8080", "https://ls.example.org/", "http://[::1]:8080/a/b",
                                       "http://127.0.0.1", "https://a_b.example/~ls/x%20y"};
    static const char *const bad[] = {"",
                                      "localhost:8080",
                                      "ftp://example.org",
                                      "file:///etc/passwd",
                                      "http://",
                                      "http:///x",
                                      "http://user@example.org",
                                      "http://example.org/?a=b",
                                      "http://example.org/#a",
                                      "http://example.org\"\nurl = \"http://other",
                                      "http://exa mple.org",
                                      "http://example.org/\\x",
                                      "HTTP://example.org"};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        MUST(label_studio_address(good[i], &err));
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (label_studio_address(bad[i], &err))
            fail_msg("expected '%s' to be refused", bad[i]);
}

TEST(tokens_have_no_white_space)
{
    assert_true(token_is_plain("0123456789abcdef"));
    assert_true(token_is_plain("a.b\"\\c"));
    assert_false(token_is_plain(""));
    assert_false(token_is_plain("a b"));
    assert_false(token_is_plain("a\r\nX-Other: 1"));
    assert_false(token_is_plain("\xC3\xAB"));
}
