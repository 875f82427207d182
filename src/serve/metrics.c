/*
 * What was answered, counted: see metrics.h. Counts are atomic, so that no thread waits for another; a reading may fall
 * between two of them.
 */
#include "serve/metrics.h"

#include "base/memory.h"
#include "base/text.h"
#include "base/watch.h"
#include "serve/exchange.h"
#include "serve/server.h"

#include <stdatomic.h>
#include <string.h>

/* The statuses that are told apart; the last is for all others. */
static const unsigned statuses[] = {200, 201, 202, 204, 400, 401, 403, 404, 405, 409, 413,
                                    415, 421, 429, 431, 500, 501, 503, 0};
static const double limits[] = {0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025,
                                0.05,   0.1,     0.25,   0.5,   1,      2.5,   5,    10};
enum { STATUSES = sizeof statuses / sizeof *statuses, LIMITS = sizeof limits / sizeof *limits };

struct metrics {
    struct route_counts {
        atomic_uint_least64_t status[STATUSES];
        atomic_uint_least64_t seconds[LIMITS + 1]; /* how many took up to limits[i], and no limit before that */
        atomic_uint_least64_t microseconds;
        atomic_uint_least64_t received, sent;
    } route[ROUTES_MOST + 1];
    atomic_int_least64_t connections;
    atomic_uint_least64_t opened, slow;
};

struct metrics *metrics_new(struct vouch_error *err)
{
    return new_array(1, sizeof(struct metrics), err);
}

void metrics_free(struct metrics *metrics)
{
    free(metrics);
}

static void add(atomic_uint_least64_t *to, uint64_t count)
{
    atomic_fetch_add_explicit(to, count, memory_order_relaxed);
}

static unsigned long long count_of(atomic_uint_least64_t *from)
{
    return atomic_load_explicit(from, memory_order_relaxed);
}

void metrics_count(struct metrics *m, const struct answered *a)
{
    struct route_counts *r = &m->route[a->route < ROUTES_MOST ? a->route : ROUTES_MOST];
    size_t status = 0, limit = 0;
    while (status < STATUSES - 1 && statuses[status] != a->status)
        status++;
    while (limit < LIMITS && a->seconds > limits[limit])
        limit++;
    add(&r->status[status], 1);
    add(&r->seconds[limit], 1);
    add(&r->microseconds, (uint64_t)(a->seconds * 1e6));
    add(&r->received, a->received);
    add(&r->sent, a->sent);
}

void metrics_connection(struct metrics *m, int change)
{
    atomic_fetch_add_explicit(&m->connections, change, memory_order_relaxed);
    if (change > 0)
        add(&m->opened, 1);
}

void metrics_slow(struct metrics *m)
{
    add(&m->slow, 1);
}

struct page {
    struct metrics *metrics;
    struct output *out;
    size_t number;
};

static void write_statuses(struct page *p, struct route_counts *r, const char *method, const char *path)
{
    for (size_t s = 0; s < STATUSES; s++) {
        unsigned long long count = count_of(&r->status[s]);
        char status[16] = "other";
        if (statuses[s])
            snprintf(status, sizeof status, "%u", statuses[s]);
        if (count)
            output_printf(p->out, "vouch_requests_total{method=\"%s\",route=\"%s\",status=\"%s\"} %llu\n", method, path,
                          status, count);
    }
}

static void write_requests(void *context, const struct route *route)
{
    struct page *p = context;
    write_statuses(p, &p->metrics->route[p->number++], route->method, route->path);
}

/* Histograms of routes that were asked for. */
static void write_seconds(void *context, const struct route *route)
{
    struct page *p = context;
    struct route_counts *r = &p->metrics->route[p->number++];
    unsigned long long sum = 0;
    for (size_t l = 0; l <= LIMITS; l++)
        sum += count_of(&r->seconds[l]);
    if (sum == 0)
        return;
    sum = 0;
    for (size_t l = 0; l <= LIMITS; l++) {
        char limit[32] = "+Inf";
        if (l < LIMITS)
            snprintf(limit, sizeof limit, "%g", limits[l]);
        sum += count_of(&r->seconds[l]);
        output_printf(p->out, "vouch_request_seconds_bucket{method=\"%s\",route=\"%s\",le=\"%s\"} %llu\n",
                      route->method, route->path, limit, sum);
    }
    output_printf(p->out,
                  "vouch_request_seconds_sum{method=\"%s\",route=\"%s\"} %.6f\n"
                  "vouch_request_seconds_count{method=\"%s\",route=\"%s\"} %llu\n",
                  route->method, route->path, (double)count_of(&r->microseconds) / 1e6, route->method, route->path,
                  sum);
}

static void write_head(struct output *out, const char *name, const char *type, const char *help)
{
    output_printf(out, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, type);
}

static void write_number(struct output *out, const char *name, const char *type, const char *help, double number)
{
    char text[NUMBER_ROOM];
    spell_number(number, text);
    write_head(out, name, type, help);
    output_printf(out, "%s %s\n", name, text);
}

void metrics_write(struct metrics *m, struct server *server, struct output *out)
{
    struct page page = {.metrics = m, .out = out};
    uint64_t received = 0, sent = 0, failed = 0;
    for (size_t i = 0; i <= ROUTES_MOST; i++) {
        received += count_of(&m->route[i].received);
        sent += count_of(&m->route[i].sent);
        for (size_t s = 0; s < STATUSES; s++)
            failed += statuses[s] >= 400 || statuses[s] == 0 ? count_of(&m->route[i].status[s]) : 0;
    }
    write_head(out, "vouch_requests_total", "counter", "requests that were answered");
    routes_each(write_requests, &page);
    write_statuses(&page, &m->route[ROUTES_MOST], "other", "other");
    write_head(out, "vouch_request_seconds", "histogram", "seconds from the whole request to the whole response");
    page.number = 0;
    routes_each(write_seconds, &page);
    write_number(out, "vouch_errors_total", "counter", "requests that failed", (double)failed);
    write_number(out, "vouch_received_bytes_total", "counter", "bytes of bodies of requests", (double)received);
    write_number(out, "vouch_sent_bytes_total", "counter", "bytes of bodies of responses", (double)sent);
    write_number(out, "vouch_connections", "gauge", "open connections", (double)atomic_load(&m->connections));
    write_number(out, "vouch_connections_total", "counter", "connections that were opened",
                 (double)count_of(&m->opened));
    write_number(out, "vouch_slow_connections_total", "counter", "connections that were closed for being too slow",
                 (double)count_of(&m->slow));
    write_number(out, "vouch_uptime_seconds", "gauge", "seconds since the start", seconds_now() - server->started);
    const struct served_model *all[MOST_MODELS];
    size_t count = models_take_all(server->models, all);
    write_head(out, "vouch_model_replacements", "gauge", "how often the model was replaced");
    for (size_t i = 0; i < count; i++) {
        output_printf(out, "vouch_model_replacements{model=\"");
        for (const char *c = all[i]->name; *c; c++)
            output_printf(out, *c == '"' || *c == '\\' ? "\\%c" : *c == '\n' ? "\\n" : "%c", *c);
        output_printf(out, "\",version=\"%s\"} %llu\n", all[i]->version, (unsigned long long)all[i]->number);
        models_leave(server->models, all[i]);
    }
}
