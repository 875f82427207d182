/* Writes text on a terminal: see show.h. */
#include "cli/show.h"

#include "base/buffer.h"

#include <stdlib.h>
#include <string.h>

void show_text(FILE *to, struct text text, const char *kept)
{
    while (text.length > 0) {
        bool keep = strchr(kept, text.at[0]) && text.at[0] != '\0';
        const char *from = text.at;
        struct text shown = text_visible(&text);
        if (keep)
            shown = (struct text){from, 1};
        fwrite(shown.at, 1, shown.length, to);
    }
}

void show_list(FILE *to, const char *format, va_list args)
{
    struct printed line;
    printed_make(&line, format, args);
    show_text(to, (struct text){line.at, line.length}, "\n\t");
    printed_release(&line);
}

void showf(FILE *to, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    show_list(to, format, args);
    va_end(args);
}

void show_json(json_t *result, int digits)
{
    char *text = json_dumps(result, JSON_INDENT(2) | JSON_REAL_PRECISION(digits));
    puts(text ? text : "{}");
    free(text);
    json_decref(result);
}
