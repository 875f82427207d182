/*
 * Jobs on a text that is sent: how good answers to it would be (forecast), what in its labels is probably wrong
 * (review), and which of its sentences to label next. They are those of vouch.h, which read files: the body is written
 * to a temporary file, and messages call it "body". Parameters are the options of the commands.
 */
#include "active/next_sentences.h"
#include "desk/material.h"
#include "forecast/text_forecast.h"
#include "model/records.h"
#include "review/review.h"
#include "serve/http.h"
#include "serve/server.h"

#include <stdio.h>
#include <string.h>

/* Calls the file "body" in a message; returns false. */
static bool blame_body(const struct text_file *body, struct vouch_error *err)
{
    char message[sizeof err->message];
    char *at = body->path.bytes ? strstr(err->message, body->path.bytes) : NULL;
    if (at) {
        snprintf(message, sizeof message, "%.*sbody%s", (int)(at - err->message), err->message,
                 at + body->path.length);
        snprintf(err->message, sizeof err->message, "%s", message);
    }
    return false;
}

struct job_options {
    const struct option_table *table;
    vouch_options *options;
};

static bool add_option(void *context, const char *name, const char *value, struct vouch_error *err)
{
    struct job_options *job = context;
    return strcmp(name, "model") == 0 || option_from_client(job->table, job->options, name, value, err);
}

/* What all jobs begin with: options, a model if one is needed, the body as a file, a watch. */
struct job {
    vouch_options *options;
    const struct served_model *model; /* NULL: none */
    struct text_file body;            /* without a name: nothing is left behind if the process is killed */
    struct vouch_watch watch;
};

static bool job_begin(struct job *job, struct exchange *e, const struct option_table *table, bool needs_model,
                      struct vouch_error *err)
{
    *job = (struct job){.watch = server_watch(e->server)};
    job->options = vouch_options_new(table->command, err);
    if (!job->options || !exchange_parameters(e, add_option, &(struct job_options){table, job->options}, err))
        return false;
    if (needs_model && !(job->model = models_take(e->server->models, exchange_parameter(e, "model"), ANY_MODEL, err)))
        return refuse(e, 404, err, "%s", err->message);
    return text_file_init(&job->body, e->body, e->length, NULL, err);
}

static bool job_end(struct job *job, struct exchange *e, bool ok, struct vouch_error *err)
{
    vouch_options_free(job->options);
    models_leave(e->server->models, job->model);
    ok = ok || blame_body(&job->body, err);
    text_file_release(&job->body);
    return ok;
}

static bool forecast(struct exchange *e, struct vouch_error *err)
{
    struct job job;
    char *json = NULL;
    bool ok = job_begin(&job, e, &forecast_options, true, err) &&
              vouch_forecast(job.model->model, job.options, (const char *[]){job.body.path.bytes}, 1, &job.watch, NULL,
                             &json, err) == VOUCH_OK;
    if (ok) {
        output_write(e->out, json, strlen(json));
        output_write(e->out, "\n", json[strlen(json) - 1] != '\n');
    }
    vouch_free(json);
    return job_end(&job, e, ok, err);
}

static json_t *suspect_json(const struct vouch_suspect *s)
{
    return json_pack("{s:I, s:I, s:I, s:s, s:s, s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:s, s:s, s:s}", "line",
                     (json_int_t)s->line, "word", (json_int_t)s->word, "words", (json_int_t)s->words, "text", s->text,
                     "layer", s->layer, "given", s->given, "proposed", s->proposed, "error", figure_json(s->error),
                     "confidence", figure_json(s->confidence), "margin", figure_json(s->margin), "votes",
                     figure_json(s->votes), "learned", figure_json(s->learned), "why", s->why, "context", s->context,
                     "also", s->also);
}

static bool respond_suspects(struct exchange *e, const vouch_suspects *suspects, struct vouch_error *err)
{
    struct vouch_review_totals totals = {.size = sizeof totals};
    json_t *list = json_array();
    bool ok = vouch_suspects_totals(suspects, &totals, err) == VOUCH_OK;
    for (size_t i = 0; ok && i < vouch_suspects_count(suspects); i++) {
        struct vouch_suspect s = {.size = sizeof s};
        ok = vouch_suspects_get(suspects, i, &s, err) == VOUCH_OK &&
             (json_array_append_new(list, suspect_json(&s)) == 0 || fail_memory(err));
    }
    json_t *all = json_pack("{s:I, s:I, s:o}", "judged", (json_int_t)totals.judged, "listed",
                            (json_int_t)totals.listed, "suspects", list);
    if (ok)
        return respond_json(e, 200, all, err);
    json_decref(all);
    return false;
}

/* By a model that is served, or with the parameter "task" by models that are learned from the text. */
static bool review(struct exchange *e, struct vouch_error *err)
{
    struct job job;
    vouch_suspects *suspects = NULL;
    bool ok = job_begin(&job, e, &review_options, !exchange_parameter(e, "task"), err) &&
              (suspects = vouch_review(job.model ? job.model->model : NULL, job.options,
                                       (const char *[]){job.body.path.bytes}, 1, &job.watch, err)) &&
              respond_suspects(e, suspects, err);
    vouch_suspects_free(suspects);
    return job_end(&job, e, ok, err);
}

static bool next(struct exchange *e, struct vouch_error *err)
{
    struct job job;
    char *text = NULL;
    bool ok = job_begin(&job, e, &active_options, true, err) &&
              vouch_choose_next(job.model->model, job.options, job.body.path.bytes, NULL, 0, &job.watch, NULL, &text,
                                err) == VOUCH_OK;
    if (ok) {
        e->sent_type = text[0] == '{' ? "application/jsonl" : "text/plain; charset=utf-8";
        output_write(e->out, text, strlen(text));
    }
    vouch_free(text);
    return job_end(&job, e, ok, err);
}

const struct route job_routes[] = {
    {"POST", "/v1/forecast", ROUTE_FOREIGN | ROUTE_SLOW, "how good answers to a text are going to be", forecast},
    {"POST", "/v1/review", ROUTE_FOREIGN | ROUTE_SLOW, "what in a labelled text is probably wrong", review},
    {"POST", "/v1/next", ROUTE_FOREIGN | ROUTE_SLOW, "which sentences of a text to label next", next},
    {0},
};
