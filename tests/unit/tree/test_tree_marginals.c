/*
 * Tests marginals of trees against brute force: all one-root trees of a few words are listed and weighed in long
 * double. Longer sentences are checked for what must be true of any marginals: sums, derivatives of the normaliser, and
 * the agreement of the two ways in which they are computed.
 *
 * The scores of arcs from a word to itself are NaN: they must not be read.
 */

#include "base/random.h"
#include "tree/tree.h"

#include "test.h"

enum { LONGEST = 5, MOST_TREES = 625 };

enum kind { RANDOM, TIED, FORBIDDEN, TIED_FORBIDDEN, STEEP, CYCLIC, NESTED, LARGE, HUGE_SCORES, HUGE_TIED, KINDS };
static const char *const kind_name[] = {"random", "tied", "forbidden", "tied and forbidden", "steep", "cyclic",
                                        "nested", "1e6",  "1e30",      "1e30 and tied"};

struct problem {
    struct scores scores;
    struct scratch scratch;
    enum kind kind;
    double scale;
    uint32_t head[MOST_TREES][LONGEST]; /* all one-root trees of N words */
    uint32_t trees;
    long double expected[LONGEST * (LONGEST + 1)], log_z; /* log_z -inf: no tree is finite */
};

#include "scored_problem.h"

#define CHECK(problem, condition)                                                                                      \
    do {                                                                                                               \
        if (!(condition))                                                                                              \
            fail_msg("N=%u scale %g, %s scores: %s", (problem)->scores.N, (problem)->scale,                            \
                     kind_name[(problem)->kind], #condition);                                                          \
    } while (0)

typedef bool marginals(const struct scores *scores, double scale, struct scratch *scratch, struct scores *marginal,
                       double *log_z, struct vouch_error *err);

/*
 * Returns the score by which two words prefer each other as heads, in pairs,
 * and the pairs in fours. The weights of other arcs fall on both sides of the
 * least that linear computation can take, which is e^-700.
 */
static double attraction(enum kind kind, uint32_t word, uint32_t head)
{
    if (head == 0)
        return 0;
    if (kind == CYCLIC)
        return (word ^ 1) == head - 1 ? 700 : 0;
    return word / 2 == (head - 1) / 2 ? 1700 : word / 4 == (head - 1) / 4 ? 800 : 0;
}

static float random_score(struct rng *rng, enum kind kind, uint32_t word, uint32_t head)
{
    double unit = 2 * rng_uniform(rng) - 1;
    bool forbid = rng_below(rng, 3) == 0;
    switch (kind) {
    case TIED:
        return (float)rng_below(rng, 3);
    case FORBIDDEN:
        return forbid ? -INFINITY : (float)(3 * unit);
    case TIED_FORBIDDEN:
        return forbid ? -INFINITY : (float)rng_below(rng, 2);
    case STEEP:
        return (float)(1000 * unit);
    case CYCLIC:
    case NESTED:
        return (float)(attraction(kind, word, head) + 3 * unit);
    case LARGE:
        return (float)(1e6 * unit);
    case HUGE_SCORES:
        return (float)(1e30 * unit);
    case HUGE_TIED:
        return 1e30f * (float)rng_below(rng, 2);
    default:
        return (float)(3 * unit);
    }
}

static float *score_at(const struct scores *s, uint32_t word, uint32_t head)
{
    return s->node + tree_group(s->N, word, head);
}

static void make_scores(struct problem *p, struct rng *rng, uint32_t N)
{
    struct vouch_error err = {0};
    assert_true(scores_shape(&p->scores, N, N * (N + 1), 1, 0, &err));
    for (uint32_t m = 0; m < N; m++)
        for (uint32_t h = 0; h <= N; h++)
            *score_at(&p->scores, m, h) = h == m + 1 ? NAN : random_score(rng, p->kind, m, h);
}

static struct problem *unscaled_problem(void)
{
    struct problem *p = new_problem();
    p->scale = 1;
    return p;
}

/* Memory for marginals, full of what must not be left there. */
static struct scores dirty_marginal(const struct problem *p)
{
    struct scores marginal = {0};
    struct vouch_error err = {0};
    assert_true(scores_zero_like(&marginal, &p->scores, &err));
    for (size_t i = 0; i < marginal.node_capacity; i++)
        marginal.node[i] = INFINITY;
    return marginal;
}

/* ---- brute force ---- */

static bool is_tree(const uint32_t *head, uint32_t N)
{
    uint32_t roots = 0;
    for (uint32_t m = 0; m < N; m++) {
        uint32_t at = m + 1, steps = 0;
        while (at != 0 && steps++ <= N)
            at = head[at - 1];
        if (at != 0)
            return false;
        roots += head[m] == 0;
    }
    return roots == 1;
}

static void list_trees(struct problem *p, uint32_t N)
{
    uint32_t assignments = 1;
    for (uint32_t m = 0; m < N; m++)
        assignments *= N + 1;
    p->trees = 0;
    for (uint32_t i = 0; i < assignments; i++) {
        uint32_t head[LONGEST];
        for (uint32_t m = 0, rest = i; m < N; m++, rest /= N + 1)
            head[m] = rest % (N + 1);
        if (is_tree(head, N))
            memcpy(p->head[p->trees++], head, N * sizeof *head);
    }
}

static long double score_of(const struct problem *p, uint32_t tree)
{
    long double score = 0;
    for (uint32_t m = 0; m < p->scores.N; m++)
        score += (long double)*score_at(&p->scores, m, p->head[tree][m]);
    return score;
}

static void marginals_by_hand(struct problem *p)
{
    uint32_t N = p->scores.N;
    long double top = -INFINITY, sum = 0;
    memset(p->expected, 0, sizeof p->expected);
    for (uint32_t i = 0; i < p->trees; i++)
        top = fmaxl(top, score_of(p, i));
    p->log_z = -INFINITY;
    if (top == -INFINITY)
        return;
    for (uint32_t i = 0; i < p->trees; i++) {
        long double score = score_of(p, i);
        long double weight = score > -INFINITY ? expl((long double)p->scale * (score - top)) : 0;
        sum += weight;
        for (uint32_t m = 0; m < N; m++)
            p->expected[tree_group(N, m, p->head[i][m])] += weight;
    }
    for (size_t i = 0; i < p->scores.G; i++)
        p->expected[i] /= sum;
    p->log_z = (long double)p->scale * top + logl(sum);
}

static bool near(double got, double expected, double tolerance)
{
    return fabs(got - expected) <= tolerance * (1 + fabs(expected));
}

static void check_result(struct problem *p, const struct scores *got, double log_z)
{
    const struct scores *s = &p->scores;
    CHECK(p, near(log_z, (double)p->log_z, 1e-12));
    CHECK(p, got->N == s->N && got->G == s->G && got->width == s->width && got->E == 0);
    for (uint32_t i = 0; i < s->G * s->width; i++) {
        CHECK(p, near((double)got->node[i], (double)p->expected[i], 2e-7));
        CHECK(p, s->node[i] > -INFINITY || got->node[i] == 0);
    }
}

/* The linear way may decline; whatever it accepts must be right. Returns whether it does. */
static bool check_small_tree(struct problem *p)
{
    static marginals *const way[] = {tree_marginals, tree_marginals_logarithmic, tree_marginals_linear};
    bool linear = false;
    marginals_by_hand(p);
    for (int i = 0; i < 3; i++) {
        struct scores got = dirty_marginal(p);
        struct vouch_error err = {0};
        double log_z = NAN;
        bool done = way[i](&p->scores, p->scale, dirty(p), &got, &log_z, &err);
        linear = way[i] == tree_marginals_linear && done;
        if (p->log_z == -INFINITY) {
            CHECK(p, !done && err.status == VOUCH_ERR_ARGUMENT);
            if (way[i] != tree_marginals_linear)
                assert_string_equal(err.message, "no tree has a finite score");
        } else {
            CHECK(p, done || way[i] == tree_marginals_linear);
            if (done)
                check_result(p, &got, log_z);
        }
        scores_release(&got);
    }
    return linear;
}

TEST(small_trees_agree_with_brute_force)
{
    static const double scale[] = {0, 0.3, 1, 5};
    static const uint32_t trees[] = {0, 1, 2, 9, 64, 625};
    struct problem *p = unscaled_problem();
    struct rng rng = rng_new(2, 1);
    uint32_t by_kind[KINDS] = {0};
    for (uint32_t N = 1; N <= LONGEST; N++) {
        list_trees(p, N);
        assert_int_equal(p->trees, trees[N]);
        for (p->kind = 0; p->kind < KINDS; p->kind++)
            for (uint32_t repeat = 0; repeat < (N < LONGEST ? 30u : 6u); repeat++) {
                make_scores(p, &rng, N);
                for (size_t i = 0; i < sizeof scale / sizeof scale[0]; i++) {
                    p->scale = scale[i];
                    by_kind[p->kind] += check_small_tree(p);
                }
            }
    }
    for (uint32_t kind = 0; kind < KINDS; kind++)
        assert_true(by_kind[kind] > 0); /* or the linear way has not been tested with these scores */
    release(p);
}

/* ---- more words ---- */

/* What must hold of any marginals, whatever the scores are; `tolerance` is for the sum of root arcs. */
static void check_sums(struct problem *p, const struct scores *got, double tolerance)
{
    uint32_t N = p->scores.N;
    double roots = 0;
    for (uint32_t m = 0; m < N; m++) {
        double sum = 0;
        for (uint32_t i = 0; i <= N; i++) {
            float probability = score_at(got, m, 0)[i];
            CHECK(p, probability >= 0 && probability <= 1);
            CHECK(p, i != m + 1 || probability == 0);
            sum += (double)probability;
            roots += i == 0 ? (double)probability : 0;
        }
        CHECK(p, near(sum, 1, 1e-6));
    }
    CHECK(p, near(roots, 1, tolerance));
}

/* Words that depend on the one before, for 0: one tree is finite, at least. */
static void allow_one_tree(struct problem *p)
{
    for (uint32_t m = 0; m < p->scores.N; m++)
        *score_at(&p->scores, m, m) = 0;
}

TEST(both_ways_agree_on_many_words)
{
    static const enum kind kinds[] = {RANDOM, TIED, FORBIDDEN, TIED_FORBIDDEN};
    static const uint32_t words[] = {6, 7, 16, 33, 60, 61, 90, 200};
    struct problem *p = unscaled_problem();
    struct rng rng = rng_new(2, 2);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        for (size_t k = 0; k < (words[i] < 100 ? 4 : 1); k++) {
            struct vouch_error err = {0};
            double linear_z, other_z;
            p->kind = kinds[k];
            p->scale = k % 2 ? 0.7 : 4;
            make_scores(p, &rng, words[i]);
            allow_one_tree(p);
            struct scores linear = dirty_marginal(p), other = dirty_marginal(p);
            CHECK(p, tree_marginals_linear(&p->scores, p->scale, dirty(p), &linear, &linear_z, &err));
            CHECK(p, tree_marginals_logarithmic(&p->scores, p->scale, dirty(p), &other, &other_z, &err));
            CHECK(p, near(linear_z, other_z, 1e-12));
            for (size_t n = 0; n < (size_t)p->scores.G * p->scores.width; n++)
                CHECK(p, near((double)linear.node[n], (double)other.node[n], 2e-7));
            check_sums(p, &linear, 1e-6);
            check_sums(p, &other, 1e-6);
            scores_release(&linear);
            scores_release(&other);
        }
    release(p);
}

TEST(marginals_are_probabilities_whatever_the_scores)
{
    static const uint32_t words[] = {2, 3, 10, 40, 120};
    struct problem *p = unscaled_problem();
    struct rng rng = rng_new(2, 3);
    for (p->kind = 0; p->kind < KINDS; p->kind++)
        for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
            struct scores got = {0};
            struct vouch_error err = {0};
            double log_z;
            make_scores(p, &rng, words[i]);
            if (p->kind == FORBIDDEN || p->kind == TIED_FORBIDDEN)
                allow_one_tree(p);
            p->scale = 1;
            CHECK(p, tree_marginals(&p->scores, 1, dirty(p), &got, &log_z, &err));
            CHECK(p, isfinite(log_z));
            check_sums(p, &got, 1e-6);
            scores_release(&got);
        }
    release(p);
}

TEST(scores_of_very_different_size_give_probabilities)
{
    struct problem *p = unscaled_problem();
    struct rng rng = rng_new(2, 4);
    static const float size[] = {1, 1e3f, 1e6f, 1e12f, 1e20f, 1e30f, 1e38f};
    for (int repeat = 0; repeat < 2000; repeat++) {
        struct scores got = {0};
        struct vouch_error err = {0};
        double log_z;
        uint32_t sizes = 2 + rng_below(&rng, 6);
        p->kind = repeat % 3; /* random, tied or forbidden */
        make_scores(p, &rng, 2 + rng_below(&rng, 9));
        for (uint32_t i = 0; i < p->scores.G * p->scores.width; i++)
            p->scores.node[i] *= size[rng_below(&rng, sizes)];
        allow_one_tree(p);
        p->scale = repeat % 2 ? 1 : 100;
        CHECK(p, tree_marginals(&p->scores, p->scale, dirty(p), &got, &log_z, &err));
        CHECK(p, isfinite(log_z));
        check_sums(p, &got, p->scores.N); /* digits are lost: only words are sure to sum to one */
        scores_release(&got);
    }
    release(p);
}

/* A tree that stands out by far is certain, though its arcs are not the best of their words. */
TEST(a_tree_that_stands_out_is_certain)
{
    static const float lead[] = {100, 1000, 1e5f};
    struct problem *p = unscaled_problem();
    struct rng rng = rng_new(2, 5);
    for (size_t i = 0; i < sizeof lead / sizeof lead[0]; i++)
        for (uint32_t N = 4; N <= 64; N *= 2) {
            struct scores got = {0};
            struct vouch_error err = {0};
            double log_z, score = 0;
            make_scores(p, &rng, N);
            *score_at(&p->scores, 0, 0) += 2 * lead[i];
            for (uint32_t m = 1; m < N; m++) { /* each on the one before; the first and second like each other, too */
                *score_at(&p->scores, m, m) += 3 * lead[i];
                score += (double)*score_at(&p->scores, m, m);
            }
            *score_at(&p->scores, 0, 2) += 4 * lead[i];
            score += (double)*score_at(&p->scores, 0, 0);
            CHECK(p, tree_marginals(&p->scores, 1, dirty(p), &got, &log_z, &err));
            CHECK(p, near(log_z, score, 1e-12));
            for (uint32_t m = 0; m < N; m++)
                CHECK(p, near((double)*score_at(&got, m, m), 1, 1e-7));
            scores_release(&got);
        }
    release(p);
}

/* Unlikely arcs may have any probability: logarithms are needed only if all good trees have bad arcs. */
TEST(steep_scores_do_not_need_logarithms)
{
    struct problem *p = unscaled_problem();
    struct rng rng = rng_new(2, 7);
    p->kind = STEEP;
    for (uint32_t N = 2; N <= 100; N += 7) {
        struct scores got = {0};
        struct vouch_error err = {0};
        double log_z;
        make_scores(p, &rng, N);
        *score_at(&p->scores, 0, 0) = 4000; /* would be the root's, if there were not */
        *score_at(&p->scores, N / 2, 0) = 5000;
        for (uint32_t m = 0; m < N; m++)
            if (m != N / 2)
                *score_at(&p->scores, m, m < N / 2 ? m + 2 : m) = 1000;
        CHECK(p, tree_marginals_linear(&p->scores, 1, dirty(p), &got, &log_z, &err));
        check_sums(p, &got, 1e-6);
        scores_release(&got);
    }
    release(p);
}

/* Z is linear in the weight of an arc: adding x to its score multiplies Z by 1 + P (exp(scale x) - 1). */
static void check_derivative(struct problem *p, marginals *way, const struct scores *at, double log_z, size_t part)
{
    struct scores unused = {0};
    struct vouch_error err = {0};
    float kept = p->scores.node[part];
    double moved, probability = (double)at->node[part];
    for (int up = 0; up < 2; up++) {
        p->scores.node[part] = kept + (up ? 0.25f : -0.25f);
        double by = (double)p->scores.node[part] - (double)kept;
        CHECK(p, way(&p->scores, p->scale, dirty(p), &unused, &moved, &err));
        CHECK(p, fabs(moved - log_z - log1p(probability * expm1(p->scale * by))) <= 1e-6);
    }
    p->scores.node[part] = kept;
    scores_release(&unused);
}

TEST(marginals_are_the_derivatives_of_the_normaliser)
{
    static marginals *const way[] = {tree_marginals, tree_marginals_logarithmic};
    static const enum kind kinds[] = {RANDOM, TIED, CYCLIC, NESTED};
    static const double scale[] = {0.3, 1, 2};
    struct problem *p = unscaled_problem();
    struct rng rng = rng_new(2, 6);
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++)
        for (int i = 0; i < 2; i++)
            for (uint32_t repeat = 0; repeat < 6; repeat++) {
                struct scores at = {0};
                struct vouch_error err = {0};
                double log_z;
                uint32_t N = 2 + 4 * repeat;
                p->kind = kinds[k];
                p->scale = scale[repeat % 3];
                make_scores(p, &rng, N);
                CHECK(p, way[i](&p->scores, p->scale, dirty(p), &at, &log_z, &err));
                for (uint32_t probe = 0; probe < 40; probe++) {
                    uint32_t m = rng_below(&rng, N), h = rng_below(&rng, N + 1);
                    if (h != m + 1)
                        check_derivative(p, way[i], &at, log_z, tree_group(N, m, h));
                }
                scores_release(&at);
            }
    release(p);
}

/* ---- edges of the contract ---- */

TEST(no_words_and_one_word_have_one_tree)
{
    struct problem *p = unscaled_problem();
    struct vouch_error err = {0};
    struct scores got = {0};
    double log_z = 1;
    assert_true(scores_shape(&p->scores, 0, 0, 3, 0, &err));
    assert_true(tree_marginals(&p->scores, 1, &p->scratch, &got, &log_z, &err));
    assert_true(log_z == 0 && got.N == 0 && got.G == 0);

    assert_true(scores_shape(&p->scores, 1, 2, 1, 0, &err));
    p->scores.node[0] = -7;
    p->scores.node[1] = NAN;
    assert_true(tree_marginals(&p->scores, 0.5, &p->scratch, &got, &log_z, &err));
    assert_true(log_z == -3.5 && got.node[0] == 1 && got.node[1] == 0);
    scores_release(&got);
    release(p);
}

/* All arcs are forbidden but those of `arc`, pairs of a head and a word, which score 0. */
static bool has_tree(struct problem *p, uint32_t N, const uint32_t (*arc)[2], size_t arcs)
{
    struct scores got = {0};
    struct vouch_error err = {0};
    double log_z;
    assert_true(scores_shape(&p->scores, N, N * (N + 1), 1, 0, &err));
    for (uint32_t i = 0; i < N * (N + 1); i++)
        p->scores.node[i] = -INFINITY;
    for (size_t i = 0; i < arcs; i++)
        *score_at(&p->scores, arc[i][1] - 1, arc[i][0]) = 0;
    bool done = tree_marginals(&p->scores, 1, dirty(p), &got, &log_z, &err);
    if (!done)
        assert_string_equal(err.message, "no tree has a finite score");
    scores_release(&got);
    return done;
}

TEST(trees_are_found_if_there_are_any)
{
    struct problem *p = unscaled_problem();
    static const uint32_t path[][2] = {{0, 3}, {3, 1}, {1, 2}}, two_roots[][2] = {{0, 1}, {0, 2}, {1, 3}};
    static const uint32_t rootless[][2] = {{1, 2}, {2, 3}, {3, 1}};
    static const uint32_t apart[][2] = {{0, 1}, {0, 3}, {1, 2}, {2, 1}, {3, 4}, {4, 3}};
    static const uint32_t joined[][2] = {{0, 1}, {0, 3}, {1, 2}, {2, 1}, {3, 4}, {4, 3}, {4, 2}};
    static const uint32_t under[][2] = {{0, 4}, {4, 3}, {0, 1}, {1, 2}, {2, 1}, {3, 1}};
    assert_true(has_tree(p, 3, path, 3));
    assert_false(has_tree(p, 3, path, 2));
    assert_false(has_tree(p, 3, two_roots, 3));
    assert_false(has_tree(p, 3, rootless, 3));
    assert_false(has_tree(p, 4, apart, 6));
    assert_true(has_tree(p, 4, joined, 7));
    assert_true(has_tree(p, 4, under, 6));
    assert_false(has_tree(p, 1, path, 0));
    release(p);
}

TEST(impossible_requests_are_errors)
{
    struct problem *p = unscaled_problem();
    struct vouch_error err = {0};
    struct scores got = {0};
    double log_z;
    assert_true(scores_shape(&p->scores, 2, 6, 0, 0, &err));
    assert_false(tree_marginals(&p->scores, 1, &p->scratch, &got, &log_z, &err));
    assert_int_equal(err.status, VOUCH_ERR_ARGUMENT);
    assert_string_equal(err.message, "a tree of 2 words has 0 scores for each arc, expected one");
    make_scores(p, &(struct rng){1, 3, 0}, 2);
    static const double scale[] = {-1, NAN, INFINITY};
    for (int i = 0; i < 3; i++) {
        err.status = VOUCH_OK;
        assert_false(tree_marginals(&p->scores, scale[i], &p->scratch, &got, &log_z, &err));
        assert_int_equal(err.status, VOUCH_ERR_ARGUMENT);
    }
    scores_release(&got);
    release(p);
}
