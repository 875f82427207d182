/*
 * Held-out runs: see experiment.h.
 *
 * The corpus is encoded once, for all runs. Features that occur in the
 * held-out part alone have weight zero, so the answers are the same as if they
 * had never been numbered. Runs are independent and go in parallel.
 */
#include "apply/experiment.h"

#include "base/parallel.h"
#include "base/random.h"

/* Streams of random numbers, apart from those of the training loop. */
enum { STREAM_SPLIT = 1 << 20 };

struct runs {
    const struct trial_plan *plan;
    struct layer_score *result; /* [trials][folds] */
    uint32_t *order;            /* [sentences] shuffled */
    uint32_t folds;             /* parts to go through */
    uint32_t parts;             /* parts that the corpus is cut into */
    struct tally_keeper *tally;
};

static bool carry_on(void *context, const struct training *training)
{
    const struct runs *runs = context;
    (void)training;
    return !runs->plan->stop || !runs->plan->stop();
}

/* Learns on all parts but `part`, measures on that one. `split` [sentences] receives the two lists. */
static bool run_split(struct runs *runs, uint32_t trial, uint32_t part, uint32_t *split, struct layer_score *result,
                      struct vouch_error *err)
{
    const struct trial_plan *plan = runs->plan;
    const struct subject *subject = plan->subject;
    const struct examples *examples = &subject->layer[plan->layer].examples;
    uint32_t count = examples->count, from = (uint32_t)((uint64_t)count * part / runs->parts);
    uint32_t to = (uint32_t)((uint64_t)count * (part + 1) / runs->parts), held = to - from;
    for (uint32_t i = 0, in = 0; i < count; i++)
        if (i < from || i >= to)
            split[in++] = runs->order[i];
    struct training_options options = {.learner = plan->trial[trial].learner,
                                       .parameters = plan->trial[trial].parameters,
                                       .passes = plan->passes,
                                       .seed = plan->seed,
                                       .tell = carry_on,
                                       .context = runs};
    struct voice voice;
    bool stopped;
    if (!train_voice(examples, split, count - held, &options, &voice, &stopped, err))
        return false;
    float *weights = new_array(voice.size + SLACK, sizeof *weights, err);
    bool ok = weights && (!stopped || fail(err, VOUCH_ERR_STOPPED, "interrupted before anything was learned"));
    if (ok) {
        voice_average(&voice, weights);
        ok = subject->measure(subject->self, plan->layer, runs->order + from, held, weights, result, err);
    }
    free(weights);
    voice_release(&voice);
    return ok;
}

static bool run_job(void *context, uint32_t job, uint32_t thread, struct vouch_error *err)
{
    (void)thread;
    struct runs *runs = context;
    uint32_t *split = new_array(runs->plan->subject->layer[runs->plan->layer].examples.count, sizeof *split, err);
    bool ok = split && run_split(runs, job / runs->folds, job % runs->folds, split, &runs->result[job], err);
    free(split);
    if (ok)
        tally_step(runs->tally);
    return ok;
}

static bool run_all(const struct trial_plan *plan, uint32_t folds, uint32_t parts, struct layer_score *result,
                    struct vouch_error *err)
{
    uint32_t count = plan->subject->layer[plan->layer].examples.count;
    if (count < parts)
        return fail(err, VOUCH_ERR_ARGUMENT, "expected at least %u sentences to hold some out, found %u", parts, count);
    struct runs runs = {.plan = plan, .result = result, .folds = folds, .parts = parts};
    runs.order = new_array(count, sizeof *runs.order, err);
    runs.tally = tally_open((struct tally){plan->tell, plan->context, plan->trials * folds}, err);
    bool ok = runs.order && runs.tally;
    for (uint32_t i = 0; ok && i < count; i++)
        runs.order[i] = i;
    struct rng rng = rng_new(plan->seed, STREAM_SPLIT);
    if (ok)
        rng_shuffle(&rng, runs.order, count);
    ok = ok && parallel_run(plan->threads, plan->trials * folds, run_job, &runs, err);
    tally_close(runs.tally);
    free(runs.order);
    return ok;
}

bool hold_out(const struct trial_plan *plan, struct layer_score *result, struct vouch_error *err)
{
    return run_all(plan, 1, 4, result, err);
}

bool cross_validate(const struct trial_plan *plan, uint32_t folds, struct layer_score *result, struct vouch_error *err)
{
    return run_all(plan, folds, folds, result, err);
}
