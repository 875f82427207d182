/*
 * The pages that the server shows: the start page and the desk. Each is an empty document, whose program
 * (web/src/served.js, web/src/desk.js) draws the page. Style and program are files of their own, so that the content
 * policy can forbid everything inside the document.
 * A program that was built without npm shows a plain page instead, which names the routes.
 */
#include "report/web.h"
#include "serve/http.h"
#include "serve/server.h"

/* What is at /assets/. */
static const struct asset {
    const char *name, *type;
    const struct text *content;
} assets[] = {
    {"style.css", "text/css; charset=utf-8", &web_style},
    {"served.css", "text/css; charset=utf-8", &web_served_style},
    {"desk.css", "text/css; charset=utf-8", &web_desk_style},
    {"desk.js", "text/javascript; charset=utf-8", &web_desk_script},
    {"served.js", "text/javascript; charset=utf-8", &web_served_script},
    {"icon.svg", "image/svg+xml", &web_icon},
};

static bool show_asset(struct exchange *e, struct vouch_error *err)
{
    for (size_t i = 0; i < sizeof assets / sizeof *assets; i++)
        if (strcmp(e->segment[0], assets[i].name) == 0) {
            e->sent_type = assets[i].type;
            output_write(e->out, assets[i].content->at, assets[i].content->length);
            return true;
        }
    return refuse(e, 404, err, "there is nothing at this address");
}

/* Writes a route as a line of the plain page. Routes have no sign that HTML gives a meaning. */
static void write_route(void *context, const struct route *route)
{
    output_printf(context, "<tr><td><code>%s %s</code></td><td>%s</td></tr>\n", route->method, route->path,
                  route->summary);
}

/* The bar above is painted before the script runs, which draws the same in its place: there is room for the sign. */
static void write_page(struct exchange *e, const char *title, const char *program)
{
    e->sent_type = "text/html; charset=utf-8";
    output_printf(e->out, "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                          "<title>%s</title>\n<link rel=\"icon\" href=\"/assets/icon.svg\">\n"
                          "<link rel=\"stylesheet\" href=\"/assets/style.css\">\n",
                  title);
    if (web_served_script.length > 0) {
        output_printf(e->out, "<link rel=\"stylesheet\" href=\"/assets/%s.css\">\n"
                              "<script src=\"/assets/%s.js\" defer></script>\n</head>\n<body class=\"at-work\">\n"
                              "<div class=\"app\"><header class=\"head\"><a class=\"brand\" href=\"/\">"
                              "<svg viewBox=\"0 0 24 24\"></svg>vouch</a></header>\n"
                              "<noscript><div class=\"work one\"><p>This page needs JavaScript; the interface does "
                              "not: see <a href=\"/openapi.json\">its description</a>.</p></div></noscript>\n"
                              "</div>\n</body>\n</html>\n",
                      program, program);
        return;
    }
    output_printf(e->out, "</head>\n<body class=\"document\">\n<h1>vouch serve</h1>\n<p>This vouch was built without "
                          "npm, and has no page to try things on. The interface is all there: see "
                          "<a href=\"/openapi.json\">its description</a>, and vouch-serve(1).</p>\n<table>\n");
    routes_each(write_route, e->out);
    output_printf(e->out, "</table>\n</body>\n</html>\n");
}

static bool show_start(struct exchange *e, struct vouch_error *err)
{
    (void)err;
    write_page(e, "vouch", "served");
    return true;
}

static bool show_desk(struct exchange *e, struct vouch_error *err)
{
    if (!e->server->desk)
        return refuse(e, 404, err, "nothing is labelled here: start vouch serve with a corpus, or with --store");
    write_page(e, "Desk · vouch", "desk");
    return true;
}

const struct route page_routes[] = {
    {"GET", "/", ROUTE_OPEN, "the start page", show_start},
    {"GET", "/desk", ROUTE_OPEN, "the page on which annotators work", show_desk},
    {"GET", "/assets/{name}", ROUTE_OPEN, "what pages are made of", show_asset},
    {0},
};
