/*
 * vouch tag: labels sentences with a model.
 */
#include "cli/answering.h"
#include "cli/colour.h"
#include "cli/saving.h"

#include "base/clock.h"
#include "corpus/writer.h"
#include "predict/answer_stream.h"
#include "predict/column_values.h"
#include "predict/model_input.h"
#include "use/operating_point.h"

#include <stdio.h>
#include <string.h>

static const struct option_spec options[] = {
    OPTION_MODEL,
    OPTION_OUTPUT,
    OPTION_FORMAT,
    OPTION_COLUMN,
    OPTION_ON_ERROR,
    OPTION_CONFIDENCE,
    OPTION_DOUBT,
    {"operating-point", 0, OPTION_FLAG, AT(operating_point), NULL, 0, 0, false,
     "leave out doubtful entities, or add words, by the threshold that 'vouch trade' kept in the model"},
    {"header", 0, OPTION_FLAG, AT(header), NULL, 0, 0, false,
     "begin CoNLL columns with a comment that names the methods"},
    {"colour", 0, OPTION_FLAG, AT(colour), NULL, 0, 0, false,
     "show sentences in colour, one a line, instead of completing the input; also --color"},
    OPTION_THREADS,
    OPTION_QUIET,
    OPTION_VERBOSE,
    OPTION_HELP,
    {0},
};

struct tagging {
    struct output *out;
    struct colouring colouring;
    struct writer_options writing;
    struct column_survey survey; /* of values in columns that training never saw */
    struct text *boundary;       /* labels of a document mark */
    size_t boundary_capacity;
    uint64_t sentences, words, faults;
    bool flush; /* each answer is written at once: the input is a pipe or a terminal */
    bool colour, header;
    bool pointed; /* answers are changed by the operating point, with what follows */
    struct operating_point point;
    enum scheme scheme;
    struct changed_labels changed;
    double *least; /* [N] */
    size_t least_capacity;
};

/* Changes the answer by the model's operating point. */
static bool change(struct tagging *t, uint32_t N, const struct answer *answer, const struct text **label,
                   struct vouch_error *err)
{
    if (!RESERVE(t->least, t->least_capacity, (size_t)N + 1, err))
        return false;
    confidence_to_stand(answer->confidences, N, t->point.by_words, t->least);
    struct rated_labels trusted = {N, answer->label, t->least, answer->confidences->by_method->other};
    if (!operating_point_apply(&t->point, t->scheme, &trusted, &t->changed, err))
        return false;
    *label = t->changed.label;
    return true;
}

static bool take(void *context, const struct sentence *sentence, const struct answer *answer, struct vouch_error *err)
{
    struct tagging *t = context;
    const struct text *label = answer->label;
    t->faults += sentence->faulty;
    column_survey_compare(&t->survey, sentence);
    if (!label) { /* a document mark */
        if (!RESERVE(t->boundary, t->boundary_capacity, (size_t)sentence->N + 1, err))
            return false;
        for (uint32_t i = 0; i < sentence->N; i++)
            t->boundary[i] = text_of("O");
        label = t->boundary;
    } else {
        t->sentences += !sentence->faulty;
        t->words += sentence->N;
    }
    if (t->pointed && answer->label && !sentence->faulty && !change(t, sentence->N, answer, &label, err))
        return false;
    const struct confidences *confidences = answer->confidences;
    if (t->header && confidences && !sentence->faulty &&
        !write_header(t->out, &t->writing, confidences->by_method, confidences->methods, err))
        return false;
    t->header = t->header && sentence->faulty;
    bool written = t->colour ? sentence->N == 0 || colour_labels(&t->colouring, sentence, label, confidences, err)
                             : write_labelled(t->out, &t->writing, sentence, label, confidences, err);
    if (!written)
        return false;
    if (t->flush)
        output_flush(t->out);
    return !interrupt_seen() || fail(err, VOUCH_ERR_STOPPED, "interrupted");
}

/* The estimator whose numbers the model's operating point uses. */
static bool call_pointed(const struct settings *settings, const struct vouch_model *model, struct tagging *t,
                         struct estimator **estimator, struct vouch_error *err)
{
    if (!operating_point_read(model->header, &t->point, &t->pointed, settings->model, err))
        return false;
    if (!t->pointed || model->labels.outer == SCHEME_NONE)
        return fail(err, VOUCH_ERR_ARGUMENT,
                    "%s: this model has no operating point: expected one chosen by vouch trade", settings->model);
    struct estimate_request request = {.methods = t->point.method,
                                       .alternatives = (uint32_t)settings->alternatives,
                                       .draws = t->point.draws,
                                       .others = t->point.direction == TOWARDS_RECALL,
                                       .raw = t->point.raw};
    t->scheme = model->labels.outer;
    return answering_request(settings, model, &request, estimator, err);
}

static bool make_estimator(const struct settings *settings, const struct vouch_model *model, struct tagging *t,
                           enum format format, struct estimator **estimator, struct vouch_error *err)
{
    /* Columns and plain lines show only words; JSON, CoNLL-U, a threshold and colours need chunks and sentences, too.
     */
    bool whole = format == FORMAT_JSONL || format == FORMAT_CONLLU;
    bool words_only = !whole && settings->threshold < 0 && !settings->colour;
    return settings->operating_point ? call_pointed(settings, model, t, estimator, err)
                                     : answering_estimator(settings, model, words_only, estimator, err);
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

static bool tag_file(const struct settings *settings, const struct vouch_model *model,
                     const struct reader_options *reading, struct tagging *t, struct vouch_error *err)
{
    struct reader *reader = reader_open(answering_input(settings), reading, err);
    struct answer_sink sink = {take, t};
    struct estimator *estimator = NULL;
    bool called = reader && column_survey_read(&t->survey, model, err) &&
                  make_estimator(settings, model, t, reader_format(reader), &estimator, err);
    t->out = called ? output_open(settings->output, err) : NULL;
    t->flush = answers_are_awaited(settings);
    bool ok = t->out != NULL;
    if (ok) {
        t->writing = writer_options_for(reader_format(reader), reader_separator(reader));
        t->writing.column = reader_column(reader);
        answering_doubt(settings, &t->writing);
        t->colouring = (struct colouring){.out = t->out, .model = model};
        ok = answer_stream(model, estimator, reader, (uint32_t)settings->threads, &sink, err);
    }
    if (ok && !settings->quiet)
        warn_of_columns(&t->survey, t->writing.column > 0);
    column_survey_release(&t->survey);
    if (ok && t->colour && estimator)
        answering_legend(&t->colouring, estimator);
    ok = output_close(t->out, ok, err);
    reader_close(reader);
    estimator_free(estimator);
    free(t->boundary);
    free(t->least);
    changed_labels_release(&t->changed);
    colouring_release(&t->colouring);
    return ok;
}

static int tag(const struct command *command, struct settings *settings)
{
    struct vouch_error err = {0};
    struct reader_options reading;
    struct tagging t = {.colour = settings->colour, .header = settings->header};
    int status = answering_prepare(&reading, command, settings);
    if (status != EXIT_DONE)
        return status;
    if (settings->operating_point &&
        (settings->confidence || settings->raw || settings->draws || settings->threshold >= 0 || settings->replace))
        return misuse(command, "--operating-point has a method and a threshold of its own: expected no --confidence, "
                               "--raw, --draws, --threshold or --replace");
    vouch_model *model =
        saving_answers_possible(settings->output, settings, &err) ? vouch_model_open(settings->model, &err) : NULL;
    if (!model)
        return failed(command, &err);
    model_input_settle(model, &reading);
    double started = seconds_now();
    if (settings->output) /* else there is nothing to clean up */
        interrupt_catch();
    bool ok = model_parses(model)
                  ? fail(&err, VOUCH_ERR_ARGUMENT, "%s: this model parses: use vouch parse", settings->model)
                  : tag_file(settings, model, &reading, &t, &err);
    vouch_model_close(model);
    if (!ok)
        return failed(command, &err);
    answering_say_speed(settings, "labelled", t.sentences, t.words, started, "words", t.words);
    return answering_say_faults(command, t.faults);
}

const struct command tag_command = {
    .name = "tag",
    .arguments = "-m MODEL [INPUT]",
    .summary = "label sentences",
    .about =
        "Labels the sentences of INPUT (standard input if not given) and writes the same file with the labels: CoNLL "
        "columns get a column with the label and one with the probability that it is right, JSON lines the keys "
        "\"predicted\", \"spans\" and \"confidence\". Memory does not grow with the input, and the order stays.",
    .example = "  vouch tag -m ner.vouch input.txt > labelled.txt\n"
               "  vouch tag -m ner.vouch --threshold 0.9 --replace O input.txt > sure.txt\n"
               "  vouch tag -m ner.vouch --confidence kd-fix,gamma --alternatives 3 input.txt\n"
               "  vouch tag -m ner.vouch --operating-point input.txt\n"
               "  vouch tag -m ner.vouch --colour input.txt | less -R\n",
    .option = options,
    .run = tag,
};
