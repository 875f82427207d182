/*
 * Judging what a corpus gives: see review.h.
 *
 * The trust in a given choice y of a word is a sum of log-odds,
 *
 *     trust = 2 logit p(y) + logit votes(y) [ + 2 logit learned(y) ]
 *
 * p: the marginal of the first voice that was learned by its likelihood, of
 * the first voice if there is none; votes: of models drawn around the first
 * voice (KD-Fix); learned: the mean of p over all passes of learning from the
 * word itself, if that was watched. A label that contradicts its like is not
 * only improbable to those who never saw it: those who did learn it last, and
 * forget it (Toneva et al. 2019; Pleiss et al. 2020 have margins instead). The
 * weights were chosen on planted errors; see docs/MEASUREMENTS.md.
 *
 * How likely is an error? Of the words for which one kind of choice is
 * proposed (a label, a relation, a head so far away), take the surest third:
 * there the model does not err, so that the share of them to which something
 * else was given, e, is the share of wrong labels; and labels do not go wrong
 * more often where the model is less sure. Among words as sure as this one
 * something else is given to a share d >= e (isotonic in sureness), hence
 *
 *     error = e / d if something else was given, else 0.
 *
 * Cost: a run with marginals and draws; O(words log words) for the estimate.
 */
#include "apply/review.h"

#include "base/parallel.h"
#include "confidence/isotonic.h"
#include "confidence/logistic.h"
#include "learn/learn.h"
#include "model/panels.h"

#include <math.h>
#include <string.h>

enum {
    BLOCK = 64,
    SUREST = 3, /* one in so many words is among the surest */
    PRIOR = 20, /* the share of all words counts like so many of a kind's own */
    FARTHEST = 4
};

/* One thread's working memory. */
struct desk {
    struct sitting sitting;
    struct scratch fetching;
    struct answering answering;
};

struct reviewing {
    const struct review_plan *plan;
    const struct held_part *part; /* under way */
    uint32_t layer, probable;     /* voice that has probabilities */
    struct examples examples;
    struct panel panel;
    unsigned looks[MAX_SEATS];
    struct desk *desk; /* [threads] */
    struct review *review;
    float *sure;    /* [words] log-odds of what is proposed */
    uint32_t *kind; /* [words] of what is proposed */
    struct tally_keeper *tally;
};

void review_release(struct review *review)
{
    for (uint32_t l = 0; l < MAX_LAYERS; l++)
        free(review->finding[l]);
    *review = (struct review){0};
}

static size_t first_word(const struct reviewing *r, uint32_t i)
{
    const struct subject *subject = r->plan->held->subject;
    return subject->words_before(subject->self, r->plan->held->dev, i);
}

/* A choice that the model does not know has no probability. */
static double marginal_of(const struct evidence *e, uint32_t n, uint32_t y)
{
    return y < e->options ? evidence_marginal(e, n, y) : 0;
}

/* Labels and relations are kinds of their own; heads are by direction and distance, up to FARTHEST. */
static uint32_t kind_of(const struct reviewing *r, uint32_t n, uint32_t proposed)
{
    if (!r->plan->held->subject->given || r->layer > 0)
        return proposed;
    uint32_t distance = proposed > n + 1 ? proposed - n - 1 : n + 1 - proposed;
    distance = distance < FARTHEST ? distance : FARTHEST;
    return proposed == 0 ? 0 : 2 * distance + (proposed > n + 1);
}

static void judge_word(const struct reviewing *r, const struct sitting *s, size_t first, uint32_t n)
{
    const struct evidence *voice = &s->seat[0], *probable = &s->seat[r->probable];
    const float *learned = r->plan->held->learned[r->layer];
    struct finding *f = &r->review->finding[r->layer][first + n];
    double p = marginal_of(probable, n, s->choice[n]);
    double share = share_of_word(&voice->fix, s->choice, s->N, n);
    double best_share = share_of_word(&voice->fix, voice->best, s->N, n);
    double trust = 2 * log_odds(p) + vote_odds(share, voice->fix.count);
    if (learned && !isnan(learned[first + n]))
        trust += 2 * log_odds((double)learned[first + n]);
    r->sure[first + n] =
        (float)(2 * log_odds(evidence_marginal(probable, n, voice->best[n])) + vote_odds(best_share, voice->fix.count));
    r->kind[first + n] = kind_of(r, n, voice->best[n]);
    *f = (struct finding){.given = s->choice[n],
                          .proposed = voice->best[n],
                          .trust = (float)trust,
                          .probability = (float)p,
                          .margin = (float)voice->margin[n],
                          .votes = (float)share,
                          .learned = learned ? learned[first + n] : NAN};
}

static bool judge_sentence(const struct reviewing *r, struct desk *desk, uint32_t i, struct vouch_error *err)
{
    struct example example;
    if (!r->examples.get(r->examples.self, i, &desk->fetching, &example, err) ||
        !panel_open(&r->panel, &desk->sitting, &example.parts, r->looks, err))
        return false;
    desk->sitting.choice = example.gold;
    if (!panel_look(&desk->sitting, &example.parts, r->looks, err))
        return false;
    for (uint32_t n = 0; n < example.parts.N; n++)
        judge_word(r, &desk->sitting, first_word(r, i), n);
    return true;
}

/* Tells how far it is, and asks whether to go on. */
static bool block_done(const struct reviewing *r, struct vouch_error *err)
{
    tally_step(r->tally);
    return !r->plan->stop || !r->plan->stop() || fail(err, VOUCH_ERR_STOPPED, "interrupted");
}

static bool judge_block(void *context, uint32_t job, uint32_t thread, struct vouch_error *err)
{
    const struct reviewing *r = context;
    for (uint32_t k = job * BLOCK; k < r->part->count && k < (job + 1) * BLOCK; k++)
        if (!judge_sentence(r, &r->desk[thread], r->part->sentence[k], err))
            return false;
    return block_done(r, err);
}

static uint32_t blocks_of(const struct held_part *part)
{
    return (part->count + BLOCK - 1) / BLOCK;
}

/* Whom to ask for probabilities; the first voice, if none was learned by its likelihood. */
static uint32_t find_probable(const struct model_layer *layer)
{
    const struct learner *learner[MAX_SEATS];
    uint32_t voices = layer->voices < MAX_SEATS ? layer->voices : MAX_SEATS;
    for (uint32_t v = 0; v < voices; v++)
        learner[v] = learner_named(layer->voice[v].name);
    uint32_t probable = probable_voice(learner, voices);
    return probable < voices ? probable : 0;
}

static bool judge_part(struct reviewing *r, const struct noise *noise, struct vouch_error *err)
{
    struct knobs knobs[MAX_SEATS];
    const struct model_layer *layer = &r->part->layer[r->layer];
    const struct knobs *own = r->plan->knobs[r->layer];
    for (uint32_t v = 0; v < layer->voices && v < MAX_SEATS; v++)
        knobs[v] = own ? own[v] : default_knobs;
    layer_panel(layer, r->layer, r->examples.structure, knobs, noise, NULL, &r->panel);
    r->probable = find_probable(layer);
    memset(r->looks, 0, sizeof r->looks);
    r->looks[0] = LOOK_MARGIN | LOOK_FIX;
    r->looks[r->probable] |= LOOK_MARGINALS;
    return parallel_run(r->plan->threads, blocks_of(r->part), judge_block, r, err);
}

/* By kind, then by how sure it is what is proposed, surest last; then by place. */
struct rated {
    uint32_t kind;
    float sure;
    size_t word;
};

static int compare_rated(const void *a, const void *b)
{
    const struct rated *x = a, *y = b;
    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    if (x->sure != y->sure)
        return x->sure < y->sure ? -1 : 1;
    return (x->word > y->word) - (x->word < y->word);
}

static bool differs(const struct finding *f)
{
    return f->given != f->proposed;
}

/* The share of the surest to which something else was given, [0] how many were, [1] of how many. */
static void count_surest(const struct finding *finding, const struct rated *rated, size_t count, double *among)
{
    size_t least = (count + SUREST - 1) / SUREST;
    for (size_t i = count - least; i < count; i++) {
        among[0] += differs(&finding[rated[i].word]);
        among[1]++;
    }
}

/* One kind of words; `everywhere` is the share of errors among the surest of all kinds. */
static void estimate_kind(struct finding *finding, const struct rated *rated, size_t count, double everywhere,
                          struct pool *pools)
{
    double among[2] = {0, 0};
    count_surest(finding, rated, count, among);
    double e = (among[0] + PRIOR * everywhere) / (among[1] + PRIOR);
    for (size_t i = 0; i < count; i++)
        pools[i] = (struct pool){.x = 0, .right = !differs(&finding[rated[i].word]), .count = 1};
    size_t left = isotonic_pool(pools, count, 0), at = 0;
    for (size_t p = 0; p < left; p++) {
        double d = 1 - pool_share(&pools[p], 0);
        for (size_t k = (size_t)pools[p].count; k > 0; k--, at++) {
            struct finding *f = &finding[rated[at].word];
            f->error = differs(f) ? (float)(d > e ? e / d : 1) : 0;
        }
    }
}

static bool estimate_errors(const struct reviewing *r, struct vouch_error *err)
{
    size_t words = r->review->words;
    struct finding *finding = r->review->finding[r->layer];
    struct rated *rated = new_array(words + 1, sizeof *rated, err);
    struct pool *pools = new_array(words + 1, sizeof *pools, err);
    bool ok = rated && pools;
    double among[2] = {0, 1};
    for (size_t w = 0; ok && w < words; w++)
        rated[w] = (struct rated){r->kind[w], r->sure[w], w};
    if (ok)
        qsort(rated, words, sizeof *rated, compare_rated);
    for (int round = 0; ok && round < 2; round++)
        for (size_t from = 0, to; from < words; from = to) {
            for (to = from + 1; to < words && rated[to].kind == rated[from].kind;)
                to++;
            if (round == 0)
                count_surest(finding, rated + from, to - from, among);
            else
                estimate_kind(finding, rated + from, to - from, among[0] / among[1], pools);
        }
    free(rated);
    free(pools);
    return ok;
}

static bool judge_layer(struct reviewing *r, const struct noise *noise, struct vouch_error *err)
{
    const struct held_out *held = r->plan->held;
    const struct subject *subject = held->subject;
    r->examples = held->dev ? subject->layer[r->layer].dev : subject->layer[r->layer].examples;
    r->review->finding[r->layer] = new_array(r->review->words + 1, sizeof *r->review->finding[0], err);
    bool ok = r->review->finding[r->layer] != NULL;
    for (uint32_t p = 0; ok && p < held->parts; p++) {
        r->part = &held->part[p];
        ok = judge_part(r, noise, err);
    }
    return ok && estimate_errors(r, err);
}

/* A relation was proposed for the given head; where another head is proposed, it is that one's. */
static bool answer_block(void *context, uint32_t job, uint32_t thread, struct vouch_error *err)
{
    const struct reviewing *r = context;
    struct answering *work = &r->desk[thread].answering;
    const float *mean = r->part->layer[1].voice[0].mean;
    for (uint32_t k = job * BLOCK; k < r->part->count && k < (job + 1) * BLOCK; k++) {
        uint32_t i = r->part->sentence[k];
        struct example example;
        if (!examples_answer(&r->examples, i, mean, work, &example, err))
            return false;
        for (uint32_t n = 0; n < example.parts.N; n++) {
            size_t w = first_word(r, i) + n;
            if (differs(&r->review->finding[0][w]))
                r->review->finding[1][w].proposed = work->choice[n];
        }
    }
    return block_done(r, err);
}

static bool propose_relations(struct reviewing *r, struct vouch_error *err)
{
    const struct held_out *held = r->plan->held;
    const struct subject *subject = held->subject;
    uint32_t *head = new_array(r->review->words + 1, sizeof *head, err);
    void *owned = NULL;
    for (size_t w = 0; head && w < r->review->words; w++)
        head[w] = r->review->finding[0][w].proposed;
    bool ok = head && subject->given(subject->self, held->dev, head, &r->examples, &owned, err);
    for (uint32_t p = 0; ok && p < held->parts; p++) {
        r->part = &held->part[p];
        ok = parallel_run(r->plan->threads, blocks_of(r->part), answer_block, r, err);
    }
    free(owned);
    free(head);
    return ok;
}

static bool judge_all(struct reviewing *r, struct vouch_error *err)
{
    const struct held_out *held = r->plan->held;
    struct noise *noise = noise_new(r->plan->seed, err);
    uint32_t steps = 0, rounds = held->layers + (held->layers > 1); /* the last for relations of other heads */
    for (uint32_t p = 0; p < held->parts; p++)
        steps += blocks_of(&held->part[p]) * rounds;
    r->tally = tally_open((struct tally){r->plan->tell, r->plan->context, steps}, err);
    bool ok = noise && r->tally;
    for (r->layer = 0; ok && r->layer < held->layers; r->layer++)
        ok = judge_layer(r, noise, err);
    ok = ok && (held->layers == 1 || propose_relations(r, err));
    tally_close(r->tally);
    noise_free(noise);
    return ok;
}

bool review_run(struct review *review, const struct review_plan *plan, struct vouch_error *err)
{
    const struct held_out *held = plan->held;
    const struct subject *subject = held->subject;
    uint32_t count = held->dev ? subject->layer[0].dev.count : subject->layer[0].examples.count;
    struct reviewing r = {.plan = plan, .review = review};
    *review = (struct review){.layers = held->layers, .words = subject->words_before(subject->self, held->dev, count)};
    r.desk = new_array(plan->threads, sizeof *r.desk, err);
    r.sure = new_array(review->words + 1, sizeof *r.sure, err);
    r.kind = new_array(review->words + 1, sizeof *r.kind, err);
    bool ok = r.desk && r.sure && r.kind && judge_all(&r, err);
    for (uint32_t t = 0; r.desk && t < plan->threads; t++) {
        sitting_release(&r.desk[t].sitting);
        scratch_release(&r.desk[t].fetching);
        answering_release(&r.desk[t].answering);
    }
    free(r.desk);
    free(r.sure);
    free(r.kind);
    return ok;
}
