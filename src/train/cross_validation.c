/*
 * Runs trials on held-out parts: see cross_validation.h.
 *
 * The corpus is encoded once, for all runs. Features that occur in the held-out
 * part alone have weight zero, so the answers are the same as if they had never
 * been numbered. Runs are independent and run in parallel, and on ranks.
 */
#include "train/cross_validation.h"

#include "base/parallel.h"
#include "base/random.h"

/* This stream of random numbers is apart from those of the training loop. */
enum { STREAM_SPLIT = 1 << 20 };

struct runs {
    const struct trial_plan *plan;
    struct layer_score *result; /* [trials][folds] */
    struct layer_score *after;  /* [trials][folds][passes], or NULL */
    uint32_t *order;            /* [sentences] shuffled */
    uint32_t folds;             /* parts to go through */
    uint32_t parts;             /* parts that the corpus is cut into */
    uint32_t of_shards;         /* threads that shards are learned on */
    struct tally_keeper *tally;
};

/* One trial on one part. */
struct split {
    const struct runs *runs;
    struct subset held;        /* the sentences to measure on */
    float *weights;            /* room for averaged weights */
    struct layer_score *after; /* [passes], or NULL */
    struct vouch_error *err;
    bool failed;
};

static bool measure(struct split *split, const struct voice *voice, struct layer_score *score)
{
    const struct trial_plan *plan = split->runs->plan;
    const struct dataset *dataset = plan->dataset;
    voice_average(voice, split->weights);
    struct test_set held = {.layer = plan->layer, .subset = split->held};
    return dataset->measure(dataset->self, &held, split->weights, score, split->err);
}

/* Checks whether to stop, and measures after a pass if that is wanted. */
static bool watch_training(void *context, const struct training *now)
{
    struct split *split = context;
    const struct trial_plan *plan = split->runs->plan;
    if (split->after && now->seen == now->examples)
        split->failed = !measure(split, now->voice, &split->after[now->pass - 1]);
    return !split->failed && (!plan->stop || !plan->stop(plan->context));
}

/* Learns from `lesson`, and measures on the rest. */
static bool run_split(struct split *split, const struct trial *trial, struct subset lesson, struct layer_score *result)
{
    const struct trial_plan *plan = split->runs->plan;
    const struct examples *examples = &plan->dataset->layer[plan->layer].examples;
    struct training_options options = {.learner = trial->learner,
                                       .parameters = trial->parameters,
                                       .passes = plan->passes,
                                       .shards = plan->shards,
                                       .threads = split->runs->of_shards,
                                       .seed = plan->seed,
                                       .tell = watch_training,
                                       .context = split};
    struct voice voice;
    bool stopped;
    split->weights = new_array(space_size(&examples->space) + SLACK, sizeof *split->weights, split->err);
    if (!split->weights || !train_voice(examples, lesson, &options, &voice, &stopped, split->err))
        return false;
    bool ok =
        !split->failed && (!stopped || fail(split->err, VOUCH_ERR_STOPPED, "interrupted before anything was learned"));
    if (ok && split->after)
        *result = split->after[plan->passes - 1];
    else
        ok = ok && measure(split, &voice, result);
    voice_release(&voice);
    return ok;
}

/* Runs one trial with one part held out. */
static bool run_job(void *context, uint32_t job, uint32_t thread, struct vouch_error *err)
{
    (void)thread;
    struct runs *runs = context;
    const struct trial_plan *plan = runs->plan;
    if (!ranks_do(plan->ranks, job))
        return true;
    uint32_t count = plan->dataset->layer[plan->layer].examples.count, part = job % runs->folds;
    uint32_t from = (uint32_t)((uint64_t)count * part / runs->parts);
    uint32_t to = (uint32_t)((uint64_t)count * (part + 1) / runs->parts);
    struct split split = {.runs = runs,
                          .held = {runs->order + from, to - from},
                          .after = runs->after ? runs->after + (size_t)job * plan->passes : NULL,
                          .err = err};
    uint32_t *lesson = new_array(count, sizeof *lesson, err);
    for (uint32_t i = 0, in = 0; lesson && i < count; i++)
        if (i < from || i >= to)
            lesson[in++] = runs->order[i];
    bool ok = lesson && run_split(&split, &plan->trial[job / runs->folds], (struct subset){lesson, count - (to - from)},
                                  &runs->result[job]);
    free(lesson);
    free(split.weights);
    if (ok)
        tally_step(runs->tally);
    return ok;
}

static bool run_all(const struct trial_plan *plan, uint32_t folds, uint32_t parts, struct layer_score *result,
                    struct layer_score *after, struct vouch_error *err)
{
    uint32_t count = plan->dataset->layer[plan->layer].examples.count;
    if (count < parts)
        return fail(err, VOUCH_ERR_ARGUMENT, "expected at least %u sentences to hold some out, found %u", parts, count);
    struct runs runs = {.plan = plan, .result = result, .after = after, .folds = folds, .parts = parts};
    runs.order = new_array(count, sizeof *runs.order, err);
    uint32_t jobs = plan->trials * folds;
    runs.tally = tally_open((struct tally){plan->tell, plan->context, ranks_share(plan->ranks, jobs)}, err);
    bool ok = runs.order && runs.tally;
    for (uint32_t i = 0; ok && i < count; i++)
        runs.order[i] = i;
    struct rng rng = rng_new(plan->seed, STREAM_SPLIT);
    if (ok)
        rng_shuffle(&rng, runs.order, count);
    /* Ranks that have the examples between them learn together, and so one trial after the other. */
    bool together = plan->dataset->layer[plan->layer].examples.own.ranks != NULL;
    runs.of_shards = together ? plan->threads : 1;
    ok = ok && parallel_run(together ? 1 : plan->threads, jobs, run_job, &runs, err) &&
         ranks_exchange(plan->ranks, result, jobs, sizeof *result, err) &&
         (!after || ranks_exchange(plan->ranks, after, jobs, plan->passes * sizeof *after, err));
    tally_close(runs.tally);
    free(runs.order);
    return ok;
}

bool hold_out(const struct trial_plan *plan, struct layer_score *result, struct vouch_error *err)
{
    return run_all(plan, 1, 4, result, NULL, err);
}

bool cross_validate(const struct trial_plan *plan, uint32_t folds, struct layer_score *result,
                    struct layer_score *after, struct vouch_error *err)
{
    return run_all(plan, folds, folds, result, after, err);
}
