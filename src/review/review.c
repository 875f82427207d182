/*
 * Judges the labels of a corpus: see review.h.
 *
 * The odds of a given choice y of a word are a sum of log-odds,
 *
 *     odds = logit p(y) + logit votes(y) [ + 2 logit learned(y) ]
 *
 * p: the marginal of the first voice that was learned by its likelihood, of the first voice if there is none; votes: of
 * models drawn around the first voice (KD-Fix); learned: the mean of p over all passes of learning from the word
 * itself, if that was watched. A label that contradicts others like it is not only improbable to models that never saw
 * it: models that did see it learn it last, and forget it (Toneva et al. 2019; Pleiss et al. 2020 have margins
 * instead). The weights were chosen on planted errors; see docs/MEASUREMENTS.md.
 *
 * To find the odds of wrong labels, errors are planted in a copy (plant.c) and judged in the same way. Models that
 * learned from labels with errors are less sure that these are errors, so labels are learned anew from the copy; trees
 * are not, which would take too long. error_curve.c makes probabilities of the result.
 *
 * Cost: a run with marginals and draws, and another of some sentences; for labels, all voices are learned a second
 * time.
 *
 * Ranks judge the parts whose models they have learned, or blocks of sentences in turn if all of them have the model,
 * and tell each other what they found. Everything else is done by each.
 */
#include "review/review.h"

#include "base/parallel.h"
#include "fit/logistic.h"
#include "learn/learn.h"
#include "answer/layer_voices.h"
#include "review/rerank.h"

#include <math.h>
#include <string.h>

enum {
    BLOCK = 64,
    SHARE = 40,      /* errors are planted in one of this many sentences, */
    ENOUGH = 100,    /* or in this many, if that is more, */
    LARGE_SHARE = 4, /* but not in more than one of this many; */
    MANY = 400       /* if nothing is learned from them, in this many */
};

/* One thread's working memory. */
struct desk {
    struct workspace workspace;
    struct scratch fetching;
    struct answering answering;
};

struct judging {
    const struct review_plan *plan;
    const struct held_out *held;  /* the models that judge */
    const struct held_part *part; /* at work on this part */
    uint32_t layer, probable;     /* `probable`: the voice that has probabilities */
    struct examples examples;
    struct voice_set voice_set;
    unsigned looks[MAX_VOICE_VIEWS];
    struct desk *desk; /* [threads] */
    struct review *review;
    struct finding *finding;       /* [words] to be filled in */
    const struct watched *learned; /* [words]; NULL: learning was not watched */
    const uint32_t *choice;        /* [words] what is judged instead of gold; NULL: gold is */
    bool *only;                    /* [sentences] which are judged; NULL: all */
    struct tally_keeper *tally;
};

void review_release(struct review *review)
{
    for (uint32_t l = 0; l < MAX_LAYERS; l++) {
        free(review->finding[l]);
        free(review->trial[l]);
        planted_release(&review->planted[l]);
    }
    repeats_release(&review->repeats);
    *review = (struct review){0};
}

static size_t first_word(const struct judging *r, uint32_t i)
{
    const struct dataset *dataset = r->plan->held->dataset;
    return dataset->words_before(dataset->self, r->plan->held->dev, i);
}

/* Returns the probability of a choice; 0 for one that the model does not have. */
static double marginal_of(const struct evidence *e, uint32_t n, uint32_t y)
{
    return y < e->options ? evidence_marginal(e, n, y) : 0;
}

/* Returns the log-odds of p, which may be tiny: even labels that a model rules out are ranked. */
static double wide_odds(double p)
{
    return log(fmax(p, 1e-20)) - log(fmax(1 - p, 1e-6));
}

static void judge_word(const struct judging *r, const struct workspace *s, size_t first, uint32_t n)
{
    const struct evidence *voice = &s->evidence[0], *probable = &s->evidence[r->probable];
    double learned = r->learned ? (double)r->learned[first + n].probability : NAN;
    double lead = r->learned ? (double)r->learned[first + n].margin : NAN;
    double p = marginal_of(probable, n, s->choice[n]);
    double share = share_of_word(&voice->fix, s->choice, s->N, n);
    double probable_odds = wide_odds(p), votes = vote_odds(share, voice->fix.count);
    double learned_odds = isnan(learned) ? 0 : log_odds(learned);
    double lead_odds = isnan(lead) ? 0 : log_odds((lead + 1) / 2);
    r->finding[first + n] =
        (struct finding){.given = s->choice[n],
                         .proposed = voice->best[n],
                         .odds = (float)(probable_odds + votes + 2 * learned_odds),
                         .probability = (float)p,
                         .margin = (float)voice->margin[n],
                         .votes = (float)share,
                         .learned = (float)learned,
                         .signal = {(float)probable_odds, (float)votes, (float)learned_odds, (float)lead_odds}};
}

/*
 * Rules out all other choices of words that were decided on, whose choice must be legal; true if there are such words.
 */
static bool keep_decided(const struct judging *r, const struct finding *f, size_t first, struct scores *scores)
{
    size_t options = (size_t)scores->G * scores->width / scores->N;
    uint32_t roots = 0;
    bool some = false, heads = r->plan->held->dataset->given && r->layer == 0;
    for (uint32_t n = 0; n < scores->N; n++)
        roots += heads && f[n].given == 0;
    for (uint32_t n = 0; n < scores->N; n++) {
        bool fixed = decided_state(r->plan->decided, first + n) != DECIDED_NOT && f[n].given < options && roots <= 1;
        for (size_t y = 0; fixed && y < options; y++)
            if (y != f[n].given)
                scores->node[n * options + y] = -INFINITY;
        some = some || fixed;
    }
    return some;
}

/* Lets the first voice propose what fits the decided words, which stay as they are. */
static bool propose_within(const struct judging *r, struct answering *work, uint32_t i, struct vouch_error *err)
{
    struct finding *f = r->finding + first_word(r, i);
    struct example example;
    double score;
    if (!r->plan->decided)
        return true;
    if (!r->examples.get(r->examples.self, i, &work->fetching, &example, err) ||
        !RESERVE(work->choice, work->choice_capacity, (size_t)example.parts.N + 1, err) ||
        !parts_score(&example.parts, &r->examples.space, r->part->layer[r->layer].voice[0].mean, &work->scores, err))
        return false;
    if (example.parts.N == 0 || !keep_decided(r, f, first_word(r, i), &work->scores))
        return true;
    if (!r->examples.structure->best(&work->scores, &work->decoding, work->choice, &score, err))
        return false;
    for (uint32_t n = 0; n < example.parts.N && score > -INFINITY; n++)
        f[n].proposed = work->choice[n];
    return true;
}

static bool estimate_sentence(const struct judging *r, struct desk *desk, uint32_t i, struct vouch_error *err)
{
    struct example example;
    if (!r->examples.get(r->examples.self, i, &desk->fetching, &example, err) ||
        !voice_set_open(&r->voice_set, &desk->workspace, &example.parts, r->looks, err))
        return false;
    desk->workspace.choice = r->choice ? r->choice + first_word(r, i) : example.gold;
    if (!voice_set_look(&desk->workspace, &example.parts, r->looks, err))
        return false;
    for (uint32_t n = 0; n < example.parts.N; n++)
        judge_word(r, &desk->workspace, first_word(r, i), n);
    return r->choice || propose_within(r, &desk->answering, i, err);
}

/* Reports progress, and checks whether to go on. */
static bool block_done(const struct judging *r, struct vouch_error *err)
{
    tally_step(r->tally);
    return !watch_stops(r->plan->watch) || fail(err, VOUCH_ERR_STOPPED, "interrupted");
}

/* Returns the rank that judges a block of a part: the one that has learned its model, or any if all of them have it. */
static uint32_t rank_for(const struct review_plan *plan, const struct held_out *held, uint32_t part, uint32_t block)
{
    return (held->ranks ? part : block) % ranks_count(plan->ranks);
}

static bool is_own(const struct judging *r, uint32_t block)
{
    return rank_for(r->plan, r->held, (uint32_t)(r->part - r->held->part), block) == ranks_own(r->plan->ranks);
}

/* Whether this rank has the part's model. */
static bool has_model(const struct judging *r)
{
    return !r->held->ranks || is_own(r, 0);
}

static bool judge_block(void *context, uint32_t job, uint32_t thread, struct vouch_error *err)
{
    const struct judging *r = context;
    if (!is_own(r, job))
        return true;
    for (uint32_t k = job * BLOCK; k < r->part->count && k < (job + 1) * BLOCK; k++)
        if ((!r->only || r->only[r->part->sentence[k]]) &&
            !estimate_sentence(r, &r->desk[thread], r->part->sentence[k], err))
            return false;
    return block_done(r, err);
}

static uint32_t blocks_of(const struct held_part *part)
{
    return (part->count + BLOCK - 1) / BLOCK;
}

/* Returns the voice that has probabilities; the first, if none was learned by its likelihood. */
static uint32_t find_probable(const struct model_layer *layer)
{
    const struct learner *learner[MAX_VOICE_VIEWS];
    uint32_t voices = layer->voices < MAX_VOICE_VIEWS ? layer->voices : MAX_VOICE_VIEWS;
    for (uint32_t v = 0; v < voices; v++)
        learner[v] = learner_named(layer->voice[v].name);
    uint32_t probable = probable_voice(learner, voices);
    return probable < voices ? probable : 0;
}

static bool judge_part(struct judging *r, const struct noise *noise, struct vouch_error *err)
{
    struct method_params params[MAX_VOICE_VIEWS];
    const struct model_layer *layer = &r->part->layer[r->layer];
    const struct method_params *own = r->plan->params[r->layer];
    for (uint32_t v = 0; v < layer->voices && v < MAX_VOICE_VIEWS; v++)
        params[v] = own ? own[v] : default_method_params;
    layer_voice_set(layer, r->layer, r->examples.structure, params, noise, NULL, &r->voice_set);
    r->probable = find_probable(layer);
    memset(r->looks, 0, sizeof r->looks);
    r->looks[0] = LOOK_MARGIN | LOOK_FIX;
    r->looks[r->probable] |= LOOK_MARGINALS;
    return parallel_run(r->plan->threads, blocks_of(r->part), judge_block, r, err);
}

static bool differs(const struct finding *f)
{
    return f->given != f->proposed;
}

/* Copies what a rank has found to a list, or back from it: the words of its sentences in order. Returns the bytes. */
static size_t copy_found(const struct judging *r, uint32_t rank, char *list, bool back)
{
    size_t at = 0;
    for (uint32_t p = 0; p < r->held->parts; p++) {
        const struct held_part *part = &r->held->part[p];
        for (uint32_t k = 0; k < part->count; k++) {
            if (rank_for(r->plan, r->held, p, k / BLOCK) != rank)
                continue;
            struct finding *found = r->finding + first_word(r, part->sentence[k]);
            size_t size = (first_word(r, part->sentence[k] + 1) - first_word(r, part->sentence[k])) * sizeof *found;
            memcpy(back ? (char *)found : list + at, back ? list + at : (char *)found, size);
            at += size;
        }
    }
    return at;
}

/* Gives all ranks what each of them has found. */
static bool exchange_found(const struct judging *r, struct vouch_error *err)
{
    const struct ranks *ranks = r->plan->ranks;
    struct gathered all = {0};
    char *list = ranks ? new_block(r->review->words * sizeof *r->finding + 1, err) : NULL;
    size_t size = list ? copy_found(r, ranks->rank, list, false) : 0;
    bool ok = !ranks || (list && ranks_gather(ranks, list, size, FOR_ALL, &all, err));
    for (uint32_t rank = 0; ok && rank < all.count; rank++)
        copy_found(r, rank, all.bytes + all.start[rank], true);
    gathered_release(&all);
    free(list);
    return ok;
}

/* Judges all sentences, or those of r->only, into r->finding. */
static bool estimate_layer(struct judging *r, const struct noise *noise, struct vouch_error *err)
{
    const struct held_out *held = r->held;
    const struct dataset *dataset = r->plan->held->dataset;
    bool ok = true;
    r->examples = held->dev ? dataset->layer[r->layer].dev : dataset->layer[r->layer].examples;
    for (uint32_t p = 0; ok && p < held->parts; p++) {
        r->part = &held->part[p];
        ok = !has_model(r) || judge_part(r, noise, err);
    }
    return ok && exchange_found(r, err);
}

static bool judge_given(struct judging *r, const struct noise *noise, struct vouch_error *err)
{
    r->review->finding[r->layer] = new_array(r->review->words + 1, sizeof *r->finding, err);
    r->finding = r->review->finding[r->layer];
    r->held = r->plan->held;
    r->learned = r->held->learned[r->layer];
    return r->finding && estimate_layer(r, noise, err);
}

/* Examples with other gold. */
struct spoilt {
    const struct examples *examples;
    const struct dataset *dataset;
    const uint32_t *choice; /* [words] */
};

static bool get_spoilt(const void *self, uint32_t i, struct scratch *scratch, struct example *example,
                       struct vouch_error *err)
{
    const struct spoilt *s = self;
    if (!s->examples->get(s->examples->self, i, scratch, example, err))
        return false;
    example->gold = s->choice + s->dataset->words_before(s->dataset->self, false, i);
    return true;
}

/* Learns from the planted labels as was learned from the given ones. */
static bool learn_planted(const struct judging *r, const struct planted *planted, struct held_out *held,
                          struct vouch_error *err)
{
    struct held_out_plan lessons = *r->plan->lessons;
    struct dataset dataset = *lessons.dataset;
    struct spoilt spoilt = {&lessons.dataset->layer[0].examples, lessons.dataset, planted->choice};
    dataset.layer[0].examples.self = &spoilt;
    dataset.layer[0].examples.get = get_spoilt;
    lessons.dataset = &dataset;
    bool ok = held_out_learn(held, &lessons, err);
    held->dataset = r->plan->held->dataset; /* which outlives this call */
    return ok;
}

static bool plant_in_layer(const struct judging *r, struct planted *planted, struct vouch_error *err)
{
    const struct held_out *held = r->plan->held;
    const struct dataset *dataset = held->dataset;
    const struct finding *finding = r->review->finding[r->layer];
    uint32_t count = held->dev ? dataset->layer[0].dev.count : dataset->layer[0].examples.count;
    bool heads = dataset->given && r->layer == 0, learns = r->plan->lessons && !dataset->given;
    uint32_t most = learns ? count / LARGE_SHARE : count, enough = learns ? ENOUGH : MANY;
    uint32_t errors = count / SHARE > enough ? count / SHARE : enough;
    struct plant_plan plan = {.dataset = dataset,
                              .dev = held->dev,
                              .sentences = count,
                              .heads = heads,
                              .rules = r->layer == 0 ? dataset->rules : NULL,
                              .errors = errors < most ? errors : most,
                              .decided = r->plan->decided,
                              .layer = r->layer,
                              .seed = r->plan->seed + r->layer};
    uint32_t *given = new_array(r->review->words + 1, sizeof *given, err);
    for (size_t w = 0; given && w < r->review->words; w++) {
        given[w] = finding[w].given;
        if (!heads && given[w] != UINT32_MAX && given[w] >= plan.options)
            plan.options = given[w] + 1;
    }
    bool ok = given && plant_errors(planted, &plan, given, err);
    free(given);
    return ok;
}

/*
 * Errors that were put back are compared with the remaining labels, so the models that judge those judge them as well.
 * How an error was learned is known from the copy alone.
 */
static bool judge_restored(struct judging *r, const struct noise *noise, const struct planted *planted,
                           struct vouch_error *err)
{
    struct finding *trial = r->review->trial[r->layer];
    size_t words = r->review->words;
    r->finding = new_array(words + 1, sizeof *r->finding, err);
    r->learned = NULL;
    r->held = r->plan->held;
    bool ok = r->finding && estimate_layer(r, noise, err);
    for (size_t w = 0; ok && w < words; w++)
        if (planted->restored[w]) {
            struct finding copy = trial[w];
            trial[w] = r->finding[w];
            trial[w].learned = copy.learned;
            trial[w].signal[SIGNAL_LEARNED] = copy.signal[SIGNAL_LEARNED];
            trial[w].signal[SIGNAL_MARGIN] = copy.signal[SIGNAL_MARGIN];
            trial[w].odds += 2 * copy.signal[SIGNAL_LEARNED];
        }
    free(r->finding);
    return ok;
}

/* Plants errors in a layer, and judges the sentences that have one. */
static bool judge_planted(struct judging *r, const struct noise *noise, struct vouch_error *err)
{
    const struct held_out *held = r->plan->held;
    struct planted *planted = &r->review->planted[r->layer];
    struct held_out again = {0};
    uint32_t count = held->dev ? held->dataset->layer[0].dev.count : held->dataset->layer[0].examples.count;
    size_t bytes = sizeof *r->finding * r->review->words;
    r->review->trial[r->layer] = new_array(r->review->words + 1, sizeof *r->finding, err);
    r->only = new_array((size_t)count + 1, sizeof *r->only, err);
    bool ok = r->review->trial[r->layer] && r->only && plant_in_layer(r, planted, err);
    for (uint32_t k = 0; ok && k < planted->count; k++)
        r->only[planted->sentence[k]] = true;
    r->learned = NULL;
    if (ok && r->plan->lessons && !held->dataset->given) {
        ok = learn_planted(r, planted, &again, err);
        r->learned = again.learned[0];
        r->held = &again;
    }
    if (ok) {
        r->finding = memcpy(r->review->trial[r->layer], r->review->finding[r->layer], bytes);
        r->choice = planted->choice;
        ok = estimate_layer(r, noise, err);
        if (ok && r->plan->decided && r->held != held)
            ok = judge_restored(r, noise, planted, err);
    }
    r->held = held;
    r->choice = NULL;
    free(r->only);
    r->only = NULL;
    held_out_release(&again);
    return ok;
}

/* Proposes relations anew where another head is proposed: the first proposal was for the given head. */
static bool answer_block(void *context, uint32_t job, uint32_t thread, struct vouch_error *err)
{
    const struct judging *r = context;
    struct answering *work = &r->desk[thread].answering;
    const float *mean = r->part->layer[1].voice[0].mean;
    if (!is_own(r, job))
        return true;
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

static bool propose_relations(struct judging *r, struct vouch_error *err)
{
    const struct held_out *held = r->plan->held;
    const struct dataset *dataset = held->dataset;
    uint32_t *head = new_array(r->review->words + 1, sizeof *head, err);
    void *owned = NULL;
    for (size_t w = 0; head && w < r->review->words; w++)
        head[w] = r->review->finding[0][w].proposed;
    bool ok = head && dataset->given(dataset->self, held->dev, head, &r->examples, &owned, err);
    for (uint32_t p = 0; ok && p < held->parts; p++) {
        r->part = &held->part[p];
        ok = !has_model(r) || parallel_run(r->plan->threads, blocks_of(r->part), answer_block, r, err);
    }
    r->finding = r->review->finding[1];
    ok = ok && exchange_found(r, err);
    free(owned);
    free(head);
    return ok;
}

static bool judge_all(struct judging *r, struct vouch_error *err)
{
    const struct held_out *held = r->plan->held;
    struct noise *noise = noise_new(r->plan->seed, err);
    /* There is a round for the given and for the planted labels of each layer, and one for relations of other heads. */
    uint32_t steps = 0, rounds = 2 * held->layers + (held->layers > 1);
    for (uint32_t p = 0; p < held->parts; p++)
        for (uint32_t b = 0; b < blocks_of(&held->part[p]); b++)
            steps += rank_for(r->plan, held, p, b) == ranks_own(r->plan->ranks) ? rounds : 0;
    struct step_watch step = {r->plan->watch, VOUCH_EVENT_JUDGING, "judging"};
    r->tally = tally_open((struct tally){step_tell, &step, steps}, err);
    bool ok = noise && r->tally;
    for (r->layer = 0; ok && r->layer < held->layers; r->layer++)
        ok = judge_given(r, noise, err);
    ok = ok && (held->layers == 1 || propose_relations(r, err));
    for (r->layer = 0; ok && r->layer < held->layers; r->layer++)
        ok = judge_planted(r, noise, err);
    tally_close(r->tally);
    noise_free(noise);
    return ok;
}

bool review_run(struct review *review, const struct review_plan *plan, struct vouch_error *err)
{
    const struct held_out *held = plan->held;
    const struct dataset *dataset = held->dataset;
    uint32_t count = held->dev ? dataset->layer[0].dev.count : dataset->layer[0].examples.count;
    struct judging r = {.plan = plan, .review = review};
    *review = (struct review){.layers = held->layers,
                              .words = dataset->words_before(dataset->self, held->dev, count),
                              .decided = plan->decided};
    r.desk = new_array(plan->threads, sizeof *r.desk, err);
    bool ok = r.desk && judge_all(&r, err) &&
              repeats_find(&review->repeats, held, review->finding, plan->threads, err) &&
              review_rerank(review, held, err);
    for (uint32_t t = 0; r.desk && t < plan->threads; t++) {
        workspace_release(&r.desk[t].workspace);
        scratch_release(&r.desk[t].fetching);
        answering_release(&r.desk[t].answering);
    }
    free(r.desk);
    return ok;
}
