/*
 * Exchanges over HTTP, by libmicrohttpd: see http.h.
 *
 * The library calls receive() when the headers of a request are there, again for every piece of its body, and once more
 * when it is whole; only then is the handler called, in the same thread. So a handler never waits for a client.
 */
#include "serve/http.h"

#include "base/buffer.h"
#include "base/json_read.h"
#include "serve/server.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <microhttpd.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/socket.h>

static const struct route *const tables[] = {answer_routes};
enum { TABLES = sizeof tables / sizeof *tables, MOST_BODY = 64 << 20 };

struct listener {
    struct MHD_Daemon *daemon;
    unsigned port;
};

/* What is known of a request from its first bytes to its end. */
struct pending {
    struct exchange exchange;
    struct MHD_Connection *connection;
    struct buffer body;
    char segments[1024], type[128], origin[300];
    struct {
        char *name, *value;
    } header[8];
    size_t headers;
    unsigned refused;
};

void routes_each(void (*call)(void *context, const struct route *route), void *context)
{
    for (size_t t = 0; t < TABLES; t++)
        for (const struct route *route = tables[t]; route->method; route++)
            call(context, route);
}

const char *exchange_parameter(const struct exchange *e, const char *name)
{
    const struct pending *p = e->private;
    return MHD_lookup_connection_value(p->connection, MHD_GET_ARGUMENT_KIND, name);
}

const char *exchange_header(const struct exchange *e, const char *name)
{
    const struct pending *p = e->private;
    return MHD_lookup_connection_value(p->connection, MHD_HEADER_KIND, name);
}

struct parameter_call {
    each_parameter call;
    void *context;
    struct vouch_error *err;
    bool ok;
};

static enum MHD_Result call_parameter(void *context, enum MHD_ValueKind kind, const char *name, const char *value)
{
    struct parameter_call *c = context;
    (void)kind;
    c->ok = c->call(c->context, name, value ? value : "", c->err);
    return c->ok ? MHD_YES : MHD_NO;
}

bool exchange_parameters(const struct exchange *e, each_parameter call, void *context, struct vouch_error *err)
{
    const struct pending *p = e->private;
    struct parameter_call c = {call, context, err, true};
    MHD_get_connection_values(p->connection, MHD_GET_ARGUMENT_KIND, call_parameter, &c);
    return c.ok;
}

bool exchange_add_header(struct exchange *e, const char *name, const char *value, struct vouch_error *err)
{
    struct pending *p = e->private;
    enum { MOST = sizeof p->header / sizeof *p->header };
    if (p->headers == MOST)
        return fail(err, VOUCH_ERR_ARGUMENT, "expected at most %d headers in a response", (int)MOST);
    char *name_copy = new_string(name, strlen(name), err), *value_copy = new_string(value, strlen(value), err);
    p->header[p->headers].name = name_copy;
    p->header[p->headers++].value = value_copy;
    return name_copy && value_copy;
}

bool refuse(struct exchange *e, unsigned status, struct vouch_error *err, const char *format, ...)
{
    char message[sizeof err->message];
    struct pending *p = e->private;
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    p->refused = status;
    return fail(err, VOUCH_ERR_ARGUMENT, "%s", message);
}

bool respond_json(struct exchange *e, unsigned status, json_t *value, struct vouch_error *err)
{
    char *text = value ? json_dumps(value, JSON_COMPACT) : NULL;
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

/* Whether the path is the route's; what is in braces goes to the segments. */
static bool matches(const struct route *route, const char *path, struct pending *p)
{
    const char *want = route->path;
    char *to = p->segments;
    size_t count = 0;
    while (*want && *path) {
        if (*want != '{') {
            if (*want++ != *path++)
                return false;
            continue;
        }
        size_t length = strcspn(path, "/");
        if (length == 0 || to + length + 1 > p->segments + sizeof p->segments || count == MOST_SEGMENTS)
            return false;
        memcpy(to, path, length);
        to[length] = '\0';
        p->exchange.segment[count++] = to;
        to += length + 1;
        path += length;
        want += strcspn(want, "}") + 1;
    }
    return !*want && !*path;
}

/* Finds the route; *known if there is one of that path, whatever its method. */
static const struct route *find(struct pending *p, bool *known)
{
    for (size_t t = 0; t < TABLES; t++)
        for (const struct route *route = tables[t]; route->method; route++)
            if (matches(route, p->exchange.path, p)) {
                *known = true;
                if (strcmp(route->method, p->exchange.method) == 0)
                    return route;
            }
    return NULL;
}

static unsigned status_for(const struct vouch_error *err)
{
    return err->status == VOUCH_ERR_MEMORY ? 503 : err->status == VOUCH_ERR_IO ? 500 : 400;
}

/* Writes the error in place of what the handler has written. */
static void write_problem(struct exchange *e, unsigned status, const char *detail)
{
    json_t *problem = json_pack("{s:s, s:i, s:s}", "title", MHD_get_reason_phrase_for(status), "status", (int)status,
                                "detail", detail);
    output_empty(e->out);
    e->sent_type = "application/problem+json";
    if (!respond_json(e, status, problem, NULL))
        e->status = 503;
}

static enum MHD_Result send_response(struct pending *p)
{
    size_t length = 0;
    const char *text = output_text(p->exchange.out, &length);
    char *copy = text ? new_string(text, length, NULL) : NULL;
    struct MHD_Response *response =
        copy ? MHD_create_response_from_buffer(length, copy, MHD_RESPMEM_MUST_FREE) : NULL;
    if (!response) {
        free(copy);
        return MHD_NO;
    }
    MHD_add_response_header(response, "Content-Type", p->exchange.sent_type);
    for (size_t i = 0; i < p->headers; i++)
        if (p->header[i].name && p->header[i].value)
            MHD_add_response_header(response, p->header[i].name, p->header[i].value);
    enum MHD_Result result = MHD_queue_response(p->connection, p->exchange.status, response);
    MHD_destroy_response(response);
    return result;
}

static enum MHD_Result answer(struct pending *p)
{
    struct vouch_error err = {0};
    struct exchange *e = &p->exchange;
    bool known = false;
    const struct route *route = find(p, &known);
    const char *type = exchange_header(e, "Content-Type"), *accept = exchange_header(e, "Accept");
    const char *host = exchange_header(e, "Host");
    snprintf(p->type, sizeof p->type, "%.*s", (int)strcspn(type ? type : "", "; "), type ? type : "");
    for (char *c = p->type; *c; c++)
        *c = (char)tolower((unsigned char)*c);
    snprintf(p->origin, sizeof p->origin, "http://%s", host ? host : "localhost");
    e->type = p->type;
    e->accept = accept ? accept : "";
    e->origin = p->origin;
    e->body = p->body.bytes ? p->body.bytes : "";
    e->length = p->body.length;
    if (!route)
        write_problem(e, known ? 405 : 404, known ? "expected another method" : "there is nothing at this address");
    else if (!route->handle(e, &err))
        write_problem(e, p->refused ? p->refused : status_for(&err), err.message);
    return send_response(p);
}

static enum MHD_Result receive(void *context, struct MHD_Connection *connection, const char *url, const char *method,
                               const char *version, const char *data, size_t *size, void **state)
{
    struct pending *p = *state;
    (void)version;
    if (!p) {
        p = new_array(1, sizeof *p, NULL);
        if (!p || !(p->exchange.out = output_open_memory(NULL))) {
            free(p);
            return MHD_NO;
        }
        p->connection = connection;
        p->exchange.server = context;
        p->exchange.method = method;
        p->exchange.path = url;
        p->exchange.status = 200;
        p->exchange.sent_type = "application/json";
        p->exchange.private = p;
        *state = p;
        return MHD_YES;
    }
    if (*size) {
        if (p->body.length + *size > MOST_BODY || !buffer_add_bytes(&p->body, data, *size, NULL))
            return MHD_NO;
        *size = 0;
        return MHD_YES;
    }
    return answer(p);
}

static void completed(void *context, struct MHD_Connection *connection, void **state,
                      enum MHD_RequestTerminationCode why)
{
    struct pending *p = *state;
    (void)context;
    (void)connection;
    (void)why;
    if (!p)
        return;
    output_discard(p->exchange.out);
    for (size_t i = 0; i < p->headers; i++) {
        free(p->header[i].name);
        free(p->header[i].value);
    }
    free(p->body.bytes);
    free(p);
}

struct listener *listener_open(struct server *server, struct vouch_error *err)
{
    const struct serve_options *o = server->options;
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)o->port)};
    struct listener *made = new_array(1, sizeof *made, err);
    if (!made)
        return NULL;
    inet_pton(AF_INET, "127.0.0.1", &address.sin_addr);
    made->daemon = MHD_start_daemon(MHD_USE_EPOLL_INTERNAL_THREAD, (uint16_t)o->port, NULL,
                                    NULL, receive, server, MHD_OPTION_SOCK_ADDR, &address, MHD_OPTION_NOTIFY_COMPLETED,
                                    completed, NULL, MHD_OPTION_CONNECTION_TIMEOUT, 60u, MHD_OPTION_END);
    if (!made->daemon) {
        free(made);
        fail(err, VOUCH_ERR_IO, "cannot listen on 127.0.0.1:%u: is another program there?", o->port);
        return NULL;
    }
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(made->daemon, MHD_DAEMON_INFO_BIND_PORT);
    made->port = info ? info->port : o->port;
    return made;
}

unsigned listener_port(const struct listener *listener)
{
    return listener->port;
}

void listener_close(struct listener *listener)
{
    if (!listener)
        return;
    MHD_stop_daemon(listener->daemon);
    free(listener);
}
