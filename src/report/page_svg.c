/*
 * Puts a figure into the page itself: see page.h.
 *
 * The prologue and the style table are left out: on a page the style table would hold for all figures, and the page has
 * its own. In tags, every id, and every reference to one (href='#...', url(#...)), gets the prefix. Text between tags
 * stays as it is.
 */
#include "report/page.h"

#include <string.h>

/* Returns how many bytes at `at` end where the prefix belongs; 0: not here. */
static size_t before_a_name(const char *at)
{
    static const char *const start[] = {" id='", " id=\"", "href='#", "href=\"#", "url(#"};
    for (size_t i = 0; i < sizeof start / sizeof *start; i++)
        if (strncmp(at, start[i], strlen(start[i])) == 0)
            return strlen(start[i]);
    return 0;
}

/* Returns the length of an empty group, of which gnuplot writes many, or 0. */
static size_t empty_group(const char *at)
{
    static const char end[] = ">\n</g>\n";
    if (strncmp(at, "<g ", 3) != 0)
        return 0;
    const char *close = strchr(at, '>');
    return close && strncmp(close, end, strlen(end)) == 0 ? (size_t)(close - at) + strlen(end) : 0;
}

static void put_tag(struct output *out, const char *at, const char *end, const char *prefix)
{
    const char *from = at;
    while (at < end) {
        size_t length = before_a_name(at);
        at += length ? length : 1;
        if (length) {
            output_write(out, from, (size_t)(at - from));
            output_write(out, prefix, strlen(prefix));
            from = at;
        }
    }
    output_write(out, from, (size_t)(end - from));
}

static void put_elements(struct output *out, const char *at, const char *end, const char *prefix)
{
    while (at < end) {
        const char *tag = memchr(at, '<', (size_t)(end - at));
        tag = tag ? tag : end;
        output_write(out, at, (size_t)(tag - at));
        at = tag;
        size_t empty = at < end ? empty_group(at) : 0;
        const char *close = at < end ? memchr(at, '>', (size_t)(end - at)) : NULL;
        close = close ? close + 1 : end;
        if (!empty)
            put_tag(out, at, close, prefix);
        at = empty ? at + empty : close;
    }
}

void page_svg(struct output *out, const char *svg, const char *prefix)
{
    static const char style_begin[] = "<style>", style_end[] = "</style>";
    const char *root = strstr(svg, "<svg"), *end = svg + strlen(svg);
    if (!root)
        return;
    const char *style = strstr(root, style_begin), *rest = style ? strstr(style, style_end) : NULL;
    output_printf(out, "<svg class=\"plot\" role=\"img\"");
    root += strlen("<svg");
    if (rest) {
        put_elements(out, root, style, prefix);
        put_elements(out, rest + strlen(style_end), end, prefix);
    } else {
        put_elements(out, root, end, prefix);
    }
}
