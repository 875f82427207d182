/*
 * Reads forms. The body is copied, and its fields are cut out of the copy in place.
 *
 *     urlencoded   name=value&name=value, + for a blank, %XX for a byte
 *     multipart    --BOUNDARY CRLF headers CRLF CRLF value CRLF --BOUNDARY ... --BOUNDARY--
 */
#include "serve/form.h"

#include "base/memory.h"
#include "serve/exchange.h"

#include <string.h>
#include <strings.h>

static bool add_field(struct form *form, char *name, char *value, struct vouch_error *err)
{
    if (form->count == MOST_FIELDS)
        return fail(err, VOUCH_ERR_FORMAT, "body:1: expected a form of at most %d fields", MOST_FIELDS);
    form->field[form->count++] = (struct form_field){name, value};
    return true;
}

static void decode(char *text)
{
    for (char *c = text; (c = strchr(c, '+'));)
        *c = ' ';
    percent_decode(text);
}

static bool read_urlencoded(struct form *form, struct vouch_error *err)
{
    char *rest = form->text;
    for (char *name; (name = strtok_r(rest, "&", &rest));) {
        char *value = name + strcspn(name, "=");
        if (*value)
            *value++ = '\0';
        decode(name);
        decode(value);
        if (!add_field(form, name, value, err))
            return false;
    }
    return true;
}

/* Copies the boundary of the type, quoted or not, behind two dashes; false if it has none that is fit. */
static bool find_boundary(const char *type, char boundary[80])
{
    const char *at = type;
    while ((at = strchr(at, ';'))) {
        at += 1 + strspn(at + 1, " \t");
        if (strncasecmp(at, "boundary=", 9) != 0)
            continue;
        at += 9;
        bool quoted = *at == '"';
        at += quoted;
        size_t length = strcspn(at, quoted ? "\"" : "; \t");
        if (length == 0 || length > 70)
            return false;
        memcpy(boundary, "--", 2);
        memcpy(boundary + 2, at, length);
        boundary[2 + length] = '\0';
        return true;
    }
    return false;
}

/* Finds name="..." among the headers of a part, which end at an empty line, and ends it; NULL if there is none. */
static char *part_name(char *headers)
{
    for (char *at = headers; (at = strchr(at, ';'));) {
        at += 1 + strspn(at + 1, " \t");
        if (strncasecmp(at, "name=\"", 6) == 0) {
            char *end = strchr(at + 6, '"');
            if (!end)
                return NULL;
            *end = '\0';
            return at + 6;
        }
    }
    return NULL;
}

static bool read_multipart(struct form *form, const char *type, struct vouch_error *err)
{
    char boundary[80];
    if (!find_boundary(type, boundary))
        return fail(err, VOUCH_ERR_FORMAT, "expected multipart/form-data with a boundary, found '%.100s'", type);
    size_t length = strlen(boundary);
    char *at = strstr(form->text, boundary);
    while (at && strncmp(at + length, "--", 2) != 0) {
        char *headers = at + length, *value = strstr(headers, "\r\n\r\n"), *end = value ? value : NULL;
        while (end && (end = strstr(end, "\r\n--")) && strncmp(end + 2, boundary, length) != 0)
            end += 2;
        if (!end)
            return fail(err, VOUCH_ERR_FORMAT, "body:1: expected the parts of a form to end with their boundary");
        *value = *end = '\0';
        char *name = part_name(headers);
        if (!name)
            return fail(err, VOUCH_ERR_FORMAT, "body:1: expected a name for each part of a form");
        if (!add_field(form, name, end > value + 4 ? value + 4 : end, err))
            return false;
        at = end + 2;
    }
    return at || fail(err, VOUCH_ERR_FORMAT, "body:1: expected a form with the boundary '%s'", boundary + 2);
}

bool form_read(struct form *form, const char *type, const char *body, size_t length, struct vouch_error *err)
{
    bool multipart = strncasecmp(type, "multipart/form-data", 19) == 0;
    *form = (struct form){0};
    if (!multipart && strncasecmp(type, "application/x-www-form-urlencoded", 33) != 0)
        return true;
    if (memchr(body, '\0', length))
        return fail(err, VOUCH_ERR_FORMAT, "body:1: expected text, found a zero byte");
    form->text = new_string(body, length, err);
    return form->text && (multipart ? read_multipart(form, type, err) : read_urlencoded(form, err));
}

void form_release(struct form *form)
{
    free(form->text);
    *form = (struct form){0};
}
