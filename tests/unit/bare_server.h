/* A server without sockets, for tests of what happens to a request. */
#ifndef VOUCH_TESTS_BARE_SERVER_H
#define VOUCH_TESTS_BARE_SERVER_H

#include "serve/access.h"
#include "serve/exchange.h"
#include "serve/metrics.h"

struct bare_server {
    struct serve_options options;
    struct server server;
    struct incoming in;
};

static inline void bare_init(struct bare_server *b)
{
    b->server = (struct server){.options = &b->options};
    b->server.models = models_new(NULL);
    b->server.metrics = metrics_new(NULL);
    b->server.access = access_new(&b->options, 80, NULL);
    b->in.exchange.out = output_open_spool(1 << 20, NULL);
}

static inline void bare_release(struct bare_server *b)
{
    incoming_end(&b->in);
    output_discard(b->in.exchange.out);
    access_free(b->server.access);
    metrics_free(b->server.metrics);
    models_free(b->server.models);
}

/* Sends a request with further headers, name and value in turns and NULL at the end; returns the status. */
static inline unsigned bare_ask(struct bare_server *b, const char *method, const char *path, const char *body,
                                const char *const *header)
{
    incoming_begin(&b->in, &b->server, method, path);
    incoming_add_header(&b->in, "Host", "localhost:80");
    for (size_t i = 0; header && header[i]; i += 2)
        incoming_add_header(&b->in, header[i], header[i + 1]);
    if (incoming_admit(&b->in)) {
        b->in.exchange.body = body;
        b->in.exchange.length = strlen(body);
        incoming_answer(&b->in);
    }
    return b->in.exchange.status;
}

/* What was answered, terminated. */
static inline const char *bare_text(struct bare_server *b)
{
    size_t length;
    output_write(b->in.exchange.out, "", 1);
    return output_text(b->in.exchange.out, &length);
}

#endif
