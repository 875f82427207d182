/*
 * Runs trials on held-out parts: see cross_validation.h.
 *
 * The corpus is encoded once, for all runs. Features that occur in the held-out part alone have weight zero, so the
 * answers are the same as if they had never been numbered. Runs are independent and run in parallel, and on ranks.
 * Ranks that have the sentences between them learn together, and so one run after the other, each on all threads.
 */
#include "train/cross_validation.h"

#include "base/parallel.h"
#include "base/random.h"
#include "model/records.h"

#include <stdio.h>

/* This stream of random numbers is apart from those of the training loop. */
enum { STREAM_SPLIT = 1 << 20 };

struct runs {
    const struct learning *learning;
    uint32_t layer;
    const struct trial *trial;  /* [trials] */
    struct layer_score *result; /* [trials][folds] */
    struct layer_score *after;  /* [trials][folds][passes], or NULL */
    uint32_t *order;            /* [sentences] shuffled */
    uint32_t folds;             /* parts to go through */
    uint32_t parts;             /* parts that the corpus is cut into */
    struct shared_tally *tally;
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
    const struct dataset *dataset = split->runs->learning->dataset;
    struct test_set held = {.layer = split->runs->layer, .subset = split->held};
    voice_average(voice, split->weights);
    return dataset->measure(dataset->self, &held, split->weights, score, split->err);
}

/* Checks whether to stop, and measures after a pass if that is wanted. */
static bool watch_training(void *context, const struct training *now)
{
    struct split *split = context;
    if (split->after && now->seen == now->examples)
        split->failed = !measure(split, now->voice, &split->after[now->pass - 1]);
    return !split->failed && !watch_stops(split->runs->learning->work.watch);
}

/* Learns from `subset`, and measures on the rest. */
static bool run_split(struct split *split, const struct trial *trial, struct subset subset, struct layer_score *result)
{
    const struct learning *learning = split->runs->learning;
    const struct examples *examples = &learning->dataset->layer[split->runs->layer].examples;
    struct training_options options = learning_options(learning, trial, learning->passes, true);
    struct voice voice;
    bool stopped;
    options.tell = watch_training;
    options.context = split;
    split->weights = new_array(space_size(&examples->space) + SLACK, sizeof *split->weights, split->err);
    if (!split->weights || !train_voice(examples, subset, &options, &voice, &stopped, split->err))
        return false;
    bool ok =
        !split->failed && (!stopped || fail(split->err, VOUCH_ERR_STOPPED, "interrupted before anything was learned"));
    if (ok && split->after)
        *result = split->after[learning->passes - 1];
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
    const struct learning *learning = runs->learning;
    if (!ranks_do(ranks_apart(learning), job))
        return true;
    uint32_t count = learning->dataset->layer[runs->layer].examples.count, part = job % runs->folds;
    uint32_t from = (uint32_t)((uint64_t)count * part / runs->parts);
    uint32_t to = (uint32_t)((uint64_t)count * (part + 1) / runs->parts);
    struct split split = {.runs = runs,
                          .held = {runs->order + from, to - from},
                          .after = runs->after ? runs->after + (size_t)job * learning->passes : NULL,
                          .err = err};
    uint32_t *rest = new_array(count, sizeof *rest, err);
    for (uint32_t i = 0, in = 0; rest && i < count; i++)
        if (i < from || i >= to)
            rest[in++] = runs->order[i];
    bool ok = rest && run_split(&split, &runs->trial[job / runs->folds], (struct subset){rest, count - (to - from)},
                                &runs->result[job]);
    free(rest);
    free(split.weights);
    if (ok)
        tally_step(runs->tally);
    return ok;
}

static bool run_all(struct runs *runs, uint32_t trials, enum vouch_event_kind kind, const char *what,
                    struct vouch_error *err)
{
    const struct learning *learning = runs->learning;
    const struct work *work = &learning->work;
    const struct ranks *ranks = ranks_apart(learning);
    uint32_t count = learning->dataset->layer[runs->layer].examples.count, jobs = trials * runs->folds;
    if (count < runs->parts)
        return fail(err, VOUCH_ERR_ARGUMENT, "expected at least %u sentences to hold some out, found %u", runs->parts,
                    count);
    struct step_watch step = {work->watch, kind, what};
    runs->order = new_array(count, sizeof *runs->order, err);
    runs->tally = tally_open((struct tally){step_tell, &step, ranks_share(ranks, jobs)}, err);
    bool ok = runs->order && runs->tally;
    for (uint32_t i = 0; ok && i < count; i++)
        runs->order[i] = i;
    struct rng rng = rng_new(work->seed, STREAM_SPLIT);
    if (ok)
        rng_shuffle(&rng, runs->order, count);
    ok = ok && parallel_run(learns_together(learning) ? 1 : work->threads, jobs, run_job, runs, err) &&
         ranks_exchange(ranks, runs->result, jobs, sizeof *runs->result, err) &&
         (!runs->after || ranks_exchange(ranks, runs->after, jobs, learning->passes * sizeof *runs->after, err));
    tally_close(runs->tally);
    free(runs->order);
    return ok;
}

bool cross_validate(const struct learning *learning, uint32_t folds, struct layer_score *result,
                    struct layer_score *after, struct vouch_error *err)
{
    struct runs runs = {.learning = learning,
                        .trial = learning->trial[0],
                        .result = result,
                        .after = after,
                        .folds = folds,
                        .parts = folds};
    return run_all(&runs, learning->voices, VOUCH_EVENT_FOLDS, "folds", err);
}

/* ---- The search of a parameter ---- */

/* The parameter that is chosen for each learner, and the values that are tried. */
static const struct grid {
    const struct learner *learner;
    const char *name;
    double value[MAX_GRID];
} grids[] = {
    {&passive_aggressive, "C", {0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1}},
    {&confidence_weighted, "phi", {0.1, 0.3, 1, 2, 4, 8, 16, 32}},
    {&log_likelihood, "rate", {0.0125, 0.025, 0.05, 0.1, 0.15, 0.25, 0.4, 0.6}},
};

/* Returns the grid of a learner; NULL: there is nothing to choose. */
static const struct grid *grid_of(const struct learner *learner)
{
    for (size_t i = 0; i < sizeof grids / sizeof *grids; i++)
        if (grids[i].learner == learner)
            return &grids[i];
    return NULL;
}

/* Chooses the best of the values, whose figures are known, and tells the watch. */
static void choose(const struct grid *grid, const double *figure, struct tuned *tuned, struct trial *chosen,
                   const struct vouch_watch *watch)
{
    char line[120];
    const char *learner = grid->learner->name;
    struct vouch_event event = {.kind = VOUCH_EVENT_TRIED, .what = learner, .of = MAX_GRID, .text = line};
    *tuned = (struct tuned){.name = grid->name};
    for (uint32_t i = 0; i < MAX_GRID; i++) {
        tuned->value[i] = grid->value[i];
        tuned->figure[i] = figure[i];
        best_offer(&tuned->best, i, figure[i]);
        event.done = i + 1;
        event.number = grid->value[i];
        snprintf(line, sizeof line, "%-10s %s %-8g held out %.3f", learner, grid->name, event.number, figure[i]);
        watch_tell(watch, event);
    }
    event.kind = VOUCH_EVENT_TUNED;
    event.number = *trial_parameter(chosen, grid->name) = grid->value[tuned->best.row];
    snprintf(line, sizeof line, "%-10s tuned: %s %g (held out %.2f)", learner, grid->name, event.number,
             figure[tuned->best.row]);
    watch_record(watch, event,
                 json_pack("{s:s, s:s, s:o}", "event", "tuned", "voice", learner, "result", tuned_json(tuned)));
}

bool parameter_search(struct trial *chosen, const struct learning *learning, uint32_t layer, struct tuned *tuned,
                      struct vouch_error *err)
{
    const struct grid *grid = grid_of(chosen->learner);
    struct trial trial[MAX_GRID];
    struct layer_score result[MAX_GRID];
    double figure[MAX_GRID];
    *tuned = (struct tuned){0};
    if (!grid)
        return true;
    for (uint32_t i = 0; i < MAX_GRID; i++) {
        trial[i] = *chosen;
        *trial_parameter(&trial[i], grid->name) = grid->value[i];
    }
    struct runs runs = {.learning = learning, .layer = layer, .trial = trial, .result = result, .folds = 1, .parts = 4};
    if (!run_all(&runs, MAX_GRID, VOUCH_EVENT_TUNING, "tuning", err))
        return false;
    for (uint32_t i = 0; i < MAX_GRID; i++)
        figure[i] = result[i].figure;
    choose(grid, figure, tuned, chosen, learning->work.watch);
    return true;
}

bool tuned_recall(struct tuned *tuned, struct trial *chosen, const json_t *found, const struct vouch_watch *watch)
{
    const struct grid *grid = grid_of(chosen->learner);
    const json_t *tried = json_object_get(found, "tried");
    double figure[MAX_GRID];
    if (!grid || json_array_size(tried) != MAX_GRID)
        return false;
    for (uint32_t i = 0; i < MAX_GRID; i++)
        figure[i] = json_real_value(json_object_get(json_array_get(tried, i), "score"));
    choose(grid, figure, tuned, chosen, watch);
    return true;
}

json_t *tuned_json(const struct tuned *tuned)
{
    json_t *tried = json_array();
    for (uint32_t i = 0; i < MAX_GRID; i++)
        json_array_append_new(tried, json_pack("{s:f, s:f}", "value", tuned->value[i], "score", tuned->figure[i]));
    if (json_array_size(tried) != MAX_GRID) {
        json_decref(tried);
        return NULL;
    }
    return json_pack("{s:s, s:f, s:o}", "parameter", tuned->name, "value", tuned->value[tuned->best.row], "tried",
                     tried);
}
