/*
 * Implements vouch tag and vouch parse: labels or dependency trees with a model, in a file completed as it was read.
 *
 * Both read, answer and write in one way; what differs are the options, and how a sentence is written: as a file of its
 * format, in colour, or (trees) drawn. vouch judge answers by the same code.
 *
 * It works below vouch.h: a file is completed as it was read, which needs the bytes around the words, and the public
 * answer does not carry these.
 */
#include "cli/shared.h"
#include "cli/colour.h"

#include "answer/answer_stream.h"
#include "answer/model_input.h"
#include "base/memory.h"
#include "base/output.h"
#include "base/watch.h"
#include "model/forecast_model.h"
#include "report/arc_diagram.h"
#include "scores/score_files.h"
#include "text/writer.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/*
 * The output: a file or standard output, written by one process alone or for several ranks by the first of them.
 *
 * On ranks, answers are written into memory. After every round each rank sends a head, a note on each of its answers,
 * and their text. The first rank writes them in the order of the sentences, up to the first that failed on any rank. So
 * the output, what is told of it and the error are those of one process. It adds probabilities up in that order, too: a
 * sum of real numbers depends on it.
 */

/* What is sent of an answer, besides its text. */
struct answer_note {
    size_t end;                      /* of its text, among those of this rank and round */
    bool counted;                    /* `expected` counts: a document mark or a faulty line has none */
    struct expected_counts expected;
};

struct answer_output {
    struct output *out;              /* where to write answers */
    struct expected_counts expected; /* of all answers; on ranks, the first one's is */

    const struct ranks *ranks;
    struct output *file;      /* of the first rank; NULL if a process works alone: then `out` is the file */
    struct answer_note *note; /* [notes] of this rank's answers of this round */
    size_t notes, capacity;
};

struct round_head {
    size_t notes;
    bool failed; /* another answer did, after these; why: */
    struct vouch_error error;
};

/* What a rank has sent, and how much of it was written. */
struct received {
    struct round_head head;
    const char *note, *text;
    size_t written, at; /* answers; bytes */
};

/* Opens the output; `path` is as in output_open(). Close it in any case. */
static bool answer_output_open(struct answer_output *o, const char *path, const struct ranks *ranks,
                               struct vouch_error *err)
{
    *o = (struct answer_output){.ranks = ranks};
    o->out = ranks ? output_open_memory(err) : output_open(path, err);
    if (!o->out || !ranks || !ranks_first(ranks))
        return o->out != NULL;
    o->file = output_open(path, err);
    return o->file != NULL;
}

/* Ends the text of an answer; `expected` may be NULL. */
static bool answer_output_end(struct answer_output *o, const struct expected_counts *expected, struct vouch_error *err)
{
    struct answer_note note = {.counted = expected != NULL};
    if (expected)
        note.expected = *expected;
    if (expected && !o->ranks)
        expected_counts_add(&o->expected, expected);
    if (!o->ranks)
        return true;
    if (!output_text(o->out, &note.end))
        return fail_memory(err);
    if (!RESERVE(o->note, o->capacity, o->notes + 1, err))
        return false;
    o->note[o->notes++] = note;
    return true;
}

/* Sends what this rank has to the first. */
static bool send_round(const struct answer_output *o, const struct vouch_error *failed, struct gathered *all,
                       struct vouch_error *err)
{
    struct round_head head = {.notes = o->notes, .failed = failed != NULL};
    size_t length, notes = o->notes * sizeof *o->note;
    const char *text = output_text(o->out, &length);
    if (failed)
        head.error = *failed;
    if (!text)
        return fail_memory(err);
    char *message = new_block(sizeof head + notes + length, err);
    if (!message)
        return false;
    memcpy(message, &head, sizeof head);
    if (notes)
        memcpy(message + sizeof head, o->note, notes);
    if (length)
        memcpy(message + sizeof head + notes, text, length);
    bool ok = ranks_gather(o->ranks, message, sizeof head + notes + length, FOR_FIRST, all, err);
    free(message);
    return ok;
}

/* Writes the next answer of a rank; fails as it did if it has none. */
static bool write_next(struct answer_output *o, struct received *from, struct vouch_error *err)
{
    struct answer_note note;
    if (from->written == from->head.notes) {
        if (err)
            *err = from->head.error;
        return from->head.failed ? false : fail(err, VOUCH_ERR_IO, "ranks do not read the same files");
    }
    memcpy(&note, from->note + from->written++ * sizeof note, sizeof note);
    output_write(o->file, from->text + from->at, note.end - from->at);
    from->at = note.end;
    if (note.counted)
        expected_counts_add(&o->expected, &note.expected);
    return true;
}

/* Writes the answers of a round, which all ranks have sent. */
static bool write_round(struct answer_output *o, const struct rank_round *round, const struct gathered *all,
                        struct vouch_error *err)
{
    struct received *from = new_array(all->count, sizeof *from, err);
    bool ok = from != NULL;
    for (uint32_t r = 0; ok && r < all->count; r++) {
        memcpy(&from[r].head, all->bytes + all->start[r], sizeof from[r].head);
        from[r].note = all->bytes + all->start[r] + sizeof from[r].head;
        from[r].text = from[r].note + from[r].head.notes * sizeof(struct answer_note);
    }
    for (size_t i = 0; ok && i < round->count; i++)
        ok = write_next(o, &from[round->owner[i]], err);
    for (uint32_t r = 0; ok && r < all->count; r++)
        if (from[r].head.failed || from[r].written < from[r].head.notes)
            ok = write_next(o, &from[r], err) && fail(err, VOUCH_ERR_IO, "ranks do not read the same files");
    free(from);
    return ok;
}

/* Commits if `ok`, else drops; returns whether all succeeded. */
static bool answer_output_close(struct answer_output *o, bool ok, struct vouch_error *err)
{
    size_t length;
    struct output *file = o->ranks ? o->file : o->out;
    if (o->file) { /* what comes behind the answers */
        const char *text = output_text(o->out, &length);
        ok = ok && (text || fail_memory(err));
        if (ok)
            output_write(o->file, text, length);
    }
    if (file)
        ok = output_close(file, ok, err);
    if (o->ranks)
        output_discard(o->out);
    free(o->note);
    *o = (struct answer_output){.expected = o->expected};
    return ok;
}

/* One run of a command that answers. */
struct answer_run {
    const struct answer_options *settings;
    const struct vouch_model *model;
    const struct score_files *scores; /* of a model without weights */
    const char *otherwise;            /* the method if the model prefers none; NULL: none */
    struct answer_output to;
    struct colouring colouring;
    struct writer_options writing;
    struct column_survey survey; /* of a tagger: the values of columns, and those of training */
    struct buffer nameless;      /* words of sentences that have scores alone */
    struct buffer drawn;
    struct arena arena;                /* of one sentence */
    bool header;                       /* it is still to be written */
    bool flush;                        /* each answer is written at once: the input is a pipe or a terminal */
    uint64_t sentences, words, faults; /* answered; faults are lines that were reported in place of answers */
};

/* Draws a tree: every tree as text, only the first, which is the first rank's, as a picture. */
static bool draw(struct answer_run *a, const struct sentence *s, const struct vouch_answer *answer,
                 struct vouch_error *err)
{
    bool svg = a->settings->draw == DRAW_SVG;
    struct text *form, *tag;
    double *least;
    if (s->N == 0 || (svg && (a->sentences > 1 || !ranks_first(a->to.ranks))))
        return true;
    if (!ARENA_ARRAY(form, s->N, &a->arena, err) || !ARENA_ARRAY(tag, s->N, &a->arena, err))
        return false;
    for (uint32_t i = 0; i < s->N; i++) {
        form[i] = sentence_cell(s, i, 1);
        tag[i] = sentence_cell(s, i, 3);
    }
    struct arc_diagram tree = {.N = s->N,
                               .form = form,
                               .tag = tag,
                               .head = answer->head,
                               .relation = answer->label,
                               .colour = a->settings->colour};
    if (answer->confidences) {
        if (!ARENA_ARRAY(least, s->N, &a->arena, err))
            return false;
        least_confidence(answer->confidences, s->N, least);
        tree.confidence = least;
        tree.threshold = a->settings->doubt.threshold >= 0 ? a->settings->doubt.threshold
                                                           : colour_limit(&answer->confidences->by_method[0]);
    }
    a->drawn.length = 0;
    if (!(svg ? arc_diagram_svg : arc_diagram_text)(&tree, &a->drawn, err))
        return false;
    output_write(a->to.out, a->drawn.bytes, a->drawn.length);
    output_write(a->to.out, "\n", 1);
    return true;
}

static bool write_answer(struct answer_run *a, const struct sentence *s, const struct vouch_answer *answer,
                         const struct text *label, struct vouch_error *err)
{
    struct marks marks = {answer->confidences, answer->doubtful, answer->replaced};
    if (a->settings->draw)
        return draw(a, s, answer, err);
    if (a->settings->colour)
        return (s->N == 0 && !a->model->trees) || colour_sentence(&a->colouring, s, label, answer, err);
    return write_sentence(a->to.out, &a->writing, s, a->model->trees ? answer->head : NULL, label, &marks, err);
}

static bool take(void *context, const struct sentence *s, const struct vouch_answer *answer, struct vouch_error *err)
{
    struct answer_run *a = context;
    const struct confidences *confidences = answer->confidences;
    bool answered = a->model->trees || answer->label, mark = !answered && !s->faulty;
    const struct text *label = answer->label;
    struct text *outside;
    arena_reset(&a->arena);
    a->faults += s->faulty;
    a->sentences += answered && !s->faulty;
    a->words += answered ? s->N : 0;
    if (!answered) { /* a document mark */
        if (!ARENA_ARRAY(outside, s->N, &a->arena, err))
            return false;
        for (uint32_t i = 0; i < s->N; i++)
            outside[i] = text_of("O");
        label = outside;
    }
    if (a->header && confidences && !s->faulty &&
        !write_header(a->to.out, &a->writing, confidences->by_method, confidences->methods, err))
        return false;
    a->header = a->header && s->faulty;
    if (!write_answer(a, s, answer, label, err) ||
        !answer_output_end(&a->to, s->faulty || mark ? NULL : answer->expected, err))
        return false;
    if (a->flush)
        output_flush(a->to.out);
    return true;
}

/* Surveys the columns of every sentence, also of those that other ranks answer. */
static void see(void *context, const struct sentence *sentence)
{
    column_survey_compare(&((struct answer_run *)context)->survey, sentence);
}

/* Collects the answers of a round: see struct answer_sink. */
static bool exchange(void *context, const struct rank_round *round, const struct vouch_error *failed,
                     struct vouch_error *err)
{
    struct answer_output *o = &((struct answer_run *)context)->to;
    struct gathered all = {0};
    bool ok = send_round(o, failed, &all, err) && (!ranks_first(o->ranks) || write_round(o, round, &all, err));
    gathered_release(&all);
    output_empty(o->out);
    o->notes = 0;
    if (ok && failed && err)
        *err = *failed;
    return ok && !failed;
}

/* Warns of columns whose values training never saw: the answers are then worth little. */
static void warn_of_columns(const struct answer_run *a)
{
    const struct column_values *odd = column_survey_odd(&a->survey);
    if (odd)
        showf(stderr,
              "warning: column %u holds values such as '%s' that training never saw in it (%.0f %% of %llu words), "
              "where it saw '%.*s': is it the right column?\n",
              odd->column + (a->writing.column > 0 ? 2 : 1), odd->example,
              100.0 * (double)odd->unseen / (double)odd->rows, (unsigned long long)odd->rows,
              excerpt(dictionary_text(&odd->values, 1)), dictionary_text(&odd->values, 1).at);
}

/* Warns if the answered text, by its expected counts, is unlike the text that the model was calibrated on. */
static bool warn_of_unlike(const struct answer_run *a, struct vouch_error *err)
{
    struct forecast_model known;
    const struct expected_counts *expected = &a->to.expected;
    if (!forecast_model_read(&known, a->model->header, a->model->file.name, err))
        return false;
    if (forecast_is_unlike(&known, expected))
        showf(stderr,
              "warning: this text is unlike what the model was calibrated on (%.1f deviations by known features, %.1f "
              "by doubtful words): confidence is too high; 'vouch forecast' says how good the answers are\n",
              forecast_unlikeness(&known, expected, LIKENESS_FEATURES),
              forecast_unlikeness(&known, expected, LIKENESS_DOUBT));
    return true;
}

void answering_say_methods(const struct options *options, const struct estimator *estimator)
{
    if (options->quiet)
        return;
    showf(stderr, "confidence:");
    for (uint32_t j = 0; j < estimator->methods; j++)
        showf(stderr, "%s %s (%s)", j ? "," : "", estimator->layer[0].chosen[j].name,
              chosen_is_calibrated(estimator, j) ? "calibrated" : "raw");
    showf(stderr, "\n");
}

void answering_say_uncalibrated(const struct options *options, const struct vouch_model *model)
{
    const char *name = model->file.name;
    if (!options->quiet)
        showf(stderr,
              "confidence: none, as %s was not calibrated: 'vouch tune -m %s --in-place FILE' does it, on labelled "
              "sentences that it has not learned from\n",
              name, name);
}

/* Opens the input; with --scores and no input, one of nameless words, as many as have scores. */
static struct reader *open_input(struct answer_run *a, const struct reader_options *reading, struct vouch_error *err)
{
    const struct answer_options *s = a->settings;
    struct reader_options made = *reading;
    if (!a->scores || s->common.arguments > 0)
        return reader_open(s->common.arguments ? s->common.argument[0] : NULL, reading, err);
    made.format = a->model->trees ? FORMAT_CONLLU : FORMAT_CONLL;
    made.column = 0;
    made.named = false;
    return score_files_words(a->scores, &a->nameless, err)
               ? reader_open_memory(a->nameless.bytes, a->nameless.length, &made, err)
               : NULL;
}

/* Whether the sender may wait for each answer before it sends more: the input is a pipe or a terminal. */
static bool answers_are_awaited(const struct answer_options *s)
{
    struct stat about;
    bool standard = s->common.arguments ? strcmp(s->common.argument[0], "-") == 0 : !s->source.scores;
    return standard && fstat(STDIN_FILENO, &about) == 0 && !S_ISREG(about.st_mode);
}

/* Makes the request of the options, and prints which methods' numbers will be written. NULL on failure. */
static struct vouch_request *ask(const struct answer_run *a, const struct reader *reader, struct vouch_error *err)
{
    const struct answer_options *s = a->settings;
    enum format format = reader->format;
    /* Columns and plain lines show words alone; JSON, CoNLL-U, a threshold and colours need more. */
    struct estimate_request more = {.otherwise = a->otherwise};
    more.words_only = !a->model->trees && format != FORMAT_JSONL && format != FORMAT_CONLLU && s->doubt.threshold < 0 &&
                      !s->doubt.sets && !s->colour;
    struct vouch_request *request = request_new(a->model, s, &more, err);
    int64_t told = !s->common.quiet; /* of ranks, the first may tell what all of them find */
    if (request)
        request->scores = a->scores;
    if (request && !request->estimator && !s->confidence.methods)
        answering_say_uncalibrated(&s->common, a->model);
    if (!request || !request->estimator)
        return request;
    if (!ranks_sum(s->common.work.ranks, &told, 1, err)) {
        vouch_request_free(request);
        return NULL;
    }
    answering_say_methods(&s->common, request->estimator);
    request->estimator->expected = told ? EXPECT_WORDS : EXPECT_NOTHING;
    request->doubt.marks = request->doubt.marks && (s->draw || !s->colour); /* which has limits of its own */
    return request;
}

static bool answer_input(struct answer_run *a, const struct reader_options *reading, struct vouch_error *err)
{
    const struct answer_options *s = a->settings;
    struct answer_sink sink = {.take = take,
                               .context = a,
                               .watch = s->common.work.watch,
                               .see = a->model->trees ? NULL : see,
                               .ranks = s->common.work.ranks,
                               .exchange = exchange};
    struct reader *reader = open_input(a, reading, err);
    struct vouch_request *request =
        reader && (a->model->trees || column_survey_read(&a->survey, a->model, err)) ? ask(a, reader, err) : NULL;
    bool ok = request && answer_output_open(&a->to, s->output, s->common.work.ranks, err);
    a->flush = answers_are_awaited(s);
    if (ok) {
        a->writing = writer_options_for(reader);
        a->writing.column = a->model->trees ? 0 : reader_column(reader);
        a->writing.keeps_relations = model_lacks_weights(a->model);
        a->colouring = (struct colouring){.out = a->to.out, .model = a->model};
        ok = answer_stream(request, reader, &sink, err);
    }
    if (ok && !s->common.quiet) {
        warn_of_columns(a);
        ok = warn_of_unlike(a, err);
    }
    if (ok && s->colour && !s->draw && request->estimator)
        colour_legend(&a->colouring,
                      &(struct method_confidence){.method = request->estimator->layer[0].chosen[0].name,
                                                  .calibrated = chosen_is_calibrated(request->estimator, 0),
                                                  .margin = !chosen_is_bounded(request->estimator, 0, 0, UNIT_WORD)});
    ok = answer_output_close(&a->to, ok, err);
    reader_close(reader);
    vouch_request_free(request);
    return ok;
}

/* Adds up what the ranks have answered, once the output is written; they may end from then on. */
static bool sum_counts(struct answer_run *a, struct vouch_error *err)
{
    int64_t sum[] = {(int64_t)a->sentences, (int64_t)a->words, (int64_t)a->faults};
    if (!ranks_sum(a->settings->common.work.ranks, sum, 3, err))
        return false;
    a->sentences = (uint64_t)sum[0];
    a->words = (uint64_t)sum[1];
    a->faults = (uint64_t)sum[2];
    return true;
}

/* Prints how much was answered in how long, and how many words or trees that is in a second. */
static void say_speed(const struct answer_run *a, double seconds)
{
    bool trees = a->model->trees;
    double count = (double)(trees ? a->sentences : a->words);
    showf(stderr, "%s %llu sentences, %llu words in %.2f s: %.0f %s a second\n", trees ? "parsed" : "labelled",
          (unsigned long long)a->sentences, (unsigned long long)a->words, seconds, count / (seconds > 0 ? seconds : 1),
          trees ? "sentences" : "words");
}

bool answer_with(const struct answer_options *settings, const struct vouch_model *model,
                 const struct score_files *scores, struct reader_options *reading, struct vouch_error *err)
{
    struct answer_run a = {.settings = settings,
                           .model = model,
                           .scores = scores,
                           .otherwise = settings->common.table == judge_command.table ? gamma_method.name : NULL,
                           .header = settings->header && !model->trees && ranks_first(settings->common.work.ranks)};
    if (model->trees)
        reading->trees = true;
    else
        model_input_settle(model, reading);
    double started = seconds_now();
    if (settings->output) /* else there is nothing to clean up */
        interrupt_catch();
    bool ok = answer_input(&a, reading, err) && sum_counts(&a, err);
    if (ok && settings->common.verbose && !settings->common.quiet)
        say_speed(&a, seconds_now() - started);
    column_survey_release(&a.survey);
    arena_release(&a.arena);
    colouring_release(&a.colouring);
    free(a.nameless.bytes);
    free(a.drawn.bytes);
    if (ok && a.faults)
        ok = fail(err, VOUCH_ERR_FORMAT, "%llu line%s could not be answered: see \"error\" in the output",
                  (unsigned long long)a.faults, a.faults == 1 ? "" : "s");
    return ok;
}

vouch_model *open_with_scores(const char *path, const struct score_values *source, struct score_files **files,
                              struct vouch_error *err)
{
    vouch_model *model = vouch_model_open(path, err);
    if (!model || score_files_open_for(model, source, files, err))
        return model;
    vouch_model_close(model);
    return NULL;
}

/* Fails for a model that labels if the command parses, and the other way round. */
static bool suits(const struct vouch_model *model, const struct answer_options *s, struct vouch_error *err)
{
    if (request_options(model) == s->common.table)
        return true;
    if (model->trees)
        return fail(err, VOUCH_ERR_ARGUMENT, "%s: this model parses: use vouch parse", s->model);
    return fail(err, VOUCH_ERR_ARGUMENT, "%s: expected a model that parses, found one for '%s': use vouch tag",
                s->model, vouch_model_task(model));
}

static int answer(void *options, struct vouch_error *err)
{
    struct answer_options *settings = options;
    struct reader_options reading;
    if (settings->answers)
        return tag_answers(settings, err);
    if (!request_options_agree(settings, err) || !reading_options_to_answer(&settings->reading, &reading, err))
        return EXIT_MISUSE;
    struct score_files *files = NULL;
    vouch_model *model = saving_possible(settings, err) ? vouch_model_open(settings->model, err) : NULL;
    bool ok = model && suits(model, settings, err) && score_files_open_for(model, &settings->source, &files, err) &&
              answer_with(settings, model, files, &reading, err);
    vouch_model_close(model);
    score_files_free(files);
    return done_if(ok);
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
    .run = answer,
    .on_ranks = true,
};

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
    .run = answer,
    .on_ranks = true,
};
