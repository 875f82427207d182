/* Raw text as words and sentences: what /v1/tag and /v1/parse take, for clients without a tokeniser of their own. */
#include "serve/http.h"
#include "text/raw_text.h"

static bool cut_text(struct exchange *e, struct vouch_error *err)
{
    const char *lines = exchange_parameter(e, "lines");
    struct raw_options options = {.presegmented = lines && strcmp(lines, "true") == 0, .ranges = true};
    struct text text = {e->body, (uint32_t)e->length};
    bool columns = strstr(e->accept, "text/") != NULL && !strstr(e->accept, "json");
    if (e->length > UINT32_MAX)
        return refuse(e, 413, err, "expected a body of less than 4 GiB");
    if (lines && strcmp(lines, "true") != 0 && strcmp(lines, "false") != 0)
        return refuse(e, 400, err, "lines: expected true or false, found '%.40s'", lines);
    e->sent_type = columns ? "text/plain; charset=utf-8" : "application/jsonl";
    return columns ? raw_text_write(e->out, text, &options, err) : raw_text_write_json(e->out, text, &options, err);
}

const struct route cut_routes[] = {
    {"POST", "/v1/cut", ROUTE_FOREIGN | ROUTE_STREAM, "cut raw text into words and sentences", cut_text},
    {0},
};
