/* Implements vouch tag: labels sentences with a model. */
#include "cli/answer_output.h"
#include "cli/answering.h"
#include "cli/answers_calibrated.h"
#include "cli/colour.h"
#include "cli/saving.h"

#include "base/watch.h"
#include "text/writer.h"
#include "answer/column_values.h"
#include "answer/model_input.h"

#include <stdio.h>
#include <string.h>

struct tagging {
    struct answer_output to;
    struct colouring colouring;
    struct writer_options writing;
    struct doubts doubts;
    struct column_survey survey; /* the values of columns, and those of training */
    struct text *boundary;       /* labels of a document mark */
    size_t boundary_capacity;
    struct buffer nameless; /* words of sentences that have scores alone */
    struct answer_counts counts;
    bool flush; /* each answer is written at once: the input is a pipe or a terminal */
    bool colour, header;
};

static bool take(void *context, const struct sentence *sentence, const struct answer *answer, struct vouch_error *err)
{
    struct tagging *t = context;
    const struct text *label = answer->label;
    const struct expected_counts *promise = NULL;
    t->counts.faults += sentence->faulty;
    if (!label) { /* a document mark */
        if (!RESERVE(t->boundary, t->boundary_capacity, (size_t)sentence->N + 1, err))
            return false;
        for (uint32_t i = 0; i < sentence->N; i++)
            t->boundary[i] = text_of("O");
        label = t->boundary;
    } else {
        t->counts.sentences += !sentence->faulty;
        t->counts.words += sentence->N;
        promise = sentence->faulty ? NULL : answer->promise;
    }
    const struct confidences *confidences = answer->confidences;
    struct marks marks;
    if (t->header && confidences && !sentence->faulty &&
        !write_header(t->to.out, &t->writing, confidences->by_method, confidences->methods, err))
        return false;
    t->header = t->header && sentence->faulty;
    bool written = t->colour ? sentence->N == 0 || colour_labels(&t->colouring, sentence, label, confidences, err)
                             : doubts_mark_labels(&t->doubts, sentence, confidences, &label, &marks, err) &&
                                   write_labelled(t->to.out, &t->writing, sentence, label, &marks, err);
    if (!written || !answer_output_end(&t->to, promise, err))
        return false;
    if (t->flush)
        output_flush(t->to.out);
    return !interrupt_seen() || fail(err, VOUCH_ERR_STOPPED, "interrupted");
}

/* Surveys the columns of every sentence, whoever answers it. */
static void see(void *context, const struct sentence *sentence)
{
    struct tagging *t = context;
    column_survey_compare(&t->survey, sentence);
}

static bool exchange(void *context, const struct dealing *round, const struct vouch_error *failed,
                     struct vouch_error *err)
{
    struct tagging *t = context;
    return answer_output_exchange(&t->to, round, failed, err);
}

/* Whether only words are shown, as in columns and plain lines; JSON, CoNLL-U, a threshold and colours need more. */
static bool shows_words_only(const struct settings *settings, const struct reader *reader)
{
    enum format format = reader_format(reader);
    return format != FORMAT_JSONL && format != FORMAT_CONLLU && settings->doubt.threshold < 0 &&
           !settings->doubt.sets && !settings->colour;
}

/* Warns of columns whose values training never saw: the answers are then worth little. */
static void warn_of_columns(const struct column_survey *survey, bool conllu)
{
    const struct column_values *odd = column_survey_odd(survey);
    if (odd)
        showf(stderr,
              "warning: column %u holds values such as '%s' that training never saw in it (%.0f %% of %llu words), "
              "where it saw '%.*s': is it the right column?\n",
              odd->column + (conllu ? 2 : 1), odd->example, 100.0 * (double)odd->unseen / (double)odd->rows,
              (unsigned long long)odd->rows, excerpt(dictionary_text(&odd->values, 1)),
              dictionary_text(&odd->values, 1).at);
}

static bool stop(void *context)
{
    (void)context;
    return interrupt_seen();
}

static bool tag_file(const struct settings *settings, const struct vouch_model *model,
                     const struct reader_options *reading, struct tagging *t, struct vouch_error *err)
{
    struct reader *reader = answering_reader(settings, model, reading, &t->nameless, err);
    struct answer_sink sink = {.take = take,
                               .context = t,
                               .stop = stop,
                               .see = see,
                               .ranks = settings->common.work.ranks,
                               .exchange = exchange};
    struct vouch_request *request = reader && column_survey_read(&t->survey, model, err)
                                        ? answering_ask(settings, model, shows_words_only(settings, reader), err)
                                        : NULL;
    bool ok = request && answer_output_open(&t->to, settings->output, settings->common.work.ranks, err);
    t->flush = answers_are_awaited(settings);
    if (ok) {
        t->writing = writer_options_for(reader_format(reader), reader_separator(reader));
        t->writing.column = reader_column(reader);
        t->doubts = answering_doubts(settings);
        t->colouring = (struct colouring){.out = t->to.out, .model = model};
        ok = request_stream(request, reader, &sink, err);
    }
    if (ok && !settings->common.quiet)
        warn_of_columns(&t->survey, t->writing.column > 0);
    ok = ok && answering_warn_of_unlike(settings, model, &t->to.promise, err);
    column_survey_release(&t->survey);
    if (ok && t->colour && request->estimator)
        answering_legend(&t->colouring, request->estimator);
    ok = answer_output_close(&t->to, ok, err);
    reader_close(reader);
    free(t->nameless.bytes);
    vouch_request_free(request);
    free(t->boundary);
    doubts_release(&t->doubts);
    colouring_release(&t->colouring);
    return ok;
}

int tag_with(const struct command *command, const struct settings *settings, vouch_model *model,
             struct reader_options *reading)
{
    struct vouch_error err = {0};
    struct tagging t = {.colour = settings->colour,
                        .header = settings->header && ranks_first(settings->common.work.ranks)};
    model_input_settle(model, reading);
    double started = seconds_now();
    if (settings->output) /* else there is nothing to clean up */
        interrupt_catch();
    bool ok =
        tag_file(settings, model, reading, &t, &err) && answer_counts_sum(&t.counts, settings->common.work.ranks, &err);
    vouch_model_close(model);
    if (!ok)
        return failed(command, &err);
    answering_say_speed(settings, "labelled", &t.counts, started, true);
    return answering_say_faults(command, t.counts.faults);
}

static int tag(const struct command *command, void *options)
{
    struct settings *settings = options;
    struct vouch_error err = {0};
    struct reader_options reading;
    if (settings->answers && settings->common.work.ranks)
        return misuse(command, "--answers is not for ranks: run 'vouch tag', without mpirun");
    if (settings->answers)
        return tag_answers(command, settings);
    if (settings->columns)
        return misuse(command, "--columns is about a file of answers: expected --answers FILE");
    int status = answering_prepare(&reading, command, settings);
    if (status != EXIT_DONE)
        return status;
    vouch_model *model = answering_open(command, settings, &err);
    return model ? tag_with(command, settings, model, &reading) : failed(command, &err);
}

const struct command tag_command = {
    .name = "tag",
    .arguments = "-m MODEL [INPUT] | -m CALIBRATION --answers FILE",
    .summary = "label sentences",
    .about =
        "Labels the sentences of INPUT (standard input if not given) and writes the same file with the labels: CoNLL "
        "columns get a column with the label and one with the probability that it is right, JSON lines the keys "
        "\"predicted\", \"spans\" and \"confidence\". Memory does not grow with the input, and the order stays.",
    .example = "  vouch tag -m ner.vouch input.txt > labelled.txt\n"
               "  vouch tag -m ner.vouch --threshold 0.9 --replace O input.txt > sure.txt\n"
               "  vouch tag -m ner.vouch --confidence kd-fix,gamma --alternatives 3 input.txt\n"
               "  vouch tag -m ner.vouch --operating-point input.txt\n"
               "  vouch tag -m ner.vouch --sets input.txt\n"
               "  vouch tag -m ner.vouch --colour input.txt | less -R\n",
    .table = &tag_options,
    .run = tag,
    .on_ranks = true,
};
