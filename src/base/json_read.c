/*
 * Reads JSON: see json_read.h. Source: RFC 8259.
 *
 * A token is taken from the text at a time, and one function for each kind of value goes by the first token of it. The
 * text of a token is where it is in the input: only strings are copied, without their escapes, and long numbers. Copies
 * lie one on top of the other in one buffer, so that the keys of objects are there until their values are read.
 *
 * The first error counts. An error tells its place, and the token as far as it was read if that is short; lines and
 * columns are counted only then. Time is linear; objects nest 2,048 deep at most, as recursion takes stack.
 */
#include "base/json_read.h"

#include "base/buffer.h"

#include <stdio.h>
#include <string.h>

enum { DEEPEST = 2048, SHORT = 20 };

/* Punctuation is a token that is itself; these are the others. */
enum { TOKEN_END = 256, TOKEN_INVALID, TOKEN_STRING, TOKEN_INTEGER, TOKEN_REAL, TOKEN_TRUE, TOKEN_FALSE, TOKEN_NULL };

/* Returned in place of a byte: at the end of the text, and for bytes that are not UTF-8. */
enum { NO_BYTE = -1, BAD_BYTE = -2 };

struct json_reader {
    const char *begin, *end, *at; /* the text, and what comes next */
    const char *from;             /* where the token begins */
    int token;
    size_t flags;
    uint32_t depth;
    struct buffer copies; /* a terminated copy on top of the other */
    size_t copy, length;  /* where that of the token begins, and the bytes of a string */
    json_int_t integer;
    double real;
    json_error_t *error;
};

/* ---- Errors ---- */

static void set_error(json_error_t *error, enum json_error_code code, const char *text)
{
    size_t length = strnlen(text, sizeof error->text - 2);
    memcpy(error->text, text, length);
    error->text[length] = '\0';
    error->text[sizeof error->text - 1] = (char)code;
}

static void begin_error(json_error_t *error, const char *source)
{
    *error = (json_error_t){.line = -1, .column = -1};
    snprintf(error->source, sizeof error->source, "%s", source);
}

static void find_place(const struct json_reader *r)
{
    r->error->line = 1;
    r->error->column = 0;
    r->error->position = (int)(r->at - r->begin);
    for (const char *c = r->begin; c < r->at; c++)
        if (*c == '\n') {
            r->error->line++;
            r->error->column = 0;
        } else
            r->error->column += ((unsigned char)*c & 0xc0) != 0x80; /* the first byte of a character */
}

/* Sets the error if there is none. It shows the token, as far as it was read, if that is short. */
__attribute__((format(printf, 3, 4))) static void refuse(struct json_reader *r, enum json_error_code code,
                                                         const char *format, ...)
{
    char what[JSON_ERROR_TEXT_LENGTH], text[2 * JSON_ERROR_TEXT_LENGTH];
    size_t length = (size_t)(r->at - r->from);
    va_list args;
    if (r->error->text[0])
        return;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    bool none = length == 0 || r->from[0] == '\0';
    if (none && code == json_error_invalid_syntax)
        code = json_error_premature_end_of_input;
    if (none)
        snprintf(text, sizeof text, "%s%s", what, code == json_error_invalid_utf8 ? "" : " near end of file");
    else if (length <= SHORT)
        snprintf(text, sizeof text, "%s near '%.*s'", what, (int)length, r->from);
    else
        snprintf(text, sizeof text, "%s", what);
    find_place(r);
    set_error(r->error, code, text);
}

static void lack_memory(struct json_reader *r)
{
    if (!r->error->text[0])
        set_error(r->error, json_error_out_of_memory, "out of memory");
}

/* ---- Tokens ---- */

/* Returns how many bytes the character has that begins at r->at, or 0 if it is not UTF-8. */
static size_t character(const struct json_reader *r)
{
    size_t left = (size_t)(r->end - r->at), sound = utf8_check(r->at, left < 4 ? left : 4), n = 1;
    while (n < sound && ((unsigned char)r->at[n] & 0xc0) == 0x80)
        n++;
    return sound ? n : 0;
}

/* Returns the next byte, or that there is none, or none of a character. */
static int peek(struct json_reader *r)
{
    if (r->at == r->end)
        return NO_BYTE;
    int byte = (unsigned char)*r->at;
    if (byte < 0x80 || character(r))
        return byte;
    refuse(r, json_error_invalid_utf8, "unable to decode byte 0x%x", (unsigned)byte);
    return BAD_BYTE;
}

static bool is_digit(int c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(int c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static int hex_of(int c)
{
    return is_digit(c) ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* Goes over an escape, from the byte after the backslash on. */
static bool pass_escape(struct json_reader *r)
{
    int c = peek(r);
    bool sound = c > 0 && strchr("\"\\/bfnrtu", c);
    r->at += c >= 0;
    for (int i = 0; sound && c == 'u' && i < 4; i++) {
        int digit = peek(r);
        sound = hex_of(digit) >= 0;
        r->at += digit >= 0;
    }
    if (!sound)
        refuse(r, json_error_invalid_syntax, "invalid escape");
    return sound;
}

/* Goes over a string, from the byte after its first quote to that after its last. */
static bool pass_string(struct json_reader *r)
{
    for (;;) {
        while (r->at < r->end && *r->at >= 0x20 && *r->at < 0x7f && *r->at != '"' && *r->at != '\\')
            r->at++;
        int c = peek(r);
        if (c == '\\') {
            r->at++;
            if (!pass_escape(r))
                return false;
        } else if (c == '"') {
            r->at++;
            return true;
        } else if (c >= 0x80)
            r->at += character(r);
        else if (c >= 0x20)
            r->at++;
        else {
            if (c == NO_BYTE)
                refuse(r, json_error_premature_end_of_input, "premature end of input");
            else if (c == '\n')
                refuse(r, json_error_invalid_syntax, "unexpected newline");
            else
                refuse(r, json_error_invalid_syntax, "control character 0x%x", (unsigned)c);
            return false;
        }
    }
}

static uint32_t four_digits(const char *at)
{
    uint32_t value = 0;
    for (int i = 0; i < 4; i++)
        value = value << 4 | (uint32_t)hex_of((unsigned char)at[i]);
    return value;
}

/* Decodes \uXXXX, or two that are one character, at *in, which is behind the backslash; moves both on. */
static bool decode_unicode(struct json_reader *r, const char **in, char **out)
{
    uint32_t point = four_digits(*in + 1), second = 0;
    *in += 5;
    bool pair = point >= 0xd800 && point < 0xdc00 && (*in)[0] == '\\' && (*in)[1] == 'u';
    if (pair) {
        second = four_digits(*in + 2);
        *in += 6;
        if (second < 0xdc00 || second > 0xdfff) {
            refuse(r, json_error_invalid_syntax, "invalid Unicode '\\u%04X\\u%04X'", point, second);
            return false;
        }
        point = ((point - 0xd800) << 10) + (second - 0xdc00) + 0x10000;
    } else if (point >= 0xd800 && point <= 0xdfff) {
        refuse(r, json_error_invalid_syntax, "invalid Unicode '\\u%04X'", point);
        return false;
    }
    char *to = *out;
    int more = point < 0x80 ? 0 : point < 0x800 ? 1 : point < 0x10000 ? 2 : 3;
    static const unsigned char lead[] = {0, 0xc0, 0xe0, 0xf0};
    *to++ = (char)(lead[more] | point >> 6 * more);
    for (int i = more - 1; i >= 0; i--)
        *to++ = (char)(0x80 | (point >> 6 * i & 0x3f));
    *out = to;
    return true;
}

/* Puts the token's bytes from `first` on, and a zero, on top of the copies. */
static bool copy_token(struct json_reader *r, const char *first)
{
    struct vouch_error unused;
    r->copy = r->copies.length;
    if (buffer_add_bytes(&r->copies, first, (size_t)(r->at - first), &unused) && buffer_put(&r->copies, '\0', &unused))
        return true;
    lack_memory(r);
    return false;
}

static int take_string(struct json_reader *r)
{
    if (!pass_string(r) || !copy_token(r, r->from + 1))
        return TOKEN_INVALID;
    char *start = r->copies.bytes + r->copy, *out = start;
    for (const char *in = start; *in != '"';) {
        static const char name[] = "bfnrt", meant[] = "\b\f\n\r\t";
        if (*in != '\\')
            *out++ = *in++;
        else if (*++in == 'u') {
            if (!decode_unicode(r, &in, &out))
                return TOKEN_INVALID;
        } else {
            const char *known = strchr(name, *in);
            *out++ = known ? meant[known - name] : *in;
            in++;
        }
    }
    *out = '\0';
    r->length = (size_t)(out - start);
    r->copies.length = r->copy + r->length + 1;
    return TOKEN_STRING;
}

static int take_integer(struct json_reader *r)
{
    bool negative = *r->from == '-';
    uint64_t value = 0, most = (uint64_t)INT64_MAX + negative;
    for (const char *c = r->from + negative; c < r->at; c++) {
        uint64_t digit = (uint64_t)(*c - '0');
        if (value > (most - digit) / 10) {
            refuse(r, json_error_numeric_overflow, negative ? "too big negative integer" : "too big integer");
            return TOKEN_INVALID;
        }
        value = value * 10 + digit;
    }
    r->integer = (json_int_t)(negative ? -(int64_t)(value / 2) - (int64_t)(value - value / 2) : (int64_t)value);
    return TOKEN_INTEGER;
}

/* Takes the nearest number by all digits, without its point, for which locales have other signs. */
static bool take_long_real(struct json_reader *r)
{
    if (!copy_token(r, r->from))
        return false;
    char *text = r->copies.bytes + r->copy, *out = text, *in = text;
    long decimals = 0, power = 0;
    for (bool behind = false; *in && *in != 'e' && *in != 'E'; in++) {
        decimals += behind && *in != '.';
        behind |= *in == '.';
        if (*in != '.')
            *out++ = *in;
    }
    if (*in)
        power = strtol(in + 1, NULL, 10);
    *out = '\0';
    power = power > INT32_MAX ? INT32_MAX : power < INT32_MIN ? INT32_MIN : power;
    struct vouch_error unused;
    r->copies.length = r->copy + (size_t)(out - text);
    bool ok = buffer_print(&r->copies, &unused, "e%ld", power - decimals);
    if (ok)
        r->real = strtod(r->copies.bytes + r->copy, NULL);
    else
        lack_memory(r);
    r->copies.length = r->copy;
    return ok;
}

static int take_real(struct json_reader *r)
{
    struct text text = {r->from, (uint32_t)(r->at - r->from)};
    bool quick = r->at - r->from <= 19 && parse_number(text, &r->real);
    if (!quick && !take_long_real(r))
        return TOKEN_INVALID;
    if (r->real - r->real == 0)
        return TOKEN_REAL;
    refuse(r, json_error_numeric_overflow, "real number overflow");
    return TOKEN_INVALID;
}

/* Goes over digits; returns whether there are any. */
static bool pass_digits(struct json_reader *r)
{
    const char *before = r->at;
    while (is_digit(peek(r)))
        r->at++;
    return r->at > before;
}

static int take_number(struct json_reader *r)
{
    r->at += *r->from != '-' ? -1 : 0; /* back to the first digit */
    int first = peek(r);
    if (first == '0') {
        r->at++;
        if (is_digit(peek(r)))
            return TOKEN_INVALID;
    } else if (!pass_digits(r))
        return TOKEN_INVALID;
    int c = peek(r);
    if (c != '.' && c != 'e' && c != 'E')
        return take_integer(r);
    if (c == '.') {
        r->at++;
        if (!pass_digits(r))
            return TOKEN_INVALID;
        c = peek(r);
    }
    if (c == 'e' || c == 'E') {
        r->at++;
        c = peek(r);
        r->at += c == '+' || c == '-';
        if (!pass_digits(r))
            return TOKEN_INVALID;
    }
    return take_real(r);
}

static int take_word(struct json_reader *r)
{
    while (is_letter(peek(r)))
        r->at++;
    struct text word = {r->from, r->at - r->from <= SHORT ? (uint32_t)(r->at - r->from) : 0};
    return text_is(word, "true")    ? TOKEN_TRUE
           : text_is(word, "false") ? TOKEN_FALSE
           : text_is(word, "null")  ? TOKEN_NULL
                                    : TOKEN_INVALID;
}

static int find_token(struct json_reader *r)
{
    while (r->at < r->end && (*r->at == ' ' || *r->at == '\t' || *r->at == '\n' || *r->at == '\r'))
        r->at++;
    r->from = r->at;
    int c = peek(r);
    if (c < 0)
        return c == NO_BYTE ? TOKEN_END : TOKEN_INVALID;
    r->at += c < 0x80 ? 1 : character(r);
    if (c && strchr("{}[]:,", c))
        return c;
    return c == '"' ? take_string(r) : is_digit(c) || c == '-' ? take_number(r) : is_letter(c) ? take_word(r)
                                                                                             : TOKEN_INVALID;
}

static void next(struct json_reader *r)
{
    r->token = r->error->text[0] ? TOKEN_INVALID : find_token(r);
}

/* ---- Values ---- */

static json_t *read_value(struct json_reader *r);

/* Reads ": value" and puts it into the object; the token is the key. */
static bool read_member(struct json_reader *r, json_t *object)
{
    size_t key = r->copy, length = r->length;
    if (r->token != TOKEN_STRING) {
        refuse(r, json_error_invalid_syntax, "string or '}' expected");
        return false;
    }
    if (strlen(r->copies.bytes + key) != length) {
        refuse(r, json_error_null_byte_in_key, "NUL byte in object key not supported");
        return false;
    }
    if (r->flags & JSON_REJECT_DUPLICATES && json_object_get(object, r->copies.bytes + key)) {
        refuse(r, json_error_duplicate_key, "duplicate object key");
        return false;
    }
    next(r);
    if (r->token != ':') {
        refuse(r, json_error_invalid_syntax, "':' expected");
        return false;
    }
    next(r);
    json_t *value = read_value(r);
    bool ok = value && json_object_set_new_nocheck(object, r->copies.bytes + key, value) == 0;
    if (value && !ok)
        lack_memory(r);
    r->copies.length = key;
    return ok;
}

static bool read_element(struct json_reader *r, json_t *array)
{
    json_t *value = read_value(r);
    if (!value)
        return false;
    if (json_array_append_new(array, value) == 0)
        return true;
    lack_memory(r);
    return false;
}

/* Reads what follows the opening bracket, up to the closing one. */
static json_t *read_all(struct json_reader *r, json_t *all, char closing)
{
    bool object = closing == '}', ok = all != NULL;
    if (!ok)
        lack_memory(r);
    next(r);
    if (ok && r->token == closing)
        return all;
    while (ok && (object || r->token != TOKEN_END)) {
        ok = object ? read_member(r, all) : read_element(r, all);
        if (!ok)
            break;
        next(r);
        if (r->token != ',')
            break;
        next(r);
    }
    if (ok && r->token == closing)
        return all;
    if (ok)
        refuse(r, json_error_invalid_syntax, "'%c' expected", closing);
    json_decref(all);
    return NULL;
}

static json_t *read_text(struct json_reader *r)
{
    const char *text = r->copies.bytes + r->copy;
    if (strlen(text) != r->length) {
        refuse(r, json_error_null_character, "\\u0000 is not allowed without JSON_ALLOW_NUL");
        return NULL;
    }
    json_t *value = json_stringn_nocheck(text, r->length);
    r->copies.length = r->copy;
    if (!value)
        lack_memory(r);
    return value;
}

static json_t *read_number_value(struct json_reader *r)
{
    json_t *value = r->token == TOKEN_INTEGER ? json_integer(r->integer) : json_real(r->real);
    if (!value)
        lack_memory(r);
    return value;
}

static json_t *read_value(struct json_reader *r)
{
    if (r->depth == DEEPEST) {
        refuse(r, json_error_stack_overflow, "maximum parsing depth reached");
        return NULL;
    }
    json_t *value = NULL;
    r->depth++;
    switch (r->token) {
    case TOKEN_STRING:
        value = read_text(r);
        break;
    case TOKEN_INTEGER:
    case TOKEN_REAL:
        value = read_number_value(r);
        break;
    case TOKEN_TRUE:
    case TOKEN_FALSE:
        value = json_boolean(r->token == TOKEN_TRUE);
        break;
    case TOKEN_NULL:
        value = json_null();
        break;
    case '{':
        value = read_all(r, json_object(), '}');
        break;
    case '[':
        value = read_all(r, json_array(), ']');
        break;
    default:
        refuse(r, json_error_invalid_syntax, r->token == TOKEN_INVALID ? "invalid token" : "unexpected token");
    }
    r->depth--;
    return value;
}

static json_t *read_document(struct json_reader *r)
{
    next(r);
    if (!(r->flags & JSON_DECODE_ANY) && r->token != '[' && r->token != '{') {
        refuse(r, json_error_invalid_syntax, "'[' or '{' expected");
        return NULL;
    }
    json_t *value = read_value(r);
    if (value && !(r->flags & JSON_DISABLE_EOF_CHECK)) {
        next(r);
        if (r->token != TOKEN_END) {
            refuse(r, json_error_end_of_input_expected, "end of file expected");
            json_decref(value);
            value = NULL;
        }
    }
    if (value)
        r->error->position = (int)(r->at - r->begin);
    return value;
}

json_t *json_read(const char *bytes, size_t length, size_t flags, json_error_t *error)
{
    json_error_t unused;
    bytes = bytes ? bytes : "";
    struct json_reader r = {.begin = bytes, .at = bytes, .from = bytes, .end = bytes + length, .flags = flags};
    r.error = error ? error : &unused;
    begin_error(r.error, "<buffer>");
    json_t *value = read_document(&r);
    free(r.copies.bytes);
    return value;
}

json_t *json_read_string(const char *text, size_t flags, json_error_t *error)
{
    return json_read(text, strlen(text), flags, error);
}

json_t *json_read_file(const char *path, size_t flags, json_error_t *error)
{
    json_error_t unused, *told = error ? error : &unused;
    struct vouch_error why = {0};
    struct buffer all = {0};
    FILE *file = fopen(path, "re");
    bool ok = file && buffer_add_stream(&all, file, &why);
    begin_error(told, "<file>");
    if (!ok)
        set_error(told, why.status == VOUCH_ERR_MEMORY ? json_error_out_of_memory : json_error_cannot_open_file,
                  why.status == VOUCH_ERR_MEMORY ? "out of memory" : "the file cannot be read");
    json_t *value = ok ? json_read(buffer_text(&all).at, all.length, flags, told) : NULL;
    if (file)
        fclose(file);
    free(all.bytes);
    return value;
}
