/*
 * Learns by the structured perceptron (Collins 2002):
 *
 *     mean += phi(x, gold) - phi(x, best)      whenever best is not gold
 *
 * The learned voice is the mean over all steps. Time: the blocks of the difference.
 */
#include "learn/learn.h"
#include "learn/step.h"

static bool update(const struct learner_options *options, struct voice *voice, const struct diff *diff,
                   const double *loss, struct scratch *work, struct vouch_error *err)
{
    (void)options, (void)loss, (void)work, (void)err;
    step_along(voice, diff, 0, 1);
    return true;
}

const struct learner perceptron = {
    .name = "perceptron",
    .need = NEED_CHOICES,
    .update = update,
};
