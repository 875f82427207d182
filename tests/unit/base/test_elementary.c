/* Tests elementary functions against those of the C library in long double, over wide ranges, and special values. */
#include "base/elementary.h"

#include "base/hash.h"
#include "base/random.h"

#include "test.h"

#include <float.h>

enum { COUNT = 200000 };

/* Returns how far `found` is from `truth`, in units of the last place of the double nearest to it. */
static double ulps(double found, long double truth)
{
    int exponent;
    if ((double)truth == found)
        return fabsl(truth - found) == 0 || !isfinite(found) ? 0 : 0.5;
    frexpl(truth, &exponent);
    exponent = exponent < DBL_MIN_EXP ? DBL_MIN_EXP : exponent;
    return (double)(fabsl(truth - found) / ldexpl(1, exponent - DBL_MANT_DIG));
}

/* Compares at x, and at its neighbours. */
static double worst_near(double x, double (*ours)(double), long double (*truth)(long double))
{
    double worst = 0;
    const double at[] = {x, nextafter(x, -INFINITY), nextafter(x, INFINITY)};
    for (int i = 0; i < 3; i++)
        worst = fmax(worst, ulps(ours(at[i]), truth(at[i])));
    return worst;
}

/* Compares at COUNT numbers between two limits, half of them spread by their logarithms if `low` is positive. */
static double worst(double low, double high, double (*ours)(double), long double (*truth)(long double))
{
    struct rng rng = rng_new(1, 1);
    double most = fmax(worst_near(low, ours, truth), worst_near(high, ours, truth));
    for (int i = 0; i < COUNT; i++) {
        double u = rng_uniform(&rng);
        double x = low > 0 && i % 2 ? low * (double)expl(u * logl(high / low)) : low + u * (high - low);
        most = fmax(most, ulps(ours(x), truth(x)));
    }
    return most;
}

static bool same(double a, double b)
{
    return a == b ? signbit(a) == signbit(b) : isnan(a) && isnan(b);
}

TEST(exponentials_are_near)
{
    assert_true(worst(-708, 709.7, exp_of, expl) < 0.6);
    assert_true(worst(-1, 1, exp_of, expl) < 0.6);
    assert_true(worst(1e-300, 1e-3, exp_of, expl) < 0.6);
    assert_true(worst(-745, -708, exp_of, expl) <= 1.01); /* subnormal: rounded twice */
    const double at[] = {0, -0.0, INFINITY, -INFINITY, 709.79, 1e300, -745.2, -1e300, 5e-324};
    const double is[] = {1, 1, INFINITY, 0, INFINITY, INFINITY, 0, 0, 1};
    for (size_t i = 0; i < sizeof at / sizeof *at; i++)
        assert_true(same(exp_of(at[i]), is[i]));
    assert_true(isnan(exp_of(NAN)) && isfinite(exp_of(709.78)) && exp_of(-745.13) > 0);
}

/* Where one step of the table ends and the next begins, the result must not fall; nor between neighbours elsewhere. */
TEST(exponentials_do_not_fall)
{
    for (int n = -64 * 1070; n < 64 * 1023; n++) {
        double x = (n + 0.5) * (0x1.62e42fefa39efp-1 / 64), before = exp_of(x - 4 * fabs(x) * DBL_EPSILON);
        for (x = x - 4 * fabs(x) * DBL_EPSILON; x < (n + 0.5) * (0x1.62e42fefa39efp-1 / 64) * (1 + DBL_EPSILON);) {
            x = nextafter(x, INFINITY);
            double next = exp_of(x);
            assert_true(next >= before);
            before = next;
        }
    }
    struct rng rng = rng_new(2, 1);
    for (int i = 0; i < COUNT; i++) {
        double x = (2 * rng_uniform(&rng) - 1) * (i % 2 ? 1 : 0.01);
        assert_true(exp_of(x) <= exp_of(nextafter(x, INFINITY)));
    }
}

TEST(logarithms_are_near)
{
    assert_true(worst(DBL_MIN, DBL_MAX, log_of, logl) < 0.7);
    assert_true(worst(0.5, 2, log_of, logl) < 0.7);
    assert_true(worst(0.99, 1.01, log_of, logl) < 0.7);
    assert_true(worst(5e-324, 1e-307, log_of, logl) < 0.7);
    const double at[] = {1, 0, -0.0, INFINITY, -1, -INFINITY, NAN};
    const double is[] = {0, -INFINITY, -INFINITY, INFINITY, NAN, NAN, NAN};
    for (size_t i = 0; i < sizeof at / sizeof *at; i++)
        assert_true(same(log_of(at[i]), is[i]));
}

TEST(logarithms_near_one_are_near)
{
    assert_true(worst(-0.999999, 3, log1p_of, log1pl) < 0.7);
    assert_true(worst(1e-300, 1e300, log1p_of, log1pl) < 0.7);
    assert_true(worst(1e-17, 2, log1p_of, log1pl) < 0.7);
    assert_true(worst_near(-0x1p-8, log1p_of, log1pl) < 0.7 && worst_near(0x1p-7, log1p_of, log1pl) < 0.7);
    assert_true(worst_near(1, log1p_of, log1pl) < 0.7 && worst_near(0x1p53, log1p_of, log1pl) < 0.7);
    const double at[] = {0, -0.0, -1, INFINITY, -1.5, -INFINITY, NAN, -1e-300, 5e-324};
    const double is[] = {0, -0.0, -INFINITY, INFINITY, NAN, NAN, NAN, -1e-300, 5e-324};
    for (size_t i = 0; i < sizeof at / sizeof *at; i++)
        assert_true(same(log1p_of(at[i]), is[i]));
    struct rng rng = rng_new(3, 1);
    for (int i = 0; i < COUNT; i++)
        assert_true(log1p_of(-1e-17 * rng_uniform(&rng)) <= 0);
}

TEST(inverse_hyperbolic_sines_are_near)
{
    assert_true(worst(-3, 3, asinh_of, asinhl) < 2);
    assert_true(worst(1e-300, 1e300, asinh_of, asinhl) < 2);
    assert_true(worst(1e-9, 1e9, asinh_of, asinhl) < 2);
    assert_true(worst_near(2, asinh_of, asinhl) < 2 && worst_near(0x1p28, asinh_of, asinhl) < 2);
    const double at[] = {0, -0.0, INFINITY, -INFINITY, NAN};
    for (size_t i = 0; i < sizeof at / sizeof *at; i++)
        assert_true(same(asinh_of(at[i]), at[i]));
}

TEST(gamma_is_near)
{
    struct rng rng = rng_new(4, 1);
    for (int i = 0; i < COUNT; i++) {
        double x = i % 2 ? 30 * (1 - rng_uniform(&rng)) : (double)expl(600 * (rng_uniform(&rng) - 0.5L));
        long double truth = lgammal(x), off = fabsl(lgamma_of(x) - truth);
        assert_true(off < 1e-14 || off < 3 * DBL_EPSILON * fabsl(truth));
    }
    assert_true(fabs(lgamma_of(1)) < 1e-14 && fabs(lgamma_of(2)) < 1e-14 && lgamma_of(INFINITY) == INFINITY);
    assert_true(isnan(lgamma_of(NAN)) && isnan(lgamma_of(0)) && isnan(lgamma_of(-1.5)));
}

TEST(sines_and_cosines_are_near)
{
    assert_true(worst(-6.9, 6.9, sin_of, sinl) < 1.5 && worst(-6.9, 6.9, cos_of, cosl) < 1.5);
    for (int quarter = -4; quarter <= 4; quarter++) {
        double x = quarter * 0x1.921fb54442d18p0;
        assert_true(fabsl(sin_of(x) - sinl(x)) < 0x1p-52 && fabsl(cos_of(x) - cosl(x)) < 0x1p-52);
        assert_true(quarter % 2 || fabsl(sin_of(x) - sinl(x)) < 0x1p-80L);
    }
    assert_true(sin_of(0) == 0 && cos_of(0) == 1 && isnan(sin_of(INFINITY)) && isnan(cos_of(NAN)));
}

TEST(powers_of_ten_are_nearest)
{
    for (int n = -22; n <= 22; n++) {
        char text[8];
        snprintf(text, sizeof text, "1e%d", n);
        assert_true(ten_to(n) == strtod(text, NULL));
    }
    assert_true(ten_to(400) == INFINITY && ten_to(-400) == 0 && fabs(ten_to(200) / 1e200 - 1) < 1e-14);
}

/* On every machine the bits are these, whatever its processor, its compiler and its C library. */
TEST(bits_are_the_same_everywhere)
{
    static double result[COUNT / 8][7];
    struct rng rng = rng_new(5, 1);
    for (int i = 0; i < COUNT / 8; i++) {
        double u = rng_uniform(&rng), scaled = ldexp(u, (int)rng_below(&rng, 200) - 100);
        double *to = result[i];
        to[0] = exp_of(1400 * u - 700);
        to[1] = log_of(scaled);
        to[2] = log1p_of(scaled - 0.5);
        to[3] = asinh_of(scaled);
        to[4] = lgamma_of(scaled);
        to[5] = sin_of(7 * u);
        to[6] = cos_of(7 * u);
        for (int j = 0; j < 7; j++)
            to[j] = isnan(to[j]) ? 0 : to[j]; /* which has many bits */
    }
    assert_int_equal(hash_bytes(result, sizeof result), UINT64_C(0xd5455880250bc333));
}
