/* Implements vouch parse: dependency trees with a model. */
#include "cli/answer_output.h"
#include "cli/answering.h"
#include "cli/colour.h"

#include "base/watch.h"
#include "text/writer.h"
#include "report/arc_diagram.h"

#include <stdio.h>
#include <string.h>

enum picture { DRAW_NOTHING, DRAW_TEXT, DRAW_SVG };

struct parsing {
    struct answer_output to;
    struct writer_options writing;
    struct doubts doubts;
    struct buffer nameless; /* words of sentences that have scores alone */
    struct answer_counts counts;
    bool flush; /* each answer is written at once: the input is a pipe or a terminal */
    enum picture drawing;
    bool colour;
    struct colouring colouring;
    struct text *form, *tag;
    struct buffer drawn;
    size_t form_capacity, tag_capacity;
};

/* Draws a tree: every tree as text, only the first, which is the first rank's, as a picture. */
static bool draw(struct parsing *p, const struct sentence *sentence, const struct answer *answer,
                 struct vouch_error *err)
{
    if (sentence->N == 0 || (p->drawing == DRAW_SVG && (p->counts.sentences > 1 || !ranks_first(p->to.ranks))))
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
    output_write(p->to.out, p->drawn.bytes, p->drawn.length);
    output_write(p->to.out, "\n", 1);
    return true;
}

static bool take(void *context, const struct sentence *sentence, const struct answer *answer, struct vouch_error *err)
{
    struct parsing *p = context;
    struct tree_answer tree = {.head = answer->head, .relation = answer->label};
    struct marks marks;
    p->counts.faults += sentence->faulty;
    p->counts.sentences += !sentence->faulty;
    p->counts.words += sentence->N;
    bool written = p->drawing  ? draw(p, sentence, answer, err)
                   : p->colour ? colour_tree(&p->colouring, sentence, &tree, answer->confidences, err)
                               : doubts_mark_tree(&p->doubts, sentence, answer->confidences, &tree, &marks, err) &&
                                     write_tree(p->to.out, &p->writing, sentence, &tree, &marks, err);
    if (!written || !answer_output_end(&p->to, sentence->faulty ? NULL : answer->promise, err))
        return false;
    if (p->flush)
        output_flush(p->to.out);
    return !interrupt_seen() || fail(err, VOUCH_ERR_STOPPED, "interrupted");
}

static bool stop(void *context)
{
    (void)context;
    return interrupt_seen();
}

static bool exchange(void *context, const struct dealing *round, const struct vouch_error *failed,
                     struct vouch_error *err)
{
    struct parsing *p = context;
    return answer_output_exchange(&p->to, round, failed, err);
}

static bool parse_file(const struct settings *settings, const struct vouch_model *model,
                       const struct reader_options *reading, struct parsing *p, struct vouch_error *err)
{
    struct reader *reader = answering_reader(settings, model, reading, &p->nameless, err);
    struct answer_sink sink = {
        .take = take, .context = p, .stop = stop, .ranks = settings->common.work.ranks, .exchange = exchange};
    struct settings asked = *settings;
    if (p->drawing)
        asked.confidence.methods = "none"; /* drawings show no doubt */
    struct vouch_request *request = reader ? answering_ask(&asked, model, false, err) : NULL;
    bool ok = request && answer_output_open(&p->to, settings->output, settings->common.work.ranks, err);
    p->flush = answers_are_awaited(settings);
    if (ok) {
        p->writing = writer_options_for(reader_format(reader), reader_separator(reader));
        p->doubts = answering_doubts(settings);
        p->colouring = (struct colouring){.out = p->to.out, .model = model};
        ok = request_stream(request, reader, &sink, err);
    }
    ok = ok && answering_warn_of_unlike(settings, model, &p->to.promise, err);
    if (ok && p->colour && request->estimator)
        answering_legend(&p->colouring, request->estimator);
    ok = answer_output_close(&p->to, ok, err);
    reader_close(reader);
    free(p->nameless.bytes);
    vouch_request_free(request);
    colouring_release(&p->colouring);
    doubts_release(&p->doubts);
    return ok;
}

int parse_with(const struct command *command, const struct settings *settings, vouch_model *model,
               struct reader_options *reading)
{
    struct vouch_error err = {0};
    struct parsing p = {.colour = settings->colour};
    if (settings->draw)
        p.drawing = strcmp(settings->draw, "text") == 0 ? DRAW_TEXT : DRAW_SVG;
    reading->trees = true;
    double started = seconds_now();
    if (settings->output)
        interrupt_catch();
    bool ok = parse_file(settings, model, reading, &p, &err) &&
              answer_counts_sum(&p.counts, settings->common.work.ranks, &err);
    vouch_model_close(model);
    free(p.form);
    free(p.tag);
    free(p.drawn.bytes);
    if (!ok)
        return failed(command, &err);
    answering_say_speed(settings, "parsed", &p.counts, started, false);
    return answering_say_faults(command, p.counts.faults);
}

static int parse(const struct command *command, void *options)
{
    struct settings *settings = options;
    struct vouch_error err = {0};
    struct reader_options reading;
    int status = answering_prepare(&reading, command, settings);
    if (status != EXIT_DONE)
        return status;
    vouch_model *model = answering_open(command, settings, &err);
    return model ? parse_with(command, settings, model, &reading) : failed(command, &err);
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
    .table = &parse_options,
    .run = parse,
    .on_ranks = true,
};
