/* Calibrates the numbers of answers in files: see tuning.h and eval/file_comparison.h. */
#include "tune/tuning.h"

#include "eval/file_comparison.h"

/* Returns the options by which such a file is measured. */
static struct eval_options as_measured(const struct tune_options *s)
{
    return (struct eval_options){.common = s->common,
                                 .reading = s->reading,
                                 .answers = s->answers,
                                 .columns = s->columns,
                                 .rows = s->rows,
                                 .log = s->log};
}

bool answers_tunable(const struct tune_options *s, struct vouch_error *err)
{
    const struct eval_options options = as_measured(s);
    struct file_comparison c = {.e = {.options = &options}};
    return file_comparison_prepare(&c, err);
}

static bool fit_words(struct file_comparison *c, struct answer_calibration *found, struct vouch_error *err)
{
    found->log = c->answers->options.log;
    return file_comparison_run(c, err) &&
           (c->methods == 1 || fail(err, VOUCH_ERR_FORMAT, "%s: expected one number a word to calibrate, found %u",
                                    c->answers->path, c->methods)) &&
           answer_calibration_fit(found, &c->e.confidence_eval, (uint64_t)c->e.options->common.work.seed, err);
}

bool answers_tune(const struct tune_options *s, struct answer_calibration *found, struct vouch_error *err)
{
    const struct eval_options options = as_measured(s);
    struct file_comparison c = {.e = {.options = &options}};
    bool ok = file_comparison_prepare(&c, err) && file_comparison_open(&c, err);
    if (ok && c.answers->spans)
        ok = file_comparison_run(&c, err) && answer_calibration_fit_spans(found, c.answers, &s->common.work, err);
    else
        ok = ok && fit_words(&c, found, err);
    file_comparison_release(&c);
    return ok;
}
