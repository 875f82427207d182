/* Text on a terminal: see show.h. */
#include "cli/show.h"

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
    char room[1024], *line = room;
    va_list again;
    va_copy(again, args);
    int length = vsnprintf(room, sizeof room, format, args);
    if (length >= (int)sizeof room) {
        line = malloc((size_t)length + 1);
        if (line)
            vsnprintf(line, (size_t)length + 1, format, again);
        else { /* as much as there is room for */
            line = room;
            length = (int)sizeof room - 1;
        }
    }
    va_end(again);
    if (length > 0)
        show_text(to, (struct text){line, (uint32_t)length}, "\n\t");
    if (line != room)
        free(line);
}

void showf(FILE *to, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    show_list(to, format, args);
    va_end(args);
}
