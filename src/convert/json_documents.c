/* See json_documents.h. */
#include "convert/json_documents.h"

#include "base/json_read.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

static bool is_white(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* Where reading is. */
struct json_place {
    const char *at, *end, *counted; /* lines are counted up to `counted` */
    uint64_t line;
};

static void skip_white(struct json_place *place)
{
    while (place->at < place->end && is_white(*place->at))
        place->at++;
    for (; place->counted < place->at; place->counted++)
        place->line += *place->counted == '\n';
}

bool fail_json(const struct json_document *document, struct vouch_error *err, const char *format, ...)
{
    va_list args;
    struct printed line;
    va_start(args, format);
    printed_make(&line, format, args);
    va_end(args);
    fail(err, VOUCH_ERR_FORMAT, "%s:%" PRIu64 ": %s", document->source->name, document->line, line.at);
    printed_release(&line);
    return false;
}

/* Reads the value at the place, which is moved behind it. */
static bool read_value(struct json_document *document, struct json_place *place, json_document_call each,
                       struct vouch_error *err)
{
    json_error_t error;
    document->line = place->line;
    if (*place->at != '{')
        return fail_json(document, err, "expected a JSON object, found '%.*s'",
                         excerpt((struct text){place->at, (uint32_t)(place->end - place->at)}), place->at);
    json_t *object = json_read(place->at, (size_t)(place->end - place->at),
                               JSON_DISABLE_EOF_CHECK | JSON_REJECT_DUPLICATES, &error);
    if (!object) {
        document->line += (uint64_t)(error.line > 0 ? error.line - 1 : 0);
        return json_lacked_memory(&error) ? fail_memory(err) : fail_json(document, err, "%s", error.text);
    }
    document->object = object;
    bool done = each(document, err);
    json_decref(object);
    place->at += error.position;
    skip_white(place);
    return done;
}

/* Takes a character that must be there. */
static bool take(struct json_document *document, struct json_place *place, const char *wanted, struct vouch_error *err)
{
    document->line = place->line;
    if (place->at == place->end)
        return fail_json(document, err, "expected %s, found the end of the file", wanted);
    if (!strchr(wanted, *place->at))
        return fail_json(document, err, "expected %s, found '%.*s'", wanted,
                         excerpt((struct text){place->at, (uint32_t)(place->end - place->at)}), place->at);
    return true;
}

bool read_json_documents(const struct annotated_source *source, const struct format_choices *choices,
                         struct corpus *into, json_document_call each, struct vouch_error *err)
{
    struct json_document document = {.source = source, .choices = choices, .into = into};
    struct json_place place = {source->bytes, source->bytes + source->length, source->bytes, 1};
    skip_white(&place);
    bool array = place.at < place.end && *place.at == '[', more = true;
    if (!array) {
        while (place.at < place.end)
            if (!read_value(&document, &place, each, err))
                return false;
        return true;
    }
    place.at++;
    skip_white(&place);
    if (place.at < place.end && *place.at == ']')
        more = false;
    while (more) {
        if (!take(&document, &place, "{", err) || !read_value(&document, &place, each, err) ||
            !take(&document, &place, ",]", err))
            return false;
        if ((more = *place.at == ',')) {
            place.at++;
            skip_white(&place);
        }
    }
    place.at++;
    skip_white(&place);
    document.line = place.line;
    return place.at == place.end || fail_json(&document, err, "expected the end of the file behind the array");
}

/* Skips a string, behind its first quote; returns what is behind its last, or the end. */
static const char *string_end(const char *at, const char *end)
{
    while (at < end && *at != '"')
        at += *at == '\\' && at + 1 < end ? 2 : 1;
    return at < end ? at + 1 : end;
}

bool json_beginning_has(struct text beginning, const char *key)
{
    struct json_place place = {beginning.at, beginning.at + beginning.length, beginning.at, 1};
    size_t length = strlen(key);
    skip_white(&place);
    if (place.at < place.end && *place.at == '[')
        place.at++;
    skip_white(&place);
    if (place.at == place.end || *place.at != '{')
        return false;
    int depth = 0;
    for (const char *at = place.at; at < place.end;) {
        if (*at == '"') {
            const char *name = at + 1, *behind = string_end(name, place.end);
            bool same = (size_t)(behind - name) == length + 1 && memcmp(name, key, length) == 0;
            at = behind;
            while (at < place.end && is_white(*at))
                at++;
            if (depth == 1 && same && at < place.end && *at == ':')
                return true;
            continue;
        }
        depth += *at == '{' || *at == '[';
        depth -= *at == '}' || *at == ']';
        at++;
        if (depth == 0)
            break;
    }
    return false;
}

bool keep_json_text(const struct json_document *document, const json_t *value, const char *key, struct text *text,
                    struct vouch_error *err)
{
    *text = (struct text){"", 0};
    if (!value || json_is_null(value))
        return true;
    if (!json_is_string(value))
        return fail_json(document, err, "\"%s\": expected a string", key);
    *text = corpus_keep(document->into,
                        (struct text){json_string_value(value), (uint32_t)json_string_length(value)}, err);
    return text->at != NULL;
}

bool keep_json_id(const struct json_document *document, const json_t *value, const char *key, struct text *text,
                  struct vouch_error *err)
{
    char digits[32];
    if (!json_is_integer(value))
        return keep_json_text(document, value, key, text, err);
    snprintf(digits, sizeof digits, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
    *text = corpus_keep(document->into, text_of(digits), err);
    return text->at != NULL;
}

bool read_json_count(const struct json_document *document, const json_t *value, const char *key, uint64_t most,
                     uint64_t *count, struct vouch_error *err)
{
    if (!json_is_integer(value) || json_integer_value(value) < 0)
        return fail_json(document, err, "\"%s\": expected a whole number", key);
    *count = (uint64_t)json_integer_value(value);
    return *count <= most || fail_json(document, err, "\"%s\": expected at most %" PRIu64 ", found %" PRIu64, key, most,
                                       *count);
}

bool read_json_score(const struct json_document *document, const json_t *value, const char *key, double *score,
                     struct vouch_error *err)
{
    *score = json_is_number(value) ? json_number_value(value) : NAN;
    return !value || json_is_null(value) || json_is_number(value) ||
           fail_json(document, err, "\"%s\": expected a number", key);
}

bool keep_json_rest(const struct json_document *document, json_t *object, const char *const *known,
                    struct text *rest, struct vouch_error *err)
{
    struct output *out = NULL;
    const char *key;
    json_t *value;
    *rest = (struct text){"", 0};
    json_object_foreach(object, key, value)
    {
        const char *const *name = known;
        while (*name && strcmp(*name, key) != 0)
            name++;
        if (*name)
            continue;
        if (!out && !(out = output_open_memory(err)))
            return false;
        output_write(out, output_position(out) ? ", " : "{", output_position(out) ? 2 : 1);
        write_json_text(out, text_of(key));
        output_write(out, ": ", 2);
        write_json_value(out, value);
    }
    if (!out)
        return true;
    size_t length;
    output_write(out, "}", 1);
    const char *bytes = output_text(out, &length);
    bool done = bytes ? true : fail_memory(err);
    if (done) {
        *rest = corpus_keep(document->into, (struct text){bytes, (uint32_t)length}, err);
        done = rest->at != NULL;
    }
    output_discard(out);
    return done;
}

void write_json_text(struct output *out, struct text text)
{
    uint32_t from = 0;
    output_write(out, "\"", 1);
    for (uint32_t i = 0; i < text.length; i++) {
        unsigned char c = (unsigned char)text.at[i];
        if (c >= 0x20 && c != '"' && c != '\\')
            continue;
        output_write(out, text.at + from, i - from);
        from = i + 1;
        const char *named = strchr("\"\"\\\\\nn\tt\rr", c);
        if (c == '"' || c == '\\' || c == '\n' || c == '\t' || c == '\r')
            output_printf(out, "\\%c", named[1]);
        else
            output_printf(out, "\\u%04x", c);
    }
    output_write(out, text.at + from, text.length - from);
    output_write(out, "\"", 1);
}

void write_json_number(struct output *out, double number)
{
    char text[NUMBER_ROOM];
    if (isfinite(number))
        spell_number(number, text);
    output_printf(out, "%s", isfinite(number) ? text : "null");
}

/* The same, but a whole number keeps its full stop, so that it stays a real one. */
static void write_json_real(struct output *out, double number)
{
    char text[NUMBER_ROOM];
    spell_number(number, text);
    output_printf(out, "%s%s", text, strpbrk(text, ".e") ? "" : ".0");
}

static void write_json_list(struct output *out, const json_t *list)
{
    output_write(out, "[", 1);
    for (size_t i = 0; i < json_array_size(list); i++) {
        output_write(out, ", ", i > 0 ? 2 : 0);
        write_json_value(out, json_array_get(list, i));
    }
    output_write(out, "]", 1);
}

static void write_json_object(struct output *out, json_t *object)
{
    const char *key;
    json_t *value;
    bool first = true;
    output_write(out, "{", 1);
    json_object_foreach(object, key, value)
    {
        output_write(out, ", ", first ? 0 : 2);
        write_json_text(out, text_of(key));
        output_write(out, ": ", 2);
        write_json_value(out, value);
        first = false;
    }
    output_write(out, "}", 1);
}

void write_json_value(struct output *out, json_t *value)
{
    if (json_is_object(value))
        write_json_object(out, value);
    else if (json_is_array(value))
        write_json_list(out, value);
    else if (json_is_string(value))
        write_json_text(out, (struct text){json_string_value(value), (uint32_t)json_string_length(value)});
    else if (json_is_integer(value))
        output_printf(out, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
    else if (json_is_real(value))
        write_json_real(out, json_real_value(value));
    else
        output_printf(out, json_is_true(value) ? "true" : json_is_false(value) ? "false" : "null");
}

/* Whether a text is what a whole number is written as, so that it may stand without quotes. */
static bool is_canonical(struct text id)
{
    if (id.length == 0 || id.length > 15 || (id.length > 1 && id.at[0] == '0'))
        return false;
    for (uint32_t i = 0; i < id.length; i++)
        if (id.at[i] < '0' || id.at[i] > '9')
            return false;
    return true;
}

void write_json_id(struct output *out, struct text id)
{
    if (is_canonical(id))
        output_write(out, id.at, id.length);
    else
        write_json_text(out, id);
}

void write_json_members(struct output *out, struct text object)
{
    if (object.length > 2) {
        output_write(out, ", ", 2);
        output_write(out, object.at + 1, object.length - 2);
    }
}
