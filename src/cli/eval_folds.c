/* Runs vouch eval --folds: cross-validation of algorithms, and paired t-tests between them. */
#include "cli/eval_output.h"
#include "cli/teller.h"

#include "measure/significance.h"
#include "report/table.h"
#include "eval/algorithm_folds.h"

#include <stdio.h>

static void print_folds(const struct algorithm_folds *f)
{
    uint32_t folds = f->folds;
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

static bool run(struct algorithm_folds *f, const struct settings *settings, struct teller *teller,
                struct vouch_error *err)
{
    struct vouch_watch watch = teller_watch(teller, settings);
    bool ok = algorithm_folds_read(f, settings, &watch, err);
    if (ok)
        interrupt_catch(); /* a Ctrl-C before this needs no handling */
    ok = ok && algorithm_folds_run(f, settings, settings->json, &watch, err);
    progress_clear(&teller->progress);
    return ok;
}

int eval_folds(const struct command *command, const struct settings *settings)
{
    struct algorithm_folds folds;
    struct teller teller = {0};
    struct vouch_error err = {0};
    int status = EXIT_DONE;
    if (!algorithm_folds_prepare(&folds, settings, &err))
        status = misused(command, &err);
    else if (!run(&folds, settings, &teller, &err))
        status = failed(command, &err);
    else if (settings->json)
        print_json(algorithm_folds_json(&folds));
    else
        print_folds(&folds);
    algorithm_folds_release(&folds);
    return status;
}
