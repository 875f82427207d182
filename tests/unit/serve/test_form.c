#include "test.h"

#include "serve/form.h"

static void read_well(struct form *form, const char *type, const char *body)
{
    struct vouch_error err = {0};
    if (!form_read(form, type, body, strlen(body), &err))
        fail_msg("%s", err.message);
}

static void expect_field(const struct form *form, size_t i, const char *name, const char *value)
{
    assert_true(i < form->count);
    assert_string_equal(form->field[i].name, name);
    assert_string_equal(form->field[i].value, value);
}

TEST(urlencoded_fields_are_decoded)
{
    struct form form = {0};
    read_well(&form, "application/x-www-form-urlencoded; charset=utf-8", "a=1+2&b=%26%3D%C3%A9&&c&d=&e=%00%zz%");
    assert_int_equal(form.count, 5);
    expect_field(&form, 0, "a", "1 2");
    expect_field(&form, 1, "b", "&=\xc3\xa9");
    expect_field(&form, 2, "c", "");
    expect_field(&form, 3, "d", "");
    expect_field(&form, 4, "e", "%00%zz%");
    form_release(&form);
}

TEST(parts_are_cut_at_their_boundary_alone)
{
    struct form form = {0};
    const char *body = "--x-1\r\nContent-Disposition: form-data; name=\"data\"; filename=\"f\"\r\n"
                       "Content-Type: text/plain\r\n\r\none\r\n--x-\r\ntwo\r\n\r\n"
                       "--x-1\r\nContent-Disposition: form-data; name=\"empty\"\r\n\r\n\r\n--x-1--\r\n";
    read_well(&form, "multipart/form-data; boundary=\"x-1\"", body);
    assert_int_equal(form.count, 2);
    expect_field(&form, 0, "data", "one\r\n--x-\r\ntwo\r\n");
    expect_field(&form, 1, "empty", "");
    form_release(&form);
}

TEST(what_is_no_form_is_refused_or_has_no_fields)
{
    static const struct {
        const char *type, *body;
    } bad[] = {{"multipart/form-data", "--x"},
               {"multipart/form-data; boundary=", "--x"},
               {"multipart/form-data; boundary=x", ""},
               {"multipart/form-data; boundary=x", "--x\r\n\r\n\r\nvalue"},
               {"multipart/form-data; boundary=x", "--x\r\nContent-Disposition: form-data\r\n\r\nvalue\r\n--x--"}};
    struct form form = {0};
    struct vouch_error err = {0};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_false(form_read(&form, bad[i].type, bad[i].body, strlen(bad[i].body), &err));
        form_release(&form);
    }
    assert_false(form_read(&form, "application/x-www-form-urlencoded", "a=\0b", 4, &err));
    form_release(&form);
    read_well(&form, "application/json", "a=1");
    assert_int_equal(form.count, 0);
}
