/*
 * Tests the rivals of an answer against a list of all labellings: how far each lies behind, and the variances of the
 * parts where it differs.
 */
#include "base/random.h"
#include "chain/chain.h"

#include "must.h"

enum { LONGEST = 5, LABELS = 3 };

struct problem {
    struct scores scores, variance;
    struct scratch scratch;
    uint32_t best[LONGEST];
};

static void fill(struct scores *scores, uint32_t N, uint32_t Y, uint32_t E, struct rng *rng, bool positive)
{
    MUST(scores_shape(scores, N, N, Y, E, &err));
    for (size_t i = 0; i < (size_t)N * Y; i++)
        scores->node[i] = (float)(rng_uniform(rng) - (positive ? 0 : 0.5));
    for (size_t i = 0; i < (size_t)E * Y * Y; i++)
        scores->edge[i] = (float)(rng_uniform(rng) - (positive ? 0 : 0.5));
}

/* Returns the variance of the parts of `a` that `b` does not have. */
static double unshared(const struct scores *variance, const uint32_t *a, const uint32_t *b)
{
    size_t Y = variance->width;
    double sum = 0;
    for (uint32_t t = 0; t < variance->N; t++) {
        if (a[t] != b[t])
            sum += (double)variance->node[t * Y + a[t]];
        if (t > 0 && variance->E && (a[t] != b[t] || a[t - 1] != b[t - 1]))
            sum += (double)scores_edge(variance, t)[a[t - 1] * Y + a[t]];
    }
    return sum;
}

static void check(struct problem *p, uint32_t from, uint32_t to)
{
    uint32_t N = p->scores.N, Y = p->scores.width, all = 1;
    struct rival found[LONGEST * LABELS], expected[LONGEST * LABELS];
    double score = chain_structure.score(&p->scores, p->best);
    for (uint32_t i = 0; i < LONGEST * LABELS; i++)
        expected[i].behind = INFINITY;
    for (uint32_t t = from; t < to; t++)
        all *= Y;
    for (uint32_t i = 0; i < all; i++) {
        uint32_t label[LONGEST], rest = i;
        memcpy(label, p->best, sizeof label);
        for (uint32_t t = from; t < to; t++, rest /= Y)
            label[t] = rest % Y;
        struct rival one = {score - chain_structure.score(&p->scores, label), unshared(&p->variance, p->best, label),
                            unshared(&p->variance, label, p->best)};
        for (uint32_t t = from; t < to; t++)
            if (one.behind < expected[(t - from) * Y + label[t]].behind)
                expected[(t - from) * Y + label[t]] = one;
    }
    if (p->scratch.bytes)
        memset(p->scratch.bytes, 0xFF, p->scratch.capacity);
    struct rival_query query = {&p->scores, &p->variance, p->best, from, to};
    MUST(chain_rivals(&query, &p->scratch, found, &err));
    for (uint32_t i = 0; i < (to - from) * Y; i++)
        if (fabs(found[i].behind - expected[i].behind) > 1e-6 || fabs(found[i].answer - expected[i].answer) > 1e-6 ||
            fabs(found[i].own - expected[i].own) > 1e-6)
            fail_msg("%u words, %u labels, %u edges, words %u to %u: rival %u is %g behind with %g and %g, expected "
                     "%g, %g and %g",
                     N, Y, p->scores.E, from, to, i, found[i].behind, found[i].answer, found[i].own, expected[i].behind,
                     expected[i].answer, expected[i].own);
}

TEST(rivals_are_the_best_labellings_with_another_label)
{
    struct rng rng = rng_new(1, 1);
    struct problem p = {0};
    for (int round = 0; round < fewer(600); round++) {
        uint32_t N = 1 + rng_below(&rng, LONGEST), Y = 1 + rng_below(&rng, LABELS), E[] = {0, 1, N - 1};
        double best;
        fill(&p.scores, N, Y, E[round % 3], &rng, false);
        fill(&p.variance, N, Y, E[round % 3], &rng, true);
        MUST(chain_viterbi(&p.scores, &p.scratch, p.best, &best, &err));
        check(&p, 0, N);
        uint32_t from = rng_below(&rng, N);
        check(&p, from, from + 1 + rng_below(&rng, N - from));
        check(&p, from, from);
    }
    scores_release(&p.scores);
    scores_release(&p.variance);
    scratch_release(&p.scratch);
}
