/*
 * Opens what is served, starts to answer, reloads models, and stops: see server.h.
 *
 * Without a model, one is learned from the labels of the corpora, and kept beside the first as CORPUS.vouch, which the
 * next start opens unless the corpus is newer. Where nothing can be written, it stays in memory.
 */
#include "serve/server.h"

#include "base/buffer.h"
#include "base/watch.h"
#include "serve/access.h"
#include "serve/http.h"
#include "serve/metrics.h"
#include "core/scheme.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#define OPTIONS struct serve_options
static const struct serve_options usual = {
    .common = USUAL_COMMON, .port = 8460, .body_limit = 64, .connections = 1400, .timeout = 30};

static const struct option_spec option[] = {
    TEXT("model", 'm', models, "FILE", OPTION_OF_PROGRAM | OPTION_READ | OPTION_REPEATS,
         "a model to serve, under the name of its file; may be given more than once"),
    TEXT("task", 't', task, "NAME", OPTION_MATTERS,
         "what to learn from CORPUS without a model: np, chunk, ner, pos or dep; recognised if not given"),
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
    OPTION_THREADS,
    OPTIONS_END_VERBOSE,
};

static const struct option_rule rules[] = {
    {.needs = "model file", .message = "expected -m MODEL to serve, or a labelled CORPUS to learn one from"},
    {.with = "task", .excludes = "model", .message = "--task is for learning from CORPUS: expected no -m"},
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

/* ---- A model of the corpora's own labels ---- */

/*
 * Recognises the task: heads are trees, chunk labels with nothing but NP are noun phrases, with types of syntax chunks,
 * else names; other labels are parts of speech.
 */
static const char *recognise_task(const char *path, struct vouch_error *err)
{
    struct reader_options reading = {.gold = GOLD_LAST};
    struct reader *reader = reader_open(path, &reading, err);
    struct sentence s = {0};
    struct text type;
    bool chunks = true, phrases = false, others = false, trees = reader && reader->format == FORMAT_CONLLU;
    enum reading found = READ_END;
    for (int i = 0; reader && !trees && i < 1000 && (found = reader_next(reader, &s, err)) == READ_SENTENCE; i++)
        for (uint32_t w = 0; s.labelled && w < s.N; w++) {
            struct text label = s.gold[w];
            chunks = chunks && scheme_split(label, &type);
            bool phrase = chunks && type.length == 2 && (type.at[1] == 'P');
            phrases = phrases || (phrase && type.at[0] != 'N');
            others = others || (chunks && type.length > 0 && !phrase);
        }
    sentence_release(&s);
    reader_close(reader);
    if (!reader || found == READ_FAILED)
        return NULL;
    return trees ? "dep" : !chunks ? "pos" : others ? "ner" : phrases ? "chunk" : "np";
}

static vouch_model *learn(const struct serve_options *o, struct vouch_error *err)
{
    const char *task = o->task ? o->task : recognise_task(o->common.argument[0], err);
    vouch_options *options = task ? vouch_options_new("train", err) : NULL;
    vouch_model *model = NULL;
    if (options && vouch_options_set(options, "task", task, err) == VOUCH_OK) {
        watch_say(o->common.work.watch, VOUCH_EVENT_NOTE, "learning from %s as --task %s", o->common.argument[0], task);
        model = vouch_train(options, (const char *const *)o->common.argument, o->common.arguments,
                            o->common.work.watch, err);
    }
    vouch_options_free(options);
    if (model && watch_stops(o->common.work.watch)) {
        vouch_model_close(model);
        model = NULL;
        fail(err, VOUCH_ERR_STOPPED, "interrupted");
    }
    return model;
}

static bool is_fresh(const char *model, const char *corpus)
{
    struct stat of_model, of_corpus;
    return stat(model, &of_model) == 0 && stat(corpus, &of_corpus) == 0 && of_model.st_mtime >= of_corpus.st_mtime;
}

/* Serves a model of the corpora: the one that an earlier start kept, or one that is learned now. */
static bool serve_corpora(struct server *server, struct vouch_error *err)
{
    const struct serve_options *o = server->options;
    const char *corpus = o->common.argument[0];
    struct buffer path = {0};
    struct vouch_error unsaved = {0};
    if (!buffer_print(&path, err, "%s.vouch", corpus))
        return false;
    if (!o->task && is_fresh(path.bytes, corpus) && models_open(server->models, path.bytes, NULL)) {
        watch_say(server->watch, VOUCH_EVENT_NOTE, "opened %s, which is newer than the corpus", path.bytes);
        free(path.bytes);
        return true;
    }
    vouch_model *model = learn(o, err);
    bool saved = model && vouch_model_save(model, path.bytes, &unsaved) == VOUCH_OK;
    if (model && saved)
        watch_say(server->watch, VOUCH_EVENT_NOTE, "wrote %s", path.bytes);
    else if (model)
        watch_say(server->watch, VOUCH_EVENT_WARNING, "the model stays in memory: %s", unsaved.message);
    char name[128];
    models_name(corpus, name, sizeof name);
    bool ok = model && models_put(server->models, name, model, saved ? path.bytes : NULL, err);
    free(path.bytes);
    return ok;
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

/* Tells the address; that of the page has a ticket if tokens are needed. */
static bool tell_address(const struct server *server, const struct serve_calls *calls, struct vouch_error *err)
{
    const char *host = server->options->host ? server->options->host : "127.0.0.1";
    char url[300], page[300], ticket[SESSION_LENGTH + 1];
    snprintf(url, sizeof url, strchr(host, ':') ? "http://[%s]:%u/" : "http://%s:%u/", host,
             listener_port(server->listener));
    snprintf(page, sizeof page, "%s", url);
    if (access_needs_token(server->access)) {
        if (!access_make_ticket(server->access, ticket, err))
            return false;
        snprintf(page, sizeof page, "%.200s#token=%s", url, ticket);
    }
    calls->ready(url, server->options->open ? page : NULL);
    return true;
}

bool serve(const struct serve_options *options, const struct serve_calls *calls, struct vouch_error *err)
{
    struct server server = {.options = options, .watch = options->common.work.watch, .started = seconds_now()};
    bool ok = (server.models = models_new(err)) && (server.metrics = metrics_new(err)) && open_models(&server, err) &&
              (options->models.count > 0 || serve_corpora(&server, err)) &&
              (server.background = background_open(server.models, server.watch, err)) &&
              (server.listener = listener_open(&server, err)) && tell_address(&server, calls, err);
    if (ok)
        run(&server, calls);
    listener_close(server.listener);
    background_close(server.background);
    models_free(server.models);
    metrics_free(server.metrics);
    return ok;
}
