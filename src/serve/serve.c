/*
 * Opens what is served, starts to answer, reloads models, and stops: see server.h.
 *
 * With corpora or a store there is a desk (desk/desk.h), which learns a model from the corpora's own labels if there is
 * none, goes on learning from what annotators decide, and publishes its models here.
 */
#include "serve/server.h"

#include "base/buffer.h"
#include "base/input.h"
#include "base/watch.h"
#include "desk/desk.h"
#include "serve/access.h"
#include "serve/http.h"
#include "serve/inception.h"
#include "serve/label_studio.h"
#include "serve/metrics.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define OPTIONS struct serve_options
static const struct serve_options usual = {
    .common = USUAL_COMMON, .port = 8460, .body_limit = 64, .connections = 1400, .timeout = 30, .blind = USUAL_BLIND,
    .threshold = 0.9, .every = 10};

static const struct option_spec option[] = {
    TEXT("model", 'm', models, "FILE", OPTION_OF_PROGRAM | OPTION_READ | OPTION_REPEATS,
         "a model to serve, under the name of its file; may be given more than once"),
    TEXT("task", 't', task, "NAME", OPTION_MATTERS,
         "what to learn from CORPUS without a model: np, chunk, ner, pos or dep; recognised if not given"),
    INTEGER("use", 0, use, "N", 0, 65536, OPTION_MATTERS,
            "learn from the first N columns of CORPUS alone; with 1, the words, raw text can be answered; 0 is all"),
    TEXT("store", 0, store, "FILE", OPTION_INCIDENTAL | OPTION_OF_PROGRAM,
         "keep decisions in this store, which is made if it is not there; CORPUS.vouch.sqlite if not given"),
    TEXT("labels", 0, labels, "NAMES", OPTION_MATTERS,
         "types of chunks, labels or relations that annotators may choose, besides those of corpus and model: A,B,C"),
    TEXT("guidelines", 0, guidelines, "FILE", OPTION_INCIDENTAL | OPTION_OF_PROGRAM | OPTION_READ,
         "a Markdown file that annotators read on the page, by pressing g"),
    REAL("blind", 0, blind, "P", 0, 1, OPTION_MATTERS,
         "share of sentences that are labelled without a suggestion, are not learned from, and measure the model; "
         "none, unless it is given, where CORPUS labels every sentence"),
    REAL("double", 0, twice, "P", 0, 1, OPTION_MATTERS, "share of sentences that two annotators get"),
    REAL("threshold", 0, threshold, "P", 0, 1, OPTION_MATTERS,
         "show annotators an answer with less confidence as doubtful"),
    INTEGER("learn-every", 0, every, "N", 0, 1e9, OPTION_MATTERS,
            "learn from decisions after every N; 0: only when asked to"),
    OPTION_SEED,
    OPTION_FORMAT,
    OPTION_GOLD,
    INTEGER("port", 0, port, "P", 0, 65535, OPTION_INCIDENTAL, "listen on this port; 0 is any that is free"),
    TEXT("host", 0, host, "ADDRESS", OPTION_INCIDENTAL,
         "listen on this address instead of 127.0.0.1; one that other machines reach needs --token, and a proxy in "
         "front for TLS"),
    TEXT("token", 0, tokens, "SECRET", OPTION_INCIDENTAL | OPTION_REPEATS,
         "answer only those who know SECRET; NAME:SECRET, more than once, is one for each person; also in VOUCH_TOKEN, "
         "which other users do not see"),
    TEXT("allowed-host", 0, allowed_hosts, "NAME", OPTION_INCIDENTAL | OPTION_REPEATS,
         "also answer under this name, as a proxy passes it on: NAME or NAME:PORT; may be given more than once"),
    TEXT("cors", 0, cors, "ORIGIN", OPTION_INCIDENTAL | OPTION_REPEATS,
         "let pages of this origin, such as https://example.org, read answers; may be given more than once"),
    FLAG("open", 0, open, OPTION_INCIDENTAL | OPTION_OF_PROGRAM, "open the page in a browser"),
    INTEGER("body-limit", 0, body_limit, "MIB", 1, 65536, OPTION_INCIDENTAL, "refuse bodies larger than this"),
    INTEGER("connections", 0, connections, "N", 1, 100000, OPTION_INCIDENTAL,
            "keep at most N connections open; others wait"),
    INTEGER("timeout", 0, timeout, "S", 1, 3600, OPTION_INCIDENTAL,
            "close connections whose clients are silent or too slow for S seconds"),
    TEXT("label-studio", 0, label_studio, "URL", OPTION_INCIDENTAL,
         "learn from what is annotated in the Label Studio at this address; its token is in VOUCH_LABEL_STUDIO_TOKEN"),
    OPTION_THREADS,
    OPTIONS_END_VERBOSE,
};

static const struct option_rule rules[] = {
    {.needs = "model file store label-studio",
     .message = "expected -m MODEL to serve, or a CORPUS to label or to learn from"},
    {.with = "task use", .excludes = "model", .message = "--%s is for learning from CORPUS: expected no -m"},
    {0},
};

const struct option_table serve_options = {"serve", option, &usual, sizeof usual, NULL, rules};

static int stops(void *context)
{
    const struct server *server = context;
    return atomic_load(&server->stopping);
}

struct vouch_watch server_watch(struct server *server)
{
    return (struct vouch_watch){.size = sizeof(struct vouch_watch), .context = server, .stop = stops};
}

static bool open_models(struct server *server, struct vouch_error *err)
{
    const struct text_list *files = &server->options->models;
    for (size_t i = 0; i < files->count; i++)
        if (!models_open(server->models, files->item[i], err))
            return false;
    return true;
}

/* ---- The desk ---- */

/* Serves what the desk has learned, in place of the model that it went on from. */
static bool publish(void *context, const char *name, const char *path, struct vouch_error *err)
{
    struct server *server = context;
    return models_open_as(server->models, name, path, err);
}

/* A file that is read later, when it is asked for. */
static bool can_read(const char *path, struct vouch_error *err)
{
    struct input *input = path ? input_open(path, err) : NULL;
    input_close(input);
    return !path || input;
}

static bool open_desk(struct server *server, struct vouch_error *err)
{
    const struct serve_options *o = server->options;
    struct desk_options options = {.store = o->store,
                                   .corpus = o->common.argument,
                                   .corpora = o->common.arguments,
                                   .model = o->models.count ? o->models.item[0] : NULL,
                                   .task = o->task,
                                   .use = o->use,
                                   .labels = o->labels,
                                   .blind = option_given(o, "blind") ? o->blind : NAN,
                                   .twice = o->twice,
                                   .threshold = o->threshold,
                                   .every = o->every,
                                   .work = o->common.work,
                                   .publish = publish,
                                   .context = server};
    if (o->common.arguments == 0 && !o->store)
        return true;
    return can_read(o->guidelines, err) && reading_options(&o->reading, &options.reading, err) &&
           (server->desk = desk_open(&options, server->learner, err)) != NULL;
}

/* ---- Running ---- */

static void reload(struct server *server)
{
    struct vouch_error err = {0};
    if (models_reload(server->models, &err))
        watch_say(server->watch, VOUCH_EVENT_NOTE, "models were opened again");
    else
        watch_say(server->watch, VOUCH_EVENT_WARNING, "a model that cannot be opened stays as it was: %s", err.message);
}

static void run(struct server *server, const struct serve_calls *calls)
{
    while (!watch_stops(server->watch)) {
        nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
        listener_drop_slow(server->listener);
        if (calls->reloads())
            reload(server);
    }
}

/* Tells the address, and that of the desk; the one of the page to be opened has a ticket if tokens are needed. */
static bool tell_address(const struct server *server, const struct serve_calls *calls, struct vouch_error *err)
{
    const char *host = server->options->host ? server->options->host : "127.0.0.1";
    char url[300], desk[320], page[400], ticket[SESSION_LENGTH + 1];
    snprintf(url, sizeof url, strchr(host, ':') ? "http://[%s]:%u/" : "http://%s:%u/", host,
             listener_port(server->listener));
    snprintf(desk, sizeof desk, "%sdesk", url);
    snprintf(page, sizeof page, "%s", server->desk ? desk : url);
    if (access_needs_token(server->access)) {
        if (!access_make_ticket(server->access, ticket, err))
            return false;
        size_t length = strlen(page);
        snprintf(page + length, sizeof page - length, "#token=%s", ticket);
    }
    calls->ready(url, server->desk ? desk : NULL, server->options->open ? page : NULL);
    return true;
}

bool serve(const struct serve_options *options, const struct serve_calls *calls, struct vouch_error *err)
{
    struct server server = {.options = options, .watch = options->common.work.watch, .started = seconds_now()};
    bool ok = (server.models = models_new(err)) && (server.metrics = metrics_new(err)) && open_models(&server, err) &&
              (server.learner = learner_open(server.watch, err)) && open_desk(&server, err) &&
              (server.studio = label_studio_open(&server, err)) && (server.inception = inception_open(&server, err)) &&
              (server.listener = listener_open(&server, err)) && tell_address(&server, calls, err);
    if (ok)
        run(&server, calls);
    listener_close(server.listener);
    learner_close(server.learner);
    label_studio_close(server.studio);
    inception_close(server.inception);
    desk_close(server.desk);
    models_free(server.models);
    metrics_free(server.metrics);
    return ok;
}
