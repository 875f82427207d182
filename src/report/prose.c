/*
 * Builds prose: see prose.h. An argument of a command line is quoted as a shell reads it, with control characters as
 * escapes of $'...', so that a command in a report can be copied and run.
 */
#include "report/prose.h"

#include "base/buffer.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void prose_say(struct prose *prose, const char *format, ...)
{
    struct buffer text = {prose->text, prose->length, prose->capacity};
    va_list arguments;
    va_start(arguments, format);
    prose->broken |= !buffer_print_list(&text, NULL, format, arguments);
    va_end(arguments);
    prose->text = text.bytes;
    prose->length = text.length;
    prose->capacity = text.capacity;
}

void prose_begin(struct prose *prose)
{
    prose_say(prose, "%s", "");
}

const char *prose_number(struct shown_number *room, double number, int digits)
{
    char plain[sizeof room->text / 2];
    size_t to = 0;
    snprintf(plain, sizeof plain, "%.*f", digits, number);
    size_t sign = plain[0] == '-', whole = strcspn(plain + sign, ".");
    for (size_t i = 0; plain[i] && to + 2 < sizeof room->text; i++) {
        if (i > sign && i < sign + whole && (sign + whole - i) % 3 == 0)
            room->text[to++] = ',';
        room->text[to++] = plain[i];
    }
    room->text[to] = '\0';
    return room->text;
}

void prose_end(struct prose *prose, const char *text)
{
    if (prose->length)
        prose_say(prose, "%s", text);
}

static bool is_control(char c)
{
    return (unsigned char)c < ' ' || c == '\x7f';
}

void prose_say_argument(struct prose *prose, const char *argument)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_+=./,:@%";
    bool escapes = false;
    for (const char *c = argument; *c; c++)
        escapes = escapes || is_control(*c);
    if (*argument && !argument[strspn(argument, plain)]) {
        prose_say(prose, "%s", argument);
        return;
    }
    prose_say(prose, escapes ? "$'" : "'");
    for (; *argument; argument++)
        if (is_control(*argument))
            prose_say(prose, "\\%03o", (unsigned)*argument);
        else if (*argument == '\'')
            prose_say(prose, escapes ? "\\'" : "'\\''");
        else
            prose_say(prose, escapes && *argument == '\\' ? "\\%c" : "%c", *argument);
    prose_say(prose, "'");
}

const char *prose_comma(size_t i, size_t n)
{
    return i == 0 ? "" : i + 1 == n ? " and " : ", ";
}

char *prose_take(struct prose *prose, struct vouch_error *err)
{
    prose_begin(prose);
    char *text = prose->broken ? NULL : prose->text;
    if (!text) {
        fail_memory(err);
        free(prose->text);
    }
    *prose = (struct prose){0};
    return text;
}

void prose_release(struct prose *prose)
{
    free(prose->text);
    *prose = (struct prose){0};
}
