/*
 * Simulates active learning: see simulation.h.
 *
 * The corpus is encoded once, for all runs. A run is one way of choosing with
 * one set of random choices. Runs are independent and run in parallel, all ways
 * of a repeat before the next. The random order of all sentences in round r is
 * a function of (seed, repeat, r) alone, and the candidates are the first in it
 * that are not labelled yet, so that all ways of choosing have the same luck.
 *
 * A run takes the time to learn anew at every measurement, to score
 * `candidates` sentences in every round, and to learn from a few more examples
 * in between.
 */
#include "simulation/simulation.h"

#include "base/watch.h"
#include "base/hash.h"
#include "base/parallel.h"
#include "base/random.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* These streams of random numbers are apart from all others; each repeat has its own. */
#define STREAM_ORDER (UINT64_C(1) << 40)

enum {
    STOP_EVERY = 32, /* sentences between two checks of whether to stop */
    SHARE = 32       /* one in so many features of arcs is compared */
};

/* What all runs share. */
struct runs {
    const struct active_plan *plan;
    struct active_outcome *outcome;
    struct noise *noise;
    struct shared_tally *tally;
    uint32_t goal; /* sentences to label in all */
};

struct run {
    const struct runs *sim;
    const struct query_strategy *strategy;
    struct active_curve *curve;
    struct active_learner *learner;
    struct rng rng;
    uint32_t *order;             /* [count] of this round */
    bool *labelled;              /* [count] */
    uint32_t *known;             /* [count] the labelled ones in ascending order, when they are learned */
    uint32_t *fresh;             /* [choose] labelled in this round, never more than the goal */
    struct candidate *candidate; /* [candidates] */
    uint32_t sentences;          /* labelled so far */
    size_t words, changes;       /* of these: see active/selection.h */
    struct scratch fetching;
    uint32_t *feature; /* of the sentence at hand */
    size_t feature_capacity;
};

static uint32_t pool_size(const struct active_plan *plan)
{
    return plan->dataset->layer[0].examples.count;
}

static uint32_t words_of(const struct active_plan *plan, uint32_t i)
{
    const struct dataset *s = plan->dataset;
    return (uint32_t)(s->words_before(s->self, false, i + 1) - s->words_before(s->self, false, i));
}

static bool label(struct run *r, const uint32_t *which, uint32_t count, struct vouch_error *err)
{
    for (uint32_t k = 0; k < count; k++) {
        uint32_t changes;
        if (!active_learner_changes(r->learner, which[k], &changes, err))
            return false;
        r->labelled[which[k]] = true;
        r->words += words_of(r->sim->plan, which[k]);
        r->changes += changes;
    }
    r->sentences += count;
    return true;
}

/* Lists the candidates of this round, and returns their number. */
static uint32_t gather(struct run *r)
{
    const struct active_plan *plan = r->sim->plan;
    uint32_t found = 0, count = pool_size(plan);
    rng_shuffle(&r->rng, r->order, count);
    for (uint32_t i = 0; i < count && found < plan->options.candidates; i++)
        if (!r->labelled[r->order[i]]) {
            uint32_t index = r->order[i];
            r->candidate[found] = (struct candidate){.number = found, .words = words_of(plan, index), .index = index};
            found++;
        }
    return found;
}

/* Scores each candidate; the random strategy keeps the order in which they came. */
static bool ask(struct run *r, uint32_t count, struct vouch_error *err)
{
    const struct active_plan *plan = r->sim->plan;
    for (uint32_t k = 0; !query_strategy_is_random(r->strategy) && k < count; k++) {
        if (k % STOP_EVERY == 0 && watch_stops(plan->options.common.work.watch))
            return fail(err, VOUCH_ERR_STOPPED, "interrupted");
        if (!active_learner_ask(r->learner, r->candidate[k].index, &r->candidate[k].number, err))
            return false;
    }
    candidates_rank(r->candidate, count);
    return true;
}

/*
 * Collects the features of a sentence, to compare it with others. The arcs of a tree have thousands of features; of
 * these only a random share is used, the same for every sentence, whose overlap is about that of the whole.
 */
static bool features_of(void *context, uint32_t index, struct number_set *set, struct vouch_error *err)
{
    struct run *r = context;
    const struct examples *examples = &r->sim->plan->dataset->layer[0].examples;
    struct example example;
    if (!examples->get(examples->self, index, &r->fetching, &example, err))
        return false;
    const struct parts *parts = &example.parts;
    struct rows rows;
    size_t shown = 0;
    bool arcs = examples->space.width == 1;
    for (uint32_t g = 0; g < parts->node.count; g += rows.count) {
        rows = parts_rows(parts, g, parts->node.count);
        size_t from = rows.start[0], to = rows.start[rows.count];
        if (!RESERVE(r->feature, r->feature_capacity, shown + (to - from) + 1, err))
            return false;
        for (size_t i = from; i < to; i++)
            if (!arcs || hash_mix(STREAM_ORDER, rows.feature[i]) % SHARE == 0)
                r->feature[shown++] = rows.feature[i];
    }
    return number_set_fill(set, r->feature, shown, err);
}

/* Chooses and labels up to `wanted` sentences; puts them into r->fresh and their number into *found. */
static bool choose(struct run *r, uint32_t wanted, uint32_t *found, struct vouch_error *err)
{
    const struct active_plan *plan = r->sim->plan;
    struct variety variety = {.most = plan->options.diversity, .fill = true, .numbers_of = features_of, .context = r};
    uint32_t count = gather(r);
    return ask(r, count, err) && candidates_choose(r->candidate, count, wanted, &variety, r->fresh, found, err) &&
           label(r, r->fresh, *found, err);
}

static bool learn_anew(struct run *r, struct vouch_error *err)
{
    uint32_t known = 0;
    for (uint32_t i = 0; i < pool_size(r->sim->plan); i++)
        if (r->labelled[i])
            r->known[known++] = i;
    return active_learner_learn(r->learner, r->known, known, err);
}

static bool measure(struct run *r, struct vouch_error *err)
{
    struct active_point *point = &r->curve->point[r->curve->points];
    struct labelling labelled = {r->sentences, (double)r->words, (double)r->changes};
    *point = (struct active_point){
        .sentences = r->sentences, .words = r->words, .seconds = labelling_seconds(&r->sim->plan->cost, &labelled)};
    if (!active_learner_measure(r->learner, &point->score, err))
        return false;
    r->curve->points++;
    return true;
}

/* Returns the number of labelled sentences at the next measurement, or at the last one. */
static uint32_t next_due(const struct runs *sim, uint32_t due)
{
    return due + sim->plan->options.every < sim->goal ? due + sim->plan->options.every : sim->goal;
}

static bool go_through(struct run *r, struct vouch_error *err)
{
    const struct runs *sim = r->sim;
    const struct active_plan *plan = sim->plan;
    bool asks = !query_strategy_is_random(r->strategy);
    uint32_t due = plan->options.initial, fresh;
    rng_shuffle(&r->rng, r->order, pool_size(plan));
    if (!label(r, r->order, plan->options.initial, err) || !learn_anew(r, err) || !measure(r, err))
        return false;
    while (r->sentences < sim->goal) {
        if (r->sentences == due)
            due = next_due(sim, due);
        uint32_t left = due - r->sentences;
        if (!choose(r, left < plan->options.choose ? left : plan->options.choose, &fresh, err))
            return false;
        bool measured = r->sentences == due;
        if (measured || (asks && plan->options.scratch)) {
            if (!learn_anew(r, err))
                return false;
        } else if (asks && !active_learner_learn_on(r->learner, r->fresh, fresh, err))
            return false;
        if (measured && !measure(r, err))
            return false;
        tally_step(sim->tally);
    }
    return true;
}

static bool run_init(struct run *r, uint32_t repeat, struct vouch_error *err)
{
    const struct active_plan *plan = r->sim->plan;
    uint32_t count = pool_size(plan), goal = r->sim->goal;
    r->rng = rng_new(plan->options.common.work.seed, STREAM_ORDER + repeat);
    r->order = new_array(count, sizeof *r->order, err);
    r->labelled = new_array(count, sizeof *r->labelled, err);
    r->known = new_array(count, sizeof *r->known, err);
    r->fresh = new_array(plan->options.choose < goal ? plan->options.choose : goal, sizeof *r->fresh, err);
    r->candidate =
        new_array(plan->options.candidates < count ? plan->options.candidates : count, sizeof *r->candidate, err);
    r->curve->point = new_array(r->sim->outcome->points, sizeof *r->curve->point, err);
    r->learner = active_learner_new(plan, r->strategy, plan->options.common.work.seed + repeat, r->sim->noise, err);
    for (uint32_t i = 0; r->order && i < count; i++)
        r->order[i] = i;
    return r->order && r->labelled && r->known && r->fresh && r->candidate && r->curve->point && r->learner;
}

static bool run_job(void *context, uint32_t job, uint32_t thread, struct vouch_error *err)
{
    const struct runs *sim = context;
    const struct active_plan *plan = sim->plan;
    uint32_t way = job % plan->strategies, repeat = job / plan->strategies;
    struct run r = {.sim = sim,
                    .strategy = &plan->strategy[way],
                    .curve = &sim->outcome->curve[(size_t)way * plan->options.repeats + repeat]};
    struct vouch_error own = {0};
    (void)thread;
    bool ok = run_init(&r, repeat, &own) && go_through(&r, &own);
    active_learner_free(r.learner);
    scratch_release(&r.fetching);
    free(r.order);
    free(r.labelled);
    free(r.known);
    free(r.fresh);
    free(r.candidate);
    free(r.feature);
    if (!ok && own.status != VOUCH_ERR_STOPPED) {
        *err = own;
        return false;
    }
    return true;
}

/* Returns the number of rounds of a run; *points becomes that of its measurements, of which the initial one is one. */
static uint32_t count_rounds(const struct runs *sim, uint32_t *points)
{
    uint32_t rounds = 0;
    *points = 1;
    for (uint32_t due = sim->plan->options.initial, next; due < sim->goal; due = next) {
        next = next_due(sim, due);
        rounds += (next - due + sim->plan->options.choose - 1) / sim->plan->options.choose;
        (*points)++;
    }
    return rounds;
}

/* Computes the noise of the draws, if a strategy uses draws. */
static bool prepare_noise(struct runs *sim, struct vouch_error *err)
{
    bool draws = false;
    for (uint32_t w = 0; w < sim->plan->strategies; w++) {
        const struct query_strategy *strategy = &sim->plan->strategy[w];
        draws = draws || query_strategy_is_committee(strategy) ||
                (strategy->method && strategy->method->needs & (EVIDENCE_FIX | EVIDENCE_PC));
    }
    sim->noise = draws ? dataset_noise(sim->plan->dataset, sim->plan->options.common.work.seed, err) : NULL;
    return !draws || sim->noise;
}

/* The watch, and when it started. */
struct round_watch {
    const struct vouch_watch *watch;
    double started;
};

static void tell_round(void *context, uint32_t done, uint32_t of)
{
    const struct round_watch *rounds = context;
    double gone = seconds_now() - rounds->started;
    char note[48];
    snprintf(note, sizeof note, "about %.0f s left", gone / done * (of - done));
    watch_tell(rounds->watch,
               (struct vouch_event){
                   .kind = VOUCH_EVENT_ROUNDS, .what = "rounds", .done = done, .of = of, .number = NAN, .note = note});
}

bool active_run(const struct active_plan *plan, struct active_outcome *outcome, struct vouch_error *err)
{
    uint32_t count = pool_size(plan), runs = plan->strategies * plan->options.repeats;
    *outcome = (struct active_outcome){.runs = runs};
    if (count <= plan->options.initial || plan->options.most <= plan->options.initial)
        return fail(err, VOUCH_ERR_ARGUMENT, "expected more than the %u initial sentences to choose from, found %u",
                    plan->options.initial, count < plan->options.most ? count : plan->options.most);
    for (uint32_t w = 0; w < plan->strategies; w++)
        if (score_counts_chunks(plan->strategy[w].score) && !plan->dataset->rules)
            return fail(err, VOUCH_ERR_ARGUMENT, "%s: expected labels that spell chunks", plan->strategy[w].name);
    const struct dataset *dataset = plan->dataset;
    struct layer_score score = {0}; /* the dataset tells whether it is F1 for any sentences, even for none */
    struct runs sim = {
        .plan = plan, .outcome = outcome, .goal = plan->options.most < count ? plan->options.most : count};
    uint32_t rounds = count_rounds(&sim, &outcome->points);
    outcome->curve = new_array(runs, sizeof *outcome->curve, err);
    struct round_watch watch = {plan->options.common.work.watch, seconds_now()};
    sim.tally = tally_open((struct tally){tell_round, &watch, runs * rounds}, err);
    bool ok = outcome->curve && sim.tally && prepare_noise(&sim, err) &&
              dataset->measure(dataset->self, &(struct test_set){0}, NULL, &score, err) &&
              parallel_run(plan->options.common.work.threads, runs, run_job, &sim, err);
    outcome->chunks = score.chunks;
    for (uint32_t i = 0; ok && i < runs; i++)
        outcome->stopped = outcome->stopped || outcome->curve[i].points < outcome->points;
    tally_close(sim.tally);
    noise_free(sim.noise);
    return ok;
}

void active_release(struct active_outcome *outcome)
{
    for (uint32_t i = 0; outcome->curve && i < outcome->runs; i++)
        free(outcome->curve[i].point);
    free(outcome->curve);
    *outcome = (struct active_outcome){0};
}

/* The job: from the options of vouch active. */

static bool add_strategy(struct simulation *s, const char *name, const struct model_layer *layer,
                         struct vouch_error *err)
{
    struct query_strategy strategy;
    if (!query_strategy_parse(&strategy, name, layer, err))
        return false;
    for (uint32_t i = 0; i < s->strategies; i++)
        if (strcmp(s->strategy[i].name, name) == 0)
            return fail(err, VOUCH_ERR_ARGUMENT, "'%s' is there twice", name);
    if (s->strategies == MOST_WAYS)
        return fail(err, VOUCH_ERR_ARGUMENT, "expected at most %d methods", MOST_WAYS);
    if (strategy.fluctuation && s->options->learner.passes < 2)
        return fail(err, VOUCH_ERR_ARGUMENT, "%s: expected --passes of at least 2", name);
    s->strategy[s->strategies++] = strategy;
    return true;
}

/* Adds the strategies of --confidence, or the paper's and the committee, as far as the first voice supports them. */
static bool find_strategies(struct simulation *s, struct vouch_error *err)
{
    struct model_layer layer;
    query_strategy_voices(&layer, s->learning.trial[0], s->learning.voices);
    const char *names = s->options->confidence.methods ? s->options->confidence.methods
                        : layer.voice[0].var           ? "kd-fix,kd-pc,delta,gamma,committee,random"
                                                       : "kd-fix,delta,gamma,committee,random";
    for (const char *at = names;; at++) {
        size_t length = strcspn(at, ",");
        char name[sizeof s->strategy[0].name];
        if (length == 0 || length >= sizeof name)
            return fail(err, VOUCH_ERR_ARGUMENT, "expected names of methods separated by commas, found '%.60s'", names);
        snprintf(name, sizeof name, "%.*s", (int)length, at);
        if (!add_strategy(s, name, &layer, err))
            return false;
        at += length;
        if (!*at)
            return true;
    }
}

bool simulation_prepare(struct simulation *s, struct vouch_error *err)
{
    const struct active_options *set = s->options;
    if (set->candidates < set->choose)
        return fail(err, VOUCH_ERR_ARGUMENT, "--candidates: expected at least as many as --choose, %u, found %u",
                    set->choose, set->candidates);
    return labelling_cost_parse(&s->plan.cost, set->cost, err) &&
           learning_prepare(&s->learning, &set->learner, &set->reading, &set->common.work, '+', err) &&
           (find_strategies(s, err) || fail_within(err, "--confidence"));
}

bool simulation_read(struct simulation *s, struct vouch_error *err)
{
    char *pool = new_string(s->options->pool, strlen(s->options->pool), err);
    bool ok = pool && corpus_read(&s->corpus, &s->learning.corpus, &pool, 1, s->options->common.work.watch, err) &&
              (!s->options->test || corpus_read_dev(&s->corpus, &s->learning.corpus, s->options->test, err));
    if (ok)
        corpus_tell(&s->corpus, &s->learning.corpus, s->options->common.work.watch);
    free(pool);
    return ok;
}

bool simulation_run(struct simulation *s, struct vouch_error *err)
{
    bool measured = false;
    s->plan.options = *s->options;
    s->plan.dataset = &s->corpus.dataset;
    s->plan.trial = s->learning.trial[0];
    s->plan.voices = s->learning.voices;
    s->plan.strategy = s->strategy;
    s->plan.strategies = s->strategies;
    if (!active_run(&s->plan, &s->outcome, err))
        return false;
    for (uint32_t i = 0; i < s->outcome.runs; i++)
        measured = measured || s->outcome.curve[i].points;
    if (!measured)
        return fail(err, VOUCH_ERR_STOPPED, "interrupted before anything was measured");
    if (s->corpus.dataset.trees)
        s->score = s->corpus.dataset.layers > 1 ? "LAS" : "UAS";
    else
        s->score = s->outcome.chunks ? "F1" : "accuracy";
    return active_summarise(&s->summary, &s->plan, &s->outcome, err);
}

void simulation_release(struct simulation *s)
{
    active_summary_release(&s->summary);
    active_release(&s->outcome);
    corpus_release(&s->corpus);
    learning_release(&s->learning);
}
