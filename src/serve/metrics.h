/* What was answered, counted: requests by route and status, their seconds and bytes, as Prometheus reads it. */
#ifndef VOUCH_SERVE_METRICS_H
#define VOUCH_SERVE_METRICS_H

#include "base/output.h"

struct metrics;
struct server;

struct metrics *metrics_new(struct vouch_error *err);
void metrics_free(struct metrics *metrics); /* NULL is allowed */

/* One request that was answered; `route` is as in struct incoming. Any thread may call it. */
struct answered {
    size_t route;
    unsigned status;
    double seconds; /* from when the request was whole to when its response was */
    uint64_t received, sent;
};
void metrics_count(struct metrics *metrics, const struct answered *answered);

/* Connections that were opened and closed, and those that were closed for being too slow. */
void metrics_connection(struct metrics *metrics, int change);
void metrics_slow(struct metrics *metrics);

void metrics_write(struct metrics *metrics, struct server *server, struct output *out);

#endif
