/*
 * vouch serve: one process that answers over HTTP.
 *
 *     serve.c           options, opening what is served, starting, reloading and stopping
 *     http.c            connections: libmicrohttpd, limits, threads for what takes long
 *     exchange.c        a request from its headers to its response: routes, who may ask, problems
 *     access.c          names of the server, tokens, sessions
 *     crew.c            the threads for what takes long
 *     metrics.c         what was answered, counted
 *     served_models.c   models that are replaced while they answer
 *     rest.c            /v1/models, /v1/tag, /v1/parse, /v1/health, /v1/session, /metrics
 *     label_studio.c    Label Studio's backends, under /label-studio; label_studio_projects.c learns for them
 *     jobs.c            /v1/forecast, /v1/review, /v1/next: jobs on a text
 *     cut.c             /v1/cut: words and sentences of raw text
 *     udpipe.c          /models, /process: UDPipe's interface
 *     openapi.c         /openapi.json: the description of all routes
 *     pages.c           the start page, and what pages are made of
 *     desk_routes.c     /v1/queue, /v1/answer and all else of desk/: what annotators decide, and learning from it
 *     inception.c       INCEpTION's external recommender: see inception.h
 *     kept_models.c     what is learned for other tools survives a restart
 */
#ifndef VOUCH_SERVE_SERVER_H
#define VOUCH_SERVE_SERVER_H

#include "options/rows.h"
#include "serve/served_models.h"

#include <stdatomic.h>

struct serve_options {
    struct options common; /* the arguments are corpora */
    struct reading_values reading;
    struct text_list models, tokens, allowed_hosts, cors;
    const char *store, *host, *task, *labels, *guidelines;
    const char *label_studio; /* where annotations are fetched from, to learn; NULL: nowhere */
    double blind, twice, threshold; /* of the desk */
    uint32_t every, use;
    uint32_t port, body_limit, connections, timeout;
    bool open;
};
extern const struct option_table serve_options;

/* What handlers need. It is shared by threads: each part says how. */
struct server {
    const struct serve_options *options;
    struct models *models;
    struct desk *desk; /* NULL: nothing is labelled here */
    struct learner *learner; /* of everything that is learned here */
    struct listener *listener;
    struct access *access;
    struct metrics *metrics;
    struct label_studio *studio;
    struct inception *inception;
    const struct vouch_watch *watch; /* gets notes and warnings */
    double started;                  /* seconds_now() */
    atomic_bool stopping;            /* work that takes long should end: see server_watch() */
};

/* Returns a watch for work that a handler does: it stops when the server does, and tells nothing. */
struct vouch_watch server_watch(struct server *server);

/* What the program does for the server. */
struct serve_calls {
    /* Called once, when requests are answered. `desk` is where annotators work, `page` is to be opened; NULL: none. */
    void (*ready)(const char *url, const char *desk, const char *page);
    bool (*reloads)(void); /* whether models are to be opened again; asked again and again */
};

/* Serves until the watch of the options asks to stop. */
bool serve(const struct serve_options *options, const struct serve_calls *calls, struct vouch_error *err);

#endif
