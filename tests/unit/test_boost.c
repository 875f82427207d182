/* Boosting: what a line cannot learn, what nobody can, and that the leaves are the right ones. */
#include "confidence/boost.h"
#include "confidence/logistic.h"

#include "simulate.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { F = 4 };

struct evidence {
    double *x, *truth;
    bool *right;
    uint32_t *group;
    size_t n;
};

/* Right with probability 0.9 if the signs of the first two features differ, else with 0.2; or, if `noise`, with 0.7. */
static struct evidence simulate(size_t n, bool noise, uint64_t seed)
{
    struct evidence e = {room(n * F, sizeof(double)), room(n, sizeof(double)), room(n, sizeof(bool)),
                         room(n, sizeof(uint32_t)), n};
    struct rng rng = rng_new(seed, 31);
    for (size_t i = 0; i < n; i++) {
        double *x = e.x + i * F;
        for (int j = 0; j < F; j++)
            x[j] = draw_normal(&rng);
        e.truth[i] = noise ? 0.7 : (x[0] > 0) != (x[1] > 0) ? 0.9 : 0.2;
        e.right[i] = rng_uniform(&rng) < e.truth[i];
        e.group[i] = (uint32_t)(i / 15);
    }
    return e;
}

static void forget(struct evidence *e)
{
    free(e->x);
    free(e->truth);
    free(e->right);
    free(e->group);
}

static struct boost must_fit(const struct evidence *e, const struct boost_options *options)
{
    struct boost_rows rows = {e->x, e->right, e->group, e->n, F};
    struct boost boost;
    struct vouch_error err = {0};
    if (!boost_fit(&rows, options, &boost, &err))
        fail_msg("%s", err.message);
    return boost;
}

static double loss(double p, bool right)
{
    return -log(right ? p : 1 - p);
}

static void exclusive_or_is_learned(void **state)
{
    (void)state;
    struct evidence e = simulate(8000, false, 1), held = simulate(8000, false, 2);
    struct boost boost = must_fit(&e, &BOOST_DEFAULTS);
    struct logistic line;
    struct vouch_error err = {0};
    assert_true(logistic_fit(&(struct logistic_rows){e.x, e.right, NULL, e.n, F}, 1, &line, &err));
    double boosted = 0, lined = 0, best = 0, share = 0, base = 0;
    for (size_t i = 0; i < held.n; i++)
        share += held.right[i] / (double)held.n;
    for (size_t i = 0; i < held.n; i++) {
        boosted += loss(boost_apply(&boost, held.x + i * F), held.right[i]) / (double)held.n;
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

static void noise_is_left_alone(void **state)
{
    (void)state;
    struct evidence e = simulate(5000, true, 3);
    struct boost boost = must_fit(&e, &BOOST_DEFAULTS);
    double off = 0;
    assert_true(boost.trees < 30);
    for (size_t i = 0; i < e.n; i++)
        off += fabs(boost_apply(&boost, e.x + i * F) - 0.7) / (double)e.n;
    assert_true(off < 0.03);
    boost_release(&boost);
    forget(&e);
}

static bool same(const struct boost *a, const struct boost *b)
{
    size_t inner = (size_t)a->trees * ((1u << a->depth) - 1), leaves = inner + a->trees;
    return a->trees == b->trees && a->depth == b->depth && a->base == b->base &&
           memcmp(a->feature, b->feature, sizeof *a->feature * inner) == 0 &&
           memcmp(a->threshold, b->threshold, sizeof *a->threshold * inner) == 0 &&
           memcmp(a->leaf, b->leaf, sizeof *a->leaf * leaves) == 0;
}

static void the_same_seed_gives_the_same_bytes(void **state)
{
    (void)state;
    struct evidence e = simulate(3000, false, 4);
    struct boost_options options = BOOST_DEFAULTS;
    struct boost first = must_fit(&e, &options), second = must_fit(&e, &options);
    options.seed++;
    struct boost other = must_fit(&e, &options);
    assert_true(first.trees > 10);
    assert_true(same(&first, &second));
    assert_false(same(&first, &other));
    boost_release(&first);
    boost_release(&second);
    boost_release(&other);
    forget(&e);
}

/*
 * One group: nothing is held out. One tree of depth one at full rate, without a
 * prior to speak of: the leaves are Newton steps from the log odds, and the
 * split is the one that an exhaustive search finds.
 */
static void a_stump_is_the_best_of_all(void **state)
{
    (void)state;
    enum { N = 50 };
    struct rng rng = rng_new(41, 0);
    struct boost_options options = BOOST_DEFAULTS;
    options.trees = options.depth = options.least = 1;
    options.rate = 1;
    options.l2 = 1e-9;
    for (int round = 0; round < 200; round++) {
        double x[N];
        bool right[N];
        uint32_t group[N] = {0};
        double good = 0;
        for (int i = 0; i < N; i++) {
            x[i] = rng_below(&rng, 20);
            right[i] = rng_uniform(&rng) < 0.3 + 0.02 * x[i];
            good += right[i];
        }
        struct boost_rows rows = {x, right, group, N, 1};
        struct boost boost;
        struct vouch_error err = {0};
        assert_true(boost_fit(&rows, &options, &boost, &err));
        double p = (good + 1) / (N + 2), most = 0, left_leaf = 0, right_leaf = 0, whole = good - N * p;
        for (int cut = 0; cut < 20; cut++) {
            double m = 0, g = 0;
            for (int i = 0; i < N; i++)
                if (x[i] <= cut) {
                    m++;
                    g += right[i] - p;
                }
            if (m == 0 || m == N)
                continue;
            double gain = g * g / m + (whole - g) * (whole - g) / (N - m);
            if (gain > most + 1e-9) {
                most = gain;
                left_leaf = g / m / (p * (1 - p));
                right_leaf = (whole - g) / (N - m) / (p * (1 - p));
            }
        }
        assert_int_equal(boost.trees, 1);
        assert_true(fabs(boost.base - log(p / (1 - p))) < 1e-12);
        assert_true(fabs(boost.leaf[0] - left_leaf) < 1e-6 && fabs(boost.leaf[1] - right_leaf) < 1e-6);
        boost_release(&boost);
    }
}

static void odd_values_have_a_place(void **state)
{
    (void)state;
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
    struct boost_rows rows = {x, right, NULL, N, 1};
    struct boost boost;
    struct vouch_error err = {0};
    assert_true(boost_fit(&rows, &BOOST_DEFAULTS, &boost, &err));
    assert_true(fabs(boost_apply(&boost, &value[6]) - 0.95) < 0.05);
    assert_true(fabs(boost_apply(&boost, &value[3]) - 0.5) < 0.06);
    for (uint32_t i = 0; i < boost.trees * 7; i++)
        assert_true(isfinite(boost.threshold[i]));
    boost_release(&boost);
}

static void little_or_impossible_data(void **state)
{
    (void)state;
    const double x[] = {1, 2, 3, 4, 5, 6, 7, 8};
    const bool right[] = {true, true, true, true, true, true, true, true};
    struct boost boost;
    struct vouch_error err = {0};
    struct boost_rows rows = {x, right, NULL, 8, 1};
    struct boost_options options = BOOST_DEFAULTS;
    for (rows.n = 1; rows.n <= 8; rows.n++) {
        assert_true(boost_fit(&rows, &options, &boost, &err));
        assert_int_equal(boost.trees, 0);
        assert_true(boost_apply(&boost, x) > 0.5 && boost_apply(&boost, x) < 1);
        boost_release(&boost);
    }
    rows.n = 0;
    assert_false(boost_fit(&rows, &options, &boost, &err));
    rows.n = 8;
    options.depth = BOOST_DEEPEST + 1;
    assert_false(boost_fit(&rows, &options, &boost, &err));
    assert_int_equal(err.status, VOUCH_ERR_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exclusive_or_is_learned),
        cmocka_unit_test(noise_is_left_alone),
        cmocka_unit_test(the_same_seed_gives_the_same_bytes),
        cmocka_unit_test(a_stump_is_the_best_of_all),
        cmocka_unit_test(odd_values_have_a_place),
        cmocka_unit_test(little_or_impossible_data),
    };
    return cmocka_run_group_tests_name("boost", tests, NULL, NULL);
}
