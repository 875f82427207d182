/* Writes text within Markdown: see markdown.h. */
#include "report/markdown.h"

#include <string.h>

void markdown_text(struct output *out, const char *text)
{
    for (; *text; text++) {
        if (strchr("\\`*_[]<>|#", *text))
            output_write(out, "\\", 1);
        output_write(out, (unsigned char)*text < ' ' ? " " : text, 1);
    }
}

void markdown_point(struct output *out, const char *lead, const char *text)
{
    output_printf(out, "**");
    markdown_text(out, lead);
    output_printf(out, "** ");
    markdown_text(out, text);
}
