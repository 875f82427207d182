/* Simulates active learning: see simulating.h. */
#include "simulation/simulating.h"

#include <stdio.h>
#include <string.h>

static bool add_strategy(struct simulating *s, const char *name, struct vouch_error *err)
{
    struct model_layer layer;
    struct query_strategy strategy;
    query_strategy_voices(&layer, s->learning.trial, s->learning.trials);
    if (!query_strategy_parse(&strategy, name, &layer, err))
        return false;
    for (uint32_t i = 0; i < s->strategies; i++)
        if (strcmp(s->strategy[i].name, name) == 0)
            return fail(err, VOUCH_ERR_ARGUMENT, "'%s' is there twice", name);
    if (s->strategies == MOST_WAYS)
        return fail(err, VOUCH_ERR_ARGUMENT, "expected at most %d methods", MOST_WAYS);
    if (strategy.fluctuation && s->settings->passes < 2)
        return fail(err, VOUCH_ERR_ARGUMENT, "%s: expected --passes of at least 2", name);
    s->strategy[s->strategies++] = strategy;
    return true;
}

/* Adds the paper's methods and the committee, as far as the first voice supports them. */
static bool add_usual(struct simulating *s, struct vouch_error *err)
{
    static const char *const usual[] = {"kd-fix", "kd-pc", "delta", "gamma", "committee", "random", NULL};
    struct model_layer layer;
    query_strategy_voices(&layer, s->learning.trial, s->learning.trials);
    for (size_t i = 0; usual[i]; i++)
        if ((layer.voice[0].var || strcmp(usual[i], kd_pc_method.name) != 0) && !add_strategy(s, usual[i], err))
            return false;
    return true;
}

static bool find_strategies(struct simulating *s, struct vouch_error *err)
{
    const char *names = s->settings->confidence;
    if (!names)
        return add_usual(s, err);
    for (const char *at = names;; at++) {
        size_t length = strcspn(at, ",");
        char name[sizeof s->strategy[0].name];
        if (length == 0 || length >= sizeof name)
            return fail(err, VOUCH_ERR_ARGUMENT, "expected names of methods separated by commas, found '%.60s'", names);
        snprintf(name, sizeof name, "%.*s", (int)length, at);
        if (!add_strategy(s, name, err))
            return false;
        at += length;
        if (!*at)
            return true;
    }
}

static void lay_out_plan(struct simulating *s)
{
    const struct settings *set = s->settings;
    struct labelling_cost cost = s->plan.cost; /* which was checked at the beginning */
    s->plan = (struct active_plan){.dataset = &s->corpus.dataset,
                                   .trial = s->learning.trial,
                                   .voices = s->learning.trials,
                                   .strategy = s->strategy,
                                   .strategies = s->strategies,
                                   .initial = (uint32_t)set->initial,
                                   .candidates = (uint32_t)set->candidates,
                                   .choose = (uint32_t)set->choose,
                                   .every = (uint32_t)set->every,
                                   .most = (uint32_t)set->most,
                                   .repeats = (uint32_t)set->repeats,
                                   .passes = (uint32_t)set->passes,
                                   .scratch = set->scratch,
                                   .diversity = set->diversity,
                                   .draws = (uint32_t)set->draws,
                                   .cost = cost,
                                   .seed = (uint64_t)set->seed,
                                   .threads = (uint32_t)set->threads,
                                   .watch = s->watch};
}

bool simulating_prepare(struct simulating *s, struct vouch_error *err)
{
    const struct settings *set = s->settings;
    if (set->candidates < set->choose)
        return fail(err, VOUCH_ERR_ARGUMENT, "--candidates: expected at least as many as --choose, %lld, found %lld",
                    (long long)set->choose, (long long)set->candidates);
    return labelling_cost_parse(&s->plan.cost, set->cost, err) &&
           learning_prepare(&s->learning, set, '+', MAX_VOICES, err) &&
           (find_strategies(s, err) || fail_within(err, "--confidence"));
}

bool simulating_read(struct simulating *s, struct vouch_error *err)
{
    char *pool = new_string(s->settings->pool, strlen(s->settings->pool), err);
    struct labelled_files files = {&pool, 1, s->settings->test};
    bool ok = pool && learned_corpus_read(&s->corpus, &s->learning, &files, s->watch, err);
    if (ok)
        learned_corpus_tell(&s->corpus, &s->learning, s->watch);
    free(pool);
    return ok;
}

static bool measured_anything(const struct active_outcome *outcome)
{
    for (uint32_t i = 0; i < outcome->runs; i++)
        if (outcome->curve[i].points)
            return true;
    return false;
}

static const char *score_name(const struct simulating *s)
{
    if (s->learning.parses)
        return s->corpus.dataset.layers > 1 ? "LAS" : "UAS";
    return s->outcome.chunks ? "F1" : "accuracy";
}

bool simulating_run(struct simulating *s, struct vouch_error *err)
{
    lay_out_plan(s);
    if (!active_run(&s->plan, &s->outcome, err))
        return false;
    if (!measured_anything(&s->outcome))
        return fail(err, VOUCH_ERR_STOPPED, "interrupted before anything was measured");
    s->score = score_name(s);
    return active_summarise(&s->summary, &s->plan, &s->outcome, err);
}

void simulating_release(struct simulating *s)
{
    active_summary_release(&s->summary);
    active_release(&s->outcome);
    learned_corpus_release(&s->corpus);
    learning_release(&s->learning);
}
