/* vouch eval -m: how good is a model? It answers the files, and the answers are compared with their gold. */
#include "cli/answering.h"
#include "cli/eval_output.h"

#include "options/reading_options.h"
#include "predict/model_input.h"
#include "use/answer_files.h"

#include <stdio.h>

/* The estimator that was asked for, or that the model prefers; none is NULL. */
static bool make_estimator(const struct settings *settings, const struct vouch_model *model,
                           struct estimator **estimator, struct vouch_error *err)
{
    struct settings silent = *settings; /* the report says whose numbers they are */
    silent.quiet = true;
    if (!answering_estimator(&silent, model, false, estimator, err))
        return false;
    return *estimator || (!settings->csv && !settings->report) ||
           fail(err, VOUCH_ERR_ARGUMENT, "--%s: no confidence is measured: expected a method in --confidence",
                settings->csv ? "csv" : "report");
}

static void begin_file(void *context, const char *path)
{
    struct eval_output *output = context;
    output->words.file = output->settings->arguments > 1 ? path : NULL;
}

/* Answers every file and counts. */
static bool evaluate(struct evaluation *e, struct eval_output *output, const struct vouch_model *model,
                     struct reader_options *reading, struct vouch_error *err)
{
    const struct settings *s = output->settings;
    struct estimator *estimator = NULL;
    struct answer_sink sink = {evaluation_take, e};
    model_input_settle(model, reading);
    if (s->report)
        e->look = eval_output_look;
    e->context = output;
    bool ok = make_estimator(s, model, &estimator, err) && evaluation_of_model(e, model, estimator, err);
    struct file_answering how = {.model = model,
                                 .estimator = estimator,
                                 .reading = *reading,
                                 .threads = (uint32_t)s->threads,
                                 .begin = begin_file,
                                 .context = output};
    ok = ok && answer_files(&how, s->argument, s->arguments, &sink, err) &&
         (!e->judged || confidence_eval_measure(&e->confidence_eval, (uint32_t)s->resamples, (uint64_t)s->seed,
                                                (uint32_t)s->threads, err));
    estimator_free(estimator);
    return ok;
}

static void warn(const struct evaluation *e, const struct settings *s)
{
    if (!e->parses && !e->known && e->score.words && !s->quiet)
        showf(stderr, "warning: the model knows none of the gold labels: is it the right column (--gold)?\n");
    answering_warn_of_seen(s, e->seen, e->sentences, s->arguments == 1 ? s->argument[0] : NULL,
                           "other files will be answered less well");
}

int eval_model(const struct command *command, const struct settings *settings)
{
    struct vouch_error err = {0};
    struct evaluation e = {0};
    struct eval_output output = {.command = command, .settings = settings, .name = settings->model};
    struct reader_options reading;
    if (!reading_options(settings, &reading, &err))
        return misused(command, &err);
    vouch_model *model = eval_output_possible(settings, &err) ? vouch_model_open(settings->model, &err) : NULL;
    bool ok = model && evaluate(&e, &output, model, &reading, &err);
    if (ok)
        warn(&e, settings);
    ok = ok && eval_output_write(&output, &e, &err);
    evaluation_release(&e);
    eval_words_release(&output.words);
    vouch_model_close(model);
    return ok ? EXIT_DONE : failed(command, &err);
}
