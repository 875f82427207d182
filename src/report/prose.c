/* Prose: see prose.h. */
#include "report/prose.h"

#include "base/memory.h"

#include <stdarg.h>
#include <stdio.h>

void prose_say(struct prose *prose, const char *format, ...)
{
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (length < 0 || !RESERVE(prose->text, prose->capacity, prose->length + (size_t)length + 1, NULL))
        prose->broken = true;
    else
        prose->length += (size_t)vsnprintf(prose->text + prose->length, (size_t)length + 1, format, again);
    va_end(again);
}

const char *prose_comma(size_t i, size_t n)
{
    return i == 0 ? "" : i + 1 == n ? " and " : ", ";
}

char *prose_take(struct prose *prose, struct vouch_error *err)
{
    prose_say(prose, "%s", "");
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
