/* Implements vouch review: what in a labelled corpus is probably wrong. */
#include "cli/review_page.h"
#include "cli/shared.h"

#include "base/buffer.h"
#include "report/prose.h"
#include "scores/score_files.h"
#include "review/decisions.h"
#include "task/task.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static bool writes_to_file(const struct review_options *s)
{
    return s->output && strcmp(s->output, "-") != 0;
}

/* Finds the name of the table that is to be applied: the list's own, or one beside the page. */
static void name_table(const struct review *r, bool page, struct review_talk *talk)
{
    const struct review_options *s = r->options;
    const char *name = page && writes_to_file(s) ? path_name(s->output) : ""; /* where the browser saves it */
    size_t length = strlen(name);
    if (s->as == REVIEW_TSV && writes_to_file(s))
        snprintf(talk->table, sizeof talk->table, "%s", s->output);
    else if (length > strlen(".html") && strcmp(name + length - strlen(".html"), ".html") == 0)
        snprintf(talk->table, sizeof talk->table, "%.*s.tsv", (int)(length - strlen(".html")), name);
    else
        snprintf(talk->table, sizeof talk->table, "%s.tsv", r->list.audit.items > 0 ? "audit" : "suspects");
}

/* Finds the options that say how the files are to be read. */
static void name_reading(const struct review *r, struct review_talk *talk)
{
    size_t used = 0;
    talk->how[0] = '\0';
    if (r->reading.format != FORMAT_AUTO)
        used = (size_t)snprintf(talk->how, sizeof talk->how, " --format %s", format_name(r->reading.format));
    if (!r->trees && r->corpus.format == FORMAT_CONLLU)
        snprintf(talk->how + used, sizeof talk->how - used, " --column %s", column_name(r->reading.column));
    else if (r->reading.gold > 0)
        snprintf(talk->how + used, sizeof talk->how - used, " --gold %d", r->reading.gold);
}

/* Writes the command that counts the errors from the decisions of an audit. */
static void count_command(const struct review_options *s, struct review_talk *talk)
{
    size_t room = sizeof talk->command;
    size_t used = (size_t)snprintf(talk->command, room, "vouch review %s %s%s", s->model ? "-m" : "--task",
                                   s->model ? s->model : s->learner.task, talk->how);
    for (size_t i = 0; i < s->decided.count && used < room; i++)
        used += (size_t)snprintf(talk->command + used, room - used, " --decided %s", s->decided.item[i]);
    if (used < room)
        used += (size_t)snprintf(talk->command + used, room - used, " --decided %s -o suspects.tsv", talk->table);
    for (size_t i = 0; i < s->common.arguments && used < room; i++)
        used += (size_t)snprintf(talk->command + used, room - used, " %s", s->common.argument[i]);
}

/* Writes what to do with the list, and the command that applies it, or counts. */
static void next_step(const struct review *r, struct review_talk *talk)
{
    const struct review_options *s = r->options;
    bool table = s->as == REVIEW_TSV && writes_to_file(s), page = s->as == REVIEW_HTML && !review_page_limit(r);
    char corrected[80];
    name_table(r, page, talk);
    name_reading(r, talk);
    snprintf(talk->next, sizeof talk->next,
             "%s%.*s%sput + (as proposed), - (as given) or %s into the decision column%s%.*s",
             table                 ? ""
             : s->as == REVIEW_TSV ? "write the list to a file (-o "
                                   : "write the list as a table (--as tsv -o ",
             table ? 0 : text_beginning(text_of(talk->table), 100), talk->table, table ? "" : "), ",
             !r->trees       ? "labels of your own"
             : r->layers > 1 ? "HEAD:RELATION"
                             : "HEAD",
             table ? " of " : "", table ? text_beginning(text_of(talk->table), 100) : 0, talk->table);
    if (page)
        snprintf(talk->next, sizeof talk->next, "open the page in a browser, decide, and save the table");
    if (r->list.audit.items > 0)
        count_command(s, talk);
    else
        snprintf(talk->command, sizeof talk->command, "vouch review --apply %s%s -o %s %s", talk->table, talk->how,
                 corrected_name(s->common.argument[0], corrected, sizeof corrected), s->common.argument[0]);
}

/* Writes how many items are listed of how many, and which. */
static void describe_list(const struct review *r, struct review_talk *talk)
{
    static const char *const level[] = {"word", "chunk", "entity", "sentence"};
    const struct review_list *l = &r->list;
    const struct audit_stratum *top = &l->audit.stratum[0], *rest = &l->audit.stratum[1];
    int used = snprintf(talk->listed, sizeof talk->listed, "%s of %s %ss, ", SHOWN(l->count), SHOWN(l->judged),
                        level[r->level]);
    if (l->audit.items == 0)
        snprintf(talk->listed + used, sizeof talk->listed - (size_t)used, "most suspect first%s",
                 l->errors.items ? "" : "; decisions about an audit tell how many errors there are: --audit 50");
    else
        snprintf(talk->listed + used, sizeof talk->listed - (size_t)used,
                 "drawn at random: %s from the %s most suspect, %s from the other %s; decide on all of them, and "
                 "--decided tells how many errors there are",
                 SHOWN(top->drawn), SHOWN(top->size), SHOWN(rest->drawn), SHOWN(rest->size));
}

/* Writes how many errors there are, by the decisions of an audit; nothing if there was none. */
static void count_errors(const struct error_count *errors, struct review_talk *talk)
{
    char count[40] = "", missing[80] = "";
    talk->errors[0] = '\0';
    if (errors->items == 0)
        return;
    if (!isnan(errors->count))
        snprintf(count, sizeof count, "about %s, ", SHOWN(errors->count));
    else if (errors->unknown > 0)
        snprintf(missing, sizeof missing, "; no row is left about %s of them", SHOWN(errors->unknown));
    else
        snprintf(missing, sizeof missing, "; decide on all for an estimate");
    snprintf(talk->errors, sizeof talk->errors,
             "errors among the %s %ss that the audit was drawn from: %s%s to %s (90 %% interval, whatever they are "
             "like; %s of %s decided%s)",
             SHOWN(errors->items), audit_unit_name(errors->unit), count, SHOWN(errors->least), SHOWN(errors->most),
             SHOWN(errors->decided), SHOWN(errors->drawn), missing);
}

static bool write_list(const struct review *r, const struct review_talk *talk, struct vouch_error *err)
{
    struct output *out = output_open(r->options->output, err);
    bool ok = out != NULL;
    if (ok && r->options->as == REVIEW_HTML)
        ok = review_page_write(r, talk, out, err);
    else if (ok && r->options->as == REVIEW_TSV)
        review_list_write_tsv(&r->list, out);
    else if (ok)
        ok = review_list_write_jsonl(&r->list, out, err);
    return output_close(out, ok, err);
}

static bool report(const struct review *r, struct vouch_error *err)
{
    const struct review_options *s = r->options;
    struct review_talk talk;
    const char *name = writes_to_file(s) ? s->output : NULL;
    next_step(r, &talk);
    describe_list(r, &talk);
    count_errors(&r->list.errors, &talk);
    if (!write_list(r, &talk, err))
        return false;
    if (!s->common.quiet && s->decided.count > 0)
        showf(stderr, "decided before: %" PRIu64 " word%s corrected, %" PRIu64 " confirmed\n", r->decided.changed,
              r->decided.changed == 1 ? "" : "s", r->decided.kept);
    if (!s->common.quiet && talk.errors[0])
        showf(stderr, "%s\n", talk.errors);
    if (!s->common.quiet)
        showf(stderr, "%s%s%s\nnext: %s, then: %s%s\n", name ? name : "", name ? ": " : "", talk.listed, talk.next,
              talk.command, s->common.arguments > 1 && r->list.audit.items == 0 ? ", and so for each file" : "");
    return true;
}

/* Makes the list, once the options are known to be right. */
static bool make_list(struct review *r, struct vouch_error *err)
{
    const struct review_options *s = r->options;
    struct score_files *scores = NULL;
    interrupt_catch();
    bool ok = saving_possible(s, err);
    vouch_model *model = ok && s->model ? open_with_scores(s->model, &s->source, &scores, err) : NULL;
    r->model = model;
    r->scores = scores;
    ok = ok && (model || !s->model) && review_read(r, err) &&
         (s->as != REVIEW_TSV || review_check_labels(r, err)) && review_judge(r, err);
    progress_clear(&s->common);
    ok = ok && report(r, err);
    if (!ok && r->decided.refused.length > 0)
        showf(stderr, "%.*s", (int)r->decided.refused.length, r->decided.refused.bytes);
    review_release(r);
    score_files_free(scores);
    vouch_model_close(model);
    return ok;
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

/* Says what became of the enhanced graph of CoNLL-U. */
static void say_deps(const struct amended *done)
{
    if (done->deps_mended + done->deps_cleared == 0)
        return;
    showf(stderr, "DEPS: %" PRIu64 " changed with the arc", done->deps_mended);
    if (done->deps_cleared)
        showf(stderr, ", %" PRIu64 " cleared, which did not have it", done->deps_cleared);
    showf(stderr, "; those of other words are as they were\n");
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
    say_deps(&a->done);
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
static int apply(const struct review_options *s, struct vouch_error *err)
{
    struct application a = {.decisions = {.new_labels = s->new_labels}};
    if (!reading_options(&s->reading, &a.reading, err))
        return EXIT_MISUSE;
    bool ok = saving_possible(s, err) && write_corpus(&a, s, err);
    if (ok && !s->common.quiet)
        say_applied(&a, s);
    if (!ok && a.done.refused.length > 0)
        showf(stderr, "%.*s", (int)a.done.refused.length, a.done.refused.bytes);
    free(a.done.refused.bytes);
    decisions_release(&a.decisions);
    return done_if(ok);
}

static int review(void *options, struct vouch_error *err)
{
    const struct review_options *s = options;
    struct review r = {.options = s};
    if (s->apply)
        return apply(s, err);
    if (review_prepare(&r, err))
        return done_if(make_list(&r, err));
    review_release(&r);
    return EXIT_MISUSE;
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
             "--decided learns from such a table, and lists the rest anew: a next round. --audit lists some that are "
             "drawn at random; once all of them are decided, --decided also tells how many errors there are.",
    .example = "  vouch review --task ner -o suspects.tsv train.txt\n"
               "  vouch review --task ner --level entity --inspect 200 --as html -o suspects.html train.txt\n"
               "  vouch review --task ner --decided suspects.tsv -o round2.tsv train.txt\n"
               "  vouch review --task ner --audit 50 -o audit.tsv train.txt\n"
               "  vouch review --apply suspects.tsv -o corrected.txt train.txt\n",
    .table = &review_options,
    .run = review,
    .on_ranks = true,
    .reads_twice = true,
};
