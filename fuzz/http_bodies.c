/*
 * Sends any request to a server without sockets, with models that label and that parse: the first line is METHOD
 * PATH?PARAMETERS, then come headers up to an empty line, and the body is the rest. Whatever it is, there is a
 * response: a status, and if it is an error, a problem in JSON.
 */
#include "fuzz.h"

#include "bare_server.h"
#include "base/json_read.h"
#include "small_models.h"

static struct bare_server bare = {.options = {.body_limit = 1}};

static void make_server(void)
{
    static const char *const voices[] = {"cw", "crf", NULL}, *const one[] = {"cw", NULL};
    struct vouch_error err = {0};
    if (folder_make(NULL) != 0)
        abort();
    bare_init(&bare);
    if (!models_open(bare.server.models, small_tagger("tagger", voices, NULL), &err) ||
        !models_open(bare.server.models, small_parser("parser", one, NULL), &err) || folder_remove(NULL) != 0)
        abort();
}

/* Cuts the text at the first of the marks; returns what follows, or the end. */
static char *cut(char *text, const char *mark)
{
    char *end = strstr(text, mark);
    if (!end)
        return text + strlen(text);
    *end = '\0';
    return end + strlen(mark);
}

static void add_parameters(char *text)
{
    while (*text) {
        char *next = cut(text, "&"), *value = cut(text, "=");
        percent_decode(text);
        percent_decode(value);
        incoming_add_parameter(&bare.in, text, value);
        text = next;
    }
}

static void add_headers(char *text)
{
    while (*text) {
        char *next = cut(text, "\n"), *value = cut(text, ": ");
        incoming_add_header(&bare.in, text, value);
        text = next;
    }
}

static void check_response(void)
{
    const struct exchange *e = &bare.in.exchange;
    size_t length;
    const char *text = output_text(e->out, &length);
    if (output_spooled(e->out) >= 0 || (e->status >= 200 && e->status < 300))
        return;
    json_error_t error;
    json_t *problem = e->status >= 400 && e->status < 600 ? json_read(text, length, 0, &error) : NULL;
    if (json_integer_value(json_object_get(problem, "status")) != (json_int_t)e->status ||
        !json_string_value(json_object_get(problem, "detail")))
        abort();
    json_decref(problem);
}

/* Jobs learn and measure for long: their bodies are those of other targets. */
static bool is_job(const char *path)
{
    return strcmp(path, "/v1/review") == 0 || strcmp(path, "/v1/next") == 0 || strcmp(path, "/v1/forecast") == 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    if (!bare.server.models)
        make_server();
    char *all = new_string((const char *)bytes, length, NULL), *body = cut(all, "\n\n");
    char *headers = cut(all, "\n"), *path = cut(all, " "), *parameters = cut(path, "?");
    percent_decode(path);
    incoming_begin(&bare.in, &bare.server, all, path);
    incoming_add_header(&bare.in, "Host", "localhost:80");
    add_headers(headers);
    add_parameters(parameters);
    if (!is_job(path) && incoming_admit(&bare.in)) {
        bare.in.exchange.body = body;
        bare.in.exchange.length = (size_t)(all + length - body);
        incoming_takes_long(&bare.in);
        incoming_answer(&bare.in);
    }
    if (!is_job(path))
        check_response();
    incoming_end(&bare.in);
    free(all);
    return 0;
}
