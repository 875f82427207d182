/*
 * Tests significance: see significance.h.
 *
 * Student's t over differences d = a - b of n pairs is mean(d) * sqrt(n) / s(d), with v = n - 1 degrees of freedom, and
 * its two-sided probability is
 *
 *     p = I_x(v/2, 1/2),  x = v / (v + t^2)
 *
 * (Abramowitz and Stegun 1964, 26.7.1 with 26.5.27), I being the regularised incomplete beta function. I_x(a, b) = x^a
 * (1-x)^b / (a B(a, b)) * 1/(1 + c1/(1 + c2/(1 + ...))) with
 *
 *     c_2m   =  m (b - m) x / ((a + 2m - 1)(a + 2m))
 *     c_2m+1 = -(a + m)(a + b + m) x / ((a + 2m)(a + 2m + 1))
 *
 * (DLMF 8.17.22), evaluated from the front by Lentz's method as modified by Thompson and Barnett (1986). It converges
 * fast for x < (a + 1)/(a + b + 2), in O(sqrt(max(a, b))) steps; elsewhere I_x(a, b) = 1 - I_{1-x}(b, a).
 *
 * Means are taken from the first value, so that equal values have exactly zero variance.
 */
#include "measure/intervals.h"

#include <float.h>
#include <math.h>

double sample_mean(const double *x, size_t n)
{
    if (n == 0)
        return NAN;
    double sum = 0;
    for (size_t i = 1; i < n; i++)
        sum += x[i] - x[0];
    return x[0] + sum / (double)n;
}

double sample_deviation(const double *x, size_t n)
{
    if (n < 2)
        return NAN;
    double mean = sample_mean(x, n), squares = 0;
    for (size_t i = 0; i < n; i++)
        squares += (x[i] - mean) * (x[i] - mean);
    return sqrt(squares / (double)(n - 1));
}

static double away_from_zero(double x)
{
    return fabs(x) < DBL_MIN ? DBL_MIN : x;
}

/* Returns 1/(1 + c1/(1 + c2/(1 + ...))) for x < (a + 1)/(a + b + 2). */
static double beta_fraction(double a, double b, double x)
{
    double numerator = 1, denominator = 1 / away_from_zero(1 - (a + b) * x / (a + 1)), value = denominator;
    for (double m = 1; m < 1e6; m++) {
        double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
        double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
        denominator = 1 / away_from_zero(1 + even * denominator);
        numerator = away_from_zero(1 + even / numerator);
        value *= numerator * denominator;
        denominator = 1 / away_from_zero(1 + odd * denominator);
        numerator = away_from_zero(1 + odd / numerator);
        value *= numerator * denominator;
        if (fabs(numerator * denominator - 1) <= DBL_EPSILON)
            break;
    }
    return value;
}

/* Returns I_x(a, b); y is 1 - x, passed on its own because x may be close to 1. */
static double incomplete_beta(double a, double b, double x, double y)
{
    if (x <= 0)
        return 0;
    if (y <= 0)
        return 1;
    double front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log(y));
    return x < (a + 1) / (a + b + 2) ? front * beta_fraction(a, b, x) / a : 1 - front * beta_fraction(b, a, y) / b;
}

double student_two_sided(double t, size_t freedom)
{
    double v = (double)freedom, ratio = t * t / v;
    return incomplete_beta(v / 2, 0.5, 1 / (1 + ratio), 1 / (1 + 1 / ratio));
}

double student_critical(double p, size_t freedom)
{
    double low = 0, high = 1;
    while (student_two_sided(high, freedom) > p && high < 1e300)
        high *= 2;
    for (int i = 0; i < 200 && low < high; i++) {
        double middle = low + (high - low) / 2;
        if (middle <= low || middle >= high)
            break;
        if (student_two_sided(middle, freedom) > p)
            low = middle;
        else
            high = middle;
    }
    return high;
}

double sample_interval(const double *x, size_t n)
{
    return n < 2 ? NAN : student_critical(0.05, n - 1) * sample_deviation(x, n) / sqrt((double)n);
}

bool paired_t_test(const double *a, const double *b, size_t n, struct t_test *test)
{
    *test = (struct t_test){NAN, NAN, n ? n - 1 : 0, NAN};
    if (n < 2)
        return false;
    double first = a[0] - b[0], sum = 0, squares = 0;
    for (size_t i = 1; i < n; i++)
        sum += a[i] - b[i] - first;
    double mean = first + sum / (double)n;
    for (size_t i = 0; i < n; i++)
        squares += (a[i] - b[i] - mean) * (a[i] - b[i] - mean);
    double error = sqrt(squares / (double)(n - 1) / (double)n);
    if (!isfinite(mean) || !isfinite(error))
        return false;
    test->difference = mean;
    test->t = mean == 0 ? 0 : mean / error;
    test->p = student_two_sided(test->t, n - 1);
    return true;
}
