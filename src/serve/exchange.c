/*
 * A request from its headers to its response: see exchange.h.
 *
 * Everything that the headers tell is checked before the body is read, in the order of what it costs an attacker:
 * whether the request is one, the name of the server, the page that sends it, the route, the token, and for writes the
 * header X-Vouch, which a page from elsewhere cannot send without asking first, and the type of the body.
 */
#include "serve/exchange.h"

#include "base/buffer.h"
#include "base/json_read.h"
#include "serve/access.h"
#include "serve/form.h"
#include "serve/label_studio.h"
#include "serve/server.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

static const struct route *const tables[] = {answer_routes,       job_routes,       desk_routes,
                                            cut_routes,          label_studio_routes, inception_routes,
                                            udpipe_routes,       page_routes,      openapi_routes};
enum { TABLES = sizeof tables / sizeof *tables, SHORT_BODY = 8 << 10 };

void routes_each(void (*call)(void *context, const struct route *route), void *context)
{
    for (size_t t = 0; t < TABLES; t++)
        for (const struct route *route = tables[t]; route->method; route++)
            call(context, route);
}

const char *status_phrase(unsigned status)
{
    static const struct {
        unsigned status;
        const char *phrase;
    } known[] = {{200, "OK"},
                 {204, "No Content"},
                 {400, "Bad Request"},
                 {401, "Unauthorized"},
                 {403, "Forbidden"},
                 {404, "Not Found"},
                 {405, "Method Not Allowed"},
                 {408, "Request Timeout"},
                 {409, "Conflict"},
                 {413, "Content Too Large"},
                 {415, "Unsupported Media Type"},
                 {421, "Misdirected Request"},
                 {422, "Unprocessable Content"},
                 {429, "Too Many Requests"},
                 {431, "Request Header Fields Too Large"},
                 {500, "Internal Server Error"},
                 {501, "Not Implemented"},
                 {503, "Service Unavailable"}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (known[i].status == status)
            return known[i].phrase;
    return "Error";
}

static int digit(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

size_t percent_decode(char *text)
{
    char *to = text;
    for (const char *from = text; *from; from++) {
        int high = *from == '%' ? digit(from[1]) : -1, low = high >= 0 ? digit(from[2]) : -1;
        bool escape = low >= 0 && (high || low);
        *to++ = escape ? (char)(high << 4 | low) : *from;
        from += escape ? 2 : 0;
    }
    *to = '\0';
    return (size_t)(to - text);
}

void incoming_begin(struct incoming *in, struct server *server, const char *method, const char *path)
{
    struct output *out = in->exchange.out;
    incoming_end(in);
    output_empty(out);
    in->exchange = (struct exchange){.server = server,
                                     .method = method,
                                     .path = path,
                                     .type = "",
                                     .accept = "",
                                     .origin = "",
                                     .body = "",
                                     .status = 200,
                                     .sent_type = "application/json",
                                     .out = out,
                                     .private = in};
    in->route = NULL;
    in->number = ROUTES_MOST;
    in->headers = in->parameters = 0;
    in->overfull = in->closes = false;
    in->refused = 0;
}

static bool add_pair(struct pair *list, size_t *count, const char *name, const char *value)
{
    if (*count == MOST_PAIRS)
        return false;
    list[(*count)++] = (struct pair){name, value ? value : ""};
    return true;
}

void incoming_add_header(struct incoming *in, const char *name, const char *value)
{
    in->overfull |= !add_pair(in->header, &in->headers, name, value);
}

void incoming_add_parameter(struct incoming *in, const char *name, const char *value)
{
    in->overfull |= !add_pair(in->parameter, &in->parameters, name, value);
}

void incoming_end(struct incoming *in)
{
    for (size_t i = 0; i < in->sents; i++) {
        free(in->sent[i].name);
        free(in->sent[i].value);
    }
    in->sents = 0;
    form_release(&in->form);
}

const char *exchange_parameter(const struct exchange *e, const char *name)
{
    const struct incoming *in = e->private;
    for (size_t i = 0; i < in->parameters; i++)
        if (strcmp(in->parameter[i].name, name) == 0)
            return in->parameter[i].value;
    return NULL;
}

const char *exchange_header(const struct exchange *e, const char *name)
{
    const struct incoming *in = e->private;
    for (size_t i = 0; i < in->headers; i++)
        if (strcasecmp(in->header[i].name, name) == 0)
            return in->header[i].value;
    return NULL;
}

bool exchange_parameters(const struct exchange *e, each_parameter call, void *context, struct vouch_error *err)
{
    const struct incoming *in = e->private;
    for (size_t i = 0; i < in->parameters; i++)
        if (!call(context, in->parameter[i].name, in->parameter[i].value, err))
            return false;
    return true;
}

bool exchange_add_header(struct exchange *e, const char *name, const char *value, struct vouch_error *err)
{
    struct incoming *in = e->private;
    if (in->sents == MOST_SENT)
        return fail(err, VOUCH_ERR_ARGUMENT, "expected at most %d headers in a response", (int)MOST_SENT);
    if (strpbrk(value, "\r\n"))
        return fail(err, VOUCH_ERR_ARGUMENT, "expected a header of one line");
    char *name_copy = new_string(name, strlen(name), err), *value_copy = new_string(value, strlen(value), err);
    in->sent[in->sents].name = name_copy;
    in->sent[in->sents++].value = value_copy;
    return name_copy && value_copy;
}

bool refuse(struct exchange *e, unsigned status, struct vouch_error *err, const char *format, ...)
{
    char message[sizeof err->message];
    struct incoming *in = e->private;
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    in->refused = status;
    return fail(err, VOUCH_ERR_ARGUMENT, "%s", message);
}

bool respond_json(struct exchange *e, unsigned status, json_t *value, struct vouch_error *err)
{
    char *text = value ? json_dumps(value, JSON_COMPACT | JSON_REAL_PRECISION(9)) : NULL;
    json_decref(value);
    if (!text)
        return fail_memory(err);
    e->status = status;
    output_write(e->out, text, strlen(text));
    output_write(e->out, "\n", 1);
    free(text);
    return true;
}

json_t *exchange_json(struct exchange *e, json_type kind, struct vouch_error *err)
{
    json_error_t error;
    json_t *value = json_read(e->body, e->length, JSON_REJECT_DUPLICATES, &error);
    if (value && json_typeof(value) == kind)
        return value;
    if (!value && json_lacked_memory(&error))
        fail_memory(err);
    else if (!value)
        fail(err, VOUCH_ERR_FORMAT, "body:%d: expected JSON: %s", error.line, error.text);
    else
        fail(err, VOUCH_ERR_FORMAT, "body:1: expected %s", kind == JSON_OBJECT ? "an object" : "a list");
    json_decref(value);
    return NULL;
}

const char *body_string(const json_t *object, const char *key, struct vouch_error *err)
{
    const char *text = json_string_value(json_object_get(object, key));
    if (!text)
        fail(err, VOUCH_ERR_FORMAT, "body: expected \"%s\", a string", key);
    return text;
}

/* Writes the error in place of what the handler has written. */
void incoming_refuse(struct incoming *in, unsigned status, const char *detail)
{
    struct exchange *e = &in->exchange;
    unsigned long long line = 0;
    snprintf(in->problem, sizeof in->problem, "%s", detail);
    bool placed = sscanf(in->problem, "body:%llu:", &line) == 1;
    size_t length = utf8_check(in->problem, strlen(in->problem));
    json_t *problem = json_pack("{s:s, s:s, s:i, s:s%}", "type", "about:blank", "title", status_phrase(status),
                                "status", (int)status, "detail", in->problem, length);
    if (problem && placed) {
        json_object_set_new(problem, "file", json_string("body"));
        json_object_set_new(problem, "line", json_integer((json_int_t)line));
    }
    output_empty(e->out);
    e->sent_type = "application/problem+json";
    if (status == 429 || status == 503)
        exchange_add_header(e, "Retry-After", "1", NULL);
    if (!respond_json(e, status, problem, NULL))
        e->status = 503;
}

/* Refuses while headers are looked at; returns false. */
static bool deny(struct incoming *in, unsigned status, const char *format, ...) __attribute__((format(printf, 3, 4)));
static bool deny(struct incoming *in, unsigned status, const char *format, ...)
{
    char detail[500];
    va_list args;
    va_start(args, format);
    vsnprintf(detail, sizeof detail, format, args);
    va_end(args);
    incoming_refuse(in, status, detail);
    return false;
}

/* Whether the path is the route's; what is in braces goes to the segments. */
static bool matches(const struct route *route, const char *path, struct incoming *in)
{
    const char *want = route->path;
    char *to = in->segments;
    size_t count = 0;
    while (*want && *path) {
        if (*want != '{') {
            if (*want++ != *path++)
                return false;
            continue;
        }
        size_t length = strcspn(path, "/");
        if (length == 0 || to + length + 1 > in->segments + sizeof in->segments || count == MOST_SEGMENTS)
            return false;
        memcpy(to, path, length);
        to[length] = '\0';
        in->exchange.segment[count++] = to;
        to += length + 1;
        path += length;
        want += strcspn(want, "}") + 1;
    }
    return !*want && !*path;
}

/* Finds the route; `allowed` [room] gets the methods of all routes of that path, "" if there is none. */
static const struct route *find(struct incoming *in, size_t *number, char *allowed, size_t room)
{
    const char *method = strcmp(in->exchange.method, "HEAD") == 0 ? "GET" : in->exchange.method;
    size_t used = 0;
    *number = 0;
    allowed[0] = '\0';
    for (size_t t = 0; t < TABLES; t++)
        for (const struct route *route = tables[t]; route->method; route++, ++*number)
            if (matches(route, in->exchange.path, in)) {
                if (strcmp(route->method, method) == 0)
                    return route;
                if (used < room)
                    used += (size_t)snprintf(allowed + used, room - used, "%s%s", used ? ", " : "",
                                             strcmp(route->method, "GET") == 0 ? "GET, HEAD" : route->method);
            }
    *number = ROUTES_MOST;
    return NULL;
}

static size_t count_header(const struct incoming *in, const char *name)
{
    size_t count = 0;
    for (size_t i = 0; i < in->headers; i++)
        count += strcasecmp(in->header[i].name, name) == 0;
    return count;
}

/*
 * Whether it is clear where the request ends. If not, what follows may be part of it, or of another that somebody
 * smuggles past a proxy: the connection is closed.
 */
static bool is_framed(struct incoming *in)
{
    const char *length = exchange_header(&in->exchange, "Content-Length"),
               *coding = exchange_header(&in->exchange, "Transfer-Encoding");
    in->closes = true;
    for (size_t i = 0; i < in->headers; i++)
        if (!in->header[i].name[0] || strpbrk(in->header[i].name, " \t\r\n\"(),/:;<=>?@[]{}"))
            return deny(in, 400, "expected the name of a header, found '%.60s'", in->header[i].name);
    if (count_header(in, "Host") > 1 || count_header(in, "Content-Length") > 1 ||
        count_header(in, "Transfer-Encoding") > 1)
        return deny(in, 400, "expected the headers Host, Content-Length and Transfer-Encoding once at most");
    if (length && coding)
        return deny(in, 400, "expected Content-Length or Transfer-Encoding, not both");
    if (coding && strcasecmp(coding, "chunked") != 0)
        return deny(in, 501, "expected the Transfer-Encoding chunked, found '%.60s'", coding);
    if (length && (!*length || length[strspn(length, "0123456789")] || strlen(length) > 15))
        return deny(in, 400, "expected a number of bytes as Content-Length, found '%.60s'", length);
    in->closes = in->overfull; /* one of those that were left out may be one of these */
    return true;
}

static bool is_small(struct incoming *in)
{
    const char *length = exchange_header(&in->exchange, "Content-Length");
    unsigned limit = in->exchange.server->options->body_limit;
    if (in->overfull)
        return deny(in, 431, "expected at most %d headers and as many parameters", MOST_PAIRS);
    return !length || strtoull(length, NULL, 10) <= (unsigned long long)limit << 20 ||
           deny(in, 413, "expected a body of at most %u MiB (--body-limit), found %s bytes", limit, length);
}

/* Whether the request is sent to this server, and not by a page from elsewhere. */
static bool is_meant(struct incoming *in)
{
    struct exchange *e = &in->exchange;
    const char *host = exchange_header(e, "Host"), *origin = exchange_header(e, "Origin");
    if (!access_knows_host(e->server->access, host))
        return deny(in, 421, "expected a name of this server as Host, found '%.100s': --allowed-host adds one",
                    host ? host : "");
    snprintf(in->origin, sizeof in->origin, "http://%s", host ? host : "");
    e->origin = in->origin;
    if (!origin || access_is_own_origin(e->server->access, origin))
        return true;
    if (!access_is_allowed_origin(e->server->access, origin))
        return deny(in, 403, "requests from pages of '%.100s' are not allowed: --cors names those that are", origin);
    return (exchange_add_header(e, "Access-Control-Allow-Origin", origin, NULL) &&
            exchange_add_header(e, "Vary", "Origin", NULL)) ||
           deny(in, 503, "out of memory");
}

/* Answers OPTIONS: which methods there are, and to a browser that asks for a page of --cors, which headers. */
static bool show_methods(struct incoming *in, const char *allowed)
{
    struct exchange *e = &in->exchange;
    bool asked = exchange_header(e, "Origin") && exchange_header(e, "Access-Control-Request-Method");
    e->status = 204;
    bool ok = exchange_add_header(e, "Allow", allowed, NULL) &&
              (!asked ||
               (exchange_add_header(e, "Access-Control-Allow-Methods", allowed, NULL) &&
                exchange_add_header(e, "Access-Control-Allow-Headers", "Authorization, Content-Type, X-Vouch", NULL) &&
                exchange_add_header(e, "Access-Control-Max-Age", "600", NULL)));
    if (!ok)
        incoming_refuse(in, 503, "out of memory");
    return false;
}

static bool find_route(struct incoming *in)
{
    struct exchange *e = &in->exchange;
    char allowed[128];
    in->route = find(in, &in->number, allowed, sizeof allowed - sizeof ", OPTIONS");
    if (in->route)
        return true;
    if (!*allowed)
        return deny(in, 404, "there is nothing at this address");
    if (strlen(allowed) < sizeof allowed - sizeof ", OPTIONS")
        strcat(allowed, ", OPTIONS");
    if (strcmp(e->method, "OPTIONS") == 0)
        return show_methods(in, allowed);
    deny(in, 405, "expected %s at this address, found %.20s", allowed, e->method);
    exchange_add_header(e, "Allow", allowed, NULL);
    return false;
}

/*
 * Whether it is not a page of another site that makes a browser ask, by a picture or a link: such requests have no
 * Origin, and what they do is done, though the page does not see the answer. Links to our pages are welcome.
 */
static bool is_wanted(struct incoming *in)
{
    const char *site = exchange_header(&in->exchange, "Sec-Fetch-Site");
    bool foreign = site && (strcmp(site, "cross-site") == 0 || strcmp(site, "same-site") == 0);
    return !foreign || in->route->flags & ROUTE_OPEN || exchange_header(&in->exchange, "Origin") ||
           deny(in, 403, "requests from pages of other sites are not allowed: --cors names those that are");
}

static bool is_permitted(struct incoming *in)
{
    struct exchange *e = &in->exchange;
    bool admitted = access_admits(e->server->access, exchange_header(e, "Authorization"),
                                  exchange_header(e, "Cookie"), &e->who);
    if (admitted || in->route->flags & ROUTE_OPEN)
        return true;
    deny(in, 401, "expected a token: 'Authorization: Bearer TOKEN'");
    exchange_add_header(e, "WWW-Authenticate", "Bearer", NULL);
    return false;
}

bool incoming_has_body(const struct incoming *in)
{
    const char *length = exchange_header(&in->exchange, "Content-Length");
    return exchange_header(&in->exchange, "Transfer-Encoding") || (length && strcmp(length, "0") != 0);
}

/* Whether a write is meant, and of the type that is read. */
static bool may_write(struct incoming *in)
{
    struct exchange *e = &in->exchange;
    const char *expected = in->route->flags & ROUTE_BINARY ? "application/octet-stream" : "application/json";
    if (!(in->route->flags & ROUTE_WRITES) || in->route->flags & ROUTE_FOREIGN)
        return true;
    if (!exchange_header(e, "X-Vouch"))
        return deny(in, 403, "expected the header X-Vouch, as in 'X-Vouch: 1', on requests that change something");
    return !incoming_has_body(in) || strcmp(e->type, expected) == 0 ||
           deny(in, 415, "expected a body of the type %s, found '%.60s'", expected, e->type);
}

bool incoming_admit(struct incoming *in)
{
    struct exchange *e = &in->exchange;
    const char *type = exchange_header(e, "Content-Type"), *accept = exchange_header(e, "Accept");
    snprintf(in->type, sizeof in->type, "%.*s", (int)strcspn(type ? type : "", "; "), type ? type : "");
    for (char *c = in->type; *c; c++)
        *c = (char)tolower((unsigned char)*c);
    e->type = in->type;
    e->accept = accept ? accept : "";
    return is_framed(in) && is_small(in) && is_meant(in) && find_route(in) && is_wanted(in) &&
           is_permitted(in) && may_write(in);
}

static unsigned status_for(const struct vouch_error *err)
{
    return err->status == VOUCH_ERR_MEMORY || err->status == VOUCH_ERR_STOPPED ? 503
           : err->status == VOUCH_ERR_IO                                        ? 500
                                                                                : 400;
}

/* Adds the fields of a form to the parameters. */
static bool read_form(struct incoming *in, struct vouch_error *err)
{
    const char *type = exchange_header(&in->exchange, "Content-Type");
    if (!(in->route->flags & ROUTE_FORM) || !type)
        return true;
    if (!form_read(&in->form, type, in->exchange.body, in->exchange.length, err))
        return false;
    for (size_t i = 0; i < in->form.count; i++)
        incoming_add_parameter(in, in->form.field[i].name, in->form.field[i].value);
    return !in->overfull || fail(err, VOUCH_ERR_FORMAT, "expected at most %d fields and parameters", MOST_PAIRS);
}

void incoming_answer(struct incoming *in)
{
    struct vouch_error err = {0};
    if (!read_form(in, &err) || !in->route->handle(&in->exchange, &err) || !output_whole(in->exchange.out, &err))
        incoming_refuse(in, in->refused ? in->refused : status_for(&err), err.message);
}

bool incoming_takes_long(const struct incoming *in)
{
    const struct exchange *e = &in->exchange;
    const char *methods = exchange_parameter(e, "confidence");
    if (in->route->flags & ROUTE_SLOW || e->length > SHORT_BODY)
        return true;
    return in->route->flags & ROUTE_STREAM &&
           ((methods && (strstr(methods, "kd-") || strstr(methods, "all"))) || exchange_parameter(e, "draws") ||
            exchange_parameter(e, "consistency"));
}
