/*
 * The methods, each with its formula, its source and its cost: margins, marginals, votes, and random numbers to compare
 * them with. They are arithmetic over the evidence (evidence.h), and each is a row of methods[] at the end.
 */
#include "base/elementary.h"
#include "confidence/evidence.h"

#include "base/hash.h"

#include <math.h>
#include <string.h>

double smallest(const double *confidence, uint32_t from, uint32_t to)
{
    double least = from < to ? confidence[from] : 1;
    for (uint32_t n = from; n < to; n++)
        least = confidence[n] < least ? confidence[n] : least;
    return least;
}

/* ---- Margins ---- */

/*
 * Delta is how far the answer is ahead of the best one that decides a word otherwise:
 *
 *     delta[n] = max_y score(y)  -  max_{y : y_n != answer_n} score(y)
 *
 * Mejer and Crammer, section on margins. The number of a chunk or a sentence is that of its worst word. Cost:
 * max-marginals of a chain, O(N Y^2); one tree with an exchange for every word, O(N^2) on most sentences.
 */

static void delta_words(const struct method *self, const struct evidence *e, double *confidence)
{
    (void)self;
    for (uint32_t n = 0; n < e->N; n++)
        confidence[n] = e->margin[n];
}

static bool delta_span(const struct method *self, struct evidence *e, const struct span_rules *rules, struct extent at,
                       double *confidence, struct vouch_error *err)
{
    (void)self, (void)rules, (void)err;
    *confidence = smallest(e->margin, at.from, at.to);
    return true;
}

const struct method delta_method = {
    .name = "delta",
    .summary = "margin between the answer and the best one that decides the word otherwise",
    .formula = "best score - best score with another choice for the word",
    .cost = "one more decoding",
    .use = "cheap and good at ranking; its numbers have no scale until calibrated",
    .params = "",
    .needs = EVIDENCE_MARGIN,
    .bounded = false,
    .words = delta_words,
    .span = delta_span,
};

/* ---- Marginals ---- */

/*
 * Gamma is the probability of the word's choice, if scores were log-probabilities:
 *
 *     gamma[n] = P(y_n = answer_n),      P(y) ~ exp(c * score(y))
 *
 * where labels that the corpus writes alike, as S-X and B-X in IOB2, are equal.
 *
 * Mejer and Crammer, section on marginals; for a log-likelihood voice and c = 1 these are the marginals of a CRF. By
 * forward-backward, O(N Y^2), or the matrix-tree theorem, O(N^3). The paper has none for trees.
 *
 * A chunk's number is exact as well: the probability that an answer has a chunk of the same words and type there,
 * however it is spelled. These are conditions on neighbours (core/scheme.h). Answers are a Markov chain, so with
 * the probabilities of neighbours p_n(l, r) and of words p_n(l) = sum_r p_n+1(l, r)
 *
 *     mass[from][r] = sum_l p_from(l, r)                    over l, r that open the chunk
 *     mass[n+1][r]  = sum_l mass[n][l] p_n+1(l, r) / p_n(l)  over l, r that close it at n = to - 1 and nowhere else
 *
 * and the chunk has the sum of mass[to]. O(Y^2) for each word of the chunk. The number of a sentence is the probability
 * of the whole answer.
 */

static void gamma_words(const struct method *self, const struct evidence *e, double *confidence)
{
    (void)self;
    for (uint32_t n = 0; n < e->N; n++)
        confidence[n] = evidence_of_answer(e, n);
}

/* A chunk of the answer, and how likely it is up to one of its words. */
struct walk {
    const struct span_rules *rules;
    struct extent at;
    size_t Y;
    double *pairs; /* [Y][Y] of a word and the next one */
    double *mass;  /* [Y] of the chunk as far as a word, by the word's label */
    double *next;  /* [Y] */
};

static bool walk_open(struct walk *walk, struct evidence *e, struct vouch_error *err)
{
    size_t Y = walk->Y;
    if (!RESERVE(e->work->pairs, e->work->pairs_capacity, (Y + 2) * Y, err))
        return false;
    walk->pairs = e->work->pairs;
    walk->mass = walk->pairs + Y * Y;
    walk->next = walk->mass + Y;
    return true;
}

/* Fills `mass` for the first word; the outside before the sentence's first word counts as a label. */
static void enter(const struct walk *walk, uint32_t type)
{
    size_t Y = walk->Y, lefts = walk->at.from ? Y : 1;
    for (size_t r = 0; r < Y; r++) {
        walk->mass[r] = 0;
        for (size_t l = 0; l < lefts && walk->rules->type[r] == type; l++)
            if (walk->rules->opens[(walk->at.from ? l : Y) * Y + r])
                walk->mass[r] += walk->pairs[l * Y + r];
    }
}

/* Goes on to the next word, before which the chunk ends or does not. */
static void step(struct walk *walk, bool ends)
{
    size_t Y = walk->Y;
    double *swap = walk->mass;
    for (size_t r = 0; r < Y; r++)
        walk->next[r] = 0;
    for (size_t l = 0; l < Y; l++) {
        const double *row = walk->pairs + l * Y;
        const bool *closes = walk->rules->closes + l * (Y + 1);
        double all = 0;
        for (size_t r = 0; r < Y; r++)
            all += row[r];
        for (size_t r = 0; all > 0 && r < Y; r++)
            if (closes[r] == ends)
                walk->next[r] += walk->mass[l] * (row[r] / all);
    }
    walk->mass = walk->next;
    walk->next = swap;
}

bool marginal_of_chunk(struct evidence *e, const struct span_rules *rules, struct extent at, uint32_t type,
                       double *probability, struct vouch_error *err)
{
    const struct structure *structure = e->voice->structure;
    struct walk walk = {.rules = rules, .at = at, .Y = e->options};
    if (!walk_open(&walk, e, err))
        return false;
    structure->neighbours(&e->messages, at.from, walk.pairs);
    enter(&walk, type);
    for (uint32_t n = at.from + 1; n <= at.to && n < e->N; n++) {
        structure->neighbours(&e->messages, n, walk.pairs);
        step(&walk, n == at.to);
    }
    double sum = 0;
    for (size_t y = 0; y < walk.Y; y++)
        if (at.to < e->N || rules->closes[y * (walk.Y + 1) + walk.Y])
            sum += walk.mass[y];
    *probability = fmin(1, sum);
    return true;
}

static bool gamma_span(const struct method *self, struct evidence *e, const struct span_rules *rules, struct extent at,
                       double *confidence, struct vouch_error *err)
{
    (void)self;
    return marginal_of_chunk(e, rules, at, rules->type[e->choice[at.from]], confidence, err);
}

static double gamma_whole(const struct method *self, const struct evidence *e)
{
    (void)self;
    return fmin(1, exp_of(e->voice->params.c * e->voice->structure->score(&e->scores, e->choice) - e->log_z));
}

const struct method gamma_method = {
    .name = "gamma",
    .summary = "marginal probability of the word's choice",
    .formula = "sum of exp(c * score) over the answers with the word's choice / over all answers",
    .cost = "one forward-backward pass; for trees one matrix inversion",
    .use = "of a crf voice: its marginals; of others: c must be tuned",
    .params = "c",
    .needs = EVIDENCE_MARGINALS,
    .bounded = true,
    .words = gamma_words,
    .span = gamma_span,
    .whole = gamma_whole,
};

/* ---- Votes ---- */

/*
 * Votes are the share of K other answers that agree with the word's choice:
 *
 *     nu[n] = sum_{i : z_i[n] = answer[n]} w_i / sum_i w_i
 *
 *   kb       the z_i are the K best answers, w_i = 1
 *   wkb      the same, w_i = max(0, score(z_i)); as kb where all are 0
 *   kd-fix   z_i is the best answer of model i, drawn from N(mean, s I)
 *   kd-pc    of model i, drawn from N(mean, s diag(var))
 *   votes    of set i of the given scores of another model
 *   +delta   votes first, the margin among equals: (votes + m / (1 + m)) / (K + 1)
 *
 * Mejer and Crammer, section on confidence by alternatives. A chunk counts where boundaries and type agree, a sentence
 * where everything does. Cost: O(K N) once the answers are there.
 */

static double weight_of(const struct answers *a, uint32_t i, bool clipped)
{
    return clipped ? fmax(0, a->weight[i]) : 1;
}

/* Returns the total weight of the votes; *weighted says whether weights differ. */
static double all_votes(const struct answers *a, bool *weighted)
{
    double sum = 0;
    for (uint32_t i = 0; a->weight && i < a->count; i++)
        sum += weight_of(a, i, true);
    *weighted = sum > 0;
    return *weighted ? sum : a->count;
}

double share_of_word(const struct answers *a, const uint32_t *choice, uint32_t N, uint32_t word)
{
    bool weighted;
    double all = all_votes(a, &weighted), sum = 0;
    for (uint32_t i = 0; i < a->count; i++)
        if (a->choice[(size_t)i * N + word] == choice[word])
            sum += weight_of(a, i, weighted);
    return sum / all;
}

double share_of_span(const struct answers *a, const uint32_t *choice, uint32_t N, const struct span_rules *rules,
                     struct extent span)
{
    bool weighted;
    double all = all_votes(a, &weighted), sum = 0;
    for (uint32_t i = 0; i < a->count; i++)
        if (span_agrees(rules, choice, a->choice + (size_t)i * N, N, span))
            sum += weight_of(a, i, weighted);
    return sum / all;
}

double share_of_whole(const struct answers *a, const uint32_t *choice, uint32_t N)
{
    bool weighted;
    double all = all_votes(a, &weighted), sum = 0;
    for (uint32_t i = 0; i < a->count; i++) {
        const uint32_t *other = a->choice + (size_t)i * N;
        uint32_t n = 0;
        while (n < N && other[n] == choice[n])
            n++;
        if (n == N)
            sum += weight_of(a, i, weighted);
    }
    return sum / all;
}

struct answers answers_of(const struct method *method, const struct evidence *e)
{
    struct answers answers = method->needs & EVIDENCE_FIX ? e->fix : method->needs & EVIDENCE_PC ? e->pc : e->kbest;
    const struct method_params *params = &e->voice->params;
    uint32_t K = method->weighted && params->weighted ? params->weighted : params->best;
    if (method->needs & EVIDENCE_KBEST && answers.count > K)
        answers.count = K; /* the best come first */
    if (!method->weighted)
        answers.weight = NULL;
    if (e->voice->params.plain || !e->voice->structure->rivals || method->needs & EVIDENCE_MARGIN)
        answers.limit = NULL;
    return answers;
}

/*
 * Moves a share of votes towards the one that any number of draws would give (draw_limit.h): votes have luck and ties,
 * the limit has neither but is an approximation. LIMIT_COUNTS draws' worth of it ranked errors better than votes alone
 * on all of eight models of chains; twice as much, and the limit alone, ranked as well (docs/MEASUREMENTS.md).
 */
enum { LIMIT_COUNTS = 50 };

static double shrink(const struct answers *answers, double share, double limit)
{
    return (share * answers->count + LIMIT_COUNTS * limit) / (answers->count + LIMIT_COUNTS);
}

/* Ranks by votes, then by the margin: one vote is worth more than any margin. */
static double break_tie(const struct answers *answers, double share, double margin)
{
    double ahead = fmax(0, margin), below_one = isinf(ahead) ? 1 : ahead / (1 + ahead);
    return (share * answers->count + below_one) / (answers->count + 1);
}

/* Adds the weight of an answer to the share of every word that it gives the same choice. */
static void add_votes(const uint32_t *restrict other, const uint32_t *restrict choice, uint32_t N, double weight,
                      double *restrict share)
{
    for (uint32_t n = 0; n < N; n++)
        share[n] += other[n] == choice[n] ? weight : 0;
}

/* Computes share_of_word() of all words, answer by answer; labels that are written alike agree. */
static void share_of_words(const struct answers *a, const struct evidence *e, double *share)
{
    const uint32_t *choice = e->choice, N = e->N;
    bool weighted, respelled = evidence_respelled(e);
    double all = all_votes(a, &weighted);
    for (uint32_t n = 0; n < N; n++)
        share[n] = 0;
    for (uint32_t i = 0; i < a->count; i++) {
        const uint32_t *other = a->choice + (size_t)i * N;
        double weight = weight_of(a, i, weighted);
        add_votes(other, choice, N, weight, share);
        for (uint32_t n = 0; respelled && n < N; n++)
            share[n] += other[n] != choice[n] && evidence_alike(e, n, other[n]) ? weight : 0;
    }
    for (uint32_t n = 0; n < N; n++)
        share[n] /= all;
}

static void count_words(const struct method *self, const struct evidence *e, double *confidence)
{
    struct answers answers = answers_of(self, e);
    share_of_words(&answers, e, confidence);
    for (uint32_t n = 0; answers.limit && n < e->N; n++)
        confidence[n] = shrink(&answers, confidence[n], answers.limit[n]);
    for (uint32_t n = 0; self->needs & EVIDENCE_MARGIN && n < e->N; n++)
        confidence[n] = break_tie(&answers, confidence[n], e->margin[n]);
}

static bool count_span(const struct method *self, struct evidence *e, const struct span_rules *rules, struct extent at,
                       double *confidence, struct vouch_error *err)
{
    struct answers answers = answers_of(self, e);
    (void)err;
    *confidence = share_of_span(&answers, e->choice, e->N, rules, at);
    if (answers.limit)
        *confidence = shrink(&answers, *confidence, smallest(answers.limit, at.from, at.to));
    if (self->needs & EVIDENCE_MARGIN)
        *confidence = break_tie(&answers, *confidence, smallest(e->margin, at.from, at.to));
    return true;
}

static double count_whole(const struct method *self, const struct evidence *e)
{
    struct answers answers = answers_of(self, e);
    return share_of_whole(&answers, e->choice, e->N);
}

/* The functions of methods that count votes. */
#define COUNTED .bounded = true, .votes = true, .words = count_words, .span = count_span, .whole = count_whole

const struct method kb_method = {
    .name = "kb",
    .summary = "share of the K best answers that agree",
    .formula = "answers among the K best with the word's choice / K",
    .cost = "one K-best decoding",
    .use = "for comparison: the K best answers differ little from each other",
    .params = "K",
    .needs = EVIDENCE_KBEST,
    COUNTED,
};

const struct method wkb_method = {
    .name = "wkb",
    .summary = "the same, weighted by their scores",
    .formula = "sum of max(0, score) over those of the K best with the word's choice / over all K",
    .cost = "one K-best decoding",
    .use = "for comparison, as kb",
    .params = "K",
    .needs = EVIDENCE_KBEST,
    .weighted = true,
    COUNTED,
};

const struct method kd_fix_method = {
    .name = "kd-fix",
    .summary = "share of K drawn models that agree, one variance for all weights",
    .formula = "models w_i ~ N(mean, s I) whose best answer has the word's choice / K; of labels, 50 draws' worth of "
               "its limit is added",
    .cost = "K models at once: with K = 50 two to four times a plain run",
    .use = "works with every learner; the paper's best for ranking",
    .params = "K s",
    .needs = EVIDENCE_FIX,
    COUNTED,
};

const struct method kd_pc_method = {
    .name = "kd-pc",
    .summary = "share of K drawn models that agree, each weight with its own variance",
    .formula = "models w_i ~ N(mean, s diag(var)) whose best answer has the word's choice / K; of labels as kd-fix",
    .cost = "K models at once, somewhat more than kd-fix",
    .use = "confidence-weighted voices only: what is rarely seen varies more",
    .params = "K s",
    .needs = EVIDENCE_PC,
    .variance = true,
    COUNTED,
};

const struct method kd_fix_delta_method = {
    .name = "kd-fix+delta",
    .summary = "kd-fix, ties broken by the margin",
    .formula = "(votes + delta / (1 + delta)) / (K + 1)",
    .cost = "kd-fix and delta",
    .use = "ranking: most words have all votes, and the margin tells them apart",
    .params = "K s",
    .needs = EVIDENCE_FIX | EVIDENCE_MARGIN,
    COUNTED,
};

const struct method kd_pc_delta_method = {
    .name = "kd-pc+delta",
    .summary = "kd-pc, ties broken by the margin",
    .formula = "(votes + delta / (1 + delta)) / (K + 1)",
    .cost = "kd-pc and delta",
    .use = "as kd-fix+delta, for confidence-weighted voices",
    .params = "K s",
    .needs = EVIDENCE_PC | EVIDENCE_MARGIN,
    .variance = true,
    COUNTED,
};

const struct method votes_method = {
    .name = "votes",
    .summary = "share of the sets of scores from elsewhere that agree",
    .formula = "sets of scores whose best answer has the word's choice / K",
    .cost = "one decoding a set",
    .use = "ensembles and passes of dropout, given to the library as several sets of scores",
    .params = "",
    .needs = EVIDENCE_PC,
    .sets = true,
    COUNTED,
};

const struct method votes_delta_method = {
    .name = "votes+delta",
    .summary = "votes, ties broken by the margin",
    .formula = "(votes + delta / (1 + delta)) / (K + 1)",
    .cost = "votes and delta",
    .use = "as votes: few sets have few ties to tell apart otherwise",
    .params = "",
    .needs = EVIDENCE_PC | EVIDENCE_MARGIN,
    .sets = true,
    COUNTED,
};

/* ---- Luck ---- */

/*
 * Random numbers show what a ranking by luck finds.
 *
 * They are a pure function of the sentence's scores and the word's place, so
 * that they depend neither on threads nor on the order of sentences.
 */

static void random_words(const struct method *self, const struct evidence *e, double *confidence)
{
    (void)self;
    uint64_t sentence = hash_bytes(e->scores.node, sizeof(float) * e->scores.G * e->scores.width);
    for (uint32_t n = 0; n < e->N; n++)
        confidence[n] = (double)(hash_mix(sentence, n) >> 11) * 0x1p-53;
}

static bool random_span(const struct method *self, struct evidence *e, const struct span_rules *rules, struct extent at,
                        double *confidence, struct vouch_error *err)
{
    (void)self, (void)rules, (void)err;
    uint64_t sentence = hash_bytes(e->scores.node, sizeof(float) * e->scores.G * e->scores.width);
    *confidence = (double)(hash_mix(hash_mix(sentence, at.from), at.to) >> 11) * 0x1p-53;
    return true;
}

const struct method random_method = {
    .name = "random",
    .summary = "luck, for comparison",
    .formula = "uniform in 0 .. 1",
    .cost = "nothing",
    .use = "the floor that every other method must leave behind",
    .params = "",
    .bounded = true,
    .words = random_words,
    .span = random_span,
};

/* ---- All of them ---- */

const struct method *const methods[] = {
    &delta_method,        &gamma_method,       &kb_method,    &wkb_method,         &kd_fix_method, &kd_pc_method,
    &kd_fix_delta_method, &kd_pc_delta_method, &votes_method, &votes_delta_method, &random_method, NULL,
};

const struct method *method_find(const char *name, size_t length)
{
    for (size_t i = 0; methods[i]; i++)
        if (strlen(methods[i]->name) == length && memcmp(methods[i]->name, name, length) == 0)
            return methods[i];
    return NULL;
}
