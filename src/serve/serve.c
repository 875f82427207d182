/* Opens what is served, starts to answer, and stops: see server.h. */
#include "serve/server.h"

#include "base/watch.h"
#include "serve/http.h"

#include <stdio.h>
#include <time.h>

#define OPTIONS struct serve_options
static const struct serve_options usual = {.common = USUAL_COMMON, .port = 8460};

static const struct option_spec option[] = {
    TEXT("model", 'm', models, "FILE", OPTION_OF_PROGRAM | OPTION_READ | OPTION_REPEATS,
         "a model to serve; may be given more than once"),
    INTEGER("port", 0, port, "P", 0, 65535, OPTION_INCIDENTAL, "listen on this port; 0 is any that is free"),
    OPTION_THREADS,
    OPTIONS_END_VERBOSE,
};

const struct option_table serve_options = {"serve", option, &usual, sizeof usual, NULL, NULL};

static bool open_models(struct server *server, struct vouch_error *err)
{
    const struct text_list *files = &server->options->models;
    for (size_t i = 0; i < files->count; i++)
        if (!models_open(server->models, files->item[i], err))
            return false;
    return true;
}

static void wait_for_stop(const struct vouch_watch *watch)
{
    while (!watch_stops(watch))
        nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
}

bool serve(const struct serve_options *options, void (*ready)(const char *url), struct vouch_error *err)
{
    struct server server = {.options = options, .started = seconds_now()};
    char url[64];
    bool ok = (server.models = models_new(err)) && open_models(&server, err) &&
              (server.listener = listener_open(&server, err));
    if (ok) {
        snprintf(url, sizeof url, "http://127.0.0.1:%u/", listener_port(server.listener));
        ready(url);
        wait_for_stop(options->common.work.watch);
    }
    listener_close(server.listener);
    models_free(server.models);
    return ok;
}
