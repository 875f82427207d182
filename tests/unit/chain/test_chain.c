/*
 * Tests chains against brute force: all labellings of small chains are listed,
 * scored and sorted, and every function of the structure is compared with the
 * list. Longer chains are checked for consistency.
 */

#include "base/random.h"
#include "chain/chain.h"

#include "test.h"

enum { LONGEST = 10, MOST = 1024, MOST_LABELS = 10 };

enum edges { SHARED, EACH, ABSENT, EDGES };
static const char *const edges_name[] = {"shared", "each", "absent"};

enum kind { RANDOM, TIED, FORBIDDEN, TIED_FORBIDDEN, STEEP, STEEP_FORBIDDEN, LARGE, HUGE_SCORES, KINDS };
static const char *const kind_name[] = {
    "random", "tied", "forbidden", "tied and forbidden", "steep", "steep and forbidden", "1e6", "1e30"};

struct labelling {
    uint32_t label[LONGEST];
    double prefix[LONGEST]; /* score of the words up to here, summed from the left */
};

struct problem {
    struct scores scores;
    struct scratch scratch;
    enum edges edges;
    enum kind kind;
    struct labelling all[MOST]; /* sorted, best first */
    uint32_t labellings, finite;
};

#include "scored_problem.h"

#define CHECK(problem, condition)                                                                                      \
    do {                                                                                                               \
        if (!(condition))                                                                                              \
            fail_msg("N=%u Y=%u %s edges, %s scores: %s", (problem)->scores.N, (problem)->scores.width,                \
                     edges_name[(problem)->edges], kind_name[(problem)->kind], #condition);                            \
    } while (0)

static float random_score(struct rng *rng, enum kind kind, bool edge)
{
    double unit = 2 * rng_uniform(rng) - 1;
    bool forbid = rng_below(rng, 4) == 0;
    switch (kind) {
    case TIED:
        return (float)rng_below(rng, 3);
    case FORBIDDEN:
        return forbid ? -INFINITY : (float)(3 * unit);
    case TIED_FORBIDDEN:
        return forbid ? -INFINITY : (float)rng_below(rng, 2);
    case STEEP:
        return (float)(unit * (edge ? 149 : 800));
    case STEEP_FORBIDDEN:
        return edge && forbid ? -INFINITY : (float)(unit * (edge ? 149 : 800));
    case LARGE:
        return (float)(unit * 1e6);
    case HUGE_SCORES:
        return (float)(unit * 1e30);
    default:
        return (float)(3 * unit);
    }
}

/* Without edges there is nothing to read or write. */
static void drop_edges(struct scores *scores)
{
    free(scores->edge);
    scores->edge = NULL;
    scores->edge_capacity = 0;
}

static void make_scores(struct problem *p, struct rng *rng, uint32_t N, uint32_t Y)
{
    struct vouch_error err = {0};
    uint32_t E = p->edges == SHARED ? 1 : p->edges == EACH && N > 0 ? N - 1 : 0;
    assert_true(scores_shape(&p->scores, N, N, Y, E, &err));
    for (size_t i = 0; i < (size_t)N * Y; i++)
        p->scores.node[i] = random_score(rng, p->kind, false);
    for (size_t i = 0; i < (size_t)E * Y * Y; i++)
        p->scores.edge[i] = random_score(rng, p->kind, true);
    if (E == 0)
        drop_edges(&p->scores);
}

static double edge_score(const struct scores *s, uint32_t right, uint32_t l, uint32_t r)
{
    size_t block = s->E > 1 ? right - 1 : 0;
    return s->E ? (double)s->edge[(block * s->width + l) * s->width + r] : 0;
}

static uint32_t chain_length; /* for the comparison below, which qsort() gives no context */

/* Compares labellings in the order that chain_kbest.c promises. */
static int compare(const void *left, const void *right)
{
    const struct labelling *a = left, *b = right;
    for (uint32_t t = chain_length; t-- > 0;) {
        if (t + 1 == chain_length && a->prefix[t] != b->prefix[t])
            return a->prefix[t] > b->prefix[t] ? -1 : 1;
        if (t + 1 < chain_length && a->label[t] == b->label[t] && a->prefix[t] != b->prefix[t])
            return a->prefix[t] > b->prefix[t] ? -1 : 1;
        if (a->label[t] != b->label[t])
            return a->label[t] < b->label[t] ? -1 : 1;
    }
    return 0;
}

static double score_of(const struct labelling *labelling)
{
    return chain_length ? labelling->prefix[chain_length - 1] : 0;
}

static void list_all(struct problem *p)
{
    const struct scores *s = &p->scores;
    chain_length = s->N;
    p->labellings = 1;
    for (uint32_t t = 0; t < s->N; t++)
        p->labellings *= s->width;
    assert_true(p->labellings <= MOST);
    p->finite = 0;
    for (uint32_t i = 0; i < p->labellings; i++) {
        struct labelling *one = &p->all[i];
        for (uint32_t t = 0, rest = i; t < s->N; t++, rest /= s->width) {
            one->label[t] = rest % s->width;
            double node = (double)s->node[t * s->width + one->label[t]];
            one->prefix[t] =
                t == 0 ? node : (one->prefix[t - 1] + edge_score(s, t, one->label[t - 1], one->label[t])) + node;
        }
        p->finite += score_of(one) > -INFINITY;
    }
    qsort(p->all, p->labellings, sizeof p->all[0], compare);
}

static bool same_labels(const uint32_t *a, const uint32_t *b, uint32_t N)
{
    return N == 0 || memcmp(a, b, N * sizeof *a) == 0;
}

static void check_best(struct problem *p)
{
    struct vouch_error err = {0};
    uint32_t choice[LONGEST];
    double score = NAN;
    CHECK(p, chain_viterbi(&p->scores, dirty(p), choice, &score, &err));
    CHECK(p, score == score_of(&p->all[0]));
    CHECK(p, p->finite == 0 || same_labels(choice, p->all[0].label, p->scores.N));
    for (uint32_t t = 0; t < p->scores.N; t++)
        CHECK(p, choice[t] < p->scores.width);
    CHECK(p, chain_structure.score(&p->scores, choice) == score);
}

static void check_kbest(struct problem *p, uint32_t K)
{
    static uint32_t choice[(MOST + 3) * LONGEST];
    static double score[MOST + 3];
    uint32_t N = p->scores.N, found = 99, expected = p->finite < K ? p->finite : K;
    struct vouch_error err = {0};
    CHECK(p, chain_kbest(&p->scores, K, dirty(p), choice, score, &found, &err));
    if (p->finite == 0) {
        uint32_t best[LONGEST];
        double best_score;
        CHECK(p, found == 1 && score[0] == -INFINITY);
        CHECK(p, chain_viterbi(&p->scores, dirty(p), best, &best_score, &err));
        CHECK(p, same_labels(choice, best, N));
        return;
    }
    CHECK(p, found == expected);
    for (uint32_t k = 0; k < found; k++) {
        CHECK(p, score[k] == score_of(&p->all[k]));
        CHECK(p, same_labels(choice + k * N, p->all[k].label, N));
    }
}

static void check_without(struct problem *p)
{
    uint32_t N = p->scores.N, choice[LONGEST];
    double score[LONGEST], best;
    double size = p->kind == HUGE_SCORES ? 1e30 : p->kind == LARGE ? 1e6 : 1e3;
    struct vouch_error err = {0};
    CHECK(p, chain_viterbi(&p->scores, dirty(p), choice, &best, &err));
    CHECK(p, chain_structure.without(&p->scores, choice, dirty(p), score, &err));
    for (uint32_t t = 0; t < N; t++) {
        uint32_t i = 0; /* the list is sorted: the first in which the word has another label is the best */
        while (i < p->labellings && p->all[i].label[t] == choice[t])
            i++;
        double expected = i < p->labellings ? score_of(&p->all[i]) : -INFINITY;
        CHECK(p, expected > -INFINITY ? fabs(score[t] - expected) <= 1e-13 * size : score[t] == expected);
        CHECK(p, score[t] <= best);
    }
}

struct expected {
    double node[LONGEST * MOST_LABELS], edge[LONGEST * MOST_LABELS * MOST_LABELS], log_z;
};

static void marginals_by_hand(const struct problem *p, double scale, struct expected *expected)
{
    const struct scores *s = &p->scores;
    uint32_t Y = s->width;
    long double sum = 0, top = score_of(&p->all[0]);
    memset(expected, 0, sizeof *expected);
    for (uint32_t i = 0; i < p->finite; i++)
        sum += expl(scale * (score_of(&p->all[i]) - top));
    for (uint32_t i = 0; i < p->finite; i++) {
        const uint32_t *label = p->all[i].label;
        double probability = (double)(expl(scale * (score_of(&p->all[i]) - top)) / sum);
        for (uint32_t t = 0; t < s->N; t++) {
            expected->node[t * Y + label[t]] += probability;
            if (t > 0 && s->E)
                expected->edge[((s->E > 1 ? t - 1 : 0) * Y + label[t - 1]) * Y + label[t]] += probability;
        }
    }
    expected->log_z = (double)(scale * top + logl(sum));
}

static bool near(double got, double expected, double tolerance)
{
    return fabs(got - expected) <= tolerance * (1 + fabs(expected));
}

/* Two neighbours, in double, from what chain_forward_backward() left in the scratch memory. */
static void check_neighbours(struct problem *p, double scale)
{
    const struct scores *s = &p->scores;
    uint32_t Y = s->width;
    long double sum = 0, top = score_of(&p->all[0]);
    double expected[MOST_LABELS * MOST_LABELS], got[MOST_LABELS * MOST_LABELS];
    for (uint32_t i = 0; i < p->finite; i++)
        sum += expl(scale * (score_of(&p->all[i]) - top));
    for (uint32_t t = 0; t < s->N; t++) {
        memset(expected, 0, sizeof expected);
        for (uint32_t i = 0; i < p->finite; i++) {
            const uint32_t *label = p->all[i].label;
            size_t pair = (t > 0 ? label[t - 1] * Y : 0) + label[t];
            expected[pair] += (double)(expl(scale * (score_of(&p->all[i]) - top)) / sum);
        }
        chain_neighbours(&p->scratch, t, got);
        for (uint32_t i = 0; i < Y * Y; i++)
            CHECK(p, near(got[i], expected[i], 1e-10));
    }
}

static void check_marginals(struct problem *p, double scale)
{
    struct scores got = {0};
    struct expected expected;
    struct vouch_error err = {0};
    double log_z = NAN;
    bool done = chain_forward_backward(&p->scores, scale, dirty(p), &got, &log_z, &err);
    if (p->finite == 0) {
        CHECK(p, !done && err.status == VOUCH_ERR_ARGUMENT);
        assert_string_equal(err.message, "no labelling has a finite score");
        scores_release(&got);
        return;
    }
    CHECK(p, done);
    marginals_by_hand(p, scale, &expected);
    CHECK(p, near(log_z, expected.log_z, 1e-12));
    CHECK(p, got.N == p->scores.N && got.width == p->scores.width && got.E == p->scores.E);
    for (uint32_t i = 0; i < got.N * got.width; i++) {
        CHECK(p, near((double)got.node[i], expected.node[i], 2e-7));
        CHECK(p, p->scores.node[i] > -INFINITY || got.node[i] == 0);
    }
    for (uint32_t i = 0; i < got.E * got.width * got.width; i++)
        CHECK(p, near((double)got.edge[i], expected.edge[i], 2e-7));
    check_neighbours(p, scale);
    scores_release(&got);
}

static void check_mark_and_score(struct problem *p)
{
    struct scores on = {0};
    struct vouch_error err = {0};
    const struct labelling *one = &p->all[p->labellings / 2];
    uint32_t N = p->scores.N, Y = p->scores.width, E = p->scores.E;
    assert_true(scores_zero_like(&on, &p->scores, &err));
    if (E == 0)
        drop_edges(&on);
    chain_structure.mark(one->label, 0.5f, &on);
    chain_structure.mark(one->label, 0.5f, &on);
    for (uint32_t t = 0; t < N; t++)
        for (uint32_t y = 0; y < Y; y++)
            CHECK(p, on.node[t * Y + y] == (float)(one->label[t] == y));
    double pairs = 0;
    for (uint32_t i = 0; i < E * Y * Y; i++)
        pairs += (double)on.edge[i];
    CHECK(p, pairs == (E && N > 1 ? N - 1 : 0));
    for (uint32_t t = 1; t < N && E; t++)
        CHECK(p, on.edge[((E > 1 ? t - 1 : 0) * Y + one->label[t - 1]) * Y + one->label[t]] >= 1);
    CHECK(p, chain_structure.score(&p->scores, one->label) == score_of(one));
    scores_release(&on);
}

static void check_everything(struct problem *p, struct rng *rng, uint32_t N, uint32_t Y)
{
    static const double scale[] = {0, 0.3, 1, 5};
    make_scores(p, rng, N, Y);
    list_all(p);
    check_best(p);
    static const uint32_t some[] = {1, 2, 3, 5};
    for (size_t i = 0; i < sizeof some / sizeof some[0]; i++)
        check_kbest(p, some[i]);
    check_kbest(p, p->labellings);
    check_kbest(p, p->labellings + 3);
    check_without(p);
    for (size_t i = 0; i < sizeof scale / sizeof scale[0]; i++)
        check_marginals(p, scale[i]);
    check_mark_and_score(p);
}

TEST(everything_agrees_with_brute_force_on_small_chains)
{
    struct problem *p = new_problem();
    struct rng rng = rng_new(1, 1);
    for (p->kind = 0; p->kind < KINDS; p->kind++)
        for (p->edges = 0; p->edges < EDGES; p->edges++)
            for (uint32_t N = 0; N <= 5; N++)
                for (uint32_t Y = 1; Y <= 3; Y++)
                    for (int repeat = 0; repeat < 12; repeat++)
                        check_everything(p, &rng, N, Y);
    release(p);
}

TEST(everything_agrees_with_brute_force_on_wider_and_longer_chains)
{
    static const uint32_t shape[][2] = {{3, 5}, {4, 4}, {2, 9}, {3, 10}, {3, 7}, {10, 2}, {1, 8}};
    struct problem *p = new_problem();
    struct rng rng = rng_new(1, 2);
    for (p->kind = 0; p->kind < KINDS; p->kind++)
        for (p->edges = 0; p->edges < EDGES; p->edges++)
            for (size_t i = 0; i < sizeof shape / sizeof shape[0]; i++)
                check_everything(p, &rng, shape[i][0], shape[i][1]);
    release(p);
}

TEST(a_chain_without_words_has_one_empty_labelling)
{
    struct problem *p = new_problem();
    struct vouch_error err = {0};
    struct scores marginal = {0};
    double score = 1, log_z = 1;
    uint32_t found = 9;
    assert_true(scores_shape(&p->scores, 0, 0, 3, 0, &err));
    assert_true(chain_viterbi(&p->scores, &p->scratch, NULL, &score, &err));
    assert_true(score == 0);
    assert_true(chain_kbest(&p->scores, 4, &p->scratch, NULL, &score, &found, &err));
    assert_int_equal(found, 1);
    assert_true(chain_forward_backward(&p->scores, 1, &p->scratch, &marginal, &log_z, &err));
    assert_true(log_z == 0);
    assert_true(chain_without(&p->scores, NULL, &p->scratch, NULL, &err));
    scores_release(&marginal);
    release(p);
}

TEST(impossible_requests_are_errors)
{
    struct problem *p = new_problem();
    struct vouch_error err = {0};
    struct scores marginal = {0};
    uint32_t choice[2], found = 9;
    double score, through[2];
    assert_true(scores_shape(&p->scores, 2, 2, 0, 0, &err));
    assert_false(chain_viterbi(&p->scores, &p->scratch, choice, &score, &err));
    assert_int_equal(err.status, VOUCH_ERR_ARGUMENT);
    assert_string_equal(err.message, "a chain of 2 words has no labels to choose from");
    assert_false(chain_kbest(&p->scores, 3, &p->scratch, choice, &score, &found, &err));
    assert_int_equal(found, 0);
    choice[0] = choice[1] = 0;
    assert_false(chain_without(&p->scores, choice, &p->scratch, through, &err));
    assert_false(chain_forward_backward(&p->scores, 1, &p->scratch, &marginal, &score, &err));

    make_scores(p, &(struct rng){1, 3, 0}, 2, 2);
    static const double scale[] = {-1, NAN, INFINITY};
    for (int i = 0; i < 3; i++)
        assert_false(chain_forward_backward(&p->scores, scale[i], &p->scratch, &marginal, &score, &err));
    assert_int_equal(err.status, VOUCH_ERR_ARGUMENT);
    assert_true(chain_kbest(&p->scores, 0, &p->scratch, choice, &score, &found, &err));
    assert_int_equal(found, 0);
    scores_release(&marginal);
    release(p);
}

/* Forbids the last label everywhere, by its node scores; its edges become `edge`, which changes nothing else. */
static void drop_last_label(struct scores *s, float edge)
{
    uint32_t Y = s->width;
    for (uint32_t t = 0; t < s->N; t++)
        s->node[t * Y + Y - 1] = -INFINITY;
    for (uint32_t e = 0; e < s->E; e++)
        for (uint32_t l = 0; l < Y; l++)
            s->edge[(e * Y + l) * Y + Y - 1] = s->edge[(e * Y + Y - 1) * Y + l] = edge;
}

TEST(both_ways_to_marginals_agree)
{
    static const float reroute[] = {-INFINITY, -1000};
    struct problem *p = new_problem();
    struct rng rng = rng_new(1, 4);
    for (p->edges = SHARED; p->edges <= EACH; p->edges++)
        for (uint32_t Y = 2; Y <= 10; Y++) {
            struct scores linear = {0}, other = {0};
            struct vouch_error err = {0};
            double linear_z, other_z;
            make_scores(p, &rng, 200, Y);
            drop_last_label(&p->scores, 0);
            assert_true(chain_forward_backward(&p->scores, 1.5, dirty(p), &linear, &linear_z, &err));
            for (int i = 0; i < 2; i++) {
                drop_last_label(&p->scores, reroute[i]);
                assert_true(chain_forward_backward(&p->scores, 1.5, dirty(p), &other, &other_z, &err));
                CHECK(p, near(other_z, linear_z, 1e-12));
                for (uint32_t k = 0; k < 200 * Y; k++)
                    CHECK(p, near((double)other.node[k], (double)linear.node[k], 2e-7));
                for (uint32_t k = 0; k < p->scores.E * Y * Y; k++)
                    CHECK(p, near((double)other.edge[k], (double)linear.edge[k], 2e-7));
            }
            scores_release(&linear);
            scores_release(&other);
        }
    release(p);
}

/* What must hold of any marginals, whatever the scores are. */
static void check_sums(struct problem *p, double scale)
{
    struct scores m = {0};
    struct vouch_error err = {0};
    double log_z;
    uint32_t N = p->scores.N, Y = p->scores.width;
    CHECK(p, chain_forward_backward(&p->scores, scale, dirty(p), &m, &log_z, &err));
    CHECK(p, isfinite(log_z));
    double pairs = 0;
    for (uint32_t t = 0; t < N; t++) {
        double sum = 0;
        for (uint32_t y = 0; y < Y; y++) {
            CHECK(p, m.node[t * Y + y] >= 0 && m.node[t * Y + y] <= 1);
            sum += (double)m.node[t * Y + y];
        }
        CHECK(p, near(sum, 1, 1e-6));
    }
    for (size_t i = 0; i < (size_t)m.E * Y * Y; i++) {
        CHECK(p, m.edge[i] >= 0);
        pairs += (double)m.edge[i];
    }
    CHECK(p, m.E == 0 || near(pairs, N - 1, 1e-6));
    scores_release(&m);
}

/* Pair marginals, summed over one word, are the node marginals of the other. */
static void check_pairs(struct problem *p, double scale)
{
    struct scores m = {0};
    struct vouch_error err = {0};
    double log_z;
    uint32_t Y = p->scores.width;
    CHECK(p, chain_forward_backward(&p->scores, scale, dirty(p), &m, &log_z, &err));
    for (uint32_t e = 0; e < m.E; e++)
        for (uint32_t y = 0; y < Y; y++) {
            double left = 0, right = 0, left_sum = 0, right_sum = 0;
            for (uint32_t t = m.E > 1 ? e : 0; t + 1 < m.N; t += m.E > 1 ? m.N : 1) {
                left += (double)m.node[t * Y + y];
                right += (double)m.node[(t + 1) * Y + y];
            }
            for (uint32_t other = 0; other < Y; other++) {
                left_sum += (double)m.edge[(e * Y + y) * Y + other];
                right_sum += (double)m.edge[(e * Y + other) * Y + y];
            }
            CHECK(p, near(left_sum, left, 1e-6));
            CHECK(p, near(right_sum, right, 1e-6));
        }
    scores_release(&m);
}

/* Returns the normaliser that is left where words n - 1 and n must have these labels. */
static double log_z_of_pair(struct problem *p, uint32_t n, uint32_t l, uint32_t r)
{
    struct scores unused = {0};
    struct vouch_error err = {0};
    uint32_t Y = p->scores.width;
    float *node = p->scores.node + (n - 1) * Y, kept[2 * MOST_LABELS];
    double log_z;
    memcpy(kept, node, 2 * Y * sizeof *node);
    for (uint32_t y = 0; y < Y; y++) {
        node[y] = y == l ? node[y] : -INFINITY;
        node[Y + y] = y == r ? node[Y + y] : -INFINITY;
    }
    CHECK(p, chain_forward_backward(&p->scores, 1, dirty(p), &unused, &log_z, &err));
    memcpy(node, kept, 2 * Y * sizeof *node);
    scores_release(&unused);
    return log_z;
}

TEST(neighbours_have_their_share_of_the_normaliser)
{
    struct problem *p = new_problem();
    struct rng rng = rng_new(1, 7);
    for (p->edges = 0; p->edges < EDGES; p->edges++)
        for (int ways = 0; ways < 2; ways++) {
            double pairs[25], log_z;
            struct scores unused = {0};
            struct vouch_error err = {0};
            p->kind = RANDOM;
            make_scores(p, &rng, 300, 5);
            if (ways)
                drop_last_label(&p->scores, -1000); /* by logarithms */
            for (uint32_t n = 1; n < 300; n += 23) {
                CHECK(p, chain_forward_backward(&p->scores, 1, dirty(p), &unused, &log_z, &err));
                chain_neighbours(&p->scratch, n, pairs);
                for (uint32_t i = 0; i < 16; i++) {
                    uint32_t l = i / 4, r = i % 4;
                    CHECK(p, near(pairs[l * 5 + r], exp(log_z_of_pair(p, n, l, r) - log_z), 1e-11));
                }
            }
            scores_release(&unused);
        }
    release(p);
}

static void check_long_chain(struct problem *p)
{
    enum { K = 50 };
    struct vouch_error err = {0};
    uint32_t N = p->scores.N, found, *best = calloc(N, sizeof *best), *choice = calloc((size_t)K * N, sizeof *choice);
    double *without = calloc(N, sizeof *without), score, scores[K];
    assert_true(best && choice && without);
    CHECK(p, chain_viterbi(&p->scores, dirty(p), best, &score, &err));
    CHECK(p, chain_kbest(&p->scores, K, dirty(p), choice, scores, &found, &err));
    CHECK(p, found == K && scores[0] == score);
    if (p->edges == ABSENT) /* words are labelled one by one: rounded sums may be equal where labels are not */
        memcpy(best, choice, N * sizeof *best);
    CHECK(p, same_labels(choice, best, N));
    for (uint32_t k = 0; k < found; k++) {
        CHECK(p, chain_structure.score(&p->scores, choice + (size_t)k * N) == scores[k]);
        CHECK(p, k == 0 || scores[k] <= scores[k - 1]);
        for (uint32_t other = 0; other < k; other++)
            CHECK(p, !same_labels(choice + (size_t)k * N, choice + (size_t)other * N, N));
    }
    CHECK(p, chain_without(&p->scores, best, dirty(p), without, &err));
    double runner_up = -INFINITY; /* the second labelling is the best that leaves the first somewhere */
    for (uint32_t t = 0; t < N; t++) {
        CHECK(p, without[t] <= score);
        runner_up = fmax(runner_up, without[t]);
    }
    CHECK(p, fabs(runner_up - scores[1]) <= 1e-13 * (1 + fabs(score)));
    free(best);
    free(choice);
    free(without);
}

TEST(long_chains_agree_with_themselves)
{
    static const uint32_t labels[] = {3, 9, 45};
    static const enum kind kinds[] = {RANDOM, TIED, STEEP, LARGE, HUGE_SCORES};
    struct problem *p = new_problem();
    struct rng rng = rng_new(1, 5);
    for (p->edges = 0; p->edges < EDGES; p->edges++)
        for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++)
            for (size_t i = 0; i < sizeof labels / sizeof labels[0]; i++) {
                p->kind = kinds[k];
                make_scores(p, &rng, 200, labels[i]);
                check_long_chain(p);
                check_sums(p, 0.01);
                check_sums(p, 1);
                check_pairs(p, 1);
            }
    release(p);
}

TEST(scores_of_very_different_size_give_probabilities)
{
    struct problem *p = new_problem();
    struct rng rng = rng_new(1, 6);
    for (p->edges = 0; p->edges < EDGES; p->edges++)
        for (int repeat = 0; repeat < 50; repeat++) {
            p->kind = RANDOM;
            make_scores(p, &rng, 20, 4);
            for (uint32_t i = 0; i < 20 * 4; i++)
                p->scores.node[i] *= rng_below(&rng, 3) ? 1 : 1e30f;
            for (uint32_t i = 0; i < p->scores.E * 16; i++)
                p->scores.edge[i] *= rng_below(&rng, 3) ? 1 : 1e36f;
            check_sums(p, 1);
            check_sums(p, 100);
            check_long_chain(p);
        }
    release(p);
}
