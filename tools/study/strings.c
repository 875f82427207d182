/* Implements lists of strings: see strings.h. */
#include "study/strings.h"

#include "base/buffer.h"

bool strings_add_list(struct strings *list, struct vouch_error *err, const char *format, va_list args)
{
    struct buffer text = {0};
    if (!RESERVE(list->at, list->capacity, list->count + 1, err) || !buffer_print_list(&text, err, format, args))
        return false;
    list->at[list->count++] = text.bytes;
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
