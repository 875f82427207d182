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
    (void)options, (void)loss;
    if (!scratch_reserve(work, sizeof(struct entry) * (diff_size(diff) + 1), err))
        return false;
    struct entry *entry = (struct entry *)(void *)work->bytes;
    step_along(voice, entry, diff_entries(diff, 0, entry), 1);
    return true;
}

const struct learner perceptron = {
    .name = "perceptron",
    .need = NEED_CHOICES,
    .update = update,
};
