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
 * Mejer and Crammer, section on confidence by alternatives. A chunk counts
 * where boundaries and type agree, a sentence where everything does. Cost:
 * O(K N) once the answers are there.
 */
#include "confidence/method.h"

#include <math.h>

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

/* Returns the answers that a method counts. */
static struct answers best_answers(const struct evidence *e)
{
    return (struct answers){.count = e->kbest.count, .choice = e->kbest.choice};
}

static struct answers scored_answers(const struct evidence *e)
{
    return e->kbest;
}

static struct answers fix_answers(const struct evidence *e)
{
    return e->fix;
}

static struct answers pc_answers(const struct evidence *e)
{
    return e->pc;
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

static void words(const struct method *self, const struct evidence *e, double *confidence)
{
    struct answers answers = self->ballot(e);
    share_of_words(&answers, e, confidence);
    for (uint32_t n = 0; self->looks & LOOK_MARGIN && n < e->N; n++)
        confidence[n] = break_tie(&answers, confidence[n], e->margin[n]);
}

static bool span(const struct method *self, struct evidence *e, const struct span_rules *rules, struct extent at,
                 double *confidence, struct vouch_error *err)
{
    struct answers answers = self->ballot(e);
    (void)err;
    *confidence = share_of_span(&answers, e->choice, e->N, rules, at);
    if (self->looks & LOOK_MARGIN)
        *confidence = break_tie(&answers, *confidence, smallest(e->margin, at.from, at.to));
    return true;
}

static double whole(const struct method *self, const struct evidence *e)
{
    struct answers answers = self->ballot(e);
    return share_of_whole(&answers, e->choice, e->N);
}

/* The functions of methods that count the votes of the answers that `of` gives. */
#define COUNTED(of) .bounded = true, .ballot = of, .words = words, .span = span, .whole = whole

const struct method kb_method = {
    .name = "kb",
    .summary = "share of the K best answers that agree",
    .formula = "answers among the K best with the word's choice / K",
    .cost = "one K-best decoding",
    .use = "for comparison: the K best answers differ little from each other",
    .params = "K",
    .looks = LOOK_KBEST,
    COUNTED(best_answers),
};

const struct method wkb_method = {
    .name = "wkb",
    .summary = "the same, weighted by their scores",
    .formula = "sum of max(0, score) over those of the K best with the word's choice / over all K",
    .cost = "one K-best decoding",
    .use = "for comparison, as kb",
    .params = "K",
    .looks = LOOK_KBEST,
    COUNTED(scored_answers),
};

const struct method kd_fix_method = {
    .name = "kd-fix",
    .summary = "share of K drawn models that agree, one variance for all weights",
    .formula = "models w_i ~ N(mean, s I) whose best answer has the word's choice / K",
    .cost = "K models at once: with K = 50 two to four times a plain run",
    .use = "works with every learner; the paper's best for ranking",
    .params = "K s",
    .looks = LOOK_FIX,
    COUNTED(fix_answers),
};

const struct method kd_pc_method = {
    .name = "kd-pc",
    .summary = "share of K drawn models that agree, each weight with its own variance",
    .formula = "models w_i ~ N(mean, s diag(var)) whose best answer has the word's choice / K",
    .cost = "K models at once, somewhat more than kd-fix",
    .use = "confidence-weighted voices only: what is rarely seen varies more",
    .params = "K s",
    .looks = LOOK_PC,
    .variance = true,
    COUNTED(pc_answers),
};

const struct method kd_fix_delta_method = {
    .name = "kd-fix+delta",
    .summary = "kd-fix, ties broken by the margin",
    .formula = "(votes + delta / (1 + delta)) / (K + 1)",
    .cost = "kd-fix and delta",
    .use = "ranking: most words have all votes, and the margin tells them apart",
    .params = "K s",
    .looks = LOOK_FIX | LOOK_MARGIN,
    COUNTED(fix_answers),
};

const struct method kd_pc_delta_method = {
    .name = "kd-pc+delta",
    .summary = "kd-pc, ties broken by the margin",
    .formula = "(votes + delta / (1 + delta)) / (K + 1)",
    .cost = "kd-pc and delta",
    .use = "as kd-fix+delta, for confidence-weighted voices",
    .params = "K s",
    .looks = LOOK_PC | LOOK_MARGIN,
    .variance = true,
    COUNTED(pc_answers),
};

const struct method votes_method = {
    .name = "votes",
    .summary = "share of the sets of scores from elsewhere that agree",
    .formula = "sets of scores whose best answer has the word's choice / K",
    .cost = "one decoding a set",
    .use = "ensembles and passes of dropout, given to the library as several sets of scores",
    .params = "",
    .looks = LOOK_PC,
    .sets = true,
    COUNTED(pc_answers),
};

const struct method votes_delta_method = {
    .name = "votes+delta",
    .summary = "votes, ties broken by the margin",
    .formula = "(votes + delta / (1 + delta)) / (K + 1)",
    .cost = "votes and delta",
    .use = "as votes: few sets have few ties to tell apart otherwise",
    .params = "",
    .looks = LOOK_PC | LOOK_MARGIN,
    .sets = true,
    COUNTED(pc_answers),
};
