/* Tests calibration: pooling against its definition, known maps recovered, and what holds for every input. */
#include "base/random.h"
#include "fit/logistic.h"
#include "fit/calibrate.h"

#include "simulate.h"
#include "test.h"

static void assert_near(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%.17g is not within %g of %.17g", value, tolerance, expected);
}

static double logistic_curve(double z)
{
    return 1 / (1 + exp(-z));
}

/* max over j <= i of min over k >= i of the share of j .. k. */
static double share_by_definition(const struct pool *pools, size_t count, size_t i)
{
    double most = -1;
    for (size_t j = 0; j <= i; j++) {
        double least = 2;
        for (size_t k = i; k < count; k++) {
            double right = 0, all = 0;
            for (size_t m = j; m <= k; m++) {
                right += pools[m].right;
                all += pools[m].count;
            }
            least = fmin(least, right / all);
        }
        most = fmax(most, least);
    }
    return most;
}

TEST(pooling_is_what_its_definition_says)
{
    struct rng rng = rng_new(1, 0);
    for (int round = 0; round < 3000; round++) {
        struct pool given[12], pools[12];
        size_t count = 1 + rng_below(&rng, 12), at = 0;
        for (size_t i = 0; i < count; i++) {
            double all = 1 + rng_below(&rng, 4);
            given[i] = (struct pool){all * (double)i, rng_below(&rng, (uint32_t)all + 1), all};
        }
        memcpy(pools, given, sizeof pools);
        size_t left = isotonic_pool(pools, count, 0);
        for (size_t p = 0; p < left; p++) {
            double x = 0, right = 0, all = 0;
            assert_true(p == 0 || pool_share(&pools[p - 1], 0) < pool_share(&pools[p], 0));
            while (all < pools[p].count) {
                assert_near(pool_share(&pools[p], 0), share_by_definition(given, count, at), 1e-12);
                x += given[at].x;
                right += given[at].right;
                all += given[at++].count;
            }
            assert_true(x == pools[p].x && right == pools[p].right && all == pools[p].count);
        }
        assert_int_equal(at, count);
    }
}

TEST(thinning_keeps_everything_and_the_order)
{
    struct rng rng = rng_new(2, 0);
    for (int round = 0; round < 1000; round++) {
        struct pool pools[200];
        size_t count = 1 + rng_below(&rng, 200);
        double right = 0, all = 0, right_before = 0, all_before = 0;
        for (size_t i = 0; i < count; i++) {
            double many = 1 + rng_below(&rng, 30);
            pools[i] = (struct pool){many * (double)i, rng_below(&rng, (uint32_t)many + 1), many};
        }
        count = isotonic_pool(pools, count, 0);
        for (size_t i = 0; i < count; i++) {
            right_before += pools[i].right;
            all_before += pools[i].count;
        }
        size_t left = isotonic_thin(pools, count, 20, 5);
        assert_true(left >= 1 && left <= 5);
        for (size_t i = 0; i < left; i++) {
            assert_true(pools[i].count >= 20 || left == 1);
            assert_true(i == 0 || pool_share(&pools[i - 1], 0) < pool_share(&pools[i], 0));
            assert_true(i == 0 || pools[i - 1].x / pools[i - 1].count < pools[i].x / pools[i].count);
            right += pools[i].right;
            all += pools[i].count;
        }
        assert_true(right == right_before && all == all_before);
    }
}

/* A few uncertain words do not spoil the large pool of nearly certain ones above them. */
TEST(small_pools_join_the_neighbour_that_is_like_them)
{
    struct pool pools[] = {{10, 10, 25}, {5, 4, 8}, {100000, 99900, 100000}};
    assert_int_equal(isotonic_thin(pools, 3, 20, 10), 2);
    assert_true(pools[0].count == 33 && pools[1].count == 100000);
}

/* n values that are right with probability sigmoid(slope * z + offset), z normal. */
struct evidence {
    double *raw, *truth;
    bool *right;
    uint32_t *group;
    size_t n;
};

enum raw_kind { PROBABILITY, MARGIN };

static struct evidence simulate(size_t n, enum raw_kind kind, double slope, double offset, uint64_t seed)
{
    struct evidence e = {room(n, sizeof(double)), room(n, sizeof(double)), room(n, sizeof(bool)),
                         room(n, sizeof(uint32_t)), n};
    struct rng rng = rng_new(seed, 77);
    for (size_t i = 0; i < n; i++) {
        double z = 2 + 2 * draw_normal(&rng);
        e.raw[i] = kind == PROBABILITY ? logistic_curve(z) : expm1(fabs(z));
        e.truth[i] = logistic_curve(slope * (kind == PROBABILITY ? z : fabs(z)) + offset);
        e.right[i] = rng_uniform(&rng) < e.truth[i];
        e.group[i] = (uint32_t)(i / 20);
    }
    return e;
}

static void forget(struct evidence *e)
{
    free(e->raw);
    free(e->truth);
    free(e->right);
    free(e->group);
}

static double mean_error(const struct calibration *calibration, const struct evidence *e)
{
    double sum = 0;
    for (size_t i = 0; i < e->n; i++)
        sum += fabs(calibration_apply(calibration, e->raw[i]) - e->truth[i]);
    return sum / (double)e->n;
}

static void must_fit(enum calibration_kind kind, const struct evidence *e, struct calibration *calibration)
{
    struct vouch_error err = {0};
    if (!calibration_fit(kind, &(struct calibration_rows){e->raw, e->right, NULL, e->n}, calibration, &err))
        fail_msg("%s", err.message);
    assert_int_equal(calibration->kind, kind);
}

TEST(beta_recovers_a_map_of_its_own_family)
{
    struct evidence e = simulate(200000, PROBABILITY, 0.7, 0.4, 3);
    struct calibration beta;
    must_fit(CALIBRATE_BETA, &e, &beta);
    assert_near(beta.a, 0.7, 0.03);
    assert_near(beta.b, 0.7, 0.03);
    assert_near(beta.c, 0.4, 0.03);
    assert_true(mean_error(&beta, &e) < 0.003);
    calibration_release(&beta);
    forget(&e);
}

TEST(platt_recovers_a_map_of_its_own_family)
{
    struct evidence e = simulate(200000, MARGIN, 1.3, -0.5, 4);
    struct calibration platt;
    must_fit(CALIBRATE_PLATT, &e, &platt);
    assert_true(platt.margin);
    assert_near(platt.a, 1.3, 0.03);
    assert_near(platt.b, -0.5, 0.03);
    assert_true(mean_error(&platt, &e) < 0.003);
    calibration_release(&platt);
    forget(&e);
}

TEST(isotonic_recovers_any_map)
{
    for (enum raw_kind kind = PROBABILITY; kind <= MARGIN; kind++) {
        struct evidence e = simulate(200000, kind, 1.5, -1, 5);
        struct calibration isotonic;
        must_fit(CALIBRATE_ISOTONIC, &e, &isotonic);
        assert_true(isotonic.points > 10 && isotonic.points <= CALIBRATION_POINTS);
        assert_true(mean_error(&isotonic, &e) < 0.006);
        calibration_release(&isotonic);
        forget(&e);
    }
}

/* Most words are near one: 0.9990 must be told from 1. */
TEST(isotonic_is_precise_near_one)
{
    enum { N = 120000 };
    double *raw = room(N, sizeof *raw);
    bool *right = room(N, sizeof *right);
    struct rng rng = rng_new(6, 0);
    for (size_t i = 0; i < N; i++) {
        bool sure = i % 6 != 0;
        raw[i] = sure ? 0.999 + 0.001 * rng_uniform(&rng) : 0.9 * rng_uniform(&rng);
        right[i] = rng_uniform(&rng) < (sure ? 0.999 : raw[i]);
    }
    struct evidence e = {.raw = raw, .right = right, .n = N};
    struct calibration isotonic;
    must_fit(CALIBRATE_ISOTONIC, &e, &isotonic);
    assert_near(calibration_apply(&isotonic, 0.9995), 0.999, 0.0004);
    assert_near(calibration_apply(&isotonic, 0.5), 0.5, 0.05);
    calibration_release(&isotonic);
    free(raw);
    free(right);
}

static double odd_value(struct rng *rng, bool probability)
{
    double u = rng_uniform(rng);
    switch (rng_below(rng, 8)) {
    case 0:
        return 0;
    case 1:
        return 1;
    case 2:
        return probability ? 1 - 1e-12 * u : INFINITY;
    case 3:
        return probability ? 1e-300 : 1e300 * u;
    case 4:
        return probability ? 0.25 : -20 * u;
    case 5:
        return probability ? 0.5 + 1e-17 : NAN;
    default:
        return probability ? u : 100 * u;
    }
}

static int ascending(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

TEST(every_map_is_monotone_and_in_range)
{
    enum { MOST = 300, PROBES = 200 };
    struct rng rng = rng_new(8, 0);
    for (int round = 0; round < 2000; round++) {
        double raw[MOST], probe[PROBES];
        bool right[MOST], probability = round % 2;
        size_t n = 1 + rng_below(&rng, round % 10 ? 40 : MOST);
        double accuracy = rng_below(&rng, 5) / 4.0;
        for (size_t i = 0; i < n; i++) {
            raw[i] = odd_value(&rng, probability);
            right[i] = rng_uniform(&rng) < accuracy;
        }
        raw[0] = probability ? 0.5 : 2;
        for (size_t i = 0; i < PROBES; i++)
            while (isnan(probe[i] = i < n && !isnan(raw[i]) ? raw[i] : odd_value(&rng, i % 2)))
                continue;
        qsort(probe, PROBES, sizeof *probe, ascending);
        for (enum calibration_kind kind = CALIBRATE_ISOTONIC; kind < CALIBRATION_KINDS; kind++) {
            struct calibration map;
            struct vouch_error err = {0};
            bool ok = calibration_fit(kind, &(struct calibration_rows){raw, right, NULL, n}, &map, &err);
            assert_int_equal(ok, kind != CALIBRATE_BETA || probability);
            if (!ok)
                continue;
            double before = 0;
            for (size_t i = 0; i < PROBES; i++) {
                double p = calibration_apply(&map, probe[i]);
                assert_true(p >= before && p <= 1);
                assert_true(kind != CALIBRATE_ISOTONIC || (p > 0 && p < 1));
                before = p;
            }
            assert_true(calibration_apply(&map, INFINITY) >= before);
            assert_true(calibration_apply(&map, -INFINITY) <= calibration_apply(&map, probe[0]));
            assert_true(isnan(calibration_apply(&map, NAN)));
            calibration_release(&map);
        }
    }
}

/* Rounding, too, must not turn two neighbouring numbers round. */
TEST(every_map_is_monotone_to_the_last_bit)
{
    for (enum calibration_kind kind = CALIBRATE_ISOTONIC; kind < CALIBRATION_KINDS; kind++) {
        struct evidence e = simulate(5000, PROBABILITY, 0.8, -6, 17);
        struct calibration map;
        must_fit(kind, &e, &map);
        for (double from = 1e-5; from < 1; from *= 1.9) {
            double x = from, before = 0;
            for (int i = 0; i < 2000; i++, x = nextafter(x, 2)) {
                double p = calibration_apply(&map, x);
                assert_true(p >= before);
                before = p;
            }
        }
        calibration_release(&map);
        forget(&e);
    }
}

TEST(isotonic_keeps_the_ranking)
{
    struct evidence e = simulate(5000, PROBABILITY, 1, 0, 9);
    struct calibration isotonic;
    must_fit(CALIBRATE_ISOTONIC, &e, &isotonic);
    double before = -1;
    for (int i = 0; i <= 10000; i++) {
        double p = calibration_apply(&isotonic, i / 10000.0);
        assert_true(p > before);
        before = p;
    }
    calibration_release(&isotonic);
    forget(&e);
}

/* Margins are infinite where there is no other answer: that is a value like others, above all of them. */
TEST(infinite_margins_have_a_place_of_their_own)
{
    struct evidence e = simulate(20000, MARGIN, 1, -1, 10);
    for (size_t i = 0; i < e.n; i += 10) {
        e.raw[i] = INFINITY;
        e.right[i] = i % 1000 != 0;
    }
    for (enum calibration_kind kind = CALIBRATE_ISOTONIC; kind <= CALIBRATE_PLATT; kind++) {
        struct calibration map;
        must_fit(kind, &e, &map);
        assert_true(isfinite(map.limit) && isfinite(map.a) && isfinite(map.b));
        assert_true(calibration_apply(&map, INFINITY) >= calibration_apply(&map, 1e6));
        assert_true(calibration_apply(&map, 50) > calibration_apply(&map, 1));
        if (kind == CALIBRATE_ISOTONIC)
            assert_near(calibration_apply(&map, INFINITY), 0.99, 0.003);
        calibration_release(&map);
    }
    forget(&e);
}

TEST(one_class_gives_what_the_count_allows)
{
    double raw[100];
    bool right[100];
    struct calibration map;
    struct vouch_error err = {0};
    for (int all = 0; all < 2; all++) {
        for (int i = 0; i < 100; i++) {
            raw[i] = i / 99.0;
            right[i] = all;
        }
        for (enum calibration_kind kind = CALIBRATE_ISOTONIC; kind < CALIBRATION_KINDS; kind++) {
            assert_true(calibration_fit(kind, &(struct calibration_rows){raw, right, NULL, 100}, &map, &err));
            for (double x = 0; x <= 1; x += 0.125)
                assert_near(calibration_apply(&map, x), all ? 0.9925 : 0.0075, 0.0035);
            calibration_release(&map);
        }
    }
}

/* More confident and less often right: the best monotone map is a constant. */
TEST(a_map_never_falls)
{
    enum { N = 2000 };
    static double raw[N];
    static bool right[N];
    struct rng rng = rng_new(11, 0);
    double share = 0;
    for (int i = 0; i < N; i++) {
        raw[i] = (i + 0.5) / N;
        right[i] = rng_uniform(&rng) > raw[i];
        share += right[i] / (double)N;
    }
    for (enum calibration_kind kind = CALIBRATE_ISOTONIC; kind < CALIBRATION_KINDS; kind++) {
        struct calibration map;
        struct vouch_error err = {0};
        assert_true(calibration_fit(kind, &(struct calibration_rows){raw, right, NULL, N}, &map, &err));
        assert_near(calibration_apply(&map, 0.01), share, 0.03);
        assert_near(calibration_apply(&map, 0.99), share, 0.03);
        assert_true(map.a >= 0 && (kind != CALIBRATE_BETA || map.b >= 0));
        calibration_release(&map);
    }
}

TEST(choosing_takes_what_fits)
{
    double loss[CALIBRATION_KINDS];
    struct calibration map;
    struct vouch_error err = {0};
    struct evidence e = simulate(4000, PROBABILITY, 0.6, 0.3, 12); /* of the beta family */
    assert_true(calibration_choose(&(struct calibration_rows){e.raw, e.right, e.group, e.n}, 1, &map, loss, &err));
    assert_int_equal(map.kind, CALIBRATE_BETA);
    assert_true(isnan(loss[CALIBRATE_PLATT]) && loss[CALIBRATE_BETA] < loss[CALIBRATE_NONE]);
    calibration_release(&map);
    forget(&e);

    e = simulate(4000, MARGIN, 1, -1, 13); /* of Platt's */
    assert_true(calibration_choose(&(struct calibration_rows){e.raw, e.right, e.group, e.n}, 1, &map, loss, &err));
    assert_int_equal(map.kind, CALIBRATE_PLATT);
    assert_true(isnan(loss[CALIBRATE_BETA]) && isnan(loss[CALIBRATE_NONE]));
    calibration_release(&map);
    forget(&e);

    e = simulate(40000, PROBABILITY, 1, 0, 14); /* of neither: two steps */
    struct rng rng = rng_new(15, 0);
    for (size_t i = 0; i < e.n; i++)
        e.right[i] = rng_uniform(&rng) < (e.raw[i] < 0.3 ? 0.1 : e.raw[i] < 0.95 ? 0.7 : 0.99);
    assert_true(calibration_choose(&(struct calibration_rows){e.raw, e.right, e.group, e.n}, 1, &map, loss, &err));
    assert_int_equal(map.kind, CALIBRATE_ISOTONIC);
    calibration_release(&map);
    forget(&e);
}

TEST(choosing_twice_gives_the_same)
{
    struct evidence e = simulate(3000, PROBABILITY, 1.2, 0.3, 16);
    struct calibration map[2];
    struct vouch_error err = {0};
    double loss[2][CALIBRATION_KINDS], other[CALIBRATION_KINDS];
    for (int i = 0; i < 2; i++)
        assert_true(
            calibration_choose(&(struct calibration_rows){e.raw, e.right, e.group, e.n}, 5, &map[i], loss[i], &err));
    assert_memory_equal(loss[0], loss[1], sizeof loss[0]);
    assert_true(map[0].kind == map[1].kind && map[0].a == map[1].a && map[0].points == map[1].points);
    for (double x = 0; x <= 1; x += 0.01)
        assert_true(calibration_apply(&map[0], x) == calibration_apply(&map[1], x));
    calibration_release(&map[0]);
    calibration_release(&map[1]);
    assert_true(calibration_choose(&(struct calibration_rows){e.raw, e.right, e.group, e.n}, 6, &map[0], other, &err));
    assert_true(other[CALIBRATE_PLATT] != loss[0][CALIBRATE_PLATT]);
    calibration_release(&map[0]);
    forget(&e);
}

TEST(values_that_are_not_there_are_passed_over)
{
    const double raw[] = {NAN, 0.2, NAN, 0.9}, none[] = {NAN, NAN};
    const bool right[] = {true, false, false, true};
    const uint32_t group[] = {1, 1, 1, 1};
    double loss[CALIBRATION_KINDS];
    struct calibration map;
    struct vouch_error err = {0};
    assert_true(calibration_fit(CALIBRATE_PLATT, &(struct calibration_rows){raw, right, NULL, 4}, &map, &err));
    assert_true(calibration_apply(&map, 0.9) > calibration_apply(&map, 0.2));
    assert_false(map.margin);
    assert_true(calibration_choose(&(struct calibration_rows){raw, right, group, 4}, 1, &map, loss,
                                   &err)); /* one group: nothing to hold out */
    assert_int_equal(map.kind, CALIBRATE_PLATT);
    assert_true(isnan(loss[CALIBRATE_PLATT]));
    assert_true(calibration_choose(&(struct calibration_rows){raw, right, NULL, 4}, 1, &map, loss, &err));
    calibration_release(&map);
    assert_false(calibration_fit(CALIBRATE_ISOTONIC, &(struct calibration_rows){none, right, NULL, 2}, &map, &err));
    assert_int_equal(err.status, VOUCH_ERR_ARGUMENT);
    assert_false(calibration_choose(&(struct calibration_rows){none, right, NULL, 2}, 1, &map, loss, &err));
    assert_false(calibration_fit(CALIBRATE_PLATT, &(struct calibration_rows){NULL, NULL, NULL, 0}, &map, &err));
}

TEST(no_calibration_changes_nothing)
{
    const double raw[] = {0.5, 7};
    const bool right[] = {true, false};
    struct calibration map;
    struct vouch_error err = {0};
    assert_true(calibration_fit(CALIBRATE_NONE, &(struct calibration_rows){raw, right, NULL, 2}, &map, &err));
    assert_true(calibration_apply(&map, 7) == 7 && calibration_apply(&map, INFINITY) == INFINITY);
}

TEST(splits_keep_groups_together)
{
    enum { N = 1000 };
    uint32_t group[N], part[N], again[N], rows[5] = {0};
    struct vouch_error err = {0};
    for (uint32_t i = 0; i < N; i++)
        group[i] = 4000000000u - i * 7919u % N / 10; /* 100 groups of 10, scattered */
    assert_true(split_groups(group, N, 5, 3, part, &err));
    assert_true(split_groups(group, N, 5, 3, again, &err));
    assert_memory_equal(part, again, sizeof part);
    for (uint32_t i = 0; i < N; i++) {
        rows[part[i]]++;
        for (uint32_t j = 0; j < i; j++)
            assert_true(group[i] != group[j] || part[i] == part[j]);
    }
    for (int p = 0; p < 5; p++)
        assert_int_equal(rows[p], 200);
    assert_true(split_groups(NULL, N, 5, 3, again, &err));
    assert_true(memcmp(part, again, sizeof part) != 0);
}
