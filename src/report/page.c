/* Writes pages: see page.h. */
#include "report/page.h"

#include "report/report_style.h"

/*
 * The page is black on white or the other way round, as the reader's system prefers. Blue and vermilion can be told
 * apart with nearly any colour vision, and marks, borders and words repeat what colours show.
 */
static const char style[] =
    ":root{color-scheme:light dark;--paper:#fff;--ink:#1d1d1b;--soft:#63625d;--line:#dcdad4;--fill:#f5f4f0;"
    "--mark:#ffe8a3;--warm:#a63f00;--warm-fill:#fdeee3;--cool:#00568c;--cool-fill:#e4f0f9}\n"
    "@media(prefers-color-scheme:dark){:root{--paper:#181817;--ink:#e9e7e1;--soft:#a3a199;--line:#3b3a37;"
    "--fill:#232321;--mark:#6b5300;--warm:#ffa776;--warm-fill:#3b2417;--cool:#84c5f2;--cool-fill:#172c3c}}\n"
    "*{box-sizing:border-box}\n"
    "body{margin:0 auto;padding:2.5rem 1.25rem 4rem;max-width:54rem;background:var(--paper);color:var(--ink);"
    "font:1rem/1.55 system-ui,-apple-system,\"Segoe UI\",Roboto,\"Noto Sans\",sans-serif;"
    "font-variant-numeric:tabular-nums;overflow-wrap:anywhere}\n"
    "h1{margin:0 0 .5rem;font-size:1.7rem;line-height:1.2;font-weight:650;text-wrap:balance}\n"
    "h2{margin:2.5rem 0 .5rem;font-size:1.2rem;line-height:1.3;font-weight:650}\n"
    "p{margin:.5rem 0;max-width:42rem}\n"
    ".lead{margin-bottom:1.5rem;font-size:1.1rem;color:var(--soft)}\n"
    "a{color:var(--cool)}\n"
    "code,kbd,pre,.label{font-family:ui-monospace,\"SF Mono\",Menlo,Consolas,\"DejaVu Sans Mono\",monospace;"
    "font-size:.875em}\n"
    "pre{white-space:pre-wrap;padding:.6rem .8rem;background:var(--fill);border-radius:.3rem}\n"
    "table{width:100%;margin:1rem 0;border-collapse:collapse;font-size:.95rem}\n"
    "th,td{padding:.35rem .75rem .35rem 0;border-bottom:1px solid var(--line);text-align:left;vertical-align:top;"
    "overflow-wrap:break-word}\n"
    "th{color:var(--soft);font-weight:550}\n"
    ".number{text-align:right}\n"
    "figure{margin:1.5rem 0}\n"
    "figure svg,img{max-width:100%;height:auto}\n"
    "figcaption,.soft{color:var(--soft);font-size:.9rem}\n"
    ".note{margin:1.5rem 0;padding:.75rem 1rem;max-width:none;background:var(--fill);border-left:3px solid "
    "var(--cool)}\n"
    ".note p{max-width:none}\n"
    ".note pre{background:var(--paper)}\n"
    "mark{padding:.05em .15em;background:var(--mark);color:inherit;border-radius:.2em}\n"
    ".label{display:inline-block;padding:0 .45em;border:1px solid;border-radius:.3em}\n"
    ".label small{opacity:.8;font-family:system-ui,sans-serif}\n"
    ".pair{display:inline-block;margin-right:1rem}\n"
    ".warm{color:var(--warm);background:var(--warm-fill)}\n"
    ".cool{color:var(--cool);background:var(--cool-fill)}\n"
    /* A share of 100 as a length: the style sets --share. */
    ".bar{display:block;margin:.2rem 0;height:.4rem;border-radius:.2rem;"
    "background:linear-gradient(var(--warm),var(--warm)) 0 0/calc(var(--share)*1%) 100% no-repeat var(--line)}\n"
    /* Long lists: what is out of sight is not laid out. */
    ".items{margin:0;padding:0;list-style:none}\n"
    ".items>li{display:grid;grid-template-columns:4.5rem minmax(0,1fr);gap:1.25rem;padding:1rem 0;border-top:1px solid "
    "var(--line);content-visibility:auto;contain-intrinsic-size:auto 8rem}\n"
    ".items p{margin:0 0 .35rem;max-width:none}\n"
    ".items p:last-child{margin:0}\n"
    "@media(max-width:34rem){.items>li{grid-template-columns:minmax(0,1fr);gap:.5rem}.items .bar{max-width:8rem}}\n"
    "@media "
    "print{:root{color-scheme:light;--paper:#fff;--ink:#000;--soft:#444;--line:#bbb;--fill:#fff;--mark:#ffe8a3;--warm:#"
    "a63f00;"
    "--warm-fill:#fff;--cool:#00568c;--cool-fill:#fff}html{font-size:9.5pt}body{padding:0;max-width:none}"
    ".items>li{break-inside:avoid;content-visibility:visible}mark,.bar{print-color-adjust:exact;"
    "-webkit-print-color-adjust:exact}mark{text-decoration:underline}}\n";

static const char *escape_of(char c)
{
    switch (c) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    case '\'':
        return "&#39;";
    default:
        return NULL;
    }
}

void page_text(struct output *out, struct text text)
{
    for (uint32_t from = 0, to; from < text.length; from = to) {
        const char *escape = escape_of(text.at[from]);
        for (to = from + 1; !escape && to < text.length && !escape_of(text.at[to]);)
            to++;
        if (escape)
            output_write(out, escape, strlen(escape));
        else
            output_write(out, text.at + from, to - from);
    }
}

void page_begin(struct output *out, const char *title, const char *lead)
{
    output_printf(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                       "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>");
    page_text(out, text_of(title));
    output_printf(out, "</title>\n<style>\n%s%s</style>\n</head>\n<body>\n<h1>", style, report_style);
    page_text(out, text_of(title));
    output_printf(out, "</h1>\n<p class=\"lead\">");
    page_text(out, text_of(lead));
    output_printf(out, "</p>\n");
}

void page_end(struct output *out)
{
    output_printf(out, "</body>\n</html>\n");
}
