/*
 * Tests the curve of errors: from two samples whose densities are known, it
 * finds the share of errors and every probability; it falls, is never 0 or 1,
 * and its interval holds the truth.
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
static struct expected_errors try_share(uint64_t seed, double share, size_t *wrong)
{
    static struct rated given[LABELS], planted[PLANTED];
    struct rng rng = rng_new(seed, 0);
    *wrong = 0;
    for (uint32_t i = 0; i < LABELS; i++) {
        bool is_wrong = rng_below(&rng, 1 << 20) < share * (1 << 20);
        given[i] = (struct rated){about(&rng, is_wrong ? -8 : 10, 4), i / 10};
        *wrong += is_wrong;
    }
    for (uint32_t i = 0; i < PLANTED; i++)
        planted[i] = (struct rated){about(&rng, -8, 4), i * 7};
    struct error_curve curve;
    MUST(error_curve_fit(&curve, given, LABELS, planted, PLANTED, &err));
    double before = 1;
    for (double odds = -60; odds < 60; odds += 0.5) {
        double p = error_curve_at(&curve, odds);
        assert_true(p > 0 && p < 1 && p <= before);
        before = p;
    }
    return error_curve_expect(&curve, given, LABELS);
}

TEST(shares_are_found)
{
    takes_long();
    static const double share[] = {0.005, 0.02, 0.05};
    static const int least[] = {SEEDS / 2, SEEDS * 3 / 4, SEEDS * 3 / 4}; /* the fewer errors, the more is chance */
    for (size_t s = 0; s < 3; s++) {
        int within = 0, between = 0;
        for (uint64_t seed = 1; seed <= SEEDS; seed++) {
            size_t wrong;
            struct expected_errors e = try_share(seed, share[s], &wrong);
            within += e.count > 0.6 * (double)wrong && e.count < 1.25 * (double)wrong;
            between += e.least <= (double)wrong && (double)wrong <= e.most;
            assert_true(e.least > 0 && e.least <= e.count && e.count <= e.most);
        }
        assert_true(within >= least[s]);
        assert_true(between >= SEEDS - 4);
    }
}

TEST(where_nothing_was_planted_there_is_a_curve)
{
    struct rated one = {3, 0};
    struct error_curve curve;
    MUST(error_curve_fit(&curve, NULL, 0, NULL, 0, &err));
    assert_true(error_curve_expect(&curve, NULL, 0).count == 0);
    MUST(error_curve_fit(&curve, &one, 1, NULL, 0, &err));
    assert_true(error_curve_at(&curve, 3) < error_curve_at(&curve, -3));
    MUST(error_curve_fit(&curve, &one, 1, &one, 1, &err));
    assert_true(error_curve_expect(&curve, &one, 1).most <= 1);
}
