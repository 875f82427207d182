/*
 * Tests the curve of errors: from two samples whose densities are known, it
 * finds the share of errors and every probability; it falls, and is never 0 or
 * 1.
 */
#include "base/random.h"
#include "review/review.h"

#include "must.h"
#include "test.h"

enum { LABELS = 20000, PLANTED = 200, SEEDS = 20 };

/* Normal, about `mean`: sums of uniform numbers are near enough. */
static double about(struct rng *rng, double mean, double spread)
{
    double sum = 0;
    for (int i = 0; i < 12; i++)
        sum += rng_below(rng, 1 << 20) / (double)(1 << 20);
    return mean + spread * (sum - 6);
}

/* Two normals of one spread: the log of the ratio of their densities is linear. */
static double try_share(uint64_t seed, double share, size_t *wrong)
{
    static double given[LABELS], odds[PLANTED];
    static unsigned char kind[PLANTED];
    struct rng rng = rng_new(seed, 0);
    *wrong = 0;
    for (uint32_t i = 0; i < LABELS; i++) {
        bool is_wrong = rng_below(&rng, 1 << 20) < share * (1 << 20);
        given[i] = about(&rng, is_wrong ? -8 : 10, 4);
        *wrong += is_wrong;
    }
    for (uint32_t i = 0; i < PLANTED; i++)
        odds[i] = about(&rng, -8, 4);
    struct error_curve curve;
    MUST(error_curve_fit(&curve, given, LABELS, &(struct planted_odds){odds, kind, PLANTED}, &err));
    assert_int_equal(curve.kinds, 1);
    double before = 1, expected = 0;
    for (double at = -60; at < 60; at += 0.5) {
        double p = error_curve_at(&curve, at);
        assert_true(p > 0 && p < 1 && p <= before);
        before = p;
    }
    for (uint32_t i = 0; i < LABELS; i++)
        expected += error_curve_at(&curve, given[i]);
    return expected;
}

TEST(shares_are_found)
{
    takes_long();
    static const double share[] = {0.005, 0.02, 0.05};
    static const int least[] = {SEEDS / 2, SEEDS * 3 / 4, SEEDS * 3 / 4}; /* the fewer errors, the more is chance */
    for (size_t s = 0; s < 3; s++) {
        int within = 0;
        for (uint64_t seed = 1; seed <= SEEDS; seed++) {
            size_t wrong;
            double expected = try_share(seed, share[s], &wrong);
            within += expected > 0.6 * (double)wrong && expected < 1.25 * (double)wrong;
        }
        assert_true(within >= least[s]);
    }
}

TEST(where_nothing_was_planted_there_is_a_curve)
{
    double one = 3;
    unsigned char kind = 0;
    struct error_curve curve;
    struct planted_odds none = {0}, same = {&one, &kind, 1};
    MUST(error_curve_fit(&curve, NULL, 0, &none, &err));
    MUST(error_curve_fit(&curve, &one, 1, &none, &err));
    assert_true(error_curve_at(&curve, 3) < error_curve_at(&curve, -3));
    MUST(error_curve_fit(&curve, &one, 1, &same, &err));
    assert_true(error_curve_at(&curve, 3) > 0 && error_curve_at(&curve, 3) < 1);
}

/* Fits curves to kinds apart and together, and adds to `seen` what each of two kinds alone expects. */
static void try_kinds(uint64_t seed, double seen[2])
{
    static double given[LABELS], odds[PLANTED], apart_odds[2][PLANTED / 2];
    static unsigned char kind[PLANTED];
    struct rng rng = rng_new(seed, 0);
    struct error_curve both, alone[2];
    for (uint32_t i = 0; i < LABELS; i++)
        given[i] = about(&rng, i % 100 == 0 ? -8 : 10, 4);
    for (uint32_t i = 0; i < PLANTED; i++) {
        kind[i] = i % 2;
        odds[i] = apart_odds[i % 2][i / 2] = about(&rng, i % 4 == 3 ? 10 : -8, 4);
    }
    MUST(error_curve_fit(&both, given, LABELS, &(struct planted_odds){odds, kind, PLANTED}, &err));
    assert_int_equal(both.kinds, 2);
    for (int k = 0; k < 2; k++) {
        unsigned char same[PLANTED / 2] = {0};
        MUST(error_curve_fit(&alone[k], given, LABELS, &(struct planted_odds){apart_odds[k], same, PLANTED / 2}, &err));
        for (uint32_t i = 0; i < LABELS; i++)
            seen[k] += error_curve_at(&alone[k], given[i]);
    }
    for (double at = -20; at < 20; at += 0.5) {
        double mean = (error_curve_at(&alone[0], at) + error_curve_at(&alone[1], at)) / 2;
        assert_float_equal(error_curve_at(&both, at), mean, 1e-8);
        if (mean > 1e-6)
            assert_float_equal(1 / (1 + exp(-error_curve_odds(&both, at))), mean / 0.9, 1e-6);
    }
}

/* Of a kind half of which looks right, there are more errors than are seen. */
TEST(every_kind_has_a_say)
{
    double seen[2] = {0};
    for (uint64_t seed = 1; seed <= 10; seed++)
        try_kinds(seed, seen);
    assert_true(seen[1] > 1.4 * seen[0]);
}
