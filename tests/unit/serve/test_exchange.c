#include "test.h"

#include "bare_server.h"

static void expect_status(struct bare_server *b, const char *method, const char *path, unsigned status)
{
    unsigned found = bare_ask(b, method, path, "", NULL);
    if (found != status)
        fail_msg("%s %s: expected %u, found %u", method, path, status, found);
}

TEST(percent_signs_are_decoded_but_never_to_zero)
{
    static const char *const pair[][2] = {{"", ""},     {"abc", "abc"}, {"%41%4a", "AJ"}, {"%00", "%00"},
                                          {"%4", "%4"}, {"%", "%"},     {"%%41", "%A"},   {"%2541", "%41"},
                                          {"%g1", "%g1"}, {"a%2Fb", "a/b"}};
    for (size_t i = 0; i < sizeof pair / sizeof *pair; i++) {
        char text[32];
        snprintf(text, sizeof text, "%s", pair[i][0]);
        assert_int_equal(percent_decode(text), strlen(pair[i][1]));
        assert_string_equal(text, pair[i][1]);
    }
}

TEST(routes_match_whole_paths)
{
    struct bare_server b = {0};
    bare_init(&b);
    expect_status(&b, "GET", "/v1/models", 200);
    expect_status(&b, "HEAD", "/v1/models", 200);
    expect_status(&b, "GET", "/v1/models/", 404);
    expect_status(&b, "GET", "/v1/model", 404);
    expect_status(&b, "GET", "/v1/modelsx", 404);
    expect_status(&b, "GET", "/v1/models/a/b", 404);
    expect_status(&b, "GET", "", 404);
    expect_status(&b, "GET", "*", 404);
    expect_status(&b, "GET", "/v1/models/a", 404); /* no such model, */
    assert_non_null(strstr(bare_text(&b), "no model is served"));
    expect_status(&b, "GET", "/v1/tag", 405);
    expect_status(&b, "OPTIONS", "/v1/tag", 204);
    char longest[2000] = "/v1/models/";
    memset(longest + 11, 'x', sizeof longest - 12);
    expect_status(&b, "GET", longest, 404);
    bare_release(&b);
}

TEST(a_message_about_the_body_tells_its_line)
{
    struct bare_server b = {0};
    bare_init(&b);
    incoming_begin(&b.in, &b.server, "GET", "/");
    incoming_refuse(&b.in, 400, "body:17: expected \"tokens\"");
    assert_string_equal(bare_text(&b),
                        "{\"type\":\"about:blank\",\"title\":\"Bad Request\",\"status\":400,"
                        "\"detail\":\"body:17: expected \\\"tokens\\\"\",\"file\":\"body\",\"line\":17}\n");
    incoming_begin(&b.in, &b.server, "GET", "/");
    incoming_refuse(&b.in, 503, "\xc3"); /* half a character, as where a message was cut */
    assert_non_null(strstr(bare_text(&b), "\"detail\":\"\"}"));
    assert_int_equal(b.in.sents, 1);
    assert_string_equal(b.in.sent[0].name, "Retry-After");
    bare_release(&b);
}

TEST(writes_need_their_header_and_their_type)
{
    struct bare_server b = {.options = {.body_limit = 1}};
    static const struct {
        const char *header[8];
        unsigned status;
    } cases[] = {{{NULL}, 403},
                 {{"X-Vouch", "1", NULL}, 400}, /* admitted; the body is empty */
                 {{"X-Vouch", "1", "Content-Length", "2", NULL}, 415},
                 {{"X-Vouch", "1", "Content-Length", "2", "Content-Type", "text/plain", NULL}, 415},
                 {{"x-vouch", "", "Content-Length", "2", "content-type", "application/json;x", NULL}, 400},
                 {{"X-Vouch", "1", "Origin", "http://evil", NULL}, 403},
                 {{"X-Vouch", "1", "Content-Length", "1048577", NULL}, 413},
                 {{"X-Vouch", "1", "Content-Length", "1", "Transfer-Encoding", "chunked", NULL}, 400},
                 {{"X-Vouch", "1", "Content-Length", "1", "Content-Length", "1", NULL}, 400},
                 {{"X-Vouch", "1", "Bad Name", "1", NULL}, 400}};
    bare_init(&b);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (bare_ask(&b, "POST", "/v1/session", "", cases[i].header) != cases[i].status)
            fail_msg("case %zu: expected %u, found %u", i, cases[i].status, b.in.exchange.status);
    bare_release(&b);
}

TEST(headers_beyond_the_room_for_them_are_refused)
{
    struct bare_server b = {0};
    bare_init(&b);
    incoming_begin(&b.in, &b.server, "GET", "/v1/health");
    for (int i = 0; i < MOST_PAIRS + 1; i++)
        incoming_add_header(&b.in, "X", "y");
    assert_false(incoming_admit(&b.in));
    assert_int_equal(b.in.exchange.status, 431);
    assert_true(b.in.closes);
    assert_false(exchange_add_header(&b.in.exchange, "X", "a\r\nSet-Cookie: b", NULL));
    bare_release(&b);
}
