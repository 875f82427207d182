/*
 * Learns what it is taught: see active_learner.h.
 *
 * Learning anew costs what training costs. Learning on costs time for the new
 * examples alone: no step goes over the whole space of weights.
 */
#include "simulation/active_learner.h"

#include "base/hash.h"
#include "confidence/expected_counts.h"
#include "confidence/committee.h"

#include <string.h>

struct active_learner {
    struct active_plan plan; /* with a seed of its own */
    const struct query_strategy *strategy;
    const struct noise *noise;
    struct voice voice[MAX_LAYERS][MAX_VOICES]; /* of the second layer, only the first voice learns */
    unsigned needs[MAX_VOICE_VIEWS];
    struct voice_set voice_set; /* of the first layer */
    struct workspace workspace;
    struct scratch fetching;
    struct answering answering;
    double *number;
    struct fluctuation fluctuation; /* of the first voice of the first layer, if the strategy needs it */
    bool keeping;                   /* the voice that is learning is that one */
    bool *right;                    /* [2][N] */
    size_t number_capacity, right_capacity;

    /* The second layer of the dev sentences, built on the first layer's answers. */
    struct examples second;
    uint32_t *first; /* [words] those answers */
    void *owned;
};

void query_strategy_voices(struct model_layer *layer, const struct trial *trial, uint32_t voices)
{
    static const float some = 1;
    *layer = (struct model_layer){.voices = voices};
    for (uint32_t v = 0; v < voices; v++) {
        const struct learner *learner = trial[v].learner;
        bool variance = learner->keeps && learner->keeps(&trial[v].parameters).variance;
        snprintf(layer->voice[v].name, sizeof layer->voice[v].name, "%s", learner->name);
        layer->voice[v].var = variance ? &some : NULL;
    }
}

bool query_strategy_parse(struct query_strategy *strategy, const char *name, const struct model_layer *layer,
                          struct vouch_error *err)
{
    char method[METHOD_NAME];
    *strategy = (struct query_strategy){0};
    if (!score_parse(name, method, sizeof method, &strategy->score, err))
        return false;
    snprintf(strategy->name, sizeof strategy->name, "%s", name);
    strategy->fluctuation = strcmp(method, FLUCTUATION_NAME) == 0;
    if (strategy->fluctuation)
        return strategy->score == SCORE_LEAST || strategy->score == SCORE_MEAN ||
               fail(err, VOUCH_ERR_ARGUMENT, "%s: expected fluctuation or fluctuation/mean", name);
    if (!method_parse(method, layer, &strategy->method, &strategy->voice, err))
        return false;
    const struct method *m = strategy->method;
    if (m && m->variance && !layer->voice[strategy->voice].var)
        return fail(err, VOUCH_ERR_ARGUMENT, "%s needs a confidence-weighted voice (-a cw), found %s", m->name,
                    layer->voice[strategy->voice].name);
    return query_score_suits(name, m, strategy->score, err);
}

/* Whether voice v of layer l is used: the first voice answers, and confidence looks only at the first layer. */
static bool is_used(const struct active_learner *a, uint32_t l, uint32_t v)
{
    return v == 0 || (l == 0 && a->needs[v] != 0);
}

struct active_learner *active_learner_new(const struct active_plan *plan, const struct query_strategy *strategy,
                                          uint64_t seed, const struct noise *noise, struct vouch_error *err)
{
    struct active_learner *a = new_array(1, sizeof *a, err);
    if (!a)
        return NULL;
    a->plan = *plan;
    a->plan.options.common.work.seed = seed;
    a->strategy = strategy;
    a->noise = noise;
    a->voice_set.voices = plan->voices; /* the voices themselves are added when they have learned */
    if (strategy->method)
        a->needs[strategy->voice] = strategy->method->needs;
    else if (query_strategy_is_committee(strategy))
        committee_plain_needs(&a->voice_set, a->needs);
    if (score_counts_chunks(strategy->score))
        a->needs[strategy->voice] |= EVIDENCE_MARGINALS;
    const struct dataset *s = plan->dataset;
    if (s->layers < 2)
        return a;
    a->first = new_array(s->words_before(s->self, true, s->layer[0].dev.count) + 1, sizeof *a->first, err);
    if (a->first && s->relations_for_heads(s->self, true, a->first, &a->second, &a->owned, err))
        return a;
    active_learner_free(a);
    return NULL;
}

void active_learner_free(struct active_learner *a)
{
    if (!a)
        return;
    for (uint32_t l = 0; l < MAX_LAYERS; l++)
        for (uint32_t v = 0; v < MAX_VOICES; v++)
            voice_release(&a->voice[l][v]);
    workspace_release(&a->workspace);
    scratch_release(&a->fetching);
    answering_release(&a->answering);
    fluctuation_release(&a->fluctuation);
    free(a->number);
    free(a->right);
    free(a->owned);
    free(a->first);
    free(a);
}

const struct voice *active_learner_voice(const struct active_learner *a, uint32_t layer, uint32_t voice)
{
    return &a->voice[layer][voice];
}

static bool carry_on(void *context, const struct training *training)
{
    struct active_learner *a = context;
    if (a->keeping && training->seen == training->examples)
        fluctuation_keep(&a->fluctuation, training->voice->mean);
    return !watch_stops(a->plan.options.common.work.watch);
}

/* Lets one voice learn, from nothing or from what it has learned so far. */
static bool teach(struct active_learner *a, uint32_t l, uint32_t v, struct subset subset, bool anew,
                  struct vouch_error *err)
{
    const struct active_plan *plan = &a->plan;
    const struct examples *examples = &plan->dataset->layer[l].examples;
    struct voice *voice = &a->voice[l][v];
    struct training_options options = {.learner = plan->trial[v].learner,
                                       .parameters = plan->trial[v].parameters,
                                       .passes = plan->options.learner.passes,
                                       .seed = plan->options.common.work.seed,
                                       .tell = carry_on,
                                       .context = a};
    bool stopped = false;
    a->keeping = anew && a->strategy->fluctuation && l == 0 && v == 0;
    if (a->keeping &&
        !fluctuation_begin(&a->fluctuation, space_size(&examples->space) + SLACK, plan->options.learner.passes, err))
        return false;
    if (anew)
        voice_release(voice);
    else
        options.parameters.l2 = 0;
    if (!(anew ? train_voice(examples, subset, &options, voice, &stopped, err)
               : train_on(examples, subset, &options, voice, &stopped, err)))
        return false;
    if (anew)
        voice_settle(voice);
    return !stopped || fail(err, VOUCH_ERR_STOPPED, "interrupted");
}

/* Makes a voice set of the voices as they are after learning. */
static void make_voice_set(struct active_learner *a)
{
    const struct active_plan *plan = &a->plan;
    const struct examples *examples = &plan->dataset->layer[0].examples;
    for (uint32_t v = 0; v < plan->voices; v++) {
        struct voice_view *voice = &a->voice_set.voice[v];
        *voice = (struct voice_view){.structure = examples->structure,
                                     .space = &examples->space,
                                     .mean = a->voice[0][v].mean,
                                     .var = a->voice[0][v].var,
                                     .noise = a->noise,
                                     .key = hash_mix(plan->options.common.work.seed, v),
                                     .params = default_method_params};
        if (plan->options.confidence.draws)
            voice->params.draws = plan->options.confidence.draws;
        voice->params.plain = plan->options.confidence.plain_draws;
        if (is_used(a, 0, v))
            voice_view_suit(voice);
    }
}

bool active_learner_learn(struct active_learner *a, const uint32_t *example, uint32_t count, struct vouch_error *err)
{
    for (uint32_t l = 0; l < a->plan.dataset->layers; l++)
        for (uint32_t v = 0; v < a->plan.voices; v++)
            if (is_used(a, l, v) && !teach(a, l, v, (struct subset){example, count}, true, err))
                return false;
    make_voice_set(a);
    return true;
}

bool active_learner_learn_on(struct active_learner *a, const uint32_t *example, uint32_t count, struct vouch_error *err)
{
    for (uint32_t v = 0; v < a->plan.voices; v++)
        if (is_used(a, 0, v) && !teach(a, 0, v, (struct subset){example, count}, false, err))
            return false;
    make_voice_set(a);
    return true;
}

/* Counts the words of dev sentence i that are right in both layers. */
static bool check_both(struct active_learner *a, uint32_t i, uint64_t *words, uint64_t *right, struct vouch_error *err)
{
    const struct dataset *s = a->plan.dataset;
    struct example example;
    if (!examples_answer(&s->layer[0].dev, i, a->voice[0][0].mean, &a->answering, &example, err))
        return false;
    uint32_t N = example.parts.N;
    struct example_answer first = {0, true, i, a->answering.choice};
    if (!RESERVE(a->right, a->right_capacity, (size_t)N * 2 + 1, err) || !s->compare(s->self, &first, a->right, err))
        return false;
    memcpy(a->first + s->words_before(s->self, true, i), a->answering.choice, sizeof *a->first * N);
    if (!examples_answer(&a->second, i, a->voice[1][0].mean, &a->answering, &example, err) ||
        !s->compare(s->self, &(struct example_answer){1, true, i, a->answering.choice}, a->right + N, err))
        return false;
    for (uint32_t n = 0; n < N; n++)
        *right += a->right[n] && a->right[N + n];
    *words += N;
    return true;
}

bool active_learner_measure(struct active_learner *a, double *figure, struct vouch_error *err)
{
    const struct dataset *s = a->plan.dataset;
    struct layer_score score;
    uint64_t words = 0, right = 0;
    if (s->layers < 2) {
        bool ok = s->measure(s->self, &(struct test_set){.dev = true}, a->voice[0][0].mean, &score, err);
        *figure = score.figure;
        return ok;
    }
    for (uint32_t i = 0; i < s->layer[0].dev.count; i++)
        if (!check_both(a, i, &words, &right, err))
            return false;
    *figure = words ? 100 * (double)right / (double)words : 0;
    return true;
}

static uint32_t count_chunks(const struct span_rules *rules, const uint32_t *choice, uint32_t N)
{
    uint32_t count = 0, from = 0;
    struct extent chunk;
    for (; span_next(rules, choice, N, from, &chunk); from = chunk.to)
        count++;
    return count;
}

bool active_learner_changes(struct active_learner *a, uint32_t i, uint32_t *changes, struct vouch_error *err)
{
    const struct dataset *s = a->plan.dataset;
    const struct examples *examples = &s->layer[0].examples;
    const float *weights = a->voice[0][0].mean;
    struct example example;
    if (s->rules) {
        bool ok = examples->get(examples->self, i, &a->fetching, &example, err);
        *changes = ok ? count_chunks(s->rules, example.gold, example.parts.N) : 0;
        return ok;
    }
    *changes = (uint32_t)(s->words_before(s->self, false, i + 1) - s->words_before(s->self, false, i));
    if (!weights)
        return true;
    if (!examples_answer(examples, i, weights, &a->answering, &example, err) ||
        !RESERVE(a->right, a->right_capacity, (size_t)example.parts.N + 1, err) ||
        !s->compare(s->self, &(struct example_answer){0, false, i, a->answering.choice}, a->right, err))
        return false;
    for (uint32_t n = 0; n < example.parts.N; n++)
        *changes -= a->right[n];
    return true;
}

/* Adds the numbers of an example's words: how sure they are, or how likely chunks begin there. */
static bool ask_words(struct active_learner *a, const struct example *example, struct vouch_error *err)
{
    const struct query_strategy *strategy = a->strategy;
    const struct dataset *s = a->plan.dataset;
    struct evidence *evidence = &a->workspace.evidence[strategy->voice];
    if (strategy->fluctuation)
        return fluctuation_words(&a->fluctuation, &s->layer[0].examples, &example->parts, a->number, err);
    if (score_counts_chunks(strategy->score))
        return chunk_starts(evidence, s->rules, a->number, err);
    if (strategy->method)
        strategy->method->words(strategy->method, evidence, a->number);
    else
        committee_plain(&a->workspace, a->number);
    return true;
}

bool active_learner_ask(struct active_learner *a, uint32_t i, double *number, struct vouch_error *err)
{
    const struct examples *examples = &a->plan.dataset->layer[0].examples;
    const struct query_strategy *strategy = a->strategy;
    const struct method *method = strategy->method;
    struct workspace *workspace = &a->workspace;
    struct example example;
    struct sureness sureness = {0};
    if (!examples->get(examples->self, i, &a->fetching, &example, err) ||
        !RESERVE(a->number, a->number_capacity, (size_t)example.parts.N + 1, err) ||
        !voice_set_open(&a->voice_set, workspace, &example.parts, a->needs, err) ||
        !voice_set_gather(workspace, &example.parts, a->needs, err))
        return false;
    if (strategy->score == SCORE_BALD) {
        *number = method->whole(method, &workspace->evidence[strategy->voice]);
        return true;
    }
    if (!ask_words(a, &example, err))
        return false;
    for (uint32_t n = 0; n < example.parts.N; n++)
        if (score_counts_chunks(strategy->score))
            sureness_add_start(&sureness, a->number[n]);
        else if (!workspace->evidence[0].forced[n])
            sureness_add(&sureness, a->number[n]);
    *number = sureness_of(&sureness, strategy->score);
    return true;
}

/* Fluctuation. */

void fluctuation_release(struct fluctuation *f)
{
    free(f->weights);
    answering_release(&f->work);
    *f = (struct fluctuation){0};
}

bool fluctuation_begin(struct fluctuation *f, size_t size, uint32_t passes, struct vouch_error *err)
{
    f->passes = 0;
    f->size = size;
    return RESERVE(f->weights, f->capacity, size * passes, err);
}

void fluctuation_keep(struct fluctuation *f, const float *weights)
{
    memcpy(f->weights + f->size * f->passes++, weights, sizeof *weights * f->size);
}

bool fluctuation_words(struct fluctuation *f, const struct examples *examples, const struct parts *parts,
                       double *steady, struct vouch_error *err)
{
    struct answering *work = &f->work;
    uint32_t N = parts->N;
    double score;
    if (!RESERVE(work->choice, work->choice_capacity, (size_t)N * 2 + 1, err))
        return false;
    uint32_t *now = work->choice, *before = now + N;
    for (uint32_t n = 0; n < N; n++)
        steady[n] = 1;
    for (uint32_t p = 0; p < f->passes; p++) {
        uint32_t *swap = before;
        before = now;
        now = swap;
        if (!parts_score(parts, &examples->space, f->weights + f->size * p, &work->scores, err) ||
            !examples->structure->best(&work->scores, &work->decoding, now, &score, err))
            return false;
        for (uint32_t n = 0; p > 0 && n < N; n++)
            steady[n] -= (now[n] != before[n]) / (double)(f->passes - 1);
    }
    return true;
}
