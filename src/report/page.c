/*
 * Writes pages, and text within Markdown: see page.h.
 *
 * A figure that is put into the page loses its prologue and its style table: on a page the table would hold for all
 * figures, and the page has its own. In tags, every id, and every reference to one (href='#...', url(#...)), gets a
 * prefix, and colours become the page's. Text between tags stays as it is.
 */
#include "report/page.h"

#include "report/chart.h"
#include "report/web.h"

#include <string.h>

static const char *escape_of(char c)
{
    static const char *const escapes[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"};
    static const char escaped[] = "&<>\"'";
    const char *at = c ? strchr(escaped, c) : NULL;
    return at ? escapes[at - escaped] : NULL;
}

void page_text(struct output *out, struct text text)
{
    for (uint32_t from = 0, to; from < text.length; from = to) {
        const char *escape = escape_of(text.at[from]);
        for (to = from + 1; !escape && to < text.length && !escape_of(text.at[to]);)
            to++;
        output_write(out, escape ? escape : text.at + from, escape ? strlen(escape) : to - from);
    }
}

void page_put(struct output *out, const char *before, const char *text, const char *after)
{
    output_write(out, before, strlen(before));
    page_text(out, text_of(text));
    output_write(out, after, strlen(after));
}

void page_begin(struct output *out, const char *title, const char *lead)
{
    page_put(out,
             "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
             "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>",
             title, "</title>\n<style>\n");
    output_write(out, web_style.at, web_style.length);
    output_printf(out, "</style>\n</head>\n<body>\n<main class=\"document\">\n");
    page_put(out, "<h1>", title, "</h1>\n");
    page_put(out, "<p class=\"lead\">", lead, "</p>\n");
}

void page_end(struct output *out)
{
    output_printf(out, "</main>\n</body>\n</html>\n");
}

/* Figures. */

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

void page_svg(struct output *out, const char *svg, const char *prefix)
{
    static const char style_end[] = "</style>";
    const char *root = strstr(svg, "<svg");
    if (!root)
        return;
    output_printf(out, "<svg class=\"plot\" role=\"img\"");
    root += strlen("<svg");
    const char *style = strstr(root, "<style>"), *rest = style ? strstr(style, style_end) : NULL;
    const char *from = root, *at = root; /* what is not written yet begins at `from` */
    for (bool in_tag = false; *at;) {
        size_t name = in_tag ? before_a_name(at) : 0;
        size_t left_out = rest && at == style ? (size_t)(rest - at) + strlen(style_end) : empty_group(at);
        const char *token;
        size_t colour = in_tag ? chart_colour(at, &token) : 0;
        if (name || left_out || colour) {
            at += name;
            output_write(out, from, (size_t)(at - from));
            output_write(out, prefix, name ? strlen(prefix) : 0);
            if (colour)
                output_printf(out, "var(--%s)", token);
            from = at += left_out + colour;
        } else {
            in_tag = *at == '<' || (in_tag && *at != '>');
            at++;
        }
    }
    output_write(out, from, (size_t)(at - from));
}

/* Markdown. */

void markdown_put(struct output *out, const char *before, const char *text, const char *after)
{
    if (!out)
        return;
    output_write(out, before, strlen(before));
    for (; *text; text++) {
        if (strchr("\\`*_[]<>|#", *text))
            output_write(out, "\\", 1);
        output_write(out, (unsigned char)*text < ' ' ? " " : text, 1);
    }
    output_write(out, after, strlen(after));
}
