/*
 * The program's own interface: models, labels and trees. A body is a file in any format that vouch tag and vouch parse
 * read; the answer is what they would write.
 */
#include "answer/answer.h"
#include "answer/model_input.h"
#include "answer/request.h"
#include "base/buffer.h"
#include "base/watch.h"
#include "model/model.h"
#include "serve/http.h"
#include "serve/server.h"
#include "text/writer.h"

static json_t *model_json(const struct served_model *m)
{
    return json_pack("{s:s, s:s, s:b, s:s, s:I}", "name", m->name, "task", vouch_model_task(m->model), "parses",
                     vouch_model_parses(m->model), "version", m->version, "replaced", (json_int_t)m->number);
}

static bool list_models(struct exchange *e, struct vouch_error *err)
{
    const struct served_model *all[64];
    size_t count = models_take_all(e->server->models, all, 64);
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++) {
        json_array_append_new(list, model_json(all[i]));
        models_leave(e->server->models, all[i]);
    }
    return respond_json(e, 200, json_pack("{s:o}", "models", list), err);
}

static bool health(struct exchange *e, struct vouch_error *err)
{
    return respond_json(e, 200,
                        json_pack("{s:s, s:s, s:f}", "status", "up", "version", vouch_version(), "seconds",
                                  seconds_now() - e->server->started),
                        err);
}

/* Collects the parameters that are options of answering: all but "model". */
static bool add_option(void *context, const char *name, const char *value, struct vouch_error *err)
{
    struct buffer *options = context;
    if (strcmp(name, "model") == 0)
        return true;
    return buffer_print(options, err, "%s%s=%s", options->length ? "&" : "", name, value);
}

/* Answers the body, sentence by sentence, as the file that it is. */
static bool answer_body(struct exchange *e, const struct served_model *m, vouch_worker *worker,
                        struct vouch_error *err)
{
    struct sentence own = {0};
    struct vouch_sentence sentence = {.view = &own};
    struct reader_options reading = {.gold = GOLD_NONE, .trees = m->model->trees};
    if (!m->model->trees)
        model_input_settle(m->model, &reading);
    struct reader *reader = reader_open_memory(e->body, e->length, &reading, err);
    bool ok = reader && model_input_fits(m->model, reader, err);
    struct writer_options writing = {0};
    if (ok) {
        writing = writer_options_for(reader);
        writing.column = m->model->trees ? 0 : reader_column(reader);
    }
    enum reading found = READ_END;
    while (ok && (found = reader_next(reader, &own, err)) == READ_SENTENCE) {
        const vouch_answer *answer = vouch_worker_answer(worker, &sentence, err);
        struct marks marks = {0};
        if (answer)
            marks = (struct marks){answer->confidences, answer->doubtful, answer->replaced};
        ok = answer && write_sentence(e->out, &writing, &own, answer->head, answer->label, &marks, err);
    }
    sentence_release(&own);
    reader_close(reader);
    return ok && found == READ_END;
}

static bool answer(struct exchange *e, enum model_kind kind, struct vouch_error *err)
{
    struct models *models = e->server->models;
    struct buffer options = {0};
    struct lent_worker lent = {0};
    const struct served_model *m = models_take(models, exchange_parameter(e, "model"), kind, err);
    if (!m)
        return refuse(e, 404, err, "%s", err->message);
    bool ok = exchange_parameters(e, add_option, &options, err) &&
              models_lend(models, m, buffer_text(&options).at, &lent, err) && answer_body(e, m, lent.worker, err);
    e->sent_type = e->body[0] == '{' ? "application/jsonl" : "text/plain; charset=utf-8";
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

const struct route answer_routes[] = {
    {"GET", "/v1/models", 0, "the models that are served", list_models},
    {"POST", "/v1/tag", ROUTE_FOREIGN | ROUTE_STREAM, "label sentences", tag},
    {"POST", "/v1/parse", ROUTE_FOREIGN | ROUTE_STREAM, "parse sentences", parse},
    {"GET", "/v1/health", ROUTE_OPEN, "whether the server is up", health},
    {0},
};
