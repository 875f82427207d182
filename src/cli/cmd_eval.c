/*
 * Implements vouch eval, of a model, of answers in files, or of algorithms: see man/vouch-eval.1.
 */
#include "cli/shared.h"
#include "cli/eval_report.h"

#include "eval/algorithm_folds.h"
#include "eval/file_comparison.h"
#include "measure/intervals.h"
#include "report/table.h"
#include "scores/score_files.h"

#include <stdio.h>

static json_t *table_json(const struct answer_file *t)
{
    static const char *const told_apart[] = {"rows", "blank lines", "column", "lines", "file"};
    return json_pack("{s:s, s:I, s:b}", "sentences_by", told_apart[t->boundaries], "outside_0_1",
                     (json_int_t)t->outside, "probabilities", t->outside == 0);
}

/* Writes the usual report, or JSON, and the files that the options name. */
static bool report(const struct eval_report *r, struct vouch_error *err)
{
    const struct evaluation *e = r->evaluation;
    const struct eval_options *s = e->options;
    if (e->score.words + e->trees.all.words == 0)
        return fail(err, VOUCH_ERR_FORMAT, "%s: expected %s, found none",
                    s->answers            ? r->name
                    : s->common.arguments ? s->common.argument[0]
                                          : "standard input",
                    e->score.unit == TAG_SPANS ? "spans" : "sentences");
    if (s->csv && !eval_write_csv(&e->confidence_eval, s->csv, err))
        return false;
    if (s->report) {
        char *line = options_provenance(s);
        bool ok = eval_write_page(r, line ? line : "", s->report, err);
        free(line);
        if (!ok)
            return false;
        if (!s->common.quiet)
            showf(stderr, "%s: open it in a browser\n", s->report);
    }
    if (!s->json)
        return eval_print(r, err);
    json_t *result = evaluation_json(e);
    if (r->table)
        json_object_set_new(result, "answers", table_json(r->table));
    show_json(result, 6);
    return true;
}

/* A model answers the files, and the answers are compared with their gold. */

static void see_file(void *context, const char *path)
{
    struct eval_report *r = context;
    r->file = r->evaluation->options->common.arguments > 1 ? path : NULL;
}

static int eval_model(struct eval_options *settings, struct vouch_error *err)
{
    struct eval_report output = {.name = settings->model};
    struct evaluation e = {.options = settings,
                           .on_answer = settings->report ? eval_report_see : NULL,
                           .on_file = see_file,
                           .context = &output};
    output.evaluation = &e;
    struct reader_options reading;
    if (!reading_options(&settings->reading, &reading, err))
        return EXIT_MISUSE;
    struct score_files *files = NULL;
    vouch_model *model =
        saving_possible(settings, err) ? open_with_scores(settings->model, &settings->source, &files, err) : NULL;
    e.scores = files;
    bool ok = model && evaluation_run(&e, model, err);
    progress_clear(&settings->common);
    ok = ok && report(&output, err);
    if (ok && !e.judged && !settings->confidence.methods)
        answering_say_uncalibrated(&settings->common, model);
    evaluation_release(&e);
    eval_report_release(&output);
    score_files_free(files);
    vouch_model_close(model);
    return done_if(ok);
}

/* vouch eval FILE, vouch eval GOLD SYSTEM and vouch eval --answers FILE [GOLD] measure answers that are in files. */

static int eval_files(struct eval_options *settings, struct vouch_error *err)
{
    struct eval_report output = {0};
    struct file_comparison c = {
        .e = {.options = settings, .on_answer = settings->report ? eval_report_see : NULL, .context = &output}};
    output.evaluation = &c.e;
    if (!file_comparison_prepare(&c, err))
        return EXIT_MISUSE;
    struct answer_calibration calibration = {0};
    bool ok = !settings->model || answer_calibration_read(&calibration, settings->model, err);
    c.calibration = settings->model ? &calibration : NULL;
    ok = ok && saving_possible(settings, err) && file_comparison_open(&c, err);
    bool lacks_gold = ok && !c.gold && c.answers->alone;
    if (lacks_gold)
        ok = fail(err, VOUCH_ERR_ARGUMENT, "%s holds one %s: expected the gold file, too: vouch eval GOLD %s",
                  c.answers->path, c.answers->trees ? "tree a sentence" : "label a word", c.answers->path);
    if (ok) {
        output.name = c.answers->path;
        output.table = c.answers->options.foreign ? c.answers : NULL;
        ok = file_comparison_run(&c, err) && report(&output, err);
    }
    file_comparison_release(&c);
    answer_calibration_release(&calibration);
    eval_report_release(&output);
    return lacks_gold ? EXIT_MISUSE : done_if(ok);
}

/* Cross-validation of algorithms, and paired t-tests between them. */

static void print_folds(const struct algorithm_folds *f)
{
    uint32_t folds = f->folds;
    bool chunks = f->result[0].chunks;
    printf("%-12s %9s %9s %9s  %s\n", "algorithm", chunks ? "F1" : "accuracy", "deviation", "folds", "each fold");
    for (uint32_t t = 0; t < f->learning.voices; t++) {
        const double *x = f->figure + (size_t)t * folds;
        printf("%-12s %9.2f %9.2f %9u ", f->learning.trial[0][t].learner->name, sample_mean(x, folds),
               sample_deviation(x, folds), folds);
        for (uint32_t i = 0; i < folds; i++)
            printf(" %.2f", x[i]);
        putchar('\n');
    }
    if (f->learning.voices < 2)
        return;
    printf("\n%-24s %10s %8s %10s\n", "paired t-test", "difference", "t", "p");
    for (uint32_t a = 0; a < f->learning.voices; a++)
        for (uint32_t b = a + 1; b < f->learning.voices; b++) {
            struct t_test test;
            char pair[64];
            snprintf(pair, sizeof pair, "%s - %s", f->learning.trial[0][a].learner->name,
                     f->learning.trial[0][b].learner->name);
            if (paired_t_test(f->figure + (size_t)a * folds, f->figure + (size_t)b * folds, folds, &test))
                printf("%-24s %10.2f %8.2f %10.6f%s%s\n", pair, test.difference, test.t, test.p,
                       *stars_of(test.p) ? " " : "", stars_of(test.p));
        }
}

static bool run_folds(struct algorithm_folds *f, struct eval_options *settings, struct vouch_error *err)
{
    const struct vouch_watch *watch = settings->common.work.watch;
    bool ok = algorithm_folds_read(f, settings, watch, err);
    if (ok)
        interrupt_catch(); /* a Ctrl-C before this needs no handling */
    ok = ok && algorithm_folds_run(f, settings->json, watch, err);
    progress_clear(&settings->common);
    return ok;
}

static int eval_folds(struct eval_options *settings, struct vouch_error *err)
{
    struct algorithm_folds folds;
    int status = EXIT_DONE;
    if (!algorithm_folds_prepare(&folds, settings, err))
        status = EXIT_MISUSE;
    else if (!run_folds(&folds, settings, err))
        status = EXIT_FAILED;
    else if (settings->json)
        show_json(algorithm_folds_json(&folds), 6);
    else
        print_folds(&folds);
    algorithm_folds_release(&folds);
    return status;
}

static int eval(void *options, struct vouch_error *err)
{
    struct eval_options *settings = options;
    if (settings->folds)
        return eval_folds(settings, err);
    return settings->model && !settings->answers ? eval_model(settings, err) : eval_files(settings, err);
}

const struct command eval_command = {
    .name = "eval",
    .arguments = "-m MODEL TEST... | ANSWERS | GOLD SYSTEM | --answers FILE [GOLD] | --folds N --task TASK FILE...",
    .summary = "measure a model, answers in files, or algorithms by cross-validation",
    .about = "With a model: labels TEST and prints precision, recall and F1 as conlleval does, and then, for a model "
             "that was calibrated or for the methods in --confidence, how well confidence finds the errors and how "
             "far it is a probability. Without: the same for answers that are in a file together with gold (columns "
             "as 'vouch tag' or others write them, gold and guess; JSON lines) or in a file SYSTEM of their own, "
             "labels or trees, and for the confidence that they come with. With --answers: the same for any other "
             "program's gold, guess and confidence, in columns, CSV, CoNLL-U or JSON lines, and with -m for the "
             "probabilities that a calibration makes of them. With --folds: learns on all parts but one and measures "
             "on that one, for every part and every algorithm (-a cw,pa,perceptron), and compares them "
             "by paired t-tests.",
    .example = "  vouch eval -m ner.vouch testb.txt\n"
               "  vouch eval -m ner.vouch --confidence all --csv curves testb.txt\n"
               "  vouch eval -m ner.vouch --report ner.html testb.txt\n"
               "  vouch tag -m ner.vouch testb.txt | vouch eval\n"
               "  vouch eval gold.conllu parsed.conllu\n"
               "  vouch eval --answers scored.csv --columns label,prediction,probability\n"
               "  vouch eval --folds 10 --task ner -a cw,pa,perceptron train.txt testb.txt\n",
    .table = &eval_options,
    .run = eval,
    .on_ranks = true,
};
