/* Implements vouch review: what in a labelled corpus is probably wrong. */
#include "cli/cli.h"
#include "cli/review_page.h"
#include "cli/saving.h"
#include "cli/teller.h"

#include "base/buffer.h"
#include "scores/score_files.h"
#include "review/decisions.h"
#include "review/review.h"
#include "task/task.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* One run of the command. */
struct run {
    const struct command *command;
    struct review_options *options;
    struct review review;
    vouch_model *model;
    struct score_files *scores; /* of a model without weights */
    struct teller teller;
    struct vouch_watch watch;
    struct vouch_error err;
};

/* Refuses labels that a table could not list, before the time is spent on learning. */
static bool check_labels(struct run *run)
{
    const struct dictionary *names = review_names(&run->review);
    for (uint32_t i = 1; run->options->as == REVIEW_TSV && i <= names->table.count; i++) {
        struct text name = dictionary_text(names, i);
        uint32_t blank = 0;
        while (blank < name.length && (unsigned char)name.at[blank] > ' ')
            blank++;
        if (blank < name.length)
            return fail(&run->err, VOUCH_ERR_FORMAT,
                        "label \"%.*s\" has a blank in it, which separates labels in a table: expected --as jsonl or "
                        "html",
                        excerpt(name), name.at);
    }
    return true;
}

static bool writes_to_file(const struct review_options *s)
{
    return s->output && strcmp(s->output, "-") != 0;
}

/* Makes a name: "corrected" with the extension of the corpus. */
static const char *corrected_name(const char *corpus, char *name, size_t room)
{
    static const char *const packed[] = {".gz", ".xz", ".zst", ".bz2"};
    const char *base = path_name(corpus);
    size_t length = strlen(base), from;
    for (size_t i = 0; i < sizeof packed / sizeof *packed; i++)
        if (length > strlen(packed[i]) && strcmp(base + length - strlen(packed[i]), packed[i]) == 0)
            length -= strlen(packed[i]);
    for (from = length; from > 0 && base[from - 1] != '.';)
        from--;
    snprintf(name, room, "corrected%s%.*s", from > 0 ? "." : "", from > 0 ? (int)(length - from) : 0, base + from);
    return name;
}

/* Writes what to do with the list, and the command that applies it. */
static void next_step(const struct run *run, struct review_talk *talk)
{
    const struct review_options *s = run->options;
    const struct review *r = &run->review;
    bool table = run->options->as == REVIEW_TSV && writes_to_file(s);
    const char *name = table ? s->output : "suspects.tsv";
    char corrected[80], how[80] = "";
    size_t used = 0;
    if (r->reading.format != FORMAT_AUTO)
        used = (size_t)snprintf(how, sizeof how, " --format %s", format_name(r->reading.format));
    if (!r->trees && r->corpus.format == FORMAT_CONLLU)
        snprintf(how + used, sizeof how - used, " --column %s", column_name(r->reading.column));
    else if (r->reading.gold > 0)
        snprintf(how + used, sizeof how - used, " --gold %d", r->reading.gold);
    snprintf(talk->next, sizeof talk->next, "%sput + (as proposed), - (as given) or %s into the decision column%s%.*s",
             table                            ? ""
             : run->options->as == REVIEW_TSV ? "write the list to a file (-o suspects.tsv), "
                                              : "write the list as a table (--as tsv -o suspects.tsv), ",
             !r->trees       ? "labels of your own"
             : r->layers > 1 ? "HEAD:RELATION"
                             : "HEAD",
             table ? " of " : "", table ? text_beginning(text_of(name), 100) : 0, name);
    snprintf(talk->command, sizeof talk->command, "vouch review --apply %s%s -o %s %s", name, how,
             corrected_name(s->common.argument[0], corrected, sizeof corrected), s->common.argument[0]);
}

/* Writes how many items are listed of how many, and how many errors to expect. */
static void expectation(const struct run *run, struct review_talk *talk)
{
    static const char *const level[] = {"word", "chunk", "entity", "sentence"};
    const struct review_list *l = &run->review.list;
    snprintf(talk->expected, sizeof talk->expected,
             "%zu of %zu %ss, most suspect first; errors expected (and 90 %% intervals): %.0f (%.0f to %.0f) among "
             "them, %.0f (%.0f to %.0f) in all",
             l->count, l->judged, level[run->review.level], l->among.count, floor(l->among.least), ceil(l->among.most),
             l->all.count, floor(l->all.least), ceil(l->all.most));
}

static bool write_list(struct run *run, const struct review_talk *talk)
{
    const struct review_list *list = &run->review.list;
    struct output *out = output_open(run->options->output, &run->err);
    bool ok = out != NULL;
    if (ok && run->options->as == REVIEW_HTML)
        review_page_write(list, talk, out);
    else if (ok && run->options->as == REVIEW_TSV)
        review_list_write_tsv(list, out);
    else if (ok)
        ok = review_list_write_jsonl(list, out, &run->err);
    return output_close(out, ok, &run->err);
}

static bool report(struct run *run)
{
    struct review_talk talk;
    const char *name = writes_to_file(run->options) ? run->options->output : NULL;
    next_step(run, &talk);
    expectation(run, &talk);
    if (!write_list(run, &talk))
        return false;
    if (!run->options->common.quiet && run->options->decided.count > 0)
        showf(stderr, "decided before: %" PRIu64 " word%s corrected, %" PRIu64 " confirmed\n",
              run->review.decided.changed, run->review.decided.changed == 1 ? "" : "s", run->review.decided.kept);
    if (!run->options->common.quiet)
        showf(stderr, "%s%s%s\nnext: %s, then: %s%s\n", name ? name : "", name ? ": " : "", talk.expected, talk.next,
              talk.command, run->options->common.arguments > 1 ? ", and so for each file" : "");
    return true;
}

static bool open_model(struct run *run)
{
    if (!run->options->model)
        return true;
    run->review.model = run->model = vouch_model_open(run->options->model, &run->err);
    bool ok = run->model && score_files_open_for(run->model, &run->options->source, &run->scores, &run->err);
    run->review.scores = run->scores;
    return ok;
}

static int run_review(struct run *run)
{
    const struct review_options *s = run->options;
    struct review *r = &run->review;
    run->watch = teller_watch(&run->teller, s);
    run->options->common.work.watch = &run->watch;
    interrupt_catch();
    bool ok = (!writes_to_file(s) || saving_possible(s->output, s, &run->err)) && open_model(run) &&
              review_read(r, &run->err) && check_labels(run) && review_judge(r, &run->err);
    progress_clear(&run->teller.progress);
    ok = ok && report(run);
    if (!ok && r->decided.refused.length > 0)
        showf(stderr, "%.*s", (int)r->decided.refused.length, r->decided.refused.bytes);
    return ok ? EXIT_DONE : failed(run->command, &run->err);
}

/* What vouch review --apply has done. */
struct application {
    struct decisions decisions;
    size_t used; /* rows about the file */
    struct reader_options reading;
    struct amended done;
};

/* Writes the corpus with the rows about it. */
static bool write_corpus(struct application *a, const struct review_options *s, struct vouch_error *err)
{
    struct decisions *d = &a->decisions;
    if (!decisions_read(d, s->apply, err) || !decisions_about(d, s->common.argument[0], &a->used, err))
        return false;
    if (a->used == 0 && d->rows > 0)
        return fail(err, VOUCH_ERR_FORMAT, "%s: expected decisions about %s, found some about %s alone", s->apply,
                    s->common.argument[0], d->row[d->rows - 1].file);
    struct reader_options *reading = &a->reading;
    reading->trees = d->trees || (reading->format == FORMAT_CONLLU && !reading->column) ||
                     (s->learner.task && task_or_any(s->learner.task)->trees);
    struct output *out = output_open(s->output, err);
    return output_close(out, out && amend(s->common.argument[0], reading, d, out, NULL, &a->done, err), err);
}

/* Warns of chunks that begin in the middle after decisions about single words. */
static void warn_of_scheme(const struct amended *done)
{
    bool one = done->faults == 1;
    if (done->faults == 0)
        return;
    if (done->scheme == SCHEME_IOB2)
        showf(stderr, "warning: %" PRIu64 " chunk%s now begin%s with I-", done->faults, one ? "" : "s", one ? "s" : "");
    else
        showf(stderr, "warning: %" PRIu64 " label%s now %s not as %s spells chunks", done->faults, one ? "" : "s",
              one ? "is" : "are", scheme_name(done->scheme));
    showf(stderr, ": --level chunk decides about whole entities\n");
}

static void say_applied(const struct application *a, const struct review_options *s)
{
    const struct decisions *d = &a->decisions;
    uint64_t changed = a->done.changed;
    size_t elsewhere = d->rows - a->used;
    showf(stderr,
          "%s %s: %" PRIu64 " word%s changed by %zu decision%s; %" PRIu64 " row%s left as given, %" PRIu64
          " not decided\n",
          writes_to_file(s) ? "wrote" : "wrote to", writes_to_file(s) ? s->output : "standard output", changed,
          changed == 1 ? "" : "s", a->used, a->used == 1 ? "" : "s", d->kept, d->kept == 1 ? "" : "s", d->open);
    warn_of_scheme(&a->done);
    if (elsewhere)
        showf(stderr, "%zu decision%s about other files: give --apply each of them in its turn\n", elsewhere,
              elsewhere == 1 ? " is" : "s are");
    if (changed)
        showf(stderr, "next: train on the corrected file, or review it again: with fewer errors to learn from, others "
                      "come to light\n");
    else
        showf(stderr, "next: put + or a label into the decision column of %s where the corpus is wrong\n", s->apply);
}

/* Runs vouch review --apply: writes decisions from an edited list into the corpus. */
static int apply(const struct command *command, const struct review_options *s)
{
    struct vouch_error err = {0};
    struct application a = {.decisions = {.new_labels = s->new_labels}};
    if (s->common.arguments != 1)
        return misuse(command, "expected the one file to correct, found %zu", s->common.arguments);
    if (!reading_options(&s->reading, &a.reading, &err))
        return misused(command, &err);
    bool ok = (!writes_to_file(s) || saving_possible(s->output, s, &err)) && write_corpus(&a, s, &err);
    if (ok && !s->common.quiet)
        say_applied(&a, s);
    if (!ok && a.done.refused.length > 0)
        showf(stderr, "%.*s", (int)a.done.refused.length, a.done.refused.bytes);
    free(a.done.refused.bytes);
    decisions_release(&a.decisions);
    return ok ? EXIT_DONE : failed(command, &err);
}

static int review(const struct command *command, void *options)
{
    struct review_options *s = options;
    struct run run = {.command = command, .options = s, .review = {.options = s}};
    if (s->common.arguments == 0)
        return misuse(command, "expected at least one labelled file");
    int status = files_check(command, s);
    if (status == EXIT_DONE && s->apply && s->common.work.ranks)
        status = misuse(command, "--apply is not for ranks: run 'vouch review', without mpirun");
    if (status == EXIT_DONE && s->apply)
        return apply(command, s);
    if (status == EXIT_DONE && !s->model && !s->learner.task)
        status = misuse(command, "expected -m MODEL, or --task np, chunk, ner, pos or dep");
    if (status == EXIT_DONE && !review_prepare(&run.review, &run.err))
        status = misused(command, &run.err);
    if (status == EXIT_DONE)
        status = run_review(&run);
    review_release(&run.review);
    score_files_free(run.scores);
    vouch_model_close(run.model);
    return status;
}

const struct command review_command = {
    .name = "review",
    .arguments = "-m MODEL CORPUS... | --task TASK CORPUS... | --apply TABLE CORPUS",
    .summary = "find what is probably mislabelled in a corpus, and correct it",
    .about = "Judges every label that CORPUS gives by models that did not learn from its sentence, and lists the most "
             "suspect with what is proposed instead, why, and the estimated probability that the corpus is wrong. With "
             "--task the models are learned from the files themselves, each part judged by what was learned from the "
             "others. Decide on each row of the table: + takes the proposal, - leaves the corpus as it is, anything "
             "else is what to write; --apply then writes the corpus with these changes, all other bytes as they were. "
             "--decided learns from such a table, and lists the rest anew: a next round.",
    .example = "  vouch review --task ner -o suspects.tsv train.txt\n"
               "  vouch review --task ner --level entity --inspect 200 --as html -o suspects.html train.txt\n"
               "  vouch review --task ner --decided suspects.tsv -o round2.tsv train.txt\n"
               "  vouch review --apply suspects.tsv -o corrected.txt train.txt\n",
    .table = &review_options,
    .run = review,
    .on_ranks = true,
};
