/*
 * Makes scores for the tests of trees, all one-root trees of short sentences by brute force, and a plain decoder for
 * longer ones. Arcs from a word to itself have the best score of all, or NaN, so that code which looks at them fails.
 */
#ifndef VOUCH_TESTS_TREE_CASES_H
#define VOUCH_TESTS_TREE_CASES_H

#include "base/random.h"
#include "tree/tree.h"

#include "test.h"

enum { SHORT = 5, MOST_TREES = 625 }; /* N^(N - 1) trees of N words */

enum kind { RANDOM, TIED, FORBIDDEN, TIED_FORBIDDEN, MOSTLY_FORBIDDEN, LARGE, HUGE_SCORES, MIXED, KINDS };
static const char *const kind_name[] = {"random",           "tied", "forbidden", "tied and forbidden",
                                        "mostly forbidden", "1e6",  "1e30",      "1 and 1e30"};

struct tree {
    uint32_t head[SHORT];
    double score;
};

struct problem {
    struct scores scores;
    struct scratch scratch;
    enum kind kind;
    struct tree all[MOST_TREES]; /* sorted, best first */
    uint32_t trees, finite;
};

#include "scored_problem.h"

#define CHECK(problem, condition)                                                                                      \
    do {                                                                                                               \
        if (!(condition))                                                                                              \
            fail_msg("N=%u, %s scores: %s", (problem)->scores.N, kind_name[(problem)->kind], #condition);              \
    } while (0)

/* Random scores are multiples of 2^-18, so that their sums are exact in double. */
static inline float random_score(struct rng *rng, enum kind kind)
{
    double unit = 2 * rng_uniform(rng) - 1, exact = ldexp(floor(ldexp(unit, 20)), -18);
    uint32_t die = rng_below(rng, 8);
    switch (kind) {
    case TIED:
        return (float)rng_below(rng, 3);
    case FORBIDDEN:
        return die < 2 ? -INFINITY : (float)exact;
    case TIED_FORBIDDEN:
        return die < 3 ? -INFINITY : (float)rng_below(rng, 2);
    case MOSTLY_FORBIDDEN:
        return die < 5 ? -INFINITY : (float)exact;
    case LARGE:
        return (float)(unit * 1e6);
    case HUGE_SCORES:
        return (float)(unit * 1e30);
    case MIXED:
        return (float)(unit * (die < 2 ? 1e30 : 1));
    default:
        return (float)exact;
    }
}

/* Returns how far sums may be off by rounding. */
static inline double tolerance(const struct problem *p)
{
    double size = p->kind == LARGE ? 1e6 : p->kind == HUGE_SCORES || p->kind == MIXED ? 1e30 : 0;
    return size * 1e-15 * (1 + p->scores.N);
}

static inline bool close_to(const struct problem *p, double got, double expected)
{
    return got == expected || fabs(got - expected) <= tolerance(p);
}

static inline bool legal(struct problem *p, const uint32_t *choice, uint32_t N)
{
    return scratch_reserve(&p->scratch, (N + 1) * sizeof(uint32_t), NULL) &&
           tree_is_legal(choice, N, (uint32_t *)(void *)dirty(p)->bytes);
}

static inline float *arc(struct scores *s, uint32_t word, uint32_t head)
{
    return s->node + tree_group(s->N, word, head);
}

static inline void make_scores(struct problem *p, struct rng *rng, uint32_t N)
{
    struct vouch_error err = {0};
    assert_true(scores_shape(&p->scores, N, N * (N + 1), 1, 0, &err));
    for (uint32_t m = 0; m < N; m++)
        for (uint32_t h = 0; h <= N; h++)
            *arc(&p->scores, m, h) = h != m + 1 ? random_score(rng, p->kind) : rng_below(rng, 2) ? NAN : 3e38f;
}

static inline double weight(const struct scores *s, uint32_t word, uint32_t head)
{
    return (double)s->node[tree_group(s->N, word, head)];
}

static inline double sum_of(const struct scores *s, const uint32_t *head)
{
    double sum = 0;
    for (uint32_t m = 0; m < s->N; m++)
        sum += weight(s, m, head[m]);
    return sum;
}

/* Whether every word reaches the root in at most N steps, and one of them in one. */
static inline bool plainly_legal(const uint32_t *head, uint32_t N)
{
    uint32_t roots = 0;
    for (uint32_t m = 0; m < N; m++) {
        uint32_t at = m + 1, steps = 0;
        for (; at != 0 && steps <= N; steps++) {
            if (head[at - 1] > N)
                return false;
            at = head[at - 1];
        }
        if (at != 0)
            return false;
        roots += head[m] == 0;
    }
    return roots == 1;
}

static inline int by_score(const void *left, const void *right)
{
    const struct tree *a = left, *b = right;
    return (a->score < b->score) - (a->score > b->score);
}

static inline uint32_t list_legal(uint32_t N, uint32_t legal[MOST_TREES][SHORT])
{
    uint32_t vectors = 1, count = 0;
    for (uint32_t m = 0; m < N; m++)
        vectors *= N + 1;
    for (uint32_t i = 0; i < vectors; i++) {
        uint32_t head[SHORT] = {0};
        for (uint32_t m = 0, rest = i; m < N; m++, rest /= N + 1)
            head[m] = rest % (N + 1);
        if (plainly_legal(head, N))
            memcpy(legal[count++], head, sizeof head);
    }
    return count;
}

/* Lists all one-root trees of the problem, best first; the legal heads are found once. */
static inline void list_all(struct problem *p)
{
    static uint32_t count[SHORT + 1], legal[SHORT + 1][MOST_TREES][SHORT];
    uint32_t N = p->scores.N;
    if (count[N] == 0)
        count[N] = list_legal(N, legal[N]);
    p->trees = count[N];
    p->finite = 0;
    for (uint32_t i = 0; i < p->trees; i++) {
        memcpy(p->all[i].head, legal[N][i], sizeof p->all[i].head);
        p->all[i].score = sum_of(&p->scores, p->all[i].head);
        p->finite += p->all[i].score > -INFINITY;
    }
    qsort(p->all, p->trees, sizeof p->all[0], by_score);
}

#endif
