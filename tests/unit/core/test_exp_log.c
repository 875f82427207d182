/* Tests exponentials and logarithms: near those of the C library, the same bits by every instruction set. */
#include "core/exp_log.h"

#include "base/random.h"

#include "simd_sets.h"
#include "test.h"

#include <float.h>

enum { COUNT = 1000 };

/* Whether two numbers are at most two units of the last place apart. */
static bool near(double a, double b)
{
    return fabs(a - b) <= 2 * DBL_EPSILON * fmax(fabs(b), DBL_MIN);
}

/* Checks every set, at every length that leaves a rest, against the C library. */
static void check(const double *x, void (*all)(double *, size_t), double (*one)(double))
{
    static double first[COUNT], found[COUNT + 1];
    memcpy(first, x, sizeof first);
    all(first, COUNT);
    for (size_t i = 0; i < COUNT; i++)
        assert_true(near(first[i], one(x[i])));
    EACH_SIMD_SET
    for (size_t n = COUNT - 17; n <= COUNT; n++) {
        memcpy(found, x, sizeof first);
        found[n] = 7;
        all(found, n);
        assert_memory_equal(found, first, n * sizeof *found);
        assert_true(found[n] == 7);
    }
}

TEST(test_exp)
{
    struct rng rng = rng_new(1, 1);
    double x[COUNT] = {0, -0.0, 1, -1, EXP_LOWEST, 709, -1e-300, 1e-17, 0x1.62e42fefa39efp-2, -0x1.62e42fefa39efp-2};
    for (size_t i = 10; i < COUNT; i++)
        x[i] = i % 2 ? -708 * rng_uniform(&rng) : 2 * rng_uniform(&rng) - 1;
    check(x, exp_all, exp);
    double edge[] = {0, -708.1, -1e9, -INFINITY, -DBL_MAX};
    exp_all(edge, 5);
    assert_true(edge[0] == 1 && edge[1] == 0 && edge[2] == 0 && edge[3] == 0 && edge[4] == 0);
}

TEST(test_log)
{
    struct rng rng = rng_new(2, 1);
    double x[COUNT] = {1,
                       DBL_MIN,
                       DBL_MAX,
                       2,
                       0.5,
                       1 + DBL_EPSILON,
                       1 - DBL_EPSILON / 2,
                       0x1.6a09e667f3bcdp-1,
                       0x1.6a09e667f3bccp-1,
                       0x1.6a09e667f3bcdp0};
    for (size_t i = 10; i < COUNT; i++)
        x[i] = i % 3 == 0 ? 0.5 + rng_uniform(&rng) : i % 3 == 1 ? exp(1400 * rng_uniform(&rng) - 700) : (double)i;
    check(x, log_all, log);
    double one = 1;
    log_all(&one, 1);
    assert_true(one == 0);
}
