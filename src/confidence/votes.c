/*
 * Votes: the share of K other answers that agree with the word's choice.
 *
 *     nu[n] = sum_{i : z_i[n] = answer[n]} w_i / sum_i w_i
 *
 *   kb       the z_i are the K best answers, w_i = 1
 *   wkb      the same, w_i = max(0, score(z_i)); as kb where all are 0
 *   kd-fix   z_i is the best answer of model i, drawn from N(mean, s I)
 *   kd-pc    of model i, drawn from N(mean, s diag(var))
 *   +delta   votes first, the margin among equals: (votes + m / (1 + m)) / (K + 1)
 *
 * Mejer and Crammer, section on confidence by alternatives. A chunk counts
 * where boundaries and type agree, a sentence where everything does.
 * Cost: O(K N) after the answers are there.
 */
#include "confidence/method.h"

#include <math.h>

static double weight_of(const struct answers *a, uint32_t i, bool clipped)
{
    return clipped ? fmax(0, a->weight[i]) : 1;
}

/* What the votes weigh in all; *weighted says whether they weigh differently. */
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

bool span_agrees(const struct span_rules *rules, const uint32_t *choice, const uint32_t *other, uint32_t N,
                 struct extent span)
{
    size_t Y = rules->labels, left = span.from ? other[span.from - 1] : Y, right = span.to < N ? other[span.to] : Y;
    for (uint32_t n = span.from; n < span.to; n++)
        if (other[n] != choice[n])
            return false;
    return rules->opens[left * Y + other[span.from]] && rules->closes[other[span.to - 1] * (Y + 1) + right];
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

/* The answers that a method counts. */
typedef struct answers (*ballot)(const struct evidence *e);

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

static void count_words(const struct evidence *e, ballot ballot, double *confidence)
{
    struct answers answers = ballot(e);
    for (uint32_t n = 0; n < e->N; n++)
        confidence[n] = e->forced[n] ? 1 : share_of_word(&answers, e->choice, e->N, n);
}

/* Votes first, then the margin: one vote is worth more than any margin. */
static double break_tie(const struct answers *answers, double share, double margin)
{

    double below_one = isinf(margin) ? 1 : fmax(0, margin) / (1 + fmax(0, margin));
    return (share * answers->count + below_one) / (answers->count + 1);
}

#define VOTES(id, ballot)                                                                                              \
    static void id##_words(const struct evidence *e, double *confidence)                                               \
    {                                                                                                                  \
        count_words(e, ballot, confidence);                                                                            \
    }                                                                                                                  \
    static bool id##_span(struct evidence *e, const struct span_rules *rules, struct extent at, double *confidence,    \
                          struct vouch_error *err)                                                                     \
    {                                                                                                                  \
        struct answers answers = ballot(e);                                                                            \
        (void)err;                                                                                                     \
        *confidence = share_of_span(&answers, e->choice, e->N, rules, at);                                             \
        return true;                                                                                                   \
    }                                                                                                                  \
    static double id##_whole(const struct evidence *e)                                                                 \
    {                                                                                                                  \
        struct answers answers = ballot(e);                                                                            \
        return share_of_whole(&answers, e->choice, e->N);                                                              \
    }

VOTES(kb, best_answers)
VOTES(wkb, scored_answers)
VOTES(fix, fix_answers)
VOTES(pc, pc_answers)

#define VOTES_THEN_MARGIN(id, ballot)                                                                                  \
    static void id##_delta_words(const struct evidence *e, double *confidence)                                         \
    {                                                                                                                  \
        struct answers answers = ballot(e);                                                                            \
        count_words(e, ballot, confidence);                                                                            \
        for (uint32_t n = 0; n < e->N; n++)                                                                            \
            confidence[n] = break_tie(&answers, confidence[n], e->margin[n]);                                          \
    }                                                                                                                  \
    static bool id##_delta_span(struct evidence *e, const struct span_rules *rules, struct extent at,                  \
                                double *confidence, struct vouch_error *err)                                           \
    {                                                                                                                  \
        struct answers answers = ballot(e);                                                                            \
        (void)err;                                                                                                     \
        *confidence = break_tie(&answers, share_of_span(&answers, e->choice, e->N, rules, at),                         \
                                smallest(e->margin, at.from, at.to));                                                  \
        return true;                                                                                                   \
    }

VOTES_THEN_MARGIN(fix, fix_answers)
VOTES_THEN_MARGIN(pc, pc_answers)

const struct method kb_method = {
    .name = "kb",
    .summary = "share of the K best answers that agree",
    .formula = "answers among the K best with the word's choice / K",
    .cost = "one K-best decoding",
    .use = "for comparison: the K best answers differ little from each other",
    .knobs = "K",
    .looks = LOOK_KBEST,
    .bounded = true,
    .words = kb_words,
    .span = kb_span,
    .whole = kb_whole,
};

const struct method wkb_method = {
    .name = "wkb",
    .summary = "the same, weighted by their scores",
    .formula = "sum of max(0, score) over those of the K best with the word's choice / over all K",
    .cost = "one K-best decoding",
    .use = "for comparison, as kb",
    .knobs = "K",
    .looks = LOOK_KBEST,
    .bounded = true,
    .words = wkb_words,
    .span = wkb_span,
    .whole = wkb_whole,
};

const struct method kd_fix_method = {
    .name = "kd-fix",
    .summary = "share of K drawn models that agree, one variance for all weights",
    .formula = "models w_i ~ N(mean, s I) whose best answer has the word's choice / K",
    .cost = "K models at once: less than two plain runs at K = 50",
    .use = "works with every learner; the paper's best for ranking",
    .knobs = "K s",
    .looks = LOOK_FIX,
    .bounded = true,
    .words = fix_words,
    .span = fix_span,
    .whole = fix_whole,
};

const struct method kd_pc_method = {
    .name = "kd-pc",
    .summary = "share of K drawn models that agree, each weight with its own variance",
    .formula = "models w_i ~ N(mean, s diag(var)) whose best answer has the word's choice / K",
    .cost = "K models at once, somewhat more than kd-fix",
    .use = "confidence-weighted voices only: what is rarely seen varies more",
    .knobs = "K s",
    .looks = LOOK_PC,
    .variance = true,
    .bounded = true,
    .words = pc_words,
    .span = pc_span,
    .whole = pc_whole,
};

const struct method kd_fix_delta_method = {
    .name = "kd-fix+delta",
    .summary = "kd-fix, ties broken by the margin",
    .formula = "(votes + delta / (1 + delta)) / (K + 1)",
    .cost = "kd-fix and delta",
    .use = "ranking: most words have all votes, and the margin tells them apart",
    .knobs = "K s",
    .looks = LOOK_FIX | LOOK_MARGIN,
    .bounded = true,
    .words = fix_delta_words,
    .span = fix_delta_span,
    .whole = fix_whole,
};

const struct method kd_pc_delta_method = {
    .name = "kd-pc+delta",
    .summary = "kd-pc, ties broken by the margin",
    .formula = "(votes + delta / (1 + delta)) / (K + 1)",
    .cost = "kd-pc and delta",
    .use = "as kd-fix+delta, for confidence-weighted voices",
    .knobs = "K s",
    .looks = LOOK_PC | LOOK_MARGIN,
    .variance = true,
    .bounded = true,
    .words = pc_delta_words,
    .span = pc_delta_span,
    .whole = pc_whole,
};
