/*
 * Reads forms: see form.h. The body is copied once and decoded in place, as no value is longer than what it is sent as.
 * The names and values of the address stay where they are.
 *
 * A multipart body (RFC 7578) is parts between lines "--BOUNDARY", the last "--BOUNDARY--"; each has headers, a blank
 * line, and its value up to the line's end in front of the next boundary. Lines end in CR LF.
 */
#include "serve/form.h"

#include "base/memory.h"

#include <strings.h>

static bool add_field(struct form *form, struct text name, struct text value, struct vouch_error *err)
{
    if (!RESERVE(form->field, form->capacity, form->fields + 1, err))
        return false;
    form->field[form->fields++] = (struct form_field){name, value};
    return true;
}

static bool add_parameter(void *context, const char *name, const char *value, struct vouch_error *err)
{
    return add_field(context, text_of(name), text_of(value), err);
}

static int hex_digit(char c)
{
    static const char digits[] = "0123456789abcdef0123456789ABCDEF";
    const char *found = c ? strchr(digits, c) : NULL;
    return found ? (int)(found - digits) % 16 : -1;
}

/* Decodes + and %XX in place, and ends it with a zero, for which there is room. */
static struct text decode(char *at, size_t length)
{
    size_t to = 0;
    for (size_t i = 0; i < length; i++) {
        int high = i + 2 < length && at[i] == '%' ? hex_digit(at[i + 1]) : -1;
        int low = high >= 0 ? hex_digit(at[i + 2]) : -1;
        if (low >= 0) {
            at[to++] = (char)(16 * high + low);
            i += 2;
        } else {
            at[to++] = at[i] == '+' ? ' ' : at[i];
        }
    }
    at[to] = '\0';
    return (struct text){at, (uint32_t)to};
}

/* Reads NAME=VALUE&NAME=VALUE. */
static bool add_pairs(struct form *form, char *at, size_t length, struct vouch_error *err)
{
    for (char *end = at + length, *next; at < end; at = next + 1) {
        char *stop = memchr(at, '&', (size_t)(end - at));
        next = stop ? stop : end;
        char *sign = memchr(at, '=', (size_t)(next - at));
        if (next == at)
            continue;
        struct text value = sign ? decode(sign + 1, (size_t)(next - sign - 1)) : (struct text){"", 0};
        if (!add_field(form, decode(at, (size_t)((sign ? sign : next) - at)), value, err))
            return false;
    }
    return true;
}

/* Returns where the bytes of a string are first found, or NULL. */
static char *find(char *at, char *end, const char *string, size_t length)
{
    for (char *found = at; (size_t)(end - found) >= length; found++) {
        found = memchr(found, string[0], (size_t)(end - found) - length + 1);
        if (!found)
            return NULL;
        if (memcmp(found, string, length) == 0)
            return found;
    }
    return NULL;
}

/* Finds a parameter of a header, name="value" or name=value; false if it is not there. */
static bool header_parameter(struct text header, const char *name, struct text *value)
{
    size_t length = strlen(name);
    struct text rest = header;
    text_cut(&rest, ';');
    while (rest.length > 0) {
        struct text part = text_trim(text_cut(&rest, ';'));
        if (part.length <= length || strncasecmp(part.at, name, length) != 0 || part.at[length] != '=')
            continue;
        part = (struct text){part.at + length + 1, part.length - (uint32_t)length - 1};
        if (part.length >= 2 && part.at[0] == '"' && part.at[part.length - 1] == '"')
            part = (struct text){part.at + 1, part.length - 2};
        *value = part;
        return true;
    }
    return false;
}

/* Takes the value off a header of that name; false if it is another. */
static bool header_is(struct text line, const char *name, struct text *value)
{
    size_t length = strlen(name);
    if (line.length <= length || strncasecmp(line.at, name, length) != 0 || line.at[length] != ':')
        return false;
    *value = text_trim((struct text){line.at + length + 1, line.length - (uint32_t)length - 1});
    return true;
}

/* Reads the headers of a part: its name, empty if it has none. Refuses encodings that nobody uses for text in UTF-8. */
static bool read_part_headers(char *at, char *end, struct text *name, struct vouch_error *err)
{
    *name = (struct text){"", 0};
    for (char *next; at < end; at = next) {
        char *stop = find(at, end, "\r\n", 2);
        struct text line = {at, (uint32_t)((stop ? stop : end) - at)}, value;
        next = stop ? stop + 2 : end;
        if (header_is(line, "Content-Disposition", &value))
            header_parameter(value, "name", name);
        else if (header_is(line, "Content-Transfer-Encoding", &value) &&
                 (text_is(value, "base64") || text_is(value, "quoted-printable")))
            return fail(err, VOUCH_ERR_FORMAT, "form: expected parts of bytes as they are, found them in %.*s",
                        excerpt(value), value.at);
    }
    return true;
}

static void end_with_zero(struct text text, char *bytes)
{
    bytes[text.at - bytes + text.length] = '\0';
}

/* Reads the parts of a multipart body; `mark` is CR LF and "--BOUNDARY". */
static bool add_parts(struct form *form, char *at, size_t length, const char *mark, size_t marks,
                      struct vouch_error *err)
{
    char *end = at + length;
    if (length < marks - 2 || memcmp(at, mark + 2, marks - 2) != 0)
        return fail(err, VOUCH_ERR_FORMAT, "form: expected a body that begins with the boundary, found %.*s",
                    text_beginning((struct text){at, (uint32_t)length}, 40), at);
    for (at += marks - 2; end - at < 2 || memcmp(at, "--", 2) != 0;) {
        char *head = find(at, end, "\r\n", 2), *blank = head ? find(head, end, "\r\n\r\n", 4) : NULL;
        char *stop = blank ? find(blank + 2, end, mark, marks) : NULL;
        if (!stop || stop < blank + 2)
            return fail(err, VOUCH_ERR_FORMAT, "form: expected a part: headers, a blank line, and a boundary after it");
        struct text name, value = {blank + 4, stop < blank + 4 ? 0 : (uint32_t)(stop - blank - 4)};
        if (!read_part_headers(head + 2 > blank ? blank : head + 2, blank, &name, err) ||
            !add_field(form, name, value, err))
            return false;
        if (name.length > 0)
            end_with_zero(name, form->bytes);
        end_with_zero(value, form->bytes);
        at = stop + marks;
    }
    return true;
}

static bool add_multipart(struct form *form, const char *type, char *body, size_t length, struct vouch_error *err)
{
    struct text boundary;
    char mark[80] = "\r\n--";
    if (!header_parameter(text_of(type), "boundary", &boundary) || boundary.length == 0 || boundary.length > 70)
        return fail(err, VOUCH_ERR_FORMAT, "form: expected a boundary of 1 to 70 bytes in the header Content-Type");
    memcpy(mark + 4, boundary.at, boundary.length);
    return add_parts(form, body, length, mark, 4 + boundary.length, err);
}

bool form_add_body(struct form *form, const char *type, const char *body, size_t length, struct vouch_error *err)
{
    bool pairs = strncasecmp(type, "application/x-www-form-urlencoded", 33) == 0;
    if (length == 0)
        return true;
    if (!pairs && strncasecmp(type, "multipart/form-data", 19) != 0)
        return fail(err, VOUCH_ERR_FORMAT,
                    "expected a body of type application/x-www-form-urlencoded or multipart/form-data, found %.60s",
                    type[0] ? type : "none");
    form->bytes = new_string(body, length, err);
    if (!form->bytes)
        return false;
    return pairs ? add_pairs(form, form->bytes, length, err) : add_multipart(form, type, form->bytes, length, err);
}

bool form_read(struct form *form, struct exchange *e, struct vouch_error *err)
{
    const char *type = exchange_header(e, "Content-Type");
    return exchange_parameters(e, add_parameter, form, err) &&
           form_add_body(form, type ? type : "", e->body, e->length, err);
}

void form_release(struct form *form)
{
    free(form->field);
    free(form->bytes);
    *form = (struct form){0};
}

const struct text *form_value(const struct form *form, const char *name)
{
    for (size_t i = form->fields; i-- > 0;)
        if (text_is(form->field[i].name, name))
            return &form->field[i].value;
    return NULL;
}
