/*
 * vouch tag: labels sentences with a model.
 */
#include "cli/answering.h"

#include "apply/answer_stream.h"
#include "corpus/writer.h"

#include <stdio.h>
#include <string.h>

static const struct option_spec options[] = {
    OPTION_MODEL,
    OPTION_OUTPUT,
    OPTION_FORMAT,
    {"confidence", 'c', OPTION_TEXT, AT(confidence), "METHOD", 0, 0, false,
     "confidence columns to append; this version knows none"},
    {"colour", 0, OPTION_FLAG, AT(colour), NULL, 0, 0, false,
     "show sentences in colour, one a line, instead of completing the input"},
    OPTION_THREADS,
    OPTION_QUIET,
    OPTION_VERBOSE,
    OPTION_HELP,
    {0},
};

struct tagging {
    const struct vouch_model *model;
    struct output *out;
    struct writer_options writing;
    struct text *boundary; /* labels of a document mark */
    size_t boundary_capacity;
    uint64_t sentences, words;
    bool flush; /* somebody waits on a pipe */
    bool colour;
};

/* A colour for each type of chunk, in the order of the model's labels. */
static int colour_of(const struct vouch_model *model, struct text type)
{
    static const int colours[] = {32, 33, 34, 35, 36, 31};
    enum { COLOURS = sizeof colours / sizeof *colours };
    struct text seen[COLOURS], other;
    uint32_t count = 0;
    for (uint32_t y = 0; y < labels_count(&model->labels) && count < COLOURS; y++) {
        bool known = scheme_split(labels_name(&model->labels, y), &other) == 'O'; /* O has no colour */
        for (uint32_t i = 0; i < count; i++)
            known = known || text_equal(seen[i], other);
        if (!known && text_equal(other, type))
            break;
        if (!known)
            seen[count++] = other;
    }
    return colours[count % COLOURS];
}

/* "Ada Lovelace/PER lives in London/LOC ." with chunks in colour. */
static void write_coloured(const struct tagging *t, const struct sentence *sentence, const struct text *label)
{
    struct output *out = t->out;
    for (uint32_t i = 0; i < sentence->N; i++) {
        struct text type, next, word = sentence_cells(sentence, i) ? sentence_cell(sentence, i, 0) : text_of("_");
        char prefix = scheme_split(label[i], &type);
        bool inside = prefix != 'O';
        char following = i + 1 < sentence->N ? scheme_split(label[i + 1], &next) : 'O';
        bool last =
            !inside || !prefix || following == 'O' || following == 'B' || following == 'S' || !text_equal(type, next);
        if (inside)
            output_printf(out, "\033[1;%dm", colour_of(t->model, type));
        output_write(out, word.at, word.length);
        if (inside && last)
            output_printf(out, "\033[0;2m/%.*s", (int)type.length, type.at);
        output_printf(out, "%s%s", inside ? "\033[0m" : "", i + 1 < sentence->N ? " " : "");
    }
    output_write(out, "\n", 1);
}

static bool take(void *context, const struct sentence *sentence, const struct answer *answer, struct vouch_error *err)
{
    struct tagging *t = context;
    const struct text *label = answer->label;
    if (!label) { /* a document mark */
        if (!RESERVE(t->boundary, t->boundary_capacity, (size_t)sentence->N + 1, err))
            return false;
        for (uint32_t i = 0; i < sentence->N; i++)
            t->boundary[i] = text_of("O");
        label = t->boundary;
    } else {
        t->sentences++;
        t->words += sentence->N;
    }
    if (t->colour && sentence->N)
        write_coloured(t, sentence, label);
    else if (!t->colour && !write_labelled(t->out, &t->writing, sentence, label, err))
        return false;
    if (t->flush)
        output_flush(t->out);
    return !interrupt_seen() || fail(err, VOUCH_ERR_STOPPED, "interrupted");
}

static bool tag_file(const struct settings *settings, const struct vouch_model *model,
                     const struct reader_options *reading, struct tagging *t, struct vouch_error *err)
{
    struct reader *reader = reader_open(answering_input(settings), reading, err);
    struct answer_sink sink = {take, t};
    t->out = reader ? output_open(settings->output, err) : NULL;
    t->flush = answers_are_awaited(settings);
    bool ok = t->out != NULL;
    if (ok) {
        t->writing = (struct writer_options){reader_format(reader), reader_separator(reader)};
        ok = answer_stream(model, reader, (uint32_t)settings->threads, &sink, err);
    }
    ok = output_close(t->out, ok, err);
    reader_close(reader);
    free(t->boundary);
    return ok;
}

static int tag(const struct command *command, struct settings *settings)
{
    struct vouch_error err = {0};
    struct reader_options reading;
    struct tagging t = {.colour = settings->colour};
    int status = answering_prepare(&reading, command, settings);
    if (status != EXIT_DONE)
        return status;
    vouch_model *model = vouch_model_open(settings->model, &err);
    if (!model)
        return failed(command, &err);
    if (reading.format == FORMAT_AUTO && ((const struct vouch_model *)model)->templates.attributes)
        reading.format = FORMAT_CRFSUITE;
    double started = seconds_now();
    t.model = model;
    if (settings->output) /* else there is nothing to clean up */
        interrupt_catch();
    bool ok = model_parses(model)
                  ? fail(&err, VOUCH_ERR_ARGUMENT, "%s: this model parses: use vouch parse", settings->model)
                  : tag_file(settings, model, &reading, &t, &err);
    vouch_model_close(model);
    if (!ok)
        return failed(command, &err);
    double seconds = seconds_now() - started;
    if (settings->verbose && !settings->quiet)
        fprintf(stderr, "labelled %llu sentences, %llu words in %.2f s: %.0f words a second\n",
                (unsigned long long)t.sentences, (unsigned long long)t.words, seconds,
                (double)t.words / (seconds > 0 ? seconds : 1));
    return EXIT_DONE;
}

const struct command tag_command = {
    .name = "tag",
    .arguments = "-m MODEL [INPUT]",
    .summary = "label sentences",
    .about = "Labels the sentences of INPUT (standard input if not given) and writes the same file, completed: CoNLL "
             "columns get one more column, JSON lines the keys \"predicted\" and \"spans\". Memory does not grow with "
             "the input, and the order stays.",
    .example = "  vouch tag -m ner.vouch input.txt > labelled.txt\n",
    .option = options,
    .run = tag,
};
