/*
 * The desk over HTTP: what a page for annotators needs, each an exchange of JSON with desk/. Who decides is the person
 * whose token came with the request; without tokens, "annotator" in the body or in the address.
 */
#include "base/input.h"
#include "desk/desk.h"
#include "serve/http.h"
#include "serve/server.h"

#include <stdlib.h>
#include <string.h>

static struct desk *desk_of(struct exchange *e, struct vouch_error *err)
{
    if (!e->server->desk)
        refuse(e, 404, err, "nothing is labelled here: start vouch serve with a corpus, or with --store");
    return e->server->desk;
}

/* Who asks; `body` may be NULL. */
static const char *annotator_of(const struct exchange *e, const json_t *body)
{
    const char *named = json_string_value(json_object_get(body, "annotator"));
    const char *asked = named ? named : exchange_parameter(e, "annotator");
    return e->who ? e->who : asked ? asked : "annotator";
}

static bool number_parameter(const struct exchange *e, const char *name, long long usual, long long *number,
                             struct vouch_error *err)
{
    const char *text = exchange_parameter(e, name);
    char *end = NULL;
    *number = text ? strtoll(text, &end, 10) : usual;
    return !text || (*text && !*end && *number >= 0) ||
           fail(err, VOUCH_ERR_ARGUMENT, "expected a number in '%s', found '%.40s'", name, text);
}

/* Answers with what a function of the desk returned, which has set the error if that is NULL. */
static bool respond(struct exchange *e, json_t *value, struct vouch_error *err)
{
    if (value)
        return respond_json(e, 200, value, err);
    if (err->status == VOUCH_ERR_IO)
        return refuse(e, 503, err, "%s", err->message);
    return err->status ? false : fail_memory(err);
}

/* ---- Functions of the desk that take nothing but the body, if there is one ---- */

static bool call(struct exchange *e, json_t *(*function)(struct desk *desk, struct vouch_error *err),
                 struct vouch_error *err)
{
    struct desk *desk = desk_of(e, err);
    return desk && respond(e, function(desk, err), err);
}

typedef json_t *(*body_call)(struct desk *desk, const char *annotator, const json_t *body, struct vouch_error *err);

static bool call_with_body(struct exchange *e, body_call function, struct vouch_error *err)
{
    struct desk *desk = desk_of(e, err);
    json_t *body = desk ? exchange_json(e, JSON_OBJECT, err) : NULL;
    const json_t *named = json_object_get(body, "annotator");
    if (named && !json_is_string(named)) {
        json_decref(body);
        return fail(err, VOUCH_ERR_ARGUMENT, "expected a name in \"annotator\"");
    }
    bool ok = body && respond(e, function(desk, annotator_of(e, body), body, err), err);
    json_decref(body);
    return ok;
}

static json_t *add_comment(struct desk *desk, const char *annotator, const json_t *body, struct vouch_error *err)
{
    json_t *comment = json_deep_copy(body);
    bool ok = json_object_set_new(comment, "kind", json_string("comment")) == 0 || fail_memory(err);
    json_t *made = ok ? desk_decide(desk, annotator, comment, err) : NULL;
    json_decref(comment);
    return made;
}

static json_t *undo_last(struct desk *desk, const char *annotator, const json_t *body, struct vouch_error *err)
{
    return desk_undo(desk, annotator, json_string_value(json_object_get(body, "key")), err);
}

static json_t *redo_last(struct desk *desk, const char *annotator, const json_t *body, struct vouch_error *err)
{
    return desk_redo(desk, annotator, json_string_value(json_object_get(body, "key")), err);
}

static json_t *complete(struct desk *desk, const char *annotator, const json_t *body, struct vouch_error *err)
{
    (void)annotator;
    return desk_complete(desk, body, err);
}

static json_t *learn_now(struct desk *desk, const char *annotator, const json_t *body, struct vouch_error *err)
{
    (void)annotator, (void)body;
    return desk_learn(desk, err);
}

static json_t *begin_review(struct desk *desk, const char *annotator, const json_t *body, struct vouch_error *err)
{
    (void)annotator;
    return desk_review(desk, body, err);
}

#define ANSWERS(handler, way, function)                                                                                \
    static bool handler(struct exchange *e, struct vouch_error *err)                                                   \
    {                                                                                                                  \
        return way(e, function, err);                                                                                  \
    }
ANSWERS(about, call, desk_about)
ANSWERS(measures, call, desk_measures)
ANSWERS(curves, call, desk_curves)
ANSWERS(learned_models, call, desk_models)
ANSWERS(agreement, call, desk_agreement)
ANSWERS(decide, call_with_body, desk_decide)
ANSWERS(comment, call_with_body, add_comment)
ANSWERS(undo, call_with_body, undo_last)
ANSWERS(redo, call_with_body, redo_last)
ANSWERS(tree, call_with_body, complete)
ANSWERS(learn, call_with_body, learn_now)
ANSWERS(decide_suspects, call_with_body, desk_decide_suspects)
ANSWERS(review, call_with_body, begin_review)

/* ---- Others ---- */

static bool queue(struct exchange *e, struct vouch_error *err)
{
    struct desk *desk = desk_of(e, err);
    long long limit;
    if (!desk || !number_parameter(e, "limit", 5, &limit, err))
        return false;
    uint32_t most = limit > 50 ? 50 : (uint32_t)limit;
    return respond(e, desk_queue(desk, annotator_of(e, NULL), exchange_parameter(e, "order"), most, err), err);
}

static bool sentence(struct exchange *e, struct vouch_error *err)
{
    struct desk *desk = desk_of(e, err);
    char *end;
    long long id = strtoll(e->segment[0], &end, 10);
    if (desk && *end)
        return refuse(e, 404, err, "expected a sentence's number, found '%.40s'", e->segment[0]);
    return desk && respond(e, desk_sentence(desk, annotator_of(e, NULL), id, err), err);
}

static bool decisions(struct exchange *e, struct vouch_error *err)
{
    enum { MOST_LISTED = 1000 }; /* the desk is locked while they are read */
    struct desk *desk = desk_of(e, err);
    long long limit, of;
    if (!desk || !number_parameter(e, "limit", 10, &limit, err) || !number_parameter(e, "sentence", 0, &of, err))
        return false;
    const char *annotator = e->who ? e->who : exchange_parameter(e, "annotator");
    uint64_t most = limit == 0 || limit > MOST_LISTED ? MOST_LISTED : (uint64_t)limit;
    return respond(e, desk_decisions(desk, annotator, of, most, err), err);
}

static bool suspects(struct exchange *e, struct vouch_error *err)
{
    struct desk *desk = desk_of(e, err);
    return desk && respond(e, desk_suspects(desk, exchange_parameter(e, "known"), err), err);
}

/* Reads a parameter that is 1 or 0; 0 if it is not there. */
static bool switch_parameter(const struct exchange *e, const char *name, bool *on, struct vouch_error *err)
{
    const char *value = exchange_parameter(e, name);
    *on = value && strcmp(value, "1") == 0;
    return !value || *on || strcmp(value, "0") == 0 ||
           fail(err, VOUCH_ERR_ARGUMENT, "expected 0 or 1 in '%s', found '%.40s'", name, value);
}

static bool decided_suspects(struct exchange *e, struct vouch_error *err)
{
    struct desk *desk = desk_of(e, err);
    bool acknowledged;
    if (!desk || !switch_parameter(e, "acknowledged", &acknowledged, err))
        return false;
    e->sent_type = "text/tab-separated-values; charset=utf-8";
    return desk_decided_table(desk, acknowledged, e->out, err);
}

static bool use_model(struct exchange *e, struct vouch_error *err)
{
    struct desk *desk = desk_of(e, err);
    return desk && respond(e, desk_use(desk, e->segment[0], err), err);
}

/* Names the file that a browser saves; whatever is no letter, digit or the like is left out. */
static bool add_file_name(struct exchange *e, const char *stem, const char *extension, struct vouch_error *err)
{
    struct buffer header = {0};
    bool ok = buffer_print(&header, err, "attachment; filename=\"");
    for (const char *c = stem; ok && *c; c++)
        if (strchr("-_.", *c) || (*c >= '0' && *c <= '9') || (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z'))
            ok = buffer_put(&header, *c, err);
    ok = ok && buffer_print(&header, err, "%s\"", extension) &&
         exchange_add_header(e, "Content-Disposition", header.bytes, err);
    free(header.bytes);
    return ok;
}

/* What another format lost goes into a header, each note behind a semicolon. */
static bool add_said(struct exchange *e, const struct buffer *said, struct vouch_error *err)
{
    if (said->length == 0)
        return true;
    for (size_t i = 0; i + 1 < said->length; i++)
        if (said->bytes[i] == '\n')
            said->bytes[i] = ';';
    said->bytes[said->length - 1] = '\0';
    return exchange_add_header(e, "X-Vouch-Lost", said->bytes, err);
}

static bool export(struct exchange *e, struct vouch_error *err)
{
    struct desk *desk = desk_of(e, err);
    struct export_request what = {.document = exchange_parameter(e, "document"),
                                  .annotator = exchange_parameter(e, "annotator"),
                                  .format = exchange_parameter(e, "format")};
    struct buffer said = {0};
    bool preview;
    if (!desk || !switch_parameter(e, "decided", &what.decided_only, err) ||
        !switch_parameter(e, "preview", &preview, err))
        return false;
    if (preview && !what.format)
        return fail(err, VOUCH_ERR_ARGUMENT, "expected \"format\" with \"preview\": nothing is lost without it");
    if (preview)
        return respond(e, desk_export_said(desk, &what, err), err);
    const char *extension = what.format ? export_extension(what.format) : "";
    e->sent_type = strcmp(extension, ".zip") == 0 ? "application/zip" : "text/plain; charset=utf-8";
    bool ok = desk_export(desk, &what, e->out, &said, err) && add_said(e, &said, err) &&
              (!what.format || add_file_name(e, what.document ? what.document : "corpus", extension, err));
    free(said.bytes);
    return ok;
}

static bool export_model(struct exchange *e, struct vouch_error *err)
{
    struct desk *desk = desk_of(e, err);
    struct mapped_file file = {0};
    if (!desk)
        return false;
    const char *path = desk_model_path(desk);
    if (!*path)
        return refuse(e, 404, err, "there is no model yet: decide on some sentences first");
    bool ok = mapped_file_init(&file, path, err) && add_file_name(e, path_name(path), "", err);
    e->sent_type = "application/octet-stream";
    if (ok)
        output_write(e->out, file.bytes, file.size);
    mapped_file_release(&file);
    return ok;
}

/* The file is read anew every time, so that a change needs no restart. */
static bool guidelines(struct exchange *e, struct vouch_error *err)
{
    const char *path = e->server->options->guidelines;
    struct input *input = path ? input_open(path, err) : NULL;
    struct text line;
    int more = path && !input ? -1 : 0;
    e->sent_type = "text/markdown; charset=utf-8";
    while (input && (more = input_line(input, &line, err)) == 1) {
        output_write(e->out, line.at, line.length);
        output_write(e->out, "\n", 1);
    }
    input_close(input);
    return more == 0;
}

const struct route desk_routes[] = {
    {"GET", "/v1/desk", 0, "what is labelled here: task, labels, documents, annotators", about},
    {"GET", "/v1/guidelines", 0, "the guidelines of --guidelines, in Markdown; nothing without", guidelines},
    {"GET", "/v1/queue", 0, "the next sentences for an annotator, each with an answer and why it is there", queue},
    {"GET", "/v1/sentences/{number}", 0, "one sentence as in the queue", sentence},
    {"POST", "/v1/answer", ROUTE_WRITES, "decide on a sentence: accept, edit, skip, flag, reject, acknowledge", decide},
    {"POST", "/v1/comment", ROUTE_WRITES, "comment on a sentence, or on some of its words", comment},
    {"POST", "/v1/undo", ROUTE_WRITES, "take back the last decision", undo},
    {"POST", "/v1/redo", ROUTE_WRITES, "take back the last undo", redo},
    {"GET", "/v1/decisions", 0, "the last decisions", decisions},
    {"POST", "/v1/tree", ROUTE_WRITES, "the best tree with given heads", tree},
    {"POST", "/v1/learn", ROUTE_WRITES, "learn from the decisions now", learn},
    {"GET", "/v1/measures", 0, "progress, figures on blind sentences with intervals, what more would bring", measures},
    {"GET", "/v1/curves", 0, "figures after every round of learning", curves},
    {"GET", "/v1/rounds", 0, "models that were learned here, and from what", learned_models},
    {"GET", "/v1/agreement", ROUTE_SLOW, "how far annotators agree, and where they do not", agreement},
    {"GET", "/v1/suspects", 0, "what is probably wrong in the corpora, and what was decided about it", suspects},
    {"POST", "/v1/suspects", ROUTE_WRITES, "decide on suspects", decide_suspects},
    {"GET", "/v1/suspects/decided", 0, "the decisions as a table that vouch review reads", decided_suspects},
    {"POST", "/v1/suspects/round", ROUTE_WRITES, "look for suspects anew, by all that was decided", review},
    {"POST", "/v1/rounds/{digest}/use", ROUTE_WRITES, "serve an earlier model again", use_model},
    {"GET", "/v1/export/model", ROUTE_SLOW | ROUTE_STREAM, "the file of the model in use", export_model},
    {"GET", "/v1/export", ROUTE_SLOW | ROUTE_STREAM, "the corpus with what was decided, in any format", export},
    {0},
};
