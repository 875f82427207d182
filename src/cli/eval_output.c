/* Reports an evaluation: see eval_output.h. */
#include "cli/eval_output.h"

#include "cli/confidence_report.h"
#include "cli/eval_report.h"
#include "cli/saving.h"
#include "cli/tree_report.h"

#include <stdio.h>

bool eval_output_possible(const struct settings *settings, struct vouch_error *err)
{
    return (!settings->report || saving_possible(settings->report, settings, err)) &&
           (!settings->csv || saving_folder_possible(settings->csv, err));
}

void print_json(json_t *result)
{
    char *text = json_dumps(result, JSON_INDENT(2) | JSON_REAL_PRECISION(6));
    puts(text ? text : "{}");
    free(text);
    json_decref(result);
}

static bool print_score(const struct settings *settings, const struct tag_score *score, struct vouch_error *err)
{
    struct buffer text = {0};
    bool ok = tag_score_report(score, &text, err);
    if (ok)
        show_text(stdout, buffer_text(&text), "\n");
    free(text.bytes);
    if (ok && !settings->quiet) {
        fflush(stdout);
        showf(stderr, "sentences all right: %llu of %llu (%.2f%%)\n", (unsigned long long)score->right_sentences,
              (unsigned long long)score->sentences, tag_percent(score->right_sentences, score->sentences));
    }
    return ok;
}

/* Prints whether sets hold the right choices as often as they should, and how large they are. */
static void print_sets(const struct evaluation *e)
{
    printf("\nsets, for a coverage of %.9g %%, in the mean over sentences\n\n", 100 * e->coverage.target);
    printf("%-8s %9s %9s %14s %9s   %-16s %9s %8s\n", "", "sentences", "of", "by sentences %", "of all %",
           "90 % interval", "mean size", "of one %");
    for (enum covered what = 0; what < COVERED; what++) {
        struct coverage_figures f = coverage_figures(&e->tally, what);
        if (f.count > 0)
            printf("%-8s %9.0f %9.0f %14.2f %9.2f   %6.2f to %-6.2f %9.3f %8.2f\n",
                   e->parses ? "heads" : covered_names[what], f.sentences, f.count, f.by_sentence, f.share, f.low,
                   f.high, f.size, f.single);
    }
}

/* Prints the usual report, then the quality of the confidence: briefly, unless methods are named. */
static bool print_evaluation(const struct evaluation *e, const struct settings *settings, struct vouch_error *err)
{
    if (e->parses)
        tree_report_print(&e->trees, e->labelled, settings->verbose);
    else if (!print_score(settings, &e->score, err))
        return false;
    if (e->judged && (settings->confidence || settings->answers))
        confidence_report_print(&e->confidence_eval);
    else if (e->judged)
        confidence_report_brief(&e->confidence_eval);
    if (e->covers)
        print_sets(e);
    return true;
}

/* Tells what the numbers and sentences of another program's table were taken for. */
static void print_table(const struct answer_file *t)
{
    static const char *const told_apart[] = {
        "every row, as no blank lines or column tell them apart (--rows together: one); chunks are not counted",
        "rows between blank lines", "rows with the same sentence", "lines of JSON", "all rows are one"};
    printf("\nsentences: %s\n", told_apart[t->boundaries]);
    if (t->outside)
        printf("numbers: %zu of %zu are outside 0 to 1 (the first: %.6g, line %llu), so they are no probabilities; "
               "only\ntheir order is measured\n",
               t->outside, t->rows, t->row[t->example].confidence, (unsigned long long)t->row[t->example].line);
}

static json_t *table_json(const struct answer_file *t)
{
    static const char *const told_apart[] = {"rows", "blank lines", "column", "lines", "file"};
    return json_pack("{s:s, s:I, s:b}", "sentences_by", told_apart[t->boundaries], "outside_0_1",
                     (json_int_t)t->outside, "probabilities", t->outside == 0);
}

static bool write_page(const struct evaluation *e, const struct eval_output *o, struct vouch_error *err)
{
    const struct settings *settings = o->settings;
    char *line = settings_provenance(settings, o->command->table);
    const char *const *files = (const char *const *)settings->argument;
    const struct eval_page page = {.model = o->name,
                                   .command = line ? line : "",
                                   .file = settings->answers ? &o->name : files,
                                   .files = settings->answers ? 1 : settings->arguments,
                                   .evaluation = e,
                                   .words = &o->words};
    bool ok = eval_report_write(&page, settings->report, err);
    if (ok && !settings->quiet)
        showf(stderr, "%s: open it in a browser\n", settings->report);
    free(line);
    return ok;
}

bool eval_output_look(void *context, const struct sentence *sentence, const struct text *gold,
                      const struct answer *answer, struct vouch_error *err)
{
    struct eval_output *o = context;
    return eval_words_take(&o->words, sentence, gold, answer, err);
}

bool eval_output_write(const struct eval_output *o, const struct evaluation *e, struct vouch_error *err)
{
    const struct settings *s = o->settings;
    if (e->score.words + e->trees.all.words == 0)
        return fail(err, VOUCH_ERR_FORMAT, "%s: expected sentences, found none",
                    s->answers     ? o->name
                    : s->arguments ? s->argument[0]
                                   : "standard input");
    if ((s->csv && !confidence_report_csv(&e->confidence_eval, s->csv, err)) || (s->report && !write_page(e, o, err)))
        return false;
    if (!s->json) {
        bool ok = print_evaluation(e, s, err);
        if (ok && o->table)
            print_table(o->table);
        return ok;
    }
    json_t *result = evaluation_json(e);
    if (o->table)
        json_object_set_new(result, "answers", table_json(o->table));
    print_json(result);
    return true;
}
