/* vouch eval --folds: how good are algorithms? Cross-validation, and paired t-tests between them. */
#include "cli/eval_output.h"
#include "cli/learning.h"

#include "measure/significance.h"
#include "report/table.h"
#include "train/cross_validation.h"

#include <math.h>
#include <stdio.h>

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
    struct trial_plan plan = {.dataset = &f->corpus.dataset,
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

int eval_folds(const struct command *command, const struct settings *settings)
{
    struct folding f = {.settings = settings};
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
