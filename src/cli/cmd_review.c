/* Implements vouch review: what in a labelled corpus is probably wrong. */
#include "cli/shared.h"

#include "base/buffer.h"
#include "report/page.h"
#include "scores/score_files.h"
#include "review/decisions.h"
#include "review/review.h"
#include "task/task.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* The texts of the page: what is listed, how many errors there are, what to do next, and by which command. */
struct review_talk {
    char listed[300], errors[300], next[300], command[1200];
};

static bool same(const struct review_list *l, const struct row_word *word)
{
    return text_equal(list_text(l, word->given), list_text(l, word->proposed));
}

/* Whether word i is shown; `any`: something else is proposed for some word. */
static bool shows(const struct review_list *l, const struct row *row, uint32_t i, bool any)
{
    return any ? !same(l, &l->word[row->first + i]) : i == row->worst;
}

static void write_context(const struct review_list *l, const struct row *row, bool any, struct output *out)
{
    bool open = false;
    output_printf(out, "<p>");
    page_text(out, list_text(l, row->before));
    for (uint32_t i = 0; i < row->words; i++) {
        bool marked = shows(l, row, i, any);
        if (open && !marked)
            output_printf(out, "</mark>");
        output_write(out, " ", 1);
        if (marked && !open)
            output_printf(out, "<mark>");
        page_text(out, list_text(l, l->word[row->first + i].form));
        open = marked;
    }
    output_printf(out, open ? "</mark> " : " ");
    page_text(out, list_text(l, row->after));
    output_printf(out, "</p>\n");
}

static void write_label(struct output *out, const char *kind, const char *says, struct text label, struct text head)
{
    output_printf(out, "<span class=\"label %s\" title=\"%s\">", kind, says);
    page_text(out, label);
    if (head.length > 0) {
        output_printf(out, " <small>");
        page_text(out, head);
        output_printf(out, "</small>");
    }
    output_printf(out, "</span>");
}

static void write_pair(const struct review_list *l, const struct row_word *word, bool named, struct output *out)
{
    output_printf(out, "<span class=\"pair\">");
    if (named) {
        page_text(out, list_text(l, word->form));
        output_write(out, " ", 1);
    }
    write_label(out, "warm", "given", list_text(l, word->given), list_text(l, word->given_head));
    if (same(l, word))
        output_printf(out, " <span class=\"soft\">nothing else is proposed</span>");
    else {
        output_printf(out, " \xE2\x86\x92 ");
        write_label(out, "cool", "proposed", list_text(l, word->proposed), list_text(l, word->proposed_head));
    }
    output_printf(out, "</span> ");
}

static void write_labels(const struct review_list *l, const struct row *row, bool any, struct output *out)
{
    output_printf(out, "<p>");
    for (uint32_t i = 0; i < row->words; i++)
        if (shows(l, row, i, any))
            write_pair(l, &l->word[row->first + i], row->words > 1, out);
    if (row->others)
        output_printf(out, " <span class=\"soft\">and with it</span> ");
    for (uint32_t i = 0; i < row->others; i++)
        write_pair(l, &l->word[row->first + row->words + i], true, out);
    output_printf(out, "</p>\n");
}

static void write_item(const struct review_list *l, size_t i, struct output *out)
{
    const struct row *row = &l->row[i];
    double percent = 100 * row->measure[ROW_ERROR];
    bool any = false;
    for (uint32_t k = 0; k < row->words; k++)
        any = any || !same(l, &l->word[row->first + k]);
    output_printf(out,
                  "<li><div><b>%zu</b> <span class=\"soft\">%.0f%%</span><span class=\"bar\" "
                  "style=\"--share:%.0f\"></span></div>\n<div>\n",
                  i + 1, percent, percent);
    write_context(l, row, any, out);
    write_labels(l, row, any, out);
    output_printf(out, "<p class=\"soft\">");
    page_text(out, list_text(l, row->string[ROW_WHY]));
    output_printf(out, " \xC2\xB7 ");
    page_text(out, list_text(l, row->string[ROW_FILE]));
    output_printf(out, ":%llu, word %u</p>\n</div></li>\n", (unsigned long long)row->line, row->word + 1);
}

static void write_note(const struct review_talk *talk, struct output *out)
{
    struct text none = {"", 0};
    output_printf(out, "<div class=\"note\">\n<p>");
    write_label(out, "warm", "given", text_of("given"), none);
    output_printf(out, " is what the corpus says, ");
    write_label(out, "cool", "proposed", text_of("proposed"), none);
    output_printf(out, " what models say that did not learn from that sentence. The bar and its percentage are the "
                       "probability that the corpus is wrong there, estimated from errors that were planted in a "
                       "copy.</p>\n<p>To decide, ");
    page_text(out, text_of(talk->next));
    output_printf(out, ", then:</p>\n<pre>");
    page_text(out, text_of(talk->command));
    output_printf(out, "</pre>\n</div>\n");
}

/*
 * Writes the list as a page. Each item shows its sentence with the suspect words marked, the labels given and proposed,
 * and why. For an item of several words it shows those for which something else is proposed; if there is none, the
 * worst.
 */
static void write_page(const struct review_list *list, const struct review_talk *talk, struct output *out)
{
    char lead[sizeof talk->listed + sizeof talk->errors + 4];
    snprintf(lead, sizeof lead, "%s%s%s.", talk->listed, talk->errors[0] ? "; " : "", talk->errors);
    page_begin(out, "Probably mislabelled", lead);
    write_note(talk, out);
    output_printf(out, "<ol class=\"items\">\n");
    for (size_t i = 0; i < list->count; i++)
        write_item(list, i, out);
    output_printf(out, "</ol>\n");
    page_end(out);
}

/* Refuses labels that a table could not list, before the time is spent on learning. */
static bool check_labels(const struct review *r, struct vouch_error *err)
{
    const struct dictionary *names = review_names(r);
    for (uint32_t i = 1; r->options->as == REVIEW_TSV && i <= names->table.count; i++) {
        struct text name = dictionary_text(names, i);
        uint32_t blank = 0;
        while (blank < name.length && (unsigned char)name.at[blank] > ' ')
            blank++;
        if (blank < name.length)
            return fail(err, VOUCH_ERR_FORMAT,
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

/* Writes the command that counts the errors from the decisions of an audit; `how`: options of reading. */
static void count_command(const struct review_options *s, const char *table, const char *how, struct review_talk *talk)
{
    size_t room = sizeof talk->command;
    size_t used = (size_t)snprintf(talk->command, room, "vouch review %s %s%s", s->model ? "-m" : "--task",
                                   s->model ? s->model : s->learner.task, how);
    for (size_t i = 0; i < s->decided.count && used < room; i++)
        used += (size_t)snprintf(talk->command + used, room - used, " --decided %s", s->decided.item[i]);
    if (used < room)
        used += (size_t)snprintf(talk->command + used, room - used, " --decided %s -o suspects.tsv", table);
    for (size_t i = 0; i < s->common.arguments && used < room; i++)
        used += (size_t)snprintf(talk->command + used, room - used, " %s", s->common.argument[i]);
}

/* Writes what to do with the list, and the command that applies it, or counts. */
static void next_step(const struct review *r, struct review_talk *talk)
{
    const struct review_options *s = r->options;
    bool table = s->as == REVIEW_TSV && writes_to_file(s);
    const char *name = table ? s->output : r->list.audit.items > 0 ? "audit.tsv" : "suspects.tsv";
    char corrected[80], how[80] = "";
    size_t used = 0;
    if (r->reading.format != FORMAT_AUTO)
        used = (size_t)snprintf(how, sizeof how, " --format %s", format_name(r->reading.format));
    if (!r->trees && r->corpus.format == FORMAT_CONLLU)
        snprintf(how + used, sizeof how - used, " --column %s", column_name(r->reading.column));
    else if (r->reading.gold > 0)
        snprintf(how + used, sizeof how - used, " --gold %d", r->reading.gold);
    snprintf(talk->next, sizeof talk->next,
             "%s%s%sput + (as proposed), - (as given) or %s into the decision column%s%.*s",
             table                 ? ""
             : s->as == REVIEW_TSV ? "write the list to a file (-o "
                                   : "write the list as a table (--as tsv -o ",
             table ? "" : name, table ? "" : "), ",
             !r->trees       ? "labels of your own"
             : r->layers > 1 ? "HEAD:RELATION"
                             : "HEAD",
             table ? " of " : "", table ? text_beginning(text_of(name), 100) : 0, name);
    if (r->list.audit.items > 0)
        count_command(s, name, how, talk);
    else
        snprintf(talk->command, sizeof talk->command, "vouch review --apply %s%s -o %s %s", name, how,
                 corrected_name(s->common.argument[0], corrected, sizeof corrected), s->common.argument[0]);
}

/* Writes how many items are listed of how many, and which. */
static void describe_list(const struct review *r, struct review_talk *talk)
{
    static const char *const level[] = {"word", "chunk", "entity", "sentence"};
    const struct review_list *l = &r->list;
    const struct audit_stratum *top = &l->audit.stratum[0], *rest = &l->audit.stratum[1];
    int used = snprintf(talk->listed, sizeof talk->listed, "%zu of %zu %ss, ", l->count, l->judged, level[r->level]);
    if (l->audit.items == 0)
        snprintf(talk->listed + used, sizeof talk->listed - (size_t)used, "most suspect first%s",
                 l->errors.items ? "" : "; decisions about an audit tell how many errors there are: --audit 50");
    else
        snprintf(talk->listed + used, sizeof talk->listed - (size_t)used,
                 "drawn at random: %" PRIu64 " from the %" PRIu64 " most suspect, %" PRIu64 " from the other %" PRIu64
                 "; decide on all of them, and --decided tells how many errors there are",
                 top->drawn, top->size, rest->drawn, rest->size);
}

/* Writes how many errors there are, by the decisions of an audit; nothing if there was none. */
static void count_errors(const struct error_count *errors, struct review_talk *talk)
{
    char count[40] = "", missing[80] = "";
    talk->errors[0] = '\0';
    if (errors->items == 0)
        return;
    if (!isnan(errors->count))
        snprintf(count, sizeof count, "about %.0f, ", errors->count);
    else if (errors->unknown > 0)
        snprintf(missing, sizeof missing, "; no row is left about %" PRIu64 " of them", errors->unknown);
    else
        snprintf(missing, sizeof missing, "; decide on all for an estimate");
    snprintf(talk->errors, sizeof talk->errors,
             "errors among the %" PRIu64 " %ss that the audit was drawn from: %s%.0f to %.0f (90 %% interval, whatever "
             "they are like; %" PRIu64 " of %" PRIu64 " decided%s)",
             errors->items, audit_unit_name(errors->unit), count, errors->least, errors->most, errors->decided,
             errors->drawn, missing);
}

static bool write_list(const struct review *r, const struct review_talk *talk, struct vouch_error *err)
{
    struct output *out = output_open(r->options->output, err);
    bool ok = out != NULL;
    if (ok && r->options->as == REVIEW_HTML)
        write_page(&r->list, talk, out);
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
    ok = ok && (model || !s->model) && review_read(r, err) && check_labels(r, err) && review_judge(r, err);
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
