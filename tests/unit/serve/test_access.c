#include "test.h"

#include "serve/access.h"

static struct access *open_access(struct serve_options *options)
{
    struct vouch_error err = {0};
    unsetenv("VOUCH_TOKEN");
    struct access *access = access_new(options, 8460, &err);
    assert_string_equal(err.message, "");
    return access;
}

TEST(hosts_are_known_exactly)
{
    struct serve_options options = {.host = "::1",
                                    .allowed_hosts = {.item = {"a.example", "b.example:7", "[::2]"}, .count = 3}};
    struct access *access = open_access(&options);
    static const char *const known[] = {"localhost:8460", "LocalHost:8460", "127.0.0.1:8460", "[::1]:8460", "a.example",
                                        "a.example:1",    "b.example:7",    "[::2]",          "[::2]:5"};
    static const char *const unknown[] = {"",           "localhost",   "localhost:84600", "localhost:846",
                                          "a.example:", "a.example:x", "a.example:1x",    "xa.example",
                                          "b.example",  "[::2]x",      "b.example:77",    "a.example:1:2",
                                          "[::2",       "a.example."};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (!access_knows_host(access, known[i]))
            fail_msg("%s is not known", known[i]);
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++)
        if (access_knows_host(access, unknown[i]))
            fail_msg("%s is known", unknown[i]);
    assert_false(access_knows_host(access, NULL));
    access_free(access);
}

TEST(secrets_are_equal_as_strings_are)
{
    static const char *const secret[] = {"", "a", "aa", "ab", "aaa", "aaaa", "abab", "ababab", "b"};
    for (size_t i = 0; i < sizeof secret / sizeof *secret; i++)
        for (size_t j = 0; j < sizeof secret / sizeof *secret; j++)
            assert_int_equal(secrets_equal(secret[i], secret[j]), i == j);
}

TEST(a_token_is_one_persons)
{
    struct serve_options options = {.tokens = {.item = {"ada:12345678", "grace:123456789", "abcdefgh"}, .count = 3}};
    struct access *access = open_access(&options);
    const char *who = "";
    assert_true(access_needs_token(access));
    assert_false(access_admits(access, NULL, NULL, &who));
    assert_false(access_admits(access, "Bearer 1234567", NULL, &who));
    assert_true(access_admits(access, "Bearer 12345678", NULL, &who));
    assert_string_equal(who, "ada");
    assert_true(access_admits(access, "bearer 123456789", NULL, &who));
    assert_string_equal(who, "grace");
    assert_true(access_admits(access, "Token abcdefgh", NULL, &who));
    assert_null(who);
    assert_true(access_admits(access, "Basic eDoxMjM0NTY3OA==", NULL, &who)); /* x:12345678 */
    assert_string_equal(who, "ada");
    assert_false(access_admits(access, "Basic eA==", NULL, &who));
    assert_false(access_admits(access, "Basic *", NULL, &who));
    access_free(access);
}

TEST(sessions_make_room_for_newer_ones_and_a_ticket_is_used_once)
{
    struct serve_options options = {.tokens = {.item = {"ada:12345678"}, .count = 1}};
    struct access *access = open_access(&options);
    char first[SESSION_LENGTH + 1], last[SESSION_LENGTH + 1], ticket[SESSION_LENGTH + 1], cookie[100];
    const char *who = NULL;
    struct vouch_error err = {0};
    assert_false(access_open_session(access, "wrong", first, &who, &err));
    assert_true(access_open_session(access, "12345678", first, &who, &err));
    assert_string_equal(who, "ada");
    snprintf(cookie, sizeof cookie, "x=y; vouch=%s", first);
    assert_true(access_admits(access, NULL, cookie, &who));
    for (int i = 0; i < 256; i++)
        assert_true(access_open_session(access, "12345678", last, &who, &err));
    assert_false(access_admits(access, NULL, cookie, &who));
    snprintf(cookie, sizeof cookie, "vouch=%s", last);
    assert_true(access_admits(access, NULL, cookie, &who));
    assert_false(access_open_session(access, "", first, &who, &err));
    assert_true(access_make_ticket(access, ticket, &err));
    assert_true(access_open_session(access, ticket, first, &who, &err));
    assert_false(access_open_session(access, ticket, first, &who, &err));
    access_free(access);
}

TEST(tokens_of_the_environment_count_and_short_ones_are_refused)
{
    struct serve_options options = {0};
    struct vouch_error err = {0};
    const char *who;
    setenv("VOUCH_TOKEN", "ada:12345678\n\tabcdefgh ", 1);
    struct access *access = access_new(&options, 1, &err);
    assert_non_null(access);
    assert_true(access_admits(access, "Bearer abcdefgh", NULL, &who));
    assert_true(access_admits(access, "Bearer 12345678", NULL, &who));
    access_free(access);
    setenv("VOUCH_TOKEN", "ada:1234567", 1);
    assert_null(access_new(&options, 1, &err));
    assert_non_null(strstr(err.message, "at least 8 characters"));
    unsetenv("VOUCH_TOKEN");
}
