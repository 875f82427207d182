/*
 * Learns the models of all parts, and goes through their sentences in blocks: see cross_fitting.h. A block is of one
 * part, and every sentence is taken by itself, so that results do not depend on threads.
 */
#include "train/cross_fitting.h"

#include "base/parallel.h"

enum { BLOCK = 64 };

bool cross_fitting_fits(const struct dataset *dataset)
{
    return dataset->layer[0].examples.count >= FITTING_PARTS * HELD_OUT_LEAST;
}

bool cross_fit(struct held_out *held, const struct learning *learning, const char *what, struct side_jobs jobs,
               struct vouch_error *err)
{
    uint32_t passes = shared_passes(learning->passes);
    struct held_out_plan plan = {.learning = learning,
                                 .parts = FITTING_PARTS,
                                 .held = FITTING_PARTS,
                                 .passes = passes,
                                 .further = passes,
                                 .what = what,
                                 .side_jobs = jobs};
    return held_out_learn(held, &plan, err);
}

struct answering_parts {
    const struct held_out *held;
    const struct held_part *part; /* the one at work */
    const struct answer_taker *taker;
};

static bool take_block(void *context, uint32_t job, uint32_t thread, struct vouch_error *err)
{
    const struct answering_parts *all = context;
    const struct held_part *part = all->part;
    const struct examples *examples = dataset_examples(all->held->dataset, 0, all->held->dev);
    for (uint32_t k = job * BLOCK; k < part->count && k < (job + 1) * BLOCK; k++)
        if (sentence_is_own(&examples->own, part->sentence[k]) &&
            !all->taker->take(all->taker->context, thread, part->sentence[k], part->layer, err))
            return false;
    return true;
}

bool cross_fit_answers(const struct held_out *held, uint32_t threads, const struct answer_taker *taker,
                       struct vouch_error *err)
{
    struct answering_parts all = {.held = held, .taker = taker};
    bool ok = true;
    for (uint32_t p = 0; ok && p < held->parts; p++) {
        all.part = &held->part[p];
        ok = parallel_run(threads, (all.part->count + BLOCK - 1) / BLOCK, take_block, &all, err);
    }
    return ok;
}
