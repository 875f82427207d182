/*
 * vouch parse: dependency trees with a model.
 */
#include "cli/answering.h"
#include "cli/colour.h"
#include "cli/saving.h"

#include "base/clock.h"
#include "corpus/writer.h"
#include "predict/answer_stream.h"
#include "report/arc_diagram.h"

#include <stdio.h>
#include <string.h>

static const struct option_spec options[] = {
    OPTION_MODEL,
    OPTION_OUTPUT,
    OPTION_FORMAT,
    OPTION_ON_ERROR,
    OPTION_CONFIDENCE,
    OPTION_DOUBT,
    {"colour", 0, OPTION_FLAG, AT(colour), NULL, 0, 0, false,
     "show sentences in colour, one a line, words with doubtful heads marked; also --color"},
    {"draw", 0, OPTION_TEXT, AT(draw), "HOW", 0, 0, false,
     "draw the trees instead: text for a terminal, svg for a page (the first sentence)"},
    OPTION_THREADS,
    OPTION_QUIET,
    OPTION_VERBOSE,
    OPTION_HELP,
    {0},
};

enum picture { DRAW_NOTHING, DRAW_TEXT, DRAW_SVG };

struct parsing {
    struct output *out;
    struct writer_options writing;
    uint64_t sentences, words, faults;
    bool flush; /* each answer is written at once: the input is a pipe or a terminal */
    enum picture drawing;
    bool colour;
    struct colouring colouring;
    struct text *form, *tag;
    struct diagram_text drawn;
    size_t form_capacity, tag_capacity;
};

/* Draws a tree: every one as text, the first alone as a picture. */
static bool draw(struct parsing *p, const struct sentence *sentence, const struct answer *answer,
                 struct vouch_error *err)
{
    if (sentence->N == 0 || (p->drawing == DRAW_SVG && p->sentences > 1))
        return true;
    if (!RESERVE(p->form, p->form_capacity, sentence->N, err) || !RESERVE(p->tag, p->tag_capacity, sentence->N, err))
        return false;
    for (uint32_t i = 0; i < sentence->N; i++) {
        p->form[i] = sentence_cell(sentence, i, 1);
        p->tag[i] = sentence_cell(sentence, i, 3);
    }
    struct arc_diagram tree = {
        .N = sentence->N, .form = p->form, .tag = p->tag, .head = answer->head, .relation = answer->label};
    p->drawn.length = 0;
    if (!(p->drawing == DRAW_SVG ? arc_diagram_svg(&tree, &p->drawn, err) : arc_diagram_text(&tree, &p->drawn, err)))
        return false;
    output_write(p->out, p->drawn.bytes, p->drawn.length);
    output_write(p->out, "\n", 1);
    return true;
}

static bool take(void *context, const struct sentence *sentence, const struct answer *answer, struct vouch_error *err)
{
    struct parsing *p = context;
    struct tree_answer tree = {.head = answer->head, .relation = answer->label};
    p->faults += sentence->faulty;
    p->sentences += !sentence->faulty;
    p->words += sentence->N;
    bool written = p->drawing  ? draw(p, sentence, answer, err)
                   : p->colour ? colour_tree(&p->colouring, sentence, &tree, answer->confidences, err)
                               : write_tree(p->out, &p->writing, sentence, &tree, answer->confidences, err);
    if (!written)
        return false;
    if (p->flush)
        output_flush(p->out);
    return !interrupt_seen() || fail(err, VOUCH_ERR_STOPPED, "interrupted");
}

static bool parse_file(const struct settings *settings, const struct vouch_model *model,
                       const struct reader_options *reading, struct parsing *p, struct vouch_error *err)
{
    struct reader *reader = reader_open(answering_input(settings), reading, err);
    struct answer_sink sink = {take, p};
    struct estimator *estimator = NULL;
    bool judged = !p->drawing; /* drawings show no doubt */
    bool ok = reader && (!judged || answering_estimator(settings, model, false, &estimator, err));
    p->out = ok ? output_open(settings->output, err) : NULL;
    p->flush = answers_are_awaited(settings);
    ok = p->out != NULL;
    if (ok) {
        p->writing = writer_options_for(reader_format(reader), reader_separator(reader));
        answering_doubt(settings, &p->writing);
        p->colouring = (struct colouring){.out = p->out, .model = model};
        ok = answer_stream(model, estimator, reader, (uint32_t)settings->threads, &sink, err);
    }
    if (ok && p->colour && estimator)
        answering_legend(&p->colouring, estimator);
    ok = output_close(p->out, ok, err);
    reader_close(reader);
    estimator_free(estimator);
    colouring_release(&p->colouring);
    return ok;
}

static int parse(const struct command *command, struct settings *settings)
{
    struct vouch_error err = {0};
    struct reader_options reading;
    struct parsing p = {.colour = settings->colour};
    if (settings->draw)
        p.drawing = strcmp(settings->draw, "text") == 0  ? DRAW_TEXT
                    : strcmp(settings->draw, "svg") == 0 ? DRAW_SVG
                                                         : DRAW_NOTHING;
    if (settings->draw && !p.drawing)
        return misuse_value(command, "draw", "text or svg", settings->draw);
    int status = answering_prepare(&reading, command, settings);
    if (status != EXIT_DONE)
        return status;
    reading.trees = true;
    vouch_model *model =
        saving_answers_possible(settings->output, settings, &err) ? vouch_model_open(settings->model, &err) : NULL;
    if (!model)
        return failed(command, &err);
    double started = seconds_now();
    if (settings->output)
        interrupt_catch();
    bool ok = model_parses(model)
                  ? parse_file(settings, model, &reading, &p, &err)
                  : fail(&err, VOUCH_ERR_ARGUMENT, "%s: expected a model that parses, found one for '%s'",
                         settings->model, vouch_model_task(model));
    vouch_model_close(model);
    free(p.form);
    free(p.tag);
    free(p.drawn.bytes);
    if (!ok)
        return failed(command, &err);
    answering_say_speed(settings, "parsed", p.sentences, p.words, started, "sentences", p.sentences);
    return answering_say_faults(command, p.faults);
}

const struct command parse_command = {
    .name = "parse",
    .arguments = "-m MODEL [INPUT]",
    .summary = "find dependency trees",
    .about = "Parses the sentences of INPUT (standard input if not given), in CoNLL-X or CoNLL-U, and writes the same "
             "file with HEAD and DEPREL replaced, and how far they can be trusted added to MISC; everything else is "
             "carried through. Every tree has exactly one root.",
    .example = "  vouch parse -m dep.vouch input.conllu > parsed.conllu\n"
               "  vouch parse -m dep.vouch --confidence kd-fix+delta --alternatives 3 input.conllu\n"
               "  vouch parse -m dep.vouch --colour input.conllu | less -R\n"
               "  vouch parse -m dep.vouch --draw text input.conllu | less\n",
    .option = options,
    .run = parse,
};
