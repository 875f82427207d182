/* vouch eval -m: how good is a model? It answers the files, and the answers are compared with their gold. */
#include "cli/answering.h"
#include "cli/evaluation.h"

#include "options/reading_options.h"
#include "predict/answer_stream.h"
#include "predict/model_input.h"
#include "train/tag_corpus.h"

#include <stdio.h>

/* The estimator that was asked for, or that the model prefers; none is NULL. */
static bool make_estimator(struct evaluation *e, const struct settings *settings, const struct vouch_model *model,
                           struct estimator **estimator, struct vouch_error *err)
{
    struct settings silent = *settings; /* the report says whose numbers they are */
    silent.quiet = true;
    if (!answering_estimator(&silent, model, false, estimator, err))
        return false;
    if (!*estimator && (settings->csv || settings->report))
        return fail(err, VOUCH_ERR_ARGUMENT, "--%s: no confidence is measured: expected a method in --confidence",
                    settings->csv ? "csv" : "report");
    e->lists = settings->report;
    e->judged = *estimator != NULL;
    return !*estimator || confidence_eval_init(&e->confidence_eval, *estimator, err);
}

/* Answers every file and counts. */
static bool answer_files(struct evaluation *e, const struct settings *settings, const struct vouch_model *model,
                         const struct reader_options *reading, struct vouch_error *err)
{
    struct answer_sink sink = {evaluation_take, e};
    struct estimator *estimator = NULL;
    bool ok = make_estimator(e, settings, model, &estimator, err);
    for (size_t i = 0; ok && i < (settings->arguments ? settings->arguments : 1); i++) {
        struct reader *reader = reader_open(settings->arguments ? settings->argument[i] : NULL, reading, err);
        e->words.file = settings->arguments > 1 ? settings->argument[i] : NULL;
        ok = reader && model_input_gold_apart(model, reader, reading->gold, err) &&
             answer_stream(model, estimator, reader, (uint32_t)settings->threads, &sink, err);
        reader_close(reader);
    }
    estimator_free(estimator);
    return ok && (!e->judged || confidence_eval_measure(&e->confidence_eval, (uint32_t)settings->resamples,
                                                        (uint64_t)settings->seed, (uint32_t)settings->threads, err));
}

static bool evaluate(struct evaluation *e, const struct settings *settings, struct reader_options *reading,
                     struct vouch_error *err)
{
    vouch_model *model = vouch_model_open(settings->model, err);
    if (!model)
        return false;
    const struct vouch_model *m = model;
    e->task = tag_task_or_any(m->task);
    tag_score_init(&e->score, tag_unit_of(m->labels.outer));
    e->model = m;
    e->parses = model_parses(m);
    model_input_settle(m, reading);
    bool ok = answer_files(e, settings, m, reading, err);
    if (ok && !e->parses && !e->known && e->score.words && !settings->quiet)
        showf(stderr, "warning: the model knows none of the gold labels: is it the right column (--gold)?\n");
    if (ok)
        answering_warn_of_seen(settings, e->seen, e->sentences, settings->arguments == 1 ? settings->argument[0] : NULL,
                               "other files will be answered less well");
    vouch_model_close(model);
    return ok;
}

int eval_model(const struct command *command, const struct settings *settings)
{
    struct vouch_error err = {0};
    struct evaluation e = {0};
    struct reader_options reading;
    if (!reading_options(settings, &reading, &err))
        return misused(command, &err);
    bool ok = evaluation_can_report(settings, &err) && evaluate(&e, settings, &reading, &err) &&
              evaluation_report(&e, command, settings, settings->model, &err);
    evaluation_release(&e);
    return ok ? EXIT_DONE : failed(command, &err);
}
