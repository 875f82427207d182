/* Implements what the commands that answer share: see answering.h. */
#include "cli/answering.h"

#include "cli/colour.h"
#include "cli/saving.h"
#include "cli/teller.h"

#include "base/watch.h"
#include "model/forecast_model.h"
#include "options/settings.h"
#include "scores/score_files.h"
#include "answer/seen_before.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int answering_prepare(struct reader_options *reading, const struct command *command, const struct settings *settings)
{
    struct vouch_error err = {0};
    if (!settings->model)
        return misuse(command, "expected -m MODEL");
    if (settings->common.arguments > 1)
        return misuse(command, "expected one input file, found %zu", settings->common.arguments);
    if (!request_options_agree(settings, &err) || !reading_options_to_answer(&settings->reading, reading, &err))
        return misused(command, &err);
    if (settings->common.work.ranks && settings->common.arguments == 0 && !settings->source.scores)
        return misuse(command, "expected a file that all ranks can read, found standard input");
    if (settings->draw && strcmp(settings->draw, "text") != 0 && strcmp(settings->draw, "svg") != 0)
        return misuse_value(command, "draw", "text or svg", settings->draw);
    if (reading->report && settings->source.scores)
        return misuse(command, "--scores belong to sentences in order: expected no --on-error report");
    if (reading->report && (settings->colour || settings->draw))
        return misuse(command, "--on-error report writes JSON lines: expected no --colour and no --draw");
    return EXIT_DONE;
}

vouch_model *answering_open(const struct command *command, const struct settings *settings, struct vouch_error *err)
{
    vouch_model *model =
        saving_answers_possible(settings->output, settings, err) ? vouch_model_open(settings->model, err) : NULL;
    if (!model)
        return NULL;
    if (request_options(model) == command->table && score_files_bind(model, settings, err))
        return model;
    if (request_options(model) == command->table) {
        vouch_model_close(model);
        return NULL;
    }
    if (command->table == &tag_options)
        fail(err, VOUCH_ERR_ARGUMENT, "%s: this model parses: use vouch parse", settings->model);
    else
        fail(err, VOUCH_ERR_ARGUMENT, "%s: expected a model that parses, found one for '%s'", settings->model,
             vouch_model_task(model));
    vouch_model_close(model);
    return NULL;
}

const char *answering_input(const struct settings *settings)
{
    return settings->common.arguments ? settings->common.argument[0] : NULL;
}

struct reader *answering_reader(const struct settings *settings, const struct vouch_model *model,
                                const struct reader_options *reading, struct buffer *words, struct vouch_error *err)
{
    if (!model->given || settings->common.arguments > 0)
        return reader_open(answering_input(settings), reading, err);
    struct reader_options made = *reading;
    made.format = model->trees ? FORMAT_CONLLU : FORMAT_CONLL;
    made.column = 0;
    made.named = false;
    return score_files_words(model->given, words, err) ? reader_open_memory(words->bytes, words->length, &made, err)
                                                       : NULL;
}

bool answers_are_awaited(const struct settings *settings)
{
    struct stat about;
    const char *path = answering_input(settings);
    bool standard = path ? strcmp(path, "-") == 0 : !settings->source.scores;
    return standard && fstat(STDIN_FILENO, &about) == 0 && !S_ISREG(about.st_mode);
}

void answering_say_methods(const struct settings *settings, const struct estimator *estimator)
{
    if (settings->common.quiet)
        return;
    showf(stderr, "confidence:");
    for (uint32_t j = 0; j < estimator->methods; j++)
        showf(stderr, "%s %s (%s)", j ? "," : "", estimator->layer[0].chosen[j].name,
              chosen_is_calibrated(estimator, j) ? "calibrated" : "raw");
    showf(stderr, "\n");
}

struct vouch_request *answering_ask(const struct settings *settings, const struct vouch_model *model, bool words_only,
                                    struct vouch_error *err)
{
    struct vouch_request *request = request_new(model, settings, words_only, err);
    int64_t told = !settings->common.quiet; /* of ranks, the first may tell what all of them find */
    if (!request || !request->estimator)
        return request;
    if (!ranks_sum(settings->common.work.ranks, &told, 1, err)) {
        vouch_request_free(request);
        return NULL;
    }
    answering_say_methods(settings, request->estimator);
    request->estimator->promise = told ? PROMISE_WORDS : PROMISE_NOTHING;
    return request;
}

void answering_warn_of_training(const struct settings *settings, const struct vouch_model *model, const char *then)
{
    struct teller teller = {0};
    struct vouch_watch watch = teller_watch(&teller, settings);
    warn_of_training(&watch, model, settings->common.argument, settings->common.arguments, then);
}

bool answering_warn_of_unlike(const struct settings *settings, const struct vouch_model *model,
                              const struct expected_counts *promise, struct vouch_error *err)
{
    struct forecast_model known;
    if (settings->common.quiet)
        return true;
    if (!forecast_model_read(&known, model->header, model->file.name, err))
        return false;
    if (forecast_is_unlike(&known, promise))
        showf(stderr,
              "warning: this text is unlike what the model was calibrated on (%.1f deviations by known features, %.1f "
              "by doubtful words): confidence is too high; 'vouch forecast' says how good the answers are\n",
              forecast_unlikeness(&known, promise, LIKENESS_FEATURES),
              forecast_unlikeness(&known, promise, LIKENESS_DOUBT));
    return true;
}

bool answer_counts_sum(struct answer_counts *counts, const struct ranks *ranks, struct vouch_error *err)
{
    int64_t sum[] = {(int64_t)counts->sentences, (int64_t)counts->words, (int64_t)counts->faults};
    if (!ranks_sum(ranks, sum, 3, err))
        return false;
    *counts = (struct answer_counts){(uint64_t)sum[0], (uint64_t)sum[1], (uint64_t)sum[2]};
    return true;
}

void answering_say_speed(const struct settings *settings, const char *did, const struct answer_counts *counts,
                         double started, bool by_words)
{
    double seconds = seconds_now() - started, count = (double)(by_words ? counts->words : counts->sentences);
    if (settings->common.verbose && !settings->common.quiet)
        showf(stderr, "%s %llu sentences, %llu words in %.2f s: %.0f %s a second\n", did,
              (unsigned long long)counts->sentences, (unsigned long long)counts->words, seconds,
              count / (seconds > 0 ? seconds : 1), by_words ? "words" : "sentences");
}

int answering_say_faults(const struct command *command, uint64_t faults)
{
    if (faults == 0)
        return EXIT_DONE;
    showf(stderr, "vouch %s: %llu line%s could not be answered: see \"error\" in the output\n", command->name,
          (unsigned long long)faults, faults == 1 ? "" : "s");
    return EXIT_FAILED;
}

void answering_legend(struct colouring *colouring, const struct estimator *estimator)
{
    struct method_confidence shown = {.method = estimator->layer[0].chosen[0].name,
                                      .calibrated = chosen_is_calibrated(estimator, 0),
                                      .margin = !chosen_is_bounded(estimator, 0, 0, UNIT_WORD)};
    colour_legend(colouring, &shown);
}

struct doubts answering_doubts(const struct settings *settings)
{
    return (struct doubts){.threshold = settings->doubt.threshold >= 0 ? settings->doubt.threshold : NAN,
                           .replacement = text_of(settings->doubt.replace ? settings->doubt.replace : "")};
}
