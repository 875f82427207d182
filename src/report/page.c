/*
 * Writes pages, and text within Markdown: see page.h.
 *
 * A figure that is put into the page loses its prologue and its style table: on a page the table would hold for all
 * figures, and the page has its own. In tags, every id, and every reference to one (href='#...', url(#...)), gets a
 * prefix. Text between tags stays as it is.
 */
#include "report/page.h"

#include <string.h>

/*
 * The page is black on white or the other way round, as the reader's system prefers. Blue and vermilion can be told
 * apart with nearly any colour vision, and marks, borders and words repeat what colours show. A bar is as long as
 * --share of 100. What is out of sight in a long list is not laid out.
 */
static const char page_style[] =
    ":root{color-scheme:light dark;--paper:#fff;--ink:#1d1d1b;--soft:#63625d;--line:#dcdad4;--fill:#f5f4f0;"
    "--mark:#ffe8a3;--warm:#a63f00;--warm-fill:#fdeee3;--cool:#00568c;--cool-fill:#e4f0f9}\n"
    "@media(prefers-color-scheme:dark){:root{--paper:#181817;--ink:#e9e7e1;--soft:#a3a199;--line:#3b3a37;"
    "--fill:#232321;--mark:#6b5300;--warm:#ffa776;--warm-fill:#3b2417;--cool:#84c5f2;--cool-fill:#172c3c}}\n"
    "*{box-sizing:border-box}\n"
    "body{margin:0 auto;padding:2.5rem 1.25rem 4rem;max-width:54rem;background:var(--paper);color:var(--ink);"
    "font:1rem/1.55 system-ui,-apple-system,\"Segoe UI\",Roboto,\"Noto Sans\",sans-serif;"
    "font-variant-numeric:tabular-nums;overflow-wrap:anywhere}\n"
    "h1{margin:0 0 .5rem;font-size:1.7rem;line-height:1.2;font-weight:650;text-wrap:balance}\n"
    "h2{margin:2.5rem 0 .5rem;font-size:1.2rem;line-height:1.3;font-weight:650}\np{margin:.5rem 0;max-width:42rem}\n"
    ".lead{margin-bottom:1.5rem;font-size:1.1rem;color:var(--soft)}\na{color:var(--cool)}\n"
    "code,kbd,pre,.label{font-family:ui-monospace,\"SF Mono\",Menlo,Consolas,\"DejaVu Sans Mono\",monospace;"
    "font-size:.875em}\n"
    "pre{white-space:pre-wrap;padding:.6rem .8rem;background:var(--fill);border-radius:.3rem}\n"
    "table{width:100%;margin:1rem 0;border-collapse:collapse;font-size:.95rem}\n"
    "th,td{padding:.35rem .75rem .35rem 0;border-bottom:1px solid var(--line);text-align:left;vertical-align:top;"
    "overflow-wrap:break-word}\n"
    "th{color:var(--soft);font-weight:550}\n.number{text-align:right}\nfigure{margin:1.5rem 0}\n"
    "figure svg,img{max-width:100%;height:auto}\nfigcaption,.soft{color:var(--soft);font-size:.9rem}\n"
    ".note{margin:1.5rem 0;padding:.75rem 1rem;max-width:none;background:var(--fill);"
    "border-left:3px solid var(--cool)}\n"
    ".note p{max-width:none}\n.note pre{background:var(--paper)}\n"
    "mark{padding:.05em .15em;background:var(--mark);color:inherit;border-radius:.2em}\n"
    ".label{display:inline-block;padding:0 .45em;border:1px solid;border-radius:.3em}\n"
    ".label small{opacity:.8;font-family:system-ui,sans-serif}\n.pair{display:inline-block;margin-right:1rem}\n"
    ".warm{color:var(--warm);background:var(--warm-fill)}\n.cool{color:var(--cool);background:var(--cool-fill)}\n"
    ".bar{display:block;margin:.2rem 0;height:.4rem;border-radius:.2rem;background:linear-gradient(var(--warm),"
    "var(--warm)) 0 0/calc(var(--share)*1%) 100% no-repeat var(--line)}\n"
    ".items{margin:0;padding:0;list-style:none}\n"
    ".items>li{display:grid;grid-template-columns:4.5rem minmax(0,1fr);gap:1.25rem;padding:1rem 0;"
    "border-top:1px solid var(--line);content-visibility:auto;contain-intrinsic-size:auto 8rem}\n"
    ".items p{margin:0 0 .35rem;max-width:none}\n.items p:last-child{margin:0}\n"
    "@media(max-width:34rem){.items>li{grid-template-columns:minmax(0,1fr);gap:.5rem}.items .bar{max-width:8rem}}\n"
    "@media print{:root{color-scheme:light;--paper:#fff;--ink:#000;--soft:#444;--line:#bbb;--fill:#fff;"
    "--mark:#ffe8a3;--warm:#a63f00;--warm-fill:#fff;--cool:#00568c;--cool-fill:#fff}html{font-size:9.5pt}body{"
    "padding:0;max-width:none}.items>li{break-inside:avoid;content-visibility:visible}mark,.bar{"
    "print-color-adjust:exact;-webkit-print-color-adjust:exact}mark{text-decoration:underline}}\n";

/* What reports need in addition: tables of numbers, figures, the marks of verdicts, contents. */
static const char report_style[] =
    "body:has(.scroll){max-width:68rem}\n"
    "nav ol{margin:1rem 0 2rem;padding:0;list-style:none;columns:15rem 2;column-gap:2rem}\n"
    "nav li{padding:.15rem 0;break-inside:avoid}\nnav a{text-decoration:none}nav a:hover{text-decoration:underline}\n"
    "h3{margin:2rem 0 .5rem;font-size:1.05rem;line-height:1.3;font-weight:650}\nfigure{margin:2rem 0}\n"
    "figcaption{max-width:46rem;margin-bottom:.5rem;line-height:1.45}\n"
    "figcaption b{display:block;color:var(--ink);font-weight:600}\n.scroll{overflow-x:auto}\n"
    ".scroll table{width:auto;min-width:60%;margin:.25rem 0;font-size:.84rem;line-height:1.35}\n"
    ".scroll th,.scroll td{padding:.3rem .38rem;border-bottom:1px solid var(--line);white-space:nowrap}\n"
    ".scroll th:first-child{padding-left:0;white-space:normal;min-width:8rem;color:var(--ink);font-weight:400}\n"
    ".scroll thead th,.scroll thead th:first-child{color:var(--soft);font-weight:550;vertical-align:bottom;"
    "border-bottom-color:var(--soft);white-space:normal}\n"
    ".scroll thead tr:not(:last-child) th{border-bottom:0}\n"
    ".scroll thead tr .group.group{text-align:center;border-bottom:1px solid var(--line);padding-bottom:.1rem}\n"
    ".scroll .mean>*{border-top:1px solid var(--soft);border-bottom-color:var(--soft)}\n"
    ".scroll sup{margin-right:-1em;display:inline-block;width:1em;text-align:left;line-height:0}\n"
    ".scroll b{font-weight:700}\n.published{display:block;font-size:.8em;line-height:1.2;color:var(--soft)}\n"
    "figure.table .soft{margin:.25rem 0 0;max-width:46rem;font-size:.8rem}\n"
    ".panels{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(24rem,100%),1fr));gap:1rem}\n"
    ".plot{display:block;width:100%;height:auto}.plot:only-child{max-width:54rem}\n"
    ".plot [id$=gnuplot_canvas]>rect{fill:none}\n.plot text{fill:var(--ink);stroke:none}\n"
    ".plot text,.plot tspan{font-family:system-ui,-apple-system,\"Segoe UI\",Roboto,\"Noto Sans\",sans-serif}\n"
    ".claims{margin:1rem 0;padding:0;list-style:none}\n"
    ".claims li{display:grid;grid-template-columns:9.5rem 1fr;gap:1rem;padding:.6rem 0;"
    "border-top:1px solid var(--line)}\n"
    ".claims p{margin:0;max-width:none}\n"
    ".verdict{align-self:start;padding:.1rem .55rem;border:1px solid;border-radius:.3em;font-size:.875rem;"
    "white-space:nowrap;justify-self:start}\n"
    ".verdict::before{display:inline-block;width:1.3em}\n"
    ".yes .verdict{color:var(--cool);background:var(--cool-fill)}.yes .verdict::before{content:\"\\2713\"}\n"
    ".partly .verdict{color:var(--ink);background:var(--fill)}.partly .verdict::before{content:\"\\25D0\"}\n"
    ".no .verdict{color:var(--warm);background:var(--warm-fill)}.no .verdict::before{content:\"\\2717\"}\n"
    ".open .verdict{color:var(--soft)}.open .verdict::before{content:\"\\2013\"}\n"
    "summary{cursor:pointer;color:var(--cool)}\n"
    ".commands{font-size:.875rem}.commands dt{margin-top:.6rem}.commands dd{margin:0 0 0 1rem;color:var(--soft);"
    "overflow-wrap:anywhere}\n"
    "@media(max-width:34rem){.claims li{grid-template-columns:1fr;gap:.3rem}}\n"
    "@media print{figure.table,.claims li,.plot,tr{break-inside:avoid}h2,h3,figcaption{break-after:avoid}thead{"
    "display:table-header-group}.scroll{overflow:visible}.scroll table{font-size:7.5pt}.panels{"
    "display:block}.panels .plot{display:inline-block;width:48%}.panels .plot:only-child{width:100%}a{color:inherit;"
    "text-decoration:none}}\n";

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
    output_printf(out, "%s%s</style>\n</head>\n<body>\n", page_style, report_style);
    page_put(out, "<h1>", title, "</h1>\n");
    page_put(out, "<p class=\"lead\">", lead, "</p>\n");
}

void page_end(struct output *out)
{
    output_printf(out, "</body>\n</html>\n");
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
        if (name || left_out) {
            at += name;
            output_write(out, from, (size_t)(at - from));
            output_write(out, prefix, name ? strlen(prefix) : 0);
            from = at += left_out;
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
