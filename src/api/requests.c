/* Makes requests and applies them: see requests.h and vouch.h. */
#include "api/requests.h"

#include "api/options_by_name.h"
#include "base/error.h"
#include "text/writer.h"
#include "answer/consistency.h"
#include "answer/doubt.h"

#include <math.h>

static bool asks_for_nothing(const struct settings *settings)
{
    return settings->confidence.methods && strcmp(settings->confidence.methods, "none") == 0;
}

bool request_options_agree(const struct settings *s, struct vouch_error *err)
{
    if (asks_for_nothing(s) &&
        (s->doubt.threshold >= 0 || s->doubt.alternatives || s->doubt.sets || s->confidence.consistency))
        return fail(err, VOUCH_ERR_ARGUMENT,
                    "--threshold, --alternatives, --sets and --consistency need a method of confidence, found 'none'");
    if (s->doubt.replace && s->doubt.threshold < 0)
        return fail(err, VOUCH_ERR_ARGUMENT, "--replace says what to write below a threshold: expected --threshold");
    if (s->operating_point && (s->confidence.methods || s->confidence.raw || s->confidence.draws ||
                               s->doubt.threshold >= 0 || s->doubt.replace))
        return fail(err, VOUCH_ERR_ARGUMENT,
                    "--operating-point has a method and a threshold of its own: expected no --confidence, --raw, "
                    "--draws, --threshold or --replace");
    return true;
}

/* Fails if sets are wanted for other numbers than those that their thresholds were found for. */
static bool sets_fit(const struct vouch_request *r, const struct coverage_model *coverage, struct vouch_error *err)
{
    const struct estimator *e = r->estimator;
    if (!e->sets || (strcmp(e->layer[0].chosen[0].name, coverage->method) == 0 && !e->raw && !r->draws))
        return true;
    return fail(err, VOUCH_ERR_ARGUMENT,
                "%s: sets go by the calibrated probabilities of %s: expected this method first, and no --raw or "
                "--draws",
                r->model->file.name, coverage->method);
}

/* Reads the model's coverage, if sets are asked for. */
static bool read_coverage(const struct vouch_request *r, const struct settings *settings,
                          struct coverage_model *coverage, struct vouch_error *err)
{
    const char *name = r->model->file.name;
    if (!settings->doubt.sets)
        return true;
    if (!coverage_model_read(coverage, r->model->header, name, err))
        return false;
    return coverage->known || fail(err, VOUCH_ERR_ARGUMENT,
                                   "%s: this model does not know how large sets must be: run 'vouch tune --coverage C' "
                                   "on labelled sentences that it has not learned from",
                                   name);
}

/* Makes the estimator that the model's operating point needs. */
static bool ask_by_point(struct vouch_request *r, const struct settings *settings,
                         const struct coverage_model *coverage, struct vouch_error *err)
{
    const char *name = r->model->file.name;
    if (!operating_point_read(r->model->header, &r->point, &r->pointed, name, err))
        return false;
    if (!r->pointed || r->model->labels.outer == SCHEME_NONE)
        return fail(err, VOUCH_ERR_ARGUMENT,
                    "%s: this model has no operating point: expected one chosen by vouch trade", name);
    struct estimate_request asked = {.methods = r->point.method,
                                     .alternatives = (uint32_t)settings->doubt.alternatives,
                                     .draws = r->point.draws,
                                     .others = r->point.direction == TOWARDS_RECALL,
                                     .sets = settings->doubt.sets ? &coverage->least : NULL,
                                     .raw = r->point.raw};
    r->draws = asked.draws;
    r->estimator = consistency_ask(settings, &asked, err) ? estimator_new(r->model, &asked, err) : NULL;
    return r->estimator != NULL && sets_fit(r, coverage, err);
}

static bool ask(struct vouch_request *r, const struct settings *settings, bool words_only, struct vouch_error *err)
{
    struct coverage_model coverage;
    struct estimate_request asked = {.methods = settings->confidence.methods,
                                     .alternatives = (uint32_t)settings->doubt.alternatives,
                                     .draws = (uint32_t)settings->confidence.draws,
                                     .sets = settings->doubt.sets ? &coverage.least : NULL,
                                     .raw = settings->confidence.raw,
                                     .words_only = words_only};
    r->draws = asked.draws;
    if (!read_coverage(r, settings, &coverage, err))
        return false;
    if (settings->operating_point)
        return ask_by_point(r, settings, &coverage, err);
    if (asks_for_nothing(settings))
        return true;
    if (!consistency_ask(settings, &asked, err) || !estimator_make(r->model, &asked, &r->estimator, err))
        return false;
    if (!r->estimator && (settings->doubt.threshold >= 0 || settings->doubt.alternatives || settings->doubt.sets ||
                          settings->confidence.raw))
        return fail_uncalibrated(r->model, err);
    return !r->estimator || sets_fit(r, &coverage, err);
}

struct vouch_request *request_new(const struct vouch_model *model, const struct settings *settings, bool words_only,
                                  struct vouch_error *err)
{
    struct vouch_error own = {0};
    err = err ? err : &own;
    struct vouch_request *request = new_array(1, sizeof *request, err);
    if (!request)
        return NULL;
    request->model = model;
    request->threads = (uint32_t)settings->common.work.threads;
    request->threshold = settings->doubt.threshold >= 0 ? settings->doubt.threshold : NAN;
    if (settings->doubt.replace)
        request->replacement = new_string(settings->doubt.replace, strlen(settings->doubt.replace), err);
    if ((!settings->doubt.replace || request->replacement) && ask(request, settings, words_only, err))
        return request;
    vouch_request_free(request);
    return NULL;
}

const struct option_table *request_options(const struct vouch_model *model)
{
    return model->trees ? &parse_options : &tag_options;
}

/* Returns the table of the options, which must be those of the model's command; NULL stands for the usual ones. */
static const struct option_table *table_for(const vouch_model *model, const vouch_options *options,
                                            struct vouch_error *err)
{
    const struct option_table *table = request_options(model);
    if (!options || vouch_options_table(options) == table)
        return table;
    fail(err, VOUCH_ERR_ARGUMENT, "%s: expected options of '%s', found those of '%s'", model->file.name, table->command,
         vouch_options_table(options)->command);
    return NULL;
}

vouch_request *vouch_request_new(const vouch_model *model, const vouch_options *options, struct vouch_error *err)
{
    const struct option_table *table = is_given(model, "a model", err) ? table_for(model, options, err) : NULL;
    if (!table)
        return NULL;
    struct settings usual;
    options_init(table, &usual);
    const struct settings *settings = options ? vouch_options_values(options) : &usual;
    return request_options_agree(settings, err) ? request_new(model, settings, false, err) : NULL;
}

void vouch_request_free(vouch_request *request)
{
    if (!request)
        return;
    estimator_free(request->estimator);
    free(request->replacement);
    free(request);
}

size_t vouch_request_methods(const vouch_request *request)
{
    return request->estimator ? request->estimator->methods : 0;
}

const char *vouch_request_method_name(const vouch_request *request, size_t method)
{
    return method < vouch_request_methods(request) ? request->estimator->layer[0].chosen[method].name : NULL;
}

int vouch_request_is_calibrated(const vouch_request *request, size_t method)
{
    return method < vouch_request_methods(request) && chosen_is_calibrated(request->estimator, (uint32_t)method);
}

void changing_release(struct changing *changing)
{
    changed_labels_release(&changing->by_point);
    free(changing->label);
    free(changing->least);
    *changing = (struct changing){0};
}

bool request_change(const struct vouch_request *request, uint32_t N, struct changing *c, struct answer *answer,
                    struct vouch_error *err)
{
    if (!request->pointed || !answer->label)
        return true;
    if (!RESERVE(c->least, c->least_capacity, (size_t)N + 1, err))
        return false;
    confidence_to_stand(answer->confidences, N, request->point.by_words, c->least);
    struct rated_labels rated = {N, answer->label, c->least, answer->confidences->by_method->other};
    if (!operating_point_apply(&request->point, request->model->labels.outer, &rated, &c->by_point, err))
        return false;
    answer->label = c->by_point.label;
    return true;
}

/* Finds the confidences to compare with the threshold, in c->least; puts in the replacement, if any. */
static bool doubt(const struct vouch_request *request, uint32_t N, struct changing *c, struct answer *answer,
                  struct vouch_error *err)
{
    if (!RESERVE(c->least, c->least_capacity, (size_t)N + 1, err) ||
        !RESERVE(c->label, c->label_capacity, (size_t)N + 1, err))
        return false;
    (answer->head ? doubt_of_arcs : doubt_of_labels)(answer->confidences, N, c->least);
    if (!request->replacement || !answer->label)
        return true;
    for (uint32_t i = 0; i < N; i++)
        c->label[i] = c->least[i] < request->threshold ? text_of(request->replacement) : answer->label[i];
    answer->label = c->label;
    return true;
}

bool request_settle(const struct vouch_request *request, uint32_t N, struct changing *c, const struct answer *answer,
                    struct vouch_answer *into, struct vouch_error *err)
{
    struct answer changed = *answer;
    bool doubts = answer->confidences && !isnan(request->threshold);
    if (!request_change(request, N, c, &changed, err) || (doubts && !doubt(request, N, c, &changed, err)) ||
        !answer_take(into, request->model, &changed, N, err))
        return false;
    into->least = doubts ? c->least : NULL;
    into->threshold = request->threshold;
    return true;
}

/* A stream whose answers are changed on their way. */
struct changed_stream {
    const struct vouch_request *request;
    const struct answer_sink *sink;
    struct changing changing;
};

static bool change_and_hand_on(void *context, const struct sentence *sentence, const struct answer *answer,
                               struct vouch_error *err)
{
    struct changed_stream *s = context;
    struct answer changed = *answer;
    return (sentence->faulty || request_change(s->request, sentence->N, &s->changing, &changed, err)) &&
           s->sink->take(s->sink->context, sentence, &changed, err);
}

static bool stop(void *context)
{
    const struct answer_sink *sink = ((const struct changed_stream *)context)->sink;
    return sink->stop && sink->stop(sink->context);
}

static void see(void *context, const struct sentence *sentence)
{
    const struct answer_sink *sink = ((const struct changed_stream *)context)->sink;
    if (sink->see)
        sink->see(sink->context, sentence);
}

static bool exchange(void *context, const struct dealing *round, const struct vouch_error *failed,
                     struct vouch_error *err)
{
    const struct answer_sink *sink = ((const struct changed_stream *)context)->sink;
    return sink->exchange(sink->context, round, failed, err);
}

bool request_stream(const struct vouch_request *request, struct reader *reader, const struct answer_sink *sink,
                    struct vouch_error *err)
{
    struct changed_stream stream = {.request = request, .sink = sink};
    struct answer_sink changing = {.take = change_and_hand_on,
                                   .context = &stream,
                                   .stop = stop,
                                   .see = see,
                                   .ranks = sink->ranks,
                                   .exchange = exchange};
    bool ok = answer_stream(request->model, request->estimator, reader, request->threads, &changing, err);
    changing_release(&stream.changing);
    return ok;
}
