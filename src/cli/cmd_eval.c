/*
 * vouch eval: how good is a model, a labelled file, or an algorithm?
 */
#include "cli/answering.h"
#include "cli/cli.h"
#include "cli/confidence_report.h"
#include "cli/eval_report.h"
#include "cli/learning.h"
#include "cli/saving.h"
#include "cli/tree_report.h"

#include "apply/answer_stream.h"
#include "apply/credibility.h"
#include "apply/model_input.h"
#include "apply/trials.h"
#include "measure/significance.h"
#include "report/sheet.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const struct option_spec options[] = {
    OPTION_MODEL,
    OPTION_CONFIDENCE,
    {"resamples", 0, OPTION_INTEGER, AT(resamples), "N", 0, 100000, false,
     "of the sentences, for the intervals of confidence; 0 is none"},
    {"csv", 0, OPTION_TEXT, AT(csv), "DIR", 0, 0, false, "write curves and bins of confidence into this folder"},
    {"report", 0, OPTION_TEXT, AT(report), "FILE", 0, 0, false,
     "write a page of all this, with figures and words to look at, to this HTML file"},
    {"folds", 0, OPTION_INTEGER, AT(folds), "N", 2, 1000, false,
     "cross-validate the files in N parts instead; several algorithms are compared"},
    {"task", 't', OPTION_TEXT, AT(task), "NAME", 0, 0, false,
     "with --folds: what to learn: np, chunk, ner, pos or dep"},
    OPTIONS_LEARNING,
    OPTION_FORMAT,
    OPTION_GOLD,
    OPTION_JSON,
    OPTION_SEED,
    OPTION_THREADS,
    OPTION_QUIET,
    OPTION_VERBOSE,
    OPTION_HELP,
    {0},
};

struct evaluation {
    const struct tag_task *task;
    const struct vouch_model *model;
    uint64_t known;           /* words whose gold label the model knows */
    uint64_t sentences, seen; /* of them, those that the model learned from */
    struct tag_score score;
    bool parses, labelled; /* trees; with relations */
    struct tree_score trees;
    bool judged; /* confidence was measured */
    struct credibility credibility;
    bool lists; /* words are to be kept for the page */
    struct eval_words words;
    struct text *gold;
    bool *punctuation;
    size_t gold_capacity, punctuation_capacity;
};

/* What confidence says of one answer. */
static bool take_trust(struct evaluation *e, const struct sentence *sentence, const struct text *gold,
                       const struct answer *answer, struct vouch_error *err)
{
    if (!answer->trust)
        return true;
    return credibility_add(&e->credibility, gold, e->parses ? sentence->head : NULL, sentence->N, answer, err) &&
           (!e->lists || eval_words_take(&e->words, sentence, gold, answer, err));
}

/* Counts one tree. */
static bool take_tree(struct evaluation *e, const struct sentence *sentence, const struct answer *answer,
                      struct vouch_error *err)
{
    if (!RESERVE(e->punctuation, e->punctuation_capacity, (size_t)sentence->N + 1, err))
        return false;
    for (uint32_t i = 0; i < sentence->N; i++)
        e->punctuation[i] = is_punctuation(sentence_cell(sentence, i, 1));
    struct tree_pair pair = {.N = sentence->N,
                             .gold_head = sentence->head,
                             .head = answer->head,
                             .gold_relation = sentence->gold,
                             .relation = answer->label,
                             .punctuation = e->punctuation};
    e->labelled = answer->label != NULL;
    return tree_score_add(&e->trees, &pair, err) && take_trust(e, sentence, sentence->gold, answer, err);
}

static bool take(void *context, const struct sentence *sentence, const struct answer *answer, struct vouch_error *err)
{
    struct evaluation *e = context;
    if (sentence->boundary || sentence->N == 0)
        return true;
    if (!sentence->labelled)
        return fail(err, VOUCH_ERR_FORMAT, "expected gold labels, found none");
    e->sentences++;
    e->seen += model_has_seen(e->model, sentence_words_digest(sentence));
    if (e->parses)
        return take_tree(e, sentence, answer, err);
    if (!RESERVE(e->gold, e->gold_capacity, (size_t)sentence->N + 1, err))
        return false;
    for (uint32_t i = 0; i < sentence->N; i++) {
        e->gold[i] = tag_task_gold(e->task, sentence->gold[i]);
        e->known += dictionary_find(&e->model->labels.written, e->gold[i]) != 0;
    }
    return tag_score_add(&e->score, e->gold, answer->label, sentence->N, err) &&
           take_trust(e, sentence, e->gold, answer, err);
}

/* The jury that was asked for, or that the model prefers; none is NULL. */
static bool call_jury(struct evaluation *e, const struct settings *settings, struct jury **jury,
                      struct vouch_error *err)
{
    struct settings silent = *settings; /* the report says whose numbers they are */
    silent.quiet = true;
    if (!answering_jury(&silent, e->model, false, jury, err))
        return false;
    if (!*jury && (settings->csv || settings->report))
        return fail(err, VOUCH_ERR_ARGUMENT, "--%s: no confidence is measured: expected a method in --confidence",
                    settings->csv ? "csv" : "report");
    e->lists = settings->report;
    e->judged = *jury != NULL;
    return !*jury || credibility_init(&e->credibility, *jury, err);
}

/* Answers every file and counts. */
static bool answer_files(struct evaluation *e, const struct settings *settings, const struct reader_options *reading,
                         struct vouch_error *err)
{
    struct answer_sink sink = {take, e};
    struct jury *jury = NULL;
    bool ok = call_jury(e, settings, &jury, err);
    for (size_t i = 0; ok && i < (settings->arguments ? settings->arguments : 1); i++) {
        struct reader *reader = reader_open(settings->arguments ? settings->argument[i] : NULL, reading, err);
        e->words.file = settings->arguments > 1 ? settings->argument[i] : NULL;
        ok = reader && model_input_gold_apart(e->model, reader, reading->gold, err) &&
             answer_stream(e->model, jury, reader, (uint32_t)settings->threads, &sink, err);
        reader_close(reader);
    }
    jury_free(jury);
    return ok && (!e->judged || credibility_measure(&e->credibility, (uint32_t)settings->resamples,
                                                    (uint64_t)settings->seed, (uint32_t)settings->threads, err));
}

static bool evaluate_model(struct evaluation *e, const struct settings *settings, struct reader_options *reading,
                           struct vouch_error *err)
{
    vouch_model *model = vouch_model_open(settings->model, err);
    if (!model)
        return false;
    const struct vouch_model *m = model;
    e->task = tag_task_or_any(m->task);
    tag_score_init(&e->score, tag_unit_of(m->labels.outer));
    e->model = m;
    e->parses = model_parses(m);
    model_input_settle(m, reading);
    bool ok = answer_files(e, settings, reading, err);
    if (ok && !e->parses && !e->known && e->score.words && !settings->quiet)
        fprintf(stderr, "warning: the model knows none of the gold labels: is it the right column (--gold)?\n");
    if (ok)
        answering_warn_of_seen(settings, e->seen, e->sentences, settings->arguments == 1 ? settings->argument[0] : NULL,
                               "other files will be answered less well");
    vouch_model_close(model);
    return ok;
}

/* Without a model: the last two columns are gold and guess, as conlleval reads them. */
static bool evaluate_columns(struct evaluation *e, const struct settings *settings, struct vouch_error *err)
{
    struct reader_options reading = {.format = FORMAT_CONLL, .gold = GOLD_LAST};
    struct reader *reader = reader_open(settings->arguments ? settings->argument[0] : NULL, &reading, err);
    struct sentence sentence = {0};
    struct scheme_watch watch = {0};
    struct tag_score chunks, labels;
    tag_score_init(&chunks, TAG_CHUNKS);
    tag_score_init(&labels, TAG_LABELS);
    enum reading state = READ_FAILED;
    bool ok = reader != NULL;
    while (ok && (state = reader_next(reader, &sentence, err)) == READ_SENTENCE) {
        ok = sentence.N == 0 || sentence_cells(&sentence, 0) >= 2 ||
             fail(err, VOUCH_ERR_FORMAT, "%s:%llu: expected gold and guess in the last two columns",
                  reader_path(reader), (unsigned long long)sentence.number);
        ok = ok && RESERVE(e->gold, e->gold_capacity, (size_t)sentence.N + 1, err);
        for (uint32_t i = 0; ok && i < sentence.N; i++)
            e->gold[i] = sentence.cell[sentence.first[i + 1] - 2];
        if (!ok || sentence.boundary)
            continue;
        scheme_see(&watch, e->gold, sentence.N);
        ok = tag_score_add(&chunks, e->gold, sentence.gold, sentence.N, err) &&
             tag_score_add(&labels, e->gold, sentence.gold, sentence.N, err);
    }
    bool plain = scheme_decide(&watch) == SCHEME_NONE;
    e->score = plain ? labels : chunks;
    tag_score_release(plain ? &chunks : &labels);
    sentence_release(&sentence);
    reader_close(reader);
    return ok && state == READ_END;
}

static json_t *rates_as_json(struct tag_counts counts)
{
    struct tag_rates rates = tag_rates(counts);
    return json_pack("{s:f, s:f, s:f, s:I, s:I, s:I}", "precision", rates.precision, "recall", rates.recall, "f1",
                     rates.f1, "gold", (json_int_t)counts.gold, "guessed", (json_int_t)counts.guessed, "correct",
                     (json_int_t)counts.correct);
}

static void print_json(json_t *result)
{
    char *text = json_dumps(result, JSON_INDENT(2) | JSON_REAL_PRECISION(6));
    puts(text ? text : "{}");
    free(text);
    json_decref(result);
}

static json_t *score_as_json(const struct tag_score *score)
{
    json_t *rows = json_object();
    for (size_t i = 0; i < score->rows; i++)
        json_object_setn_new(rows, score->row[i].name, score->row[i].length, rates_as_json(score->row[i].counts));
    return json_pack("{s:s, s:I, s:I, s:f, s:f, s:o, s:o}", "unit", score->unit == TAG_CHUNKS ? "chunk" : "word",
                     "words", (json_int_t)score->words, "sentences", (json_int_t)score->sentences, "accuracy",
                     tag_percent(score->right_words, score->words), "sentence_accuracy",
                     tag_percent(score->right_sentences, score->sentences), "all", rates_as_json(score->all),
                     score->unit == TAG_CHUNKS ? "types" : "labels", rows);
}

static bool print_score(const struct settings *settings, const struct tag_score *score, struct vouch_error *err)
{
    char *text = NULL;
    size_t capacity = 0;
    bool ok = tag_score_report(score, &text, &capacity, err);
    if (ok)
        fputs(text, stdout);
    free(text);
    if (ok && !settings->quiet) {
        fflush(stdout);
        fprintf(stderr, "sentences all right: %llu of %llu (%.2f%%)\n", (unsigned long long)score->right_sentences,
                (unsigned long long)score->sentences, tag_percent(score->right_sentences, score->sentences));
    }
    return ok;
}

static void print_evaluation_json(const struct evaluation *e)
{
    json_t *result = e->parses ? tree_report_json(&e->trees, e->labelled) : score_as_json(&e->score);
    if (e->judged)
        json_object_set_new(result, "confidence", confidence_report_json(&e->credibility));
    print_json(result);
}

/* The usual report, then what the confidence is worth: briefly, unless methods are named. */
static bool print_evaluation(const struct evaluation *e, const struct settings *settings, struct vouch_error *err)
{
    if (e->parses)
        tree_report_print(&e->trees, e->labelled, settings->verbose);
    else if (!print_score(settings, &e->score, err))
        return false;
    if (e->judged && settings->confidence)
        confidence_report_print(&e->credibility);
    else if (e->judged)
        confidence_report_brief(&e->credibility);
    return true;
}

static void release(struct evaluation *e)
{
    tag_score_release(&e->score);
    tree_score_release(&e->trees);
    credibility_release(&e->credibility);
    eval_words_release(&e->words);
    free(e->gold);
    free(e->punctuation);
}

static bool write_page(const struct evaluation *e, const struct command *command, const struct settings *settings,
                       struct vouch_error *err)
{
    char *line = options_provenance(command, settings);
    const struct eval_page page = {.model = settings->model,
                                   .command = line ? line : "",
                                   .file = settings->argument,
                                   .files = settings->arguments,
                                   .score = e->parses ? NULL : &e->score,
                                   .trees = e->parses ? &e->trees : NULL,
                                   .relations = e->labelled,
                                   .credibility = &e->credibility,
                                   .words = &e->words};
    bool ok = eval_report_write(&page, settings->report, err);
    if (ok && !settings->quiet)
        fprintf(stderr, "%s: open it in a browser\n", settings->report);
    free(line);
    return ok;
}

static int evaluate(const struct command *command, struct settings *settings)
{
    struct vouch_error err = {0};
    struct evaluation e = {0};
    struct reader_options reading;
    int status = reading_prepare(&reading, command, settings);
    if (status != EXIT_DONE)
        return status;
    bool ok = (!settings->report || saving_possible(settings->report, settings, &err)) &&
              (!settings->csv || saving_folder_possible(settings->csv, &err));
    ok = ok && (settings->model ? evaluate_model(&e, settings, &reading, &err) : evaluate_columns(&e, settings, &err));
    if (ok && e.score.words + e.trees.all.words == 0)
        ok = fail(&err, VOUCH_ERR_FORMAT, "%s: expected sentences, found none",
                  settings->arguments ? settings->argument[0] : "standard input");
    ok = ok && (!settings->csv || confidence_report_csv(&e.credibility, settings->csv, &err));
    ok = ok && (!settings->report || write_page(&e, command, settings, &err));
    if (ok && settings->json)
        print_evaluation_json(&e);
    else
        ok = ok && print_evaluation(&e, settings, &err);
    release(&e);
    return ok ? EXIT_DONE : failed(command, &err);
}

/* Cross-validation. */

struct folding {
    const struct settings *settings;
    struct learning learning;
    struct learned_corpus corpus;
    struct tuned tuned[MAX_TRIALS]; /* with --tune */
    struct layer_score *result;     /* [trials][folds] */
    struct layer_score *after;      /* [trials][folds][passes], with --json */
    double *figure;                 /* [trials][folds] */
    struct progress progress;
};

static void tell_fold(void *context, uint32_t done, uint32_t of)
{
    struct folding *f = context;
    progress_draw(&f->progress, "folds", done, of, "");
}

static void tell_tuning(void *context, uint32_t done, uint32_t of)
{
    struct folding *f = context;
    progress_draw(&f->progress, "tuning", done, of, "");
}

/* The parameter of every algorithm, chosen once for all folds. */
static bool tune_all(struct folding *f, const struct trial_plan *plan, struct vouch_error *err)
{
    struct trial_plan tuning = *plan;
    tuning.tell = tell_tuning;
    for (uint32_t t = 0; t < f->learning.trials; t++) {
        if (!learning_tune(&f->learning.trial[t], &tuning, &f->tuned[t], err))
            return false;
        progress_clear(&f->progress);
        tuned_say(&f->tuned[t], &f->learning.trial[t], f->settings);
    }
    return true;
}

static void print_folds(const struct folding *f, uint32_t folds)
{
    bool chunks = f->result[0].chunks;
    printf("%-12s %9s %9s %9s  %s\n", "algorithm", chunks ? "F1" : "accuracy", "deviation", "folds", "each fold");
    for (uint32_t t = 0; t < f->learning.trials; t++) {
        const double *x = f->figure + (size_t)t * folds;
        printf("%-12s %9.2f %9.2f %9u ", f->learning.trial[t].learner->name, sample_mean(x, folds),
               sample_deviation(x, folds), folds);
        for (uint32_t i = 0; i < folds; i++)
            printf(" %.2f", x[i]);
        putchar('\n');
    }
    if (f->learning.trials < 2)
        return;
    printf("\n%-24s %10s %8s %10s\n", "paired t-test", "difference", "t", "p");
    for (uint32_t a = 0; a < f->learning.trials; a++)
        for (uint32_t b = a + 1; b < f->learning.trials; b++) {
            struct t_test test;
            char pair[64];
            snprintf(pair, sizeof pair, "%s - %s", f->learning.trial[a].learner->name,
                     f->learning.trial[b].learner->name);
            if (paired_t_test(f->figure + (size_t)a * folds, f->figure + (size_t)b * folds, folds, &test))
                printf("%-24s %10.2f %8.2f %10.6f%s%s\n", pair, test.difference, test.t, test.p,
                       *stars_of(test.p) ? " " : "", stars_of(test.p));
        }
}

/* The figures after every pass, in the mean over folds, and the score of each fold. */
static json_t *passes_as_json(const struct folding *f, uint32_t trial, uint32_t folds)
{
    size_t passes = (size_t)f->settings->passes;
    const struct layer_score *after = f->after + trial * folds * passes; /* [folds][passes] */
    json_t *each = json_array();
    for (size_t p = 0; p < passes; p++) {
        struct layer_score mean = {.chunks = after[p].chunks};
        for (uint32_t i = 0; i < folds; i++) {
            const struct layer_score *one = &after[i * passes + p];
            mean.precision += one->precision / folds;
            mean.recall += one->recall / folds;
            mean.f1 += one->f1 / folds;
            mean.accuracy += one->accuracy / folds;
        }
        json_t *pass = layer_score_json(&mean), *scores = json_array();
        for (uint32_t i = 0; i < folds; i++)
            json_array_append_new(scores, json_real(after[i * passes + p].figure));
        json_object_set_new(pass, "scores", scores);
        json_array_append_new(each, pass);
    }
    return each;
}

static json_t *algorithm_as_json(const struct folding *f, uint32_t trial, uint32_t folds)
{
    const double *x = f->figure + (size_t)trial * folds;
    json_t *each = json_array();
    for (uint32_t i = 0; i < folds; i++) {
        const struct layer_score *r = &f->result[(size_t)trial * folds + i];
        json_array_append_new(
            each, json_pack("{s:f, s:f, s:f}", "score", r->figure, "precision", r->precision, "recall", r->recall));
    }
    json_t *object = json_pack("{s:s, s:f, s:f, s:o, s:o}", "algorithm", f->learning.trial[trial].learner->name, "mean",
                               sample_mean(x, folds), "deviation", sample_deviation(x, folds), "folds", each, "passes",
                               passes_as_json(f, trial, folds));
    if (f->tuned[trial].name)
        json_object_set_new(object, "tuned", tuned_json(&f->tuned[trial]));
    return object;
}

static json_t *folds_as_json(const struct folding *f, uint32_t folds)
{
    json_t *algorithms = json_array(), *tests = json_array();
    for (uint32_t t = 0; t < f->learning.trials; t++) {
        const double *x = f->figure + (size_t)t * folds;
        json_array_append_new(algorithms, algorithm_as_json(f, t, folds));
        for (uint32_t b = t + 1; b < f->learning.trials; b++) {
            struct t_test test;
            if (paired_t_test(x, f->figure + (size_t)b * folds, folds, &test))
                json_array_append_new(
                    tests, json_pack("{s:s, s:s, s:f, s:o, s:f}", "first", f->learning.trial[t].learner->name, "second",
                                     f->learning.trial[b].learner->name, "difference", test.difference, "t",
                                     isfinite(test.t) ? json_real(test.t) : json_null(), "p", test.p));
        }
    }
    return json_pack("{s:s, s:o, s:o}", "score", f->result[0].chunks ? "f1" : "accuracy", "algorithms", algorithms,
                     "t_tests", tests);
}

static int run_folds(struct folding *f, const struct command *command)
{
    const struct settings *s = f->settings;
    struct vouch_error err = {0};
    uint32_t folds = (uint32_t)s->folds, runs = f->learning.trials * folds;
    if (!learning_read(&f->learning, s, NULL, NULL, &f->corpus, &err))
        return failed(command, &err);
    f->result = new_array(runs, sizeof *f->result, &err);
    f->figure = new_array(runs, sizeof *f->figure, &err);
    if (s->json)
        f->after = new_array((size_t)runs * (size_t)s->passes, sizeof *f->after, &err);
    struct trial_plan plan = {.subject = &f->corpus.subject,
                              .trial = f->learning.trial,
                              .trials = f->learning.trials,
                              .passes = (uint32_t)s->passes,
                              .seed = (uint64_t)s->seed,
                              .threads = (uint32_t)s->threads,
                              .tell = tell_fold,
                              .context = f,
                              .stop = interrupt_seen};
    progress_start(&f->progress, s);
    interrupt_catch();
    if (!f->result || !f->figure || (s->json && !f->after) || (s->tune && !tune_all(f, &plan, &err)) ||
        !cross_validate(&plan, folds, f->result, f->after, &err))
        return failed(command, &err);
    progress_clear(&f->progress);
    for (uint32_t i = 0; i < runs; i++)
        f->figure[i] = f->result[i].figure;
    if (s->json)
        print_json(folds_as_json(f, folds));
    else
        print_folds(f, folds);
    return EXIT_DONE;
}

static int eval(const struct command *command, struct settings *settings)
{
    if (!settings->folds && !settings->model && settings->arguments > 1)
        return misuse(command, "expected -m MODEL, or one labelled file, found %zu", settings->arguments);
    bool columns = strcmp(settings->format, "auto") == 0 || strcmp(settings->format, "conll") == 0;
    if (!settings->folds && !settings->model && (settings->gold || !columns))
        return misuse(command, "a labelled file has gold and guess in its last two columns: expected no --gold, and no "
                               "--format but conll");
    if (!settings->model && (settings->confidence || settings->raw || settings->csv || settings->report))
        return misuse(command,
                      "--confidence, --raw, --csv and --report are about a model's answers: expected -m MODEL");
    if (!settings->folds)
        return evaluate(command, settings);
    if (settings->model)
        return misuse(command, "expected -m or --folds, not both");
    struct folding f = {.settings = settings};
    if (settings->arguments == 0)
        return misuse(command, "expected the files to cross-validate");
    int status = learning_prepare(&f.learning, command, settings, ',', MAX_TRIALS);
    if (status == EXIT_DONE)
        status = run_folds(&f, command);
    learned_corpus_release(&f.corpus);
    learning_release(&f.learning);
    free(f.result);
    free(f.after);
    free(f.figure);
    return status;
}

const struct command eval_command = {
    .name = "eval",
    .arguments = "-m MODEL TEST... | LABELLED | --folds N --task TASK FILE...",
    .summary = "measure a model, a labelled file, or algorithms by cross-validation",
    .about = "With a model: labels TEST and prints precision, recall and F1 as conlleval does, and then, of a model "
             "that was calibrated or of the methods in --confidence, how well confidence finds the errors and how far "
             "it is a probability. Without: reads gold and guess from the last two columns, as conlleval does. With "
             "--folds: learns on all parts but one and measures on that one, for every part and every algorithm (-a "
             "cw,pa,perceptron), and compares them by paired t-tests.",
    .example = "  vouch eval -m ner.vouch testb.txt\n"
               "  vouch eval -m ner.vouch --confidence all --csv curves testb.txt\n"
               "  vouch eval -m ner.vouch --report ner.html testb.txt\n"
               "  vouch eval --folds 10 --task ner -a cw,pa,perceptron train.txt testb.txt\n",
    .option = options,
    .run = eval,
};
