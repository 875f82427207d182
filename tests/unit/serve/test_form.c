/* Tests forms: both encodings, and what is neither. */
#include "serve/form.h"

#include "must.h"
#include "test.h"

#define PAIRS "application/x-www-form-urlencoded"
#define PARTS "multipart/form-data; boundary="

/* Expects the values of `data` and `model`; NULL: there is none. */
static void check_form(const char *type, const char *body, const char *data, const char *model)
{
    struct form form = {0};
    MUST(form_add_body(&form, type, body, strlen(body), &err));
    const char *const expected[] = {data, model}, *const name[] = {"data", "model"};
    for (int i = 0; i < 2; i++) {
        const struct text *value = form_value(&form, name[i]);
        assert_true((value == NULL) == (expected[i] == NULL));
        if (value) {
            assert_string_equal(value->at, expected[i]);
            assert_int_equal(value->length, strlen(expected[i]));
        }
    }
    form_release(&form);
}

TEST(pairs_are_decoded)
{
    check_form(PAIRS, "data=a+b%20%C3%BC%2B&model=en", "a b ü+", "en");
    check_form(PAIRS "; charset=utf-8", "data&model=", "", "");
    check_form("Application/X-WWW-Form-URLEncoded", "&&data==&x", "=", NULL);
    check_form(PAIRS, "data=1&data=2", "2", NULL);
    check_form(PAIRS, "data=%&model=%4%zz%41", "%", "%4%zzA");
    check_form(PAIRS, "%64ata=x", "x", NULL);
    check_form("", "", NULL, NULL);
}

TEST(parts_are_as_they_are)
{
    check_form(PARTS "x",
               "--x\r\nContent-Disposition: form-data; name=\"data\"; filename=\"a.txt\"\r\nContent-Type: text/plain"
               "\r\n\r\n"
               "a\r\nb+%20--x\r\n\r\n--x\r\ncontent-disposition: form-data; name=model\r\n\r\nen\r\n--x--\r\n",
               "a\r\nb+%20--x\r\n", "en");
    check_form(PARTS "\"a b\"", "--a b\r\nContent-Disposition: form-data; name=\"data\"\r\n\r\n\r\n--a b--", "", NULL);
    check_form(PARTS "x; charset=utf-8", "--x\r\n\r\nnameless\r\n--x--", NULL, NULL);
    check_form(PARTS "x", "--x--", NULL, NULL);
}

static void check_refused(const char *type, const char *body, const char *why)
{
    struct form form = {0};
    assert_false(form_add_body(&form, type, body, strlen(body), &err));
    if (!strstr(err.message, why))
        fail_msg("expected '%s', found '%s'", why, err.message);
    form_release(&form);
}

TEST(what_is_no_form_is_refused)
{
    check_refused("text/plain", "data=a", "found text/plain");
    check_refused("", "data=a", "found none");
    check_refused("multipart/form-data", "--x--", "expected a boundary");
    check_refused(PARTS, "--x--", "expected a boundary");
    check_refused(PARTS "0123456789012345678901234567890123456789012345678901234567890123456789x", "--",
                  "expected a boundary");
    check_refused(PARTS "x", "--y\r\n", "begins with the boundary");
    check_refused(PARTS "x", "--", "begins with the boundary");
    check_refused(PARTS "x", "--x\r\n", "expected a part");
    check_refused(PARTS "x", "--x\r\nContent-Disposition: form-data; name=data\r\n\r\na\r\n--x", "expected a part");
    check_refused(PARTS "x", "--x\r\nContent-Transfer-Encoding: base64\r\n\r\nYQ==\r\n--x--", "base64");
}

/* Whatever is cut off or changed: it is read or refused, and sanitizers see that it is read where it is. */
TEST(damaged_parts_are_read_or_refused)
{
    static const char body[] = "--x\r\nContent-Disposition: form-data; name=\"data\"\r\n\r\nvalue\r\n--x\r\n"
                               "Content-Disposition: form-data; name=\"model\"\r\n\r\nen\r\n--x--\r\n";
    static const char with[] = "\r\n-x\"; =";
    char copy[sizeof body];
    int read = 0;
    for (size_t length = 0; length < sizeof body; length++)
        for (size_t i = 0; i < sizeof with; i++) {
            struct form form = {0};
            memcpy(copy, body, sizeof body);
            copy[length] = with[i];
            read += form_add_body(&form, PARTS "x", copy, i == 0 ? length : sizeof body - 1, &err);
            form_release(&form);
        }
    assert_true(read > 10);
}
