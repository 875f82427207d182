/*
 * vouch serve: one process that answers over HTTP.
 *
 *     serve.c           options, opening what is served, starting and stopping
 *     http.c            exchanges: routes, limits, tokens, problems
 *     served_models.c   models that are replaced while they answer
 *     rest.c            /v1/models, /v1/tag, /v1/parse, /v1/health, /metrics
 */
#ifndef VOUCH_SERVE_SERVER_H
#define VOUCH_SERVE_SERVER_H

#include "options/rows.h"
#include "serve/served_models.h"

struct serve_options {
    struct options common; /* the arguments are corpora */
    struct text_list models;
    const char *store, *host, *token;
    uint32_t port;
    bool open;
};
extern const struct option_table serve_options;

/* What handlers need. It is shared by threads: each part says how. */
struct server {
    const struct serve_options *options;
    struct models *models;
    struct listener *listener;
    double started; /* seconds_now() */
};

/*
 * Serves until `watch` of the options asks to stop. `ready` is called once with the address, when requests are
 * answered.
 */
bool serve(const struct serve_options *options, void (*ready)(const char *url), struct vouch_error *err);

#endif
