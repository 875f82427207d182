/*
 * Cross-validates algorithms: see algorithm_folds.h.
 *
 * The parameter of an algorithm is tuned once for all folds, not in each of them: the search costs a training for every
 * value tried, and flatters all algorithms alike. Folds and algorithms are runs of one cross-validation
 * (train/cross_validation.h), which are learned in parallel.
 */
#include "eval/algorithm_folds.h"

#include "base/memory.h"
#include "measure/intervals.h"
#include "model/records.h"

#include <math.h>

bool algorithm_folds_prepare(struct algorithm_folds *f, const struct eval_options *settings, struct vouch_error *err)
{
    *f = (struct algorithm_folds){.folds = settings->folds};
    if (settings->folds == 0)
        return fail(err, VOUCH_ERR_ARGUMENT, "expected --folds N, in how many parts to cross-validate");
    if (settings->confidence.methods || settings->confidence.raw || settings->csv || settings->report)
        return fail(err, VOUCH_ERR_ARGUMENT,
                    "--confidence, --raw, --csv and --report are for measuring answers, not for --folds");
    if (settings->common.arguments == 0)
        return fail(err, VOUCH_ERR_ARGUMENT, "expected the files to cross-validate");
    return learning_prepare(&f->learning, &settings->learner, &settings->reading, &settings->common.work, ',', err);
}

bool algorithm_folds_read(struct algorithm_folds *f, const struct eval_options *settings,
                          const struct vouch_watch *watch, struct vouch_error *err)
{
    return corpus_read(&f->corpus, &f->learning.corpus, settings->common.argument, settings->common.arguments, watch,
                       err);
}

bool algorithm_folds_run(struct algorithm_folds *f, bool passes, const struct vouch_watch *watch,
                         struct vouch_error *err)
{
    uint32_t runs = f->learning.voices * f->folds;
    f->result = new_array(runs, sizeof *f->result, err);
    f->figure = new_array(runs, sizeof *f->figure, err);
    if (passes)
        f->after = new_array((size_t)runs * f->learning.passes, sizeof *f->after, err);
    f->learning.dataset = &f->corpus.dataset;
    f->learning.work.watch = watch;
    bool ok = f->result && f->figure && (!passes || f->after);
    for (uint32_t t = 0; ok && f->learning.tune && t < f->learning.voices; t++) /* once for all folds */
        ok = parameter_search(&f->learning.trial[0][t], &f->learning, 0, &f->tuned[t], err);
    if (!ok || !cross_validate(&f->learning, f->folds, f->result, f->after, err))
        return false;
    for (uint32_t i = 0; i < runs; i++)
        f->figure[i] = f->result[i].figure;
    return true;
}

void algorithm_folds_release(struct algorithm_folds *f)
{
    corpus_release(&f->corpus);
    learning_release(&f->learning);
    free(f->result);
    free(f->after);
    free(f->figure);
    *f = (struct algorithm_folds){0};
}

/* Returns the figures after every pass, in the mean over folds, and the score of each fold. */
static json_t *passes_json(const struct algorithm_folds *f, uint32_t trial)
{
    uint32_t folds = f->folds;
    size_t passes = f->learning.passes;
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

static json_t *algorithm_json(const struct algorithm_folds *f, uint32_t trial)
{
    const double *x = f->figure + (size_t)trial * f->folds;
    json_t *each = json_array();
    for (uint32_t i = 0; i < f->folds; i++) {
        const struct layer_score *r = &f->result[(size_t)trial * f->folds + i];
        json_array_append_new(
            each, json_pack("{s:f, s:f, s:f}", "score", r->figure, "precision", r->precision, "recall", r->recall));
    }
    json_t *object = json_pack("{s:s, s:f, s:f, s:o}", "algorithm", f->learning.trial[0][trial].learner->name, "mean",
                               sample_mean(x, f->folds), "deviation", sample_deviation(x, f->folds), "folds", each);
    if (f->after)
        json_object_set_new(object, "passes", passes_json(f, trial));
    if (f->tuned[trial].name)
        json_object_set_new(object, "tuned", tuned_json(&f->tuned[trial]));
    return object;
}

json_t *algorithm_folds_json(const struct algorithm_folds *f)
{
    json_t *algorithms = json_array(), *tests = json_array();
    for (uint32_t t = 0; t < f->learning.voices; t++) {
        const double *x = f->figure + (size_t)t * f->folds;
        json_array_append_new(algorithms, algorithm_json(f, t));
        for (uint32_t b = t + 1; b < f->learning.voices; b++) {
            struct t_test test;
            if (paired_t_test(x, f->figure + (size_t)b * f->folds, f->folds, &test))
                json_array_append_new(tests, json_pack("{s:s, s:s, s:f, s:o, s:f}", "first",
                                                       f->learning.trial[0][t].learner->name, "second",
                                                       f->learning.trial[0][b].learner->name, "difference",
                                                       test.difference, "t", figure_json(test.t), "p", test.p));
        }
    }
    return json_pack("{s:s, s:o, s:o}", "score", f->result[0].chunks ? "f1" : "accuracy", "algorithms", algorithms,
                     "t_tests", tests);
}
