/* Lists of strings: see strings.h. */
#include "study/strings.h"

#include "base/memory.h"

#include <stdio.h>

bool strings_add_list(struct strings *list, struct vouch_error *err, const char *format, va_list args)
{
    va_list again;
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    bool ok = RESERVE(list->at, list->capacity, list->count + 1, err);
    char *text = ok && length >= 0 ? new_array((size_t)length + 1, 1, err) : NULL;
    if (!text)
        return false;
    vsnprintf(text, (size_t)length + 1, format, args);
    list->at[list->count++] = text;
    return true;
}

bool strings_add(struct strings *list, struct vouch_error *err, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    bool ok = strings_add_list(list, err, format, args);
    va_end(args);
    return ok;
}

void strings_release(struct strings *list)
{
    for (size_t i = 0; i < list->count; i++)
        free(list->at[i]);
    free(list->at);
    *list = (struct strings){0};
}
