/* Tests requests to the server without memory: an answer, or 503. */
#include "failing_memory.h"

#include "bare_server.h"

FIXTURE(folder_and_jansson)
{
    return folder_make(state) || jansson_fails_too(state);
}
FILE_FIXTURE(folder_and_jansson, folder_remove);

struct request {
    const char *method, *path, *body, *type;
    const char *parameter[2];
};

struct asked_server {
    struct bare_server bare;
    const struct request *request;
};

static bool ask(void *context, struct vouch_error *err)
{
    struct asked_server *a = context;
    const struct request *q = a->request;
    struct bare_server *b = &a->bare;
    incoming_begin(&b->in, &b->server, q->method, q->path);
    incoming_add_header(&b->in, "Host", "localhost:80");
    incoming_add_header(&b->in, "X-Vouch", "1");
    incoming_add_header(&b->in, "Content-Type", q->type);
    if (q->parameter[0])
        incoming_add_parameter(&b->in, q->parameter[0], q->parameter[1]);
    if (incoming_admit(&b->in)) {
        b->in.exchange.body = q->body;
        b->in.exchange.length = strlen(q->body);
        incoming_answer(&b->in);
    }
    if (b->in.exchange.status == 503)
        return fail_memory(err);
    return b->in.exchange.status == 200 || fail(err, VOUCH_ERR_ARGUMENT, "%s: %s", q->path, bare_text(b));
}

TEST(requests_without_memory_are_answered_or_told_to_come_again)
{
    static const char *const voices[] = {"cw", NULL};
    static const struct request request[] = {
        {"POST", "/v1/tag", "{\"tokens\": [[\"a\", \"X\"]]}\n", "application/jsonl", {NULL}},
        {"POST", "/v1/tag", "[[[\"a\", \"X\"]], {\"tokens\": []}]", "application/json", {"confidence", "delta"}},
        {"POST", "/v1/tag", "a X\nb Y\n\n", "text/plain", {"confidence", "gamma,kd-fix"}},
        {"POST", "/v1/parse", "[{\"text\": \"A b. C d.\"}]", "application/json", {"confidence", "delta"}},
        {"POST", "/v1/parse", "{\"text\": \"A b.\"}\n{\"text\": \"\"}", "application/jsonl", {"confidence", "none"}},
        {"GET", "/v1/models", "", "", {NULL}},
        {"GET", "/v1/models/model", "", "", {NULL}},
        {"POST", "/v1/session", "{\"token\": \"12345678\"}", "application/json", {NULL}},
    };
    struct asked_server a = {.bare = {.options = {.body_limit = 1}}};
    struct vouch_error err = {0};
    struct bare_server *b = &a.bare;
    bare_init(b);
    must(models_open(b->server.models, small_tagger("model", voices, NULL), &err), &err);
    must(models_open(b->server.models, small_parser("parser", voices, NULL), &err), &err);
    for (size_t i = 0; i < sizeof request / sizeof *request; i++) {
        a.request = &request[i];
        must(ask(&a, &err), &err);
        fail_every_one(ask, &a);
        err = (struct vouch_error){0};
        must(ask(&a, &err), &err);
    }
    bare_release(b);
}
