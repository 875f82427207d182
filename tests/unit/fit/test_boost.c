/* Tests boosting: trees learn what a line cannot, learn nothing from noise, and have the right leaves. */
#include "fit/forecaster.h"
#include "fit/logistic.h"

#include "simulate.h"
#include "test.h"

enum { F = 4 };

struct evidence {
    double *x, *truth;
    bool *right;
    size_t n;
};

/* Right with probability 0.9 if the signs of the first two features differ, else with 0.2; or, if `noise`, with 0.7. */
static struct evidence simulate(size_t n, bool noise, uint64_t seed)
{
    struct evidence e = {room(n * F, sizeof(double)), room(n, sizeof(double)), room(n, sizeof(bool)), n};
    struct rng rng = rng_new(seed, 31);
    for (size_t i = 0; i < n; i++) {
        double *x = e.x + i * F;
        for (int j = 0; j < F; j++)
            x[j] = draw_normal(&rng);
        e.truth[i] = noise ? 0.7 : (x[0] > 0) != (x[1] > 0) ? 0.9 : 0.2;
        e.right[i] = rng_uniform(&rng) < e.truth[i];
    }
    return e;
}

static void forget(struct evidence *e)
{
    free(e->x);
    free(e->truth);
    free(e->right);
}

enum { PARTS = 5 };

/* Every row counts once, and the trees are added to nothing. */
struct plain_rows {
    struct boost_rows rows;
    double *start, *held;
    float *weight;
    uint32_t *part;
};

static struct plain_rows plain_rows(const double *x, const bool *right, size_t n, uint32_t features)
{
    struct plain_rows p = {.start = room(n, sizeof *p.start),
                           .held = room(n, sizeof *p.held),
                           .weight = room(n, sizeof *p.weight),
                           .part = room(n, sizeof *p.part)};
    for (size_t i = 0; i < n; i++) {
        p.start[i] = 0;
        p.weight[i] = 1;
        p.part[i] = (uint32_t)(i / 15 % PARTS);
    }
    p.rows = (struct boost_rows){x, right, p.start, p.weight, p.part, n, features, PARTS};
    return p;
}

static void forget_rows(struct plain_rows *p)
{
    free(p->start);
    free(p->held);
    free(p->weight);
    free(p->part);
}

static struct boost must_fit(const struct evidence *e, double *held)
{
    struct plain_rows p = plain_rows(e->x, e->right, e->n, F);
    struct boost boost;
    struct vouch_error err = {0};
    if (!boost_fit(&p.rows, &boost_defaults, 1, &boost, held ? held : p.held, &err))
        fail_msg("%s", err.message);
    forget_rows(&p);
    return boost;
}

static double probability(const struct boost *boost, const double *x)
{
    return sigmoid(boost_apply(boost, 0, x));
}

static double loss(double p, bool right)
{
    return -log(right ? p : 1 - p);
}

TEST(exclusive_or_is_learned)
{
    struct evidence e = simulate(8000, false, 1), held = simulate(8000, false, 2);
    struct boost boost = must_fit(&e, NULL);
    struct logistic line;
    struct vouch_error err = {0};
    assert_true(
        logistic_fit(&(struct logistic_rows){.x = e.x, .right = e.right, .n = e.n, .features = F}, 1, &line, &err));
    double boosted = 0, lined = 0, best = 0, share = 0, base = 0;
    for (size_t i = 0; i < held.n; i++)
        share += held.right[i] / (double)held.n;
    for (size_t i = 0; i < held.n; i++) {
        boosted += loss(probability(&boost, held.x + i * F), held.right[i]) / (double)held.n;
        lined += loss(logistic_apply(&line, held.x + i * F), held.right[i]) / (double)held.n;
        best += loss(held.truth[i], held.right[i]) / (double)held.n;
        base += loss(share, held.right[i]) / (double)held.n;
    }
    assert_true(lined > base - 0.01); /* a line learns nothing here */
    assert_true(boosted < base - 0.2);
    assert_true(boosted < best + 0.02);
    logistic_release(&line);
    boost_release(&boost);
    forget(&e);
    forget(&held);
}

TEST(noise_is_left_alone)
{
    struct evidence e = simulate(5000, true, 3);
    struct boost boost = must_fit(&e, NULL);
    double off = 0;
    assert_true(boost.trees < 60); /* they find the base rate, and stop */
    for (size_t i = 0; i < e.n; i++)
        off += fabs(probability(&boost, e.x + i * F) - 0.7) / (double)e.n;
    assert_true(off < 0.04);
    boost_release(&boost);
    forget(&e);
}

static bool same(const struct boost *a, const struct boost *b)
{
    size_t inner = (size_t)a->trees * ((1u << a->depth) - 1), leaves = inner + a->trees;
    return a->trees == b->trees && a->depth == b->depth &&
           memcmp(a->feature, b->feature, sizeof *a->feature * inner) == 0 &&
           memcmp(a->threshold, b->threshold, sizeof *a->threshold * inner) == 0 &&
           memcmp(a->leaf, b->leaf, sizeof *a->leaf * leaves) == 0;
}

TEST(the_same_rows_give_the_same_bytes)
{
    struct evidence e = simulate(3000, false, 4);
    struct boost first = must_fit(&e, NULL), second = must_fit(&e, NULL);
    assert_true(first.trees > 10);
    assert_true(same(&first, &second));
    boost_release(&first);
    boost_release(&second);
    forget(&e);
}

/*
 * The numbers of rows by trees that have not seen their part are as good as on new rows, not as on those learned from.
 */
TEST(what_is_held_out_was_not_seen)
{
    struct evidence e = simulate(1500, false, 5), fresh = simulate(8000, false, 6);
    double *held = room(e.n, sizeof *held), held_out = 0, seen = 0, unseen = 0;
    struct boost boost = must_fit(&e, held);
    for (size_t i = 0; i < e.n; i++) {
        held_out += loss(sigmoid(held[i]), e.right[i]) / (double)e.n;
        seen += loss(probability(&boost, e.x + i * F), e.right[i]) / (double)e.n;
    }
    for (size_t i = 0; i < fresh.n; i++)
        unseen += loss(probability(&boost, fresh.x + i * F), fresh.right[i]) / (double)fresh.n;
    assert_true(seen < held_out - 0.02);
    assert_true(fabs(held_out - unseen) < 0.03);
    free(held);
    boost_release(&boost);
    forget(&e);
    forget(&fresh);
}

/* A row of weight two is two rows, and one of weight zero is none. */
TEST(weights_count_rows)
{
    enum { N = 900 };
    struct evidence once = simulate(N, false, 7), twice = simulate(2 * N, false, 7);
    struct plain_rows a = plain_rows(once.x, once.right, N, F), b = plain_rows(twice.x, twice.right, 2 * N, F);
    for (size_t i = 0; i < N; i++) {
        a.weight[i] = i % 3 == 0 ? 2 : i % 3 == 1 ? 1 : 0;
        for (size_t k = 0; k < 2; k++) { /* neighbours of one kind, so that the bins' edges are the same */
            memcpy(twice.x + (2 * i + k) * F, once.x + i * F, sizeof *twice.x * F);
            twice.right[2 * i + k] = once.right[i];
            b.part[2 * i + k] = a.part[i];
            b.weight[2 * i + k] = k < (size_t)a.weight[i] ? 1 : 0;
        }
    }
    struct boost first, second;
    struct vouch_error err = {0};
    assert_true(boost_fit(&a.rows, &boost_defaults, 1, &first, a.held, &err));
    assert_true(boost_fit(&b.rows, &boost_defaults, 1, &second, b.held, &err));
    assert_true(first.trees > 0);
    assert_int_equal(first.trees, second.trees);
    for (size_t i = 0; i < N; i++)
        assert_true(fabs(a.held[i] - b.held[2 * i]) < 1e-3);
    boost_release(&first);
    boost_release(&second);
    forget_rows(&a);
    forget_rows(&b);
    forget(&once);
    forget(&twice);
}

/*
 * One tree of depth one at full rate, without a prior to speak of: the leaves
 * are Newton steps from the log-odds that it begins with, and the split is the
 * one that an exhaustive search finds.
 */
TEST(a_stump_is_the_best_of_all)
{
    enum { N = 50 };
    struct rng rng = rng_new(41, 0);
    struct boost_options options = boost_defaults;
    uint32_t trees = 0;
    options.trees = options.depth = 1;
    options.least = 1e-6;
    options.rate = 1;
    options.l2 = 1e-9;
    for (int round = 0; round < 200; round++) {
        double x[N], good = 0;
        bool right[N];
        for (int i = 0; i < N; i++) {
            x[i] = rng_below(&rng, 20);
            right[i] = rng_uniform(&rng) < 0.04 * x[i];
            good += right[i];
        }
        struct plain_rows p = plain_rows(x, right, N, 1);
        struct boost boost;
        struct vouch_error err = {0};
        assert_true(boost_fit(&p.rows, &options, 1, &boost, p.held, &err));
        double most = 0, left_leaf = 0, right_leaf = 0, whole = good - N * 0.5;
        for (int cut = 0; cut < 20; cut++) {
            double m = 0, g = 0;
            for (int i = 0; i < N; i++)
                if (x[i] <= cut) {
                    m++;
                    g += right[i] - 0.5;
                }
            if (m == 0 || m == N)
                continue;
            double gain = g * g / m + (whole - g) * (whole - g) / (N - m);
            if (gain > most + 1e-9) {
                most = gain;
                left_leaf = g / m / 0.25;
                right_leaf = (whole - g) / (N - m) / 0.25;
            }
        }
        if (boost.trees)
            assert_true(fabs(boost.leaf[0] - left_leaf) < 1e-5 && fabs(boost.leaf[1] - right_leaf) < 1e-5);
        trees += boost.trees;
        boost_release(&boost);
        forget_rows(&p);
    }
    assert_true(trees > 150); /* nearly always, a stump helps the rows held out */
}

TEST(odd_values_have_a_place)
{
    enum { N = 3000 };
    static const double value[] = {NAN, -INFINITY, -1.7e308, 0, 1, 1.7e308, INFINITY};
    static double x[N];
    static bool right[N];
    struct rng rng = rng_new(42, 0);
    for (int i = 0; i < N; i++) {
        uint32_t which = rng_below(&rng, 7);
        x[i] = value[which];
        right[i] = rng_uniform(&rng) < (which == 6 ? 0.95 : which == 1 ? 0.1 : 0.5);
    }
    struct plain_rows p = plain_rows(x, right, N, 1);
    struct boost boost;
    struct vouch_error err = {0};
    assert_true(boost_fit(&p.rows, &boost_defaults, 1, &boost, p.held, &err));
    assert_true(fabs(probability(&boost, &value[6]) - 0.95) < 0.06);
    assert_true(fabs(probability(&boost, &value[3]) - 0.5) < 0.06);
    for (uint32_t i = 0; i < boost.trees * ((1u << boost.depth) - 1); i++)
        assert_true(isfinite(boost.threshold[i]));
    boost_release(&boost);
    forget_rows(&p);
}

TEST(a_few_rows_grow_no_tree)
{
    const double x[] = {1, 2, 3, 4, 5, 6, 7, 8};
    const bool right[] = {true, true, false, true, true, true, true, true};
    for (size_t n = 0; n <= 8; n++) {
        struct plain_rows p = plain_rows(x, right, n, 1);
        struct boost boost;
        struct vouch_error err = {0};
        assert_true(boost_fit(&p.rows, &boost_defaults, 1, &boost, p.held, &err));
        assert_int_equal(boost.trees, 0);
        assert_true(boost_apply(&boost, 1.5, x) == 1.5);
        for (size_t i = 0; i < n; i++)
            assert_true(p.held[i] == 0);
        boost_release(&boost);
        forget_rows(&p);
    }
}

/* Threads grow trees ahead of what is known to help: nothing of that shows. */
TEST(threads_change_nothing)
{
    for (uint32_t patience = 1; patience <= 9; patience += 4) {
        struct boost_options options = boost_defaults;
        options.patience = patience;
        struct evidence e = simulate(3000, false, 7);
        struct plain_rows p = plain_rows(e.x, e.right, e.n, F);
        double *held = room(e.n, sizeof *held);
        struct boost one, several;
        struct vouch_error err = {0};
        assert_true(boost_fit(&p.rows, &options, 1, &one, held, &err));
        assert_true(one.trees > 0);
        for (uint32_t threads = 2; threads <= 8; threads += 3) {
            assert_true(boost_fit(&p.rows, &options, threads, &several, p.held, &err));
            assert_int_equal(several.trees, one.trees);
            assert_memory_equal(several.leaf, one.leaf, sizeof *one.leaf * one.trees << one.depth);
            assert_memory_equal(p.held, held, sizeof *held * e.n);
            boost_release(&several);
        }
        boost_release(&one);
        free(held);
        forget_rows(&p);
        forget(&e);
    }
}
