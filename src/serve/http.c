/*
 * Connections, by libmicrohttpd: see http.h.
 *
 * The library calls receive() when the headers of a request are there, again for every piece of its body, and once more
 * when it is whole. Headers are judged at once, so that a body is never read for nothing. A handler is called when the
 * request is whole, so it never waits for a client: in the connection's own thread if that takes a moment, else by the
 * crew, while the connection is suspended.
 *
 * Bodies and responses of more than some MiB are in temporary files. Responses could be sent while the rest of the body
 * is still to come, but not by this library; and one that is whole before its first byte is sent can still become an
 * error, with a status: a faulty line at the end of a file is a 400, not the end of a 200.
 *
 * The library's own timeout is about silence. A client that sends or takes a byte from time to time is found by its
 * deadline: headers must be there within --timeout, and bodies move at SLOWEST bytes a second after that time.
 */
#include "serve/http.h"

#include "base/memory.h"
#include "base/watch.h"
#include "serve/access.h"
#include "serve/crew.h"
#include "serve/exchange.h"
#include "serve/metrics.h"
#include "serve/server.h"

#include <errno.h>
#include <inttypes.h>
#include <microhttpd.h>
#include <netdb.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum {
    IN_MEMORY = 4 << 20,     /* bytes of a body, or of a response, that is not in a file */
    KEPT = 64 << 10,         /* bytes that a connection keeps for its next request */
    HEADERS = 16 << 10,      /* bytes of headers, and of a piece of a body */
    SLOWEST = 1024,          /* bytes a second */
    WASTED = 1 << 20,        /* bytes of a body that are read though it is refused */
    CREW = 4,                /* threads for what takes long */
    TEXTS = 256,             /* texts that may wait for them */
    JOBS = 16                /* and jobs */
};
#define GRACE 10 /* seconds at most to finish requests when the server stops; no more than --timeout */
#define NO_DEADLINE INT64_MAX

/* A connection, and its request of the moment; memory is used again for the next one. */
struct client {
    struct client *next, **at; /* in the listener's list */
    struct listener *listener;
    struct MHD_Connection *connection;
    int socket;
    atomic_int_least64_t deadline; /* milliseconds, by the clock of seconds_now() */
    struct incoming in;
    struct output *body;
    size_t received, sent;
    void *map; /* of a body in a file, with a zero after it */
    struct task task;
    double began; /* the headers were there; then, the request was whole */
    double seconds;
    bool answered;
};

struct listener {
    struct server *server;
    struct MHD_Daemon *daemon;
    int socket;
    unsigned port;
    struct crew *crew;
    atomic_int busy; /* requests that have begun */
    atomic_bool closing;
    pthread_mutex_t lock; /* of the list */
    struct client *clients;
};

static void set_deadline(struct client *c, double from, uint64_t bytes)
{
    double limit = from + c->listener->server->options->timeout + (double)bytes / SLOWEST;
    atomic_store_explicit(&c->deadline, (int64_t)(limit * 1000), memory_order_relaxed);
}

static void connection_opened(struct listener *l, struct MHD_Connection *connection, void **context)
{
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    struct client *c = info ? new_array(1, sizeof *c, NULL) : NULL;
    *context = c;
    if (!c)
        return;
    c->listener = l;
    c->connection = connection;
    c->socket = info->connect_fd;
    set_deadline(c, seconds_now(), 0);
    pthread_mutex_lock(&l->lock);
    c->next = l->clients;
    c->at = &l->clients;
    if (c->next)
        c->next->at = &c->next;
    l->clients = c;
    pthread_mutex_unlock(&l->lock);
    metrics_connection(l->server->metrics, 1);
}

/* Called before the socket is closed. */
static void connection_closed(struct listener *l, struct client *c)
{
    if (!c)
        return;
    pthread_mutex_lock(&l->lock);
    *c->at = c->next;
    if (c->next)
        c->next->at = c->at;
    pthread_mutex_unlock(&l->lock);
    metrics_connection(l->server->metrics, -1);
    incoming_end(&c->in);
    output_discard(c->in.exchange.out);
    output_discard(c->body);
    free(c);
}

static void notice_connection(void *context, struct MHD_Connection *connection, void **socket_context,
                              enum MHD_ConnectionNotificationCode what)
{
    if (what == MHD_CONNECTION_NOTIFY_STARTED)
        connection_opened(context, connection, socket_context);
    else
        connection_closed(context, *socket_context);
}

void listener_drop_slow(struct listener *l)
{
    int64_t now = (int64_t)(seconds_now() * 1000);
    pthread_mutex_lock(&l->lock);
    for (struct client *c = l->clients; c; c = c->next)
        if (atomic_load_explicit(&c->deadline, memory_order_relaxed) < now) {
            atomic_store_explicit(&c->deadline, NO_DEADLINE, memory_order_relaxed);
            shutdown(c->socket, SHUT_RDWR);
            metrics_slow(l->server->metrics);
        }
    pthread_mutex_unlock(&l->lock);
}

/* What every response says to a browser: no code and no frames but ours, no guessing, no traces. */
static const struct pair always[] = {
    {"Content-Security-Policy", "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
                                "img-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"},
    {"X-Content-Type-Options", "nosniff"},
    {"Referrer-Policy", "no-referrer"},
    {"Cache-Control", "no-store"},
};

static struct MHD_Response *make_response(struct client *c)
{
    struct output *out = c->in.exchange.out;
    int file = output_spooled(out), copy;
    c->sent = 0;
    if (file < 0) {
        const char *text = output_text(out, &c->sent);
        static char nothing[] = "";
        union { /* the library does not write to it */
            const char *text;
            void *bytes;
        } body = {.text = text && c->sent ? text : nothing};
        return MHD_create_response_from_buffer(c->sent, body.bytes, MHD_RESPMEM_PERSISTENT);
    }
    off_t size = lseek(file, 0, SEEK_END);
    copy = size >= 0 ? dup(file) : -1;
    struct MHD_Response *response = copy >= 0 ? MHD_create_response_from_fd64((uint64_t)size, copy) : NULL;
    if (!response && copy >= 0)
        close(copy);
    c->sent = response ? (size_t)size : 0;
    return response;
}

static enum MHD_Result send_response(struct client *c)
{
    struct exchange *e = &c->in.exchange;
    struct MHD_Response *response = make_response(c);
    if (!response)
        return MHD_NO;
    for (size_t i = 0; i < sizeof always / sizeof *always; i++)
        MHD_add_response_header(response, always[i].name, always[i].value);
    if (e->status != 204)
        MHD_add_response_header(response, "Content-Type", e->sent_type);
    for (size_t i = 0; i < c->in.sents; i++)
        if (c->in.sent[i].name && c->in.sent[i].value)
            MHD_add_response_header(response, c->in.sent[i].name, c->in.sent[i].value);
    if (c->in.closes || atomic_load(&c->listener->closing))
        MHD_add_response_header(response, "Connection", "close");
    enum MHD_Result result = MHD_queue_response(c->connection, e->status, response);
    MHD_destroy_response(response);
    double now = seconds_now();
    c->seconds = now - c->began;
    c->answered = true;
    set_deadline(c, now, c->sent);
    return result;
}

static enum MHD_Result add_header(void *context, enum MHD_ValueKind kind, const char *name, const char *value)
{
    (void)kind;
    incoming_add_header(context, name, value);
    return MHD_YES;
}

static enum MHD_Result add_parameter(void *context, enum MHD_ValueKind kind, const char *name, const char *value)
{
    (void)kind;
    incoming_add_parameter(context, name, value);
    return MHD_YES;
}

/*
 * Whether the body of a refused request is read and dropped: most clients look for a response only after they have sent
 * everything, and one that comes before is lost when the connection is closed under them.
 */
static bool reads_refused(const struct client *c)
{
    const char *length = exchange_header(&c->in.exchange, "Content-Length");
    return !c->in.closes && !exchange_header(&c->in.exchange, "Expect") &&
           (!length || strtoull(length, NULL, 10) <= c->listener->server->options->body_limit * (1ull << 20) + WASTED);
}

/* Takes the headers in. */
static enum MHD_Result begin_request(struct client *c, const char *method, const char *url)
{
    struct exchange *e = &c->in.exchange;
    c->received = c->sent = 0;
    c->answered = false;
    c->began = seconds_now();
    if ((!e->out && !(e->out = output_open_spool(IN_MEMORY, NULL))) ||
        (!c->body && !(c->body = output_open_spool(IN_MEMORY, NULL))))
        return MHD_NO;
    output_empty(c->body);
    set_deadline(c, c->began, 0);
    incoming_begin(&c->in, c->listener->server, method, url);
    MHD_get_connection_values(c->connection, MHD_HEADER_KIND, add_header, &c->in);
    MHD_get_connection_values(c->connection, MHD_GET_ARGUMENT_KIND, add_parameter, &c->in);
    if (incoming_admit(&c->in))
        return MHD_YES;
    c->answered = reads_refused(c);
    return c->answered ? MHD_YES : send_response(c);
}

static enum MHD_Result receive_piece(struct client *c, const char *data, size_t size)
{
    size_t limit = (size_t)c->listener->server->options->body_limit << 20;
    c->received += size;
    set_deadline(c, c->began, c->received);
    if (c->received > limit + WASTED)
        return MHD_NO;
    if (c->received <= limit && !c->answered)
        output_write(c->body, data, size);
    return MHD_YES;
}

/* Shows the handler the body, with a zero after it. */
static bool show_body(struct client *c, struct vouch_error *err)
{
    struct exchange *e = &c->in.exchange;
    size_t length;
    output_write(c->body, "", 1);
    int file = output_spooled(c->body);
    if (!output_whole(c->body, err))
        return false;
    e->length = c->received;
    if (file < 0) {
        e->body = output_text(c->body, &length);
        return true;
    }
    void *map = mmap(NULL, c->received + 1, PROT_READ, MAP_PRIVATE, file, 0);
    if (map == MAP_FAILED)
        return fail(err, VOUCH_ERR_IO, "cannot map the body: %s", strerror(errno));
    c->map = map;
    e->body = map;
    return true;
}

/* Run by the crew. */
static void answer_apart(struct task *task)
{
    struct client *c = (struct client *)(void *)((char *)task - offsetof(struct client, task));
    incoming_answer(&c->in);
    c->answered = true;
    MHD_resume_connection(c->connection);
}

static enum MHD_Result answer_request(struct client *c)
{
    struct vouch_error err = {0};
    unsigned limit = c->listener->server->options->body_limit;
    c->began = seconds_now();
    atomic_store_explicit(&c->deadline, NO_DEADLINE, memory_order_relaxed);
    if (c->received > (size_t)limit << 20) {
        c->in.closes = true;
        snprintf(err.message, sizeof err.message, "expected a body of at most %u MiB (--body-limit)", limit);
        incoming_refuse(&c->in, 413, err.message);
    } else if (!show_body(c, &err)) {
        incoming_refuse(&c->in, err.status == VOUCH_ERR_MEMORY ? 503 : 500, err.message);
    } else if (!incoming_takes_long(&c->in)) {
        incoming_answer(&c->in);
    } else if (!crew_reserve(c->listener->crew, c->in.route->flags & ROUTE_SLOW)) {
        incoming_refuse(&c->in, 503, "the server is busy with as much as it takes at a time: try again later");
    } else {
        c->task = (struct task){.run = answer_apart, .job = c->in.route->flags & ROUTE_SLOW};
        MHD_suspend_connection(c->connection);
        crew_add(c->listener->crew, &c->task);
        return MHD_YES;
    }
    return send_response(c);
}

static enum MHD_Result receive(void *context, struct MHD_Connection *connection, const char *url, const char *method,
                               const char *version, const char *data, size_t *size, void **state)
{
    struct listener *l = context;
    struct client *c = *state;
    (void)version;
    if (!c) {
        const union MHD_ConnectionInfo *info =
            MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
        *state = c = info ? info->socket_context : NULL;
        if (!c)
            return MHD_NO;
        atomic_fetch_add(&l->busy, 1);
        return begin_request(c, method, url);
    }
    if (*size) {
        size_t count = *size;
        *size = 0;
        return receive_piece(c, data, count);
    }
    return c->answered ? send_response(c) : answer_request(c);
}

/* Frees what is large, so that idle connections keep little. */
static void forget_request(struct client *c)
{
    if (c->map)
        munmap(c->map, c->received + 1);
    c->map = NULL;
    incoming_end(&c->in);
    if (c->sent > KEPT) {
        output_discard(c->in.exchange.out);
        c->in.exchange.out = NULL;
    }
    if (c->received > KEPT) {
        output_discard(c->body);
        c->body = NULL;
    }
}

static void completed(void *context, struct MHD_Connection *connection, void **state,
                      enum MHD_RequestTerminationCode why)
{
    struct listener *l = context;
    struct client *c = *state;
    (void)connection;
    (void)why;
    if (!c)
        return;
    if (c->answered)
        metrics_count(l->server->metrics, &(struct answered){.route = c->in.number,
                                                             .status = c->in.exchange.status,
                                                             .seconds = c->seconds,
                                                             .received = c->received,
                                                             .sent = c->sent});
    forget_request(c);
    set_deadline(c, seconds_now(), 0);
    atomic_fetch_sub(&l->busy, 1);
}

static size_t unescape(void *context, struct MHD_Connection *connection, char *text)
{
    (void)context;
    (void)connection;
    return percent_decode(text);
}

static bool is_loopback(const struct sockaddr *address)
{
    const struct sockaddr_in *four = (const void *)address;
    const struct sockaddr_in6 *six = (const void *)address;
    return address->sa_family == AF_INET ? ntohl(four->sin_addr.s_addr) >> 24 == 127
                                         : IN6_IS_ADDR_LOOPBACK(&six->sin6_addr);
}

/* Binds a socket to the address of the options; -1 on failure. */
static int bind_socket(const struct serve_options *o, bool *loopback, unsigned *port, struct vouch_error *err)
{
    struct addrinfo hints = {.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV, .ai_socktype = SOCK_STREAM}, *found = NULL;
    const char *host = !o->host || strcmp(o->host, "localhost") == 0 ? "127.0.0.1" : o->host;
    char service[16], numeric[16];
    struct sockaddr_storage bound;
    socklen_t length = sizeof bound;
    snprintf(service, sizeof service, "%" PRIu32, o->port);
    if (getaddrinfo(host, service, &hints, &found) != 0) {
        fail(err, VOUCH_ERR_ARGUMENT, "--host: expected an address such as 127.0.0.1 or ::1, found '%s'", host);
        return -1;
    }
    *loopback = is_loopback(found->ai_addr);
    int made = socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0), yes = 1;
    bool ok = made >= 0 && setsockopt(made, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) == 0 &&
              bind(made, found->ai_addr, found->ai_addrlen) == 0 && listen(made, SOMAXCONN) == 0 &&
              getsockname(made, (struct sockaddr *)&bound, &length) == 0 &&
              getnameinfo((struct sockaddr *)&bound, length, NULL, 0, numeric, sizeof numeric, NI_NUMERICSERV) == 0;
    freeaddrinfo(found);
    if (ok) {
        *port = (unsigned)strtoul(numeric, NULL, 10);
        return made;
    }
    fail(err, VOUCH_ERR_IO, "cannot listen on %s port %s: %s", host, service, strerror(errno));
    if (made >= 0)
        close(made);
    return -1;
}

static struct MHD_Daemon *start_daemon(struct listener *l)
{
    const struct serve_options *o = l->server->options;
    unsigned flags = MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME;
    struct MHD_OptionItem pool[] = {{MHD_OPTION_THREAD_POOL_SIZE, o->common.work.threads, NULL},
                                    {MHD_OPTION_END, 0, NULL}},
                          none[] = {{MHD_OPTION_END, 0, NULL}};
    return MHD_start_daemon(flags, 0, NULL, NULL, receive, l, MHD_OPTION_LISTEN_SOCKET, l->socket,
                            MHD_OPTION_NOTIFY_COMPLETED, completed, l, MHD_OPTION_NOTIFY_CONNECTION, notice_connection,
                            l, MHD_OPTION_UNESCAPE_CALLBACK, unescape, NULL, MHD_OPTION_CONNECTION_TIMEOUT,
                            (unsigned)o->timeout, MHD_OPTION_CONNECTION_LIMIT, (unsigned)o->connections,
                            MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)HEADERS, MHD_OPTION_STRICT_FOR_CLIENT, 1,
                            MHD_OPTION_ARRAY, o->common.work.threads > 1 ? pool : none, MHD_OPTION_END);
}

struct listener *listener_open(struct server *server, struct vouch_error *err)
{
    bool loopback = true;
    struct listener *l = new_array(1, sizeof *l, err);
    if (!l)
        return NULL;
    l->server = server;
    pthread_mutex_init(&l->lock, NULL);
    l->socket = bind_socket(server->options, &loopback, &l->port, err);
    bool ok = l->socket >= 0 && (server->access = access_new(server->options, l->port, err));
    if (ok && !loopback && !access_needs_token(server->access))
        ok = fail(err, VOUCH_ERR_ARGUMENT,
                  "--host: expected --token for an address that other machines reach; what is sent can be read on the "
                  "way unless a proxy in front adds TLS");
    ok = ok && (l->crew = crew_new(CREW, TEXTS, JOBS, err));
    if (ok && !(l->daemon = start_daemon(l)))
        ok = fail(err, VOUCH_ERR_MEMORY, "cannot start to listen: no memory, threads or files are left");
    if (ok)
        return l;
    listener_close(l);
    return NULL;
}

unsigned listener_port(const struct listener *l)
{
    return l->port;
}

/* Waits until no request is begun and not yet answered, or for so many seconds. */
static void wait_for_requests(struct listener *l, double seconds)
{
    for (double end = seconds_now() + seconds; atomic_load(&l->busy) > 0 && seconds_now() < end;) {
        listener_drop_slow(l);
        nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
    }
}

void listener_close(struct listener *l)
{
    if (!l)
        return;
    atomic_store(&l->closing, true);
    if (l->daemon) {
        MHD_quiesce_daemon(l->daemon);
        close(l->socket); /* who comes now is refused, and does not wait */
        l->socket = -1;
        wait_for_requests(l, l->server->options->timeout < GRACE ? l->server->options->timeout : GRACE);
        atomic_store(&l->server->stopping, true);
    }
    crew_free(l->crew);
    if (l->daemon) {
        wait_for_requests(l, 1);
        MHD_stop_daemon(l->daemon);
    }
    if (l->socket >= 0)
        close(l->socket);
    access_free(l->server->access);
    l->server->access = NULL;
    pthread_mutex_destroy(&l->lock);
    free(l);
}
