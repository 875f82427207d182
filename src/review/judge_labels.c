/*
 * Judges the labels of a corpus.
 *
 * The odds of a given choice y of a word are a sum of log-odds,
 *
 *     odds = logit p(y) + logit votes(y) [ + 2 logit learned(y) + 4 logit lead(y) ]
 *
 * p: the marginal of the first voice that was learned by its likelihood, of the first voice if there is none; votes: of
 * models drawn around the first voice (KD-Fix); learned: the mean of p over all passes of learning from the word
 * itself; lead: the mean of its margin over the same passes, p less that of the best other label, moved to 0 .. 1; both
 * only if learning was watched. A label that contradicts others like it is not only improbable to models that never saw
 * it: models that did see it learn it last, and forget it (Toneva et al. 2019; Pleiss et al. 2020 have margins). Errors
 * that are regular, as those of a weak tagger or of an annotator's habit, are probable to models that never saw the
 * word, so that how it was learned counts much. The weights were chosen on planted errors, regular ones most of all.
 * Margins of large-margin voices rank worse, and for trees, how an arc was learned says less than that it was not
 * expected, and is left out (docs/MEASUREMENTS.md).
 *
 * Words that have the same label in all of their places are doubted as a whole: contexts.c.
 *
 * To find the odds of wrong labels, errors are planted in a copy (plant.c) and judged in the same way: calibration says
 * how often a model disagrees with the corpus, not who is right. Models that learned from labels with errors are less
 * sure that these are errors, so labels are learned anew from the copy; trees are not, which would take too long.
 * error_curve.c makes probabilities of the result.
 *
 * Cost: a run with marginals and draws, and another of some sentences; for labels, all voices are learned a second
 * time.
 *
 * Ranks judge the parts whose models they have learned, or blocks of sentences in turn if all of them have the model,
 * and tell each other what they found. Everything else is done by each.
 */
#include "base/elementary.h"
#include "review/review.h"

#include "answer/layer_voices.h"
#include "base/parallel.h"
#include "fit/logistic.h"
#include "learn/learn.h"

#include <math.h>
#include <string.h>

enum { BLOCK = 64 }; /* sentences that a thread judges at a time */

/* One thread's working memory. */
struct thread_memory {
    struct workspace workspace;
    struct answering answering;
    struct stripped stripped;
};

struct judging {
    struct review *review;
    const struct work *work;
    const struct held_out *held;  /* the models that judge */
    const struct held_part *part; /* at work on this part */
    uint32_t layer, probable;     /* `probable`: the voice that has probabilities */
    struct examples examples;
    struct voice_set voice_set;
    const struct noise *noise;
    unsigned needs[MAX_VOICE_VIEWS];
    struct thread_memory *memory;   /* [threads] */
    struct finding *finding;        /* [words] to be filled in */
    const struct followed *learned; /* [words]; NULL: learning was not watched */
    bool contexts;                  /* contexts are judged, too */
    const uint32_t *choice;         /* [words] what is judged instead of gold; NULL: gold is */
    bool *only;                     /* [sentences] which are judged; NULL: all */
    bool (*judge)(const struct judging *j, struct thread_memory *memory, uint32_t sentence, struct vouch_error *err);
    struct shared_tally *tally;
};

/* Returns the log-odds of p, which may be tiny: even labels that a model rules out are ranked. */
static double wide_odds(double p)
{
    return log_of(fmax(p, 1e-20)) - log_of(fmax(1 - p, 1e-6));
}

/* Returns the sum of the signals that is explained above; those that are not known are 0. */
static float odds_of(const float signal[REVIEW_SIGNALS])
{
    return signal[SIGNAL_PROBABILITY] + signal[SIGNAL_VOTES] + 2 * signal[SIGNAL_LEARNED] + 4 * signal[SIGNAL_MARGIN];
}

static void judge_word(const struct judging *j, const struct workspace *s, size_t first, uint32_t n)
{
    const struct evidence *voice = &s->evidence[0], *probable = &s->evidence[j->probable];
    double learned = j->learned ? (double)j->learned[first + n].probability : NAN;
    double lead = j->learned ? (double)j->learned[first + n].margin : NAN;
    double p = s->choice[n] < probable->options ? evidence_marginal(probable, n, s->choice[n]) : 0;
    double share = share_of_word(&voice->fix, s->choice, s->N, n);
    double probable_odds = wide_odds(p), votes = vote_odds(share, voice->fix.count);
    double learned_odds = isnan(learned) ? 0 : log_odds(learned);
    double lead_odds = isnan(lead) ? 0 : log_odds((lead + 1) / 2);
    j->finding[first + n] =
        (struct finding){.given = s->choice[n],
                         .proposed = voice->best[n],
                         .probability = (float)p,
                         .margin = (float)voice->margin[n],
                         .votes = (float)share,
                         .learned = (float)learned,
                         .signal = {(float)probable_odds, (float)votes, (float)learned_odds, (float)lead_odds}};
    j->finding[first + n].odds = odds_of(j->finding[first + n].signal);
}

/*
 * Rules out all other choices of words that were decided on, whose choice must be legal; true if there are such words.
 */
static bool keep_decided(const struct judging *j, const struct finding *f, size_t first, struct scores *scores)
{
    size_t options = (size_t)scores->G * scores->width / scores->N;
    uint32_t roots = 0;
    bool some = false, heads = chooses_heads(j->review, j->layer);
    for (uint32_t n = 0; n < scores->N; n++)
        roots += heads && f[n].given == 0;
    for (uint32_t n = 0; n < scores->N; n++) {
        bool fixed = decided_state(j->review, first + n) != DECIDED_NOT && f[n].given < options && roots <= 1;
        for (size_t y = 0; fixed && y < options; y++)
            if (y != f[n].given)
                scores->node[n * options + y] = -INFINITY;
        some = some || fixed;
    }
    return some;
}

/* Lets the first voice propose what fits the decided words, which stay as they are. */
static bool propose_within(const struct judging *j, struct answering *work, const struct parts *parts, size_t first,
                           struct vouch_error *err)
{
    double score;
    if (!RESERVE(work->choice, work->choice_capacity, (size_t)parts->N + 1, err) ||
        !parts_score(parts, &j->examples.space, j->part->layer[j->layer].voice[0].mean, &work->scores, err))
        return false;
    if (parts->N == 0 || !keep_decided(j, j->finding + first, first, &work->scores))
        return true;
    if (!j->examples.structure->best(&work->scores, &work->decoding, work->choice, &score, err))
        return false;
    for (uint32_t n = 0; n < parts->N && score > -INFINITY; n++)
        j->finding[first + n].proposed = work->choice[n];
    return true;
}

/* Finds how probable each type is by the contexts of the words of a sentence. */
static bool judge_contexts(const struct judging *j, struct thread_memory *memory, const struct parts *parts,
                           size_t first, struct vouch_error *err)
{
    const struct contexts *c = &j->review->contexts;
    struct workspace *workspace = &memory->workspace;
    const struct evidence *e = &workspace->evidence[j->probable];
    unsigned needs[MAX_VOICE_VIEWS] = {0};
    needs[j->probable] = EVIDENCE_MARGINALS;
    if (!contexts_strip(j->review, parts, first, &memory->stripped, err) ||
        !voice_set_open(&j->voice_set, workspace, &memory->stripped.parts, needs, err) ||
        !voice_set_gather(workspace, &memory->stripped.parts, needs, err))
        return false;
    for (uint32_t n = 0; n < parts->N; n++)
        for (uint32_t y = 0; y < e->options; y++)
            c->probability[(first + n) * c->types + c->type_of[y]] += (float)evidence_marginal(e, n, y);
    return true;
}

static bool judge_sentence(const struct judging *j, struct thread_memory *memory, uint32_t i, struct vouch_error *err)
{
    struct workspace *workspace = &memory->workspace;
    size_t first = j->review->first[i];
    struct example example;
    if (!j->examples.get(j->examples.self, i, &memory->answering.fetching, &example, err) ||
        !voice_set_open(&j->voice_set, workspace, &example.parts, j->needs, err))
        return false;
    workspace->choice = j->choice ? j->choice + first : example.gold;
    if (!voice_set_gather(workspace, &example.parts, j->needs, err))
        return false;
    for (uint32_t n = 0; n < example.parts.N; n++)
        judge_word(j, workspace, first, n);
    if (j->contexts && !judge_contexts(j, memory, &example.parts, first, err))
        return false;
    return j->choice || !j->review->decided.state || propose_within(j, &memory->answering, &example.parts, first, err);
}

/* Proposes the relations of words whose proposed head is another than the given one. */
static bool relate_sentence(const struct judging *j, struct thread_memory *memory, uint32_t i, struct vouch_error *err)
{
    const struct finding *head = j->review->finding[0] + j->review->first[i];
    struct finding *relation = j->finding + j->review->first[i];
    struct answering *work = &memory->answering;
    struct example example;
    if (!examples_answer(&j->examples, i, j->part->layer[1].voice[0].mean, work, &example, err))
        return false;
    for (uint32_t n = 0; n < example.parts.N; n++)
        if (head[n].given != head[n].proposed)
            relation[n].proposed = work->choice[n];
    return true;
}

static uint32_t blocks_of(const struct held_part *part)
{
    return (part->count + BLOCK - 1) / BLOCK;
}

/* Returns the rank that judges a block of a part: the one that has learned its model, or any if all of them have it. */
static uint32_t rank_for(const struct judging *j, uint32_t part, uint32_t block)
{
    return (j->held->ranks ? part : block) % ranks_count(j->work->ranks);
}

static bool judge_block(void *context, uint32_t block, uint32_t thread, struct vouch_error *err)
{
    const struct judging *j = context;
    if (rank_for(j, (uint32_t)(j->part - j->held->part), block) != ranks_own(j->work->ranks))
        return true;
    for (uint32_t k = block * BLOCK; k < j->part->count && k < (block + 1) * BLOCK; k++)
        if ((!j->only || j->only[j->part->sentence[k]]) && !j->judge(j, &j->memory[thread], j->part->sentence[k], err))
            return false;
    tally_step(j->tally);
    return !watch_stops(j->work->watch) || fail(err, VOUCH_ERR_STOPPED, "interrupted");
}

/* Finds the voices that judge the part, and what each has to tell: probabilities, if one was learned by likelihood. */
static void open_voices(struct judging *j)
{
    const struct model_layer *layer = &j->part->layer[j->layer];
    const struct learner *learner[MAX_VOICE_VIEWS];
    uint32_t voices = layer->voices < MAX_VOICE_VIEWS ? layer->voices : MAX_VOICE_VIEWS;
    for (uint32_t v = 0; v < voices; v++)
        learner[v] = learner_named(layer->voice[v].name);
    uint32_t probable = probable_voice(learner, voices);
    j->probable = probable < voices ? probable : 0;
    layer_voice_set(layer, j->layer, j->examples.structure, j->review->params[j->layer], j->noise, NULL, &j->voice_set);
    memset(j->needs, 0, sizeof j->needs);
    j->needs[0] = EVIDENCE_MARGIN | EVIDENCE_FIX;
    j->needs[j->probable] |= EVIDENCE_MARGINALS;
}

/* What ranks exchange: an array of so many bytes for each word. */
struct by_word {
    char *bytes;
    size_t size;
};

/* Copies what a rank has found to a list, or back from it: the words of its sentences in order. Returns the bytes. */
static size_t copy_found(const struct judging *j, struct by_word all_words, uint32_t rank, char *list, bool back)
{
    size_t at = 0;
    for (uint32_t p = 0; p < j->held->parts; p++) {
        const struct held_part *part = &j->held->part[p];
        for (uint32_t k = 0; k < part->count; k++) {
            if (rank_for(j, p, k / BLOCK) != rank)
                continue;
            char *found = all_words.bytes + j->review->first[part->sentence[k]] * all_words.size;
            size_t size = words_of(j->review, part->sentence[k]) * all_words.size;
            memcpy(back ? found : list + at, back ? list + at : found, size);
            at += size;
        }
    }
    return at;
}

/* Gives all ranks what each of them has found. */
static bool exchange_found(const struct judging *j, struct by_word all_words, struct vouch_error *err)
{
    const struct ranks *ranks = j->work->ranks;
    struct gathered all = {0};
    char *list = ranks ? new_block(j->review->words * all_words.size + 1, err) : NULL;
    size_t size = list ? copy_found(j, all_words, ranks->rank, list, false) : 0;
    bool ok = !ranks || (list && ranks_gather(ranks, list, size, FOR_ALL, &all, err));
    for (uint32_t rank = 0; ok && rank < all.count; rank++)
        copy_found(j, all_words, rank, all.bytes + all.start[rank], true);
    gathered_release(&all);
    free(list);
    return ok;
}

/* Calls j->judge for all sentences, or those of j->only, with the models of their parts that this rank has. */
static bool judge_parts(struct judging *j, struct vouch_error *err)
{
    bool ok = true;
    for (uint32_t p = 0; ok && p < j->held->parts; p++) {
        j->part = &j->held->part[p];
        if (j->held->ranks && rank_for(j, p, 0) != ranks_own(j->work->ranks))
            continue;
        open_voices(j);
        ok = parallel_run(j->work->threads, blocks_of(j->part), judge_block, j, err);
    }
    const struct contexts *c = &j->review->contexts;
    return ok && exchange_found(j, (struct by_word){(char *)j->finding, sizeof *j->finding}, err) &&
           (!j->contexts ||
            exchange_found(j, (struct by_word){(char *)c->probability, c->types * sizeof *c->probability}, err));
}

/* Judges the labels of a layer, by the models of j->held. */
static bool judge_layer(struct judging *j, struct vouch_error *err)
{
    const struct dataset *dataset = j->review->dataset;
    j->examples = j->held->dev ? dataset->layer[j->layer].dev : dataset->layer[j->layer].examples;
    j->judge = judge_sentence;
    return judge_parts(j, err);
}

static bool judge_given(struct judging *j, struct vouch_error *err)
{
    struct review *r = j->review;
    j->finding = r->finding[j->layer] = new_array(r->words + 1, sizeof *j->finding, err);
    j->learned = j->held->learned[j->layer];
    if (!j->finding || (j->learned && !contexts_open(r, err)))
        return false;
    j->contexts = r->contexts.types > 1;
    bool ok = judge_layer(j, err);
    j->contexts = false;
    return ok;
}

/* Where another head is proposed, the relation to that head is proposed with it. */
static bool propose_relations(struct judging *j, struct vouch_error *err)
{
    struct review *r = j->review;
    uint32_t *head = new_array(r->words + 1, sizeof *head, err);
    void *owned = NULL;
    for (size_t w = 0; head && w < r->words; w++)
        head[w] = r->finding[0][w].proposed;
    j->layer = 1;
    j->finding = r->finding[1];
    j->judge = relate_sentence;
    bool ok = head && r->dataset->relations_for_heads(r->dataset->self, r->dev, head, &j->examples, &owned, err) &&
              judge_parts(j, err);
    free(owned);
    free(head);
    return ok;
}

/* Examples with other gold. */
struct relabelled {
    const struct examples *examples;
    const struct review *review;
    const uint32_t *choice; /* [words] */
};

static bool get_relabelled(const void *self, uint32_t i, struct scratch *scratch, struct example *example,
                           struct vouch_error *err)
{
    const struct relabelled *s = self;
    if (!s->examples->get(s->examples->self, i, scratch, example, err))
        return false;
    example->gold = s->choice + s->review->first[i];
    return true;
}

/* Learns from the planted labels as was learned from the given ones. */
static bool learn_planted(const struct judging *j, struct held_out *held, struct vouch_error *err)
{
    const struct review *r = j->review;
    struct dataset dataset = *r->dataset;
    struct relabelled relabelled = {&r->dataset->layer[0].examples, r, j->choice};
    struct held_out_plan training = r->training;
    struct learning learning = *training.learning;
    dataset.layer[0].examples.self = &relabelled;
    dataset.layer[0].examples.get = get_relabelled;
    learning.dataset = &dataset;
    training.learning = &learning;
    bool ok = held_out_learn(held, &training, err);
    held->dataset = r->dataset; /* which outlives this call */
    return ok;
}

/*
 * Errors that were put back are compared with the remaining labels, so the models that judge those judge them as well.
 * How an error was learned is known from the copy alone.
 */
static bool judge_restored(const struct judging *planted, struct vouch_error *err)
{
    struct judging j = *planted;
    struct review *r = j.review;
    struct finding *trial = r->trial_finding[j.layer];
    j.finding = new_array(r->words + 1, sizeof *j.finding, err);
    j.learned = NULL;
    j.held = &r->held;
    bool ok = j.finding && judge_layer(&j, err);
    for (size_t w = 0; ok && w < r->words; w++)
        if (r->planted[j.layer].restored[w]) {
            struct finding copy = trial[w];
            trial[w] = j.finding[w];
            trial[w].learned = copy.learned;
            trial[w].signal[SIGNAL_LEARNED] = copy.signal[SIGNAL_LEARNED];
            trial[w].signal[SIGNAL_MARGIN] = copy.signal[SIGNAL_MARGIN];
            trial[w].odds = odds_of(trial[w].signal);
        }
    free(j.finding);
    return ok;
}

/* Plants errors in a layer, and judges the sentences that have one. */
static bool judge_planted(const struct judging *given, struct vouch_error *err)
{
    struct judging j = *given;
    struct review *r = j.review;
    const struct planted *planted = &r->planted[j.layer];
    struct held_out again = {0};
    j.finding = r->trial_finding[j.layer] = new_array(r->words + 1, sizeof *j.finding, err);
    j.only = new_array((size_t)r->sentences + 1, sizeof *j.only, err);
    bool ok = j.finding && j.only && plant_errors(r, j.layer, err);
    for (uint32_t k = 0; ok && k < planted->count; k++)
        j.only[planted->sentence[k]] = true;
    j.learned = NULL;
    j.choice = planted->choice;
    if (ok && learns_planted(r)) {
        ok = learn_planted(&j, &again, err);
        j.learned = again.learned[0];
        j.held = &again;
    }
    if (ok) {
        memcpy(j.finding, r->finding[j.layer], sizeof *j.finding * r->words);
        ok = judge_layer(&j, err) && (!r->decided.state || j.held == &r->held || judge_restored(&j, err));
    }
    free(j.only);
    held_out_release(&again);
    return ok;
}

bool judge_labels(struct review *r, struct vouch_error *err)
{
    const struct work *work = &r->options->common.work;
    struct judging j = {.review = r, .work = work, .held = &r->held};
    struct step_watch step = {work->watch, VOUCH_EVENT_JUDGING, "judging"};
    struct noise *noise = dataset_noise(r->dataset, work->seed, err);
    /* There is a round for the given and for the planted labels of each layer, and one for relations of other heads. */
    uint32_t steps = 0, rounds = 2 * r->layers + (r->layers > 1);
    for (uint32_t p = 0; p < r->held.parts; p++)
        for (uint32_t b = 0; b < blocks_of(&r->held.part[p]); b++)
            steps += rank_for(&j, p, b) == ranks_own(work->ranks) ? rounds : 0;
    j.noise = noise;
    j.tally = tally_open((struct tally){step_tell, &step, steps}, err);
    j.memory = new_array(work->threads, sizeof *j.memory, err);
    bool ok = noise && j.tally && j.memory && name_words(r, err);
    for (j.layer = 0; ok && j.layer < r->layers; j.layer++)
        ok = judge_given(&j, err);
    ok = ok && (r->layers == 1 || propose_relations(&j, err));
    for (j.layer = 0; ok && j.layer < r->layers; j.layer++)
        ok = judge_planted(&j, err);
    for (uint32_t t = 0; j.memory && t < work->threads; t++) {
        workspace_release(&j.memory[t].workspace);
        answering_release(&j.memory[t].answering);
        stripped_release(&j.memory[t].stripped);
    }
    ok = ok && contexts_doubt(r, r->finding[0], err) && contexts_doubt(r, r->trial_finding[0], err);
    free(j.memory);
    tally_close(j.tally);
    noise_free(noise);
    return ok;
}
