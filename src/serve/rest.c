/*
 * The program's own interface: models, labels and trees.
 *
 * A body is a file in any format that vouch tag and vouch parse read, and the response has the bytes that they would
 * write. Of the type application/json it is one sentence, an object as in a line of JSON lines, and the response is
 * such an object; or a list of sentences, and the response is a list. Parameters are options of vouch tag or parse.
 *
 * An object may have "text" in place of "tokens", in JSON lines as well. The text is cut by rule (text/word_breaks.h),
 * and the response is the object with "sentences": answers as in JSON lines, with the code points of words and spans.
 * The first object decides: a body has texts alone or sentences alone. Each text is answered by itself.
 */
#include "answer/answer.h"
#include "answer/answer_stream.h"
#include "answer/model_input.h"
#include "answer/request.h"
#include "base/buffer.h"
#include "base/json_read.h"
#include "base/json_write.h"
#include "base/watch.h"
#include "model/model.h"
#include "serve/access.h"
#include "serve/http.h"
#include "serve/metrics.h"
#include "serve/server.h"
#include "text/raw_text.h"
#include "text/writer.h"

#include <string.h>

/* ---- Models ---- */

static json_t *model_json(const struct served_model *m)
{
    json_t *labels = json_array();
    for (size_t i = 0; i < vouch_model_label_count(m->model); i++)
        json_array_append_new(labels, json_string(vouch_model_label_name(m->model, i)));
    return json_pack("{s:s, s:s, s:b, s:s, s:I, s:I, s:o}", "name", m->name, "task", vouch_model_task(m->model),
                     "parses", vouch_model_parses(m->model), "version", m->version, "replaced", (json_int_t)m->number,
                     "columns", (json_int_t)vouch_model_columns(m->model), "labels", labels);
}

static bool list_models(struct exchange *e, struct vouch_error *err)
{
    const struct served_model *all[MOST_MODELS];
    size_t count = models_take_all(e->server->models, all);
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++) {
        json_array_append_new(list, model_json(all[i]));
        models_leave(e->server->models, all[i]);
    }
    return respond_json(e, 200, json_pack("{s:o}", "models", list), err);
}

static bool show_model(struct exchange *e, struct vouch_error *err)
{
    const struct served_model *m = models_take(e->server->models, e->segment[0], ANY_MODEL, err);
    if (!m)
        return refuse(e, 404, err, "%s", err->message);
    bool ok = respond_json(e, 200, model_json(m), err);
    models_leave(e->server->models, m);
    return ok;
}

/* Replaces a model by the file in the body: on the disk first, so that the next start has it, too. */
static bool put_model(struct exchange *e, struct vouch_error *err)
{
    const struct served_model *old = models_take(e->server->models, e->segment[0], ANY_MODEL, err);
    if (!old)
        return refuse(e, 404, err, "%s", err->message);
    vouch_model *model = vouch_model_open_memory(e->body, e->length, err);
    bool ok = model != NULL;
    if (ok && vouch_model_parses(model) != vouch_model_parses(old->model))
        ok = refuse(e, 409, err, "expected a model that %s, as '%s' does",
                    vouch_model_parses(old->model) ? "parses" : "labels", old->name);
    models_replace_begin(e->server->models);
    if (ok && old->path)
        ok = vouch_model_save(model, old->path, err) == VOUCH_OK;
    if (ok)
        ok = models_put(e->server->models, old->name, model, old->path, err);
    else
        vouch_model_close(model);
    models_replace_end(e->server->models);
    models_leave(e->server->models, old);
    return ok && show_model(e, err);
}

/* ---- Answers ---- */

/* Collects the parameters that are options of answering: all but "model". */
static bool add_option(void *context, const char *name, const char *value, struct vouch_error *err)
{
    struct buffer *options = context;
    if (strcmp(name, "model") == 0)
        return true;
    if (strpbrk(name, "&=%"))
        return fail(err, VOUCH_ERR_ARGUMENT, "unknown option '%.60s'", name);
    bool ok = buffer_print(options, err, "%s%s=", options->length ? "&" : "", name);
    for (const char *c = value; ok && *c; c++)
        ok = *c == '&' || *c == '%' ? buffer_print(options, err, "%%%02X", *c) : buffer_put(options, *c, err);
    return ok;
}

/* One text to answer: what is read, by what, and where answers go. */
struct text_answers {
    const struct served_model *model;
    const struct lent_worker *lent;
    const struct vouch_watch *watch;
    struct output *out;
    struct writer_options writing;
    struct arena arena; /* of one sentence */
};

/* Writes a sentence as vouch tag and parse do. */
static bool take(void *context, const struct sentence *s, const struct vouch_answer *answer, struct vouch_error *err)
{
    struct text_answers *a = context;
    const struct text *label = answer->label;
    struct text *outside;
    struct marks marks = {answer->confidences, answer->doubtful, answer->replaced};
    if (!a->model->model->trees && !label) { /* a document mark */
        arena_reset(&a->arena);
        if (!ARENA_ARRAY(outside, s->N, &a->arena, err))
            return false;
        for (uint32_t i = 0; i < s->N; i++)
            outside[i] = text_of("O");
        label = outside;
    }
    return write_sentence(a->out, &a->writing, s, answer->head, label, &marks, err);
}

/* A sentence of so many words takes a hundred megabytes, which one client may have, but not many. */
static bool is_short(const struct sentence *s, struct vouch_error *err)
{
    enum { MOST_WORDS = 100000 };
    return s->N <= MOST_WORDS ||
           fail(err, VOUCH_ERR_FORMAT, "expected at most %d words in a sentence, found %u", MOST_WORDS, s->N);
}

/* Answers sentence by sentence, by a worker that is there already: for short texts, most of the time is saved. */
static bool answer_by_worker(struct text_answers *a, struct reader *reader, struct vouch_error *err)
{
    struct sentence *own = a->lent->sentence;
    struct vouch_sentence sentence = {.view = own};
    enum reading found = READ_END;
    bool ok = true;
    while (ok && (found = reader_next(reader, own, err)) == READ_SENTENCE) {
        const vouch_answer *answer = is_short(own, err) ? vouch_worker_answer(a->lent->worker, &sentence, err) : NULL;
        ok = (answer && take(a, own, answer, err)) || reader_blame(reader, own, err);
        if (ok && watch_stops(a->watch))
            ok = fail(err, VOUCH_ERR_STOPPED, "the server stops");
    }
    return ok && found == READ_END;
}

/* Answers a text in the format that it has, or that the options say; *found is that. */
static bool answer_text(struct text_answers *a, struct text text, enum format format, enum format *found,
                        struct vouch_error *err)
{
    const struct vouch_model *model = a->model->model;
    const struct vouch_request *request = a->lent->request;
    struct reader_options reading;
    if (!reading_options_to_answer(&a->lent->settings->reading, &reading, err))
        return false;
    if (format != FORMAT_AUTO)
        reading.format = format;
    reading.trees = model->trees;
    reading.name = "body";
    model_input_settle(model, &reading);
    struct reader *reader = reader_open_memory(text.at, text.length, &reading, err);
    bool ok = reader && model_input_fits(model, reader, err);
    if (ok) {
        *found = reader->format;
        a->writing = writer_options_for(reader);
        a->writing.column = model->trees ? 0 : reader_column(reader);
        a->writing.keeps_relations = model_lacks_weights(model);
        bool whole = reading.report || model->context.sentences ||
                     (request->estimator && estimator_uses_text(request->estimator));
        struct answer_sink sink = {.take = take, .context = a, .watch = a->watch};
        ok = whole ? answer_stream(request, reader, &sink, err) : answer_by_worker(a, reader, err);
    }
    reader_close(reader);
    arena_release(&a->arena);
    return ok;
}

static struct text body_text(const struct exchange *e)
{
    return (struct text){e->body, (uint32_t)e->length};
}

/* Adds a sentence of a JSON body as a line. */
static bool add_line(struct buffer *lines, const json_t *item, size_t number, struct vouch_error *err)
{
    if (!json_is_object(item) && !json_is_array(item))
        return fail(err, VOUCH_ERR_FORMAT, "body: sentence %zu: expected an object or a list of tokens", number);
    char *text = json_dumps(item, JSON_COMPACT);
    bool ok =
        text ? buffer_print(lines, err, json_is_object(item) ? "%s\n" : "{\"tokens\":%s}\n", text) : fail_memory(err);
    free(text);
    return ok;
}

/* Reads the body, or a line of it; NULL on failure. */
static json_t *read_json(struct text text, size_t line, struct vouch_error *err)
{
    json_error_t error;
    json_t *value = json_read(text.at, text.length, JSON_REJECT_DUPLICATES, &error);
    if (!value && json_lacked_memory(&error))
        fail_memory(err);
    else if (!value)
        fail(err, VOUCH_ERR_FORMAT, "body:%zu: invalid JSON at column %d: %s", line + (size_t)error.line - 1,
             error.column, error.text);
    return value;
}

/* Makes JSON lines of a JSON body; *list if it is a list. */
static bool lines_of_json(struct exchange *e, struct buffer *lines, bool *list, struct vouch_error *err)
{
    json_t *value = read_json(body_text(e), 1, err), *item;
    size_t i;
    bool ok = value != NULL;
    *list = json_is_array(value);
    if (*list) {
        json_array_foreach(value, i, item) ok = ok && add_line(lines, item, i + 1, err);
    } else {
        ok = ok && add_line(lines, value, 1, err);
    }
    json_decref(value);
    return ok;
}

/* A line that readers place in the body is a sentence of the list. */
static bool blame_sentence(struct vouch_error *err)
{
    unsigned long long line;
    int end = 0;
    char why[sizeof err->message];
    if (sscanf(err->message, "body:%llu: %n", &line, &end) < 1 || !end)
        return false;
    snprintf(why, sizeof why, "%s", err->message + end);
    return fail(err, err->status, "body: sentence %llu: %s", line, why);
}

/* Writes answers that are lines as a list. */
static void write_list(struct output *out, const char *lines, size_t length)
{
    const char *end = lines + length;
    output_write(out, "[", 1);
    for (const char *at = lines, *stop; at < end; at = stop + 1) {
        stop = memchr(at, '\n', (size_t)(end - at));
        stop = stop ? stop : end;
        output_write(out, ",", at > lines);
        output_write(out, at, (size_t)(stop - at));
    }
    output_write(out, "]\n", 2);
}

static bool answer_json(struct exchange *e, struct text_answers *a, struct vouch_error *err)
{
    struct buffer lines = {0};
    enum format found;
    size_t length;
    bool list = false;
    struct output *answers = output_open_memory(err);
    bool ok = answers && lines_of_json(e, &lines, &list, err);
    a->out = answers;
    ok = ok &&
         (lines.length == 0 || answer_text(a, buffer_text(&lines), FORMAT_JSONL, &found, err) || blame_sentence(err));
    const char *text = ok ? output_text(answers, &length) : NULL;
    if (ok && !text)
        ok = fail_memory(err);
    if (ok && list)
        write_list(e->out, text, length);
    else if (ok)
        output_write(e->out, text, length);
    output_discard(answers);
    free(lines.bytes);
    return ok;
}

/* ---- Raw text ---- */

static bool is_text(const json_t *item)
{
    return json_is_string(json_object_get(item, "text")) && !json_object_get(item, "tokens");
}

/* Finds whether the first object of the body has text in place of words; what is not JSON has none. */
static bool begins_with_text(const struct exchange *e, bool *found, struct vouch_error *err)
{
    const char *at = e->body + strspn(e->body, " \t\r\n");
    json_error_t error;
    *found = false;
    if (!strstr(at, "\"text\"")) /* so most bodies are not read twice */
        return true;
    if (*at == '[')
        at += 1 + strspn(at + 1, " \t\r\n");
    if (*at != '{')
        return true;
    json_t *first = json_read(at, e->length - (size_t)(at - e->body), JSON_DISABLE_EOF_CHECK, &error);
    *found = is_text(first);
    if (!first && json_lacked_memory(&error))
        return fail_memory(err);
    json_decref(first);
    return true;
}

static json_int_t integer_at(const json_t *list, json_int_t i)
{
    return json_integer_value(json_array_get(list, (size_t)i));
}

/* Gives every span of an answer, which is in words, the code points of the text, too. */
static bool place_spans(json_t *answer, struct vouch_error *err)
{
    const json_t *start = json_object_get(answer, "start"), *end = json_object_get(answer, "end");
    json_t *span;
    size_t i;
    json_array_foreach(json_object_get(answer, "spans"), i, span)
    {
        json_int_t from = json_integer_value(json_object_get(span, "start"));
        json_int_t to = json_integer_value(json_object_get(span, "end"));
        json_t *characters = json_pack("[I, I]", integer_at(start, from), integer_at(end, to - 1));
        if (json_object_set_new(span, "characters", characters) != 0)
            return fail_memory(err);
    }
    return true;
}

static int pass_on(const char *bytes, size_t count, void *out)
{
    output_write(out, bytes, count);
    return 0;
}

/* Writes the answer in a line of JSON lines. Confidence has six digits there, too; all other numbers are whole. */
static bool write_placed(struct output *out, struct text line, struct vouch_error *err)
{
    json_t *answer = json_read(line.at, line.length, 0, NULL);
    bool ok = answer && place_spans(answer, err) &&
              json_dump_callback(answer, pass_on, out, JSON_COMPACT | JSON_REAL_PRECISION(6)) == 0;
    json_decref(answer);
    return ok || fail_memory(err);
}

static bool is_blank(struct text line)
{
    struct text rest = text_trim(line);
    return rest.length == 0 || text_is(rest, "\r");
}

/* Returns what was written; `at` is NULL on failure. */
static struct text written(const struct output *out, struct vouch_error *err)
{
    size_t length = 0;
    const char *text = output_text(out, &length);
    if (text && length <= UINT32_MAX)
        return (struct text){text, (uint32_t)length};
    fail_memory(err);
    return (struct text){0};
}

/* Writes the object with the answers to its sentences, which are lines. */
static bool write_sentences(struct output *out, json_t *item, struct text answers, struct vouch_error *err)
{
    const char *between = "";
    json_object_del(item, "sentences");
    output_write(out, "{", 1);
    bool ok = true;
    write_json_members(out, item, false);
    output_printf(out, ",\"sentences\":[");
    for (; ok && answers.length > 0; between = ",") {
        output_printf(out, "%s", between);
        ok = write_placed(out, text_cut(&answers, '\n'), err);
    }
    output_write(out, "]}", 2);
    return ok;
}

/* Answers one text, which is cut, and whose sentences are answered as JSON lines, all of it in memory. */
static bool answer_raw(struct exchange *e, struct text_answers *a, json_t *item, struct vouch_error *err)
{
    enum { MOST_BYTES = 16 << 20 };
    const json_t *raw = json_object_get(item, "text");
    struct text text = {json_string_value(raw), (uint32_t)json_string_length(raw)}, lines, answers;
    struct output *cut = output_open_memory(err), *answered = cut ? output_open_memory(err) : NULL;
    enum format found;
    bool ok = is_text(item) || fail(err, VOUCH_ERR_FORMAT,
                                    "expected an object with a string \"text\" and no "
                                    "\"tokens\", as the first of the body is");
    if (ok && text.length > MOST_BYTES)
        ok = refuse(e, 413, err, "expected a text of at most 16 MiB, found %u bytes", text.length);
    a->out = answered;
    ok = ok && answered && raw_text_write_json(cut, text, &(struct raw_options){0}, err);
    ok = ok && (lines = written(cut, err)).at &&
         (lines.length == 0 || answer_text(a, lines, FORMAT_JSONL, &found, err)) &&
         (answers = written(answered, err)).at && write_sentences(e->out, item, answers, err);
    output_discard(answered);
    output_discard(cut);
    return ok;
}

/* Says where the text is that an error is about; "body:N" is its sentence N. Returns false. */
static bool blame_text(const char *place, struct vouch_error *err)
{
    unsigned long long sentence;
    int end = 0;
    char why[sizeof err->message];
    bool placed = sscanf(err->message, "body:%llu: %n", &sentence, &end) == 1 && end > 0;
    snprintf(why, sizeof why, "%s", err->message + (placed ? end : 0));
    if (err->status != VOUCH_ERR_FORMAT)
        return false;
    return placed ? fail(err, err->status, "%s: sentence %llu: %s", place, sentence, why)
                  : fail(err, err->status, "%s: %s", place, why);
}

/* Answers a body that is JSON: an object, or a list of them. */
static bool answer_raw_json(struct exchange *e, struct text_answers *a, struct vouch_error *err)
{
    json_t *value = read_json(body_text(e), 1, err);
    bool list = json_is_array(value), ok = value != NULL;
    size_t count = list ? json_array_size(value) : 1;
    char place[64] = "body";
    output_write(e->out, "[", list);
    for (size_t i = 0; ok && i < count; i++) {
        if (list)
            snprintf(place, sizeof place, "body: text %zu", i + 1);
        output_write(e->out, ",", i > 0);
        ok = answer_raw(e, a, list ? json_array_get(value, i) : value, err) || blame_text(place, err);
    }
    output_printf(e->out, list ? "]\n" : "\n");
    json_decref(value);
    return ok;
}

/* Answers JSON lines, a text each; blank lines stay. */
static bool answer_raw_lines(struct exchange *e, struct text_answers *a, struct vouch_error *err)
{
    struct text rest = body_text(e);
    char place[64];
    bool ok = true;
    for (size_t number = 1; ok && rest.length > 0; number++) {
        struct text line = text_cut(&rest, '\n');
        if (!is_blank(line)) {
            json_t *item = read_json(line, number, err);
            snprintf(place, sizeof place, "body:%zu", number);
            ok = item && (answer_raw(e, a, item, err) || blame_text(place, err));
            json_decref(item);
        }
        output_write(e->out, "\n", 1);
    }
    return ok;
}

static bool answer_texts(struct exchange *e, struct text_answers *a, bool json, struct vouch_error *err)
{
    if (a->lent->settings->reading.on_error == ON_ERROR_REPORT)
        return fail(err, VOUCH_ERR_ARGUMENT, "on-error: expected sentences (\"tokens\"), found \"text\"");
    return json ? answer_raw_json(e, a, err) : answer_raw_lines(e, a, err);
}

/* ---- Bodies ---- */

/* Whether a body of JSON is one object on one line, which is a line of JSON lines as it is. */
static bool is_one_line(const struct exchange *e)
{
    const char *end = memchr(e->body, '\n', e->length);
    return e->body[0] == '{' && (!end || end + 1 == e->body + e->length);
}

static bool answer_body(struct exchange *e, struct text_answers *a, struct vouch_error *err)
{
    enum format found = FORMAT_JSONL, asked = a->lent->settings->reading.format;
    bool may_be_json = asked == FORMAT_AUTO || asked == FORMAT_JSONL, texts = false;
    bool json = strcmp(e->type, "application/json") == 0 || (may_be_json && e->body[strspn(e->body, " \t\r\n")] == '[');
    if (e->length > UINT32_MAX)
        return refuse(e, 413, err, "expected a body of less than 4 GiB");
    if ((json || may_be_json) && !begins_with_text(e, &texts, err))
        return false;
    if (texts) {
        e->sent_type = json ? e->sent_type : "application/jsonl";
        return answer_texts(e, a, json, err);
    }
    if (json && !is_one_line(e))
        return answer_json(e, a, err);
    a->out = e->out;
    if (!answer_text(a, body_text(e), json ? FORMAT_JSONL : FORMAT_AUTO, &found, err))
        return false;
    if (!json)
        e->sent_type = found == FORMAT_JSONL ? "application/jsonl" : "text/plain; charset=utf-8";
    return true;
}

/* Calls the model by its name where a message names its file, whose place is no business of clients; returns false. */
static bool blame_model(const struct served_model *m, struct vouch_error *err)
{
    size_t length = m->path ? strlen(m->path) : 0;
    char why[sizeof err->message];
    if (length == 0 || strncmp(err->message, m->path, length) != 0)
        return false;
    snprintf(why, sizeof why, "%s", err->message + length);
    return fail(err, err->status, "%s%s", m->name, why);
}

static bool answer(struct exchange *e, enum model_kind kind, struct vouch_error *err)
{
    struct models *models = e->server->models;
    struct buffer options = {0};
    struct lent_worker lent = {0};
    struct vouch_watch watch = server_watch(e->server);
    const char *name = exchange_parameter(e, "model");
    const struct served_model *m = models_take(models, name, kind, err);
    if (!m)
        return refuse(e, 404, err, "%s", err->message);
    bool ok = true;
    if (kind != ANY_MODEL && m->model->trees != (kind == TREES_MODEL))
        ok = refuse(e, 404, err, "the model '%s' %s", m->name,
                    m->model->trees ? "parses: see /v1/parse" : "labels: see /v1/tag");
    struct text_answers a = {.model = m, .lent = &lent, .watch = &watch};
    ok = ok && exchange_parameters(e, add_option, &options, err) &&
         models_lend(models, m, buffer_text(&options).at, &lent, err) && answer_body(e, &a, err);
    ok = ok || blame_model(m, err);
    models_return(models, &lent);
    models_leave(models, m);
    free(options.bytes);
    return ok;
}

static bool tag(struct exchange *e, struct vouch_error *err)
{
    return answer(e, LABELS_MODEL, err);
}

static bool parse(struct exchange *e, struct vouch_error *err)
{
    return answer(e, TREES_MODEL, err);
}

/* ---- The server itself ---- */

static bool health(struct exchange *e, struct vouch_error *err)
{
    return respond_json(e, 200,
                        json_pack("{s:s, s:s, s:f}", "status", "up", "version", vouch_version(), "seconds",
                                  seconds_now() - e->server->started),
                        err);
}

static bool show_metrics(struct exchange *e, struct vouch_error *err)
{
    (void)err;
    e->sent_type = "text/plain; version=0.0.4; charset=utf-8";
    metrics_write(e->server->metrics, e->server, e->out);
    return true;
}

static bool respond_session(struct exchange *e, bool open, const char *who, struct vouch_error *err)
{
    return respond_json(e, 200,
                        json_pack("{s:b, s:b, s:s?, s:b}", "needs_token", access_needs_token(e->server->access), "open",
                                  open, "who", who, "desk", e->server->desk != NULL),
                        err);
}

static bool show_session(struct exchange *e, struct vouch_error *err)
{
    const char *who;
    bool open =
        access_admits(e->server->access, exchange_header(e, "Authorization"), exchange_header(e, "Cookie"), &who);
    return respond_session(e, open, who, err);
}

/* Gives a browser a cookie for its token. Where none is needed, none is given. */
static bool open_session(struct exchange *e, struct vouch_error *err)
{
    char session[SESSION_LENGTH + 1], cookie[128];
    const char *who = NULL;
    json_t *body = exchange_json(e, JSON_OBJECT, err);
    if (!body)
        return false;
    const char *token = json_string_value(json_object_get(body, "token"));
    bool needed = access_needs_token(e->server->access);
    bool ok = !needed || (token && access_open_session(e->server->access, token, session, &who, err)) ||
              refuse(e, 401, err, "expected {\"token\": \"...\"} with a token of this server");
    json_decref(body);
    if (ok && needed) {
        snprintf(cookie, sizeof cookie, "vouch=%s; Path=/; HttpOnly; SameSite=Strict", session);
        ok = exchange_add_header(e, "Set-Cookie", cookie, err);
    }
    return ok && respond_session(e, true, who, err);
}

const struct route answer_routes[] = {
    {"GET", "/v1/models", 0, "the models that are served", list_models},
    {"GET", "/v1/models/{name}", 0, "a model that is served", show_model},
    {"PUT", "/v1/models/{name}", ROUTE_WRITES | ROUTE_BINARY, "replace a model by a model file", put_model},
    {"POST", "/v1/tag", ROUTE_FOREIGN | ROUTE_STREAM, "label sentences", tag},
    {"POST", "/v1/parse", ROUTE_FOREIGN | ROUTE_STREAM, "parse sentences", parse},
    {"GET", "/v1/health", ROUTE_OPEN, "whether the server is up", health},
    {"GET", "/v1/session", ROUTE_OPEN, "who asks, and whether a token is needed", show_session},
    {"POST", "/v1/session", ROUTE_OPEN | ROUTE_WRITES, "get a cookie for a token", open_session},
    {"GET", "/metrics", 0, "what was answered, for Prometheus", show_metrics},
    {0},
};
